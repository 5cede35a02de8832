/*
 * log: the debug log, one time-stamped line per call.
 *
 * The log is off until log_open(). Then every line goes to one file, never to
 * the terminal. A line is written at once, so that it survives a crash. Text
 * from outside is cleaned. Each process has one log.
 */
#ifndef CFUZZ_BASE_LOG_H
#define CFUZZ_BASE_LOG_H

#include <stdbool.h>

#include "shared/status.h"

/* Appends to the file path, which is created with mode 0600; closes an open
 * log. E_USAGE: path is a terminal; other errors: see errnum_status(). On
 * failure an open log stays open. */
enum status log_open(const char *path, struct error *err) MUST_CHECK;
void log_close(void);
bool log_is_open(void);

/* `2026-08-01 12:34:56.789 DEBUG text`, in local time; text is cut at 2047
 * bytes. Returns at once when the log is off. Keeps errno; ignores failed
 * writes. */
void log_debug(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

#endif

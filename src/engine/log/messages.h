/*
 * messages: log lines, journal events and the texts of the screen.
 */
#ifndef CFUZZ_ENGINE_LOG_MESSAGES_H
#define CFUZZ_ENGINE_LOG_MESSAGES_H

#include "engine/log/engine_report.h"

#include <stdbool.h>

#include <jansson.h>

struct engine;
struct event_ring;

/* report: NULL: no reports. */
void messages_open(struct engine *e, engine_report_fn *report, void *arg);
void messages_close(struct engine *e);

/* Pass a report, or a line of text, to the front end. */
void message_report(struct engine *e, const struct report *report);
void message_print(struct engine *e, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* A line and an event about a problem that does not stop the run. kind: type of
 * the event. */
void message_warn(struct engine *e, const char *kind, const char *text);
/* A line of any length, with which the run ends. Without a front end that takes
 * reports it is kept for message_kept_words(), up to 48 KiB of all lines. */
void message_last_words(struct engine *e, const char *text);
/* These lines, each with its newline; "": none. Valid until messages_close(). */
const char *message_kept_words(const struct engine *e);
/* Shows a journal line of an earlier run again. latest_s: the end of that run,
 * in campaign time. */
void message_recall(struct engine *e, const json_t *event, double latest_s);
/* An event: to the journal and the front ends, with a text also to the screen.
 * take_members: an object, NULL: none. fmt: NULL: no text. */
void message_event(struct engine *e, const char *kind, json_t *take_members,
	const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* Sets the user whose command runs: events name this user. NULL: no command
 * runs. `user` is clean text, and must stay valid until the next call. */
void message_set_user(struct engine *e, const char *user);

/* Keeps a copy of a warning until the run begins. kind: type of its event, a
 * literal. */
void message_keep_warning(struct engine *e, const char *kind, const char *text);
/* Prints these, and the warnings of the output directory. */
void message_print_warnings(struct engine *e);

/* Warnings that are given once. */
void message_odd_return(struct engine *e);
void message_no_module_room(struct engine *e);
/* Warns that the disk does not take files, once until all are on the disk
 * again. files: their description. */
void message_disk(struct engine *e, const char *files);
/* Whether that warning was given and still holds. */
bool message_disk_said(const struct engine *e);

struct event_ring *message_events(const struct engine *e); /* the newest */

#endif

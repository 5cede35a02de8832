/*
 * reader: reads the lines of a recording, one after the other.
 *
 * No line may be longer than READER_LINE_MAX. An incomplete last line, as after
 * a crash, is ignored.
 */
#ifndef CFUZZ_UI_CONSOLE_RECORDING_READER_H
#define CFUZZ_UI_CONSOLE_RECORDING_READER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "shared/status.h"

#define READER_LINE_MAX (6u << 20)

struct reader {
	FILE *file;
	char name[256]; /* cleaned */
	uint64_t line;  /* number of the last line read */
	json_t *json;   /* that line; NULL: end of file */
	double at_s;    /* its time */
	char *text;     /* its bytes, for reader.c */
};

/* The reader is zeroed; call reader_close() after a failure as well. E_IO: the
 * file cannot be opened. E_FORMAT: it is not a regular file. */
enum status reader_open(struct reader *reader, const char *path,
	struct error *err) MUST_CHECK;
void reader_close(struct reader *reader);

/* Parses the next line into reader->json, which the reader owns until the next
 * call; NULL: end of file. E_FORMAT: the line is invalid; E_IO: it cannot be
 * read. */
enum status reader_next(struct reader *reader, struct error *err) MUST_CHECK;

/* The offset of the next line in the file, in bytes. */
int64_t reader_offset(const struct reader *reader);
/* Makes the line at this offset the next one. lines_before: number of the line
 * before it. */
void reader_rewind(struct reader *reader, int64_t offset,
	uint64_t lines_before);

/* Sets an error with file, line and column; returns E_FORMAT. */
enum status reader_wrong(const struct reader *reader, int column,
	const char *what, struct error *err);

#endif

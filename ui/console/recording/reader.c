/*
 * reader: a buffer moves along the file and holds one line at a time.
 */
#include "ui/console/recording/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/text.h"
#include "base/xmalloc.h"

#define READER_BUFFER 16384u /* initial size; grows to the longest line */
#define READER_FIRST_LINES 1u
#define READER_TIME_MAX 1e9 /* seconds */

/* O_NONBLOCK: opening a FIFO must not wait. */
enum status
reader_open(struct reader *r, const char *path, struct error *err)
{
	struct stat st;

	text_clean_string(path, r->name, sizeof(r->name));
	r->size = READER_BUFFER;
	r->buf = xmalloc(r->size);
	r->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (r->fd < 0)
		return error_set(err, E_IO, "%s: %s", r->name, strerror(errno));
	if (fstat(r->fd, &st) != 0 || !S_ISREG(st.st_mode))
		return error_set(err, E_FORMAT, "%s: not a regular file",
			r->name);
	return OK;
}

void
reader_close(struct reader *r)
{
	fd_close(&r->fd);
	json_decref(r->json);
	free(r->buf);
}

int64_t
reader_offset(const struct reader *r)
{
	return r->offset + (int64_t)r->at;
}

enum status
reader_wrong(const struct reader *r, int column, const char *what,
	struct error *err)
{
	char clean[256];

	text_clean_string(what, clean, sizeof(clean));
	return error_set(err, E_FORMAT, "%s:%llu:%d: %s", r->name,
		(unsigned long long)r->line, column, clean);
}

void
reader_rewind(struct reader *r, int64_t offset, uint64_t lines_before)
{
	r->offset = offset;
	r->len = r->at = 0;
	r->line = lines_before;
}

/* Reads more of the file into the buffer; false: end of file, or err is set. */
static bool
reader_fill(struct reader *r, struct error *err)
{
	ssize_t n;

	if (r->at > 0) {
		memmove(r->buf, r->buf + r->at, r->len - r->at);
		r->len -= r->at;
		r->offset += (int64_t)r->at;
		r->at = 0;
	}
	if (r->len == r->size && r->size < READER_LINE_MAX) {
		r->size *= 2;
		r->buf = xrealloc(r->buf, r->size);
	}
	if (r->len == r->size) {
		r->line++;
		reader_wrong(r, 1, "the line is too long", err);
		return false;
	}
	do
		n = pread(r->fd, r->buf + r->len, r->size - r->len,
			(off_t)(r->offset + (int64_t)r->len));
	while (n < 0 && errno == EINTR);
	if (n < 0)
		error_set(err, E_IO, "%s: %s", r->name, strerror(errno));
	if (n > 0)
		r->len += (size_t)n;
	return n > 0;
}

/* The next complete line; NULL: there is none, or err is set. */
static const char *
reader_text(struct reader *r, size_t *len, struct error *err)
{
	size_t looked = 0;

	for (;;) {
		char *start = r->buf + r->at;
		size_t have = r->len - r->at;
		char *end = have > looked
			? memchr(start + looked, '\n', have - looked)
			: NULL;

		if (end != NULL) {
			*len = (size_t)(end - start);
			r->at += *len + 1;
			r->line++;
			return start;
		}
		looked = have;
		if (!reader_fill(r, err))
			return NULL;
	}
}

static enum status
reader_parse(struct reader *r, const char *text, size_t len, struct error *err)
{
	json_error_t why;
	json_t *at;

	json_decref(r->json);
	r->json = json_loadb(text, len, JSON_REJECT_DUPLICATES, &why);
	if (r->json == NULL)
		return reader_wrong(r, why.column > 0 ? why.column : 1,
			why.text, err);
	if (!json_is_object(r->json))
		return reader_wrong(r, 1, "an object is expected", err);
	if (r->line == READER_FIRST_LINES)
		return OK;
	at = json_object_get(r->json, "at");
	if (!json_is_number(at) || !(json_number_value(at) >= 0) ||
		json_number_value(at) > READER_TIME_MAX)
		return reader_wrong(r, 1,
			"\"at\": a time in seconds is expected", err);
	r->at_s = json_number_value(at);
	return OK;
}

enum status
reader_next(struct reader *r, struct error *err)
{
	struct error why = { 0 };
	const char *text;
	size_t len;

	text = reader_text(r, &len, &why);
	if (text != NULL)
		return reader_parse(r, text, len, err);
	json_decref(r->json);
	r->json = NULL;
	return why.code == OK ? OK : error_set(err, why.code, "%s", why.text);
}

/*
 * reader: one line of a recording at a time, see reader.h.
 */
#include "ui/console/recording/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "base/xmalloc.h"

#define READER_FIRST_LINES 1u
#define READER_TIME_MAX 1e9 /* seconds */

/* O_NONBLOCK: opening a FIFO must not wait. */
enum status
reader_open(struct reader *r, const char *path, struct error *err)
{
	struct stat st;
	int fd;

	text_clean_string(path, r->name, sizeof(r->name));
	r->text = xmalloc(READER_LINE_MAX + 2);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	r->file = fd >= 0 ? fdopen(fd, "r") : NULL;
	if (r->file == NULL)
		return error_set(err, E_IO, "%s: %s", r->name, strerror(errno));
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return error_set(err, E_FORMAT, "%s: not a regular file",
			r->name);
	return OK;
}

void
reader_close(struct reader *r)
{
	if (r->file != NULL)
		fclose(r->file);
	json_decref(r->json);
	free(r->text);
}

int64_t
reader_offset(const struct reader *r)
{
	return ftello(r->file);
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
	(void)fseeko(r->file, offset, SEEK_SET);
	r->line = lines_before;
}

/* The next complete line; NULL: there is none, or err is set. */
static const char *
reader_text(struct reader *r, size_t *len, struct error *err)
{
	int64_t from = reader_offset(r);

	if (fgets(r->text, READER_LINE_MAX + 2, r->file) == NULL) {
		if (ferror(r->file))
			error_set(err, E_IO, "%s: %s", r->name,
				strerror(errno));
		return NULL;
	}
	*len = (size_t)(reader_offset(r) - from) - 1;
	if (r->text[*len] != '\n' && *len < READER_LINE_MAX) {
		reader_rewind(r, from, r->line);
		return NULL;
	}
	r->line++;
	if (r->text[*len] == '\n')
		return r->text;
	reader_wrong(r, 1, "the line is too long", err);
	return NULL;
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

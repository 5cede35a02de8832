/*
 * recording: a buffer moves along the file and holds one line at a time.
 */
#include "ui/console/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "control/snapshot.h"
#include "ui/console/recorder.h"

#define RECORDING_BUFFER 16384u /* initial size; grows to the longest line */
#define RECORDING_FIRST_LINES 1u
#define RECORDING_POINT_S 0.2     /* initially, between points */
#define RECORDING_TIME_UNIT 0.001 /* of "at" */
#define RECORDING_TIME_MAX 1e9    /* seconds */

struct recording_place {
	struct query query;
	int64_t offset;
};

struct recording {
	int fd;
	char name[256]; /* cleaned */
	char target[256];
	double length_s;
	struct recording_key *keys;
	size_t keys_n;
	uint64_t key_step, key_count; /* every key_step-th one is kept */
	struct recording_point *points, point; /* the newest one */
	size_t points_n;
	double point_step_s; /* minimum time between two */
	struct recording_place *fixed;
	size_t fixed_n;

	char *buf; /* content of the file from `offset` on */
	size_t size, len, at;
	int64_t offset;
	uint64_t line; /* number of the last line read */
	json_t *json;  /* that line */
	double at_s;
};

/* ---- what is wrong, and where ---- */

static enum status
recording_wrong(const struct recording *r, int column, const char *what,
	struct error *err)
{
	char clean[256];

	text_clean_string(what, clean, sizeof(clean));
	return error_set(err, E_FORMAT, "%s:%llu:%d: %s", r->name,
		(unsigned long long)r->line, column, clean);
}

/* ---- lines ---- */

static void
recording_rewind(struct recording *r, int64_t offset, uint64_t lines_before)
{
	r->offset = offset;
	r->len = r->at = 0;
	r->line = lines_before;
}

/* Reads more of the file into the buffer; false: end of file, or err is set. */
static bool
recording_fill(struct recording *r, struct error *err)
{
	ssize_t n;

	if (r->at > 0) {
		memmove(r->buf, r->buf + r->at, r->len - r->at);
		r->len -= r->at;
		r->offset += (int64_t)r->at;
		r->at = 0;
	}
	if (r->len == r->size && r->size < RECORDING_LINE_MAX) {
		r->size *= 2;
		r->buf = xrealloc(r->buf, r->size);
	}
	if (r->len == r->size) {
		r->line++;
		recording_wrong(r, 1, "the line is too long", err);
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
recording_text(struct recording *r, size_t *len, struct error *err)
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
		if (!recording_fill(r, err))
			return NULL;
	}
}

static enum status
recording_parse(struct recording *r, const char *text, size_t len,
	struct error *err)
{
	json_error_t why;
	json_t *at;

	json_decref(r->json);
	r->json = json_loadb(text, len, JSON_REJECT_DUPLICATES, &why);
	if (r->json == NULL)
		return recording_wrong(r, why.column > 0 ? why.column : 1,
			why.text, err);
	if (!json_is_object(r->json))
		return recording_wrong(r, 1, "an object is expected", err);
	if (r->line == RECORDING_FIRST_LINES)
		return OK;
	at = json_object_get(r->json, "at");
	if (!json_is_number(at) || !(json_number_value(at) >= 0) ||
		json_number_value(at) > RECORDING_TIME_MAX)
		return recording_wrong(r, 1,
			"\"at\": a time in seconds is expected", err);
	r->at_s = json_number_value(at);
	return OK;
}

/* Reads a line as JSON; r->json is NULL at the end. */
static enum status
recording_read(struct recording *r, struct error *err)
{
	struct error why;
	const char *text;
	size_t len;

	error_clear(&why);
	text = recording_text(r, &len, &why);
	if (text != NULL)
		return recording_parse(r, text, len, err);
	json_decref(r->json);
	r->json = NULL;
	return why.code == OK ? OK : error_set(err, why.code, "%s", why.text);
}

enum status
recording_next(struct recording *r, struct recording_line *line,
	struct error *err)
{
	enum status status = recording_read(r, err);

	line->json = status == OK ? r->json : NULL;
	line->at_s = r->at_s;
	return status;
}

void
recording_go(struct recording *r, const struct recording_key *key)
{
	recording_rewind(r, key->offset, key->line - 1);
}

/* ---- the look through all of it ---- */

static enum status
recording_head(struct recording *r, struct error *err)
{
	const json_t *version;
	const char *target;
	enum status status = recording_read(r, err);

	if (status != OK && err->code == E_FORMAT && r->line <= 1) {
		error_clear(err);
		return recording_wrong(r, 1, "this is no recording", err);
	}
	if (status != OK)
		return status;
	r->line = 1;
	version = json_object_get(r->json, "recording");
	if (r->json == NULL || !json_is_integer(version))
		return recording_wrong(r, 1, "this is no recording", err);
	if (json_integer_value(version) != RECORDING_VERSION)
		return recording_wrong(r, 1,
			"this is a recording of another version of cfuzz-tui",
			err);
	target = json_string_value(json_object_get(r->json, "target"));
	text_clean_string(target != NULL ? target : "", r->target,
		sizeof(r->target));
	return OK;
}

/* Makes room for one more item; the capacity is a power of 2. */
static void *
recording_grow(void *items, size_t n, size_t size)
{
	return (n & (n - 1)) == 0
		? xreallocarray(items, n > 0 ? 2 * n : 1, size)
		: items;
}

/* Snapshot and delta have the state as the same member. */
static void
recording_read_warm(const json_t *json, bool *warm)
{
	const char *state = json_string_value(json_object_get(json, "state"));

	if (state != NULL)
		*warm = strcmp(state, run_state_name(RUN_STARTING)) != 0 &&
			strcmp(state, run_state_name(RUN_WARMUP)) != 0;
}

/*
 * The list is full: drops every second key and keeps half as many from now on.
 */
static void
recording_thin(struct recording *r)
{
	for (size_t i = 0; 2 * i < r->keys_n; i++)
		r->keys[i] = r->keys[2 * i];
	r->keys_n = (r->keys_n + 1) / 2;
	r->key_step *= 2;
}

static enum status
recording_add_key(struct recording *r, const json_t *json, int64_t offset,
	struct error *err)
{
	struct snapshot s;
	struct error why;

	error_clear(&why);
	snapshot_init(&s);
	if (snapshot_decode(&s, json, &why) != OK)
		return recording_wrong(r, 1, why.text, err);
	if (r->key_count++ % r->key_step == 0) {
		if (r->keys_n == RECORDING_KEYS_MAX)
			recording_thin(r);
		r->keys = recording_grow(r->keys, r->keys_n, sizeof(*r->keys));
		r->keys[r->keys_n++] = (struct recording_key){
			.at_s = r->at_s,
			.offset = offset,
			.line = r->line,
		};
	}
	snapshot_clear(&s);
	return OK;
}

static void
recording_read_count(const json_t *json, const char *name, uint64_t *count)
{
	const json_t *value = json_object_get(json, name);

	if (json_is_integer(value) && json_integer_value(value) >= 0)
		*count = (uint64_t)json_integer_value(value);
}

static void
recording_read_real(const json_t *json, const char *name, double *real)
{
	const json_t *value = json_object_get(json, name);

	if (json_is_number(value))
		*real = json_number_value(value);
}

/* If the list is full, drops every second point and halves the rate. */
static void
recording_keep_point(struct recording *r)
{
	if (r->points_n > 0 &&
		r->at_s < r->points[r->points_n - 1].at_s + r->point_step_s -
				RECORDING_TIME_UNIT)
		return;
	if (r->points_n == RECORDING_POINTS_MAX) {
		for (size_t i = 0; 2 * i < r->points_n; i++)
			r->points[i] = r->points[2 * i];
		r->points_n = (r->points_n + 1) / 2;
		r->point_step_s *= 2;
	}
	r->points = recording_grow(r->points, r->points_n, sizeof(*r->points));
	r->points[r->points_n++] = r->point;
}

/* Snapshots and deltas have plain numbers as the same members. */
static void
recording_add_point(struct recording *r, const json_t *json)
{
	struct recording_point *point = &r->point;

	point->at_s = r->at_s;
	recording_read_warm(json, &point->warm);
	recording_read_real(json, "elapsed_s", &point->elapsed_s);
	recording_read_real(json, "execs_per_sec", &point->execs_per_sec);
	recording_read_count(json, "coverage_bits", &point->coverage_bits);
	recording_read_count(json, "interesting", &point->interesting);
	recording_read_count(json, "crashes", &point->crashes);
	recording_read_count(json, "hangs", &point->hangs);
	recording_read_count(json, "ooms", &point->ooms);
	recording_read_count(json, "leaks", &point->leaks);
	recording_keep_point(r);
}

static bool
recording_is_fixed(enum query_kind kind)
{
	return kind == QUERY_ENTRY || kind == QUERY_TRAIL ||
		kind == QUERY_PCS || kind == QUERY_MODULES;
}

/* The last reply to a query counts: the list of modules may grow. */
static void
recording_add_fixed(struct recording *r, const struct query *query,
	int64_t offset)
{
	size_t i = 0;

	while (i < r->fixed_n && !query_equal(&r->fixed[i].query, query))
		i++;
	if (i == RECORDING_FIXED_MAX)
		return;
	if (i == r->fixed_n) {
		r->fixed = recording_grow(r->fixed, i, sizeof(*r->fixed));
		r->fixed_n++;
	}
	r->fixed[i] =
		(struct recording_place){ .query = *query, .offset = offset };
}

/* {"at": …, "query": {…}, "reply": {…}} */
static enum status
recording_check_reply(struct recording *r, int64_t offset, struct error *err)
{
	json_t *asked = json_object_get(r->json, "query");
	struct query query;
	struct error why;
	uint64_t id;

	error_clear(&why);
	json_object_set_new(asked, "id", json_integer(0));
	if (query_decode(&query, &id, asked, &why) != OK)
		return recording_wrong(r, 1, why.text, err);
	if (!json_is_object(json_object_get(r->json, "reply")))
		return recording_wrong(r, 1, "the reply is missing", err);
	if (recording_is_fixed(query.kind))
		recording_add_fixed(r, &query, offset);
	return OK;
}

static enum status
recording_check_line(struct recording *r, int64_t offset, struct error *err)
{
	const json_t *json;

	if (r->at_s < r->length_s)
		return recording_wrong(r, 1, "the time goes back", err);
	r->length_s = r->at_s;
	if ((json = json_object_get(r->json, "snapshot")) != NULL) {
		recording_add_point(r, json);
		return recording_add_key(r, json, offset, err);
	}
	if ((json = json_object_get(r->json, "delta")) != NULL) {
		if (!json_is_object(json) || r->keys_n == 0)
			return recording_wrong(r, 1,
				"a delta without what it changes", err);
		recording_add_point(r, json);
		return OK;
	}
	if (json_object_get(r->json, "query") != NULL)
		return recording_check_reply(r, offset, err);
	return OK; /* of a later version: ignored */
}

static enum status
recording_scan(struct recording *r, struct error *err)
{
	enum status status = recording_head(r, err);

	while (status == OK) {
		int64_t offset = r->offset + (int64_t)r->at;

		status = recording_read(r, err);
		if (status == OK && r->json == NULL)
			break;
		if (status == OK)
			status = recording_check_line(r, offset, err);
	}
	if (status == OK && r->keys_n == 0)
		return error_set(err, E_FORMAT,
			"%s: there is no snapshot in it: it ended too early",
			r->name);
	return status;
}

/* ---- life ---- */

/* O_NONBLOCK: opening a FIFO must not wait. */
static enum status
recording_open_fd(struct recording *r, const char *path, struct error *err)
{
	struct stat st;

	r->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (r->fd < 0)
		return error_set(err, E_IO, "%s: %s", r->name, strerror(errno));
	if (fstat(r->fd, &st) != 0 || !S_ISREG(st.st_mode))
		return error_set(err, E_FORMAT,
			"%s: a recording is a regular file, and this is none",
			r->name);
	return OK;
}

struct recording *
recording_open(const char *path, struct error *err)
{
	struct recording *r = xcalloc(1, sizeof(*r));
	struct error why;

	error_clear(&why);
	text_clean_string(path, r->name, sizeof(r->name));
	r->point_step_s = RECORDING_POINT_S;
	r->key_step = 1;
	r->size = RECORDING_BUFFER;
	r->buf = xmalloc(r->size);
	if (recording_open_fd(r, path, &why) == OK &&
		recording_scan(r, &why) == OK)
		return r;
	error_set(err, why.code, "%s", why.text);
	recording_close(r);
	return NULL;
}

void
recording_close(struct recording *r)
{
	if (r == NULL)
		return;
	fd_close(&r->fd);
	json_decref(r->json);
	free(r->keys);
	free(r->points);
	free(r->fixed);
	free(r->buf);
	free(r);
}

const char *
recording_target(const struct recording *r)
{
	return r->target;
}

double
recording_length(const struct recording *r)
{
	return r->length_s;
}

size_t
recording_keys(const struct recording *r)
{
	return r->keys_n;
}

const struct recording_key *
recording_key(const struct recording *r, size_t i)
{
	return &r->keys[i];
}

size_t
recording_points(const struct recording *r)
{
	return r->points_n;
}

const struct recording_point *
recording_point(const struct recording *r, size_t i)
{
	return &r->points[i];
}

/* Restores the position in the file and the current line afterwards. */
json_t *
recording_fixed(struct recording *r, const struct query *query)
{
	int64_t offset = r->offset + (int64_t)r->at;
	uint64_t line = r->line;
	json_t *reply = NULL, *kept = r->json;
	double at_s = r->at_s;

	r->json = NULL;
	for (size_t i = 0; i < r->fixed_n; i++) {
		if (!query_equal(&r->fixed[i].query, query))
			continue;
		recording_rewind(r, r->fixed[i].offset, line);
		if (recording_read(r, NULL) == OK && r->json != NULL)
			reply = json_incref(json_object_get(r->json, "reply"));
		break;
	}
	recording_rewind(r, offset, line);
	json_decref(r->json);
	r->json = kept;
	r->at_s = at_s;
	return reply;
}

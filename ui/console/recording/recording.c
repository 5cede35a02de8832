/*
 * recording: one look through the file, and an index of it.
 */
#include "ui/console/recording/recording.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "control/fields.h"
#include "control/snapshot_fields.h"
#include "ui/console/recording/reader.h"
#include "ui/console/recording/recorder.h"

#define RECORDING_POINT_S 0.2     /* initially, between points */
#define RECORDING_TIME_UNIT 0.001 /* of "at" */

struct recording_reply {
	struct query query;
	int64_t offset;
};

struct recording {
	struct reader reader;
	struct recording_index index;
	uint64_t key_step, key_count; /* every key_step-th one is kept */
	struct recording_point point; /* the newest one */
	double point_step_s;          /* minimum time between two */
	struct recording_reply *fixed;
	size_t fixed_n;
	uint64_t events; /* of the journal, so far */
};

/* clang-format off */
static const struct fields recording_point_fields = FIELDS(recording_point,
	FIELD_ROW_WORD(recording_point, state, RUN_STATE_WORDS),
	FIELD_ROW(recording_point, REAL, elapsed_s),
	FIELD_ROW(recording_point, REAL, execs_per_sec),
	FIELD_ROW(recording_point, U64, coverage_bits),
	FIELD_ROW(recording_point, U64, interesting),
	FIELD_ROW(recording_point, U64, crashes),
	FIELD_ROW(recording_point, U64, hangs),
	FIELD_ROW(recording_point, U64, ooms),
	FIELD_ROW(recording_point, U64, leaks)
);
/* clang-format on */

/* ---- lines ---- */

enum status
recording_next(struct recording *r, struct recording_line *line,
	struct error *err)
{
	enum status status = reader_next(&r->reader, err);

	line->json = status == OK ? r->reader.json : NULL;
	line->at_s = r->reader.at_s;
	return status;
}

void
recording_go(struct recording *r, const struct recording_key *key)
{
	reader_rewind(&r->reader, key->offset, key->line - 1);
}

/* ---- the look through all of it ---- */

static enum status
recording_head(struct recording *r, struct error *err)
{
	const json_t *version;
	const char *target;
	enum status status = reader_next(&r->reader, err);

	if (status != OK && err->code == E_FORMAT && r->reader.line <= 1) {
		error_clear(err);
		return reader_wrong(&r->reader, 1, "this is not a recording",
			err);
	}
	if (status != OK)
		return status;
	r->reader.line = 1;
	version = json_object_get(r->reader.json, "recording");
	if (r->reader.json == NULL || !json_is_integer(version))
		return reader_wrong(&r->reader, 1, "this is not a recording",
			err);
	if (json_integer_value(version) != RECORDING_VERSION)
		return reader_wrong(&r->reader, 1,
			"this is a recording of another version of cfuzz-tui",
			err);
	target = json_string_value(json_object_get(r->reader.json, "target"));
	text_clean_string(target != NULL ? target : "", r->index.target,
		sizeof(r->index.target));
	return OK;
}

/*
 * The list is full: drops every second key and keeps half as many from now on.
 */
static void
recording_thin(struct recording *r)
{
	for (size_t i = 0; 2 * i < r->index.keys_n; i++)
		r->index.keys[i] = r->index.keys[2 * i];
	r->index.keys_n = (r->index.keys_n + 1) / 2;
	r->key_step *= 2;
}

static enum status
recording_add_key(struct recording *r, const json_t *json, int64_t offset,
	struct error *err)
{
	struct snapshot s;
	struct error why = { 0 };

	snapshot_init(&s);
	if (snapshot_decode(&s, json, &why) != OK)
		return reader_wrong(&r->reader, 1, why.text, err);
	if (r->key_count++ % r->key_step == 0) {
		if (r->index.keys_n == RECORDING_KEYS_MAX)
			recording_thin(r);
		r->index.keys = xgrow(r->index.keys, r->index.keys_n, 1,
			sizeof(*r->index.keys));
		r->index.keys[r->index.keys_n++] = (struct recording_key){
			.at_s = r->reader.at_s,
			.offset = offset,
			.line = r->reader.line,
		};
	}
	snapshot_clear(&s);
	return OK;
}

/* If the list is full, drops every second point and halves the rate. */
static void
recording_keep_point(struct recording *r)
{
	if (r->index.points_n > 0 &&
		r->reader.at_s < r->index.points[r->index.points_n - 1].at_s +
				r->point_step_s - RECORDING_TIME_UNIT)
		return;
	if (r->index.points_n == RECORDING_POINTS_MAX) {
		for (size_t i = 0; 2 * i < r->index.points_n; i++)
			r->index.points[i] = r->index.points[2 * i];
		r->index.points_n = (r->index.points_n + 1) / 2;
		r->point_step_s *= 2;
	}
	r->index.points = xgrow(r->index.points, r->index.points_n, 1,
		sizeof(*r->index.points));
	r->index.points[r->index.points_n++] = r->point;
}

/* Snapshots and deltas have these members in the same form. */
static void
recording_add_point(struct recording *r, const json_t *json)
{
	r->point.at_s = r->reader.at_s;
	if (fields_decode(&recording_point_fields, json, &r->point, NULL) == OK)
		recording_keep_point(r);
}

void
recording_put_point(const struct recording_point *point, json_t *snapshot)
{
	fields_encode(&recording_point_fields, point, snapshot);
}

static bool
recording_is_fixed(enum query_kind kind)
{
	return kind == QUERY_ENTRY || kind == QUERY_MUTATION_LOG ||
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
		r->fixed = xgrow(r->fixed, i, 1, sizeof(*r->fixed));
		r->fixed_n++;
	}
	r->fixed[i] =
		(struct recording_reply){ .query = *query, .offset = offset };
}

bool
recording_is_journal(const struct query *query)
{
	return query->kind == QUERY_JOURNAL && query->filter[0] == '\0' &&
		query->kinds[0] == '\0';
}

/* A jump needs the events before its start: most are recorded only once. */
static void
recording_add_events(struct recording *r, int64_t offset)
{
	const json_t *reply = json_object_get(r->reader.json, "reply");
	struct recording_events add = {
		.line = { r->reader.at_s, offset, r->reader.line },
		.first = recorder_first_event(reply),
	};
	uint64_t end =
		add.first + json_array_size(json_object_get(reply, "rows"));

	if (end <= r->events || r->index.events_n == RECORDING_EVENTS_MAX)
		return;
	r->events = end;
	r->index.events = xgrow(r->index.events, r->index.events_n, 1,
		sizeof(*r->index.events));
	r->index.events[r->index.events_n++] = add;
}

/* {"at": …, "query": {…}, "reply": {…}} */
static enum status
recording_check_reply(struct recording *r, int64_t offset, struct error *err)
{
	json_t *asked = json_object_get(r->reader.json, "query");
	struct query query;
	struct error why = { 0 };
	uint64_t id;

	json_object_set_new(asked, "id", json_integer(0));
	if (query_decode(&query, &id, asked, &why) != OK)
		return reader_wrong(&r->reader, 1, why.text, err);
	if (!json_is_object(json_object_get(r->reader.json, "reply")))
		return reader_wrong(&r->reader, 1, "the reply is missing", err);
	if (recording_is_fixed(query.kind))
		recording_add_fixed(r, &query, offset);
	else if (recording_is_journal(&query))
		recording_add_events(r, offset);
	return OK;
}

static enum status
recording_check_line(struct recording *r, int64_t offset, struct error *err)
{
	const json_t *json;

	if (r->reader.at_s < r->index.length_s)
		return reader_wrong(&r->reader, 1, "the time decreases", err);
	r->index.length_s = r->reader.at_s;
	if ((json = json_object_get(r->reader.json, "snapshot")) != NULL) {
		recording_add_point(r, json);
		return recording_add_key(r, json, offset, err);
	}
	if ((json = json_object_get(r->reader.json, "delta")) != NULL) {
		if (!json_is_object(json) || r->index.keys_n == 0)
			return reader_wrong(&r->reader, 1,
				"a delta without a snapshot before it", err);
		recording_add_point(r, json);
		return OK;
	}
	if (json_object_get(r->reader.json, "query") != NULL)
		return recording_check_reply(r, offset, err);
	return OK; /* of a later version: ignored */
}

static enum status
recording_scan(struct recording *r, struct error *err)
{
	enum status status = recording_head(r, err);

	while (status == OK) {
		int64_t offset = reader_offset(&r->reader);

		status = reader_next(&r->reader, err);
		if (status == OK && r->reader.json == NULL)
			break;
		if (status == OK)
			status = recording_check_line(r, offset, err);
	}
	if (status == OK && r->index.keys_n == 0)
		return error_set(err, E_FORMAT,
			"%s: the recording has no snapshot: it ended too early",
			r->reader.name);
	return status;
}

/* ---- life ---- */

struct recording *
recording_open(const char *path, struct error *err)
{
	struct recording *r = xcalloc(1, sizeof(*r));
	struct error why = { 0 };

	r->point_step_s = RECORDING_POINT_S;
	r->key_step = 1;
	if (reader_open(&r->reader, path, &why) == OK &&
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
	reader_close(&r->reader);
	free(r->index.keys);
	free(r->index.points);
	free(r->index.events);
	free(r->fixed);
	free(r);
}

const struct recording_index *
recording_index(const struct recording *r)
{
	return &r->index;
}

/* Restores the position in the file and the current line afterwards. */
json_t *
recording_fixed(struct recording *r, const struct query *query)
{
	struct reader *reader = &r->reader;
	int64_t offset = reader_offset(reader);
	uint64_t line = reader->line;
	json_t *reply = NULL, *kept = reader->json;
	double at_s = reader->at_s;

	reader->json = NULL;
	for (size_t i = 0; i < r->fixed_n; i++) {
		if (!query_equal(&r->fixed[i].query, query))
			continue;
		reader_rewind(reader, r->fixed[i].offset, line);
		if (reader_next(reader, NULL) == OK && reader->json != NULL)
			reply = json_incref(
				json_object_get(reader->json, "reply"));
		break;
	}
	reader_rewind(reader, offset, line);
	json_decref(reader->json);
	reader->json = kept;
	reader->at_s = at_s;
	return reply;
}

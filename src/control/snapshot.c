/*
 * snapshot: its life, its JSON and the names of its states, see snapshot.h.
 * snapshot_fields.c has the tables of its members.
 */

#include "control/snapshot.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "control/snapshot_fields.h"

void
snapshot_init(struct snapshot *snapshot)
{
	*snapshot = (struct snapshot){
		.last_find_s = -1,
		.next_step_s = -1,
		.counters_stable = 100,
	};
}

void
snapshot_clear(struct snapshot *snapshot)
{
	fields_clear(&SNAPSHOT_FIELDS, snapshot);
	snapshot_init(snapshot);
}

uint64_t
snapshot_findings(const struct snapshot *s)
{
	return s->crashes + s->hangs + s->ooms + s->leaks;
}

uint64_t
snapshot_corpus_kept(const struct snapshot *s)
{
	return s->corpus > s->progress_inputs ? s->corpus - s->progress_inputs
					      : 0;
}

uint64_t
snapshot_findings_open(const struct snapshot *s)
{
	uint64_t all = snapshot_findings(s);
	uint64_t closed = s->findings_ignored + s->findings_not_seen;

	return all > closed ? all - closed : 0;
}

bool
snapshot_replays_count(const struct snapshot_finding *f, uint32_t *failed,
	uint32_t *n)
{
	bool is_passed = strcmp(f->standing, "fixed") != 0 &&
		f->reproduced == 0 && strcmp(f->replays_build, f->build) != 0;
	bool is_before =
		f->replays_before > 0 && (f->replays == 0 || is_passed);

	*failed = is_before ? f->reproduced_before : f->reproduced;
	*n = is_before ? f->replays_before : f->replays;
	return is_before;
}

const char *
snapshot_replays(const struct snapshot_finding *f,
	char buf[SNAPSHOT_REPLAYS_SIZE])
{
	uint32_t failed, replays;
	bool is_before = snapshot_replays_count(f, &failed, &replays);
	bool is_old = is_before || strcmp(f->standing, "not seen") == 0 ||
		(strcmp(f->standing, "open") == 0 &&
			f->replays_build[0] != '\0' &&
			strcmp(f->replays_build, f->build) != 0);
	int n = 0;

	if (replays == 0) {
		snprintf(buf, SNAPSHOT_REPLAYS_SIZE, "-");
		return buf;
	}
	if (f->replays_before > 0 && !is_old)
		n = snprintf(buf, SNAPSHOT_REPLAYS_SIZE,
			"%" PRIu32 "/%" PRIu32 " before, ",
			f->reproduced_before, f->replays_before);
	snprintf(buf + n, SNAPSHOT_REPLAYS_SIZE - (size_t)n,
		"%" PRIu32 "/%" PRIu32 "%s", failed, replays,
		is_old          ? " before"
			: n > 0 ? " with this build"
				: "");
	return buf;
}

const struct snapshot_finding *
snapshot_find_finding(const struct snapshot *s, const char *id)
{
	for (size_t i = 0; i < s->findings_n; i++)
		if (strcmp(s->findings[i].id, id) == 0)
			return &s->findings[i];
	return NULL;
}

bool
snapshot_can_debug(const struct snapshot *s, const struct snapshot_finding *f)
{
	return f->sequence < 2 || s->kind[0] == '\0' ||
		strcmp(s->kind, "function") == 0;
}

const struct snapshot_worker *
snapshot_find_worker(const struct snapshot *s, uint32_t id)
{
	for (size_t i = 0; i < s->workers_n; i++)
		if (s->workers[i].id == id)
			return &s->workers[i];
	return NULL;
}

const struct snapshot_limit *
snapshot_find_limit(const struct snapshot *s, const char *name)
{
	for (size_t i = 0; i < s->limits_n; i++)
		if (strcmp(s->limits[i].name, name) == 0)
			return &s->limits[i];
	return NULL;
}

/* ---- JSON --------------------------------------------------------------- */

static json_t *
snapshot_encode_as(const struct snapshot *snapshot,
	void (*encode)(const struct fields *, const void *, json_t *))
{
	json_t *json = json_object();

	json_object_set_new(json, "version", json_integer(SNAPSHOT_VERSION));
	encode(&SNAPSHOT_FIELDS, snapshot, json);
	json_object_set_new(json, "minimizing",
		json_integer((json_int_t)snapshot->minimizations_n));
	return json;
}

json_t *
snapshot_encode(const struct snapshot *snapshot)
{
	return snapshot_encode_as(snapshot, fields_encode);
}

json_t *
snapshot_encode_columns(const struct snapshot *snapshot)
{
	return snapshot_encode_as(snapshot, fields_encode_columns);
}

static enum status
snapshot_check_version(const json_t *json, struct error *err)
{
	const json_t *version = json_object_get(json, "version");

	if (!json_is_integer(version))
		return error_set(err, E_FORMAT, "version: it is missing");
	if (json_integer_value(version) != SNAPSHOT_VERSION)
		return error_set(err, E_PROTOCOL,
			"version: %" JSON_INTEGER_FORMAT
			" is not understood, only %d",
			json_integer_value(version), SNAPSHOT_VERSION);
	return OK;
}

enum status
snapshot_decode(struct snapshot *snapshot, const json_t *json,
	struct error *err)
{
	enum status status;

	snapshot_clear(snapshot);
	if (!json_is_object(json))
		return error_set(err, E_FORMAT, "an object is expected");
	status = snapshot_check_version(json, err);
	if (status == OK)
		status = fields_decode(&SNAPSHOT_FIELDS, json, snapshot, err);
	if (status != OK)
		snapshot_clear(snapshot);
	return status;
}

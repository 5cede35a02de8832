/*
 * recorder: creates the lines of a recording, see recorder.h.
 *
 * It receives every message once, as JSON that the console has parsed anyway. A
 * query or command is remembered by its id until the answer arrives, so that
 * one line has both.
 */
#include "ui/console/recording/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "control/command.h"
#include "ui/console/recording/delta.h"
#include "ui/console/recording/recorder_file.h"

#define RECORDER_OPEN 32 /* pending queries and commands */
#define RECORDER_ROWS 64
#define RECORDER_EVENTS 256
#define RECORDER_PCS_MAX 65536u
#define RECORDER_PCS_PART 8192u
#define RECORDER_DUMP (JSON_COMPACT | JSON_REAL_PRECISION(10))

enum recorder_ask { /* the recorder's own queries */
	ASK_COVERAGE,
	ASK_CORPUS,
	ASK_JOURNAL,
	ASK_MODULES,
	ASK_PCS,
	ASK_COUNT
};

struct recorder_open {
	uint64_t id; /* 0: free */
	bool is_query;
	int own; /* enum recorder_ask, -1: of a view */
	struct query query;
	char line[COMMAND_LINE_MAX];
};

struct recorder {
	struct recorder_file *file;
	double start_s, full_s;
	json_t *last;                   /* snapshot as in the file */
	char view[RECORDING_VIEW_SIZE]; /* as in the file; "": none yet */
	json_t *place;                  /* in that view; NULL: unknown */
	uint64_t dropped;
	bool told; /* of a failure */
	struct recorder_open open[RECORDER_OPEN];
	size_t open_next;
	struct query entry;  /* the last QUERY_ENTRY in the file … */
	json_t *entry_reply; /* … and its reply, see recorder_entry() */
	struct {
		double next_s, whole_s; /* next query; last full one */
	} asks[ASK_COUNT];
	uint64_t revision; /* of the map */
	uint64_t events;   /* of the journal, already in the file */
	uint32_t counters[QUERY_MODULES_MAX]; /* of each module */
	uint32_t modules, module, pc, pcs;    /* continue PCS here */
};

static const double recorder_every_s[ASK_COUNT] = {
	[ASK_COVERAGE] = 1,
	[ASK_CORPUS] = 4,
	[ASK_JOURNAL] = 2,
	[ASK_MODULES] = 30,
	[ASK_PCS] = 0.2,
};

/* ---- lines ---- */

enum status
recorder_open_file(const char *path, int *fd, struct error *err)
{
	char clean[256];

	*fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY,
		0644);
	if (*fd >= 0)
		return OK;
	text_clean_string(path, clean, sizeof(clean));
	if (errno == EEXIST)
		return error_set(err, E_EXISTS,
			"record: %s exists already; name a new file", clean);
	return error_set(err, E_IO, "record: %s: %s", clean, strerror(errno));
}

static bool
recorder_write(struct recorder *r, json_t *take_line)
{
	char *text = json_dumps(take_line, RECORDER_DUMP);
	bool written = false;
	size_t len;

	json_decref(take_line);
	if (text == NULL)
		return false;
	len = strlen(text);
	text[len] = '\n'; /* replaces the NUL */
	written = recorder_file_add(r->file, text, len + 1);
	free(text);
	r->dropped += !written;
	return written;
}

/* {"at": …}, rounded to milliseconds. */
static json_t *
recorder_line(const struct recorder *r, double now_s)
{
	double at_s = now_s > r->start_s ? now_s - r->start_s : 0;

	return json_pack("{s:f}", "at", floor(at_s * 1000) / 1000);
}

struct recorder *
recorder_create(int take_fd, const char *target, double now_s)
{
	struct recorder *r = xcalloc(1, sizeof(*r));
	char date[CLOCK_ISO_SIZE], clean[256];

	r->file = recorder_file_create(take_fd);
	r->start_s = now_s;
	clock_wall_iso(date);
	text_clean_string(target, clean, sizeof(clean));
	recorder_write(r,
		json_pack("{s:i, s:s, s:s, s:s}", "recording",
			RECORDING_VERSION, "program", CFUZZ_VERSION, "target",
			clean, "date", date));
	return r;
}

int
recorder_destroy(struct recorder *r, double now_s)
{
	json_t *line;
	int errnum;

	if (r == NULL)
		return 0;
	line = recorder_line(r, now_s);
	json_object_set_new(line, "end",
		json_pack("{s:I}", "dropped", (json_int_t)r->dropped));
	recorder_write(r, line);
	errnum = recorder_file_close(r->file);
	json_decref(r->last);
	json_decref(r->place);
	json_decref(r->entry_reply);
	free(r);
	return errnum;
}

/* ---- what is under way ---- */

/* Replaces the oldest one. */
static struct recorder_open *
recorder_remember(struct recorder *r, uint64_t id)
{
	struct recorder_open *open = &r->open[r->open_next++ % RECORDER_OPEN];

	memset(open, 0, sizeof(*open));
	open->id = id;
	open->own = -1;
	return open;
}

static struct recorder_open *
recorder_find(struct recorder *r, const json_t *json, bool is_query)
{
	json_int_t id = json_integer_value(json_object_get(json, "id"));

	for (size_t i = 0; i < RECORDER_OPEN && id > 0; i++)
		if (r->open[i].id == (uint64_t)id &&
			r->open[i].is_query == is_query)
			return &r->open[i];
	return NULL;
}

void
recorder_command(struct recorder *r, uint64_t id, const char *line)
{
	if (r != NULL && id != 0)
		snprintf(recorder_remember(r, id)->line, COMMAND_LINE_MAX, "%s",
			line);
}

void
recorder_query(struct recorder *r, uint64_t id, const struct query *query)
{
	struct recorder_open *open;

	if (r == NULL || id == 0)
		return;
	open = recorder_remember(r, id);
	open->is_query = true;
	open->query = *query;
}

/* ---- what the engine says ---- */

static void
recorder_snapshot(struct recorder *r, const json_t *snapshot, double now_s)
{
	json_t *line = recorder_line(r, now_s), *delta = NULL;
	bool full = r->last == NULL || now_s - r->full_s >= RECORDER_FULL_S;

	if (!full) {
		delta = delta_make(r->last, snapshot);
		if (delta == NULL) {
			json_decref(line);
			return;
		}
	}
	json_object_set_new(line, full ? "snapshot" : "delta",
		full ? json_incref((json_t *)snapshot) : delta);
	if (!recorder_write(r, line))
		return;
	json_decref(r->last);
	r->last = json_incref((json_t *)snapshot);
	if (!full)
		return;
	r->full_s = now_s;
	r->view[0] = '\0';
}

void
recorder_view(struct recorder *r, const char *view, json_t *place, double now_s)
{
	json_t *line;

	/* A player shows nothing before the first snapshot. */
	if (r == NULL || r->last == NULL ||
		(strcmp(r->view, view) == 0 &&
			(place == NULL || json_equal(place, r->place))))
		return;
	line = recorder_line(r, now_s);
	json_object_set_new(line, "view", json_string(view));
	if (place != NULL)
		json_object_set(line, "place", place);
	if (!recorder_write(r, line))
		return;
	snprintf(r->view, sizeof(r->view), "%s", view);
	json_decref(r->place);
	r->place = json_incref(place);
}

static void
recorder_answer(struct recorder *r, const json_t *answer, double now_s)
{
	struct recorder_open *open = recorder_find(r, answer, false);
	const char *text = json_string_value(json_object_get(answer, "text"));
	json_t *line;

	if (open == NULL)
		return;
	line = recorder_line(r, now_s);
	json_object_set_new(line, "command", json_string(open->line));
	json_object_set_new(line, "ok",
		json_boolean(json_is_true(json_object_get(answer, "ok"))));
	json_object_set_new(line, "text", json_string(text ? text : ""));
	recorder_write(r, line);
	open->id = 0;
}

uint64_t
recorder_first_event(const json_t *reply)
{
	json_int_t row = json_integer_value(json_object_get(reply, "first"));
	json_int_t dropped =
		json_integer_value(json_object_get(reply, "dropped"));

	return (row > 0 ? (uint64_t)row : 0) +
		(dropped > 0 ? (uint64_t)dropped : 0);
}

/* The next own queries depend on the replies. */
static void
recorder_learn(struct recorder *r, enum recorder_ask own, const json_t *reply)
{
	json_t *modules = json_object_get(reply, "modules");
	json_int_t n;

	if (own == ASK_COVERAGE)
		r->revision = (uint64_t)json_integer_value(
			json_object_get(reply, "revision"));
	if (own == ASK_JOURNAL)
		r->events = recorder_first_event(reply) +
			json_array_size(json_object_get(reply, "rows"));
	if (own != ASK_MODULES)
		return;
	r->modules = 0;
	for (size_t i = 0;
		i < json_array_size(modules) && i < QUERY_MODULES_MAX; i++) {
		n = json_integer_value(
			json_object_get(json_array_get(modules, i), "n"));
		r->counters[r->modules++] =
			n > 0 && n < UINT32_MAX ? (uint32_t)n : 0;
	}
}

/* {"at": …, "query": {…}, "reply": {…}} */
static bool
recorder_write_reply(struct recorder *r, const struct query *query,
	const json_t *reply, double now_s)
{
	json_t *line = recorder_line(r, now_s), *asked = query_encode(query, 0);

	json_object_del(asked, "id");
	json_object_set_new(line, "query", asked);
	json_object_set_new(line, "reply", json_incref((json_t *)reply));
	return recorder_write(r, line);
}

/* A view asks for the shown entry again and again: one line is enough, unless
 * its bytes change. The numbers in its lineage change all the time. */
static void
recorder_entry(struct recorder *r, const struct query *query,
	const json_t *reply, double now_s)
{
	json_t *kept = json_copy((json_t *)reply);

	json_object_del(kept, "id");
	json_object_del(kept, "lineage");
	if ((query_equal(query, &r->entry) &&
		    json_equal(kept, r->entry_reply)) ||
		!recorder_write_reply(r, query, reply, now_s)) {
		json_decref(kept);
		return;
	}
	json_decref(r->entry_reply);
	r->entry_reply = kept;
	r->entry = *query;
}

static bool
recorder_reply(struct recorder *r, const json_t *reply, double now_s)
{
	struct recorder_open *open = recorder_find(r, reply, true);
	bool own;

	if (open == NULL)
		return false;
	own = open->own >= 0;
	open->id = 0;
	if (own)
		recorder_learn(r, (enum recorder_ask)open->own, reply);
	/*
	 * Not recorded: errors, and a view's coverage, which own queries have.
	 */
	if (json_object_get(reply, "error") != NULL &&
		json_string_length(json_object_get(reply, "error")) > 0)
		return own;
	if (!own && open->query.kind == QUERY_COVERAGE)
		return false;
	if (open->query.kind == QUERY_ENTRY)
		recorder_entry(r, &open->query, reply, now_s);
	else
		recorder_write_reply(r, &open->query, reply, now_s);
	return own;
}

bool
recorder_message(struct recorder *r, const json_t *message, double now_s)
{
	const json_t *json;

	if (r == NULL)
		return false;
	if ((json = json_object_get(message, "snapshot")) != NULL)
		recorder_snapshot(r, json, now_s);
	else if ((json = json_object_get(message, "answer")) != NULL)
		recorder_answer(r, json, now_s);
	else if ((json = json_object_get(message, "reply")) != NULL)
		return recorder_reply(r, json, now_s);
	return false;
}

/* ---- its own questions ---- */

/* Is it time to query the whole again, not only changes? */
static bool
recorder_whole(struct recorder *r, enum recorder_ask ask, double now_s)
{
	if (r->asks[ask].whole_s != 0 &&
		now_s - r->asks[ask].whole_s < RECORDER_AGAIN_S)
		return false;
	r->asks[ask].whole_s = now_s;
	return true;
}

/* The next part of the PC table, which is queried once. */
static bool
recorder_query_pcs(struct recorder *r, struct query *query)
{
	uint32_t left;

	while (r->module < r->modules && r->pc >= r->counters[r->module]) {
		r->module++;
		r->pc = 0;
	}
	if (r->module >= r->modules || r->pcs >= RECORDER_PCS_MAX)
		return false;
	left = r->counters[r->module] - r->pc;
	*query = (struct query){ .kind = QUERY_PCS,
		.module = r->module,
		.first = r->pc,
		.count = left < RECORDER_PCS_PART ? left : RECORDER_PCS_PART };
	r->pc += query->count;
	r->pcs += query->count;
	return true;
}

static bool
recorder_query_of(struct recorder *r, enum recorder_ask ask,
	struct query *query, double now_s)
{
	*query = (struct query){ 0 };
	switch (ask) {
	case ASK_COVERAGE:
		query->kind = QUERY_COVERAGE;
		query->count = QUERY_COUNTERS_MAX;
		query->since = recorder_whole(r, ask, now_s) ? 0 : r->revision;
		return true;
	case ASK_CORPUS:
		query->kind = QUERY_CORPUS;
		query->count = RECORDER_ROWS;
		return true;
	case ASK_JOURNAL:
		query->kind = QUERY_JOURNAL;
		query->count = RECORDER_EVENTS;
		query->since = r->events;
		if (recorder_whole(r, ask, now_s))
			query->since = r->events > RECORDER_EVENTS
				? r->events - RECORDER_EVENTS
				: 0;
		return true;
	case ASK_MODULES: /* again: a program loads libraries as it runs */
		query->kind = QUERY_MODULES;
		return true;
	case ASK_PCS:
		return recorder_query_pcs(r, query);
	case ASK_COUNT:
		break;
	}
	return false;
}

bool
recorder_next_query(struct recorder *r, struct query *query, double now_s)
{
	/* Wait for the first snapshot. */
	if (r == NULL || r->last == NULL)
		return false;
	for (int ask = 0; ask < ASK_COUNT; ask++) {
		if (now_s < r->asks[ask].next_s)
			continue;
		r->asks[ask].next_s = now_s + recorder_every_s[ask];
		if (recorder_query_of(r, (enum recorder_ask)ask, query, now_s))
			return true;
	}
	return false;
}

void
recorder_asked(struct recorder *r, uint64_t id, const struct query *query)
{
	static const int asks[QUERY_KIND_COUNT] = {
		[QUERY_COVERAGE] = ASK_COVERAGE,
		[QUERY_MODULES] = ASK_MODULES,
		[QUERY_PCS] = ASK_PCS,
		[QUERY_CORPUS] = ASK_CORPUS,
		[QUERY_JOURNAL] = ASK_JOURNAL,
	};

	if (id == 0)
		return;
	recorder_query(r, id, query);
	r->open[(r->open_next - 1) % RECORDER_OPEN].own = asks[query->kind];
}

/* ---- trouble ---- */

int
recorder_failed(struct recorder *r)
{
	int errnum = r != NULL && !r->told ? recorder_file_errno(r->file) : 0;

	if (errnum != 0)
		r->told = true;
	return errnum;
}

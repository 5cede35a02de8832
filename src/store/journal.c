/*
 * journal: see journal.h. Makes lines, and reads a journal in one pass.
 */
#include "store/journal.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/xmalloc.h"
#include "control/json_text.h"
#include "store/raw_text.h"
#include "worker/inputs/type_names.h"

#define JOURNAL_CHUNK 16384u
#define JOURNAL_KIND_END 128u /* a line has its kind before */
#define JOURNAL_TIME_MAX 1e9  /* seconds; larger values are invalid */

/* ---- writing ------------------------------------------------------------ */

json_t *
journal_event(const char *kind, double at_s)
{
	json_t *event = json_object();
	char iso[CLOCK_ISO_SIZE];

	clock_wall_iso(iso);
	json_object_set_new(event, "t", json_string(iso));
	/* Milliseconds, because more digits only cost room. */
	json_object_set_new(event, "at_s",
		json_real(isfinite(at_s) ? round(at_s * 1000) / 1000 : 0));
	journal_set_text(event, "event", kind);
	return event;
}

void
journal_set_text(json_t *event, const char *key, const char *text)
{
	json_object_set_new(event, key, json_text_new(text));
}

void
journal_set_isolated(json_t *event, char *const *readable, size_t n)
{
	json_object_set_new(event, "isolated", json_true());
	raw_text_put_list(event, "readable", readable, n);
}

void
journal_set_seeds(json_t *event, char *const *paths, size_t n)
{
	char **real = xcalloc(n + 1, sizeof(*real));

	for (size_t i = 0; i < n; i++)
		if ((real[i] = realpath(paths[i], NULL)) == NULL)
			real[i] = xstrdup(paths[i]);
	raw_text_put_list(event, "seeds", real, n);
	xfree_list(real);
}

/* JSON has no integer beyond 63 bits: such a seed becomes decimal text. */
static json_t *
journal_seed(uint64_t seed)
{
	char text[24];

	if (seed <= INT64_MAX)
		return json_integer((json_int_t)seed);
	snprintf(text, sizeof(text), "%" PRIu64, seed);
	return json_string(text);
}

json_t *
journal_start_event(const char *kind, double at_s,
	const struct target_info *target, char **args, uint64_t seed)
{
	json_t *event = journal_event(kind, at_s);
	char *folder = getcwd(NULL, 0);
	size_t n = 0;

	json_object_set_new(event, "version", json_integer(JOURNAL_VERSION));
	raw_text_put(event, "target", target->path);
	journal_set_text(event, "build_id", target->build);
	while (args && args[n])
		n++;
	raw_text_put_list(event, "args", args, n);
	if (folder != NULL)
		raw_text_put(event, "cwd", folder);
	free(folder);
	json_object_set_new(event, "seed", journal_seed(seed));
	json_object_set_new(event, "pid", json_integer(getpid()));
	return event;
}

json_t *
journal_types_event(double at_s, const struct tuple_types *types)
{
	json_t *event = journal_event("types", at_s);

	json_object_set_new(event, "types", type_names_json(types));
	return event;
}

char *
journal_line(const json_t *event)
{
	char *text = json_dumps(event, JSON_COMPACT | JSON_REAL_PRECISION(15));
	char *line;

	if (!text)
		abort();
	line = xasprintf("%s\n", text);
	free(text);
	return line;
}

/* ---- lines -------------------------------------------------------------- */

struct journal_scan {
	journal_line_fn *fn;
	void *arg;
	struct journal_extent *extent;
	char *line; /* the line that is being collected */
	size_t len, room;
	bool too_long;
	uint64_t nonsense; /* bytes in lines that are too long */
	uint64_t tail;     /* where the end of a long file begins; 0: short */
};

static bool
journal_says(const char *line, size_t len, const char *text)
{
	return memmem(line, len, text, strlen(text)) != NULL;
}

/* The middle of a long file is most of it: only the begin of a line is looked
 * at, where journal_event() has put the kind. */
static bool
journal_is_start(const struct journal_scan *scan)
{
	size_t len =
		scan->len < JOURNAL_KIND_END ? scan->len : JOURNAL_KIND_END;

	return !scan->too_long && len > 0 &&
		(journal_says(scan->line, len, "\"event\":\"resume\"") ||
			journal_says(scan->line, len, "\"event\":\"types\""));
}

/* Always leaves room for a final '\0'. */
static void
journal_append(struct journal_scan *scan, const char *data, size_t n)
{
	if (scan->len + n >= scan->room) {
		scan->room = 2 * (scan->len + n + 1);
		scan->line = xrealloc(scan->line, scan->room);
	}
	memcpy(scan->line + scan->len, data, n);
	scan->len += n;
	scan->line[scan->len] = '\0';
}

static void
journal_end_line(struct journal_scan *scan)
{
	uint64_t begin = scan->extent->good_len;
	bool middle = begin >= JOURNAL_FILE_MAX && begin < scan->tail;

	if (!middle || journal_is_start(scan))
		scan->fn(scan->arg, scan->too_long ? NULL : scan->line,
			scan->len);
	scan->extent->good_len += scan->extent->torn_len + 1;
	scan->extent->torn_len = 0;
	scan->len = 0;
	scan->too_long = false;
}

static void
journal_feed(struct journal_scan *scan, const char *data, size_t len)
{
	const char *end;
	size_t n;

	while (len > 0) {
		end = memchr(data, '\n', len);
		n = end ? (size_t)(end - data) : len;
		scan->too_long =
			scan->too_long || n > JOURNAL_LINE_MAX - scan->len;
		if (scan->too_long) {
			scan->nonsense += n;
			scan->len = 0;
		} else {
			journal_append(scan, data, n);
		}
		scan->extent->torn_len += n;
		if (!end)
			return;
		journal_end_line(scan);
		data += n + 1;
		len -= n + 1;
	}
}

/* Returns where to end: a file that is being written grows. */
static uint64_t
journal_measure(struct journal_scan *scan, int fd)
{
	struct stat st;
	uint64_t size = fstat(fd, &st) == 0 ? (uint64_t)st.st_size : 0;

	if (size > JOURNAL_FILE_MAX + JOURNAL_TAIL) {
		scan->tail = size - JOURNAL_TAIL;
		scan->extent->skipped = scan->tail - JOURNAL_FILE_MAX;
	}
	return (size > JOURNAL_FILE_MAX ? size : JOURNAL_FILE_MAX) +
		JOURNAL_TAIL;
}

static enum status
journal_scan_all(struct journal_scan *scan, int fd, struct error *err)
{
	uint64_t at = 0, end = journal_measure(scan, fd);
	char chunk[JOURNAL_CHUNK];
	ssize_t n;

	while (at < end) {
		n = pread(fd, chunk, sizeof(chunk), (off_t)at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_set(err, E_IO,
				"cannot read the journal: %s", strerror(errno));
		if (n == 0)
			break;
		if (scan->nonsense > JOURNAL_NONSENSE_MAX) {
			scan->extent->cut = true;
			break;
		}
		journal_feed(scan, chunk, (size_t)n);
		at += (uint64_t)n;
	}
	return OK;
}

enum status
journal_each(int fd, journal_line_fn *fn, void *arg,
	struct journal_extent *extent, struct error *err)
{
	struct journal_scan scan = { .fn = fn, .arg = arg, .extent = extent };
	enum status status;

	*extent = (struct journal_extent){ 0 };
	status = journal_scan_all(&scan, fd, err);
	free(scan.line);
	return status;
}

/* ---- the summary -------------------------------------------------------- */

struct journal_reader {
	struct journal_summary *summary;
	char *last; /* the last line that looks complete */
	size_t last_len, last_room;
};

static double
journal_elapsed(const json_t *event)
{
	double at_s = json_number_value(json_object_get(event, "at_s"));

	return at_s > 0 && at_s < JOURNAL_TIME_MAX ? at_s : 0;
}

static json_t *
journal_parse(const char *line, size_t len)
{
	json_t *event = json_loadb(line, len, JSON_REJECT_DUPLICATES, NULL);

	if (!json_is_object(event)) {
		json_decref(event);
		return NULL;
	}
	return event;
}

static void
journal_on_first(struct journal_summary *summary, const char *line, size_t len)
{
	json_t *event = journal_parse(line, len);
	const char *kind = json_text_get(event, "event");

	if (kind && strcmp(kind, "campaign") == 0 &&
		json_is_string(json_object_get(event, "target")) &&
		json_is_string(json_object_get(event, "build_id")))
		summary->first = json_incref(event);
	json_decref(event);
}

static void
journal_on_start(struct journal_summary *summary, const char *line, size_t len)
{
	json_t *event = journal_parse(line, len);

	if (!event)
		return;
	summary->runs++;
	json_decref(summary->latest);
	summary->latest = event;
}

static void
journal_on_types(struct journal_summary *summary, const char *line, size_t len)
{
	json_t *event = journal_parse(line, len);
	struct tuple_types types;

	if (type_names_parse(json_object_get(event, "types"), &types)) {
		summary->types = types;
		summary->has_types = true;
	}
	json_decref(event);
}

/*
 * Most lines are searched, not parsed: a campaign of weeks has many. Text in
 * JSON escapes its quotes, so the searched words cannot occur inside a text.
 */
static void
journal_on_line(void *arg, const char *line, size_t len)
{
	struct journal_reader *r = arg;
	struct journal_summary *summary = r->summary;

	if (summary->lines++ == 0 && line)
		journal_on_first(summary, line, len);
	if (!line || len < 2 || line[0] != '{' || line[len - 1] != '}') {
		summary->bad++;
		return;
	}
	if (journal_says(line, len, "\"event\":\"campaign\"") ||
		journal_says(line, len, "\"event\":\"resume\""))
		journal_on_start(summary, line, len);
	if (journal_says(line, len, "\"event\":\"types\""))
		journal_on_types(summary, line, len);
	if (!journal_says(line, len, "\"at_s\":"))
		return;
	growth_take_line(&summary->growth, line);
	if (len > r->last_room) {
		r->last_room = 2 * len;
		r->last = xrealloc(r->last, r->last_room);
	}
	memcpy(r->last, line, len);
	r->last_len = len;
}

enum status
journal_read(int fd, struct journal_summary *summary, struct error *err)
{
	struct journal_reader reader = { .summary = summary };
	enum status status;
	json_t *event;

	memset(summary, 0, sizeof(*summary));
	status = journal_each(fd, journal_on_line, &reader, &summary->extent,
		err);
	if (reader.last) {
		event = journal_parse(reader.last, reader.last_len);
		summary->elapsed_s = journal_elapsed(event);
		if (!event)
			summary->bad++;
		json_decref(event);
	}
	free(reader.last);
	if (status != OK)
		journal_summary_clear(summary);
	return status;
}

void
journal_summary_clear(struct journal_summary *summary)
{
	json_decref(summary->first);
	json_decref(summary->latest);
	memset(summary, 0, sizeof(*summary));
}

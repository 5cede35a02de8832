/* metrics: see metrics.h. */
#include "engine/web/metrics.h"

#include <inttypes.h>
#include <stddef.h>

enum metric_form {
	METRIC_U64,
	METRIC_REAL,
	METRIC_PERCENT, /* becomes a ratio */
	METRIC_AGO,     /* seconds; below 0: not yet, and left out */
};

struct metric {
	const char *name, *type, *help;
	enum metric_form form;
	size_t offset; /* in struct snapshot */
};

#define METRIC(name, type, form, member, help) \
	{ \
		"cfuzz_" name, type, help, METRIC_##form, \
			offsetof(struct snapshot, member) \
	}

/* clang-format off */
static const struct metric METRICS[] = {
	METRIC("executions_total", "counter", U64, execs,
		"Executions of this run."),
	METRIC("past_executions_total", "counter", U64, past_execs,
		"Executions of earlier runs of the campaign."),
	METRIC("replays_total", "counter", U64, replays,
		"Executions that verified findings."),
	METRIC("executions_per_second", "gauge", REAL, execs_per_sec,
		"Executions per second now."),
	METRIC("elapsed_seconds", "gauge", REAL, elapsed_s,
		"Time of this run, without pauses."),
	METRIC("coverage", "gauge", U64, coverage_bits,
		"Coverage: edges and how often they were hit."),
	METRIC("edges", "gauge", U64, counters_total,
		"Edges of the target."),
	METRIC("edges_hit", "gauge", U64, counters_hit,
		"Edges that were hit."),
	METRIC("stability_ratio", "gauge", PERCENT, stability,
		"New inputs that cover the same when run again."),
	METRIC("corpus_inputs", "gauge", U64, corpus,
		"Inputs in the corpus."),
	METRIC("new_inputs_total", "counter", U64, interesting,
		"Inputs that this run has added to the corpus."),
	METRIC("last_new_input_seconds", "gauge", AGO, last_find_s,
		"Time since the last new input."),
	METRIC("minimize_queue", "gauge", U64, minimize_queue,
		"Inputs and findings that wait for minimization."),
	METRIC("unsaved_files", "gauge", U64, unsaved,
		"Files that could not be written."),
	METRIC("findings_accepted", "gauge", U64, findings_ignored,
		"Distinct findings that the user has accepted."),
	METRIC("findings_not_seen", "gauge", U64, findings_not_seen,
		"Distinct findings that only earlier builds showed, or fixed."),
	METRIC("attached", "gauge", U64, watchers,
		"Consoles that watch the campaign."),
};

static const struct kind {
	const char *name;
	size_t distinct, seen;
} KINDS[] = {
	{ "crash", offsetof(struct snapshot, crashes),
		offsetof(struct snapshot, crashes_seen) },
	{ "hang", offsetof(struct snapshot, hangs),
		offsetof(struct snapshot, hangs_seen) },
	{ "oom", offsetof(struct snapshot, ooms),
		offsetof(struct snapshot, ooms_seen) },
	{ "leak", offsetof(struct snapshot, leaks),
		offsetof(struct snapshot, leaks_seen) },
};
/* clang-format on */

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

static uint64_t
metric_u64(const struct snapshot *s, size_t offset)
{
	return *(const uint64_t *)((const char *)s + offset);
}

static double
metric_real(const struct snapshot *s, size_t offset)
{
	return *(const double *)((const char *)s + offset);
}

static void
metric_head(struct evbuffer *to, const char *name, const char *type,
	const char *help)
{
	evbuffer_add_printf(to, "# HELP %s %s\n# TYPE %s %s\n", name, help,
		name, type);
}

static void
metric_write(const struct metric *m, const struct snapshot *s,
	struct evbuffer *to)
{
	if (m->form == METRIC_AGO && metric_real(s, m->offset) < 0)
		return;
	metric_head(to, m->name, m->type, m->help);
	if (m->form == METRIC_U64)
		evbuffer_add_printf(to, "%s %" PRIu64 "\n", m->name,
			metric_u64(s, m->offset));
	else
		evbuffer_add_printf(to, "%s %.6g\n", m->name,
			metric_real(s, m->offset) /
				(m->form == METRIC_PERCENT ? 100 : 1));
}

static void
metrics_write_kinds(const struct snapshot *s, struct evbuffer *to)
{
	metric_head(to, "cfuzz_findings", "gauge",
		"Distinct findings of the campaign.");
	for (size_t i = 0; i < ROWS(KINDS); i++)
		evbuffer_add_printf(to,
			"cfuzz_findings{kind=\"%s\"} %" PRIu64 "\n",
			KINDS[i].name, metric_u64(s, KINDS[i].distinct));
	metric_head(to, "cfuzz_failures_total", "counter",
		"Executions of all runs of the campaign that failed.");
	for (size_t i = 0; i < ROWS(KINDS); i++)
		evbuffer_add_printf(to,
			"cfuzz_failures_total{kind=\"%s\"} %" PRIu64 "\n",
			KINDS[i].name, metric_u64(s, KINDS[i].seen));
}

static void
metrics_write_workers(const struct snapshot *s, struct evbuffer *to)
{
	uint64_t memory = 0, deaths = 0;

	for (size_t i = 0; i < s->workers_n; i++) {
		memory += s->workers[i].rss_kb * 1024;
		deaths += s->workers[i].deaths;
	}
	metric_head(to, "cfuzz_workers", "gauge", "Workers.");
	evbuffer_add_printf(to, "cfuzz_workers %zu\n", s->workers_n);
	metric_head(to, "cfuzz_workers_memory_bytes", "gauge",
		"Memory of the target in all workers.");
	evbuffer_add_printf(to, "cfuzz_workers_memory_bytes %" PRIu64 "\n",
		memory);
	metric_head(to, "cfuzz_worker_deaths_total", "counter",
		"Target processes that died in the present workers.");
	evbuffer_add_printf(to, "cfuzz_worker_deaths_total %" PRIu64 "\n",
		deaths);
}

/* A label's value: backslash, quote and newline are escaped. */
static void
metrics_write_label(struct evbuffer *to, const char *text)
{
	for (; *text != '\0'; text++) {
		if (*text == '\\' || *text == '"')
			evbuffer_add(to, "\\", 1);
		if (*text == '\n')
			evbuffer_add(to, "\\n", 2);
		else
			evbuffer_add(to, text, 1);
	}
}

void
metrics_write(const struct snapshot *s, struct evbuffer *to)
{
	metric_head(to, "cfuzz_info", "gauge", "The campaign.");
	evbuffer_add_printf(to, "cfuzz_info{version=\"%s\",target=\"",
		CFUZZ_VERSION);
	metrics_write_label(to, s->target);
	evbuffer_add_printf(to, "\"} 1\n");
	metric_head(to, "cfuzz_fuzzing", "gauge",
		"1 while inputs are fuzzed, 0 in other states.");
	evbuffer_add_printf(to, "cfuzz_fuzzing %d\n", s->state == RUN_FUZZING);
	for (size_t i = 0; i < ROWS(METRICS); i++)
		metric_write(&METRICS[i], s, to);
	metrics_write_kinds(s, to);
	metrics_write_workers(s, to);
}

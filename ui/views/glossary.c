/*
 * glossary: the meaning of each number in plain words, and advice.
 *
 * One row per number that a view shows. The thresholds are rules of thumb of
 * people who fuzz: they only advise.
 */
#include "ui/views/glossary.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/views/mutator_table.h"
#include "ui/widgets/labels.h"

#define GLOSSARY_SLOW 100.0  /* executions per second per worker */
#define GLOSSARY_STABLE 90.0 /* percent */
#define GLOSSARY_FORK_US 5000u

/* ---- values ---- */

#define GLOSSARY_NUMBER(name, format, member) \
	static void name(const struct model *model, char *buf) \
	{ \
		format(model->snapshot->member, buf); \
	}

GLOSSARY_NUMBER(glossary_bits, text_count, coverage_bits)
GLOSSARY_NUMBER(glossary_interesting, text_count, interesting)
GLOSSARY_NUMBER(glossary_corpus, text_count, corpus)
GLOSSARY_NUMBER(glossary_favoured, text_count, favoured)
GLOSSARY_NUMBER(glossary_words, text_count, words)
GLOSSARY_NUMBER(glossary_auto_dictionary, text_count, words_learned)
GLOSSARY_NUMBER(glossary_unstable, text_count, counters_masked)
GLOSSARY_NUMBER(glossary_suspects, text_count, suspects)
GLOSSARY_NUMBER(glossary_replays, text_count, replays)
GLOSSARY_NUMBER(glossary_speed, text_rate, execs_per_sec)
GLOSSARY_NUMBER(glossary_average, text_rate, execs_per_sec_avg)
GLOSSARY_NUMBER(glossary_last, label_seconds, last_find_s)

static void
glossary_execs(const struct model *model, char *buf)
{
	const struct snapshot *s = model->snapshot;
	char count[TEXT_NUMBER_SIZE];

	snprintf(buf, GLOSSARY_VALUE, "%s",
		label_kept(s, text_count(s->past_execs + s->execs, count)));
}

static void
glossary_state(const struct model *model, char *buf)
{
	char text[LABEL_SIZE];

	snprintf(buf, GLOSSARY_VALUE, "%.63s", label_state(model, text));
}

static void
glossary_kind(const struct model *model, char *buf)
{
	const char *kind = model->snapshot->kind;

	snprintf(buf, GLOSSARY_VALUE, "%s", kind[0] != '\0' ? kind : "-");
}

static void
glossary_counters(const struct model *model, char *buf)
{
	const struct snapshot *s = model->snapshot;
	char hit[TEXT_NUMBER_SIZE], total[TEXT_NUMBER_SIZE];

	snprintf(buf, GLOSSARY_VALUE, "%.28s of %.28s",
		text_count(s->counters_hit, hit),
		text_count(s->counters_total, total));
}

/* The value of one row of a list, which is not known here. */
static void
glossary_of_each(const struct model *model, char *buf)
{
	snprintf(buf, GLOSSARY_VALUE, "-");
}

static void
glossary_minute(const struct model *model, char *buf)
{
	char bits[TEXT_NUMBER_SIZE];

	snprintf(buf, GLOSSARY_VALUE, "+%.28s",
		text_count(model_new_bits(model, 60), bits));
}

static void
glossary_stability(const struct model *model, char *buf)
{
	snprintf(buf, GLOSSARY_VALUE, "%.0f %%",
		model->snapshot->counters_stable);
}

static void
glossary_mutation(const struct model *model, char *buf)
{
	const struct snapshot_mutator *best;

	snprintf(buf, GLOSSARY_VALUE, "%s",
		mutator_table_best(model->snapshot, &best, 1) > 0 ? best->name
								  : "-");
}

static void
glossary_findings(const struct model *model, char *buf)
{
	const struct snapshot *s = model->snapshot;

	snprintf(buf, GLOSSARY_VALUE,
		"%" PRIu64 " + %" PRIu64 " + %" PRIu64 " + %" PRIu64,
		s->crashes, s->hangs, s->ooms, s->leaks);
}

/* The selected finding is not known here: show the newest one. */
static void
glossary_again(const struct model *model, char *buf)
{
	const struct snapshot *s = model->snapshot;

	if (s->findings_n > 0 && s->findings[0].replays > 0)
		snprintf(buf, GLOSSARY_VALUE, "%" PRIu32 "/%" PRIu32,
			s->findings[0].reproduced, s->findings[0].replays);
	else
		snprintf(buf, GLOSSARY_VALUE, "-");
}

static uint64_t
glossary_restarts_n(const struct snapshot *s)
{
	uint64_t n = 0;

	for (size_t i = 0; i < s->workers_n; i++)
		n += s->workers[i].restarts;
	return n;
}

static void
glossary_restarts(const struct model *model, char *buf)
{
	text_count(glossary_restarts_n(model->snapshot), buf);
}

static void
glossary_deaths(const struct model *model, char *buf)
{
	const struct snapshot *s = model->snapshot;
	uint64_t n = 0;

	for (size_t i = 0; i < s->workers_n; i++)
		n += s->workers[i].deaths;
	text_count(n, buf);
}

static void
glossary_fork(const struct model *model, char *buf)
{
	const struct snapshot_worker *worker = model_worker(model);

	if (worker == NULL || (worker->fork_us == 0 && !worker->no_fork))
		snprintf(buf, GLOSSARY_VALUE, "-");
	else if (worker->no_fork)
		snprintf(buf, GLOSSARY_VALUE, "no fork: %" PRId64 " threads",
			worker->threads);
	else
		label_micros((double)worker->fork_us, buf);
}

static void
glossary_generation(const struct model *model, char *buf)
{
	const struct snapshot_worker *worker = model_worker(model);

	snprintf(buf, GLOSSARY_VALUE, "%" PRIu32,
		worker ? worker->generation : 0);
}

/* ---- advice ---- */

static const char *
glossary_advise(enum style *style, bool good, const char *well,
	const char *badly)
{
	*style = good ? STYLE_GOOD : STYLE_WARN;
	return good ? well : badly;
}

static const char *
glossary_advise_speed(const struct model *model, enum style *style)
{
	const struct snapshot *s = model->snapshot;
	double workers = s->workers_n > 0 ? (double)s->workers_n : 1;

	if (s->state != RUN_FUZZING)
		return "";
	return glossary_advise(style,
		s->execs_per_sec >= GLOSSARY_SLOW * workers, "good",
		"slow: does the target do unnecessary work for each input?");
}

static const char *
glossary_advise_kind(const struct model *model, enum style *style)
{
	const char *kind = model->snapshot->kind;

	if (strcmp(kind, "binary") == 0)
		return glossary_advise(style, false, "",
			"much faster with cfuzz-cc and cfuzz_loop(): cfuzz(3)");
	if (strcmp(kind, "function") == 0)
		return glossary_advise(style, true, "the fastest", "");
	*style = STYLE_DIM;
	if (kind[0] == '\0')
		return "";
	return "cfuzz_loop() or a function is faster: cfuzz(3)";
}

static const char *
glossary_advise_bits(const struct model *model, enum style *style)
{
	const struct snapshot *s = model->snapshot;

	if (s->seq == 0)
		return "";
	if (model_uninstrumented(model))
		return glossary_advise(style, false, "",
			"no edges: was the target built with cfuzz-cc?");
	return glossary_advise(style, !model->plateau, "good",
		"no progress: better seeds, a dictionary or a larger "
		"max-len may help");
}

static const char *
glossary_advise_stability(const struct model *model, enum style *style)
{
	const struct snapshot *s = model->snapshot;

	if (s->counters_hit == 0)
		return "";
	return glossary_advise(style, s->counters_stable >= GLOSSARY_STABLE,
		"good",
		"low: the target keeps state between inputs, or depends on "
		"time or random numbers");
}

static const char *
glossary_advise_findings(const struct model *model, enum style *style)
{
	const struct snapshot *s = model->snapshot;
	bool any = snapshot_findings(s) > 0;

	if (s->seq == 0)
		return "";
	*style = any ? STYLE_BAD : STYLE_GOOD;
	return any ? "press {view findings} to see them" : "none so far";
}

static const char *
glossary_advise_again(const struct model *model, enum style *style)
{
	const struct snapshot *s = model->snapshot;

	if (s->findings_n == 0 || s->findings[0].replays == 0)
		return "";
	return glossary_advise(style,
		s->findings[0].reproduced == s->findings[0].replays,
		"the newest fails every time", "the newest is flaky");
}

static const char *
glossary_advise_restarts(const struct model *model, enum style *style)
{
	return glossary_advise(style, glossary_restarts_n(model->snapshot) == 0,
		"good", "see the reason in the worker's detail");
}

static const char *
glossary_advise_fork(const struct model *model, enum style *style)
{
	const struct snapshot_worker *worker = model_worker(model);

	if (worker == NULL || (worker->fork_us == 0 && !worker->no_fork))
		return "";
	if (worker->no_fork)
		return glossary_advise(style, false, "",
			"threads started before the first input prevent "
			"forking and make each death slow");
	return glossary_advise(style, worker->fork_us < GLOSSARY_FORK_US,
		"good", "slow: the target uses much memory at its start");
}

/* clang-format off */
static const struct glossary_entry glossary_entries[] = {
	{ "state", glossary_state, NULL,
	  "The state of the campaign. Warming up means that each corpus "
	  "input is executed once to measure its coverage." },
	{ "kind", glossary_kind, glossary_advise_kind,
	  "What the target is. function: called again and again in one "
	  "process. main(): a program that cfuzz-cc has built. AFL++: a "
	  "program that AFL++ has built. binary: a program without "
	  "instrumentation; breakpoints show its coverage. Build it with "
	  "CC=cfuzz-cc and comparisons guide the search, too." },
	{ "speed now", glossary_speed, glossary_advise_speed,
	  "Executions of the target per second over the last 3 seconds, all "
	  "workers together." },
	{ "average", glossary_average, NULL,
	  "Executions per second over this run, without pauses." },
	{ "executions", glossary_execs, NULL,
	  "Number of executions of the target in all runs of the campaign. "
	  "Replays of findings are counted separately." },
	{ "bits", glossary_bits, glossary_advise_bits,
	  "Coverage: a bit is an edge of the program together with a "
	  "bucket of hit counts (1, 2-3, 4-7, 8-15, 16-31, 32-63, 64-127, "
	  "more)." },
	{ "edges", glossary_counters, NULL,
	  "Edges hit by any input, of all edges that the compiler has "
	  "instrumented. Not all can be reached from this target." },
	{ "map", glossary_counters, NULL,
	  "All edges in the order of the program's code, from left to "
	  "right and from top to bottom. The darker a cell, the higher "
	  "the hit count that a single input has reached there." },
	{ "newly reached", glossary_of_each, NULL,
	  "Functions that no seed reached, but an input of this campaign "
	  "did." },
	{ "part", glossary_of_each, NULL,
	  "The share of the edges of a function or file that was hit. "
	  "Lines in one block share its counter. A block without a "
	  "counter is inferred from others, if that is possible." },
	{ "frontier", glossary_of_each, NULL,
	  "A line that was executed, while the code after it (the next "
	  "line, or a called function) never was: here inputs fail to get "
	  "further." },
	{ "last minute", glossary_minute, NULL,
	  "Coverage bits gained in the last 60 seconds. The number falls "
	  "as the campaign goes on." },
	{ "new inputs", glossary_interesting, NULL,
	  "Inputs added to the corpus in this run because they reached "
	  "new coverage." },
	{ "corpus", glossary_corpus, NULL,
	  "The inputs that are mutated: seeds and new inputs. Some are "
	  "kept only because they come closer to satisfying a comparison "
	  "(value profile)." },
	{ "since", glossary_last, glossary_advise_bits,
	  "Time since the last input with new coverage." },
	{ "favoured", glossary_favoured, NULL,
	  "The smallest part of the corpus with the coverage of the whole "
	  "corpus. These inputs are mutated more often." },
	{ "words", glossary_words, NULL,
	  "The dictionary: tokens that are inserted into inputs as a "
	  "whole. They come from --dict and from the automatic dictionary." },
	{ "auto-dict", glossary_auto_dictionary, NULL,
	  "The automatic dictionary: operands of comparisons in the "
	  "target that led to new coverage when inserted into an input." },
	{ "stable", glossary_stability, glossary_advise_stability,
	  "The share of the edges hit that were hit again whenever an "
	  "input was executed twice." },
	{ "unstable", glossary_unstable, NULL,
	  "Unstable edges: at least twice they were not hit again. They "
	  "depend on more than the input and no longer count as coverage." },
	{ "mutation", glossary_mutation, NULL,
	  "The most successful mutator: \"one in 46 k\" is one new input "
	  "per 46 000 mutations. All mutations of a new input count as "
	  "successful. Successful mutators are chosen more often; those "
	  "marked - are not chosen by weight." },
	{ "findings", glossary_findings, glossary_advise_findings,
	  "Distinct bugs: crashes, hangs, out of memory, leaks. Failures "
	  "at the same place in the program count as one bug." },
	{ "again", glossary_again, glossary_advise_again,
	  "The number of replays, each in a fresh process, in which the "
	  "input failed in the same way." },
	{ "suspects", glossary_suspects, NULL,
	  "Inputs that were running when a worker ended, possibly for "
	  "another reason. They are kept, but are not findings." },
	{ "replays", glossary_replays, NULL,
	  "Executions that verify findings." },
	{ "deaths", glossary_deaths, NULL,
	  "Children that died while they executed an input, mostly "
	  "because of findings. The next one is forked at once." },
	{ "restarts", glossary_restarts, glossary_advise_restarts,
	  "Workers that had to be started again from the program file." },
	{ "fork", glossary_fork, glossary_advise_fork,
	  "Time to fork the next child after a death, in the selected "
	  "worker." },
	{ "generation", glossary_generation, NULL,
	  "Number of ancestors of the input that the selected worker "
	  "mutates, up to its seed." },
};
/* clang-format on */

const struct glossary_entry *
glossary_entry(size_t i)
{
	size_t n = sizeof(glossary_entries) / sizeof(glossary_entries[0]);

	return i < n ? &glossary_entries[i] : NULL;
}

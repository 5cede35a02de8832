/*
 * glossary: the meaning of each number in plain words, and advice.
 *
 * One row per number that a view shows. The thresholds are rules of thumb of
 * people who fuzz: they only advise.
 */
#include "ui/views/glossary.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/text.h"
#include "ui/views/mutator_table.h"
#include "ui/widgets/labels.h"

#define GLOSSARY_SLOW 100.0  /* executions per second per worker */
#define GLOSSARY_STABLE 90.0 /* percent */
#define GLOSSARY_FORK_US 5000u

/* ---- values ---- */

#define GLOSSARY_COUNT(name, member) \
	static void name(const struct model *model, char *buf) \
	{ \
		text_count(model->snapshot->member, buf); \
	}

GLOSSARY_COUNT(glossary_execs, execs)
GLOSSARY_COUNT(glossary_bits, coverage_bits)
GLOSSARY_COUNT(glossary_interesting, interesting)
GLOSSARY_COUNT(glossary_corpus, corpus)
GLOSSARY_COUNT(glossary_favoured, favoured)
GLOSSARY_COUNT(glossary_words, words)
GLOSSARY_COUNT(glossary_learned, words_learned)
GLOSSARY_COUNT(glossary_masked, counters_masked)
GLOSSARY_COUNT(glossary_suspects, suspects)
GLOSSARY_COUNT(glossary_replays, replays)

static void
glossary_state(const struct model *model, char *buf)
{
	char text[LABEL_SIZE];

	snprintf(buf, GLOSSARY_VALUE, "%.63s", label_state(model, text));
}

static void
glossary_speed(const struct model *model, char *buf)
{
	text_rate(model->snapshot->execs_per_sec, buf);
}

static void
glossary_average(const struct model *model, char *buf)
{
	text_rate(model->snapshot->execs_per_sec_avg, buf);
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
	(void)model;
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
glossary_last(const struct model *model, char *buf)
{
	label_seconds(model->snapshot->last_find_s, buf);
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

static void
glossary_restarts(const struct model *model, char *buf)
{
	const struct snapshot *s = model->snapshot;
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < s->workers_n; i++)
		n += s->workers[i].restarts;
	text_count(n, buf);
}

static void
glossary_deaths(const struct model *model, char *buf)
{
	const struct snapshot *s = model->snapshot;
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < s->workers_n; i++)
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
		"slow: does the target do more than it must for each input?");
}

static const char *
glossary_advise_bits(const struct model *model, enum style *style)
{
	const struct snapshot *s = model->snapshot;

	if (s->seq == 0)
		return "";
	if (model_uninstrumented(model))
		return glossary_advise(style, false, "",
			"not instrumented: build the target with cfuzz-cc");
	return glossary_advise(style, !model->plateau, "good",
		"stands still: better seeds, a dictionary or a larger "
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
		"low: the target keeps state between inputs, or uses time "
		"or chance");
}

static const char *
glossary_advise_findings(const struct model *model, enum style *style)
{
	const struct snapshot *s = model->snapshot;
	bool any = s->crashes + s->hangs + s->ooms + s->leaks > 0;

	if (s->seq == 0)
		return "";
	*style = any ? STYLE_BAD : STYLE_GOOD;
	return any ? "press {view findings} to look at them" : "nothing so far";
}

static const char *
glossary_advise_again(const struct model *model, enum style *style)
{
	const struct snapshot *s = model->snapshot;

	if (s->findings_n == 0 || s->findings[0].replays == 0)
		return "";
	return glossary_advise(style,
		s->findings[0].reproduced == s->findings[0].replays,
		"the newest fails each time", "the newest is flaky");
}

static const char *
glossary_advise_restarts(const struct model *model, enum style *style)
{
	const struct snapshot *s = model->snapshot;
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < s->workers_n; i++)
		n += s->workers[i].restarts;
	return glossary_advise(style, n == 0, "good",
		"look for the reason in the worker's detail");
}

static const char *
glossary_advise_fork(const struct model *model, enum style *style)
{
	const struct snapshot_worker *worker = model_worker(model);

	if (worker == NULL || (worker->fork_us == 0 && !worker->no_fork))
		return "";
	if (worker->no_fork)
		return glossary_advise(style, false, "",
			"threads that start before the first input make each "
			"death slow");
	return glossary_advise(style, worker->fork_us < GLOSSARY_FORK_US,
		"good", "slow: the target holds much memory at its start");
}

/* clang-format off */
static const struct glossary_entry glossary_entries[] = {
	{ "state", glossary_state, NULL,
	  "What the campaign does. Warming up means that the inputs of the "
	  "corpus are run once, so that their coverage is known." },
	{ "speed now", glossary_speed, glossary_advise_speed,
	  "Executions of the target per second over the last 3 seconds, all "
	  "workers together." },
	{ "average", glossary_average, NULL,
	  "The same over the whole campaign, without pauses." },
	{ "executions", glossary_execs, NULL,
	  "How often the target was called. Replays of findings are counted "
	  "apart." },
	{ "bits", glossary_bits, glossary_advise_bits,
	  "Coverage: a bit is a place in the program together with about how "
	  "often an input passed it (once, 2-3 times, 4-7, 8-15, 16-31, "
	  "32-63, 64-127, more)." },
	{ "edges", glossary_counters, NULL,
	  "Places that any input has reached, of all that the compiler has "
	  "marked. Not all can be reached through this target." },
	{ "map", glossary_counters, NULL,
	  "All edges in the order of the program's code, from left to "
	  "right and from top to bottom. The darker a cell, the more often "
	  "one input has passed there at most." },
	{ "newly reached", glossary_of_each, NULL,
	  "Functions that no seed came to, and that an input of this "
	  "campaign has entered." },
	{ "part", glossary_of_each, NULL,
	  "Of the edges of a function or file, those that any input has "
	  "reached. Lines that share a block share its edge; of a block "
	  "without one, others tell, or nobody does." },
	{ "frontier", glossary_of_each, NULL,
	  "A line that was hit while the code behind it, the next line of "
	  "the function or a call, never was: here inputs fail to get "
	  "further." },
	{ "last minute", glossary_minute, NULL,
	  "Coverage bits gained in the last 60 seconds. New ones become rare "
	  "with time." },
	{ "new inputs", glossary_interesting, NULL,
	  "Inputs kept in this run because they reached something new." },
	{ "corpus", glossary_corpus, NULL,
	  "Inputs at hand: the seeds and what was found since. New inputs are "
	  "made from these. Some are there only because they come nearer to "
	  "what a comparison wants." },
	{ "since", glossary_last, glossary_advise_bits,
	  "Time since an input last reached something new." },
	{ "favoured", glossary_favoured, NULL,
	  "The smallest part of the corpus that reaches all that the whole "
	  "reaches. These are used more often." },
	{ "words", glossary_words, NULL,
	  "The dictionary: what is put into inputs as a whole. It is what "
	  "--dict names and what was learned." },
	{ "learned", glossary_learned, NULL,
	  "Words of the dictionary that come from the target itself: a "
	  "comparison asked for them, and giving them led to something new." },
	{ "stable", glossary_stability, glossary_advise_stability,
	  "Of the places that were reached, those that were reached again "
	  "whenever an input was run twice." },
	{ "unstable", glossary_masked, NULL,
	  "Places that were not, two times or more. They depend on more than "
	  "the input, and count no more." },
	{ "mutation", glossary_mutation, NULL,
	  "The kind of change that pays best: \"one in 46 k\" is one new "
	  "input in 46 000 such mutations. All mutations that made it have a "
	  "part in it. What pays gets more of the tries; some kinds, marked -, have their "
	  "turn otherwise." },
	{ "findings", glossary_findings, glossary_advise_findings,
	  "Distinct bugs: crashes, hangs, out of memory, leaks. Failures at "
	  "the same place of the program are one bug, however often they are "
	  "seen." },
	{ "again", glossary_again, glossary_advise_again,
	  "In how many replays, each in a fresh process, the input failed in "
	  "the same way." },
	{ "suspects", glossary_suspects, NULL,
	  "Inputs that ran when a worker ended for a reason that need not be "
	  "theirs. They are kept, but are no findings." },
	{ "replays", glossary_replays, NULL,
	  "Executions that verify findings." },
	{ "deaths", glossary_deaths, NULL,
	  "Children that ended while they ran an input, mostly because of "
	  "findings. The next one is forked at once." },
	{ "restarts", glossary_restarts, glossary_advise_restarts,
	  "Workers that had to be started anew from the program file." },
	{ "fork", glossary_fork, glossary_advise_fork,
	  "Time to make the next child after a death, in the selected "
	  "worker." },
	{ "generation", glossary_generation, NULL,
	  "How many steps of mutation lie between a seed and the input that "
	  "the selected worker starts from." },
};
/* clang-format on */

const struct glossary_entry *
glossary_entry(size_t i)
{
	size_t n = sizeof(glossary_entries) / sizeof(glossary_entries[0]);

	return i < n ? &glossary_entries[i] : NULL;
}

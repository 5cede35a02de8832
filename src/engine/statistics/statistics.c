/* statistics: see statistics.h. */
#include "engine/statistics/statistics.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/text.h"
#include "engine/corpus/load.h"
#include "engine/engine_end.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/pool/pool.h"
#include "engine/program.h"
#include "engine/statistics/counts.h"
#include "engine/statistics/run_clock.h"
#include "engine/statistics/statistics_private.h"
#include "engine/triage/findings_list.h"
#include "findings/finding.h"

void
statistics_begin(struct engine *e)
{
	engine_statistics(e)->line_ns = clock_now_ns();
}

static void
statistics_warmup(struct engine *e, const char *elapsed)
{
	unsigned long long done = load_warmup_total(e) - load_warmup_left(e);
	unsigned long long all = load_warmup_total(e);

	if (program_is_instrumented(e))
		message_print(e,
			"fuzz: elapsed: %s, gathering baseline coverage: "
			"%llu/%llu completed",
			elapsed, done, all);
	else
		message_print(e,
			"fuzz: elapsed: %s, testing seed corpus: %llu/%llu "
			"completed",
			elapsed, done, all);
}

/* Each finding is announced once; only this line counts repeats. The last line
 * of the run counts open findings of earlier runs as well, so they are told
 * apart here. */
static void
statistics_seen(const struct engine *e, char *buf, size_t size)
{
	unsigned long long n = 0, open = 0, times = 0;
	size_t i;

	buf[0] = '\0';
	for (i = 0; i < findings_count(e); i++) {
		const struct finding *f = findings_at(e, i);

		open += f->verdict != VERDICT_ACCEPTED &&
			finding_standing(f->build, f->replays_build,
				f->reproduced,
				program_info(e)->build) == STANDING_OPEN;
		if (!finding_counts(f))
			continue;
		n++;
		times += f->count;
	}
	if (n > 0 && open > n)
		snprintf(buf, size,
			", findings: %llu, in this run: %llu (seen: %llu)",
			open, n, times);
	else if (n > 0)
		snprintf(buf, size, ", findings: %llu (seen: %llu)", n, times);
}

static void
statistics_fuzzing(struct engine *e, const char *elapsed)
{
	struct statistics *last = engine_statistics(e);
	uint64_t now = clock_now_ns(), count = engine_executions(e);
	unsigned long long total = load_warmup_total(e) + counts_new_inputs(e);
	double s = (double)(now - last->line_ns) / 1e9;
	double rate = s > 0 ? (double)(count - last->line_count) / s : 0;
	char seen[128];

	last->line_ns = now;
	last->line_count = count;
	statistics_seen(e, seen, sizeof(seen));
	if (program_is_instrumented(e))
		message_print(e,
			"fuzz: elapsed: %s, execs: %llu (%.0f/sec), new "
			"interesting: %llu (total: %llu)%s",
			elapsed, (unsigned long long)count, rate,
			(unsigned long long)counts_new_inputs(e), total, seen);
	else
		message_print(e, "fuzz: elapsed: %s, execs: %llu (%.0f/sec)%s",
			elapsed, (unsigned long long)count, rate, seen);
}

void
statistics_line(struct engine *e)
{
	char elapsed[TEXT_NUMBER_SIZE];

	text_elapsed(run_clock_elapsed_ns(engine_clock(e)), elapsed);
	if (load_is_warming(e))
		statistics_warmup(e, elapsed);
	else if (findings_crash(e) != NULL && !engine_ended(e))
		message_print(e, "fuzz: elapsed: %s, %s", elapsed,
			budget_is_zero(&engine_settings(e)->minimizetime)
				? "verifying"
				: "minimizing");
	else
		statistics_fuzzing(e, elapsed);
}

void
statistics_warm(struct engine *e)
{
	char elapsed[TEXT_NUMBER_SIZE];
	unsigned long long n = load_warmup_total(e);

	text_elapsed(run_clock_elapsed_ns(engine_clock(e)), elapsed);
	message_print(e,
		"fuzz: elapsed: %s, %s: %llu/%llu completed, now fuzzing with %u "
		"workers",
		elapsed,
		program_is_instrumented(e) ? "gathering baseline coverage"
					   : "testing seed corpus",
		n, n, pool_wanted(e));
}

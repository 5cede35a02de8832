/* min_say: prints the result of a minimization. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "tools/min_private.h"
#include "worker/inputs/input_text.h"

static double
min_seconds(const struct min *m)
{
	return (double)(clock_now_ns() - m->start_ns) / 1e9;
}

void
min_say_progress(struct min *m)
{
	const struct worker *w = m->runner.workers[0];
	struct snapshot_minimization view = { 0 };

	if (w != NULL && worker_job(w) != NULL && !m->driver.single)
		worker_view_minimization(w, &view);
	minimization_driver_view(&m->driver, &m->files.types, &view);
	runner_say_progress(&m->runner,
		"minimizing: %zu -> %" PRIu64 " bytes, %s, %" PRIu64
		" tries, %.0f s",
		m->files.file_len,
		m->files.types.n > 0 ? view.text_len : view.best_len,
		minimize_phase_name(view.phase), m->tries + view.tries,
		min_seconds(m));
}

/* Lengths are lengths of files. */
size_t
min_len(const struct min *m)
{
	size_t len;
	const uint8_t *best = min_best(m, &len);

	return input_text_len(&m->files.types, best, len);
}

static const char *
min_end_word(const struct min *m)
{
	return m->stopped ? "stopped" : m->time_over ? "budget" : "done";
}

static void
min_say_lines(const struct min *m)
{
	char output[512];

	text_clean_string(m->files.output_path, output, sizeof(output));
	if (m->stopped || m->time_over)
		runner_say(&m->runner, "%s: this is the smallest so far",
			m->stopped ? "stopped" : "the budget is used up");
	runner_say(&m->runner, "%s%s%s", m->what,
		m->where[0] != '\0' ? " in " : "", m->where);
	runner_say(&m->runner,
		"minimized: %zu -> %zu bytes, %" PRIu64 " tries, %" PRIu64
		" accepted, %.1f s, reproduced %u of %u",
		m->files.file_len, min_len(m), m->tries, m->accepted,
		min_seconds(m), m->reproduced, m->runs);
	runner_say(&m->runner, "written to %s", output);
}

static void
min_say_object(const struct min *m)
{
	char *input = text_clean_dup(m->files.input_path,
		strlen(m->files.input_path));
	char *output = text_clean_dup(m->files.output_path,
		strlen(m->files.output_path));

	runner_say_event(&m->runner,
		json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:f, s:s, s:s, s:s, "
			  "s:s, s:s, s:s, s:i, s:i}",
			"event", "minimized", "input", input, "start_len",
			(json_int_t)m->files.file_len, "len",
			(json_int_t)min_len(m), "tries", (json_int_t)m->tries,
			"accepted", (json_int_t)m->accepted, "seconds",
			min_seconds(m), "kind",
			failure_kind_name(m->failure.kind), "what", m->what,
			"where", m->where, "rule",
			m->runner.settings.minimize_rule, "end",
			min_end_word(m), "output", output, "reproduced",
			(int)m->reproduced, "runs", (int)m->runs));
	free(input);
	free(output);
}

void
min_say_result(const struct min *m)
{
	min_say_lines(m);
	min_say_object(m);
}

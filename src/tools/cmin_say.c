/* cmin_say: prints the result of a corpus minimization. */
#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/text.h"
#include "control/json_text.h"
#include "tools/cmin_private.h"

#define CMIN_NAMED 10 /* names printed per state */

void
cmin_say_progress(const struct cmin *m)
{
	double s = (double)(clock_now_ns() - m->start_ns) / 1e9;

	if (m->choosing_done)
		runner_say_progress(&m->runner,
			"checking: %zu of %zu files, %.0f s", m->checked,
			m->chosen_n, s);
	else
		runner_say_progress(&m->runner,
			"running: %zu of %zu files, %" PRIu64 " bits, %.0f s",
			m->known, m->inputs_n, set_cover_features(m->cover), s);
}

static uint64_t
cmin_bytes(const struct cmin *m)
{
	uint64_t bytes = 0;
	size_t i;

	for (i = 0; i < m->chosen_n; i++)
		bytes += m->inputs[m->chosen[i]].len;
	return bytes;
}

/* Prints the number of files in this state and the first names. */
static void
cmin_say_state(const struct cmin *m, enum cmin_state state, const char *what)
{
	char name[256];
	unsigned named = 0;
	size_t i;

	if (m->counts[state] == 0)
		return;
	runner_say(&m->runner,
		"%" PRIu64 " file%s left out, %s:", m->counts[state],
		m->counts[state] == 1 ? "" : "s", what);
	for (i = 0; i < m->inputs_n && named < CMIN_NAMED; i++) {
		if (m->inputs[i].state != state)
			continue;
		text_clean_string(m->inputs[i].path, name, sizeof(name));
		runner_say(&m->runner, "    %s", name);
		named++;
	}
	if (named < m->counts[state])
		runner_say(&m->runner, "    ...");
}

void
cmin_say_left_out(const struct cmin *m)
{
	char what[300];

	cmin_say_state(m, CMIN_FAILS, "the target fails on them");
	cmin_say_state(m, CMIN_REJECTED, "the target rejects them");
	cmin_say_state(m, CMIN_OTHER, "the target takes something else");
	snprintf(what, sizeof(what), "they could not be run%s%s",
		m->why[0] != '\0' ? ": " : "", m->why);
	cmin_say_state(m, CMIN_NOT_RUN, what);
}

static void
cmin_say_lines(const struct cmin *m)
{
	uint64_t all = set_cover_features(m->cover);
	char size[2][TEXT_NUMBER_SIZE], output[512];

	cmin_say_left_out(m);
	if (m->cut)
		runner_say(&m->runner,
			"some files hit more edges than one reply can hold: "
			"the rest is ignored");
	if (m->unchecked > 0)
		runner_say(&m->runner,
			"%" PRIu64
			" of the chosen files could not be run again: %s",
			m->unchecked, m->why);
	else if (m->seen_n < all)
		runner_say(&m->runner,
			"%" PRIu64
			" bits were missing when the chosen files were run "
			"again: the target's coverage is unstable",
			all - m->seen_n);
	if (m->flaky > 0)
		runner_say(&m->runner,
			"the target failed on %" PRIu64 " of the chosen files "
			"when they were run again",
			m->flaky);
	text_clean_string(m->output, output, sizeof(output));
	runner_say(&m->runner,
		"%" PRIu64 " -> %zu files, %s -> %s, %" PRIu64 " of %" PRIu64
		" bits",
		m->files, m->chosen_n, text_bytes(m->bytes, size[0]),
		text_bytes(cmin_bytes(m), size[1]), m->seen_n, all);
	if (m->chosen_n > 0)
		runner_say(&m->runner, "written to %s", output);
}

void
cmin_say_result(const struct cmin *m)
{
	double s = (double)(clock_now_ns() - m->start_ns) / 1e9;

	cmin_say_lines(m);
	runner_say_event(&m->runner,
		json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, "
			  "s:o, s:o, s:o, s:f}",
			"event", "corpus", "output", json_text_new(m->output),
			"files", json_count_new(m->files), "kept",
			json_count_new(m->chosen_n), "same",
			json_count_new(m->same), "failed",
			json_count_new(m->counts[CMIN_FAILS]), "rejected",
			json_count_new(m->counts[CMIN_REJECTED]), "other",
			json_count_new(m->counts[CMIN_OTHER]), "not_run",
			json_count_new(m->counts[CMIN_NOT_RUN]), "bytes",
			json_count_new(m->bytes), "bytes_kept",
			json_count_new(cmin_bytes(m)), "bits",
			json_count_new(set_cover_features(m->cover)),
			"bits_kept", json_count_new(m->seen_n), "seconds", s));
}

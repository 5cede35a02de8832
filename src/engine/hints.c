/*
 * hints: build hints for users who start a target for the first time. Each hint
 * is given once in a campaign. The advice comes first, because a screen may cut
 * the end.
 */
#include "engine/hints.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "corpus/corpus.h"
#include "corpus/energy.h"
#include "engine/corpus/load.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/pool/pool.h"
#include "engine/program.h"
#include "engine/statistics/counts.h"
#include "engine/statistics/earlier_runs.h"
#include "engine/statistics/run_clock.h"
#include "findings/own_code.h"
#include "shared/wire/rpc.h"
#include "worker/target/elf.h"
#include "worker/worker.h"

/* Less own code than HINTS_CODE_MIN counts as none. An edge stands for at most
 * HINTS_CODE_EACH bytes, whatever a sanitizer adds. */
#define HINTS_CODE_MIN 16384u
#define HINTS_CODE_EACH 1024u
/* With that many edges, no library was forgotten. */
#define HINTS_COUNTERS 32u
/* A program that had the same coverage for so long reads nothing. */
#define HINTS_DEAF_NS 2000000000ull
#define HINTS_DEAF_EXECUTIONS 200u
/* A small parser, measured: see cfuzz-figures(7). */
#define HINTS_LOOP_FASTER 200u

static void
hints_tell(struct engine *e, const char *text)
{
	message_print(e, "hint: %s", text);
	message_event(e, "hint", NULL, "%s", text);
}

/* Compares edges and code of the program and of its libraries. */
static void
hints_on_coverage(struct engine *e, uint64_t counters, uint32_t modules)
{
	struct own_code code;
	char text[512];

	if (counters >= UINT64_MAX / HINTS_CODE_EACH)
		return;
	own_code_read(program_info(e)->fd, &code);
	if (code.bytes >= HINTS_CODE_MIN &&
		code.bytes > counters * HINTS_CODE_EACH)
		snprintf(text, sizeof(text),
			"compile the tested library with cfuzz-cc, too: only "
			"%" PRIu64 " places in %" PRIu64 " kB of code are "
			"counted, and nothing leads into the rest",
			counters, code.bytes / 1000);
	else if (modules < 2 && counters < HINTS_COUNTERS &&
		code.library[0] != '\0')
		snprintf(text, sizeof(text),
			"compile %s with cfuzz-cc, too, if it is what you test: "
			"nothing in it is counted, so nothing leads into it",
			code.library);
	else
		return;
	hints_tell(e, text);
}

/* A program without instrumentation. */
static void
hints_on_binary(struct engine *e)
{
	char text[512];

	snprintf(text, sizeof(text),
		"a small program runs %u times faster with cfuzz-cc and "
		"cfuzz_loop(), see cfuzz(3); cfuzz-cc alone (make CC=cfuzz-cc) "
		"lets comparisons guide the search%s",
		HINTS_LOOP_FASTER,
		program_sanitizer(e)[0] != '\0'
			? ""
			: ", and -fsanitize=address shows memory errors that "
			  "do not crash");
	hints_tell(e, text);
}

void
hints_say(struct engine *e, const struct rpc_reply *ping)
{
	uint64_t counters = 0;
	uint32_t i, modules = 0;

	if (earlier_runs_count(e) > 1)
		return;
	if (program_is_binary(e)) {
		hints_on_binary(e);
		return;
	}
	for (i = 0; i < ping->modules_n; i++) {
		if (ping->modules[i].key == MEMORY_VALUE_PROFILE_KEY)
			continue;
		counters += ping->modules[i].n;
		modules++;
	}
	if (ping->sanitizer[0] == '\0')
		hints_tell(e,
			"no sanitizer: build with -fsanitize=address to see "
			"memory errors that do not crash");
	hints_on_coverage(e, counters, modules);
}

/* A single input has given all the coverage, and no other has changed it. */
static bool
hints_is_coverage_the_same(const struct engine *e)
{
	const struct corpus *corpus = engine_corpus(e);
	uint32_t i, n = 0;

	for (i = 0; i < corpus_len(corpus) && n < 2; i++)
		n += corpus_get(corpus, i)->new_bits > 0;
	return n == 1 && energy_favoured(engine_energy(e)) <= 1;
}

/* All inputs so far, seeds and mutations, have reached the same. */
static bool
hints_is_deaf(struct engine *e)
{
	return program_has_main(e) && program_is_instrumented(e) &&
		earlier_runs_count(e) <= 1 && !load_is_warming(e) &&
		run_clock_elapsed_ns(engine_clock(e)) >= HINTS_DEAF_NS &&
		counts_executions(e) >= HINTS_DEAF_EXECUTIONS &&
		hints_is_coverage_the_same(e);
}

/* The folder of the file is its owner's alone. */
static void
hints_on_file(struct engine *e)
{
	char text[256];

	snprintf(text, sizeof(text),
		"check the arguments of the program: it does not read the "
		"input file%s, and every input has the same coverage",
		geteuid() == 0 ? " (or may not, if it gives up the rights of "
				 "root)"
			       : "");
	hints_tell(e, text);
}

void
hints_on_second(struct engine *e)
{
	const struct worker *first = pool_worker(e, 0);

	if (first == NULL || worker_pid(first) <= 0 || !hints_is_deaf(e) ||
		!program_doubt_input(e, first, counts_executions(e)))
		return;
	if (program_is_binary(e))
		hints_tell(e,
			"try --coverage none if the program checks its own "
			"code, which has breakpoints: every input has the same "
			"coverage");
	if (program_reads_file(e))
		hints_on_file(e);
	else
		hints_tell(e,
			"write @@ where the arguments name a file, or use "
			"--input-file NAME: the program does not read standard "
			"input (a file, neither a pipe nor a terminal), and "
			"every input has the same coverage");
}

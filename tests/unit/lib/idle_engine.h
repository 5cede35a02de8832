/*
 * idle_engine: an engine without a worker process, for tests that make the
 * results of workers by hand.
 *
 * It has an output directory, a writer thread and a symbols helper. The program
 * needs fake_helper_main() in its main(), and own_note.h.
 */
#ifndef CFUZZ_TESTS_IDLE_ENGINE_H
#define CFUZZ_TESTS_IDLE_ENGINE_H

#include "engine/engine.h"
#include "engine/engine_private.h"
#include "engine/triage/findings_list.h"
#include "findings/finding.h"
#include "lib/tree.h"

struct idle {
	struct engine *engine;
	json_t *events;    /* the journal events of this run */
	char lines[16384]; /* the log lines of this run */
	unsigned findings; /* that were reported */
	struct worker_result *result;
	const unsigned *number; /* that idle_wait() waits for */
	struct job job;
};

/* options: name, value, …, NULL. The output directory is "out". */
void idle_open(struct idle *idle, const struct tree *tree,
	const char *const *options);
/* Ends the campaign: all files are written and the engine is destroyed. */
enum exit_status idle_close(struct idle *idle);
/* Runs the loop until all findings are named and announced. */
void idle_settle(struct idle *idle);
/* Runs the loop until the number is not 0. */
void idle_wait(struct idle *idle, const unsigned *n);
/* Runs the loop until the function returns true. */
typedef bool idle_done_fn(const struct idle *idle);
void idle_until(struct idle *idle, idle_done_fn *done);

/* A result of a failing input, with one frame of the target; 0: no frame. */
const struct worker_result *idle_result(struct idle *idle,
	enum failure_kind kind, int signo, uint64_t offset, const char *input);
/* Passes that result to the triage. */
void idle_fail(struct idle *idle, enum failure_kind kind, int signo,
	uint64_t offset, const char *input);

/*
 * Adds a module with n edge counters, the first of all. A call that asks for
 * its PC table is under way until idle_table() answers it, with numbers of
 * offsets, see TABLE_ENTRY; NULL: the worker does not know them.
 */
void idle_module(struct idle *idle, uint32_t n);
void idle_table(struct idle *idle, const uint64_t *numbers, uint32_t n);
/* This input hits an edge for the first time. entry may be NULL. */
void idle_hit(struct idle *idle, uint32_t counter,
	const struct corpus_entry *entry);

/* The number of events of a kind, and the last one; NULL: none. */
size_t idle_events(const struct idle *idle, const char *kind);
const json_t *idle_event(const struct idle *idle, const char *kind);
/* A text member of the last event of a kind; "": none. */
const char *idle_event_text(const struct idle *idle, const char *kind,
	const char *member);

#endif

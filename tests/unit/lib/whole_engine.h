/*
 * whole_engine: an engine with the test's own program as a fake worker.
 *
 * The program needs fake_worker_main() in its main(), and own_note.h.
 */
#ifndef CFUZZ_TESTS_WHOLE_ENGINE_H
#define CFUZZ_TESTS_WHOLE_ENGINE_H

#include "engine/engine.h"
#include "engine/engine_private.h"
#include "engine/triage/findings_list.h"
#include "findings/finding.h"
#include "lib/tree.h"

/* mode: what the worker does. options: name, value, …, NULL. */
struct engine *whole_engine_open(const struct tree *tree, const char *mode,
	const char *const *options, int control_fd, engine_report_fn *report,
	void *arg);

/* An engine that may be refused: NULL, see err. It reports nothing. */
struct engine *whole_engine_try(const struct tree *tree,
	const char *const *options, struct error *err);

/*
 * The engine of a campaign that is over, in "out". target: NULL: the test's own
 * program.
 */
struct engine *whole_engine_open_past(const struct tree *tree,
	const char *target, const char *mode, int control_fd,
	engine_report_fn *report, void *arg);

/* Runs it to its end, which must come by itself, within two minutes. */
enum exit_status whole_engine_run(struct engine *e, struct error *err);

/* Runs a line as the server does for the console that controls. */
enum status whole_engine_command(struct engine *e, const char *line,
	char *answer, size_t size, struct error *err);

/* Adds a finding that is to be replayed once; its minimization, or NULL. */
struct minimize_task *whole_engine_add_replay(struct engine *e);

bool whole_engine_has(const struct engine *e, const struct minimize_task *m);

#endif

/* engine_over: see engine_over.h. */
#include "engine/engine_over.h"

#include <stdio.h>
#include <string.h>
#include <event2/event.h>

#include "base/log.h"
#include "base/text.h"
#include "engine/corpus/load_files.h"
#include "engine/engine_end.h"
#include "engine/engine_end_check.h"
#include "engine/engine_over_private.h"
#include "engine/engine_over_state.h"
#include "engine/front/engine_stats.h"
#include "engine/front/server.h"
#include "engine/log/messages.h"
#include "engine/notify/hooks.h"
#include "engine/parts.h"
#include "engine/pool/pool.h"
#include "engine/pool/pool_workers.h"
#include "engine/program.h"
#include "engine/statistics/run_clock.h"
#include "engine/triage/minimize_tasks.h"
#include "engine/triage/triage.h"
#include "store/store.h"

#define OVER_FINISH_MS 5000
#define OVER_SAVE_S 30 /* between tries: each holds up the loop for a while */
#define OVER_PATH_SIZE 256

bool
over_begin(struct engine *e)
{
	if (engine_leaves(e) || pool_refused(e) ||
		engine_status(e) == EXIT_SETUP ||
		!server_any_stays(engine_server(e)))
		return false;
	run_clock_end(engine_clock(e));
	engine_set_over(e);
	/* On a slow disk store_wake() and over_save() write the rest. */
	(void)engine_stats_finish(e, OVER_FINISH_MS, NULL, NULL);
	program_leave_input(e);
	store_rest(engine_store(e));
	load_go_on(e);
	/* A client that sees the end may give work, which wakes the store. */
	server_begin_over(engine_server(e), engine_failure(e));
	return true;
}

void
over_run(struct engine *e)
{
	/* A timer of server_flush() may end the loop too early. */
	while (!engine_over_part(e)->finished)
		event_base_dispatch(engine_base(e));
}

static void
over_end_loop(struct engine *e)
{
	engine_over_part(e)->finished = true;
	event_base_loopexit(engine_base(e), NULL);
}

/* Writes what the disk has not taken so far, unless another run has begun. */
static void
over_save(struct engine *e)
{
	struct store *store = engine_store(e);
	struct error err = { 0 };

	if (!engine_unsaved(e))
		return;
	if (store_wake(store, &err) != OK) {
		log_debug("nothing is saved: %s", err.text);
		return;
	}
	(void)engine_stats_finish(e, OVER_FINISH_MS, NULL, NULL);
	store_rest(store);
}

void
over_leave(struct engine *e)
{
	struct over *over = engine_over_part(e);

	over->leaving = true;
	if (over->works) {
		engine_stop(e, END_USER);
	} else if (!over->finished) {
		over_save(e);
		over_end_loop(e);
	}
}

/* ---- work on findings ---- */

/* The work and its worker have ended: writes what they changed. */
static void
over_end_work(struct engine *e)
{
	struct over *over = engine_over_part(e);

	minimize_tasks_drain(e, false);
	triage_finish_asked(e);
	engine_stats_write(e);
	if (engine_stats_finish(e, OVER_FINISH_MS, NULL, NULL) > 0)
		message_disk(e, "files in memory until the disk takes them");
	program_leave_input(e);
	store_rest(engine_store(e));
	over->works = false;
	if (over->leaving)
		over_end_loop(e);
}

static bool
over_is_done(const struct engine *e)
{
	return engine_export(e) == NULL && engine_drained(e);
}

void
over_tick(struct engine *e)
{
	struct over *over = engine_over_part(e);

	if (!over->leaving && !server_any_stays(engine_server(e)))
		over_leave(e);
	if (!over->works)
		return;
	if (!engine_stopping(e) && over_is_done(e))
		engine_stop(e, END_NONE);
	if (engine_stopping(e) && pool_all_down(e, true) &&
		engine_names_settled(e) && engine_export(e) == NULL)
		over_end_work(e);
}

void
over_on_second(struct engine *e)
{
	struct over *over = engine_over_part(e);

	hooks_on_second(engine_hooks(e));
	if (!over->works) {
		if (store_rests(engine_store(e)) &&
			++over->seconds % OVER_SAVE_S == 0)
			over_save(e);
		return;
	}
	pool_note_orphans(e);
	triage_tick(e);
	message_disk(e, "files in memory until the disk takes them");
}

/* worker: the work needs one. */
static enum status
over_begin_work(struct engine *e, bool worker, struct error *err)
{
	struct over *over = engine_over_part(e);

	if (over->leaving)
		return error_set(err, E_STATE, "the console is being closed");
	if (worker && over->no_target.code != OK)
		return error_set(err, E_STATE, "%s", over->no_target.text);
	if (!over->works && store_wake(engine_store(e), err) != OK)
		return err->code;
	/* A worker that is being stopped starts again. */
	if (!over->works || worker)
		engine_reopen(e);
	over->works = true;
	if (worker && program_take_input(e, err) != OK)
		return err->code;
	return worker ? pool_start_one(e, err) : OK;
}

/* Says how the campaign goes on. */
static enum status
over_refuse(const struct engine *e, struct error *err)
{
	char target[OVER_PATH_SIZE], output[OVER_PATH_SIZE];
	char usual[OVER_PATH_SIZE];

	text_clean_string(program_path(e), target, sizeof(target));
	text_clean_string(engine_output_path(e), output, sizeof(output));
	snprintf(usual, sizeof(usual), "%s.cfuzz", program_name(e));
	if (strcmp(engine_output_path(e), usual) == 0)
		return error_set(err, E_STATE,
			"the campaign is over: cfuzz-tui %s continues it",
			target);
	return error_set(err, E_STATE,
		"the campaign is over: cfuzz-tui -o %s %s continues it", output,
		target);
}

enum status
over_admit(struct engine *e, enum command_id id, struct error *err)
{
	switch (id) {
	case COMMAND_PING:
	case COMMAND_QUIT:
	case COMMAND_TAKE:
	case COMMAND_GIVE:
		return OK;
	case COMMAND_DETACH:
		return error_set(err, E_STATE,
			"the campaign is over, so nothing can go on: quit leaves");
	case COMMAND_STEP:
		/* The work may be one without a worker, such as a note. */
		return over_works(e) && !engine_stopping(e)
			? over_begin_work(e, true, err)
			: OK;
	case COMMAND_STOP:
		return over_works(e) ? OK : over_refuse(e, err);
	case COMMAND_REPLAY:
	case COMMAND_MINIMIZE:
		return over_begin_work(e, true, err);
	case COMMAND_ACCEPT:
	case COMMAND_MARK:
	case COMMAND_NOTE:
	case COMMAND_EXPORT:
		return over_begin_work(e, false, err);
	default:
		return over_refuse(e, err);
	}
}

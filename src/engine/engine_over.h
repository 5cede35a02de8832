/*
 * engine_over: a campaign that is over, shown to the consoles that stay.
 *
 * Nothing is fuzzed any more: snapshots, queries and most views go on as they
 * are. The output directory is not locked, so that the next run may begin. A
 * command that changes or exports a finding locks it; a replay or minimization
 * also starts one worker. Lock and worker end with that work.
 */
#ifndef CFUZZ_ENGINE_ENGINE_OVER_H
#define CFUZZ_ENGINE_ENGINE_OVER_H

#include <stdbool.h>

#include "control/command.h"
#include "shared/status.h"

struct engine;

/* Call after the last file is written: the directory is no longer locked, and
 * the campaign begins to be shown. False: no console stays, or there is nothing
 * to show. */
bool over_begin(struct engine *e);
/* Turns the loop until the last console has left and its work is done. */
void over_run(struct engine *e);

/* In place of the engine's work on each tick, and each second. */
void over_tick(struct engine *e);
void over_on_second(struct engine *e);
/*
 * Whether the command makes sense now. Prepares what it needs: the directory,
 * and a worker for replays and minimizations. E_STATE: not now, or no worker
 * can start; also the errors of store_wake().
 */
enum status over_admit(struct engine *e, enum command_id id, struct error *err)
	MUST_CHECK;
/* Ends over_run(), after work that is under way has been stopped, and a last
 * try to write what the disk has refused. */
void over_leave(struct engine *e);

#endif

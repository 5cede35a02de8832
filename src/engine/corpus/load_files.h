/*
 * load_files: reads the seeds, the corpus, and the target's own dictionary.
 */
#ifndef CFUZZ_ENGINE_CORPUS_LOAD_FILES_H
#define CFUZZ_ENGINE_CORPUS_LOAD_FILES_H

#include <event2/event.h>

#include "shared/status.h"

struct engine;
struct rpc_reply;
struct worker;

/* Begins to load. Call when the first worker, w, is ready; ping is its answer.
 * E_EXISTS: the output directory belongs to a target with other parameter
 * types. */
enum status load_begin(struct engine *e, struct worker *w,
	const struct rpc_reply *ping, struct error *err) MUST_CHECK;
/* The same for a campaign that is over, whose store knows the types. */
void load_begin_past(struct engine *e);
/* Goes on, for those who look at a campaign that was stopped meanwhile. */
void load_go_on(struct engine *e);
/* Callback of engine_load_event(): reads a few files, and sets the event until
 * all are read. arg: the engine. */
void load_on_turn(evutil_socket_t fd, short what, void *arg);

#endif

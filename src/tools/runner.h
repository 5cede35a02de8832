/*
 * runner: a target, workers and a loop, for what runs inputs outside of a
 * campaign: there is no corpus, and nothing is written.
 *
 * Whoever uses it gives jobs and takes results. A worker that dies is started
 * again; one that does not start ends the whole.
 */
#ifndef CFUZZ_TOOLS_RUNNER_H
#define CFUZZ_TOOLS_RUNNER_H

#include <event2/event.h>

#include "engine/engine.h"
#include "findings/names.h"
#include "worker/campaign_memory.h"
#include "worker/elf.h"
#include "worker/isolation.h"
#include "worker/worker.h"

struct runner_handlers {
	/* The target has started: it is known what it takes (rig.types). An
	 * error ends the whole. May be NULL. */
	enum status (*on_ready)(void *arg, struct error *err);
	/* Fills in the next job, which is runner_job() already. False: there is
	 * none now; runner_wake() asks again. */
	bool (*next)(void *arg, struct job *job);
	void (*on_result)(void *arg, const struct worker *worker,
		const struct worker_result *result);
	/* The user wants it to end; NULL: runner_stop(). Asked again: that. */
	void (*on_stop)(void *arg);
	void (*on_second)(void *arg); /* may be NULL */
};

struct runner {
	const struct engine_config *config;
	const struct runner_handlers *handlers;
	void *arg;
	struct event_base *base;
	struct event *tick_event, *second_event, *signal_events[3];
	struct campaign_memory memory;
	struct process_strangers strangers;
	struct target_info target;
	struct isolation isolation;
	struct settings settings; /* a copy of the config's */
	struct worker *workers[MEMORY_WORKERS_MAX];
	uint32_t workers_n;
	struct names *names;
	char **envp, **argv;
	unsigned failed_starts; /* in a row, without an execution */
	unsigned signals;
	bool any_ready;           /* a worker has started */
	struct tuple_types types; /* that the target takes; from then on */
	char function[64];        /* that a typed one is made of; "": unknown */
	bool no_fork, instrumented;
	bool stopping, module_room_said;
	struct error fatal; /* what ended it */
};

/*
 * Inputs have at most max_len bytes. The config is borrowed. runner_close() is
 * due even after a failure.
 */
enum status runner_open(struct runner *rig, const struct engine_config *config,
	const struct runner_handlers *handlers, void *arg, uint32_t workers,
	uint64_t max_len, struct error *err) MUST_CHECK;
/* Until runner_stop(). What ended it otherwise is told. */
enum status runner_run(struct runner *rig, struct error *err) MUST_CHECK;
void runner_close(struct runner *rig);

/* A job of that kind, with the settings' limits and nothing else. */
void runner_job(const struct runner *rig, enum job_kind kind, struct job *job);
void runner_wake(struct runner *rig); /* there may be jobs now */
void runner_stop(struct runner *rig); /* calls under way end soon */

/* To the front end: a line; a line that the next one replaces; an object. */
void runner_say(const struct runner *rig, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void runner_say_progress(const struct runner *rig, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void runner_say_event(const struct runner *rig, json_t *take_event);

#endif

/*
 * runner: a target, workers and a loop to run inputs outside of a campaign:
 * there is no corpus and no output directory.
 *
 * The user of the runner gives jobs and takes results. A worker that dies is
 * restarted. The run ends if the first start fails, or if restarts in a row, as
 * many as three inputs that always end their worker take, bring no execution.
 */
#ifndef CFUZZ_TOOLS_RUNNER_H
#define CFUZZ_TOOLS_RUNNER_H

#include <event2/event.h>

#include "engine/engine.h"
#include "findings/names.h"
#include "worker/input_file.h"
#include "worker/memory/campaign_memory.h"
#include "worker/target/elf.h"
#include "worker/target/isolation.h"
#include "worker/worker.h"

struct runner_handlers {
	/* The target has started, so its types are known (runner.types). An
	 * error ends the run. May be NULL. */
	enum status (
		*on_ready)(void *arg, struct worker *worker, struct error *err);
	/* Fills in the next job of this worker, which runner_job() has
	 * initialized. False: there is none now; runner_wake() asks again. */
	bool (*next)(void *arg, const struct worker *worker, struct job *job);
	void (*on_result)(void *arg, const struct worker *worker,
		const struct worker_result *result);
	/* The user wants to stop. If NULL, or if the user repeats it,
	 * runner_stop() is called. */
	void (*on_stop)(void *arg);
	void (*on_second)(void *arg); /* once a second; may be NULL */
};

/* The next job of a worker. */
struct runner_job {
	bool waits; /* until the worker has a fresh process */
	struct job job;
};

struct runner {
	const struct engine_config *config;
	const struct runner_handlers *handlers;
	void *arg;
	struct event_base *base;
	struct event *tick_event, *second_event;
	struct event *signal_events[3]; /* NULL: it is ignored */
	struct campaign_memory memory;
	struct process_strangers strangers;
	struct target_info target;
	struct isolation isolation;
	struct input_file_spec input;
	char folder[512];         /* for the input files; "": none */
	struct settings settings; /* copy from the config */
	struct worker *workers[MEMORY_WORKERS_MAX];
	uint32_t workers_n;
	struct runner_job *jobs; /* of each worker */
	struct names *names;
	char **envp, **argv;
	unsigned failed_starts;   /* in a row without an execution */
	unsigned signals;         /* SIGINT, SIGTERM, SIGHUP so far */
	bool any_ready;           /* a worker has started */
	struct tuple_types types; /* of the target, once any_ready */
	char function[64];        /* typed function's name; "": unknown */
	char sanitizer[32];       /* of the target; "": none */
	bool no_fork, instrumented;
	bool leaks_unseen; /* in a worker, see unseen_leaks() */
	bool stopping, module_room_said;
	struct error fatal; /* the error that ended the run */
};

/*
 * Inputs have at most max_len bytes. workers: 0 runs nothing; never more than
 * the settings' parallel. The config and handlers are borrowed. E_USAGE: no
 * worker can be started; other errors: the target cannot be used. Call
 * runner_close() even after a failure; it ignores a runner of zeros, which was
 * never opened.
 */
enum status runner_open(struct runner *runner,
	const struct engine_config *config,
	const struct runner_handlers *handlers, void *arg, uint32_t workers,
	uint64_t max_len, struct error *err) MUST_CHECK;
/* Runs until runner_stop(); err describes any other end. */
enum status runner_run(struct runner *runner, struct error *err) MUST_CHECK;
void runner_close(struct runner *runner);

/* Initializes a job of that kind with the limits of the settings. */
void runner_job(const struct runner *runner, enum job_kind kind,
	struct job *job);
/* Has the input run? If not, its process or the program had ended before, or did
 * not start again: the input, which is not to blame, should run again, but not
 * more than RUNNER_TRIES times in all. */
#define RUNNER_TRIES 3
static inline bool
runner_has_run(const struct worker_result *result)
{
	return result->count > 0 && result->failure.kind != FAILURE_PROTOCOL;
}
/* Has the system refused what the input needs, such as room on a disk or a process?
 * result->error says why. The worker has tried for a while. */
static inline bool
runner_was_refused(const struct worker_result *result)
{
	return result->count == 0 && result->error[0] != '\0';
}
/* Should the input of this result run again? tries: its runs so far that were
 * none; 0 at first, and again after an answer of false. Unlike above, damaged data
 * is taken for the work of the input if nothing else was lost: a clean run after
 * it does not say that the input is harmless. */
static inline bool
runner_again(const struct worker_result *result, unsigned *tries)
{
	bool blamed = result->count > 0 && !result->lost &&
		!worker_is_foreign(result->worker);
	bool again = !result->interrupted && !blamed &&
		!runner_has_run(result) && !runner_was_refused(result) &&
		++*tries < RUNNER_TRIES;

	if (!again)
		*tries = 0;
	return again;
}
void runner_wake(struct runner *runner); /* there may be jobs now */
void runner_stop(struct runner *runner); /* current calls end soon */

/* To the front end: a line; a line that the next one replaces; a JSON object,
 * whose reference is taken (NULL: nothing). Lines are cut at 4095 bytes. */
void runner_say(const struct runner *runner, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
/* The line "running PROGRAM (build B)": for tools that take the program from an
 * output directory. */
void runner_say_target(const struct runner *runner);
void runner_say_progress(const struct runner *runner, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void runner_say_event(const struct runner *runner, json_t *take_event);

#endif

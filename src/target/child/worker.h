/*
 * worker: what the fork server and the child of a worker share.
 *
 * It is opened from the engine's descriptors before the target's own code runs.
 * From the first execution on, the target may overwrite worker memory: values
 * that must stay correct are kept here.
 */
#ifndef CFUZZ_TARGET_CHILD_WORKER_H
#define CFUZZ_TARGET_CHILD_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "shared/status.h"
#include "shared/values/tuple.h"
#include "shared/wire/memory.h"
#include "target/abi.h"

struct worker {
	int in_fd, out_fd; /* requests and replies */
	int report_fd;     /* sanitizer reports */
	int stderr_fd;     /* a copy of fd 2, if a memfd; -1: none */
	int memory_fd;     /* of worker memory; see worker_close_memory() */
	uint8_t *memory;
	struct worker_head *head; /* start of memory */
	struct worker_layout layout;
	const struct campaign_head *campaign; /* read-only */
	uint32_t slot; /* number of the worker, below MEMORY_WORKERS_MAX */
	target_function *target;
	struct tuple_types types; /* of a typed target; n 0: plain bytes */
	int32_t threads;          /* the target's, after its initialisation */
	bool no_fork;             /* there are several threads */
	pid_t guardian;           /* 0: none; see target/server/guardian.h */
	uint32_t *guardian_over;  /* shared with it; not 0: it is to end */
	const char *kind;         /* of the target, for people */
	/*
	 * The target function forks a process for each input. The worker calls
	 * this in each new child; NULL: the function forks none.
	 */
	void (*on_child)(void);
	bool fail_on_exit;      /* of such a process: status 0 alone is fine */
	const char *input_path; /* of a program's input; NULL: standard input */
	/* The program of another fuzzer that this one runs; NULL: none. */
	const struct worker_foreign *foreign;
	/* The target is a program that asks for its inputs in a loop. */
	bool loops;
	/* This process can run no more inputs: the program has left the loop,
	 * for one. */
	bool spent;
	uint64_t lives; /* inputs until a child is replaced; 0: any number */
};

struct worker_foreign {
	const char *sanitizer; /* as in the first answer */
	/* A child that leaves a reason and exits with WORKER_EXIT_LOST has lost
	 * the program. The fork server then calls stop(), kills all that the
	 * target has started, and calls start(), which ends the worker if it
	 * cannot start the program. */
	const char *why; /* the reason of the loss, or ""; in shared memory */
	void (*stop)(void);
	void (*start)(void);
	/* Writes the words of the program's dictionary as seeds_write() writes
	 * seeds, and returns their number. Such a program has no seeds. */
	uint32_t (*words)(uint8_t *to, size_t room);
};
#define WORKER_EXIT_LOST 70

/*
 * Takes the engine's descriptors, which begin at base (WORKER_FD_...), and maps
 * both memories until the process ends. E_PROTOCOL: descriptors are missing,
 * the engine has another WIRE_VERSION, or a memory has a wrong size.
 */
enum status worker_open(struct worker *worker, int base, struct error *err)
	MUST_CHECK;

/*
 * Closes memory_fd, unless another program needs it: a target that writes to
 * all its descriptors must not reach the memory.
 */
void worker_close_memory(struct worker *worker);

/* Forgets what sanitizers and target have written for the engine. What the
 * target has in place of the engine's standard error stays. */
void worker_rewind_output(const struct worker *worker);

/*
 * Ends the child by the signal that has ended its run, so that the fork server
 * finds the failure.
 */
void worker_die(int signo) __attribute__((noreturn));

/* The worker that is open in this process; NULL: none. */
struct worker *worker_opened(void);

/* Sets threads and no_fork, after the target's initialisation. */
void worker_count_threads(struct worker *worker);

/* Has the engine ended the call? */
static inline bool
worker_call_is_over(const struct worker *worker, uint64_t seq)
{
	const struct campaign_slot *slot =
		&worker->campaign->slots[worker->slot];

	return __atomic_load_n(&slot->end_seq, __ATOMIC_RELAXED) >= seq;
}

/* Does the engine hold the worker paused? */
bool worker_is_paused(const struct worker *worker);

/*
 * Moves a descriptor to 1024 or above if the limits allow, or else as high as
 * possible, because targets may close or write to low ones. Returns the new
 * descriptor, close-on-exec, or -1; the old one is closed.
 */
int worker_raise_fd(int take_fd);

uint64_t worker_now_ns(void); /* monotonic */

#endif

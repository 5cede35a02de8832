/*
 * fork_server: the process that the engine started, after its initialisation.
 *
 * It never runs an input. It forks a child that does, hands it calls, and
 * notices whatever becomes of it: an answer, a death, a stop, silence. It is
 * the guardian of everything that the target starts, and ends it all when
 * the engine goes.
 */
#ifndef CFUZZ_TARGET_SERVER_FORK_SERVER_H
#define CFUZZ_TARGET_SERVER_FORK_SERVER_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "shared/wire/rpc.h"
#include "target/child/child.h"
#include "target/child/worker.h"
#include "target/server/process_tree.h"

struct fork_server {
	struct worker *worker;
	struct child *runner; /* what a child is a fork of */
	pid_t self;
	pid_t pid;        /* of the child; 0: none */
	int link_fd;      /* to the child; -1: none */
	int signal_fd;    /* SIGCHLD; -1: the target has it */
	uint8_t token;    /* the last byte on the link */
	uint32_t calls;   /* short ones */
	uint64_t fork_ns; /* making the child took, since it was asked */
	int refused;      /* an errno: why there is no child */
	sigset_t mask;    /* as the target's initialisation left it */
	struct sigaction on_int, on_child, on_pipe; /* ditto */
	struct process_tree_exempt_list spared;
	struct failure_module modules[FAILURE_MODULES_MAX];
	uint32_t modules_n;
	enum rpc_leaks leaks;
	bool idle_death; /* the child ended between two calls */
	struct failure idle_failure;
	char *report; /* room for FORK_SERVER_REPORT_MAX bytes */
};

#define FORK_SERVER_REPORT_MAX (256u << 10)

/* What leaks are looked for in a call? always: where they can be. */
enum call_leaks fork_server_leaks(const struct fork_server *keeper,
	bool always);

/* What became of a call. */
struct fork_server_result {
	bool died;
	struct failure failure; /* kind FAILURE_NONE: none */
	struct outcome outcome; /* copied once; unchecked */
	uint64_t total_ns;
};

/* Becomes a keeper: call when the target is initialised. False: cannot. */
bool fork_server_open(struct fork_server *keeper, struct worker *worker,
	struct child *runner);

/* The next call runs in a child of its own. */
void fork_server_discard_child(struct fork_server *keeper);

/*
 * Has the call executed. If the engine goes meanwhile, ends the process. The
 * caller has put value, length and count into worker memory.
 */
void fork_server_call(struct fork_server *keeper, const struct call *call,
	struct fork_server_result *result);

/*
 * Waits until the engine says something, and for nothing else; a child that
 * ends meanwhile is remembered. False: the engine is gone.
 */
bool fork_server_wait_for_engine(struct fork_server *keeper);

/* Ends everything that the target has started. */
void fork_server_close(struct fork_server *keeper);
void fork_server_exit(struct fork_server *keeper, int status)
	__attribute__((noreturn));

#endif

/*
 * fork_server: the process that forks children to run inputs.
 *
 * It is the process that the engine started, after the target's initialisation.
 * It runs no input itself. It sends calls to a child and sees how they end: by
 * an answer, a death, a stop or a lost link. When the engine is gone, it kills
 * everything that the target has started.
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
	struct child *runner; /* state that each child inherits */
	pid_t self;
	pid_t pid;        /* the child's; 0: none */
	int link_fd;      /* to the child; -1: none */
	int signal_fd;    /* for SIGCHLD; -1: the target's */
	uint8_t token;    /* last byte sent on the link */
	uint32_t calls;   /* all but CALL_FUZZ */
	uint64_t fork_ns; /* time spent in forks for this request */
	int refused;      /* errno: why there is no child */
	sigset_t mask;    /* as the target's initialisation left it */
	struct sigaction on_int, on_child, on_pipe; /* ditto */
	struct process_tree_exempt_list exempt;
	struct failure_module modules[FAILURE_MODULES_MAX];
	uint32_t modules_n;
	enum rpc_leaks leaks;
	bool idle_death; /* the child ended between two calls */
	struct failure idle_failure;
	char *report; /* FORK_SERVER_REPORT_MAX bytes */
};

#define FORK_SERVER_REPORT_MAX (256u << 10)

/* The leak checks of a call. always: at each execution, if possible. */
enum call_leaks fork_server_leaks(const struct fork_server *server,
	bool always);

/* The result of a call. */
struct fork_server_result {
	bool died;
	struct failure failure; /* FAILURE_NONE if it has not failed */
	struct outcome outcome; /* copied once; unchecked */
	uint64_t total_ns;
};

/*
 * Turns this process into a fork server, after the target's initialisation.
 * False: not possible.
 */
bool fork_server_open(struct fork_server *server, struct worker *worker,
	struct child *runner);

/* Kills the child; the next call runs in a new one. */
void fork_server_discard_child(struct fork_server *server);

/*
 * Runs a call; ends the process if the engine goes meanwhile. The caller has
 * set value, length and count in worker memory.
 */
void fork_server_call(struct fork_server *server, const struct call *call,
	struct fork_server_result *result);

/*
 * Waits for input from the engine. Notes the death of an idle child. False: the
 * engine is gone.
 */
bool fork_server_wait_for_engine(struct fork_server *server);

/* Kills everything that the target has started. */
void fork_server_close(struct fork_server *server);
void fork_server_exit(struct fork_server *server, int status)
	__attribute__((noreturn));

#endif

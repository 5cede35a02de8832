/*
 * fork_server_state: the state of a fork server, and the result of a call.
 */
#ifndef CFUZZ_TARGET_SERVER_FORK_SERVER_STATE_H
#define CFUZZ_TARGET_SERVER_FORK_SERVER_STATE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "shared/wire/rpc.h"
#include "target/child/child.h"
#include "target/child/worker.h"
#include "target/server/process_tree.h"

#define FORK_SERVER_REPORT_MAX (256u << 10) /* bytes of a report read */

struct fork_server {
	struct worker *worker; /* borrowed */
	struct child *runner;  /* borrowed; state that each child inherits */
	pid_t self;            /* of the fork server */
	pid_t pid;             /* the child's; 0: none */
	int link_fd;           /* to the child; -1: none */
	int signal_fd;         /* for SIGCHLD; -1: the target's */
	uint8_t token;         /* last byte sent on the link */
	uint32_t calls;        /* number of calls, without CALL_FUZZ */
	uint64_t fork_ns;      /* time spent in forks for this request */
	/* Why the system has refused to run the call: an errno, and the text.
	 * 0: it has run. */
	int refused;
	char refusal[256];
	sigset_t mask; /* as the target's initialisation left it */
	struct sigaction on_int, on_child, on_pipe; /* also as it left them */
	struct process_tree_exempt_list exempt;
	size_t files_n; /* open when the fork server was opened */
	/* Loaded when the fork server was opened. */
	struct failure_module modules[FAILURE_MODULES_MAX];
	uint32_t modules_n;
	enum rpc_leaks leaks;
	bool has_failed; /* the last call: what it has written was read */
	bool idle_death; /* the child failed between two calls, ... */
	struct failure idle_failure; /* ... for this reason */
	char *report;                /* mapped; FORK_SERVER_REPORT_MAX bytes */
};

/* The result of a call. */
struct fork_server_result {
	bool died;              /* also killed after a stop or a broken link */
	struct failure failure; /* FAILURE_NONE if it has not failed */
	struct outcome outcome; /* copied once; unchecked */
	uint64_t total_ns;      /* duration of the call, with the fork */
};

#endif

/*
 * hook_process: runs a command of the user with facts on its standard input.
 *
 * The command leads a session of its own, without a terminal; what it prints is
 * lost. It is killed with its whole process group when its time is over.
 */
#ifndef CFUZZ_ENGINE_NOTIFY_HOOK_PROCESS_H
#define CFUZZ_ENGINE_NOTIFY_HOOK_PROCESS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <jansson.h>

#include "shared/status.h"

#define HOOK_WHY_SIZE 96

struct hook_process {
	pid_t pid;       /* 0: none runs */
	uint64_t end_ns; /* when its time is over */
	bool killed;     /* its time was over; end_ns is a second later now */
	bool told;       /* because cfuzz was told to end */
};

/*
 * Splits a command line into arguments, NULL-ended, to be freed with
 * xfree_list(). Blanks separate them; '…' and "…" keep blanks, a backslash
 * keeps the next byte except in '…'. E_FORMAT: no argument, or a quote that is
 * not closed.
 */
enum status hook_argv_parse(const char *line, char ***argv, struct error *err)
	MUST_CHECK;

/*
 * Starts a command. facts: an object of texts and numbers; each member is in
 * the environment as well: "path" is CFUZZ_PATH. ns: the time that it may run.
 * E_NOT_FOUND: there is no such program, it cannot be started, or the facts are
 * longer than 32 KiB.
 */
enum status hook_start(struct hook_process *hook, char *const *argv,
	const json_t *facts, uint64_t ns, struct error *err) MUST_CHECK;

/* True: it runs. False: none runs; `why` says what was wrong with one that has
 * just ended, "": nothing. */
bool hook_check(struct hook_process *hook, char why[HOOK_WHY_SIZE]);

/*
 * Waits until it has ended, at most for its time and a second. leave: signals
 * that end it before its time; the caller has blocked them. False: one of them
 * has come, and is taken. why: as of hook_check().
 */
bool hook_wait(struct hook_process *hook, const sigset_t *leave,
	char why[HOOK_WHY_SIZE]);

#endif

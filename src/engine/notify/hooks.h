/*
 * hooks: --on-finding and --on-end run commands of the user.
 *
 * One command runs at a time. Before the end, at most one starts per second.
 * The engine waits for none of them while it turns its loop. Findings that come
 * faster wait, and beyond HOOKS_WAITING are left out. A failure is reported once
 * for each option.
 */
#ifndef CFUZZ_ENGINE_NOTIFY_HOOKS_H
#define CFUZZ_ENGINE_NOTIFY_HOOKS_H

#include <signal.h>
#include <stdbool.h>

#include "engine/log/engine_report.h"
#include "shared/status.h"

#define HOOKS_WAITING 32

struct engine;
struct hooks;

/* E_USAGE: a command cannot be run; the message names the option. *hooks is
 * NULL without commands, which all functions accept. */
enum status hooks_create(struct hooks **hooks, struct engine *e,
	struct error *err) MUST_CHECK;
/* Kills a command that still runs. */
void hooks_destroy(struct hooks *hooks);

/* A new finding, whose input is on the disk. */
void hooks_on_finding(struct hooks *hooks,
	const struct snapshot_finding *finding);
/* Looks after the command that runs, and starts the next. Once a second. */
void hooks_on_second(struct hooks *hooks);
/* Call once when all is saved: from now on the commands that wait are due, but
 * none of them is started after --hook-time; the last one is that of --on-end.
 * stays: consoles still see events. */
void hooks_end(struct hooks *hooks, const struct snapshot *snapshot,
	bool stays);
/* Runs those that are due, and waits for each, at most --hook-time and a
 * second. leave: a signal of this set, which the caller has blocked, ends the
 * command that runs, and those that wait are left out. */
void hooks_finish(struct hooks *hooks, const sigset_t *leave);

#endif

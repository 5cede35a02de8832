/*
 * hooks: --on-finding and --on-end run commands of the user.
 *
 * One command runs at a time. Before the end, at most one starts per second,
 * and the engine never waits for it. Findings that come faster wait, and beyond
 * HOOKS_WAITING are left out. A failure is reported once for each option.
 */
#ifndef CFUZZ_ENGINE_NOTIFY_HOOKS_H
#define CFUZZ_ENGINE_NOTIFY_HOOKS_H

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
/* Call when all is saved: runs the commands that wait, but starts none of them
 * after --hook-time, then --on-end. Waits for each, at most --hook-time and a
 * second. */
void hooks_finish(struct hooks *hooks, const struct snapshot *snapshot);

#endif

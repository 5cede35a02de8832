/*
 * hooks: --on-finding and --on-end run commands of the user.
 *
 * One command runs at a time, one start per second; the engine never waits for
 * it before the end. Findings that come faster wait, and beyond HOOKS_WAITING
 * are left out. A failure is said once for each option.
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
void hooks_destroy(struct hooks *hooks);

/* A new finding, whose input is on the disk. */
void hooks_on_finding(struct hooks *hooks,
	const struct snapshot_finding *finding);
/* Looks after the command that runs, and starts the next. Once a second. */
void hooks_on_second(struct hooks *hooks);
/* All is saved: runs what waits, then --on-end; waits for each at most
 * --hook-time. */
void hooks_finish(struct hooks *hooks, const struct snapshot *snapshot);

#endif

/*
 * worker_hold: stops a call that goes on during a pause.
 */
#include <signal.h>

#include "worker/worker_private.h"

#define MS 1000000ull
#define PAUSE_GRACE_MS 150 /* time for a call to end by itself */

/*
 * The fork server of an AFL++ program would take a run that is stopped for one
 * that has ended: it must stop first. True: it still runs.
 */
static bool
worker_hold_parent(struct worker *w, pid_t parent)
{
	struct proc_times times;

	if (w->no_fork || !proc_is_child(parent, w->process.fork_server))
		return false;
	if (parent != w->parent_stopped)
		kill(parent, SIGSTOP);
	w->parent_stopped = parent;
	return proc_times(parent, &times) && times.state != 'T';
}

void
worker_hold(struct worker *w, uint64_t now)
{
	struct proc_times times = { .parent = 0 };
	pid_t child;

	if (!w->has_job ||
		worker_since(now, w->paused_ns) < PAUSE_GRACE_MS * MS)
		return;
	child = worker_runner(w);
	if (child == 0 || (proc_times(child, &times) && times.state == 'T'))
		return;
	campaign_memory_set_paused(w->config.campaign, w->slot, true);
	if (worker_hold_parent(w, times.parent))
		return;
	process_signal_group(child, SIGSTOP);
	w->child_stopped = true;
}

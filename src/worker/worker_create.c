/*
 * worker_create: creates and destroys a worker and its memory.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/xmalloc.h"
#include "shared/wire/shm_names.h"
#include "worker/worker_private.h"

#define STDERR_FILE_SIZE (256u << 10)

struct worker_head *
worker_head(const struct worker *w)
{
	return (struct worker_head *)(void *)w->memory.map;
}

enum status
worker_fit(struct worker *w, struct error *err)
{
	uint32_t max_len = w->config.campaign->head->max_len;
	struct worker_layout layout;
	struct sealed memory;

	if (w->max_len == max_len)
		return OK;
	worker_layout_init(&layout, max_len);
	if (sealed_create(&memory, "cfuzz-worker", layout.size, 0, err) != OK)
		return err->code;
	if (w->memory.map != NULL)
		((struct worker_head *)(void *)memory.map)->custom_rest =
			worker_head(w)->custom_rest;
	sealed_close(&w->memory);
	w->memory = memory;
	w->layout = layout;
	w->max_len = max_len;
	w->ring_copy = xrealloc(w->ring_copy, layout.ring_size);
	w->candidate_copy = xrealloc(w->candidate_copy, layout.value_size);
	w->best_copy = xrealloc(w->best_copy, layout.best_size);
	return OK;
}

struct worker *
worker_create(const struct worker_config *config, uint32_t slot,
	struct error *err)
{
	struct worker *w = xcalloc(1, sizeof(*w));

	w->config = *config;
	w->slot = slot;
	w->process = (struct process){ .pidfd = -1, .in_fd = -1, .out_fd = -1 };
	proc_memory_init(&w->memory_used);
	input_file_init(&w->input, config->input, config->argv, config->envp,
		slot);
	w->memory.fd = w->stderr_file.fd = w->report_file.fd = -1;
	w->step_ns = UINT64_MAX;
	if (worker_fit(w, err) != OK ||
		sealed_create(&w->stderr_file, "cfuzz-stderr", STDERR_FILE_SIZE,
			0, err) != OK ||
		sealed_create(&w->report_file, "cfuzz-report", STDERR_FILE_SIZE,
			0, err) != OK) {
		worker_destroy(w);
		return NULL;
	}
	w->report_copy = xmalloc(STDERR_FILE_SIZE + 1);
	return w;
}

void
worker_drop_events(struct worker *w)
{
	if (w->read_event != NULL)
		event_free(w->read_event);
	if (w->exit_event != NULL)
		event_free(w->exit_event);
	w->read_event = w->exit_event = NULL;
}

void
worker_destroy(struct worker *w)
{
	siginfo_t end;
	pid_t child;

	if (w == NULL)
		return;
	if (w->process.pid != 0) {
		child = worker_child(w);
		process_signal_group(child, SIGKILL);
		process_signal(&w->process, SIGKILL);
		(void)waitid(P_PID, (id_t)w->process.pid, &end,
			WEXITED | WNOWAIT);
		shm_names_unlink(w->process.pid);
		waitpid(w->process.pid, NULL, 0);
	}
	worker_drop_events(w);
	process_close(&w->process);
	proc_memory_close(&w->memory_used);
	input_file_clear(&w->input);
	sealed_close(&w->memory);
	sealed_close(&w->stderr_file);
	sealed_close(&w->report_file);
	free(w->ring_copy);
	free(w->candidate_copy);
	free(w->best_copy);
	free(w->other_copy);
	free(w->keep_copy);
	free(w->report_copy);
	free(w);
}

void
worker_set_limits(struct worker *w, const struct worker_limits *limits)
{
	w->limits = *limits;
}

void
worker_clear_memory(struct worker *w)
{
	struct worker_head *head = worker_head(w);
	struct custom_rest rest = head->custom_rest;

	memset(head, 0, sizeof(*head));
	head->slot = w->slot;
	head->custom_rest = rest;
	head->parent = head->partner = MEMORY_NO_ENTRY;
	lseek(w->stderr_file.fd, 0, SEEK_SET);
	lseek(w->report_file.fd, 0, SEEK_SET);
	w->line_len = 0;
	w->reviving_seen = 0;
	w->why[0] = '\0';
	w->kill_reason = FAILURE_NONE;
	w->stop_killed = false;
	w->step = STOP_NONE;
	w->step_ns = UINT64_MAX;
	w->child_stopped = false;
	w->parent_stopped = 0;
	w->eof_ns = 0;
	w->condemned = false;
	w->inner_child = w->outer_child = 0;
}

/* child: serves calls and runs executions, see child.h. */

#include "target/child/child.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shared/pages.h"
#include "target/abi.h"
#include "target/child/child_log.h"
#include "target/child/fail.h"
#include "target/child/leaks.h"
#include "target/child/typed.h"
#include "target/crash/crash.h"
#include "target/crash/exits.h"
#include "target/crash/sanitizers.h"
#include "target/hooks/counters.h"
#include "target/hooks/hooks_cmp.h"
#include "target/hooks/pc_table.h"
#include "target/traps/traps.h"

#define CHILD_PAGE 4096u
/* The file of the target's output has 256 KiB, and only the last words count. */
#define CHILD_OUTPUT_MAX (128 << 10)
#define CHILD_OUTPUT_RUNS 64u /* a power of 2 */

bool
child_init(struct child *c, struct worker *w)
{
	*c = (struct child){ .worker = w,
		.head = w->head,
		.forked = exits_fork_flag() };
	c->value = w->memory + w->layout.value_offset;
	/* The scan reads whole words, past the last counter. */
	c->coverage = pages_map(MEMORY_COUNTERS_MAX + sizeof(uint64_t));
	c->edges_hit = pages_map(MEMORY_EDGES_HIT_MAX * sizeof(*c->edges_hit));
	c->copy = pages_map(w->layout.value_size);
	c->original = pages_map(CHILD_PAGE);
	log_open(c);
	return c->coverage != NULL && c->edges_hit != NULL && c->copy != NULL &&
		c->original != NULL && scan_init(&c->scan) &&
		guard_init(&c->guard, w->layout.value_size) &&
		typed_reserve(w->types.n > 0 ? w->layout.value_size : 0) &&
		custom_init(&c->custom, w->head, w->layout.value_size);
}

/*
 * A process that is forked for each input need not copy these pages, and what is
 * written to them here costs no page fault after each fork.
 */
static void
child_keep_from_runs(const struct child *c)
{
	uintptr_t start = (uintptr_t)c & ~(uintptr_t)(CHILD_PAGE - 1);

	(void)madvise((void *)start, (uintptr_t)(c + 1) - start, MADV_DONTFORK);
	(void)madvise((void *)(uintptr_t)c->worker->campaign,
		c->worker->campaign->size, MADV_DONTFORK);
	guard_keep_from_forks(&c->guard);
	(void)madvise(c->coverage, MEMORY_COUNTERS_MAX, MADV_DONTFORK);
	(void)madvise(c->edges_hit,
		MEMORY_EDGES_HIT_MAX * sizeof(*c->edges_hit), MADV_DONTFORK);
	(void)madvise(c->copy, c->worker->layout.value_size, MADV_DONTFORK);
	scan_keep_from_forks(&c->scan);
}

void
child_claim(struct child *c)
{
	const struct crash_input input = { &c->guard, &c->value_len, c->value };

	if (c->worker->on_child != NULL) {
		child_keep_from_runs(c);
		c->worker->on_child();
	} else {
		crash_protect(&input);
	}
	*c->original = 1;
	c->custom.original = c->original;
#ifdef MADV_WIPEONFORK
	(void)madvise((void *)(uintptr_t)c->original, CHILD_PAGE,
		MADV_WIPEONFORK);
#endif
}

/* A process that an earlier input forked may have written a report there, which
 * must not name a later failure. */
__attribute__((noinline)) static void
child_rewind_output(const struct child *c)
{
	int fd = c->worker->stderr_fd;

	if (fd >= 0 &&
		(*c->forked || lseek(fd, 0, SEEK_CUR) > CHILD_OUTPUT_MAX))
		(void)lseek(fd, 0, SEEK_SET);
	*c->forked = false;
}

CALLS_TARGET enum child_run
child_execute(struct child *c)
{
	struct worker_head *head = c->head;
	uint8_t *data;
	int64_t result;

	head->value_len = c->value_len;
	__atomic_store_n(&head->count, ++c->count, __ATOMIC_RELAXED);
	if (__builtin_expect(c->count % CHILD_OUTPUT_RUNS == 0 || *c->forked,
		    0))
		child_rewind_output(c);
	data = guard_put(&c->guard, c->value, c->value_len);
	if (__builtin_expect(c->attends, 0))
		child_attend(c, data);
	result = c->worker->target(data, c->value_len);
	if (__builtin_expect(c->attends, 0))
		result = child_attended(c, (int)result);
	if (__builtin_expect(*c->original == 0, 0))
		_exit(0); /* a copy that the target forked */
	if (__builtin_expect(fail_happened(), 0))
		return CHILD_FAILED;
	if (__builtin_expect(!guard_has(data, c->value, c->value_len), 0)) {
		/* Either copy may have changed. If count and length in worker
		 * memory are intact, the copy there counts as intact, too: the
		 * target has changed its input. */
		head->failure.kind = head->count == c->count &&
				head->value_len == c->value_len
			? FAILURE_INPUT_MODIFIED
			: FAILURE_PROTOCOL;
		return CHILD_FAILED;
	}
	if (__builtin_expect(result != 0, 0)) {
		if (result == -1)
			return CHILD_REJECTED;
		if (result == CHILD_KEPT_MEMORY ||
			result == CHILD_KEPT_REJECTED) {
			leaks_wipe();
			return result == CHILD_KEPT_MEMORY ? CHILD_KEEPS
							   : CHILD_REJECTED;
		}
		head->outcome.odd_return = 1;
	}
	return CHILD_FINE;
}

enum child_run
child_execute_timed(struct child *c, uint64_t *run_ns)
{
	uint64_t start_ns = worker_now_ns();
	enum child_run run = child_execute(c);

	*run_ns = worker_now_ns() - start_ns;
	return run;
}

const uint8_t *
child_campaign_coverage(const struct child *c)
{
	const struct campaign_head *campaign = c->worker->campaign;

	return (const uint8_t *)campaign + campaign->coverage_offset;
}

/* Adds features that the engine has merged since; they are not new any more. */
static void
child_update_coverage(struct child *c)
{
	const struct campaign_head *campaign = c->worker->campaign;
	const uint8_t *seen = child_campaign_coverage(c);
	uint32_t n = __atomic_load_n(&campaign->counters, __ATOMIC_ACQUIRE);

	if (n > MEMORY_COUNTERS_MAX)
		n = MEMORY_COUNTERS_MAX;
	for (uint32_t i = 0; i < n; i += sizeof(uint64_t)) {
		uint64_t ours, theirs;

		memcpy(&ours, c->coverage + i, sizeof(ours));
		memcpy(&theirs, seen + i, sizeof(theirs));
		theirs |= ours;
		if (theirs != ours)
			memcpy(c->coverage + i, &theirs, sizeof(theirs));
	}
}

bool
child_assign_counters(struct child *c)
{
	struct worker_head *head = c->head;
	uint32_t room = sizeof(head->late) / sizeof(head->late[0]);

	head->outcome.late_n =
		counters_assign(c->worker->campaign, head->late, room);
	return head->outcome.late_n == 0;
}

const uint8_t *
child_entry(const struct child *c, uint32_t index, size_t *len)
{
	const struct campaign_head *campaign = c->worker->campaign;
	const struct campaign_entry *entries =
		(const void *)((const uint8_t *)campaign +
			campaign->entries_offset);
	uint32_t n = __atomic_load_n(&campaign->entries_n, __ATOMIC_ACQUIRE);
	struct campaign_entry entry;

	if (index >= n)
		return NULL;
	entry = entries[index];
	if (entry.len > c->worker->layout.value_size ||
		entry.offset > campaign->size - entry.len)
		return NULL;
	*len = entry.len;
	return (const uint8_t *)campaign + entry.offset;
}

/* Copies an entry of campaign memory to the value area. */
static bool
child_load_parent(struct child *c)
{
	c->start = child_entry(c, c->call.parent, &c->start_len);
	if (c->start == NULL)
		return false;
	memcpy(c->value, c->start, c->start_len);
	c->value_len = c->start_len;
	return true;
}

static bool
child_load_value(struct child *c)
{
	if (c->call.parent != MEMORY_NO_ENTRY)
		return child_load_parent(c);
	c->value_len = c->head->value_len;
	if (c->value_len > c->worker->layout.value_size)
		return false;
	if (c->call.kind == CALL_FUZZ) {
		memcpy(c->copy, c->value, c->value_len);
		log_put(c, EXEC_LOG_START);
	}
	c->start = c->copy;
	c->start_len = c->value_len;
	return true;
}

/* Logs an unchanged input; an entry is known without its bytes. */
static void
child_log_value(struct child *c)
{
	if (c->call.parent == MEMORY_NO_ENTRY)
		log_put(c, EXEC_LOG_RAW);
	else
		log_run(c);
}

/*
 * CALL_RUN: runs the value once, unchanged, and records all edges hit and the
 * features that are new to the campaign.
 */
static enum call_end
child_run(struct child *c)
{
	const uint8_t *seen = child_campaign_coverage(c);
	enum call_end end = child_may_run(c);
	enum child_run run;
	uint64_t run_ns;

	if (end != CALL_RUNNING)
		return end;
	scan_clear();
	run = child_execute_timed(c, &run_ns);
	if (run != CHILD_FAILED)
		child_log_value(c);
	switch (run) {
	case CHILD_FAILED:
		return CALL_FAILED;
	case CHILD_REJECTED:
		c->head->outcome.rejected++;
		break;
	case CHILD_KEEPS:
	case CHILD_FINE:
		(void)child_assign_counters(c);
		c->edges_hit_n =
			scan_edges_hit(c->edges_hit, MEMORY_EDGES_HIT_MAX);
		(void)scan_collect(&c->scan, seen);
		end = child_keep(c, false, run_ns);
		break;
	}
	if (child_look_for_leaks(c) == CALL_FAILED)
		return CALL_FAILED;
	c->head->outcome.run_ns = run_ns;
	if (c->head->outcome.late_n > 0)
		return CALL_MODULES;
	return end == CALL_RUNNING ? CALL_DONE : end;
}

/* CALL_TRY: runs a candidate of the fork server, without its coverage. */
static enum call_end
child_try(struct child *c)
{
	if (child_execute(c) == CHILD_FAILED ||
		child_look_for_leaks(c) == CALL_FAILED)
		return CALL_FAILED;
	log_put(c, EXEC_LOG_RAW);
	return CALL_DONE;
}

/* CALL_SEQUENCE: runs the inputs that the engine has put into the ring. */
static enum call_end
child_sequence(struct child *c)
{
	const uint8_t *at = c->worker->memory + c->worker->layout.ring_offset;
	const uint8_t *stop = at + c->worker->layout.ring_size;
	uint32_t len;

	for (uint32_t i = 0; i < c->call.sequence_n; i++) {
		enum call_end end = child_may_run(c);

		if (end != CALL_RUNNING)
			return end;
		if ((size_t)(stop - at) < sizeof(len))
			return CALL_REFUSED;
		memcpy(&len, at, sizeof(len));
		at += sizeof(len);
		if (len > c->worker->layout.value_size ||
			len > (size_t)(stop - at))
			return CALL_REFUSED;
		memcpy(c->value, at, len);
		at += len;
		c->value_len = len;
		if (child_try(c) == CALL_FAILED)
			return CALL_FAILED;
	}
	return CALL_DONE;
}

/*
 * CALL_PC_TABLE: writes the PC table of a module that only the child has
 * loaded.
 */
static enum call_end
child_tell_tables(struct child *c)
{
	(void)pc_table_write(&c->call.module, c->call.first, c->value,
		c->worker->layout.value_size);
	return CALL_DONE;
}

static enum call_end
child_dispatch(struct child *c)
{
	if (c->call.kind == CALL_PC_TABLE)
		return child_tell_tables(c);
	if (c->call.kind != CALL_RUN && c->call.kind != CALL_FUZZ)
		traps_choose(child_campaign_coverage(c));
	if (c->call.kind == CALL_SEQUENCE)
		return child_sequence(c);
	if (!child_load_value(c))
		return CALL_REFUSED;
	switch (c->call.kind) {
	case CALL_FUZZ:
		if (!child_assign_counters(c))
			return CALL_MODULES;
		child_update_coverage(c);
		traps_choose(c->coverage);
		return child_fuzz(c);
	case CALL_RUN:
		if (!child_assign_counters(c))
			return CALL_MODULES;
		traps_choose(NULL);
		return child_run(c);
	case CALL_MINIMIZE:
		(void)child_assign_counters(c);
		return child_minimize(c);
	case CALL_TRY:
		return child_try(c);
	case CALL_CANDIDATES:
		return child_candidates(c);
	default:
		return CALL_REFUSED;
	}
}

/* Only between calls, because a new child for every few inputs is slow. */
static bool
child_is_spent(const struct child *c)
{
	const struct worker *w = c->worker;

	return w->spent || (w->lives != 0 && c->lived + c->count >= w->lives);
}

void
child_call(struct child *c)
{
	struct worker_head *head = c->head;
	enum call_end end;

	sanitizers_hide();
	log_close(c);
	/* Unless another thread has begun to say why the process dies. */
	if (!crash_is_dying())
		memset(&head->failure, 0, offsetof(struct failure_block, text));
	c->call = head->call;
	child_rest_from_leaks(c);
	c->attends = c->guard.track || c->call.leaks != CALL_LEAKS_NOT;
	c->lived += c->count;
	c->count = head->count;
	c->mutations_n = 0;
	c->literals_n = 0;
	c->origin.parent = c->call.parent;
	c->origin.partner = MEMORY_NO_ENTRY;
	c->sources.partner = NULL;
	fail_reset(head);
	hooks_cmp_profile(c->call.value_profile != 0);
	end = child_dispatch(c);
	head->outcome.end = end;
	/* Another answer does not tell of new modules, so a later one must. */
	if (end == CALL_MODULES)
		counters_report();
	head->outcome.spent = child_is_spent(c);
	sanitizers_show();
}

/* Lives on without a link, or to die in another thread: the fork server notices
 * and ends the process. */
static void __attribute__((noreturn)) child_await_end(void)
{
	for (;;)
		pause();
}

void
child_serve(struct child *c, int link_fd)
{
	uint8_t token;
	ssize_t n;

	for (;;) {
		n = read(link_fd, &token, sizeof(token));
		if (n < 0 && errno == EINTR)
			continue;
		if (n == 0)
			_exit(0); /* the fork server is gone */
		if (n < 0)
			child_await_end();
		child_call(c);
		if (crash_is_dying())
			child_await_end();
		token = (uint8_t)~token;
		do
			n = write(link_fd, &token, sizeof(token));
		while (n < 0 && errno == EINTR);
		if (n < 0)
			child_await_end();
	}
}

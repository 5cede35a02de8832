/*
 * worker_copy: copies the parts of a result from worker memory and from the
 * target's output.
 *
 * The target can overwrite both at any time: each part is copied once, bounded,
 * then used.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "worker/inputs/input_text.h"
#include "worker/worker_private.h"

/* Copies the end of the output of sanitizer or target, with a final '\0'. */
static size_t
worker_read_file(struct sealed *file, char *to)
{
	off_t end = lseek(file->fd, 0, SEEK_CUR);
	size_t len;

	if (end <= 0)
		return 0;
	len = (size_t)end > file->size ? file->size : (size_t)end;
	memory_take(to, file->map, len);
	to[len] = '\0';
	return len;
}

size_t
worker_read_report(struct worker *w)
{
	size_t len = worker_read_file(&w->report_file, w->report_copy);

	return len > 0 ? len
		       : worker_read_file(&w->stderr_file, w->report_copy);
}

size_t
worker_copy_output(struct worker *w, char *to, size_t size, uint64_t *written)
{
	const struct sealed *file = &w->stderr_file;
	/* The target has this descriptor too and may seek anywhere. */
	off_t end = lseek(file->fd, 0, SEEK_CUR);
	size_t len = end <= 0              ? 0
		: (size_t)end > file->size ? file->size
					   : (size_t)end;

	*written = len;
	if (size > len)
		size = len;
	memory_take(to, (const char *)file->map + len - size, size);
	return size;
}

void
worker_last_output(struct worker *w, char *buf, size_t size)
{
	size_t len = worker_read_file(&w->stderr_file, w->report_copy);
	size_t from = len > size / 2 ? len - size / 2 : 0;

	while (len > from && w->report_copy[len - 1] == '\n')
		len--;
	text_clean(w->report_copy + from, len - from, buf, size);
}

void
worker_last_line(struct worker *w, char *buf, size_t size)
{
	static const char name[] = "cfuzz: ";
	size_t len = worker_read_file(&w->stderr_file, w->report_copy), from;

	while (len > 0 && w->report_copy[len - 1] == '\n')
		len--;
	for (from = len; from > 0 && w->report_copy[from - 1] != '\n'; from--)
		continue;
	if (strncmp(w->report_copy + from, name, sizeof(name) - 1) == 0)
		from += sizeof(name) - 1;
	text_clean(w->report_copy + from, len - from, buf, size);
}

/*
 * A typed target gets a tuple. If the memory holds no valid tuple, the target
 * has overwritten it, and its input is unknown.
 */
static size_t
worker_repair_candidate(struct worker *w, size_t len)
{
	return input_is_sound(&w->types, w->candidate_copy, len)
		? len
		: tuple_zero(&w->types, w->candidate_copy);
}

void
worker_copy_witnesses(struct worker *w, struct worker_result *result)
{
	/* Each field is read once: the target can overwrite them. */
	const struct worker_head *head = worker_head(w);
	uint64_t len = __atomic_load_n(&head->value_len, __ATOMIC_RELAXED);
	uint32_t turns = __atomic_load_n(&head->log.turns, __ATOMIC_RELAXED);
	uint32_t used =
		__atomic_load_n(&head->log.used[turns % 2], __ATOMIC_RELAXED);
	uint32_t max = w->max_len;

	result->stack.parent = __atomic_load_n(&head->parent, __ATOMIC_RELAXED);
	result->stack.partner =
		__atomic_load_n(&head->partner, __ATOMIC_RELAXED);
	result->stack.n = __atomic_load_n(&head->stack_n, __ATOMIC_RELAXED);
	result->stack.words_n =
		__atomic_load_n(&head->dict_len, __ATOMIC_RELAXED);
	result->stack.literals_n =
		__atomic_load_n(&head->literals_n, __ATOMIC_RELAXED);
	memory_take(result->stack.literals, head->literals,
		sizeof(result->stack.literals));
	memory_take(result->stack.mutations,
		w->memory.map +
			worker_layout_mutations(&w->layout, turns, used),
		sizeof(result->stack.mutations));
	if (result->stack.n > MEMORY_MUTATIONS_MAX)
		result->stack.n = 0;
	result->candidate_raw = w->job.kind != JOB_FUZZ;
	if (len > max)
		len = 0;
	memory_take(w->candidate_copy, w->memory.map + w->layout.value_offset,
		len);
	result->candidate = w->candidate_copy;
	result->candidate_len = worker_repair_candidate(w, len);
}

/* Takes n values from the copy of the ring. False: there are less. */
static bool
worker_copy_values(const struct worker *w, size_t *at, uint32_t n,
	struct input_sequence *values)
{
	size_t size = w->layout.ring_size;
	uint32_t len;

	for (uint32_t i = 0; i < n; i++) {
		if (size - *at < sizeof(len))
			return false;
		memcpy(&len, w->ring_copy + *at, sizeof(len));
		*at += sizeof(len);
		if (len > size - *at)
			return false;
		input_sequence_push(values, xmemdup(w->ring_copy + *at, len),
			len);
		*at += len;
	}
	return true;
}

bool
worker_copy_seeds(struct worker *w, struct input_sequence *seeds,
	struct input_sequence *words)
{
	size_t at = 0;

	if (w->reply.seeds_n > 0 || w->reply.words_n > 0)
		memory_take(w->ring_copy, w->memory.map + w->layout.ring_offset,
			w->layout.ring_size);
	return worker_copy_values(w, &at, w->reply.seeds_n, seeds) &&
		(words == NULL ||
			worker_copy_values(w, &at, w->reply.words_n, words));
}

size_t
worker_sequence_max(uint32_t max_len)
{
	struct worker_layout layout;

	worker_layout_init(&layout, max_len);
	return layout.ring_size;
}

struct process_history *
worker_take_history(const struct worker_result *result)
{
	const struct worker *w = result->worker;

	return process_history_create(w->memory.map, &w->layout,
		result->candidate_raw ? NULL : &result->stack, result->job.cap,
		&w->types);
}

void
worker_copy_mutations(struct worker *w, struct worker_result *result)
{
	const struct worker_head *head = worker_head(w);
	uint64_t n, max = result->count * MEMORY_MUTATIONS_MAX;

	for (unsigned op = 0; op < MEMORY_OPS_MAX; op++) {
		n = __atomic_load_n(&head->mutations[op], __ATOMIC_RELAXED);
		result->mutations[op] = n < max ? n : max;
	}
}

void
worker_copy_ring(struct worker *w, uint64_t used, struct worker_result *result)
{
	if (used > w->layout.ring_size)
		return;
	memory_take(w->ring_copy, w->memory.map + w->layout.ring_offset, used);
	result->ring = w->ring_copy;
	result->ring_len = used;
}

void
worker_copy_kept(struct worker *w, struct worker_result *result)
{
	size_t size = w->reply.kept * sizeof(*w->keep_copy);

	if (size == 0)
		return;
	w->keep_copy = xrealloc(w->keep_copy, size);
	memory_take(w->keep_copy, w->memory.map + w->layout.keep_offset, size);
	result->kept = w->keep_copy;
	result->kept_n = w->reply.kept;
}

void
worker_copy_machine(struct worker *w, struct worker_result *result)
{
	const uint8_t *map = w->memory.map;
	const struct rpc_reply *r = &w->reply;
	size_t len;

	result->missed = r->lost;
	if (r->results_n <= w->job.tries) {
		worker_copy_ring(w, r->results_n, result);
		result->marks = result->ring;
		result->marks_n = result->ring_len;
		result->ring_len = 0;
	}
	memory_take(&w->machine_copy, &worker_head(w)->machine,
		sizeof(w->machine_copy));
	result->machine = &w->machine_copy;
	len = minimize_state_other_len(&w->machine_copy);
	if (!w->has_other || len > w->layout.value_size)
		return;
	w->other_copy = xrealloc(w->other_copy, w->layout.value_size);
	memory_take(w->other_copy, map + w->layout.value_offset, len);
	result->other = w->other_copy;
	result->other_len = len;
}

/*
 * mutation_log: see mutation_log.h. Mutations are packed without gaps, because
 * there may be a hundred thousand mutation logs.
 */
#include "worker/inputs/mutation_log.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"

#define COMPARE_BLOCK 64u

/* ---- one mutation ------------------------------------------------------- */

#define STEP_HEAD offsetof(struct mutation_log_step, before)

static size_t
log_step_size(const struct mutation_log_step *step)
{
	return STEP_HEAD + step->before_n + step->after_n;
}

static void
log_step_pack(const struct mutation_log_step *step, uint8_t *to)
{
	memcpy(to, step, STEP_HEAD);
	memcpy(to + STEP_HEAD, step->before, step->before_n);
	memcpy(to + STEP_HEAD + step->before_n, step->after, step->after_n);
}

static size_t
log_step_unpack(const uint8_t *from, struct mutation_log_step *step)
{
	memcpy(step, from, STEP_HEAD);
	memcpy(step->before, from + STEP_HEAD, step->before_n);
	memcpy(step->after, from + STEP_HEAD + step->before_n, step->after_n);
	return log_step_size(step);
}

/* Counts the equal bytes at the start. */
static size_t
log_same_start(const uint8_t *a, const uint8_t *b, size_t n)
{
	size_t i = 0;

	while (n - i >= COMPARE_BLOCK &&
		memcmp(a + i, b + i, COMPARE_BLOCK) == 0)
		i += COMPARE_BLOCK;
	while (i < n && a[i] == b[i])
		i++;
	return i;
}

/* Counts the equal bytes before these two ends. */
static size_t
log_same_end(const uint8_t *a, const uint8_t *b, size_t n)
{
	size_t i = 0;

	while (n - i >= COMPARE_BLOCK &&
		memcmp(a - i - COMPARE_BLOCK, b - i - COMPARE_BLOCK,
			COMPARE_BLOCK) == 0)
		i += COMPARE_BLOCK;
	while (i < n && a[-1 - (ptrdiff_t)i] == b[-1 - (ptrdiff_t)i])
		i++;
	return i;
}

void
mutation_log_compare(uint16_t op, const uint8_t *before, size_t before_len,
	const uint8_t *after, size_t after_len, struct mutation_log_step *step)
{
	size_t least = before_len < after_len ? before_len : after_len;
	size_t start = least > 0 ? log_same_start(before, after, least) : 0;
	size_t end = least > start ? log_same_end(before + before_len,
					     after + after_len, least - start)
				   : 0;
	size_t removed = before_len - start - end,
	       added = after_len - start - end;

	*step = (struct mutation_log_step){
		.op = op,
		.offset = (uint32_t)start,
		.len_before = (uint32_t)before_len,
		.len_after = (uint32_t)after_len,
		.part_before = (uint32_t)removed,
		.part_after = (uint32_t)added,
	};
	step->before_n =
		(uint8_t)(removed < MUTATION_LOG_BYTES ? removed
						       : MUTATION_LOG_BYTES);
	step->after_n =
		(uint8_t)(added < MUTATION_LOG_BYTES ? added
						     : MUTATION_LOG_BYTES);
	if (step->before_n > 0)
		memcpy(step->before, before + start, step->before_n);
	if (step->after_n > 0)
		memcpy(step->after, after + start, step->after_n);
}

/* ---- one mutation log --------------------------------------------------- */

struct mutation_log *
mutation_log_unknown(void)
{
	struct mutation_log *log = xcalloc(1, sizeof(*log));

	log->partner = UINT32_MAX;
	return log;
}

/* May move the log. */
static struct mutation_log *
log_add_step(struct mutation_log *log, const struct mutation_log_step *step)
{
	size_t size = log->size + log_step_size(step);

	log = xrealloc(log, sizeof(*log) + size);
	log_step_pack(step, log->data + log->size);
	log->size = (uint32_t)size;
	log->n++;
	return log;
}

struct mutation_log *
mutation_log_none(void)
{
	struct mutation_log *log = mutation_log_unknown();

	log->whole = true;
	return log;
}

struct mutation_log *
mutation_log_difference(const uint8_t *before, size_t before_len,
	const uint8_t *after, size_t after_len)
{
	struct mutation_log_step step;

	mutation_log_compare(MUTATION_LOG_DIFFERENCE, before, before_len, after,
		after_len, &step);
	return log_add_step(mutation_log_none(), &step);
}

const char *
mutation_log_op_name(uint16_t op)
{
	switch (op) {
	case MUTATION_LOG_MINIMIZED:
		return "minimized";
	case MUTATION_LOG_DIFFERENCE:
		return "difference";
	default:
		return mutate_name(op);
	}
}

/* Collects the mutations of a replay. */
struct recorder {
	struct mutation_log *log;
	uint8_t *before; /* the input before the next mutation */
	size_t before_len;
};

static void
log_on_step(void *arg, const struct mutation *mutation, const struct mutable *m)
{
	struct recorder *recorder = arg;
	struct mutation_log_step step;

	if (mutation != NULL) {
		mutation_log_compare(mutation->op, recorder->before,
			recorder->before_len, m->data, m->len, &step);
		recorder->log = log_add_step(recorder->log, &step);
	}
	recorder->before = xrealloc(recorder->before, m->len + 1);
	memcpy(recorder->before, m->data, m->len);
	recorder->before_len = m->len;
}

struct mutation_log *
mutation_log_make(const struct replay *replay, const uint8_t *bytes, size_t len)
{
	struct recorder recorder = {
		.log = mutation_log_unknown(),
	};
	struct replay recorded = *replay;
	size_t again_len = 0;
	uint8_t *again;

	recorded.on_step = log_on_step;
	recorded.arg = &recorder;
	again = mutation_stack_replay(&recorded, &again_len);
	if (again != NULL && again_len == len &&
		(len == 0 || memcmp(again, bytes, len) == 0)) {
		recorder.log->whole = true;
	} else {
		free(recorder.log);
		recorder.log = mutation_log_unknown();
	}
	free(again);
	free(recorder.before);
	return recorder.log;
}

void
mutation_log_get(const struct mutation_log *log, uint32_t i,
	struct mutation_log_step *step)
{
	const uint8_t *at = log->data;

	for (at += log_step_unpack(at, step); i > 0; i--)
		at += log_step_unpack(at, step);
}

/* ---- logs of the corpus ------------------------------------------------- */

struct mutation_logs {
	struct mutation_log **items; /* by index; NULL: none */
	size_t n;                    /* indexes below n are valid */
	size_t room, used;           /* bytes */
	size_t oldest;               /* index of the oldest log kept */
};

static size_t
mutation_log_bytes(const struct mutation_log *log)
{
	return sizeof(*log) + log->size;
}

struct mutation_logs *
mutation_logs_create(size_t room)
{
	struct mutation_logs *logs = xcalloc(1, sizeof(*logs));

	logs->room = room;
	return logs;
}

static void
log_drop(struct mutation_logs *logs, size_t index)
{
	if (logs->items[index] != NULL)
		logs->used -= mutation_log_bytes(logs->items[index]);
	free(logs->items[index]);
	logs->items[index] = NULL;
}

void
mutation_logs_destroy(struct mutation_logs *logs)
{
	size_t i;

	if (logs == NULL)
		return;
	for (i = 0; i < logs->n; i++)
		free(logs->items[i]);
	free(logs->items);
	free(logs);
}

static void
log_make_room(struct mutation_logs *logs)
{
	while (logs->used > logs->room && logs->oldest < logs->n)
		log_drop(logs, logs->oldest++);
}

void
mutation_logs_put(struct mutation_logs *logs, uint32_t index,
	struct mutation_log *take_log)
{
	size_t n = (size_t)index + 1;

	if (n > logs->n) {
		logs->items = xgrow(logs->items, logs->n, n - logs->n,
			sizeof(struct mutation_log *));
		memset(logs->items + logs->n, 0,
			(n - logs->n) * sizeof(struct mutation_log *));
		logs->n = n;
	}
	log_drop(logs, index);
	logs->items[index] = take_log;
	logs->used += mutation_log_bytes(take_log);
	log_make_room(logs);
}

void
mutation_logs_add_step(struct mutation_logs *logs, uint32_t index,
	const struct mutation_log_step *step)
{
	struct mutation_log *log;

	if (index >= logs->n || logs->items[index] == NULL)
		return;
	log = logs->items[index];
	logs->used -= mutation_log_bytes(log);
	logs->items[index] = log = log_add_step(log, step);
	logs->used += mutation_log_bytes(log);
	log_make_room(logs);
}

const struct mutation_log *
mutation_logs_find(const struct mutation_logs *logs, uint32_t index)
{
	return index < logs->n ? logs->items[index] : NULL;
}

bool
mutation_logs_dropped(const struct mutation_logs *logs, uint32_t index)
{
	return index < logs->oldest;
}

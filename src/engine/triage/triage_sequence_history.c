/*
 * triage_sequence_history: the inputs that ran before a failure, from the
 * worker's memory or from an earlier run, until it is known whether they are
 * needed.
 */
#include "engine/triage/triage_sequence.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "engine/parts.h"
#include "engine/pool/grow_memory.h"
#include "engine/program.h"
#include "engine/triage/findings_list.h"
#include "engine/triage/suspect.h"
#include "findings/finding.h"
#include "store/store.h"
#include "store/store_finding.h"
#include "worker/inputs/input_sequence.h"
#include "worker/inputs/input_text.h"
#include "worker/worker.h"

void
triage_note_history(struct engine *e, struct finding *f,
	const struct worker_result *r)
{
	size_t i, n = suspects_waiting(e);

	for (i = 0; i < findings_count(e); i++)
		n += findings_at(e, i)->history != NULL;
	if (n < TRIAGE_HISTORIES_MAX)
		f->history = worker_take_history(r);
}

/* Reads the saved history of an earlier run, which may be damaged. */
static void
history_unpack(const struct engine *e, const uint8_t *data, size_t len,
	struct input_sequence *inputs)
{
	uint32_t one;
	size_t at = 0;

	while (len - at >= sizeof(one) && inputs->n < MEMORY_SEQUENCE_MAX - 1) {
		memcpy(&one, data + at, sizeof(one));
		at += sizeof(one);
		if (one > len - at || one > grow_memory_max_len(e) ||
			!input_is_sound(program_types(e), data + at, one))
			return;
		input_sequence_push(inputs, xmemdup(data + at, one), one);
		at += one;
	}
}

static void
history_read_before(struct engine *e, const struct finding *f,
	struct input_sequence *inputs)
{
	struct error err = { 0 };
	uint8_t *data;
	size_t len;

	if (!f->has_before ||
		store_read(engine_store(e), f->folder, STORE_BEFORE,
			TRIAGE_HISTORY_BYTES, &data, &len, &err) != OK)
		return;
	history_unpack(e, data, len, inputs);
	free(data);
}

void
triage_take_history(struct engine *e, struct finding *f, size_t room,
	struct input_sequence *inputs)
{
	if (f->history != NULL)
		process_history_inputs(f->history, engine_memory(e),
			MEMORY_SEQUENCE_MAX - 1, room, inputs);
	else
		history_read_before(e, f, inputs);
	input_sequence_cut(inputs, room);
	process_history_destroy(f->history);
	f->history = NULL;
}

void
triage_drop_before(struct engine *e, struct finding *f)
{
	if (f->has_before)
		store_put_before(engine_store(e), f->folder, NULL, 0);
	f->has_before = false;
}

void
triage_save_before(struct engine *e, struct finding *f,
	const struct input_sequence *inputs, const uint32_t *which, size_t n)
{
	uint8_t *packed;
	size_t len;

	packed = input_sequence_pack(inputs, which, n, &len);
	store_put_before(engine_store(e), f->folder, packed, len);
	f->has_before = true;
	free(packed);
}

void
triage_save_history(struct engine *e, struct finding *f)
{
	struct input_sequence inputs = { .n = 0 };
	struct input_sequence_search all;

	triage_take_history(e, f, TRIAGE_HISTORY_BYTES, &inputs);
	if (inputs.n > 0) {
		input_sequence_search_init(&all, inputs.n);
		triage_save_before(e, f, &inputs, all.best, all.best_n);
		input_sequence_search_clear(&all);
	}
	input_sequence_clear(&inputs);
}

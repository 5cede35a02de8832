#include "worker/inputs/input_sequence.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"

void
input_sequence_push(struct input_sequence *s, uint8_t *take_data, size_t len)
{
	s->inputs = xgrow(s->inputs, s->n, 1, sizeof(*s->inputs));
	s->inputs[s->n++] = (struct input_sequence_input){ take_data, len };
	s->bytes += len;
}

void
input_sequence_reverse(struct input_sequence *s)
{
	struct input_sequence_input input;
	size_t i;

	for (i = 0; i < s->n / 2; i++) {
		input = s->inputs[i];
		s->inputs[i] = s->inputs[s->n - 1 - i];
		s->inputs[s->n - 1 - i] = input;
	}
}

void
input_sequence_clear(struct input_sequence *s)
{
	while (s->n > 0)
		free(s->inputs[--s->n].data);
	free(s->inputs);
	*s = (struct input_sequence){ .n = 0 };
}

void
input_sequence_cut(struct input_sequence *s, size_t max_bytes)
{
	size_t i, cut = 0, bytes = s->bytes + s->n * sizeof(uint32_t);

	for (; cut < s->n && bytes > max_bytes; cut++) {
		bytes -= s->inputs[cut].len + sizeof(uint32_t);
		s->bytes -= s->inputs[cut].len;
		free(s->inputs[cut].data);
	}
	for (i = cut; i < s->n; i++)
		s->inputs[i - cut] = s->inputs[i];
	s->n -= cut;
}

static size_t
input_sequence_packed_size(const struct input_sequence *s,
	const uint32_t *which, size_t n)
{
	size_t i, size = 0;

	for (i = 0; i < n; i++)
		size += sizeof(uint32_t) + s->inputs[which[i]].len;
	return size;
}

uint8_t *
input_sequence_pack(const struct input_sequence *s, const uint32_t *which,
	size_t n, size_t *len)
{
	uint8_t *packed, *at;
	uint32_t one;
	size_t i;

	*len = input_sequence_packed_size(s, which, n);
	at = packed = xmalloc(*len + 1);
	for (i = 0; i < n; i++) {
		one = (uint32_t)s->inputs[which[i]].len;
		memcpy(at, &one, sizeof(one));
		at += sizeof(one);
		if (one > 0)
			memcpy(at, s->inputs[which[i]].data, one);
		at += one;
	}
	return packed;
}

void
input_sequence_search_init(struct input_sequence_search *search, size_t n)
{
	size_t i;

	*search = (struct input_sequence_search){
		.best = xcalloc(n, sizeof(*search->best)),
		.next = xcalloc(n, sizeof(*search->next)),
		.best_n = n,
		.part = n / 2,
	};
	for (i = 0; i < n; i++)
		search->best[i] = (uint32_t)i;
}

void
input_sequence_search_clear(struct input_sequence_search *search)
{
	free(search->best);
	free(search->next);
	*search = (struct input_sequence_search){ .best_n = 0 };
}

/* Starts the next round: with smaller parts, or the same size again. */
static bool
sequence_search_next_round(struct input_sequence_search *s)
{
	if (s->part <= 1 && !s->fewer)
		return false;
	s->part = s->part > 1 ? (s->part + 1) / 2 : 1;
	s->fewer = false;
	s->at = 0;
	return true;
}

bool
input_sequence_search_next(struct input_sequence_search *s)
{
	size_t others = s->best_n - 1, part;

	if (others == 0)
		return false;
	if (s->at >= others && !sequence_search_next_round(s))
		return false;
	part = s->part < others - s->at ? s->part : others - s->at;
	memcpy(s->next, s->best, s->at * sizeof(*s->next));
	memcpy(s->next + s->at, s->best + s->at + part,
		(s->best_n - s->at - part) * sizeof(*s->next));
	s->next_n = s->best_n - part;
	s->tries++;
	return true;
}

void
input_sequence_search_verdict(struct input_sequence_search *s, size_t executed)
{
	uint32_t *other;

	if (executed == 0) {
		s->at += s->part;
		return;
	}
	/* The next part is now at the same index. */
	other = s->best;
	s->best = s->next;
	s->next = other;
	s->best_n = executed < s->next_n ? executed : s->next_n;
	s->fewer = true;
}

/*
 * mutate_block: see mutate_block.h. Lengths are drawn by magnitude, so that a
 * block is as often a few bytes as half of the value.
 */

#include "shared/mutate/mutate_block.h"

#include <string.h>

#include "shared/mutate/edit.h"

#define BLOCK_REPEAT_MAX 64
#define BLOCK_MOVE_MAX 256 /* bytes on the stack */
#define BLOCK_REVERSE_MAX 256

static struct span
block_draw(const struct mutable *m, struct prng *prng, size_t most)
{
	size_t at = prng_intn(prng, m->len);
	size_t left = m->len - at;

	return (struct span){ at,
		edit_draw_len(prng, left < most ? left : most) };
}

static bool
block_repeat(struct mutable *m, struct prng *prng, struct mutation *done)
{
	struct span block = block_draw(m, prng, EDIT_GROWTH_MAX);
	size_t times = prng_choose_len(prng, BLOCK_REPEAT_MAX);
	size_t end = block.at + block.len, n;
	uint8_t *at = m->data + end;

	if (times > edit_free(m) / block.len)
		times = edit_free(m) / block.len;
	if (times == 0)
		return false;
	n = times * block.len;
	memmove(at + n, at, m->len - end);
	m->len += n;
	for (size_t i = 0; i < n; i += block.len)
		memcpy(at + i, m->data + block.at, block.len);
	return edit_done(done, MUTATE_BLOCK_REPEAT, end, n);
}

/* Swaps the block with the bytes that it jumps over. */
static bool
block_move(struct mutable *m, struct prng *prng, struct mutation *done)
{
	struct span block = block_draw(m, prng, BLOCK_MOVE_MAX);
	size_t behind = m->len - block.at - block.len;
	bool back = prng_bool(prng);
	size_t most = back ? block.at : behind, jump;
	uint8_t bytes[BLOCK_MOVE_MAX];
	uint8_t *at = m->data + block.at;

	if (most == 0)
		return false;
	jump = edit_draw_len(prng, most);
	memcpy(bytes, at, block.len);
	if (back) {
		memmove(at - jump + block.len, at - jump, jump);
		memcpy(at - jump, bytes, block.len);
		block.at -= jump;
	} else {
		memmove(at, at + block.len, jump);
		memcpy(at + jump, bytes, block.len);
		block.at += jump;
	}
	return edit_done(done, MUTATE_BLOCK_MOVE, block.at, block.len);
}

/* Declines a block that reads the same from both ends. */
static bool
block_reverse(struct mutable *m, struct prng *prng, struct mutation *done)
{
	struct span block = block_draw(m, prng, BLOCK_REVERSE_MAX);
	uint8_t *low = m->data + block.at, *high = low + block.len - 1;
	bool changed = false;

	for (; low < high; low++, high--) {
		uint8_t byte = *low;

		changed |= byte != *high;
		*low = *high;
		*high = byte;
	}
	return changed &&
		edit_done(done, MUTATE_BLOCK_REVERSE, block.at, block.len);
}

bool
mutate_block(enum mutate_op op, struct mutable *m, struct prng *prng,
	struct mutation *done)
{
	if (m->len == 0)
		return false;
	switch (op) {
	case MUTATE_BLOCK_REPEAT:
		return block_repeat(m, prng, done);
	case MUTATE_BLOCK_MOVE:
		return block_move(m, prng, done);
	case MUTATE_BLOCK_REVERSE:
		return block_reverse(m, prng, done);
	default:
		return false;
	}
}

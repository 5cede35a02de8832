/* failure_hash: the stack hash of a failure, see failure.h. */

#include <string.h>

#include "shared/fnv.h"
#include "shared/wire/failure.h"

static uint64_t
failure_hash_frame(uint64_t hash, const struct failure_frame *frame)
{
	hash = fnv_add(hash, frame->module,
		strnlen(frame->module, sizeof(frame->module)));
	for (unsigned shift = 0; shift < 64; shift += 8) {
		uint8_t byte = (uint8_t)(frame->offset >> shift);

		hash = fnv_add(hash, &byte, sizeof(byte));
	}
	return hash;
}

/* Stack overflow: the innermost frame is arbitrary; hash one round of it. */
static bool
failure_is_recursion(const struct failure *failure)
{
	return failure->frames_n > 1 &&
		(failure->stack_full ||
			strcmp(failure->what, "stack-overflow") == 0);
}

static bool
failure_same_frame(const struct failure_frame *a, const struct failure_frame *b)
{
	return a->offset == b->offset &&
		strncmp(a->module, b->module, sizeof(a->module)) == 0;
}

/* Hashes the frames that occur more than once, in any order. */
static bool
failure_hash_rounds(uint64_t *hash, const struct failure_frame *frames,
	uint32_t n)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t same = 0;
		bool again = false;

		for (uint32_t j = 0; j < n; j++) {
			if (!failure_same_frame(&frames[i], &frames[j]))
				continue;
			same++;
			again |= j < i;
		}
		if (same > 1 && !again)
			sum += failure_hash_frame(FNV_BASIS, &frames[i]);
	}
	if (sum != 0)
		*hash = fnv_add(*hash, &sum, sizeof(sum));
	return sum != 0;
}

/*
 * A hang below a recursion of any depth: hashes one round of the recursion, and
 * the innermost function unless it belongs to the round.
 */
static bool
failure_hash_hang(uint64_t *hash, const struct failure_frame *frames,
	uint32_t n)
{
	bool inside = false;

	if (!failure_hash_rounds(hash, frames, n))
		return false;
	for (uint32_t i = 1; i < n; i++)
		inside |= failure_same_frame(&frames[0], &frames[i]);
	if (!inside)
		*hash = failure_hash_frame(*hash, &frames[0]);
	return true;
}

uint64_t
failure_stack_hash(const struct failure *failure)
{
	const struct failure_frame *frames = failure->frames;
	uint64_t hash = FNV_BASIS;
	uint8_t kind = (uint8_t)failure->kind;
	uint32_t n = failure->frames_n;
	char detail[FAILURE_DETAIL_MAX];

	if (n > FAILURE_FRAMES_MAX)
		n = FAILURE_FRAMES_MAX;
	hash = fnv_add(hash, &kind, sizeof(kind));
	hash = fnv_add(hash, failure->what,
		strnlen(failure->what, sizeof(failure->what)) + 1);
	failure_detail(failure, detail, sizeof(detail));
	hash = fnv_add(hash, detail, strlen(detail));
	if (failure_is_recursion(failure) &&
		failure_hash_rounds(&hash, frames + 1, n - 1))
		return hash != 0 ? hash : 1;
	if (failure->kind == FAILURE_HANG &&
		failure_hash_hang(&hash, frames, n))
		return hash != 0 ? hash : 1;
	if (n > FAILURE_HASH_FRAMES)
		n = FAILURE_HASH_FRAMES;
	for (uint32_t i = 0; i < n; i++)
		hash = failure_hash_frame(hash, &frames[i]);
	return hash != 0 ? hash : 1;
}

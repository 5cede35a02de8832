/*
 * guard: the buffer with the target's private copy of its input.
 *
 * The input ends directly before a page without access, so that any read past
 * it faults. If a sanitizer can poison single bytes or checks alignment, the
 * input starts at a multiple of 16 instead; the sanitizer then guards both
 * sides.
 */
#ifndef CFUZZ_TARGET_CRASH_GUARD_H
#define CFUZZ_TARGET_CRASH_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* At least this many inaccessible bytes follow the buffer. */
#define GUARD_PAGE 4096u

struct guard {
	/* Between two pages without access; NULL: no buffer. */
	uint8_t *start;
	uint8_t *end; /* behind the last byte */
	size_t size;  /* largest input, in bytes */
	/* Properties of the sanitizer: */
	bool align;    /* inputs start at a multiple of 16 */
	bool poison;   /* single bytes can be poisoned */
	bool track;    /* it tracks initialised bytes */
	uint8_t *open; /* the unpoisoned bytes */
	size_t open_len;
};

/* Maps room for inputs of up to size bytes; guard_clear() unmaps it. False: no
 * memory. */
bool guard_init(struct guard *guard, size_t size);
void guard_clear(struct guard *guard);

/* Processes forked from now on do not get the buffer. */
void guard_keep_from_forks(const struct guard *guard);

/* Returns the place of len <= size bytes, which is valid until the next input.
 * If single bytes can be poisoned, the rest of the buffer is. */
uint8_t *guard_make_room(struct guard *guard, size_t len);

/* Copies len <= size bytes in, replacing the input before. */
uint8_t *guard_put(struct guard *guard, const uint8_t *value, size_t len);

/* The same for a text of len < size bytes; adds a NUL. */
uint8_t *guard_put_text(struct guard *guard, const uint8_t *text, size_t len);

/* The address where guard_put() puts len bytes. */
const uint8_t *guard_find(const struct guard *guard, size_t len);

/* Are the bytes at data, from guard_put(), still equal to the value? */
bool guard_has(const uint8_t *data, const uint8_t *value, size_t len);

#endif

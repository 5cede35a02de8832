/*
 * guard: the buffer that the target sees its input in.
 *
 * A private copy, placed so that the first byte behind it cannot be touched:
 * its last byte lies against a page without access. Where a sanitizer can
 * make single bytes untouchable, or minds alignment, it starts at a multiple
 * of 16 instead, and the sanitizer guards the bytes on either side.
 */
#ifndef CFUZZ_TARGET_CRASH_GUARD_H
#define CFUZZ_TARGET_CRASH_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes without access behind the buffer, at least. */
#define GUARD_PAGE 4096u

struct guard {
	uint8_t *end; /* the page without access; NULL: there is no room */
	size_t size;  /* largest input */
	/* What a sanitizer wants, or does for us: */
	bool align;    /* inputs start at a multiple of 16 */
	bool poison;   /* single bytes can be made untouchable */
	bool track;    /* it knows which bytes are initialised */
	uint8_t *open; /* what may be touched now */
	size_t open_len;
};

/* Room for inputs of up to size bytes. False: no memory. */
bool guard_init(struct guard *guard, size_t size);
void guard_clear(struct guard *guard);

/* Copies len <= size bytes in; what was there before is gone. */
uint8_t *guard_put(struct guard *guard, const uint8_t *value, size_t len);

/* The same for a text of len < size bytes, with a NUL behind it. */
uint8_t *guard_put_text(struct guard *guard, const uint8_t *text, size_t len);

/* Where guard_put() has put len bytes. */
const uint8_t *guard_find(const struct guard *guard, size_t len);

/* Are the bytes that guard_put() returned still those of the value? */
bool guard_has(const uint8_t *data, const uint8_t *value, size_t len);

#endif

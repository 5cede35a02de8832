/*
 * quote: quoted strings and characters of the corpus format, both ways.
 */
#ifndef CFUZZ_SHARED_VALUES_QUOTE_H
#define CFUZZ_SHARED_VALUES_QUOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/sink.h"

/* Bytes as "…"; what is not UTF-8 becomes \xNN. */
void quote_bytes(struct sink *sink, const uint8_t *data, size_t len);

/* One valid code point as '…'. */
void quote_code(struct sink *sink, uint32_t code);

/* One character of a quoted literal. */
struct quoted {
	uint32_t code;
	bool is_byte; /* \xNN or \ooo: one byte, whatever its value */
	size_t used;  /* bytes of text */
};

/*
 * Read the character or escape at the start of text, which is not empty.
 * quote is the quote in use; the other one must not be escaped. Returns NULL,
 * or what is wrong.
 */
const char *quote_parse(const char *text, size_t len, char quote,
	struct quoted *quoted);

/*
 * Take the quotes off a literal ("…" or `…`, quotes included) that was
 * found valid. Writes at most len bytes; returns how many.
 */
size_t quote_strip(const char *literal, size_t len, uint8_t *out);

#endif

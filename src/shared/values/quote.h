/*
 * quote: quoted strings and characters of the corpus format, both ways.
 */
#ifndef CFUZZ_SHARED_VALUES_QUOTE_H
#define CFUZZ_SHARED_VALUES_QUOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/sink.h"

/* Writes bytes as "…"; a byte that is not UTF-8 becomes \xNN. */
void quote_bytes(struct sink *sink, const uint8_t *data, size_t len);

/* Writes one valid code point as '…'. */
void quote_code(struct sink *sink, uint32_t code);

/* One character of a quoted literal. */
struct quoted {
	uint32_t code;
	bool is_byte; /* \xNN or \ooo: one byte, whatever its value */
	size_t used;  /* bytes of text */
};

/*
 * Reads the character or escape at the start of text, which is not empty. quote
 * is the quote in use; the other quote must not be escaped. Returns NULL, or
 * what is wrong, static.
 */
const char *quote_parse(const char *text, size_t len, char quote,
	struct quoted *quoted);

/*
 * Removes the quotes of a valid literal ("…" or `…`, quotes included). Writes
 * at most len bytes; returns their number.
 */
size_t quote_strip(const char *literal, size_t len, uint8_t *out);

#endif

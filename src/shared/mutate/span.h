/*
 * span: finds the parts of a text.
 *
 * Each search starts at a position that the caller drew and looks at some
 * hundred bytes around it at most, however long the text is. The bytes need not
 * be text: a span always lies inside them.
 */
#ifndef CFUZZ_SHARED_MUTATE_SPAN_H
#define CFUZZ_SHARED_MUTATE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SPAN_MAX 512 /* bytes of the longest span that is ever found */

struct span {
	size_t at, len;
};

/*
 * Tokens: a run of word bytes (letters, digits, "_", all beyond ASCII), a run
 * of white space, a string in its quotes, or one other byte.
 * Lines: with their line break, which the last line may lack. A text of one
 * line has no lines.
 * Groups: from a bracket or a quote to the one that ends it, or from a tag of
 * markup to its end tag. For a tag, an odd position gives the whole element, an
 * even one the tag alone.
 */
enum span_kind {
	SPAN_TOKEN,
	SPAN_LINE,
	SPAN_GROUP,
};

/* The class of a byte. */
enum span_class {
	SPAN_OTHER,
	SPAN_WORD,
	SPAN_SPACE,
	SPAN_QUOTE,
	SPAN_OPEN,
	SPAN_CLOSE,
};

enum span_class span_class(uint8_t byte);

/* The bracket or quote that closes this one; 0 for other bytes. */
uint8_t span_ends(uint8_t open);

/*
 * The part at a position; for SPAN_GROUP, the first one that begins or ends
 * within the next 64 bytes. A long run of word bytes or white space is cut.
 * False if there is no part, if a line or a group is too long, or if at >= len.
 */
bool span_find(enum span_kind kind, const uint8_t *data, size_t len, size_t at,
	struct span *span);

/* The bytes between the brackets, quotes or tags of a group of span_find(). */
struct span span_inside(const uint8_t *data, const struct span *group);

#endif

/* predicates_private: what the families of predicates share. */
#ifndef CFUZZ_TESTS_SHARED_PREDICATES_PRIVATE_H
#define CFUZZ_TESTS_SHARED_PREDICATES_PRIVATE_H

#include "lib/predicates.h"

/* Each ends with a family without a name. */
extern const struct predicate_family PREDICATE_WORD_FAMILIES[];
extern const struct predicate_family PREDICATE_LENGTH_FAMILIES[];
extern const struct predicate_family PREDICATE_BYTE_FAMILIES[];
extern const struct predicate_family PREDICATE_TEXT_FAMILIES[];

/* From least to most. */
size_t predicate_number(struct prng *r, size_t least, size_t most);

/* How long a start is. */
size_t predicate_len(struct prng *r);

/* The start is so many bytes: any, or text. */
void predicate_start(struct predicate *p, struct prng *r, size_t len,
	bool text);

/* Words are drawn; they are put at places that do not overlap, in order. */
void predicate_words(struct predicate *p, struct prng *r, size_t n);
void predicate_put_words(struct predicate *p, struct prng *r);
void predicate_put(struct predicate *p, size_t at, const char *text);

/* One word in a start; and whether all words are there. */
void predicate_one_word(struct predicate *p, struct prng *r);
bool predicate_has_words(const struct predicate *p, const uint8_t *data,
	size_t len);

#endif

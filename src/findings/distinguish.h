/*
 * distinguish: tells findings apart that look the same in a list.
 *
 * A bucket has several frames, but a row shows one. Rows with the same words
 * and the same place also show the parts of their identities that differ:
 * usually the caller.
 */
#ifndef CFUZZ_FINDINGS_DISTINGUISH_H
#define CFUZZ_FINDINGS_DISTINGUISH_H

#include <stddef.h>

struct distinguish {
	const char *what, *where;
	const char *identity; /* bucket_key(), set for twins only; or NULL */
	char *text;  /* "" before; then "caller", "caller < main", or "" */
	size_t size; /* bytes of text */
	void *arg;   /* for the caller */
};

/* Returns the identity of a finding that looks like another, valid until
 * distinguish_tell() returns; NULL: none. */
typedef const char *distinguish_identity_fn(const struct distinguish *item);

/* Sorts the items by what and where, and fills in their texts. */
void distinguish_tell(struct distinguish *items, size_t n,
	distinguish_identity_fn *identity);

#endif

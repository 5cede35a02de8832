/*
 * distinguish: what tells findings apart that look the same in a list.
 *
 * Buckets have several frames, a row has one. Where rows have the same words
 * and the same place, the parts of their identity that differ follow: the
 * caller, as a rule.
 */
#ifndef CFUZZ_FINDINGS_DISTINGUISH_H
#define CFUZZ_FINDINGS_DISTINGUISH_H

#include <stddef.h>

struct distinguish {
	const char *what, *where;
	const char *identity; /* bucket_key(), only asked for twins; or NULL */
	char *text;           /* out: "caller", "caller < main", or "" */
	size_t size;
	void *arg; /* for the caller */
};

/* Gives the identity of one that looks like another; NULL: it has none. */
typedef const char *distinguish_identity_fn(const struct distinguish *item);

/* Sorts them by what and where. */
void distinguish_tell(struct distinguish *items, size_t n,
	distinguish_identity_fn *identity);

#endif

/*
 * corpus_list: the entries of the corpus, filtered and sorted for a list.
 *
 * The matching entries and their sort keys are computed once for each order,
 * and again after a second if something has changed. Only rows that are asked
 * for are sorted. So a list costs one pass over the corpus each second, however
 * often it is asked for.
 */
#ifndef CFUZZ_CORPUS_CORPUS_LIST_H
#define CFUZZ_CORPUS_CORPUS_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "corpus/corpus.h"
#include "corpus/energy.h"

struct corpus_list;

/* The order and filter of a list; the texts are borrowed during a call. */
struct corpus_order {
	/* A member of struct reply_row; "": order of arrival. */
	const char *sort;
	bool falling; /* largest first */
	/* Words of a sieve. A word is the prefix of an entry's or its parent's
	 * name, or a part of seed, favoured, unstable, progress or profile
	 * (both: of the value profile). A row must match all words. */
	const char *filter;
};

/* Borrows both; they must outlive the list. */
struct corpus_list *corpus_list_create(const struct corpus *corpus,
	const struct energy *energy);
void corpus_list_destroy(struct corpus_list *list); /* NULL is fine */

/*
 * Chooses the order for the functions below and counts the matching entries.
 * now_ns: clock_now_ns(). `revision` must change when an entry may have
 * changed. E_NOT_FOUND: rows have no such member.
 */
enum status corpus_list_choose(struct corpus_list *list,
	const struct corpus_order *asked, uint64_t now_ns, uint64_t revision,
	size_t *matching, struct error *err) MUST_CHECK;

/* Sets rows[0] to rows[n - 1] to the entries in the rows from `first` (from 0)
 * on, all of which must be among the matching ones. */
void corpus_list_rows(struct corpus_list *list, size_t first, size_t n,
	const struct corpus_entry **rows);

/* Returns the row of an entry, from 1 on; 0: it does not match. */
size_t corpus_list_place(struct corpus_list *list,
	const struct corpus_entry *entry);

#endif

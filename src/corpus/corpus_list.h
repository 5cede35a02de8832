/*
 * corpus_list: the entries of the corpus in the order that a list wants them.
 *
 * Which entries match, and by what they are compared, is looked up once for
 * each order, and again when a second has gone and something has changed;
 * then only the rows that are asked for are put in their places. So a list
 * costs a pass over the corpus each second, however often it is asked.
 */
#ifndef CFUZZ_CORPUS_CORPUS_LIST_H
#define CFUZZ_CORPUS_CORPUS_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "corpus/corpus.h"
#include "corpus/energy.h"

struct corpus_list;

/* How a list is wanted. */
struct corpus_order {
	const char *sort; /* a member of struct reply_row; "": as they came */
	bool falling;     /* the greatest first */
	/* Words: the beginning of an entry's or its parent's name, or a part of
	 * seed, favoured, unstable, progress. All must be true of a row. */
	const char *filter;
};

/* Both are borrowed and outlive it. */
struct corpus_list *corpus_list_create(const struct corpus *corpus,
	const struct energy *energy);
void corpus_list_destroy(struct corpus_list *list); /* NULL is fine */

/*
 * Chooses the order of what is asked below, and how many match.
 * `revision` changes when anything of the entries may have. E_NOT_FOUND:
 * rows have no such member.
 */
enum status corpus_list_choose(struct corpus_list *list,
	const struct corpus_order *wish, uint64_t now_ns, uint64_t revision,
	size_t *matching, struct error *err) MUST_CHECK;

/* The entry in a row, of those from first to first + n - 1 by one call. */
void corpus_list_rows(struct corpus_list *list, size_t first, size_t n,
	const struct corpus_entry **rows);

/* Where an entry stands, 1: the first row; 0: it does not match. */
size_t corpus_list_place(struct corpus_list *list,
	const struct corpus_entry *entry);

#endif

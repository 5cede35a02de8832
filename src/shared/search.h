/*
 * search: binary search in sorted rows.
 */
#ifndef CFUZZ_SHARED_SEARCH_H
#define CFUZZ_SHARED_SEARCH_H

#include <stddef.h>

/*
 * Sets i to the first of n rows that is not before the wanted place, or to n if
 * all are before. The expression is_before reads i; it must be true for some
 * rows at the start and false for all others (Knuth, The Art of Computer
 * Programming 3, 6.2.1).
 */
#define SEARCH_FIRST(i, n, is_before) \
	do { \
		size_t search_low = 0, search_high = (n); \
		while (search_low < search_high) { \
			(i) = search_low + (search_high - search_low) / 2; \
			if (is_before) \
				search_low = (i) + 1; \
			else \
				search_high = (i); \
		} \
		(i) = search_low; \
	} while (0)

#endif

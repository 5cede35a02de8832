/*
 * search: where in rows that are in order.
 */
#ifndef CFUZZ_SHARED_SEARCH_H
#define CFUZZ_SHARED_SEARCH_H

#include <stddef.h>

/*
 * Sets i to the first of n rows that is not before what is looked for, n: all
 * are. is_before is asked of row i: true for some rows at the start and for no
 * other. By halves (Knuth, The Art of Computer Programming 3, 6.2.1).
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

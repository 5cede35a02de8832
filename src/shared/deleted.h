/*
 * deleted: the mark that the kernel puts behind the path of a running program
 * or of an open file that has no name any more.
 */
#ifndef CFUZZ_SHARED_DELETED_H
#define CFUZZ_SHARED_DELETED_H

#include <stddef.h>
#include <string.h>

#define DELETED_MARK " (deleted)"

/* The length of the path without the mark. A file's own name may end in the
 * same text: the caller decides. */
static inline size_t
deleted_len(const char *path, size_t len)
{
	const size_t mark = sizeof(DELETED_MARK) - 1;

	return len > mark && memcmp(path + len - mark, DELETED_MARK, mark) == 0
		? len - mark
		: len;
}

#endif

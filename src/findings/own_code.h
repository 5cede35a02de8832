/*
 * own_code: how much code of its own a program has, and which libraries.
 *
 * What was compiled without counters guides no search, and whoever fuzzes for
 * the first time forgets the library under test. The table of symbols tells how
 * many bytes of functions there are; those of the runtime, of sanitizers and of
 * the C and C++ libraries do not count. It is a measure, not a proof: a few
 * thousand bytes mean nothing.
 */
#ifndef CFUZZ_FINDINGS_OWN_CODE_H
#define CFUZZ_FINDINGS_OWN_CODE_H

#include <limits.h>
#include <stdint.h>

struct own_code {
	uint64_t bytes; /* of functions; 0: nobody knows */
	/* The first library that is loaded with it and belongs to no compiler
	 * and no C library; "": none. */
	char library[NAME_MAX + 1];
};

/* The file is foreign: what is damaged in it is nothing. */
void own_code_read(int fd, struct own_code *code);

#endif

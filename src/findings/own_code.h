/*
 * own_code: measures how much code of its own a program has, and its libraries.
 *
 * Code that was compiled without instrumentation does not guide the search, and
 * beginners often forget to instrument the library under test. The symbol table
 * gives the sizes of functions; functions of the runtime, of sanitizers and of
 * the C and C++ libraries do not count. The sum is an estimate: a few thousand
 * bytes mean nothing.
 */
#ifndef CFUZZ_FINDINGS_OWN_CODE_H
#define CFUZZ_FINDINGS_OWN_CODE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct own_code {
	uint64_t bytes; /* of functions; 0: unknown, as for a static program */
	/* The first shared library that belongs to neither the compiler nor the
	 * C library; "": none. */
	char library[NAME_MAX + 1];
	/* The program has a main() of its own; names a function under test.
	 * Both false without a symbol table. */
	bool has_main, has_function;
};

/* Reads an ELF file, which stays open and is not trusted: damaged parts count
 * as absent. */
void own_code_read(int fd, struct own_code *code);

#endif

/*
 * instrument: the options that make the compiler instrument what it compiles.
 */
#ifndef CFUZZ_CC_INSTRUMENT_H
#define CFUZZ_CC_INSTRUMENT_H

#include <stdbool.h>

#include "cc/arguments.h"

enum compiler_kind {
	COMPILER_CLANG,
	COMPILER_GCC
};

/* Adds the options to out. thread, flow: the command has -fsanitize=thread,
 * -fsanitize=cfi; they matter for clang only. */
void instrument_add_flags(enum compiler_kind compiler, bool thread, bool flow,
	struct arguments *out);

#endif

/*
 * preload: a program without instrumentation becomes a worker.
 *
 * LD_PRELOAD loads the runtime into the program as a shared object. The dynamic
 * linker finds its names before those of the C library, so it gets control
 * after the constructors, before main(). preload_signals.h keeps SIGTRAP.
 */
#ifndef CFUZZ_TARGET_TRAPS_PRELOAD_H
#define CFUZZ_TARGET_TRAPS_PRELOAD_H

#include <stdbool.h>

#include "target/child/worker.h"

#define PRELOAD_KIND "binary" /* worker.kind of such a program */

/* main() of the program; not to be called. */
typedef int preload_program(int argc, char **argv);

struct preload {
	preload_program *(*get_main)(void);
	/*
	 * Prepares the program for fuzzing; plain: without coverage. Returns
	 * NULL, or a literal that says why it cannot be fuzzed.
	 */
	const char *(*open)(struct worker *worker, bool plain);
	/*
	 * Removes the runtime, which is the first entry, from the value of
	 * LD_PRELOAD. False: it is the only entry, and the value is unchanged.
	 */
	bool (*remove)(char *value);
};

/*
 * All NULL in libcfuzz.a, which does not contain this module. Defined even
 * there: gold mistakes the address of a missing hidden weak symbol for another
 * one.
 */
extern const struct preload preload_calls __attribute__((visibility("hidden")));

#endif

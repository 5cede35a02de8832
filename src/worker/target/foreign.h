/*
 * foreign: finds the adapter, which runs the programs of other fuzzers.
 */
#ifndef CFUZZ_WORKER_TARGET_FOREIGN_H
#define CFUZZ_WORKER_TARGET_FOREIGN_H

#include <limits.h>
#include <stdbool.h>

#include "shared/status.h"

#define FOREIGN_ADAPTER "cfuzz-adapter"
/* The adapter loads it into the program, so that crashes have stacks. */
#define FOREIGN_LIBRARY "libcfuzz-crash.so"

/*
 * Opens the adapter, beside the running program or where it is installed; the
 * caller closes *fd. E_TARGET: there is none, and *fd is 0.
 */
enum status foreign_open_adapter(int *fd, struct error *err) MUST_CHECK;

/* Writes the path of FOREIGN_LIBRARY. False: there is none. */
bool foreign_find_library(char path[PATH_MAX]);

#endif

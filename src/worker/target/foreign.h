/*
 * foreign: finds the adapter, which runs the programs of other fuzzers.
 */
#ifndef CFUZZ_WORKER_TARGET_FOREIGN_H
#define CFUZZ_WORKER_TARGET_FOREIGN_H

#include "shared/status.h"

#define FOREIGN_ADAPTER "cfuzz-adapter"

/*
 * Opens it, beside the running program or where it is installed; the caller
 * closes *fd. E_TARGET: there is none.
 */
enum status foreign_open_adapter(int *fd, struct error *err) MUST_CHECK;

#endif

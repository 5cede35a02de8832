/*
 * scratch: a folder in /tmp for one test.
 */
#ifndef CFUZZ_TESTS_BASE_SCRATCH_H
#define CFUZZ_TESTS_BASE_SCRATCH_H

#include "lib/rows.h"

struct scratch {
	int dirfd;
	char path[64];
};

/* Set-up and tear-down; *state is a struct scratch. */
int scratch_open(void **state);
int scratch_close(void **state);

#endif

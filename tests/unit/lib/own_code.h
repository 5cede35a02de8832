/*
 * own_code: where a function of the running program lies in its file.
 */
#ifndef CFUZZ_TESTS_UNIT_LIB_OWN_CODE_H
#define CFUZZ_TESTS_UNIT_LIB_OWN_CODE_H

#include <stdint.h>

/* The offset that a frame of a stack has. */
uint64_t own_code_offset(void (*function)(int));

#endif

/* call: a program that a test needs, a compiler mostly. */
#ifndef CFUZZ_TESTS_CALL_H
#define CFUZZ_TESTS_CALL_H

#include <stdbool.h>

/* Runs it to its end. False: there is none, or it failed. */
bool call(const char *const *words);

#endif

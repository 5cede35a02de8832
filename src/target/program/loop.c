/*
 * loop: the function by which a program asks for its next input.
 *
 * This is an object of its own in the archive, as deferred.c is.
 */

#include "target/abi.h"

int
cfuzz_loop(unsigned int n)
{
	return __cfuzz_loop(n);
}

/* AFL++'s name; programs that do not use its macro declare it themselves. */
int __afl_persistent_loop(unsigned int n)
	__attribute__((alias("cfuzz_loop"), visibility("default")));

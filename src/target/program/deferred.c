/*
 * deferred: the function by which a program says where its runs begin.
 *
 * This is an object of its own in the archive, as driver.c is: the runtime knows
 * before main() whether the program calls the function.
 */

#include "target/abi.h"

void
cfuzz_start(void)
{
	__cfuzz_start();
}

/* AFL++'s name; programs that do not use its macro declare it themselves. */
void __afl_manual_init(void)
	__attribute__((alias("cfuzz_start"), visibility("default")));

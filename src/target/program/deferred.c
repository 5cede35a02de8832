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

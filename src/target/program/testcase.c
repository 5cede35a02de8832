/*
 * testcase: the input in memory, for AFL++'s __AFL_FUZZ_TESTCASE_BUF.
 *
 * This is an object of its own in the archive: a program that does not call it
 * reads standard input, which costs system calls.
 */

#include "target/abi.h"

unsigned char *
cfuzz_testcase(void)
{
	return __cfuzz_testcase();
}

unsigned int
cfuzz_testcase_len(void)
{
	return __cfuzz_testcase_len();
}

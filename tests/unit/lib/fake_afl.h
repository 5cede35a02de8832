/*
 * fake_afl: the pipes of a fork server of AFL++, as the server sees them.
 */
#ifndef CFUZZ_TESTS_FAKE_AFL_H
#define CFUZZ_TESTS_FAKE_AFL_H

#include <stddef.h>
#include <stdint.h>

/* The next word of the fuzzer. The process ends if there is none. */
uint32_t fake_afl_hear(void);

/* To the fuzzer. The process ends if nobody takes it. */
void fake_afl_say(int32_t word);

#endif

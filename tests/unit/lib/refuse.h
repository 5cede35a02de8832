/*
 * refuse: a kernel that refuses a system call, as other machines do.
 */
#ifndef CFUZZ_TESTS_REFUSE_H
#define CFUZZ_TESTS_REFUSE_H

#include <stdint.h>

/*
 * From now on, in this process and its descendants: the system call of that
 * number (SYS_...) fails with errnum if the low half of its argument arg, from
 * 0, is value. Fork first: there is no way back.
 */
void refuse_call(uint32_t number, unsigned arg, uint32_t value, int errnum);

#endif

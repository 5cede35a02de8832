/* jump: see jump.h. */

#include "target/program/jump.h"

#if defined(__aarch64__) && defined(__clang__)

__attribute__((naked)) int
jump_set(void **place)
{
	__asm__("stp x19, x20, [x0]\n\t"
		"stp x21, x22, [x0, #16]\n\t"
		"stp x23, x24, [x0, #32]\n\t"
		"stp x25, x26, [x0, #48]\n\t"
		"stp x27, x28, [x0, #64]\n\t"
		"stp x29, x30, [x0, #80]\n\t"
		"mov x1, sp\n\t"
		"str x1, [x0, #96]\n\t"
		"stp d8, d9, [x0, #104]\n\t"
		"stp d10, d11, [x0, #120]\n\t"
		"stp d12, d13, [x0, #136]\n\t"
		"stp d14, d15, [x0, #152]\n\t"
		"mov w0, wzr\n\t"
		"ret");
}

__attribute__((naked)) void
jump_to(void **place)
{
	__asm__("ldp x19, x20, [x0]\n\t"
		"ldp x21, x22, [x0, #16]\n\t"
		"ldp x23, x24, [x0, #32]\n\t"
		"ldp x25, x26, [x0, #48]\n\t"
		"ldp x27, x28, [x0, #64]\n\t"
		"ldp x29, x30, [x0, #80]\n\t"
		"ldr x1, [x0, #96]\n\t"
		"mov sp, x1\n\t"
		"ldp d8, d9, [x0, #104]\n\t"
		"ldp d10, d11, [x0, #120]\n\t"
		"ldp d12, d13, [x0, #136]\n\t"
		"ldp d14, d15, [x0, #152]\n\t"
		"mov w0, #1\n\t"
		"ret");
}

#endif

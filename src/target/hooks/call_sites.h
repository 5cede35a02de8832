/*
 * call_sites: finds the calls of one runtime function in the loaded modules.
 *
 * It reads machine code: direct calls, calls through a module's PLT, and calls
 * through its GOT. Other bytes that look like such a call only waste a number.
 */
#ifndef CFUZZ_TARGET_HOOKS_CALL_SITES_H
#define CFUZZ_TARGET_HOOKS_CALL_SITES_H

#include <stddef.h>
#include <stdint.h>

/* An executable segment with calls. */
struct call_sites {
	uintptr_t start;
	size_t len;               /* bytes */
	const uintptr_t *returns; /* return addresses, ascending */
	uint32_t n;
};

/*
 * Finds the calls of the function with this name and address, and calls
 * on_sites for each segment that has some; sites is valid only during that
 * call. Finds none without memory, or on another processor than x86-64 and
 * 64-bit ARM.
 */
void call_sites_find(const char *name, uintptr_t function,
	void (*on_sites)(const struct call_sites *sites));

/* A number that changes when a module is loaded. */
unsigned long long call_sites_loads(void);

#endif

/*
 * call_sites: where the loaded modules call one function of ours.
 *
 * Read from machine code: direct calls, calls through a module's PLT, and
 * calls through its GOT. What looks like such a call but is none costs a
 * number and nothing else.
 */
#ifndef CFUZZ_TARGET_HOOKS_CALL_SITES_H
#define CFUZZ_TARGET_HOOKS_CALL_SITES_H

#include <stddef.h>
#include <stdint.h>

/* One executable segment that has calls. */
struct call_sites {
	uintptr_t start;
	size_t len;
	const uintptr_t *returns; /* addresses behind the calls, ascending */
	uint32_t n;
};

/* Calls on_sites for each segment; sites is gone afterwards. */
void call_sites_find(const char *name, uintptr_t function,
	void (*on_sites)(const struct call_sites *sites));

/* A number that changes when a module is loaded. */
unsigned long long call_sites_loads(void);

#endif

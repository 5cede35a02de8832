/*
 * hooks_cmp: what compilers call at comparisons and the like.
 *
 * They do nothing yet, but objects that were built with them must link, here
 * and in modules that are loaded later. Each is a plain return.
 */

#include <stddef.h>
#include <stdint.h>

#include "target/abi.h"

/* Instrumented functions write the lowest stack address here. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
ABI_EXPORT __thread uintptr_t __sancov_lowest_stack = UINTPTR_MAX;

#define HOOKS_COMPARE(name, type) \
	ABI_EXPORT void name(type a, type b); \
	void name(type a, type b) \
	{ \
		(void)a; \
		(void)b; \
	}

#define HOOKS_VALUE(name, type) \
	ABI_EXPORT void name(type value); \
	void name(type value) \
	{ \
		(void)value; \
	}

#define HOOKS_STRINGS(name, type) \
	ABI_EXPORT void name(const void *caller, const char *a, const char *b, \
		type result); \
	void name(const void *caller, const char *a, const char *b, \
		type result) \
	{ \
		(void)caller; \
		(void)a; \
		(void)b; \
		(void)result; \
	}

#define HOOKS_BYTES(name) \
	ABI_EXPORT void name(const void *caller, const void *a, const void *b, \
		size_t n, int result); \
	void name(const void *caller, const void *a, const void *b, size_t n, \
		int result) \
	{ \
		(void)caller; \
		(void)a; \
		(void)b; \
		(void)n; \
		(void)result; \
	}

HOOKS_COMPARE(__sanitizer_cov_trace_cmp1, uint8_t)
HOOKS_COMPARE(__sanitizer_cov_trace_cmp2, uint16_t)
HOOKS_COMPARE(__sanitizer_cov_trace_cmp4, uint32_t)
HOOKS_COMPARE(__sanitizer_cov_trace_cmp8, uint64_t)
HOOKS_COMPARE(__sanitizer_cov_trace_const_cmp1, uint8_t)
HOOKS_COMPARE(__sanitizer_cov_trace_const_cmp2, uint16_t)
HOOKS_COMPARE(__sanitizer_cov_trace_const_cmp4, uint32_t)
HOOKS_COMPARE(__sanitizer_cov_trace_const_cmp8, uint64_t)
HOOKS_COMPARE(__sanitizer_cov_trace_cmpf, float)
HOOKS_COMPARE(__sanitizer_cov_trace_cmpd, double)
HOOKS_VALUE(__sanitizer_cov_trace_div4, uint32_t)
HOOKS_VALUE(__sanitizer_cov_trace_div8, uint64_t)
HOOKS_VALUE(__sanitizer_cov_trace_gep, uintptr_t)
HOOKS_VALUE(__sanitizer_cov_trace_pc_indir, uintptr_t)
HOOKS_STRINGS(__sanitizer_weak_hook_strcmp, int)
HOOKS_STRINGS(__sanitizer_weak_hook_strcasecmp, int)
HOOKS_STRINGS(__sanitizer_weak_hook_strstr, char *)
HOOKS_STRINGS(__sanitizer_weak_hook_strcasestr, char *)
HOOKS_BYTES(__sanitizer_weak_hook_memcmp)
HOOKS_BYTES(__sanitizer_weak_hook_strncmp)
HOOKS_BYTES(__sanitizer_weak_hook_strncasecmp)

ABI_EXPORT void __sanitizer_cov_trace_switch(uint64_t value,
	const uint64_t *cases);
ABI_EXPORT void __sanitizer_weak_hook_memmem(const void *caller, const void *a,
	size_t a_len, const void *b, size_t b_len, const void *result);

void
__sanitizer_cov_trace_switch(uint64_t value, const uint64_t *cases)
{
	(void)value;
	(void)cases;
}

void
__sanitizer_weak_hook_memmem(const void *caller, const void *a, size_t a_len,
	const void *b, size_t b_len, const void *result)
{
	(void)caller;
	(void)a;
	(void)a_len;
	(void)b;
	(void)b_len;
	(void)result;
}

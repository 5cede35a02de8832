/*
 * hooks_cmp: see hooks_cmp.h.
 *
 * All hooks test one word. The work for a nonzero word is out of line, in
 * functions that the hooks jump to, so that a hook needs no stack frame.
 */

#include "target/hooks/hooks_cmp.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "target/abi.h"
#include "target/hooks/cmp_patch.h"
#include "target/hooks/compare.h"
#include "target/hooks/strings.h"
#include "target/hooks/value_profile.h"

#define HOOKS_SLOW __attribute__((noinline))
/* A larger number of cases is taken for damage. */
#define HOOKS_CASES_SANE (1u << 16)
/* Sites of the program itself; others are known by their offset in a page. */
#define HOOKS_NEAR (1u << 30)
/* A site is recorded so often in a recording, and later only now and then. */
#define HOOKS_VISITS_MAX 4096u
#define HOOKS_VISITS 8u
#define HOOKS_VISITS_ONE_IN 8u

/* Instrumented functions write the lowest stack address here. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
ABI_EXPORT __thread uintptr_t __sancov_lowest_stack = UINTPTR_MAX;

ABI_EXPORT void __sanitizer_cov_trace_switch(uint64_t value,
	const uint64_t *cases);

/* Symbol of the linker: the first byte of the program. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
extern const char __executable_start[]
	__attribute__((weak, visibility("hidden")));

/* How often a site was called in a recording. */
struct hooks_visits {
	uint32_t site; /* the last one of those that share this place */
	uint16_t stamp, n;
};

enum hooks_user {
	HOOKS_RECORD = 1,  /* compare_number() and compare_bytes() */
	HOOKS_PROFILE = 2, /* value_profile_number() and …_bytes() */
};

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct hooks {
	uint32_t users; /* set of enum hooks_user */
	uint16_t stamp; /* of the recording */
	struct hooks_visits visits[HOOKS_VISITS_MAX];
} hooks;

static void
hooks_use(enum hooks_user user, bool on)
{
	uint32_t others = hooks.users & ~(uint32_t)user;

	__atomic_store_n(&hooks.users, others | (on ? (uint32_t)user : 0),
		__ATOMIC_RELAXED);
	strings_watch(hooks.users != 0);
}

void
hooks_cmp_begin(void)
{
	compare_begin();
	hooks_use(HOOKS_RECORD, true);
	hooks.stamp++;
}

uint32_t
hooks_cmp_end(void)
{
	hooks_use(HOOKS_RECORD, false);
	return compare_end();
}

bool
hooks_cmp_is_recording(void)
{
	return (hooks.users & HOOKS_RECORD) != 0;
}

void
hooks_cmp_profile(bool on)
{
	if (value_profile_set(on))
		hooks_use(HOOKS_PROFILE, on);
}

#define HOOKS_ANY() \
	__builtin_expect(__atomic_load_n(&hooks.users, __ATOMIC_RELAXED) != 0, \
		0)
#define HOOKS_CALLER ((uintptr_t)__builtin_return_address(0))

uint32_t
hooks_cmp_site(uintptr_t pc)
{
	uintptr_t far = pc - (uintptr_t)__executable_start;

	return (uint32_t)(far < HOOKS_NEAR ? far : HOOKS_NEAR + pc % 4096);
}

/*
 * Is this call recorded? The first calls of a site are recorded, later ones
 * only now and then; which ones depends on the recording. Each recorded call is
 * noted for cmp_patch, because sites may share an entry here.
 */
static inline bool
hooks_is_recorded(uint32_t users, uint32_t site, uintptr_t pc, uintptr_t hook)
{
	struct hooks_visits *v = &hooks.visits[site % HOOKS_VISITS_MAX];
	uint16_t stamp = hooks.stamp;

	if ((users & HOOKS_RECORD) == 0)
		return false;
	if (v->stamp != stamp || v->site != site) {
		*v = (struct hooks_visits){ .site = site, .stamp = stamp };
	} else if (++v->n >= HOOKS_VISITS &&
		(v->n + stamp) % HOOKS_VISITS_ONE_IN != 0) {
		return false;
	}
	cmp_patch_learn(pc, hook);
	return true;
}

static HOOKS_SLOW void
hooks_number(uint64_t a, uint64_t b, uintptr_t pc, unsigned shape,
	uintptr_t hook)
{
	uint32_t site = hooks_cmp_site(pc), users = hooks.users;

	if (hooks_is_recorded(users, site, pc, hook))
		compare_number(site, a, b, shape);
	if ((users & HOOKS_PROFILE) != 0)
		value_profile_number(site, a, b, shape & COMPARE_WIDTH);
}

/* The case nearest to the value. */
static uint64_t
hooks_nearest(uint64_t value, const uint64_t *cases, uint64_t n)
{
	uint64_t best = cases[0], best_far = UINT64_MAX;

	for (uint64_t i = 0; i < n; i++) {
		uint64_t far =
			cases[i] > value ? cases[i] - value : value - cases[i];

		if (far < best_far) {
			best = cases[i];
			best_far = far;
		}
	}
	return best;
}

static HOOKS_SLOW void
hooks_switch(uint64_t value, const uint64_t *cases, uintptr_t pc)
{
	uint32_t site = hooks_cmp_site(pc), users = hooks.users;
	uint64_t n = cases[0], bits = cases[1], nearest;
	unsigned width = bits > 32 ? 8 : bits > 16 ? 4 : bits > 8 ? 2 : 1;

	cases += 2;
	if (n == 0 || n > HOOKS_CASES_SANE)
		return;
	if (hooks_is_recorded(users, site, pc,
		    (uintptr_t)__sanitizer_cov_trace_switch))
		compare_cases(site, value, cases, (uint32_t)n, width);
	if ((users & HOOKS_PROFILE) != 0) {
		nearest = hooks_nearest(value, cases, n);
		value_profile_number(site ^ (uint32_t)(nearest * 0x9e3779b1u),
			nearest, value, width);
	}
}

static void
hooks_bytes(const struct compare_call *call, const void *caller, bool equal)
{
	struct compare_pair pair;
	uint32_t site = hooks_cmp_site((uintptr_t)caller);
	uint32_t users = hooks.users;

	compare_read(&pair, call);
	if ((users & HOOKS_RECORD) != 0)
		compare_bytes(site, &pair, equal);
	if ((users & HOOKS_PROFILE) != 0)
		value_profile_bytes(site, &pair);
}

static HOOKS_SLOW void
hooks_memory(const void *caller, const void *a, const void *b, size_t n,
	bool equal)
{
	hooks_bytes(&(struct compare_call){ { a, b }, { n, n }, 0 }, caller,
		equal);
}

static HOOKS_SLOW void
hooks_text(const void *caller, const char *a, const char *b, size_t n,
	bool equal, unsigned shape)
{
	hooks_bytes(&(struct compare_call){ { (const void *)a,
						    (const void *)b },
			    { n, n }, shape | COMPARE_TEXT },
		caller, equal);
}

/*
 * Records the wanted bytes and the beginning of the searched ones. An empty
 * search matches at once and may not have read a byte.
 */
static HOOKS_SLOW void
hooks_search(const void *caller, const void *wanted, size_t wanted_n,
	const void *in, size_t in_n, bool found, unsigned shape)
{
	if (wanted_n == 0 ||
		((shape & COMPARE_TEXT) != 0 && *(const char *)wanted == '\0'))
		return;
	hooks_bytes(&(struct compare_call){ { wanted, in }, { wanted_n, in_n },
			    shape | COMPARE_SEARCH },
		caller, found);
}

#define HOOKS_NUMBERS(name, type, shape) \
	ABI_EXPORT void name(type a, type b); \
	void name(type a, type b) \
	{ \
		if (HOOKS_ANY()) \
			hooks_number(a, b, HOOKS_CALLER, shape, \
				(uintptr_t)(name)); \
	}

/* Floating-point numbers are searched in the value by their exact bits. */
#define HOOKS_FLOATS(name, type, bits) \
	ABI_EXPORT void name(type a, type b); \
	void name(type a, type b) \
	{ \
		bits words[2]; \
\
		if (!HOOKS_ANY()) \
			return; \
		memcpy(&words[0], &a, sizeof(a)); \
		memcpy(&words[1], &b, sizeof(b)); \
		hooks_number(words[0], words[1], HOOKS_CALLER, \
			sizeof(a) | COMPARE_FLOAT, (uintptr_t)(name)); \
	}

#define HOOKS_IGNORED(name, type) \
	ABI_EXPORT void name(type value); \
	void name(type value) \
	{ \
		(void)value; \
	}

#define HOOKS_STRINGS(name, shape) \
	ABI_EXPORT void name(const void *caller, const char *a, const char *b, \
		int result); \
	void name(const void *caller, const char *a, const char *b, \
		int result) \
	{ \
		if (HOOKS_ANY()) \
			hooks_text(caller, a, b, SIZE_MAX, result == 0, \
				shape); \
	}

#define HOOKS_FINDS(name, shape) \
	ABI_EXPORT void name(const void *caller, const char *text, \
		const char *wanted, const char *result); \
	void name(const void *caller, const char *text, const char *wanted, \
		const char *result) \
	{ \
		if (HOOKS_ANY()) \
			hooks_search(caller, wanted, SIZE_MAX, text, SIZE_MAX, \
				result != NULL, (shape) | COMPARE_TEXT); \
	}

#define HOOKS_STRINGS_N(name, shape) \
	ABI_EXPORT void name(const void *caller, const char *a, const char *b, \
		size_t n, int result); \
	void name(const void *caller, const char *a, const char *b, size_t n, \
		int result) \
	{ \
		if (HOOKS_ANY()) \
			hooks_text(caller, a, b, n, result == 0, shape); \
	}

HOOKS_NUMBERS(__sanitizer_cov_trace_cmp1, uint8_t, 1)
HOOKS_NUMBERS(__sanitizer_cov_trace_cmp2, uint16_t, 2)
HOOKS_NUMBERS(__sanitizer_cov_trace_cmp4, uint32_t, 4)
HOOKS_NUMBERS(__sanitizer_cov_trace_cmp8, uint64_t, 8)
HOOKS_NUMBERS(__sanitizer_cov_trace_const_cmp1, uint8_t, 1 | COMPARE_CONSTANT)
HOOKS_NUMBERS(__sanitizer_cov_trace_const_cmp2, uint16_t, 2 | COMPARE_CONSTANT)
HOOKS_NUMBERS(__sanitizer_cov_trace_const_cmp4, uint32_t, 4 | COMPARE_CONSTANT)
HOOKS_NUMBERS(__sanitizer_cov_trace_const_cmp8, uint64_t, 8 | COMPARE_CONSTANT)
HOOKS_FLOATS(__sanitizer_cov_trace_cmpf, float, uint32_t)
HOOKS_FLOATS(__sanitizer_cov_trace_cmpd, double, uint64_t)
HOOKS_IGNORED(__sanitizer_cov_trace_div4, uint32_t)
HOOKS_IGNORED(__sanitizer_cov_trace_div8, uint64_t)
HOOKS_IGNORED(__sanitizer_cov_trace_gep, uintptr_t)
HOOKS_IGNORED(__sanitizer_cov_trace_pc_indir, uintptr_t)
HOOKS_STRINGS(__sanitizer_weak_hook_strcmp, 0)
HOOKS_STRINGS(__sanitizer_weak_hook_strcasecmp, COMPARE_FOLD)
HOOKS_STRINGS_N(__sanitizer_weak_hook_strncmp, 0)
HOOKS_STRINGS_N(__sanitizer_weak_hook_strncasecmp, COMPARE_FOLD)
HOOKS_FINDS(__sanitizer_weak_hook_strstr, 0)
HOOKS_FINDS(__sanitizer_weak_hook_strcasestr, COMPARE_FOLD)

/* clang-format off */
ABI_EXPORT void __sanitizer_weak_hook_memcmp(const void *caller, const void *a, const void *b, size_t n, int result);
ABI_EXPORT void __sanitizer_weak_hook_memmem(const void *caller, const void *a, size_t a_len, const void *b, size_t b_len, const void *result);
/* clang-format on */

void
__sanitizer_cov_trace_switch(uint64_t value, const uint64_t *cases)
{
	if (HOOKS_ANY())
		hooks_switch(value, cases, HOOKS_CALLER);
}

void
__sanitizer_weak_hook_memcmp(const void *caller, const void *a, const void *b,
	size_t n, int result)
{
	if (HOOKS_ANY())
		hooks_memory(caller, a, b, n, result == 0);
}

void
__sanitizer_weak_hook_memmem(const void *caller, const void *a, size_t a_len,
	const void *b, size_t b_len, const void *result)
{
	if (HOOKS_ANY())
		hooks_search(caller, b, b_len, a, a_len, result != NULL, 0);
}

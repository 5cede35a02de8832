/*
 * strings: see strings.h.
 *
 * These functions may be called before anything is initialised: by resolvers of
 * the dynamic linker, even before this program is relocated, and by
 * constructors of libraries. A plain loop does the work until the next function
 * is known, and always in a statically linked program.
 */

#include "target/hooks/strings.h"

#include <dlfcn.h>
#include <string.h>
#include <strings.h>

#include "target/abi.h"
#include "target/hooks/plain.h"

#define STRINGS_HOOK(name) __sanitizer_weak_hook_##name

/* clang-format off */
ABI_WEAK void *dlsym(void *handle, const char *name);
ABI_WEAK void __sanitizer_weak_hook_memcmp(const void *caller, const void *a,
	const void *b, size_t n, int result);
ABI_WEAK void __sanitizer_weak_hook_strcmp(const void *caller, const char *a,
	const char *b, int result);
ABI_WEAK void __sanitizer_weak_hook_strncmp(const void *caller, const char *a,
	const char *b, size_t n, int result);
ABI_WEAK void __sanitizer_weak_hook_strcasecmp(const void *caller,
	const char *a, const char *b, int result);
ABI_WEAK void __sanitizer_weak_hook_strncasecmp(const void *caller,
	const char *a, const char *b, size_t n, int result);
ABI_WEAK void __sanitizer_weak_hook_strstr(const void *caller, const char *a,
	const char *b, char *result);
ABI_WEAK void __sanitizer_weak_hook_strcasestr(const void *caller,
	const char *a, const char *b, char *result);
ABI_WEAK void __sanitizer_weak_hook_memmem(const void *caller, const void *a,
	size_t a_len, const void *b, size_t b_len, void *result);
/* clang-format on */

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct strings_next {
	int (*memcmp)(const void *, const void *, size_t);
	int (*bcmp)(const void *, const void *, size_t);
	int (*strcmp)(const char *, const char *);
	int (*strncmp)(const char *, const char *, size_t);
	int (*strcasecmp)(const char *, const char *);
	int (*strncasecmp)(const char *, const char *, size_t);
	char *(*strstr)(const char *, const char *);
	char *(*strcasestr)(const char *, const char *);
	void *(*memmem)(const void *, size_t, const void *, size_t);
} next;

static void
strings_find(const char *name, void *function)
{
	void *found = dlsym(RTLD_NEXT, name);

	__builtin_memcpy(function, &found, sizeof(found));
}

/* Runs after the constructors of libraries and before those of the program. */
__attribute__((constructor(101))) static void
strings_init(void)
{
	if (dlsym == NULL)
		return;
	strings_find("memcmp", &next.memcmp);
	strings_find("bcmp", &next.bcmp);
	strings_find("strcmp", &next.strcmp);
	strings_find("strncmp", &next.strncmp);
	strings_find("strcasecmp", &next.strcasecmp);
	strings_find("strncasecmp", &next.strncasecmp);
	strings_find("strstr", &next.strstr);
	strings_find("strcasestr", &next.strcasestr);
	strings_find("memmem", &next.memmem);
}

/* Calls the next function of that name. */
#define STRINGS_NEXT(name, ...) \
	(next.name != NULL ? next.name(__VA_ARGS__) : plain_##name(__VA_ARGS__))

/* Jumps to the next function, or to strings_name() while hooks are in use. */
#define STRINGS_JUMP(name, ...) \
	(__builtin_expect(!__cfuzz_strings_on, 1) \
			? STRINGS_NEXT(name, __VA_ARGS__) \
			: strings_##name(__builtin_return_address(0), \
				  __VA_ARGS__))

#define STRINGS_PAIR(result_type, name) \
	static STRINGS_WATCHED result_type strings_##name(const void *caller, \
		const char *a, const char *b) \
	{ \
		result_type result = STRINGS_NEXT(name, a, b); \
\
		STRINGS_HOOK(name)(caller, a, b, result); \
		return result; \
	} \
	STRINGS_WATCHED ABI_WEAK result_type name(const char *a, \
		const char *b) \
	{ \
		return STRINGS_JUMP(name, a, b); \
	}

#define STRINGS_PAIR_OF_LENGTH(type, name, hook) \
	static STRINGS_WATCHED int strings_##name(const void *caller, \
		const type *a, const type *b, size_t n) \
	{ \
		int result = STRINGS_NEXT(name, a, b, n); \
\
		STRINGS_HOOK(hook)(caller, a, b, n, result); \
		return result; \
	} \
	STRINGS_WATCHED ABI_WEAK int name(const type *a, const type *b, \
		size_t n) \
	{ \
		return STRINGS_JUMP(name, a, b, n); \
	}

STRINGS_PAIR(int, strcmp)
STRINGS_PAIR(int, strcasecmp)
STRINGS_PAIR(char *, strstr)
STRINGS_PAIR(char *, strcasestr)
STRINGS_PAIR_OF_LENGTH(void, memcmp, memcmp)
STRINGS_PAIR_OF_LENGTH(void, bcmp, memcmp)
STRINGS_PAIR_OF_LENGTH(char, strncmp, strncmp)
STRINGS_PAIR_OF_LENGTH(char, strncasecmp, strncasecmp)

static STRINGS_WATCHED void *
strings_memmem(const void *caller, const void *data, size_t len,
	const void *part, size_t part_len)
{
	void *result = STRINGS_NEXT(memmem, data, len, part, part_len);

	STRINGS_HOOK(memmem)(caller, data, len, part, part_len, result);
	return result;
}

STRINGS_WATCHED ABI_WEAK void *
memmem(const void *data, size_t len, const void *part, size_t part_len)
{
	return STRINGS_JUMP(memmem, data, len, part, part_len);
}

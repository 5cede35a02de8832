/*
 * recorder: prints what the hooks of string comparisons are told.
 *
 * It stands before the runtime's own hooks (-Wl,-z,muldefs), and asks for the
 * calls when the target has been initialised. A line is the hook, and in
 * brackets both operands.
 */

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "target/hooks/strings.h"

struct operand {
	const char *bytes;
	size_t n;
};

/* Of text, up to its end. Nothing in here may compare strings. */
static void
print_operand(struct operand operand, int is_text)
{
	fputs(" [", stdout);
	for (size_t i = 0; i < operand.n; i++) {
		char c = operand.bytes[i];

		if (c == '\0' && is_text)
			break;
		putchar(c >= ' ' && c <= '~' ? c : '.');
	}
	putchar(']');
}

static void
print_call(const char *name, const void *caller, struct operand a,
	struct operand b, int is_text)
{
	printf("\nhook %s", name);
	print_operand(a, is_text);
	print_operand(b, is_text);
	puts(caller != NULL ? "" : " by nobody");
	fflush(stdout);
}

#define PAIR(name, type) \
	void __sanitizer_weak_hook_##name(const void *caller, const char *a, \
		const char *b, type result); \
	void __sanitizer_weak_hook_##name(const void *caller, const char *a, \
		const char *b, type result) \
	{ \
		(void)result; \
		print_call(#name, caller, (struct operand){ a, SIZE_MAX }, \
			(struct operand){ b, SIZE_MAX }, 1); \
	}

#define PAIR_OF_LENGTH(name, type, is_text) \
	void __sanitizer_weak_hook_##name(const void *caller, const type *a, \
		const type *b, size_t n, int result); \
	void __sanitizer_weak_hook_##name(const void *caller, const type *a, \
		const type *b, size_t n, int result) \
	{ \
		(void)result; \
		print_call(#name, caller, (struct operand){ a, n }, \
			(struct operand){ b, n }, is_text); \
	}

PAIR(strcmp, int)
PAIR(strcasecmp, int)
PAIR(strstr, char *)
PAIR(strcasestr, char *)
PAIR_OF_LENGTH(memcmp, void, 0)
PAIR_OF_LENGTH(strncmp, char, 1)
PAIR_OF_LENGTH(strncasecmp, char, 1)

void __sanitizer_weak_hook_memmem(const void *caller, const void *a,
	size_t a_len, const void *b, size_t b_len, void *result);

void
__sanitizer_weak_hook_memmem(const void *caller, const void *a, size_t a_len,
	const void *b, size_t b_len, void *result)
{
	print_call("memmem", caller, (struct operand){ a, a_len },
		(struct operand){ b, b_len }, 0);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	strings_watch(true);
	return 0;
}

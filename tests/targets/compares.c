/*
 * A target with a word behind each way of comparing memory and strings in C.
 * The first byte of an input chooses the way, the rest is compared; finding
 * the word is the failure.
 * VARIANTS: asan ubsan
 * FLAGS: -D_GNU_SOURCE=
 */

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "cfuzz.h"

#define TEXT_LEN 63

/* Words and lengths that a compiler does not know. */
static const char *volatile words[] = { "memcmp-late", "strcmp-late" };
static int (*volatile pointer)(const void *, const void *, size_t) = memcmp;

static bool
memcmp_short(const char *text)
{
	return memcmp(text, "mem4", 4) == 0;
}

static bool
memcmp_equal(const char *text)
{
	return memcmp(text, "memcmp-equal", 12) == 0;
}

static bool
memcmp_order(const char *text)
{
	int order = memcmp("memcmp-order", text, 12);

	return order >= 0 && order <= 0;
}

static bool
memcmp_late(const char *text)
{
	const char *word = words[0];

	return !memcmp(text, word, strlen(word));
}

static bool
memcmp_pointer(const char *text)
{
	return pointer(text, "memcmp-pointer", 14) == 0;
}

static bool
memcmp_builtin(const char *text)
{
	return __builtin_memcmp(text, "memcmp-builtin", 14) == 0;
}

static bool
memcmp_struct(const char *text)
{
	const struct {
		char head[8], tail[8];
	} wanted = { "memcmp", "struct" };

	return memcmp(text, &wanted, sizeof(wanted)) == 0;
}

static bool
bcmp_equal(const char *text)
{
	return bcmp(text, "bcmp-equal", 10) == 0;
}

static bool
strcmp_short(const char *text)
{
	return strcmp(text, "st") == 0;
}

static bool
strcmp_equal(const char *text)
{
	return strcmp(text, "strcmp-equal") == 0;
}

static bool
strcmp_late(const char *text)
{
	return strcmp(words[1], text) == 0;
}

static bool
strncmp_equal(const char *text)
{
	return strncmp(text, "strncmp-equal", 13) == 0;
}

static bool
strcasecmp_equal(const char *text)
{
	return strcasecmp(text, "strcasecmp-equal") == 0;
}

static bool
strncasecmp_equal(const char *text)
{
	return strncasecmp(text, "strncasecmp-equal", 17) == 0;
}

static bool
strstr_found(const char *text)
{
	return strstr(text, "strstr-found") != NULL;
}

static bool
strcasestr_found(const char *text)
{
	return strcasestr(text, "strcasestr-found") != NULL;
}

static bool
memmem_found(const char *text)
{
	return memmem(text, TEXT_LEN, "memmem-found", 12) != NULL;
}

static const struct way {
	const char *name;
	bool (*is_found)(const char *text);
} WAYS[] = {
	{ "memcmp-short", memcmp_short },
	{ "memcmp-equal", memcmp_equal },
	{ "memcmp-order", memcmp_order },
	{ "memcmp-late", memcmp_late },
	{ "memcmp-pointer", memcmp_pointer },
	{ "memcmp-builtin", memcmp_builtin },
	{ "memcmp-struct", memcmp_struct },
	{ "bcmp-equal", bcmp_equal },
	{ "strcmp-short", strcmp_short },
	{ "strcmp-equal", strcmp_equal },
	{ "strcmp-late", strcmp_late },
	{ "strncmp-equal", strncmp_equal },
	{ "strcasecmp-equal", strcasecmp_equal },
	{ "strncasecmp-equal", strncasecmp_equal },
	{ "strstr-found", strstr_found },
	{ "strcasestr-found", strcasestr_found },
	{ "memmem-found", memmem_found },
};

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct way *way;
	char text[TEXT_LEN + 1] = "";

	if (size == 0 || size > TEXT_LEN)
		return -1;
	way = &WAYS[data[0] % (sizeof(WAYS) / sizeof(WAYS[0]))];
	memcpy(text, data + 1, size - 1);
	if (way->is_found(text))
		cfuzz_fail("%s", way->name);
	return 0;
}

/*
 * plain: see plain.h.
 *
 * The child compares each input after its execution, so speed matters: equal
 * bytes are skipped in blocks, and only the difference is searched byte by
 * byte.
 */

#include "target/hooks/plain.h"

#include <stdbool.h>
#include <stdint.h>

/* Unaligned, and of any type. */
typedef uint64_t plain_pair
	__attribute__((vector_size(16), aligned(1), may_alias));
typedef uint64_t plain_word __attribute__((aligned(1), may_alias));

#define PLAIN_BLOCK (2 * sizeof(plain_pair))

/* Else the compiler makes a call of memcpy() from the loop. */
#define PLAIN_KEEP_LOOP() __asm__ volatile("" ::: "memory")

static bool
plain_block_differs(const uint8_t *a, const uint8_t *b)
{
	const plain_pair *x = (const plain_pair *)(const void *)a;
	const plain_pair *y = (const plain_pair *)(const void *)b;
	plain_pair difference = (x[0] ^ y[0]) | (x[1] ^ y[1]);

	return (difference[0] | difference[1]) != 0;
}

static bool
plain_word_differs(const uint8_t *a, const uint8_t *b)
{
	return *(const plain_word *)(const void *)a !=
		*(const plain_word *)(const void *)b;
}

/*
 * The number of leading bytes known to be equal: n, or the position where the
 * search must continue byte by byte.
 */
static size_t
plain_equal(const uint8_t *a, const uint8_t *b, size_t n)
{
	const size_t word = sizeof(plain_word);
	size_t at = 0;

	for (; n - at >= PLAIN_BLOCK; at += PLAIN_BLOCK)
		if (plain_block_differs(a + at, b + at))
			return at;
	for (; n - at >= word; at += word)
		if (plain_word_differs(a + at, b + at))
			return at;
	/* The last word overlaps the one before. */
	if (n >= word && !plain_word_differs(a + n - word, b + n - word))
		return n;
	return at;
}

int
plain_memcmp(const void *a, const void *b, size_t n)
{
	const uint8_t *x = a, *y = b;

	for (size_t i = plain_equal(x, y, n); i < n; i++)
		if (x[i] != y[i])
			return x[i] - y[i];
	return 0;
}

int
plain_bcmp(const void *a, const void *b, size_t n)
{
	return plain_memcmp(a, b, n);
}

static int
plain_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

static int
plain_same(char c)
{
	return (unsigned char)c;
}

/* Inlined for each of the two functions above. */
static inline __attribute__((always_inline)) int
plain_compare(const char *a, const char *b, size_t n, int (*value)(char))
{
	for (size_t i = 0; i < n; i++)
		if (value(a[i]) != value(b[i]) || a[i] == '\0')
			return value(a[i]) - value(b[i]);
	return 0;
}

int
plain_strcmp(const char *a, const char *b)
{
	return plain_compare(a, b, SIZE_MAX, plain_same);
}

int
plain_strncmp(const char *a, const char *b, size_t n)
{
	return plain_compare(a, b, n, plain_same);
}

int
plain_strcasecmp(const char *a, const char *b)
{
	return plain_compare(a, b, SIZE_MAX, plain_lower);
}

int
plain_strncasecmp(const char *a, const char *b, size_t n)
{
	return plain_compare(a, b, n, plain_lower);
}

static inline __attribute__((always_inline)) char *
plain_find(const char *text, const char *word, int (*value)(char))
{
	for (;; text++) {
		size_t i = 0;

		while (word[i] != '\0' && value(text[i]) == value(word[i]))
			i++;
		if (word[i] == '\0')
			return (char *)(uintptr_t)text;
		if (text[i] == '\0')
			return NULL;
	}
}

char *
plain_strstr(const char *text, const char *word)
{
	return plain_find(text, word, plain_same);
}

char *
plain_strcasestr(const char *text, const char *word)
{
	return plain_find(text, word, plain_lower);
}

void *
plain_memmem(const void *data, size_t len, const void *part, size_t part_len)
{
	const uint8_t *at = data;

	for (; len >= part_len; at++, len--)
		if (plain_memcmp(at, part, part_len) == 0)
			return (void *)(uintptr_t)at;
	return NULL;
}

void
plain_copy(void *to, const void *from, size_t n)
{
	const size_t pair = sizeof(plain_pair);
	const uint8_t *in = from;
	uint8_t *out = to;
	size_t at = 0;

	for (; n - at >= pair; at += pair) {
		*(plain_pair *)(void *)(out + at) =
			*(const plain_pair *)(const void *)(in + at);
		PLAIN_KEEP_LOOP();
	}
	for (; at < n; at++) {
		out[at] = in[at];
		PLAIN_KEEP_LOOP();
	}
}

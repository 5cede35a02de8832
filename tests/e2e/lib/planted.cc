/*
 * planted: twenty bugs, each with a letter. An input "L!v…" fails by bug L,
 * in variant v of the ways that lead there; anything else is harmless. So the
 * first byte of an input tells which bug it shows, whatever a fuzzer made of
 * the rest.
 *
 * SANITIZED: with address and undefined, some are of kinds that only these
 * see; without, their letters stand for others. ONLY: a string with letters,
 * the others are harmless.
 */
#undef NDEBUG
#include <assert.h>

#include <stdexcept>
#include <string>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cfuzz.h"

#define NEVER_INLINE __attribute__((noinline, noclone))
#define ALWAYS_INLINE static inline __attribute__((always_inline))

static volatile int zero, sink, table[8];
static volatile unsigned big = 1000;

/* What a compiler cannot know, so it keeps the calls as they are written. */
static volatile int *
wild(void)
{
	return (volatile int *)(uintptr_t)zero;
}

/* ---- A: three ways, the same bug deep below them ---- */

NEVER_INLINE static void
deep_write(int v)
{
	*wild() = v;
	sink = v;
}

NEVER_INLINE static void
deep_inner(int v)
{
	deep_write(v);
	sink = 1;
}

NEVER_INLINE static void
deep_outer(int v)
{
	deep_inner(v);
	sink = 2;
}

NEVER_INLINE static void
way_one(int v)
{
	deep_outer(v);
	sink = 3;
}

NEVER_INLINE static void
way_two(int v)
{
	deep_outer(v + 1);
	sink = 4;
}

NEVER_INLINE static void
way_three(int v)
{
	way_two(v * 3);
	sink = 5;
}

/* ---- B and C: two bugs of a kind in one function ---- */

#ifdef SANITIZED
NEVER_INLINE static void
two_bugs(bool first, int v)
{
	volatile char *block = (volatile char *)malloc(16);

	if (first)
		sink = block[16 + v % 3];
	sink = block[zero];
	if (!first)
		sink = block[17 + v % 3];
	free((void *)block);
}
#else
NEVER_INLINE static void
two_bugs(bool first, int v)
{
	if (first)
		sink = wild()[v % 3];
	sink = v;
	if (!first)
		sink = wild()[v % 5];
	sink = v + 1;
}
#endif

/* ---- D and E: two that misuse one helper, which is inlined ---- */

#ifdef SANITIZED
ALWAYS_INLINE void
put(int at, int v)
{
	table[at] = v;
}

#define OUTSIDE (8 + zero)
#else
ALWAYS_INLINE void
put(int at, int v)
{
	wild()[at] = v;
}

#define OUTSIDE zero
#endif

NEVER_INLINE static void
misuse_here(int v)
{
	sink = v;
	put(OUTSIDE, v);
	sink = 6;
}

NEVER_INLINE static void
misuse_there(int v)
{
	sink = v * 3;
	if (v >= 0)
		put(OUTSIDE, v + 2);
	sink = 7;
}

/* ---- F: a template, in several instances ---- */

template <typename T>
NEVER_INLINE static void
divide(T v)
{
	sink = (int)((v + 5) / (T)zero);
}

static void
divide_some(int v)
{
	switch (v % 3) {
	case 0:
		divide<int>(v);
		break;
	case 1:
		divide<long>(v);
		break;
	default:
		divide<short>((short)v);
		break;
	}
	sink = 8;
}

/* ---- G and H: two assertions of a function ---- */

NEVER_INLINE static void
insist(int g, int h)
{
	assert(g == zero + 1);
	sink = g;
	assert(h == zero + 1);
	sink = h;
}

/* ---- L: nobody catches it ---- */

NEVER_INLINE static void
throw_up(int v)
{
	if (v >= 0)
		throw std::runtime_error("variant " + std::to_string(v));
	sink = v;
}

/* ---- M: freed twice ---- */

NEVER_INLINE static void
free_twice(int v)
{
	void *volatile block = malloc(24 + (size_t)(v % 3) * 64);

	free(block);
	free(block);
}

/* ---- N: a recursion that never ends; where it does is chance ---- */

NEVER_INLINE static int odd(volatile char *below, int v);

NEVER_INLINE static int
even(volatile char *below, int v)
{
	volatile char room[200];

	room[0] = below[0];
	return odd(room, v) + room[0];
}

NEVER_INLINE static int
odd(volatile char *below, int v)
{
	volatile char room[300];

	room[0] = below[0];
	return v % 2 ? even(room, v) + room[0] : even(room, v + 2) - room[0];
}

/* ---- R: at the bottom of a recursion of any depth ---- */

NEVER_INLINE static void
leaf(void)
{
#ifdef SANITIZED
	volatile char *gone = (volatile char *)malloc(8);

	free((void *)gone);
	sink = gone[1];
#else
	__builtin_trap();
#endif
}

NEVER_INLINE static void
descend(int depth)
{
	if (depth <= 0)
		leaf();
	else
		descend(depth - 1);
	sink = depth;
}

/* ---- S and T ---- */

#ifdef SANITIZED
NEVER_INLINE static void
overflow(int v)
{
	volatile int sum = 0x7fffffff - v;

	sum += 1000;
	sink = sum;
}

NEVER_INLINE static void
write_behind(int v)
{
	volatile char *block = (volatile char *)malloc(16);

	memset((char *)block, v, 17u + big % 2);
	sink = block[1];
	free((void *)block);
}
#else
NEVER_INLINE static void
overflow(int v)
{
	sink = *(volatile int *)((uintptr_t)0x10 + (unsigned)v);
}

NEVER_INLINE static void
write_behind(int v)
{
	void (*volatile nothing)(int) = (void (*)(int))(uintptr_t)zero;

	nothing(v);
	sink = v;
}
#endif

NEVER_INLINE static void
hang(void)
{
	while (zero == 0)
		sink = 1 - sink;
}

NEVER_INLINE static void
hog(void)
{
	for (;;)
		*(char *volatile *)memset(malloc(1 << 20), 1, 1 << 20);
}

NEVER_INLINE static void
fail_by(char letter, int v)
{
	switch (letter) {
	case 'A':
		v % 3 == 0           ? way_one(v)
			: v % 3 == 1 ? way_two(v)
				     : way_three(v);
		break;
	case 'B':
	case 'C':
		two_bugs(letter == 'B', v);
		break;
	case 'D':
		misuse_here(v);
		break;
	case 'E':
		misuse_there(v);
		break;
	case 'F':
		divide_some(v);
		break;
	case 'G':
	case 'H':
		insist(letter != 'G', letter != 'H');
		break;
	case 'I':
		abort();
	case 'J':
	case 'K':
		exit(letter == 'J' ? 3 : 4);
	case 'L':
		throw_up(v);
		break;
	case 'M':
		free_twice(v);
		break;
	case 'N': {
		volatile char room[8] = { 0 };

		sink = even(room, v);
		break;
	}
	case 'O':
		hang();
		break;
	case 'P':
		hog();
		break;
	case 'Q':
		cfuzz_fail("%d is a bad number", v);
		break;
	case 'R':
		descend(v % 40);
		break;
	case 'S':
		overflow(v);
		break;
	case 'T':
		write_behind(v);
		break;
	}
}

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
#ifdef ONLY
	if (size == 0 || strchr(ONLY, data[0]) == NULL)
		return 0;
#endif
	if (size > 2 && data[0] >= 'A' && data[0] <= 'T' && data[1] == '!')
		fail_by((char)data[0], data[2]);
	sink = 9;
	return 0;
}

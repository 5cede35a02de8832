/* What does not depend on the input alone, and what comes too often. */
#include <dlfcn.h>
#include <setjmp.h>
#include <time.h>

#include "fault.h"

static void
odd_coin(const uint8_t *data, size_t size)
{
	UNUSED;
	if (probe_add(probe_number("coin")) % 3 == 0)
		abort();
}

static void
odd_call_500(const uint8_t *data, size_t size)
{
	static int calls;

	UNUSED;
	if (++calls == 500)
		abort();
}

/* Any of them, whatever comes behind the F. */
static void
odd_one_bug(const uint8_t *data, size_t size)
{
	static volatile uint64_t branches[8];

	for (size_t i = 1; i < size; i++)
		if (data[i] & 1)
			branches[data[i] % 8]++;
	abort();
}

static void
odd_coverage(const uint8_t *data, size_t size)
{
	struct timespec now;

	UNUSED;
	clock_gettime(CLOCK_MONOTONIC, &now);
	switch (now.tv_nsec / 64 % 8) {
	case 0:
		fault_sink += 3;
		break;
	case 1:
		fault_sink ^= 5;
		break;
	case 2:
		fault_sink *= 7;
		break;
	case 3:
		fault_sink -= 11;
		break;
	default:
		break;
	}
}

static void
odd_library(const uint8_t *data, size_t size)
{
	const char *path = getenv("FAULT_LIBRARY");
	void *library = path ? dlopen(path, RTLD_NOW) : NULL;
	int (*run)(const uint8_t *, size_t) = NULL;

	if (library)
		*(void **)&run = dlsym(library, "library_run");
	if (!run)
		abort();
	fault_sink += (uint64_t)run(data, size);
}

static jmp_buf before;

/* Back into a frame that is gone. */
__attribute__((noinline)) static int
odd_prepare(void)
{
	return setjmp(before);
}

static void
odd_jump(const uint8_t *data, size_t size)
{
	UNUSED;
	if (odd_prepare() == 0)
		longjmp(before, 1);
	abort();
}

/* Smaller ones hang, and of one size another thing fails. */
static void
odd_small(const uint8_t *data, size_t size)
{
	if (size >= 8)
		abort();
	if (size == 7)
		*(volatile int *)8 = 1;
	if (size == 6)
		probe_wait_for_ever();
}

const struct fault odd_faults[] = {
	{ "crash by chance", odd_coin, ON_F },
	{ "crash of call 500", odd_call_500, ON_EACH },
	{ "one bug, many inputs", odd_one_bug, ON_F },
	{ "coverage by the clock", odd_coverage, ON_EACH },
	{ "library loaded later", odd_library, ON_F },
	{ "jumps out of the call", odd_jump, ON_F },
	{ "smaller ones fail otherwise", odd_small, ON_F },
	{ NULL, NULL, ON_F },
};

/* Memory that the fuzzer shares with the target, and what the target may do
 * to it. */
#include <errno.h>
#include <sys/stat.h>

#include "fault.h"

/* Calls it with each piece of it; at most so many bytes of each. */
static void
shared_each(size_t most, void (*spoil)(uint8_t *at, size_t size))
{
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long from, to;

	while (fault_next_shared(maps, &from, &to))
		spoil((uint8_t *)from, to - from < most ? to - from : most);
	if (maps)
		fclose(maps);
}

static void
spoil_ones(uint8_t *at, size_t size)
{
	memset(at, 0xff, size);
}

static void
spoil_zeros(uint8_t *at, size_t size)
{
	memset(at, 0, size);
}

static void
spoil_random(uint8_t *at, size_t size)
{
	static uint64_t state = 88172645463325252u;

	for (size_t i = 0; i < size; i++) {
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		at[i] = (uint8_t)state;
	}
}

FAULT(shared_counts, shared_each(8, spoil_ones))
FAULT(shared_head, shared_each(4096, spoil_ones))
FAULT(shared_head_random, shared_each(4096, spoil_random))
FAULT(shared_all_random, shared_each((size_t)-1, spoil_random))
FAULT(shared_zeros, shared_each((size_t)-1, spoil_zeros))

/* By the descriptors that there are, and by those of the maps. */
static void
shared_cut(const uint8_t *data, size_t size)
{
	struct stat st;

	UNUSED;
	for (int fd = 3; fd < 4096; fd++)
		if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
			st.st_nlink == 0 && ftruncate(fd, 0) == 0)
			probe_add(probe_number("cut"));
}

/* The counters that the compiler has put into this program. */
extern uint8_t counters_begin[] __asm__("__start___sancov_cntrs")
	__attribute__((weak));
extern uint8_t counters_end[] __asm__("__stop___sancov_cntrs")
	__attribute__((weak));

static void
counters_full(const uint8_t *data, size_t size)
{
	UNUSED;
	if (counters_begin)
		memset(counters_begin, 0xff,
			(size_t)(counters_end - counters_begin));
}

static void
counters_random(const uint8_t *data, size_t size)
{
	static unsigned state;

	UNUSED;
	if (state == 0)
		state = (unsigned)getpid();
	for (uint8_t *c = counters_begin; c && c < counters_end; c++) {
		state = state * 1103515245u + 12345u;
		*c = (uint8_t)(state >> 16);
	}
}

const struct fault shared_faults[] = {
	{ "shared counts overwritten", shared_counts, ON_F },
	{ "shared head overwritten", shared_head, ON_F },
	{ "shared head random", shared_head_random, ON_F },
	{ "shared memory random", shared_all_random, ON_F },
	{ "shared memory zeroed", shared_zeros, ON_F },
	{ "shared memory cut", shared_cut, ON_F },
	{ "coverage full", counters_full, ON_F },
	{ "coverage random", counters_random, ON_EACH },
	{ NULL, NULL, ON_F },
};

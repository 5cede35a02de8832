/*
 * afl_cmplog: the comparisons that a program of AFL++ writes to shared memory.
 * Each record of the input is put there: its place, its length, its bytes. There
 * are few rows: the headers of all are read four times in each execution.
 */
#define AFL_CMPLOG_ROWS 1024u
#include "adapter/afl_cmplog.c"
#include "fuzz/fuzz.h"
#include "target/hooks/compare.h"

int fuzz_afl_cmplog(const uint8_t *data, size_t size);

/* In the place of the runtime's, which takes no more than this. */
void
compare_number(uint32_t site, uint64_t a, uint64_t b, unsigned shape)
{
	unsigned width = shape & COMPARE_WIDTH;

	FUZZ_CHECK(site < AFL_CMPLOG_ROWS);
	FUZZ_CHECK(width == 1 || width == 2 || width == 4 || width == 8);
	FUZZ_CHECK(width == 8 || (a | b) >> width * 8 == 0);
}

void
compare_bytes(uint32_t site, const struct compare_pair *pair, bool equal)
{
	FUZZ_CHECK(site < AFL_CMPLOG_ROWS);
	for (int k = 0; k < 2; k++)
		FUZZ_CHECK(
			pair->len[k] > 0 && pair->len[k] <= COMPARE_BYTES_MAX);
}

/* Puts the records there, or zeros in their places. */
static void
afl_cmplog_fuzz_put(uint8_t *map, const uint8_t *data, size_t size, bool zeros)
{
	while (size > 5) {
		uint32_t at = (uint32_t)data[0] << 8 | (uint32_t)data[1] << 16 |
			(uint32_t)data[2] << 24 | data[3];
		size_t len = data[4] < size - 5 ? data[4] : size - 5;

		at %= AFL_CMPLOG_SIZE - 256;
		if (zeros)
			memset(map + at, 0, len);
		else
			memcpy(map + at, data + 5, len);
		data += 5 + len;
		size -= 5 + len;
	}
}

int
fuzz_afl_cmplog(const uint8_t *data, size_t size)
{
	static uint8_t *map;
	struct afl_cmplog cmplog = { .layout = NULL };

	if (map == NULL)
		map = mmap(NULL, AFL_CMPLOG_SIZE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	FUZZ_CHECK(map != MAP_FAILED);
	cmplog.map = map;
	afl_cmplog_fuzz_put(map, data, size, false);
	afl_cmplog_read(&cmplog);
	afl_cmplog_fuzz_put(map, data, size, true);
	return 0;
}

FUZZ_TARGET(afl_cmplog)

/* ring: finds in worker memory, which a target may have written over. */
#include "fuzz/fuzz.h"
#include "shared/wire/memory.h"

#define LEN_MAX 4096u

int fuzz_ring(const uint8_t *data, size_t size);

int
fuzz_ring(const uint8_t *data, size_t size)
{
	/* The engine's copy is aligned to 8, and no longer than what is used. */
	uint64_t *copy = malloc(size + 8);
	const uint8_t *ring = (const uint8_t *)copy;
	unsigned sum = 0;
	size_t offset = 0, before;
	struct ring_input find;
	bool damaged;

	FUZZ_CHECK(copy != NULL);
	memcpy(copy, data, size);
	for (before = 0;
		ring_next(ring, size, &offset, LEN_MAX, &find, &damaged);
		before = offset) {
		FUZZ_CHECK(offset > before && offset <= size);
		for (uint32_t i = 0; i < find.record.features_n; i++)
			sum += find.features[i].counter;
		for (uint32_t i = 0; i < find.record.len; i++)
			sum += find.bytes[i];
	}
	free(copy);
	return sum == 12345 ? -1 : 0;
}

FUZZ_TARGET(ring)

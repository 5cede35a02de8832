/*
 * mutator: a target whose inputs begin with the sum of the other bytes, and
 * its mutators; MODE says how the mutator behaves. FLAGS: -Itests/e2e/lib
 * VARIANTS: asan msan ubsan
 */
#include "probe.h"

static volatile int never;

static uint8_t
mutator_sum(const uint8_t *data, size_t size)
{
	uint8_t sum = 0;

	for (size_t i = 1; i < size; i++)
		sum = (uint8_t)(sum + data[i]);
	return sum;
}

static size_t
mutator_thousand(uint8_t *data, size_t size, size_t max)
{
	for (int i = 0; i < 1000; i++) {
		size = LLVMFuzzerMutate(data, size, max);
		if (size == 0 || size > max)
			abort();
	}
	return size;
}

/* What goes wrong once in a while: calls are counted over all processes. */
static void
mutator_err(uint8_t *data, size_t max)
{
	static uint64_t *calls;

	if (calls == NULL)
		calls = probe_number("mutations");
	if (probe_add(calls) % 8 != 0)
		return;
	if (probe_is("behind"))
		((volatile uint8_t *)data)[max] = 1;
	if (probe_is("before"))
		((volatile uint8_t *)data)[-1] = 1;
	if (probe_is("abort"))
		abort();
	if (probe_is("fail"))
		cfuzz_fail("a bad day");
	if (probe_is("exit"))
		_exit(0);
	while (probe_is("hang") && never == 0)
		;
}

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
	unsigned int seed)
{
	mutator_err(data, max_size);
	if (max_size < 2)
		return 0;
	if (probe_is("thousand"))
		return mutator_thousand(data, size, max_size);
	size = LLVMFuzzerMutate(data + 1, size > 0 ? size - 1 : 0,
		max_size - 1);
	data[0] = mutator_sum(data, ++size);
	return probe_is("too-much") ? max_size + size : size;
}

size_t
LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size,
	const uint8_t *other, size_t other_size, uint8_t *out, size_t max_size,
	unsigned int seed)
{
	size_t half = one_size / 2, rest = other_size / 2;
	static uint64_t *crossings;

	if (crossings == NULL)
		crossings = probe_number("crossings");
	probe_add(crossings);
	if (half + rest > max_size || half + rest == 0)
		return 0;
	memcpy(out, one, half);
	memcpy(out + half, other, rest);
	out[0] = mutator_sum(out, half + rest);
	return half + rest;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint64_t *right;

	probe_count();
	if (right == NULL)
		right = probe_number("right");
	if (size < 2 || data[0] != mutator_sum(data, size))
		return 0;
	probe_add(right);
	if (size > 3 && data[1] == 'f' && data[2] == 'u' && data[3] == 'z' &&
		probe_is("find"))
		abort();
	return 0;
}

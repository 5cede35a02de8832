/*
 * typed_bytes: a typed target with plain bytes alone, whose inputs are these
 * bytes, and a mutator, which is used. FLAGS: -Itests/e2e/lib
 */
#include "probe.h"

static void
look(struct cfuzz_bytes text)
{
	probe_count();
	if (text.size == 3 && memcmp(text.data, "bad", 3) == 0)
		cfuzz_fail("%zu bytes are bad", text.size);
	if (text.size == 5 && memcmp(text.data, "write", 5) == 0)
		*(uint8_t *)(uintptr_t)text.data = 'W';
}
CFUZZ_TARGET(look, bytes)

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
	unsigned int seed)
{
	return LLVMFuzzerMutate(data, size, max_size);
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	CFUZZ_SEED(cfuzz_bytes("seeds", 5));
	return 0;
}

/*
 * typed: a target with three arguments, which fails when a number points
 * behind a text and a word is the right one. MODE says what else it does, or
 * which seeds it brings. FLAGS: -Itests/e2e/lib
 * VARIANTS: asan msan ubsan
 */
#include "probe.h"

static volatile uint8_t sink;

static void
slice(struct cfuzz_bytes text, int32_t from, struct cfuzz_string word)
{
	probe_count();
	if (probe_is("write") && text.size > 0)
		((uint8_t *)(uintptr_t)text.data)[text.size - 1]++;
	if (probe_is("write-nul"))
		((char *)(uintptr_t)word.text)[word.size] = 'x';
	if (probe_is("behind"))
		sink = ((const volatile uint8_t *)text.data)[text.size];
	if (probe_is("behind-nul"))
		sink = (uint8_t)((
			const volatile char *)word.text)[word.size + 1];
	if (probe_is("late"))
		CFUZZ_SEED(cfuzz_bytes("", 0), cfuzz_int32(0),
			cfuzz_string(""));
	if (probe_is("fail") && from == 7)
		cfuzz_fail("seven");
	if (from < 0 || strcmp(word.text, "sesame") != 0)
		return;
	sink = ((const volatile uint8_t *)text.data)[from];
}
CFUZZ_TARGET(slice, bytes, int32, string)

/* Nobody calls it. */
size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
	unsigned int seed)
{
	abort();
}

/* Before the runtime is ready for anything. */
__attribute__((constructor)) static void
seed_early(void)
{
	if (probe_is("early"))
		CFUZZ_SEED(cfuzz_bytes("hello", 5), cfuzz_int32(50));
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static const char zeros[1 << 16];
	const struct cfuzz_value nonsense = { (enum cfuzz_tag)99, 0, NULL, 0 };

	if (probe_is("seeds")) {
		CFUZZ_SEED(cfuzz_bytes("hello", 5), cfuzz_int32(50),
			cfuzz_string("seed"));
		CFUZZ_SEED(cfuzz_bytes("", 0), cfuzz_rune(-1),
			cfuzz_string("a\0b", 3));
	}
	if (probe_is("other"))
		CFUZZ_SEED(cfuzz_bytes("hello", 5), cfuzz_int(50),
			cfuzz_string("seed"));
	if (probe_is("few"))
		CFUZZ_SEED(cfuzz_bytes("hello", 5), cfuzz_int32(50));
	if (probe_is("none"))
		cfuzz_seed(0, NULL);
	if (probe_is("untyped"))
		cfuzz_seed(1, &nonsense);
	if (probe_is("nowhere"))
		CFUZZ_SEED(cfuzz_bytes(NULL, 1), cfuzz_int32(0),
			cfuzz_string(""));
	for (int i = 0; probe_is("many") && i < 2000; i++)
		CFUZZ_SEED(cfuzz_bytes(zeros, sizeof(zeros)), cfuzz_int32(i),
			cfuzz_string(""));
	return 0;
}

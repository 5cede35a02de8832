/*
 * abi: names that the runtime and the program under test find each other by.
 *
 * What a target may have is weak: it is asked for by comparing with NULL.
 * What we give is visible to modules that the target loads later. The names
 * are fixed by compilers and by libFuzzer's interface.
 */
#ifndef CFUZZ_TARGET_ABI_H
#define CFUZZ_TARGET_ABI_H

#include <stddef.h>
#include <stdint.h>

#define ABI_WEAK __attribute__((weak, visibility("default")))
#define ABI_EXPORT __attribute__((visibility("default")))

/* LLVMFuzzerTestOneInput, or what a foreign main passes for it. */
typedef int target_function(const uint8_t *data, size_t size);

/* Given by the target: one of the first two. */
ABI_WEAK int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
ABI_WEAK extern const struct cfuzz_typed cfuzz_target; /* see cfuzz.h */
ABI_WEAK int LLVMFuzzerInitialize(int *argc, char ***argv);
ABI_WEAK size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
	size_t max_size, unsigned int seed);
ABI_WEAK size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1,
	const uint8_t *data2, size_t size2, uint8_t *out, size_t max_size,
	unsigned int seed);
ABI_WEAK extern uint8_t __start___libfuzzer_extra_counters[];
ABI_WEAK extern uint8_t __stop___libfuzzer_extra_counters[];

/* Given by the runtime. */
ABI_EXPORT extern const uint32_t __cfuzz_runtime;
ABI_EXPORT size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
ABI_EXPORT int __cfuzz_drive(int *argc, char ***argv,
	target_function *callback);
ABI_EXPORT int LLVMFuzzerRunDriver(int *argc, char ***argv,
	target_function *callback);

/*
 * Functions that call the target stand in a section of their own, so that a
 * stack can be told where the target's part of it ends. The linker names the
 * borders.
 */
#define CALLS_TARGET __attribute__((section("cfuzz_calls"), noinline))
extern const char __start_cfuzz_calls[]
	__attribute__((weak, visibility("hidden")));
extern const char __stop_cfuzz_calls[]
	__attribute__((weak, visibility("hidden")));

/* All else of the runtime's code, once it is in a library. */
extern const char __start_cfuzz_text[]
	__attribute__((weak, visibility("hidden")));
extern const char __stop_cfuzz_text[]
	__attribute__((weak, visibility("hidden")));

#endif

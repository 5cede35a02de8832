/*
 * abi: the names by which the runtime and the program under test are linked.
 *
 * Names that a target may define are weak; the runtime compares them with NULL.
 * Names that the runtime defines are visible to modules that the target loads
 * later. Compilers and libFuzzer's interface fix the names.
 */
#ifndef CFUZZ_TARGET_ABI_H
#define CFUZZ_TARGET_ABI_H

#include <stddef.h>
#include <stdint.h>

#define ABI_WEAK __attribute__((weak, visibility("default")))
#define ABI_EXPORT __attribute__((visibility("default")))

/*
 * LLVMFuzzerTestOneInput, or the callback that a program's own main() passes.
 */
typedef int target_function(const uint8_t *data, size_t size);

/* Defined by the target: one of the first two, the others are optional. */
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

/* Defined by the runtime. */
ABI_EXPORT extern const uint32_t __cfuzz_runtime;
ABI_EXPORT size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
ABI_EXPORT int __cfuzz_drive(int *argc, char ***argv,
	target_function *callback);
ABI_EXPORT int LLVMFuzzerRunDriver(int *argc, char ***argv,
	target_function *callback);
ABI_EXPORT void __cfuzz_start(void);
ABI_EXPORT int __cfuzz_loop(unsigned int n);
ABI_EXPORT unsigned char *__cfuzz_testcase(void);
ABI_EXPORT unsigned int __cfuzz_testcase_len(void);
ABI_EXPORT const uint8_t *__cfuzz_next(size_t *len);
ABI_EXPORT void cfuzz_start(void);
ABI_EXPORT int cfuzz_loop(unsigned int n);
ABI_EXPORT unsigned char *cfuzz_testcase(void);
ABI_EXPORT unsigned int cfuzz_testcase_len(void);
ABI_EXPORT void HF_ITER(const uint8_t **data, size_t *len);

/*
 * Functions that call the target have a section of their own, so that the end
 * of the target's frames can be found in a stack. The linker defines the
 * bounds.
 */
#define CALLS_TARGET __attribute__((section("cfuzz_calls"), noinline))
extern const char __start_cfuzz_calls[]
	__attribute__((weak, visibility("hidden")));
extern const char __stop_cfuzz_calls[]
	__attribute__((weak, visibility("hidden")));

/* The rest of the runtime's code, when it is in the library. */
extern const char __start_cfuzz_text[]
	__attribute__((weak, visibility("hidden")));
extern const char __stop_cfuzz_text[]
	__attribute__((weak, visibility("hidden")));

#endif

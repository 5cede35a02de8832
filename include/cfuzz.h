/*
 * cfuzz.h: the interface between a fuzz target and cfuzz; see cfuzz(3).
 *
 * A target is linked with cfuzz-cc and defines LLVMFuzzerTestOneInput():
 *
 *	int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
 *	{
 *		struct parsed *p = parse(data, size);
 *
 *		if (p && !is_sound(p))
 *			cfuzz_fail("unsound result of %zu bytes", size);
 *		parsed_free(p);
 *		return 0;
 *	}
 *
 * or names a function with typed arguments:
 *
 *	static void slice(struct cfuzz_bytes text, int32_t from)
 *	{
 *		...
 *	}
 *	CFUZZ_TARGET(slice, bytes, int32)
 */
#ifndef CFUZZ_H
#define CFUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "cfuzz_value.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- defined by the target ---- */

/* Runs one input. Returns 0, or -1 to keep the input out of the corpus. Must
 * neither write to data nor keep the pointer. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Optional: called once, before the first input. Returns 0; after any other
 * result the target is not run. */
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* Optional: changes data, which has room for max_size bytes, in place. Returns
 * the new size; 0: no change. The same seed must make the same change. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
	unsigned int seed);

/* Optional: makes one input out of two. Returns its size. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1,
	const uint8_t *data2, size_t size2, uint8_t *out, size_t max_size,
	unsigned int seed);

/*
 * Replaces LLVMFuzzerTestOneInput(). Stands at the end of a file, without a
 * semicolon, and names the function to fuzz, which returns nothing, and the
 * types of its 1 to 16 arguments: bytes, string, bool, int8 ... int64, int,
 * uint8 ... uint64, uint, byte, rune, float32, float64.
 */
#define CFUZZ_TARGET(function, ...) \
	static const uint8_t cfuzz_target_tags[] = { CFUZZ_EACH(CFUZZ_TAG, \
		__VA_ARGS__) }; \
	static void cfuzz_target_call(const struct cfuzz_value *cfuzz_values) \
	{ \
		void (*const cfuzz_function)( \
			CFUZZ_EACH(CFUZZ_TYPE, __VA_ARGS__)) = function; \
		cfuzz_function(CFUZZ_EACH(CFUZZ_TAKE, __VA_ARGS__)); \
	} \
	const struct cfuzz_typed cfuzz_target = { CFUZZ_TYPED_VERSION, \
		CFUZZ_COUNT(__VA_ARGS__), cfuzz_target_tags, \
		cfuzz_target_call, #function };

/* ---- called by the target ---- */

/* Reports that the present execution has failed, with a reason as for printf().
 * Returns, so that the target can clean up; by hand, exits with status 1. */
void cfuzz_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* For use in LLVMFuzzerCustomMutator(): changes data, which has room for
 * max_size bytes, by a built-in mutator. Returns the new size. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* For a program with its own main(): fuzzes callback, or runs callback on the
 * files named in the arguments. Returns an exit status. */
int LLVMFuzzerRunDriver(int *argc, char ***argv,
	int (*callback)(const uint8_t *data, size_t size));

/*
 * For a program with its own main() that cfuzz runs as a whole: what the
 * program has done before this call is done once, not for each input. Does
 * nothing if the program was started by hand.
 */
void cfuzz_start(void);

/*
 * For such a program that can run many inputs in one process: the condition of
 * the loop that runs one input each time.
 *
 *	while (cfuzz_loop(1000)) {
 *		n = read(0, buf, sizeof(buf));
 *		...
 *	}
 *
 * Everything before the loop is done once. After about n inputs (0: any number)
 * a new process goes on; this call never returns 0 then. Returns 1, and then 0,
 * if the program was started by hand.
 */
int cfuzz_loop(unsigned int n);

/*
 * The present input of such a loop, in memory: faster than reading it. The
 * buffer keeps its address, and the program may write to it; a NUL follows the
 * input. If the program was started by hand, cfuzz_testcase_len() reads
 * standard input, once.
 */
unsigned char *cfuzz_testcase(void);
unsigned int cfuzz_testcase_len(void);

/* The same for a loop without a condition, as in honggfuzz: waits for an input,
 * valid until the next call, and ends the program if there is none. */
void HF_ITER(const uint8_t **data, size_t *len);

/*
 * Adds an input to begin with. Call it in LLVMFuzzerInitialize(), with a value
 * of cfuzz_value.h for each argument:
 *
 *	CFUZZ_SEED(cfuzz_bytes("hello", 5), cfuzz_string("a"), cfuzz_int32(50));
 */
#define CFUZZ_SEED(...) \
	do { \
		const struct cfuzz_value cfuzz_values[] = { __VA_ARGS__ }; \
		cfuzz_seed(sizeof(cfuzz_values) / sizeof(cfuzz_values[0]), \
			cfuzz_values); \
	} while (0)

/* ---- internals of the macros; do not use them by name ---- */

#define CFUZZ_TYPED_VERSION 1u

struct cfuzz_typed {
	uint32_t version;
	uint32_t n; /* number of arguments */
	const uint8_t *tags;
	void (*call)(const struct cfuzz_value *values);
	const char *name;
};

extern const struct cfuzz_typed cfuzz_target
	__attribute__((visibility("default")));

void cfuzz_seed(size_t n, const struct cfuzz_value *values);

/* The tag, type and value of argument i. */
#define CFUZZ_TAG(type, i) cfuzz_tag_##type
#define CFUZZ_TYPE(type, i) cfuzz_type_##type
#define CFUZZ_TAKE(type, i) cfuzz_take_##type(&cfuzz_values[i])

/* clang-format off */
#define CFUZZ_COUNT(...) CFUZZ_SEVENTEENTH(__VA_ARGS__, \
	16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define CFUZZ_SEVENTEENTH(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, \
	count, ...) count

/* Expands to f(type, i), ... for each type. */
#define CFUZZ_EACH(f, ...) \
	CFUZZ_EACH_OF(CFUZZ_COUNT(__VA_ARGS__), f, __VA_ARGS__)
#define CFUZZ_EACH_OF(n, ...) CFUZZ_EACH_N(n, __VA_ARGS__)
#define CFUZZ_EACH_N(n, f, ...) CFUZZ_E##n(f, n, __VA_ARGS__)
#define CFUZZ_E1(f, n, t) f(t, (n) - 1)
#define CFUZZ_E2(f, n, t, ...) f(t, (n) - 2), CFUZZ_E1(f, n, __VA_ARGS__)
#define CFUZZ_E3(f, n, t, ...) f(t, (n) - 3), CFUZZ_E2(f, n, __VA_ARGS__)
#define CFUZZ_E4(f, n, t, ...) f(t, (n) - 4), CFUZZ_E3(f, n, __VA_ARGS__)
#define CFUZZ_E5(f, n, t, ...) f(t, (n) - 5), CFUZZ_E4(f, n, __VA_ARGS__)
#define CFUZZ_E6(f, n, t, ...) f(t, (n) - 6), CFUZZ_E5(f, n, __VA_ARGS__)
#define CFUZZ_E7(f, n, t, ...) f(t, (n) - 7), CFUZZ_E6(f, n, __VA_ARGS__)
#define CFUZZ_E8(f, n, t, ...) f(t, (n) - 8), CFUZZ_E7(f, n, __VA_ARGS__)
#define CFUZZ_E9(f, n, t, ...) f(t, (n) - 9), CFUZZ_E8(f, n, __VA_ARGS__)
#define CFUZZ_E10(f, n, t, ...) f(t, (n) - 10), CFUZZ_E9(f, n, __VA_ARGS__)
#define CFUZZ_E11(f, n, t, ...) f(t, (n) - 11), CFUZZ_E10(f, n, __VA_ARGS__)
#define CFUZZ_E12(f, n, t, ...) f(t, (n) - 12), CFUZZ_E11(f, n, __VA_ARGS__)
#define CFUZZ_E13(f, n, t, ...) f(t, (n) - 13), CFUZZ_E12(f, n, __VA_ARGS__)
#define CFUZZ_E14(f, n, t, ...) f(t, (n) - 14), CFUZZ_E13(f, n, __VA_ARGS__)
#define CFUZZ_E15(f, n, t, ...) f(t, (n) - 15), CFUZZ_E14(f, n, __VA_ARGS__)
#define CFUZZ_E16(f, n, t, ...) f(t, (n) - 16), CFUZZ_E15(f, n, __VA_ARGS__)
/* clang-format on */

#ifdef __cplusplus
}
#endif

#endif

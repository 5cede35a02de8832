/*
 * cfuzz.h: what a fuzz target can use, and what it has to give.
 *
 * A target defines LLVMFuzzerTestOneInput() and is linked with cfuzz-cc:
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
 * All else is optional. See cfuzz(3).
 */
#ifndef CFUZZ_H
#define CFUZZ_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) || defined(__clang__)
#define CFUZZ_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CFUZZ_PRINTF(text, first)
#endif

/* ---- what the target defines ---- */

/*
 * Runs one input. Returns 0, or -1 for an input that shall not be kept even
 * if it reaches new code. data must be neither written to nor kept.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Optional: called once, before the first input. Returns 0. */
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* Optional: changes data, which has room for max_size bytes, in place.
 * Returns the new size. The same seed makes the same change. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
	unsigned int seed);

/* Optional: makes one input of two. Returns its size. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1,
	const uint8_t *data2, size_t size2, uint8_t *out, size_t max_size,
	unsigned int seed);

/* ---- what the target can call ---- */

/*
 * The execution under way has failed, for the reason given as printf() does.
 * Returns, so that the target can clean up; what else it does with this
 * input is not looked at. When a target is run by hand, prints the reason and
 * exits with status 1.
 */
void cfuzz_fail(const char *format, ...) CFUZZ_PRINTF(1, 2);

/*
 * Changes data, which has room for max_size bytes, by one of the built-in
 * mutators: for use in LLVMFuzzerCustomMutator(). Returns the new size.
 */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/*
 * For a program with a main() of its own: takes over and fuzzes callback, or
 * runs it on the files that the arguments name. Returns an exit status.
 */
int LLVMFuzzerRunDriver(int *argc, char ***argv,
	int (*callback)(const uint8_t *data, size_t size));

#ifdef __cplusplus
}
#endif

#endif

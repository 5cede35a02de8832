/*
 * fuzz: what the fuzz targets for our own parsers share.
 *
 * Each file here is one target: `int fuzz_NAME(data, size)`, and FUZZ_TARGET(NAME)
 * at its end. `make fuzz-self` builds each with cfuzz-cc and sanitizers;
 * tests/unit/ui/test_fuzz.c runs all of them over tests/data/fuzz/NAME/.
 *
 * Beside what sanitizers see, a target says FUZZ_CHECK() of what a parser
 * promises: that what was read and written again is the same, for example.
 */
#ifndef CFUZZ_TESTS_FUZZ_H
#define CFUZZ_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef FUZZ_ALONE
#define FUZZ_TARGET(name) \
	int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size); \
	int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) \
	{ \
		return fuzz_##name(data, size); \
	}
#else
#define FUZZ_TARGET(name)
#endif

#define FUZZ_CHECK(condition) \
	do { \
		if (!(condition)) { \
			(void)fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, \
				__LINE__, #condition); \
			abort(); \
		} \
	} while (0)

/* A descriptor of a file in memory with this content, kept from call to call. */
static inline int
fuzz_file(int *fd, const void *data, size_t size)
{
	if (*fd < 0)
		*fd = memfd_create("fuzz", MFD_CLOEXEC);
	FUZZ_CHECK(*fd >= 0 && pwrite(*fd, data, size, 0) == (ssize_t)size &&
		ftruncate(*fd, (off_t)size) == 0);
	return *fd;
}

/* A copy of the input as a string; free(). */
static inline char *
fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	FUZZ_CHECK(text != NULL);
	memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

#endif

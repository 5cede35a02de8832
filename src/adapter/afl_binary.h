/*
 * afl_binary: recognises a program that AFL++ has built, by its bytes.
 *
 * AFL++'s runtime leaves strings in each program that it is linked into. They
 * are searched without running the program or trusting its headers.
 */
#ifndef CFUZZ_ADAPTER_AFL_BINARY_H
#define CFUZZ_ADAPTER_AFL_BINARY_H

#include <stdbool.h>
#include <stdint.h>

#define AFL_BINARY_READ_MAX (256u << 20) /* bytes searched */

struct afl_binary {
	bool is_afl;       /* the other members count only then */
	bool deferred;     /* calls __AFL_INIT() */
	bool persistent;   /* calls __AFL_LOOP() */
	bool shared_input; /* may take its input from shared memory */
	bool posix;        /* attaches POSIX shared memory, not System V */
	bool asan_library; /* AddressSanitizer is a shared library */
	/* "address", "memory", "thread", "undefined"; "": none; static */
	const char *sanitizer;
};

/*
 * Searches the first AFL_BINARY_READ_MAX of the file's size bytes. The search
 * ends at the first bytes that cannot be read. Without memory nothing is found.
 */
void afl_binary_read(int fd, uint64_t size, struct afl_binary *binary);

#endif

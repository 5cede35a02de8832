/*
 * afl_memory: a piece of memory that a program of AFL++ attaches by its name.
 */
#ifndef CFUZZ_ADAPTER_AFL_MEMORY_H
#define CFUZZ_ADAPTER_AFL_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/status.h"

#define AFL_MEMORY_NAME 64

struct afl_memory {
	uint8_t *at;                /* zeros at first; NULL: none */
	size_t size;                /* bytes */
	char name[AFL_MEMORY_NAME]; /* for the program's environment */
	bool linked;                /* a POSIX name that exists */
};

/*
 * Makes a segment of System V or of POSIX. One of System V vanishes with the
 * last process that has it; a name of POSIX stays until afl_memory_unlink().
 * *memory is overwritten. E_IO: the system refused.
 */
enum status afl_memory_open(struct afl_memory *memory, size_t size, bool posix,
	struct error *err) MUST_CHECK;

/*
 * For a program that starts later: the POSIX name exists again, and names new
 * memory of zeros, which replaces the old one at its place. Nothing happens to a
 * segment of System V. E_IO: the system refused.
 */
enum status afl_memory_renew(struct afl_memory *memory, struct error *err)
	MUST_CHECK;

/* Removes the POSIX name. Call it when all processes have attached. */
void afl_memory_unlink(struct afl_memory *memory);

/* Removes the name, detaches the memory and empties *memory; zeros are fine. */
void afl_memory_close(struct afl_memory *memory);

#endif

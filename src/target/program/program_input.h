/*
 * program_input: puts an input where the program reads it.
 *
 * Without a path the input is on standard input, a descriptor of memory that
 * can be read, sought and mapped. With a path it is in that file. A run may
 * remove, replace or shorten the file; the next input is whole again.
 */
#ifndef CFUZZ_TARGET_PROGRAM_PROGRAM_INPUT_H
#define CFUZZ_TARGET_PROGRAM_PROGRAM_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "shared/status.h"

struct worker;

struct program_input {
	const char *path; /* borrowed; NULL: standard input */
	int fd;           /* of the file or the memory; -1: none */
	/* Bytes in the memory of standard input; SIZE_MAX: unknown. */
	size_t len;
	struct stat made; /* the file that fd is, as it was made */
};

/*
 * Creates the file, in place of what stands at the path, or replaces standard
 * input. The path is borrowed. E_IO: the file cannot be written, or there is no
 * memory for standard input.
 */
enum status program_input_open(struct program_input *input, const char *path,
	struct error *err) MUST_CHECK;

/* Call it if another process may have written inputs since. */
void program_input_forget(struct program_input *input);

/* Replaces the input. Returns 0 or an errno; the input is not complete then. */
int program_input_put(struct program_input *input, const uint8_t *data,
	size_t len);

/* The same before an execution. False: it does not take place, see
 * refusal_fail(). */
bool program_input_offer(struct program_input *input, struct worker *worker,
	const uint8_t *data, size_t len);

#endif

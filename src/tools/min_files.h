/*
 * min_files: the files of `cfuzz min`: what is read, and where the smaller
 * input goes. The input is never in danger: that is checked first.
 */
#ifndef CFUZZ_TOOLS_MIN_FILES_H
#define CFUZZ_TOOLS_MIN_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "shared/status.h"
#include "shared/values/tuple.h"
#include "store/archive.h"

struct min_files {
	char *input_path, *output_path;
	uint8_t *input, *earlier; /* earlier: what was there; NULL: nothing */
	size_t len, earlier_len;  /* … that is smaller */
	size_t file_len;          /* of the input */
	struct tuple_types types; /* that its target takes */
	char *archive; /* the directory of its campaign, NULL: it is of none */
	int lock_fd;   /* of that, -1: not locked */
};

/* path is a file or the folder of a finding; output may be NULL for that. */
enum status min_files_read(struct min_files *m, const char *path,
	const char *output, struct error *err) MUST_CHECK;
void min_files_clear(struct min_files *m); /* after a failure, too */
/* What has been read becomes inputs of a target that takes these types. */
enum status min_files_convert(struct min_files *m,
	const struct tuple_types *types, size_t max_len, struct error *err)
	MUST_CHECK;

/* Whole or not at all, and on the disk. */
enum status min_files_write(const struct min_files *m, const void *data,
	size_t len, struct error *err) MUST_CHECK;

#endif

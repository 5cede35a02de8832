/*
 * min_files: the files of `cfuzz min`: reads the input and writes the smaller
 * one. The input is never overwritten: that is checked first.
 */
#ifndef CFUZZ_TOOLS_MIN_FILES_H
#define CFUZZ_TOOLS_MIN_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/status.h"
#include "shared/values/tuple.h"
#include "store/archive.h"

struct min_files {
	char *input_path, *output_path; /* owned, as all pointers here */
	char *info_path;          /* crash.json of the finding, if in_finding */
	uint8_t *input, *earlier; /* earlier: smaller result, or NULL */
	size_t len, earlier_len;
	size_t file_len;          /* of the input */
	struct tuple_types types; /* of the target's parameters */
	char *archive;            /* directory of its campaign; NULL: none */
	int lock_fd;              /* lock of the archive; -1: not locked */
	bool in_finding;          /* the output is a finding's "minimized" */
	bool is_foreign;          /* the input, see struct repro_file */
};

/*
 * path is a file or the folder of a finding; output may be NULL for a folder:
 * then the result is its "minimized", and its campaign, if any, is locked until
 * min_files_clear(), and no link at its place is followed. E_USAGE: no input, or
 * no file for the result; E_BUSY: another cfuzz is at work; other errors: see
 * file_read(). On failure call min_files_clear(), too.
 */
enum status min_files_read(struct min_files *m, const char *path,
	const char *output, struct error *err) MUST_CHECK;
void min_files_clear(struct min_files *m);
/* Converts the files that were read to inputs of a target with these types, at
 * most max_len bytes. */
enum status min_files_convert(struct min_files *m,
	const struct tuple_types *types, size_t max_len, struct error *err)
	MUST_CHECK;

/* Frees the earlier result, which is of no use. */
void min_files_drop_earlier(struct min_files *m);
/* Writes the result atomically and syncs it. */
enum status min_files_write(const struct min_files *m, const void *data,
	size_t len, struct error *err) MUST_CHECK;

#endif

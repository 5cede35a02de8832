/*
 * repro_files: the inputs that paths on a command line stand for.
 *
 * A file is an input. A finding's folder stands for the files of its sequence/,
 * in a row, or else for its smallest input. The folder sequence/ itself may be
 * named, too.
 */
#ifndef CFUZZ_TOOLS_REPRO_FILES_H
#define CFUZZ_TOOLS_REPRO_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/status.h"
#include "shared/values/tuple.h"

struct repro_file {
	char *path;
	/* Neither of an output directory nor of a finding's folder: it may be
	 * text for any target. */
	bool is_foreign;
};

/* The inputs of one process. */
struct repro_run {
	char *name; /* as the user wrote it; together: "first ... last" */
	struct repro_file *files; /* in order */
	size_t n;
	bool row; /* in a row, in one process */
};

struct repro_files {
	struct repro_run *runs;
	size_t n;
};

/* together: all files in one process. files is NULL-ended; the paths are
 * copied. */
void repro_files_init(struct repro_files *list, char **files, bool together);
void repro_files_clear(struct repro_files *list);
/* max_len, or the higher length limit in bytes that admits each file and row,
 * whatever the target's types. At most 100 MiB (as --max-len): then some do not
 * fit. */
uint64_t repro_files_max_len(const struct repro_files *list, uint64_t max_len);

/*
 * Reads the input of a run in the target's form. A row is packed for
 * CALL_SEQUENCE. The caller frees *data. *bytes is the size of the files.
 * E_RANGE: too large for max_len, or too many inputs in a row; other errors:
 * the file cannot be read, or does not have the target's types.
 */
enum status repro_run_read(const struct repro_run *run,
	const struct tuple_types *types, size_t max_len, uint8_t **data,
	size_t *len, size_t *bytes, struct error *err) MUST_CHECK;

#endif

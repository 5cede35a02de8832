/*
 * repro_files: what the paths on a command line stand for.
 *
 * A file is an input. A finding's folder stands for what fails there: the
 * files of its sequence/, in a row, or else its smallest input.
 */
#ifndef CFUZZ_TOOLS_REPRO_FILES_H
#define CFUZZ_TOOLS_REPRO_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/status.h"
#include "shared/values/tuple.h"

/* What one process runs. */
struct repro_run {
	char *name;   /* as the user wrote it */
	char **paths; /* of files, in order */
	size_t n;
	bool row; /* one after the other, in one process */
};

struct repro_files {
	struct repro_run *runs;
	size_t n;
};

/* together: all of them in one process. files is NULL-ended. */
void repro_files_init(struct repro_files *list, char **files, bool together);
void repro_files_clear(struct repro_files *list);
/* Room for each of them, whatever the target takes. */
uint64_t repro_files_largest(const struct repro_files *list);

/*
 * The bytes of a run, as the target takes them, of a row packed as
 * CALL_SEQUENCE wants them; the caller's. *bytes is what its files have. E_RANGE: too much for inputs
 * of max_len.
 */
enum status repro_run_read(const struct repro_run *run,
	const struct tuple_types *types, size_t max_len, uint8_t **data,
	size_t *len, size_t *bytes, struct error *err) MUST_CHECK;

#endif

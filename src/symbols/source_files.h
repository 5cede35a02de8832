/*
 * source_files: the files of a source table by path, while it is made.
 */
#ifndef CFUZZ_SYMBOLS_SOURCE_FILES_H
#define CFUZZ_SYMBOLS_SOURCE_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "symbols/source.h"

struct source_files {
	uint32_t *first; /* by hash: a file, or SOURCE_NONE */
	uint32_t *next;  /* by file: another one with this hash */
};

void source_files_init(struct source_files *files);
void source_files_clear(struct source_files *files);

/*
 * Returns the index of the file in the table; a new file is added. SOURCE_NONE:
 * there are SOURCE_FILES_MAX files, and end.cut is set.
 */
uint32_t source_files_add(struct source_files *files,
	struct source_table *table, const char *path);

#endif

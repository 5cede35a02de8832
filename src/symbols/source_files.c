/* source_files: see source_files.h. */
#include "symbols/source_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "shared/fnv.h"

#define FILES_HASH 4096u

void
source_files_init(struct source_files *files)
{
	files->first = xmalloc(FILES_HASH * sizeof(*files->first));
	memset(files->first, 0xff, FILES_HASH * sizeof(*files->first));
	files->next = xmalloc(SOURCE_FILES_MAX * sizeof(*files->next));
}

void
source_files_clear(struct source_files *files)
{
	free(files->first);
	free(files->next);
}

uint32_t
source_files_add(struct source_files *files, struct source_table *table,
	const char *path)
{
	uint32_t hash = fnv_add(FNV_BASIS, path, strlen(path)) % FILES_HASH, i;

	for (i = files->first[hash]; i != SOURCE_NONE; i = files->next[i])
		if (strcmp(table->files[i].path, path) == 0)
			return i;
	if (table->files_n == SOURCE_FILES_MAX) {
		table->end.cut = 1;
		return SOURCE_NONE;
	}
	table->files =
		xgrow(table->files, table->files_n, 1, sizeof(*table->files));
	i = table->files_n++;
	memset(&table->files[i], 0, sizeof(table->files[i]));
	(void)snprintf(table->files[i].path, SOURCE_PATH_MAX, "%s", path);
	files->next[i] = files->first[hash];
	files->first[hash] = i;
	return i;
}

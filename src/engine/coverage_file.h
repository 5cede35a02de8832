/*
 * coverage_file: the text of coverage.jsonl, read with distrust.
 *
 * The first line has the version, the build and the modules; the others are
 * replies to queries, see control/query.h: the modules, their PC tables and the
 * coverage map, which comes last. Anybody may have changed the file, so all of
 * it is checked before any of it is used.
 */
#ifndef CFUZZ_ENGINE_COVERAGE_FILE_H
#define CFUZZ_ENGINE_COVERAGE_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "control/query.h"
#include "shared/status.h"
#include "shared/wire/memory.h"
#include "worker/pc_table.h"

#define COVERAGE_FILE_VERSION 1
#define COVERAGE_FILE_MAX (256u << 20) /* bytes; all edges take 200 MB */

/* All zero is empty. */
struct coverage_file {
	char build[TARGET_ID_SIZE];
	struct counter_module modules[MEMORY_MODULES_MAX];
	uint32_t modules_n;
	uint32_t counters;     /* of all modules */
	struct pc_table table; /* owned */
	uint8_t *bits; /* owned: a byte for each counter, see reply_coverage */
	struct reply_new_function
		*functions; /* owned: functions newly reached */
	size_t functions_n;
};

/* Overwrites *file. E_FORMAT: the text is damaged or of another version, and
 * *file is empty. */
enum status coverage_file_parse(struct coverage_file *file, const char *text,
	size_t len, struct error *err) MUST_CHECK;
void coverage_file_clear(struct coverage_file *file);

#endif

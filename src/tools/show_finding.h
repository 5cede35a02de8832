/*
 * show_finding: a finding of an output directory as JSON.
 */
#ifndef CFUZZ_TOOLS_SHOW_FINDING_H
#define CFUZZ_TOOLS_SHOW_FINDING_H

#include <jansson.h>

#include "store/archive.h"

/* A row of the list; output: path of the output directory. A new reference. */
json_t *show_finding_row(const char *output, const struct archive_start *start,
	const struct archive_finding *finding);
/* All details of a finding; mutations: of archive_read_mutations(), borrowed;
 * NULL: none are known. A new reference. */
json_t *show_finding(const char *output, const struct archive_start *start,
	const struct archive_finding *finding, const json_t *mutations);

#endif

/*
 * show_private: what `cfuzz findings` and `cfuzz show` tell, as JSON.
 *
 *	show.c		which thing is meant
 *	show_finding.c	a finding
 *	show_input.c	an input of a corpus, or any file
 */
#ifndef CFUZZ_TOOLS_SHOW_PRIVATE_H
#define CFUZZ_TOOLS_SHOW_PRIVATE_H

#include "store/archive.h"

#define SHOW_BYTES_MAX (64u << 10) /* of an input or a report, that are told */
#define SHOW_FILE_MAX (100u << 20)

/* A row of the list, a new reference. */
json_t *show_finding_row(const char *output, const struct archive_start *start,
	const struct archive_finding *finding);
/* All that is known of it. */
json_t *show_finding(const char *output, const struct archive_start *start,
	const struct archive_finding *finding);

/* A file; name: of an input of the output directory, "": it is none. NULL
 * for output: whoever knows these bytes is looked for. */
json_t *show_input(const char *output, const char *name, const char *path,
	struct error *err);

/* As JSON, cleaned. */
json_t *show_text(const char *text);
json_t *show_number(uint64_t n);
/* What a typed target takes, as "types"; of any other there is none. */
void show_put_types(json_t *object, const struct tuple_types *types);
/* The first bytes of an input, as "data" in hex. */
void show_put_data(json_t *object, const uint8_t *data, size_t len);

#endif

/*
 * show_private: the JSON of `cfuzz findings` and `cfuzz show`.
 *
 *	show.c		finds the thing to show
 *	show_finding.c	a finding
 *	show_input.c	an input of a corpus, or any file
 */
#ifndef CFUZZ_TOOLS_SHOW_PRIVATE_H
#define CFUZZ_TOOLS_SHOW_PRIVATE_H

#include "store/archive.h"

#define SHOW_BYTES_MAX (64u << 10) /* bytes shown of an input or report */
#define SHOW_FILE_MAX (100u << 20) /* bytes of a file */

/* Describes a file; a new reference. name: its name in the corpus of the output
 * directory, or "". output may be NULL: the campaigns here are searched for
 * these bytes. NULL: see err. */
json_t *show_input(const char *output, const char *name, const char *path,
	struct error *err);

/* Adds the types of a typed target as "types"; others have none. */
void show_put_types(json_t *object, const struct tuple_types *types);
/* Adds the first SHOW_BYTES_MAX bytes of an input as "data" in hex. */
void show_put_data(json_t *object, const uint8_t *data, size_t len);

#endif

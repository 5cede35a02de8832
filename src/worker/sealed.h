/*
 * sealed: anonymous memory files that cannot be resized (Linux memfd).
 *
 * The one place that knows memfd and seals. A port gives the same promises
 * by other means: nobody can shrink or grow the file, and with
 * SEALED_READ_ONLY nobody but the maker's own map can write. A page costs
 * nothing before it is touched; where the lack of one must be an error and not
 * somebody's death, sealed_allocate() touches it first.
 */
#ifndef CFUZZ_WORKER_SEALED_H
#define CFUZZ_WORKER_SEALED_H

#include <stddef.h>
#include <stdint.h>

#include "shared/status.h"

#define SEALED_READ_ONLY 1u /* others can only read */

struct sealed {
	int fd; /* -1: closed */
	uint8_t *map;
	size_t size;
};

enum status sealed_create(struct sealed *sealed, const char *name, size_t size,
	unsigned flags, struct error *err) MUST_CHECK;
void sealed_close(struct sealed *sealed);

/* Makes sure that a part has its pages; E_NOMEM otherwise. */
enum status sealed_allocate(struct sealed *sealed, size_t offset, size_t len,
	struct error *err) MUST_CHECK;

#endif

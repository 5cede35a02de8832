/*
 * sealed: anonymous memory files that cannot be resized (Linux memfd).
 *
 * The only module that knows memfd and seals. A port must give the same
 * guarantees: nobody can shrink or grow the file, and with SEALED_READ_ONLY
 * only the creator's map can write. A page costs nothing before it is touched.
 * Use sealed_allocate() where a lack of memory must be an error and must not
 * kill a process.
 */
#ifndef CFUZZ_WORKER_MEMORY_SEALED_H
#define CFUZZ_WORKER_MEMORY_SEALED_H

#include <stddef.h>
#include <stdint.h>

#include "shared/status.h"

#define SEALED_READ_ONLY 1u /* others can only read */

struct sealed {
	int fd;       /* -1: closed */
	uint8_t *map; /* writable */
	size_t size;  /* bytes */
};

/* Makes a file of zeros and maps it. E_NOMEM: no memory or descriptor.
 * E_INTERNAL: the system cannot seal it. */

enum status sealed_create(struct sealed *sealed, const char *name, size_t size,
	unsigned flags, struct error *err) MUST_CHECK;
void sealed_close(struct sealed *sealed);

/* Allocates the pages of a range; E_NOMEM if there are none. */
enum status sealed_allocate(struct sealed *sealed, size_t offset, size_t len,
	struct error *err) MUST_CHECK;

#endif

/*
 * modules: which loaded file an address belongs to.
 *
 * Names and places of programs and libraries as the dynamic linker knows
 * them: for the keys of counters, which must be the same in every worker,
 * and for turning the addresses of a crash into frames.
 */
#ifndef CFUZZ_TARGET_HOOKS_MODULES_H
#define CFUZZ_TARGET_HOOKS_MODULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/wire/memory.h"

/*
 * Lists what is loaded, and behind it the parts of the runtime; returns how many,
 * at most max.
 */
uint32_t modules_list(struct failure_module *modules, uint32_t max);

/*
 * A hash of the module that holds this address: of its build-id, or of its
 * file name if it has none.
 */
uint64_t modules_hash(const void *address);
uint64_t modules_hash_add(uint64_t hash, const void *data, size_t len);

/* What is known of the module that holds an address. */
struct module_place {
	uint64_t bias;
	uint8_t id[64]; /* build-id */
	uint32_t id_len;
	char path[TABLE_PATH_MAX]; /* "": the program, or too long */
	/* The head of its unwind table, NULL: none, and the segment that this
	 * lies in. */
	const uint8_t *unwind;
	size_t unwind_size;
	uintptr_t segment_start, segment_end;
};
bool modules_place(const void *address, struct module_place *place);

/*
 * From now on modules with counters are never unloaded, so their counters
 * stay, and stand in the head's map, so that their frames have names.
 */
void modules_begin_pinning(struct worker_head *head);
/* A module with counters at this address is there. */
void modules_pin(const void *address);

#endif

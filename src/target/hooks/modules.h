/*
 * modules: finds the loaded file that an address belongs to.
 *
 * The dynamic linker knows names and addresses of the program and its
 * libraries. They are needed for the keys of edge counters, which must be the
 * same in every worker, and for the frames of a crash.
 */
#ifndef CFUZZ_TARGET_HOOKS_MODULES_H
#define CFUZZ_TARGET_HOOKS_MODULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/wire/memory.h"

/*
 * Lists the loaded modules and then the parts of the runtime; returns their
 * number, at most max. max must be above FAILURE_PARTS, or the list is empty.
 */
uint32_t modules_list(struct failure_module *modules, uint32_t max);

/*
 * A hash of the module that holds the address: of its build-id, or of its file
 * name if it has none. 0: no module holds the address.
 */
uint64_t modules_hash(const void *address);

/* Properties of the module that holds an address. */
struct module_info {
	uint64_t bias;   /* address in the file = address here - bias */
	uint8_t id[64];  /* build-id */
	uint32_t id_len; /* 0: none, or longer than id */
	char path[TABLE_PATH_MAX]; /* "": the program, or too long */
	/* The head of the unwind table (NULL: none) and the segment that holds
	 * it. */
	const uint8_t *unwind;
	size_t unwind_size;
	uintptr_t segment_start, segment_end;
};
/* False: no module holds the address. */
bool modules_find(const void *address, struct module_info *module);

/*
 * From now on, modules whose counters lie in them are never unloaded: the
 * target may close one before its first input. Call it before the constructors of
 * the program; those of the libraries that it is linked to have run by then.
 */
void modules_begin_keeping(void);
/* Keeps the module of an address, if modules_begin_keeping() was called.
 * Returns its name, which the dynamic linker owns; NULL: not kept. */
const char *modules_keep(const void *address);

/*
 * From now on, no module with counters is ever unloaded, for the sake of its
 * addresses. They are listed in head->map, so that their frames have names.
 */
void modules_begin_pinning(struct worker_head *head);
/* The function whose callers are not the target's; start == end: none. */
void modules_set_main(uintptr_t start, uintptr_t end);
/* Pins the module of an address, if modules_begin_pinning() was called. */
void modules_pin(const void *address);

#endif

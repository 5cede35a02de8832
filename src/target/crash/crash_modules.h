/*
 * crash_modules: the modules of frames, for signal handlers.
 *
 * The fork server lists the modules that are loaded when it starts. The
 * libraries that a process loads later, and where they lie, only that process
 * knows. Nothing here takes a lock, allocates memory or makes a system call,
 * except for the preparation. It needs _dl_find_object() of glibc 2.35; without
 * it, such frames stay unknown.
 */
#ifndef CFUZZ_TARGET_CRASH_CRASH_MODULES_H
#define CFUZZ_TARGET_CRASH_CRASH_MODULES_H

#include <stdint.h>

#include "shared/wire/memory.h"

/* Call it once, before the first fork. */
void crash_modules_prepare(void);

/* Modules that need not be added: n of them. */
void crash_modules_set_known(const struct failure_module *modules, uint32_t n);

/*
 * Adds the modules of the frames in head->failure to head->map, and their files
 * to head->paths. What lay at their place before is replaced.
 */
void crash_modules_add(struct worker_head *head);

#endif

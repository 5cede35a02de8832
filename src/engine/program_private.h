/* program_private: struct program, for program.c and the set-up. */
#ifndef CFUZZ_ENGINE_PROGRAM_PRIVATE_H
#define CFUZZ_ENGINE_PROGRAM_PRIVATE_H

#include <stdbool.h>

#include "shared/values/tuple.h"
#include "worker/elf.h"
#include "worker/isolation.h"

struct program {
	char *path, *name;
	char **argv, **envp;
	struct target_info info;
	struct isolation isolation;
	struct tuple_types types;
	char function[64];
	char sanitizer[32];
	bool instrumented;
};

#endif

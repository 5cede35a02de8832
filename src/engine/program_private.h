/* program_private: struct program, for program.c and the set-up. */
#ifndef CFUZZ_ENGINE_PROGRAM_PRIVATE_H
#define CFUZZ_ENGINE_PROGRAM_PRIVATE_H

#include <stdbool.h>

#include "shared/values/tuple.h"
#include "worker/elf.h"
#include "worker/input_file.h"
#include "worker/isolation.h"

struct program {
	char *path, *name;
	char **argv, **envp;
	struct target_info info;
	struct isolation isolation;
	struct input_file_spec input;
	char *input_folder; /* of the input files */
	struct tuple_types types;
	char function[64];
	char kind[16];
	char sanitizer[32];
	bool instrumented;
	bool doubted; /* whether it reads its input */
};

#endif

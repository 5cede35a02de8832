/* program_private: struct program, for program.c and the set-up. */
#ifndef CFUZZ_ENGINE_PROGRAM_PRIVATE_H
#define CFUZZ_ENGINE_PROGRAM_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include "shared/values/tuple.h"
#include "worker/input_file.h"
#include "worker/input_watch.h"
#include "worker/target/elf.h"
#include "worker/target/isolation.h"

struct program {
	/* Owned, as the lists argv and envp with their texts. */
	char *path, *name;
	char **argv, **envp;
	struct target_info info;
	struct isolation isolation;
	struct input_file_spec input;
	char *input_folder; /* of the input files; owned */
	char *input_name;   /* input.name; owned */
	char *folder;       /* where the target works; owned, NULL: as we */
	struct tuple_types types;
	char function[64];
	char kind[16];
	char sanitizer[32];
	bool instrumented;
	bool leaks_unseen;
	/* Does the program read its input? */
	struct input_watch watch;
	uint64_t watched_from; /* executions when the watch began */
	bool judged;           /* the question is answered, or cannot be */
};

#endif

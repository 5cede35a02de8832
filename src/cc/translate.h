/*
 * translate: from the user's command to the one that the real compiler gets.
 *
 * A pure function of the command and of what is known about the compiler, the
 * linker and our own files: nothing is run and nothing is looked up.
 *
 * What we add stands before the user's words, so that where the two disagree
 * the user's, which come later, win. Only what has to follow the inputs (our
 * archive, and our include folder, which is the last to be searched) stands
 * behind them.
 */
#ifndef CFUZZ_CC_TRANSLATE_H
#define CFUZZ_CC_TRANSLATE_H

#include <stdbool.h>

#include "cc/compile_command.h"

enum compiler_kind {
	COMPILER_CLANG,
	COMPILER_GCC
};

struct toolchain {
	enum compiler_kind compiler;
	bool instrument;           /* false: the user asked for none */
	bool exports_by_name;      /* linker: --export-dynamic-symbol=GLOB */
	const char *archive_entry; /* what an input archive has, or NULL */
	const char *runtime;       /* path of libcfuzz.a */
	const char *include_dir;   /* NULL: not known */
};

/* The entry point of a target, and what CFUZZ_TARGET() defines instead. */
#define TARGET_ENTRY "LLVMFuzzerTestOneInput"
#define TARGET_TYPED "cfuzz_target"
/* Called by a main() of the program's own. */
#define TARGET_DRIVER "LLVMFuzzerRunDriver"
/* The name that pulls the runtime out of its archive. */
#define RUNTIME_NAME "__cfuzz_runtime"

/* The names that modules loaded later must find in the program, as globs. */
extern const char *const translate_exports[];

/* Marks items of the command and adds the new command to out. */
void translate(struct compile_command *command, const struct toolchain *tools,
	struct arguments *out);

/*
 * The option or name by which the command asks for a machine that the runtime
 * is not for; NULL: none.
 */
const char *translate_other_machine(const struct compile_command *command);

/* Does the command make a program, and so need the runtime? */
bool translate_links_runtime(const struct compile_command *command);

#endif

/*
 * translate: turns the user's command into that of the real compiler.
 *
 * A pure function of the command and of known facts about the compiler, the
 * linker and the runtime's files: it runs no program and reads no file.
 *
 * Added options stand before the user's words, so that the user's options,
 * which come later, win. Only words that must follow the inputs stand behind
 * them: the archive, and the include folder, which is searched last.
 */
#ifndef CFUZZ_CC_TRANSLATE_H
#define CFUZZ_CC_TRANSLATE_H

#include <stdbool.h>

#include "cc/compile_command.h"
#include "cc/instrument.h"

/* All strings are borrowed. */
struct toolchain {
	enum compiler_kind compiler;
	bool instrument;           /* false: the user wants none */
	bool exports_by_name;      /* linker: --export-dynamic-symbol=GLOB */
	bool names_target;         /* an input names TARGET_ENTRY */
	const char *archive_entry; /* defined by an input archive; NULL: none */
	const char *runtime;       /* path of libcfuzz.a, to link a program */
	const char *include_dir;   /* NULL: unknown */
};

/* The entry point of a target, and the variable that CFUZZ_TARGET() defines. */
#define TARGET_ENTRY "LLVMFuzzerTestOneInput"
#define TARGET_TYPED "cfuzz_target"
/* Called by a program's own main(). */
#define TARGET_DRIVER "LLVMFuzzerRunDriver"
/* The symbol that makes the linker take the runtime. */
#define RUNTIME_NAME "__cfuzz_runtime"

/* Globs for the names that later modules must find in the program;
 * NULL-ended. */
extern const char *const translate_exports[];

/* Marks items of the command and appends the words of the new command, without
 * the program, to out. A query is passed on unchanged. */
void translate(struct compile_command *command, const struct toolchain *tools,
	struct arguments *out);

/*
 * The option (`-m32`) or the name of a target machine for which there is no
 * runtime, borrowed from the command; NULL: none.
 */
const char *translate_other_machine(const struct compile_command *command);

/* Is the runtime for the machine of this target, "x86_64-linux-gnu"? */
bool translate_is_our_machine(const char *target);

/* Does the command link a program, which needs the runtime? */
bool translate_links_runtime(const struct compile_command *command);

#endif

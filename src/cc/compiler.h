/*
 * compiler: the real compiler behind cfuzz-cc, and its linker.
 */
#ifndef CFUZZ_CC_COMPILER_H
#define CFUZZ_CC_COMPILER_H

#include <stdbool.h>

#include "cc/arguments.h"
#include "cc/compile_command.h"
#include "cc/translate.h"
#include "shared/status.h"

struct compiler {
	struct arguments program; /* launcher and compiler: "ccache", "clang" */
	struct arguments options; /* the words after the compiler: "-m64" */
	enum compiler_kind kind;
};

/*
 * Chooses the compiler in named (the value of CFUZZ_CC, possibly with launcher
 * and options). If named is NULL or blank, chooses clang if it is in PATH, or
 * else gcc; cxx: clang++ or g++. variable is the name of the setting, for
 * messages. E_NOT_FOUND: no such program; E_USAGE: cfuzz-cc itself, or neither
 * clang nor gcc. On failure there is nothing to close.
 */
MUST_CHECK enum status compiler_open(struct compiler *compiler, bool cxx,
	const char *named, const char *variable, struct error *err);
void compiler_close(struct compiler *compiler);

/* Runs the compiler for the first line of its --version, cut at size - 1 bytes.
 * Errors are those of capture(). */
MUST_CHECK enum status compiler_get_version(const struct compiler *compiler,
	char *buf, size_t size, struct error *err);

/*
 * The machine of the programs that a compiler like aarch64-linux-gnu-gcc makes,
 * with its options. False: its name begins with clang, gcc or g++, so it is not
 * asked, or it does not answer.
 */
bool compiler_get_machine(const struct compiler *compiler, char *buf,
	size_t size);

/*
 * Does the linker of this command accept globs in --export-dynamic-symbol? Runs
 * the linker to get its version; false if this fails.
 */
bool compiler_exports_by_name(const struct compiler *compiler,
	const struct compile_command *command);

/* The same for a linker with this first line of --version. */
bool compiler_knows_linker(const char *version);

#endif

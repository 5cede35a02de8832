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
	struct arguments program; /* "ccache", "clang" */
	struct arguments options; /* what follows: "-m64" */
	enum compiler_kind kind;
};

/*
 * Take the compiler that named says (the value of CFUZZ_CC, may hold launcher
 * and options), or, where it is NULL or blank, clang if PATH has one and gcc
 * if not. variable names the setting in messages.
 */
MUST_CHECK enum status compiler_open(struct compiler *compiler, bool cxx,
	const char *named, const char *variable, struct error *err);
void compiler_close(struct compiler *compiler);

/* The first line of its --version. */
MUST_CHECK enum status compiler_get_version(const struct compiler *compiler,
	char *buf, size_t size, struct error *err);

/*
 * Does the linker that this command will run take globs in
 * --export-dynamic-symbol? It is asked for its name.
 */
bool compiler_exports_by_name(const struct compiler *compiler,
	const struct compile_command *command);

/* The answer to that for a linker that says this of itself. */
bool compiler_knows_linker(const char *version);

#endif

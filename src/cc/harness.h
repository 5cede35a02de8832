/*
 * harness: does an input of a link hold the entry point of a target?
 *
 * Sources and objects are searched for names as text, archives by their symbol
 * index; libraries that -l names are inputs as well, see library.h. A source or
 * object may name an entry point without defining it; the results for them
 * decide only about notes and macros. A file that cannot be read has none.
 */
#ifndef CFUZZ_CC_HARNESS_H
#define CFUZZ_CC_HARNESS_H

#include <stdbool.h>

#include "cc/compile_command.h"

/* The entry point that an archive among the inputs defines, TARGET_ENTRY or
 * TARGET_TYPED of translate.h; NULL: none. */
const char *harness_in_archive(const struct compile_command *command);

/* Does a source, an object or an archive among the inputs name one? */
bool harness_in_command(const struct compile_command *command);

/* Does a source or an object among the inputs name LLVMFuzzerTestOneInput()? */
bool harness_is_function(const struct compile_command *command);

#endif

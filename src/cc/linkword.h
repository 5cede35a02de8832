/*
 * linkword: removes linker options that conflict with the runtime.
 *
 * A shared object is linked without a runtime: the process has only the one in
 * the program, and the hooks that instrumented code calls are found there at
 * load time. So the object has undefined symbols, and options that forbid them
 * (-z defs, --no-undefined and the like) would break the build. A program must
 * export its hooks to the objects, and --exclude-libs would hide them.
 */
#ifndef CFUZZ_CC_LINKWORD_H
#define CFUZZ_CC_LINKWORD_H

#include "cc/compile_command.h"

/* Drops or replaces items of a link, so that these options are gone from
 * -Wl,..., -Xlinker ... and -z ... */
void linkword_remove(struct compile_command *command);

#endif

/*
 * linkword: the user's words to the linker, without those that cannot hold.
 *
 * A shared object gets no runtime of its own: there is one for the whole
 * process, in the program, and the hooks that instrumented code calls are
 * found there when the object is loaded. So a shared object has undefined
 * symbols while it is linked, and an option that forbids them (-z defs,
 * --no-undefined and their like) would end the build. A program in turn has to
 * show its hooks to the objects, which --exclude-libs would hide.
 */
#ifndef CFUZZ_CC_LINKWORD_H
#define CFUZZ_CC_LINKWORD_H

#include "cc/compile_command.h"

/* Take those words out of -Wl,..., -Xlinker ... and -z ... of a link. */
void linkword_remove(struct compile_command *command);

#endif

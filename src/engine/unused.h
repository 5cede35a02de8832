/*
 * unused: warns of arguments and options on the command line, and of variables
 * of afl-fuzz, that nothing reads with this target.
 */
#ifndef CFUZZ_ENGINE_UNUSED_H
#define CFUZZ_ENGINE_UNUSED_H

struct engine;

/* Call once the first worker has told what the target is. */
void unused_warn(struct engine *e);

#endif

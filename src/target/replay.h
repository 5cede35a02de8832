/*
 * replay: runs a target on files, without the engine.
 */
#ifndef CFUZZ_TARGET_REPLAY_H
#define CFUZZ_TARGET_REPLAY_H

#include "target/abi.h"

/* Runs the files named in the arguments. Returns an exit status. */
int replay_run(target_function *target, int *argc, char ***argv);

#endif

/*
 * replay: a target that a person runs by hand, on files.
 */
#ifndef CFUZZ_TARGET_REPLAY_H
#define CFUZZ_TARGET_REPLAY_H

#include "target/abi.h"

/* Runs the files that the arguments name. Returns an exit status. */
int replay_run(target_function *target, int *argc, char ***argv);

#endif

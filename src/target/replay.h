/*
 * replay: runs a target on files, without the engine.
 */
#ifndef CFUZZ_TARGET_REPLAY_H
#define CFUZZ_TARGET_REPLAY_H

#include "target/abi.h"

/*
 * Initialises the target and runs the files named in the arguments. Returns an
 * exit status: 0, 1 if the target changed an input, 2 if a file cannot be read,
 * if the initialisation failed, or if the arguments name no file.
 */
int replay_run(target_function *target, int *argc, char ***argv);

#endif

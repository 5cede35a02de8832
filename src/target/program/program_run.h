/*
 * program_run: a target that is a program with a main() of its own.
 *
 * Such a program is a target whose function forks. For each input the child
 * forks a process, the run, which returns to the program, executes main() and
 * ends. The child waits for it and ends in the same way if the run has failed.
 * So fork server, engine and console treat the program as any target.
 *
 * The run stays in the process group of the child, so a signal of the engine to
 * the group reaches both. The child adopts what the run leaves and kills it
 * before the next run.
 */
#ifndef CFUZZ_TARGET_PROGRAM_PROGRAM_RUN_H
#define CFUZZ_TARGET_PROGRAM_PROGRAM_RUN_H

#include "target/child/worker.h"

#define PROGRAM_KIND "main()"

typedef int program_main(int argc, char **argv);

/*
 * Serves the engine from here on. Returns in each run, and only there. main:
 * the outermost function of a run. path: the file with the input, borrowed;
 * NULL: standard input. Gives up with a message (serve_give_up()) if the input
 * cannot be put there.
 */
void program_serve(struct worker *worker, program_main *main, const char *path);

/* A run calls this right before it ends. */
void program_on_end(void);

/* Stacks end at this function. Call it where the program's frames begin. */
void program_note_main(program_main *main);

#endif

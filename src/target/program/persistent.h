/*
 * persistent: runs a program that asks for its inputs in a loop.
 *
 * The program calls cfuzz_loop() before each input. The first call ends the
 * initialisation: the runtime serves the engine on a second stack from then on.
 * The target's function switches to the program's stack, where cfuzz_loop()
 * returns, and the next cfuzz_loop() switches back. An execution needs neither
 * a process nor a system call.
 *
 * A program may leave the loop by exit() or by returning from main(). This ends
 * the execution, and the worker replaces the child.
 */
#ifndef CFUZZ_TARGET_PROGRAM_PERSISTENT_H
#define CFUZZ_TARGET_PROGRAM_PERSISTENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "target/program/program_run.h"

/* How the program takes its inputs. */
enum persistent_input {
	PERSISTENT_FILE,     /* standard input or a file */
	PERSISTENT_TESTCASE, /* the buffer of persistent_testcase() */
	PERSISTENT_POINTER,  /* persistent_data() */
};

/*
 * Serves the engine from here on, and returns when the program is to run the
 * first input. main, path: as for program_serve(). Gives up with a message
 * (serve_give_up()) if inputs cannot be put there.
 */
void persistent_serve(struct worker *worker, program_main *main,
	const char *path, enum persistent_input how);

/* Has persistent_serve() been called? */
bool persistent_is_open(void);

/* The program has run its input. Returns with the next one. */
void persistent_next(void);

/* The present input, valid until persistent_next(). */
const uint8_t *persistent_data(size_t *len);

/*
 * A buffer of 64 MiB at a fixed address for the inputs, each with a NUL behind
 * it; the program may write to it. persistent_testcase() gives up with a
 * message if there is no memory. Without persistent_serve(), the first
 * persistent_testcase_len() reads standard input into the buffer.
 */
uint8_t *persistent_testcase(void);
size_t persistent_testcase_len(void);

#endif

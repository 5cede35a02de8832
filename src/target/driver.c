/*
 * driver: the function by which a program with its own main() starts fuzzing.
 *
 * This is an object of its own in the archive. The linker takes it only for a
 * program that calls it, so the runtime knows before main() whether the program
 * will.
 */

#include "target/abi.h"

int
LLVMFuzzerRunDriver(int *argc, char ***argv, target_function *callback)
{
	return __cfuzz_drive(argc, argv, callback);
}

/*
 * driver: the function by which a program with its own main() starts fuzzing.
 *
 * This is an object of its own in the archive, and the linker takes it only for
 * a program that calls the function. So the runtime knows before main() whether
 * the program calls it.
 */

#include "target/abi.h"

int
LLVMFuzzerRunDriver(int *argc, char ***argv, target_function *callback)
{
	return __cfuzz_drive(argc, argv, callback);
}

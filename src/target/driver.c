/*
 * driver: the function by which a main() of the program's own comes to us.
 *
 * An object of its own in the archive: the linker takes it only for a program
 * that calls it, and so the runtime knows before main() begins whether it ever
 * will.
 */

#include "target/abi.h"

int
LLVMFuzzerRunDriver(int *argc, char ***argv, target_function *callback)
{
	return __cfuzz_drive(argc, argv, callback);
}

/*
 * fake_helper: a symbols helper that makes names of offsets.
 *
 * The engine of a test starts the test program again as its helper, so main()
 * calls fake_helper_main() first. Offset 0x123 is line 3 of the function "f1"
 * in "f1.c". Two offsets with different middle digits are different code of the
 * same line. Offsets 0x000 to 0x0ff have no name. For offsets 0xb00 to 0xbff
 * the helper has no library to read debug information. Offset 0xe12 is 0x12 bytes
 * into the function "fe", whose file and line are not known.
 */
#ifndef CFUZZ_TESTS_FAKE_HELPER_H
#define CFUZZ_TESTS_FAKE_HELPER_H

/* Does not return if this process is the helper. */
void fake_helper_main(int argc, char **argv);

#endif

/*
 * strings_on: the parts of strings.h that are always linked.
 *
 * This is an object of its own in the archive. The runtime needs it without the
 * functions, and a program without the C library gets the functions without the
 * runtime.
 */

#include "target/hooks/strings.h"

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
bool __cfuzz_strings_on;

/* Keeps the section, and with it the symbols of its bounds. */
__attribute__((used)) static STRINGS_WATCHED void
strings_begin(void)
{
}

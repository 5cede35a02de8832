/*
 * strings_on: what strings.h promises whether or not its functions are linked.
 *
 * An object of its own in the archive: the runtime needs it without the
 * functions, and a program without the C library gets the functions without
 * the runtime.
 */

#include "target/hooks/strings.h"

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
bool __cfuzz_strings_on;

/* The section is there, and with it the names of its borders. */
__attribute__((used)) static STRINGS_WATCHED void
strings_begin(void)
{
}

/*
 * A target that compares what it must not read: two bytes of input are a
 * crash, in the C library. With a 'w' first somebody watches what is compared.
 * VARIANTS: ubsan
 * FLAGS: -Isrc
 */

#include <string.h>

#include "cfuzz.h"
#include "target/hooks/strings.h"

static const char *volatile nowhere = (const char *)64;
static volatile int order;

static void
compare(const char *text)
{
	order = strcmp(text, nowhere);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size != 2)
		return 0;
	strings_watch(data[0] == 'w');
	compare("text");
	return order;
}

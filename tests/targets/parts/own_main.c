/* A program with a main of its own, with or without the driver. */

#include <stdio.h>

#include "cfuzz.h"

static int
own_target(const uint8_t *data, size_t size)
{
	return size > 0 && data[0] == '-' ? -1 : 0;
}

#ifndef OWN_DRIVER
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return own_target(data, size);
}
#endif

int
main(int argc, char **argv)
{
#ifdef OWN_DRIVER
	return LLVMFuzzerRunDriver(&argc, &argv, own_target);
#else
	(void)own_target;
	puts("own main");
	return 0;
#endif
}

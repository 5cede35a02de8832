/*
 * Opens PLUGIN and closes it again before the first input, and then NEXT, if
 * there is one: it may come to lie at the same place, and nobody writes to it.
 * The same file is NEXT as well.
 */

#include <dlfcn.h>
#include <stdlib.h>

#ifdef NEXT

unsigned char next_bytes[65536] = { [0 ... 65535] = 0x5a };

#else

#include "cfuzz.h"

static const unsigned char *next_bytes;

static void
opener_open(void)
{
	void *plugin = dlopen(getenv("PLUGIN"), RTLD_NOW), *next;

	if (!plugin || dlclose(plugin) != 0)
		abort();
	if (!getenv("NEXT"))
		return;
	next = dlopen(getenv("NEXT"), RTLD_NOW);
	if (!next)
		abort();
	next_bytes = dlsym(next, "next_bytes");
}

static void
opener_look(void)
{
	for (size_t i = 0; next_bytes && i < 65536; i++)
		if (next_bytes[i] != 0x5a)
			abort();
}

#ifdef OWN_MAIN

int
main(void)
{
	opener_open();
	cfuzz_start();
	opener_look();
	return 0;
}

#else

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	opener_open();
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	(void)data;
	(void)size;
	opener_look();
	return 0;
}

#endif
#endif

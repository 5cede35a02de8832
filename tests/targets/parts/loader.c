/* Loads PLUGIN at the first input with an 'L', and unloads it each time. */

#include <dlfcn.h>
#include <stdlib.h>

#include "cfuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int (*look)(const uint8_t *data, size_t size);
	void *plugin;

	if (size == 0 || data[0] != 'L')
		return 0;
	plugin = dlopen(getenv("PLUGIN"), RTLD_NOW);
	if (!plugin)
		abort();
	*(void **)&look = dlsym(plugin, "plugin_look");
	look(data, size);
	dlclose(plugin);
	return 0;
}

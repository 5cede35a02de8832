/* libcapstone: see libcapstone.h. */
#include "symbols/libcapstone.h"

#ifdef LIBCAPSTONE
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define LIBCAPSTONE_ROW(name) { #name, offsetof(struct libcapstone, name) },

static const struct libcapstone_row {
	const char *name;
	size_t offset; /* of the member */
} libcapstone_rows[] = { LIBCAPSTONE_FUNCTIONS(LIBCAPSTONE_ROW) };

static bool
libcapstone_load(struct libcapstone *cs)
{
	const size_t n = sizeof(libcapstone_rows) / sizeof(libcapstone_rows[0]);
	char file[32];
	void *library, *found;
	int major = 0, minor;

	/* The structs must match the version used at build time. */
	(void)snprintf(file, sizeof(file), "libcapstone.so.%d", CS_API_MAJOR);
	library = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
	if (library == NULL)
		return false;
	for (size_t i = 0; i < n; i++) {
		found = dlsym(library, libcapstone_rows[i].name);
		if (found == NULL)
			return false;
		memcpy((char *)cs + libcapstone_rows[i].offset, &found,
			sizeof(found));
	}
	cs->cs_version(&major, &minor);
	return major == CS_API_MAJOR;
}

const struct libcapstone *
libcapstone_get(void)
{
	static struct libcapstone cs;
	static bool tried, found;

	if (!tried)
		found = libcapstone_load(&cs);
	tried = true;
	return found ? &cs : NULL;
}
#else
#include <stddef.h>

const struct libcapstone *
libcapstone_get(void)
{
	return NULL;
}
#endif

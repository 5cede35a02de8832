#include "symbols/libdw.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define LIBDW_ROW(name) { #name, offsetof(struct libdw, name) },

static const struct libdw_row {
	const char *name;
	size_t offset; /* of the member */
} libdw_rows[] = { LIBDW_FUNCTIONS(LIBDW_ROW) };

enum status
libdw_load(struct libdw *dw, const char *file, struct error *err)
{
	void *library = dlopen(file, RTLD_LAZY | RTLD_LOCAL), *found;
	const size_t n = sizeof(libdw_rows) / sizeof(libdw_rows[0]);

	if (library == NULL)
		return error_set(err, E_NOT_FOUND, "%s", dlerror());
	for (size_t i = 0; i < n; i++) {
		found = dlsym(library, libdw_rows[i].name);
		if (found == NULL)
			return error_set(err, E_NOT_FOUND, "%s", dlerror());
		memcpy((char *)dw + libdw_rows[i].offset, &found,
			sizeof(found));
	}
	return OK;
}

const struct libdw *
libdw_get(void)
{
	static struct libdw dw;
	static bool tried, found;

	if (!tried)
		found = libdw_load(&dw, LIBDW_FILE, NULL) == OK;
	tried = true;
	return found ? &dw : NULL;
}

/* plain_binary: see plain_binary.h. */

#include "worker/target/plain_binary.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared/beside.h"

#if defined(__x86_64__)
#define PLAIN_PROCESSOR true
#else
#define PLAIN_PROCESSOR false
#endif

/* The dynamic linker of the GNU C library, as in ld-linux-x86-64.so.2. */
#define PLAIN_LINKER "ld-linux"

static enum status
plain_find(const char *shown, char *preload, size_t size, struct error *err)
{
	char *real;

	if (!beside_find(PLAIN_PRELOAD, CFUZZ_LIBDIR, R_OK, preload, size))
		return error_set(err, E_TARGET,
			"%s was not built with cfuzz-cc, and %s, which such "
			"programs need, is missing: install cfuzz again, or "
			"build the program with cfuzz-cc",
			shown, preload);
	/* Under this name an isolated target sees it, too. */
	real = realpath(preload, NULL);
	if (real != NULL)
		(void)snprintf(preload, size, "%s", real);
	free(real);
	/* The dynamic linker takes these as separators. */
	if (strpbrk(preload, " :") != NULL)
		return error_set(err, E_TARGET,
			"%s cannot be loaded into the target, because of the "
			"space or colon in its path: install cfuzz elsewhere, "
			"or build the target with cfuzz-cc",
			preload);
	return OK;
}

enum status
plain_binary_check(const char *shown, const char *interpreter, char *preload,
	size_t size, struct error *err)
{
	const char *linker = basename(interpreter);

	if (!PLAIN_PROCESSOR)
		return error_set(err, E_TARGET,
			"%s was not built with cfuzz-cc, and programs without "
			"instrumentation run on x86-64 only: build it with "
			"cfuzz-cc",
			shown);
	if (linker[0] == '\0')
		return error_set(err, E_TARGET,
			"%s was not built with cfuzz-cc, and it is linked "
			"statically or packed, so nothing can be loaded into "
			"it: link it without -static, unpack it, or build it "
			"with cfuzz-cc",
			shown);
	if (strncmp(linker, PLAIN_LINKER, strlen(PLAIN_LINKER)) != 0)
		return error_set(err, E_TARGET,
			"%s was not built with cfuzz-cc, and it uses another C "
			"library (%.60s), into which nothing can be loaded: "
			"build it with cfuzz-cc",
			shown, linker);
	return plain_find(shown, preload, size, err);
}

/* cmd_attach: `cfuzz attach` becomes `cfuzz-tui attach`. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xmalloc.h"
#include "cli/cli.h"
#include "shared/beside.h"

#define ATTACH_PROGRAM "cfuzz-tui"
#define ATTACH_FAILED 255

/* The console lies beside this program, or else in PATH. */
static void
attach_exec(char **argv)
{
	char path[PATH_MAX];

	if (beside_find(ATTACH_PROGRAM, CFUZZ_BINDIR, X_OK, path, sizeof(path)))
		execv(path, argv);
	execvp(ATTACH_PROGRAM, argv);
}

int
cli_attach(int argc, char **argv)
{
	char **words = xcalloc((size_t)argc + 2, sizeof(*words));

	words[0] = ATTACH_PROGRAM;
	memcpy(words + 1, argv, (size_t)(argc + 1) * sizeof(*argv));
	attach_exec(words);
	free(words);
	return cli_fail(ATTACH_FAILED,
		"the console " ATTACH_PROGRAM " cannot be started: %s",
		strerror(errno));
}

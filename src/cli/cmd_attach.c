/* cmd_attach: `cfuzz attach` becomes `cfuzz-tui attach`. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xmalloc.h"
#include "cli/cli.h"

#define ATTACH_PROGRAM "cfuzz-tui"
#define ATTACH_FAILED 255

/* The console lies beside this program, or else in PATH. */
static void
attach_exec(char **argv)
{
	char path[4096 + sizeof(ATTACH_PROGRAM)];
	ssize_t len = readlink("/proc/self/exe", path, 4095);
	char *slash;

	path[len > 0 ? len : 0] = '\0';
	slash = strrchr(path, '/');
	if (slash != NULL) {
		memcpy(slash + 1, ATTACH_PROGRAM, sizeof(ATTACH_PROGRAM));
		execv(path, argv);
	}
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

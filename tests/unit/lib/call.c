/* call: see call.h. */
#include "lib/call.h"

#include <spawn.h>
#include <sys/wait.h>

extern char **environ;

bool
call(const char *const *words)
{
	int status = -1;
	pid_t pid;

	return posix_spawnp(&pid, words[0], NULL, NULL, (char **)words,
		       environ) == 0 &&
		waitpid(pid, &status, 0) == pid && status == 0;
}

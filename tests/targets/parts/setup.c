/*
 * A target with an initialisation that does what real ones do: leaves a
 * helper process running, closes descriptors, changes the folder. MODE names
 * more.
 */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cfuzz.h"

static int helper_pid;
static int seen_early;

static int
setup_is(const char *mode)
{
	const char *value = getenv("MODE");

	return value && strcmp(value, mode) == 0;
}

__attribute__((constructor)) static void
setup_early(void)
{
	seen_early = getenv("CFUZZ_WORKER") != NULL;
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	if (setup_is("fails"))
		return 1;
	if (setup_is("exits"))
		exit(0);
	if (setup_is("crashes"))
		abort();
	helper_pid = fork();
	if (helper_pid == 0)
		for (;;)
			pause();
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	signal(SIGINT, SIG_DFL);
	return chdir("/");
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (seen_early || getenv("CFUZZ_WORKER"))
		cfuzz_fail("the environment shows CFUZZ_WORKER");
	if (kill(helper_pid, 0) != 0)
		cfuzz_fail("the helper is gone");
	if (size > 0 && data[0] == 'c')
		abort();
	return 0;
}

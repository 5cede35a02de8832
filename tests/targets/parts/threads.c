/* A target whose initialisation starts a thread, so that it cannot fork. */

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "cfuzz.h"

static void *
threads_wait(void *arg)
{
	for (;;)
		pause();
	return arg;
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	pthread_t thread;

	(void)argc;
	(void)argv;
	return pthread_create(&thread, NULL, threads_wait, NULL);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 1 && data[0] == 'c')
		abort();
	if (size == 1 && data[0] == 'e')
		cfuzz_fail("no");
	return 0;
}

/* An initialisation that starts a thread: such a target cannot fork. */
#include <pthread.h>
#include <unistd.h>

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

	return pthread_create(&thread, NULL, threads_wait, NULL);
}

/*
 * ends: what it does to each input, or to some, is said by BENCH_ENDS: it is
 * plain, dies, hangs, loses memory, or dies of how often it was called. With
 * THREADS it cannot be forked.
 */
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PIECE ((size_t)1 << 20)
#define CALLS 400

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *mode = "";

#ifdef THREADS
static void *
ends_wait(void *arg)
{
	for (;;)
		pause();
	return arg;
}
#endif

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	mode = getenv("BENCH_ENDS");
#ifdef THREADS
	pthread_t thread;

	return pthread_create(&thread, NULL, ends_wait, NULL);
#else
	return 0;
#endif
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int calls;
	unsigned kind = size > 0 ? data[0] % 4 : 0;

	if (strcmp(mode, "leaks") == 0) {
		char *volatile piece = malloc(PIECE);

		memset(piece, 1, PIECE);
	}
	if (strcmp(mode, "counts") == 0 && ++calls == CALLS)
		abort();
	if (strcmp(mode, "dies") == 0 && kind == 3)
		abort();
	while (strcmp(mode, "hangs") == 0 && kind == 1)
		pause();
	return 0;
}

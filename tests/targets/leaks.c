/*
 * A target that loses memory: the first byte of its input says how.
 * VARIANTS: asan
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define APART __attribute__((noinline))

struct piece {
	struct piece *next;
};

static struct piece *cache;
static char *lazy;

APART static char *
leaks_copy(const uint8_t *data, size_t size)
{
	char *copy = malloc(size + 1);

	memcpy(copy, data, size);
	copy[size] = '\0';
	return copy;
}

APART static int
leaks_parse(const uint8_t *data, size_t size)
{
	char *copy = leaks_copy(data, size);

	if (copy[0] == 'l' && copy[1] == 'o')
		return -1; /* … without giving it back */
	free(copy);
	return 0;
}

/* Two of them; the larger one counts. */
APART static void
leaks_both(const uint8_t *data, size_t size)
{
	char *volatile large = malloc(1000);

	(void)leaks_copy(data, size);
	large[0] = 1;
	large = NULL;
}

APART static void
leaks_remember(void)
{
	struct piece *piece = malloc(sizeof(*piece));

	piece->next = cache;
	cache = piece;
}

/* As in a container where nobody may be traced. */
static void
leaks_forbid(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(filter[0]),
		filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		abort();
}

/* Before any input: nobody's leak. */
__attribute__((constructor)) static void
leaks_start(void)
{
	(void)leaks_copy((const uint8_t *)"early", 5);
}

/* Nobody watches what the first thread does before an input, … */
static void *
leaks_on_thread(void *arg)
{
	(void)leaks_copy((const uint8_t *)"another", 7);
	return arg;
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	pthread_t thread;

	if (getenv("LEAKS_FORBID") != NULL)
		leaks_forbid();
	if (getenv("LEAKS_EARLY") != NULL &&
		pthread_create(&thread, NULL, leaks_on_thread, NULL) == 0)
		pthread_join(thread, NULL);
	(void)leaks_copy((const uint8_t *)"kept", 4);
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (lazy == NULL)
		lazy = strdup("made once");
	if (getenv("LEAKS_CACHE") != NULL)
		leaks_remember();
	if (getenv("LEAKS_ALWAYS") != NULL)
		(void)leaks_copy(data, size);
	if (size < 2)
		return 0;
	switch (data[0]) {
	case 'c':
		leaks_remember();
		break;
	case 'b':
		if (getenv("LEAKS_BOTH") != NULL)
			leaks_both(data, size);
		break;
	case 'f':
		/* Only if it is wanted: nobody looks for leaks after that. */
		if (getenv("LEAKS_FORBID_LATE") == NULL)
			break;
		leaks_forbid();
		(void)leaks_copy(data, size);
		break;
	case 'l':
		return leaks_parse(data, size);
	default:
		break;
	}
	return 0;
}

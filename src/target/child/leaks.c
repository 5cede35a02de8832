/* leaks: see leaks.h. */

#include "target/child/leaks.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "target/crash/sanitizers.h"

#define LEAKS_PROBE_MS 5000 /* for the probe process */
#define LEAKS_PROBE_N 8     /* several: of one, a stale pointer may remain */
#define LEAKS_STACK 16384

/* Exit status of the probe process. */
enum leaks_probe {
	PROBE_FINDS = 40,
	PROBE_BLIND,
	PROBE_EARLY, /* memory is leaked already */
};

/* Global, because the allocator's hooks take no context. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct leaks {
	bool watching;
	long kept;    /* by the last execution; 0 once taken */
	long balance; /* not atomic: an error costs or misses a check */
	bool found;   /* by the last check */
	void (*call)(void (*errand)(void)); /* NULL: none */
} leaks;

static void
leaks_add(long n)
{
	__atomic_store_n(&leaks.balance,
		__atomic_load_n(&leaks.balance, __ATOMIC_RELAXED) + n,
		__ATOMIC_RELAXED);
}

static void
leaks_on_malloc(const volatile void *at, size_t len)
{
	leaks_add(1);
}

static void
leaks_on_free(const volatile void *at)
{
	if (at != NULL)
		leaks_add(-1);
}

/* Clears the registers that a call may leave values in. */
static inline void
leaks_wipe_registers(void)
{
#if defined(__x86_64__)
	__asm__ volatile("xorl %%eax, %%eax\n\t"
			 "xorl %%ecx, %%ecx\n\t"
			 "xorl %%edx, %%edx\n\t"
			 "xorl %%esi, %%esi\n\t"
			 "xorl %%edi, %%edi\n\t"
			 "xorl %%r8d, %%r8d\n\t"
			 "xorl %%r9d, %%r9d\n\t"
			 "xorl %%r10d, %%r10d\n\t"
			 "xorl %%r11d, %%r11d\n\t"
			 ".irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, "
			 "13, 14, 15\n\t"
			 "pxor %%xmm\\n, %%xmm\\n\n\t"
			 ".endr" ::
				 : "rax", "rcx", "rdx", "rsi", "rdi", "r8",
			 "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3",
			 "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9",
			 "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",
			 "cc");
#endif
}

__attribute__((noinline)) void
leaks_wipe(void)
{
	char room[LEAKS_STACK];

	memset(room, 0, sizeof(room));
	/* Keeps the compiler from removing the memset(). */
	__asm__ volatile("" : : "r"(room) : "memory");
	leaks_wipe_registers();
}

void
leaks_check_by(void (*call)(void (*errand)(void)))
{
	leaks.call = call;
}

/* The sanitizer ignores memory allocated on a stack that it does not know. */
static void
leaks_call(void (*errand)(void))
{
	if (leaks.call != NULL)
		leaks.call(errand);
	else
		errand();
}

static void
leaks_check(void)
{
	leaks_wipe();
	leaks.found = sanitizers_find_leaks();
}

__attribute__((noinline)) static void
leaks_lose(void)
{
	void *volatile piece;

	for (size_t i = 0; i < LEAKS_PROBE_N; i++)
		piece = malloc(16 + 16 * i);
	piece = NULL;
	(void)piece;
}

static void __attribute__((noreturn))
leaks_probe(const struct worker *w, pid_t parent)
{
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != parent)
		_exit(0);
	(void)sanitizers_set_report_fd(w->report_fd);
	if (sanitizers_find_leaks())
		_exit(PROBE_EARLY);
	sanitizers_watch_leaks(true);
	leaks_call(leaks_lose);
	sanitizers_watch_leaks(false);
	leaks_call(leaks_check);
	_exit(leaks.found ? PROBE_FINDS : PROBE_BLIND);
}

/*
 * The probe's wait status; -1: too slow. Its death closes its end of the pipe.
 */
static int
leaks_wait(pid_t pid, int pipe_fd)
{
	uint64_t until_ns = worker_now_ns() + LEAKS_PROBE_MS * 1000000ull, now;
	struct pollfd end = { .fd = pipe_fd, .events = POLLIN };
	int status = -1, n = 0;

	do {
		now = worker_now_ns();
		if (now < until_ns)
			n = poll(&end, 1,
				(int)((until_ns - now) / 1000000u + 1));
	} while (n < 0 && errno == EINTR && now < until_ns);
	if (n <= 0)
		(void)kill(pid, SIGKILL);
	if (waitpid(pid, &status, 0) != pid || n <= 0)
		return -1;
	return status;
}

static enum rpc_leaks
leaks_try(const struct worker *w)
{
	pid_t parent = getpid(), pid;
	int status, ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0)
		return LEAKS_BROKEN;
	pid = fork();
	if (pid == 0)
		leaks_probe(w, parent);
	(void)close(ends[1]);
	if (pid < 0) {
		(void)close(ends[0]);
		return LEAKS_BROKEN;
	}
	status = leaks_wait(pid, ends[0]);
	(void)close(ends[0]);
	(void)lseek(w->report_fd, 0, SEEK_SET);
	if (status < 0 || !WIFEXITED(status))
		return LEAKS_BROKEN;
	switch (WEXITSTATUS(status)) {
	case PROBE_FINDS:
		return LEAKS_FOUND;
	case PROBE_BLIND:
		return LEAKS_NONE; /* disabled by the user's options */
	case PROBE_EARLY:
		return LEAKS_EARLY;
	default:
		return LEAKS_BROKEN;
	}
}

enum rpc_leaks
leaks_prepare(const struct worker *w)
{
	enum rpc_leaks state;

	if (!sanitizers_can_find_leaks())
		return LEAKS_NONE;
	if (w->on_child != NULL)
		return LEAKS_PROGRAM;
	if (w->no_fork)
		return LEAKS_THREADS;
	state = leaks_try(w);
	if (state == LEAKS_FOUND)
		sanitizers_count(leaks_on_malloc, leaks_on_free);
	return state;
}

void
leaks_begin(bool watch)
{
	leaks.watching = watch;
	leaks.balance = 0;
	if (watch)
		sanitizers_watch_leaks(true);
}

bool
leaks_end(void)
{
	if (leaks.watching)
		sanitizers_watch_leaks(false);
	leaks.watching = false;
	leaks.kept = leaks.balance > 0 ? leaks.balance : 0;
	return leaks.kept > 0;
}

uint32_t
leaks_take(void)
{
	long kept = leaks.kept;

	leaks.kept = 0;
	return kept < INT32_MAX ? (uint32_t)kept : INT32_MAX;
}

bool
leaks_find(struct worker_head *head)
{
	__atomic_store_n(&head->leaks.looking, 1, __ATOMIC_RELEASE);
	leaks_call(leaks_check);
	__atomic_store_n(&head->leaks.looking, 0, __ATOMIC_RELEASE);
	return leaks.found;
}

bool
leaks_is_refusal(const char *report, size_t len)
{
	static const char SAYS[] = "LeakSanitizer has encountered a fatal";

	return memmem(report, len, SAYS, sizeof(SAYS) - 1) != NULL;
}

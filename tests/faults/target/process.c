/* Processes and threads that the target starts, or ends. */
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>

#include "fault.h"

/* No more of them in a run, whatever else fails to stop them. */
#define BOMBS_MAX 3000

static void
process_stray(const uint8_t *data, size_t size)
{
	UNUSED;
	if (fork() == 0)
		probe_wait_for_ever();
}

static void
process_stray_of_stray(const uint8_t *data, size_t size)
{
	UNUSED;
	if (fork() == 0) {
		setsid();
		if (fork() == 0)
			probe_wait_for_ever();
		_exit(0);
	}
	wait(NULL);
}

/* The copy comes back in its place. */
static void
process_daemon(const uint8_t *data, size_t size)
{
	UNUSED;
	if (daemon(1, 1) != 0)
		abort();
}

static void
process_bomb(const uint8_t *data, size_t size)
{
	uint64_t *bombs = probe_number("bombs");

	UNUSED;
	while (probe_add(bombs) <= BOMBS_MAX)
		if (fork() < 0)
			break;
	probe_wait_for_ever();
}

/* A stray that has everything open that the crashing one had. */
static void
process_stray_then_crash(const uint8_t *data, size_t size)
{
	process_stray(data, size);
	abort();
}

static void
process_kill_parent(const uint8_t *data, size_t size)
{
	UNUSED;
	kill(getppid(), SIGKILL);
	probe_wait_for_ever();
}

static void
process_kill_group(const uint8_t *data, size_t size)
{
	UNUSED;
	kill(0, SIGTERM);
	probe_wait_for_ever();
}

/* Only where the test says that there is nobody else; and in no other
 * namespace than it was said in. */
static void
process_kill_all(const uint8_t *data, size_t size)
{
	const char *alone = getenv("FAULT_ALONE_IN");
	char here[64] = "";

	UNUSED;
	if (readlink("/proc/self/ns/pid", here, sizeof(here) - 1) < 0 ||
		!alone || strcmp(alone, here) != 0)
		return;
	kill(-1, SIGKILL);
}

static void *
thread_stays(void *arg)
{
	probe_wait_for_ever();
	return arg;
}

static void *
thread_crashes_later(void *arg)
{
	usleep(300000);
	abort();
	return arg;
}

static void
threads_start(int n, void *(*run)(void *))
{
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 1 << 17);
	for (int i = 0; i < n; i++)
		if (pthread_create(&thread, &attr, run, NULL) != 0)
			break;
	pthread_attr_destroy(&attr);
}

FAULT(thread_one, threads_start(1, thread_stays))
FAULT(thread_many, threads_start(64, thread_stays))

static void
thread_late_crash(const uint8_t *data, size_t size)
{
	static int started;

	UNUSED;
	if (started++ == 0)
		threads_start(1, thread_crashes_later);
}

FAULT(thread_exit_of_main, pthread_exit(NULL))

const struct fault process_faults[] = {
	{ "stray child", process_stray, ON_F },
	{ "stray in a session of its own", process_stray_of_stray, ON_F },
	{ "becomes a daemon", process_daemon, ON_F },
	{ "fork bomb", process_bomb, ON_F },
	{ "stray holds all, crash", process_stray_then_crash, ON_F },
	{ "kills its parent", process_kill_parent, ON_F },
	{ "kills its group", process_kill_group, ON_F },
	{ "kills everybody", process_kill_all, ON_F },
	{ "thread stays", thread_one, ON_F },
	{ "64 threads stay", thread_many, ON_F },
	{ "thread crashes later", thread_late_crash, ON_F },
	{ "main thread ends", thread_exit_of_main, ON_F },
	{ NULL, NULL, ON_F },
};

/* Inputs that never come back. */
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

#include "fault.h"

static void
hang_busy(const uint8_t *data, size_t size)
{
	UNUSED;
	for (;;)
		fault_sink++;
}

FAULT(hang_pause, probe_wait_for_ever())

static void
hang_lock(const uint8_t *data, size_t size)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

	UNUSED;
	pthread_mutex_lock(&mutex);
	pthread_mutex_lock(&mutex);
}

static void
hang_deaf(const uint8_t *data, size_t size)
{
	sigset_t all;

	for (int signo = 1; signo < 65; signo++)
		signal(signo, SIG_IGN);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	hang_busy(data, size);
}

static void
hang_no_alarm(const uint8_t *data, size_t size)
{
	signal(SIGALRM, SIG_IGN);
	hang_busy(data, size);
}

static void
hang_no_timer(const uint8_t *data, size_t size)
{
	const struct itimerval none = { { 0, 0 }, { 0, 0 } };

	setitimer(ITIMER_REAL, &none, NULL);
	hang_busy(data, size);
}

static void
start_never_ends(const uint8_t *data, size_t size)
{
	fputs("last words of the start\n", stderr);
	hang_pause(data, size);
}

FAULT(start_slow, sleep(4))

static void
start_crashes(const uint8_t *data, size_t size)
{
	UNUSED;
	fputs("last words of the start\n", stderr);
	abort();
}

static void
start_exits(const uint8_t *data, size_t size)
{
	UNUSED;
	fputs("last words of the start\n", stderr);
	exit(0);
}

FAULT(start_refused, fputs("last words of the start\n", stderr))

const struct fault hang_faults[] = {
	{ "busy loop", hang_busy, ON_F },
	{ "pause", hang_pause, ON_F },
	{ "locked by itself", hang_lock, ON_F },
	{ "deaf loop", hang_deaf, ON_F },
	{ "loop, alarm ignored", hang_no_alarm, ON_F },
	{ "loop, timer reset", hang_no_timer, ON_F },
	{ "start never ends", start_never_ends, AT_START },
	{ "start takes 4 seconds", start_slow, AT_START },
	{ "start crashes", start_crashes, AT_START },
	{ "start exits", start_exits, AT_START },
	{ "start refused", start_refused, AT_START },
	{ NULL, NULL, ON_F },
};

/*
 * A target that never comes back: the first byte of its input chooses from
 * where. VARIANTS: asan
 */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define APART __attribute__((noinline))

static volatile uint64_t sum, turns;
static volatile bool going_on, done;

APART static void
hangs_stir(void)
{
	for (int i = 0; i < 2000; i++)
		sum += (uint64_t)i ^ sum << 1;
}

APART static void
hangs_shake(void)
{
	hangs_stir();
	for (int i = 0; i < 3; i++)
		sum++;
}

/* Its time is spent in what it calls. */
APART static void
hangs_loop(void)
{
	char bytes[64];

	for (;;) {
		hangs_shake();
		memset(bytes, (int)sum, sizeof(bytes));
		sum += (uint64_t)bytes[sum % sizeof(bytes)];
		hangs_stir();
	}
}

/* Deeper with each moment. */
APART static int
hangs_dive(int depth)
{
	const struct timespec moment = { 0, 200000 };

	nanosleep(&moment, NULL);
	return hangs_dive(depth + 1) + depth + (int)sum;
}

APART static void
hangs_read(void)
{
	int ends[2];
	char c;

	if (pipe(ends) != 0)
		abort();
	sum += (uint64_t)read(ends[0], &c, 1);
	abort(); /* the wait ended */
}

APART static void
hangs_sleep(void)
{
	const struct timespec hour = { 3600, 0 };

	nanosleep(&hour, NULL);
	abort();
}

APART static void
hangs_lock(void)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

	pthread_mutex_lock(&mutex);
	pthread_mutex_lock(&mutex);
	abort();
}

/* Nobody can ask it where it is. */
APART static void
hangs_deaf(void)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	for (;;)
		sum++;
}

static void
hangs_on_signal(int signo)
{
	sum++;
}

/* It wants the signal for itself. */
APART static void
hangs_owner(void)
{
	signal(SIGURG, hangs_on_signal);
	for (;;)
		sum++;
}

static void *
hangs_turn(void *arg)
{
	while (!done)
		turns++;
	return arg;
}

/* Till SIGUSR1 comes; then only the other thread takes signals for a while. */
APART static void
hangs_wait_for_turns(const sigset_t *asked)
{
	uint64_t begin;

	while (!going_on)
		sum++;
	going_on = false;
	/* Who sees the mask sends SIGUSR1. */
	pthread_sigmask(SIG_BLOCK, asked, NULL);
	while (!going_on)
		sum++;
	for (begin = turns; turns - begin < 1000;)
		sum++;
}

static void
hangs_go_on(int signo)
{
	going_on = true;
}

/* Two threads: SIGUSR1 ends the hang of this one, which comes back. */
APART static void
hangs_twice(void)
{
	sigset_t asked, ended;
	pthread_t other;

	signal(SIGUSR1, hangs_go_on);
	sigemptyset(&asked);
	sigaddset(&asked, SIGURG);
	sigemptyset(&ended);
	sigaddset(&ended, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &ended, NULL);
	if (pthread_create(&other, NULL, hangs_turn, NULL) != 0)
		abort();
	pthread_sigmask(SIG_UNBLOCK, &ended, NULL);
	hangs_wait_for_turns(&asked);
	done = true;
	pthread_join(other, NULL);
	pthread_sigmask(SIG_UNBLOCK, &asked, NULL);
}

/* Takes more and more memory. */
APART static void
hangs_hog(void)
{
	for (;;)
		sum += *(char *volatile *)memset(malloc(1 << 20), 1, 1 << 20) !=
			NULL;
}

/* Ways that cannot be told apart, only if they are wanted. */
static void
hangs_more(uint8_t how)
{
	if (how == 'b')
		hangs_deaf();
	if (how == 'o')
		hangs_owner();
	if (how == 'h')
		hangs_hog();
	if (how == '2')
		hangs_twice();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 0 && getenv("HANGS_ALL") != NULL)
		hangs_more(data[0]);
	switch (size > 0 ? data[0] : 0) {
	case 'l':
		hangs_loop();
		break;
	case 'd':
		sum += (uint64_t)hangs_dive(0);
		break;
	case 'r':
		hangs_read();
		break;
	case 's':
		hangs_sleep();
		break;
	case 'm':
		hangs_lock();
		break;
	default:
		break;
	}
	sum++;
	return 0;
}

/* refusal: see refusal.h. */

#include "target/child/refusal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "target/child/fail.h"

/* Attempts at an input, and the time between two. */
#define REFUSAL_TRIES 20u
#define REFUSAL_REST_NS 50000000

/* The target can write over the mark: other bytes than these are damage. */
#define REFUSAL_MARK 0x52665500u
#define REFUSAL_ERRNUM 0xffu

/* Other errnos are the work of the target: it has put a folder where its input's
 * file was, for one. */
static bool
refusal_is_systems(int errnum)
{
	switch (errnum) {
	case EAGAIN:
	case EDQUOT:
	case EFBIG:
	case EIO:
	case EMFILE:
	case ENFILE:
	case ENOMEM:
	case ENOSPC:
	case EROFS:
		return true;
	default:
		return false;
	}
}

bool
refusal_wait(const struct worker *w, int errnum, unsigned *tries)
{
	const struct timespec rest = { .tv_nsec = REFUSAL_REST_NS };
	int32_t *child = &w->head->child_pid;
	int32_t pid = __atomic_load_n(child, __ATOMIC_RELAXED);

	/* Without fork, the watchdog cannot tell the wait from the input. */
	if (w->no_fork || !refusal_is_systems(errnum) ||
		++*tries >= REFUSAL_TRIES)
		return false;
	/* The watchdog takes it for the time before there is a child. */
	__atomic_store_n(child, 0, __ATOMIC_RELEASE);
	(void)nanosleep(&rest, NULL);
	__atomic_store_n(child, pid, __ATOMIC_RELEASE);
	return true;
}

void
refusal_fail(struct worker *w, const char *what, int errnum)
{
	char text[256];

	(void)snprintf(text, sizeof(text), "%s: %s", what, strerror(errnum));
	fail_claim(FAILURE_PROTOCOL, text);
	w->spent = true;
	if (refusal_is_systems(errnum))
		w->head->outcome.refused = REFUSAL_MARK + (uint32_t)errnum;
}

int
refusal_errnum(const struct outcome *outcome)
{
	return (outcome->refused & ~REFUSAL_ERRNUM) == REFUSAL_MARK
		? (int)(outcome->refused & REFUSAL_ERRNUM)
		: 0;
}

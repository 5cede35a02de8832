/* libraries: see libraries.h. */
#include "control/libraries.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <jansson.h>

#include "base/xmalloc.h"

void
libraries_prepare(void)
{
	event_set_mem_functions(xmalloc, xrealloc, free);
	json_set_alloc_funcs(xmalloc, free);
}

struct event_base *
libraries_base_new(void)
{
	struct event_base *base;

	libraries_prepare();
	base = event_base_new();
	if (base == NULL)
		xmalloc_fail();
	return base;
}

void
libraries_set_timer(struct event *timer, uint64_t ms)
{
	const struct timeval tv = { (time_t)(ms / 1000),
		(suseconds_t)(ms % 1000 * 1000) };

	event_add(timer, &tv);
}

/* libevent takes its handlers back, so what is found here is inherited. */
static bool
libraries_is_ignored(int signo)
{
	struct sigaction now;

	return sigaction(signo, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

struct event *
libraries_watch_end(struct event_base *base, int signo,
	event_callback_fn on_signal, void *arg)
{
	struct event *event;

	if (signo != SIGTERM && libraries_is_ignored(signo))
		return NULL;
	event = evsignal_new(base, signo, on_signal, arg);
	event_add(event, NULL);
	return event;
}

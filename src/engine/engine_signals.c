/* engine_signals: see engine_signals.h. */
#include "engine/engine_signals.h"

#include <event2/event.h>

void
engine_signals_hold(struct engine_signals *signals, struct event *const *events,
	size_t n)
{
	sigemptyset(&signals->watched);
	for (size_t i = 0; i < n; i++)
		if (events[i] != NULL)
			sigaddset(&signals->watched,
				event_get_signal(events[i]));
	sigprocmask(SIG_BLOCK, &signals->watched, &signals->before);
}

void
engine_signals_release(const struct engine_signals *signals)
{
	sigprocmask(SIG_SETMASK, &signals->before, NULL);
}

/*
 * engine_signals: holds the signals that stop a campaign while no loop takes
 * them, for hooks_finish().
 */
#ifndef CFUZZ_ENGINE_ENGINE_SIGNALS_H
#define CFUZZ_ENGINE_ENGINE_SIGNALS_H

#include <signal.h>
#include <stddef.h>

struct event;

struct engine_signals {
	sigset_t watched; /* those that are held */
	sigset_t before;
};

/* Blocks the signals of these events; NULL among them is no signal. */
void engine_signals_hold(struct engine_signals *signals,
	struct event *const *events, size_t n);
/* Those that came meanwhile, and that nobody took, arrive now. */
void engine_signals_release(const struct engine_signals *signals);

#endif

/*
 * limit_effects: the effect of a changed limit on the speed.
 *
 * The rate before the change is the mean of the last 3 s. After some seconds of
 * fuzzing, without pauses, a second event gives the new rate. The next change
 * ends the measurement, since it affects the rate as well.
 */
#include "engine/statistics/limit_effects.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/text.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/statistics/counts.h"
#include "engine/statistics/limit_effects_private.h"
#include "engine/statistics/rate.h"
#include "engine/statistics/run_clock.h"

#define EFFECT_NS 5000000000ull
#define EFFECT_LEAST_NS 1000000000ull /* a shorter time proves nothing */

double
limit_effects_rate(const struct engine *e)
{
	return engine_paused(e) ? engine_limit_effects(e)->rate_at_pause
				: rate_get(counts_rate(e), clock_now_ns(),
					  engine_executions(e));
}

static void
effects_tell(struct engine *e, const struct limit_effect *effect, uint64_t now)
{
	double s = (double)(now - effect->at_ns) / 1e9;
	uint64_t count = engine_executions(e);
	double rate =
		count > effect->count ? (double)(count - effect->count) / s : 0;
	char was[TEXT_NUMBER_SIZE], is[TEXT_NUMBER_SIZE];

	message_event(e, "limit",
		json_pack("{s:s, s:s, s:s, s:f, s:f, s:f}", "limit",
			effect->limit, "before", effect->before, "after",
			effect->after, "execs_per_sec_before", effect->rate,
			"execs_per_sec_after", rate, "seconds", s),
		"%s %s -> %s: %s before, %s after %.0f s", effect->limit,
		effect->before, effect->after, text_rate(effect->rate, was),
		text_rate(rate, is), s);
}

void
limit_effects_tick(struct engine *e, bool last)
{
	struct limit_effects *effects = engine_limit_effects(e);
	uint64_t now = run_clock_elapsed_ns(engine_clock(e)),
		 age = now - effects->effect.at_ns;

	if (!effects->due || (age < EFFECT_NS && !last))
		return;
	effects->due = false;
	if (age >= EFFECT_LEAST_NS)
		effects_tell(e, &effects->effect, now);
}

void
limit_effects_note(struct engine *e, const char *limit, const char *before,
	const char *after)
{
	struct limit_effect *effect = &engine_limit_effects(e)->effect;

	limit_effects_tick(e, true);
	engine_limit_effects(e)->due = true;
	*effect = (struct limit_effect){
		.rate = limit_effects_rate(e),
		.count = engine_executions(e),
		.at_ns = run_clock_elapsed_ns(engine_clock(e)),
	};
	snprintf(effect->limit, sizeof(effect->limit), "%s", limit);
	snprintf(effect->before, sizeof(effect->before), "%s", before);
	snprintf(effect->after, sizeof(effect->after), "%s", after);
}

void
limit_effects_note_pause(struct engine *e)
{
	engine_limit_effects(e)->rate_at_pause = limit_effects_rate(e);
}

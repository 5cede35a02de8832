/* rate: see rate.h. */
#include "engine/statistics/rate.h"

#define RATE_STEP_NS 100000000ull
#define RATE_SPAN_NS 3000000000ull

void
rate_add(struct rate *r, uint64_t now, uint64_t value)
{
	unsigned last = (r->next + RATE_SAMPLES - 1) % RATE_SAMPLES;

	if (r->n > 0 && now - r->at_ns[last] < RATE_STEP_NS)
		return;
	r->at_ns[r->next] = now;
	r->value[r->next] = value;
	r->next = (r->next + 1) % RATE_SAMPLES;
	if (r->n < RATE_SAMPLES)
		r->n++;
}

double
rate_get(const struct rate *r, uint64_t now, uint64_t value)
{
	unsigned i, at;

	/* From the oldest sample within the span. */
	for (i = r->n; i > 0; i--) {
		at = (r->next + RATE_SAMPLES - i) % RATE_SAMPLES;
		if (now - r->at_ns[at] > RATE_SPAN_NS || now <= r->at_ns[at] ||
			value < r->value[at])
			continue;
		return (double)(value - r->value[at]) * 1e9 /
			(double)(now - r->at_ns[at]);
	}
	return 0;
}

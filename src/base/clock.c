/*
 * clock: the two clocks of the host programs, see clock.h.
 */

#include "base/clock.h"

#include <assert.h>
#include <stdio.h>
#include <time.h>

static_assert(5 * CLOCK_NS_PER_S / CLOCK_NS_PER_MS == 5000, "it is cut");

static uint64_t
clock_read_ns(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return (uint64_t)now.tv_sec * CLOCK_NS_PER_S + (uint64_t)now.tv_nsec;
}

uint64_t
clock_now_ns(void)
{
	return clock_read_ns(CLOCK_MONOTONIC);
}

uint64_t
clock_wall_ns(void)
{
	return clock_read_ns(CLOCK_REALTIME);
}

void
clock_wall_iso(char buf[CLOCK_ISO_SIZE])
{
	uint64_t now_ns = clock_wall_ns();
	time_t seconds = (time_t)(now_ns / CLOCK_NS_PER_S);
	unsigned ms = (unsigned)(now_ns % CLOCK_NS_PER_S / CLOCK_NS_PER_MS);
	struct tm tm;
	size_t len;

	if (!gmtime_r(&seconds, &tm))
		tm = (struct tm){ .tm_mday = 1 };
	len = strftime(buf, CLOCK_ISO_SIZE, "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(buf + len, CLOCK_ISO_SIZE - len, ".%03uZ", ms);
}

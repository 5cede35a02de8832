/*
 * value_profile: see value_profile.h.
 *
 * A counter has eight levels, one per bit, and keeps the highest that an
 * execution reached. A comparison has several counters for eight successive
 * levels each. Their places follow from its address alone, so that they mean
 * the same in all workers. Comparisons may share a counter; then they hide some
 * progress of each other.
 *
 * Numbers have two measures of distance, because targets compute with the
 * numbers that they read: the number of equal low bits, which survives
 * additions and multiplications, and the magnitude of the difference. (The
 * number of equal bits at any position gives more levels, but is not faster.)
 */

#include "target/hooks/value_profile.h"

#include "target/hooks/compare.h"
#include "target/hooks/counters.h"

#define VALUE_PROFILE_LEVELS 8u /* of one counter */

/* Untouched pages take no memory. No other variable is on these pages. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct profile {
	uint8_t counters[VALUE_PROFILE_COUNTERS];
	/* Few counters are in use: see counters.h. */
	uint64_t touched[VALUE_PROFILE_COUNTERS / COUNTERS_BLOCK / 64];
} __attribute__((aligned(COUNTERS_PAGE))) profile;

/* The first counter of each measure. */
enum value_profile_row {
	VALUE_PROFILE_LOW_BITS = 0,
	VALUE_PROFILE_DISTANCE = 16,
	VALUE_PROFILE_PREFIX = 32,
};

static struct counter_region *
value_profile_region(void)
{
	struct counters *counters = counters_get();

	for (uint32_t i = 0; i < counters->n; i++) {
		if (counters->regions[i].start == profile.counters)
			return &counters->regions[i];
	}
	return NULL;
}

void
value_profile_init(void)
{
	struct counter_region *region;

	if (value_profile_region() != NULL)
		return;
	counters_add(COUNTERS_COMPARE, profile.counters,
		sizeof(profile.counters), profile.counters);
	region = value_profile_region();
	if (region != NULL) {
		region->quiet = true;
		region->touched = profile.touched;
	}
}

void *
value_profile_memory(size_t *len)
{
	*len = sizeof(profile);
	return &profile;
}

bool
value_profile_set(bool on)
{
	struct counter_region *region = value_profile_region();

	if (region == NULL)
		return false;
	if (region->quiet && on)
		__builtin_memset(profile.counters, 0, sizeof(profile.counters));
	region->quiet = !on;
	return true;
}

static void
value_profile_touch(uint32_t site, enum value_profile_row row, uint32_t level)
{
	uint64_t hash = (site * 128ull + row + level / VALUE_PROFILE_LEVELS) *
		0x9e3779b97f4a7c15u;
	uint32_t at = (hash >> 32) % VALUE_PROFILE_COUNTERS;
	uint32_t block = at / COUNTERS_BLOCK;
	uint8_t *counter = &profile.counters[at];
	uint8_t value = (uint8_t)(1u << level % VALUE_PROFILE_LEVELS);

	profile.touched[block / 64] |= 1ull << block % 64;
	if (*counter < value)
		*counter = value;
}

void
value_profile_number(uint32_t site, uint64_t a, uint64_t b, unsigned width)
{
	uint64_t low = a ^ b, far = a > b ? a - b : b - a;

	if (width < 2 || compare_is_address(a, b))
		return;
	if (low == 0) {
		value_profile_touch(site, VALUE_PROFILE_LOW_BITS, 64);
		return;
	}
	value_profile_touch(site, VALUE_PROFILE_LOW_BITS,
		(uint32_t)__builtin_ctzll(low));
	value_profile_touch(site, VALUE_PROFILE_DISTANCE,
		(uint32_t)__builtin_clzll(far));
}

/*
 * The level is the number of equal leading bits, from the lowest bit of a byte.
 */
void
value_profile_bytes(uint32_t site, const struct compare_pair *pair)
{
	uint32_t n = pair->len[0] < pair->len[1] ? pair->len[0] : pair->len[1];
	uint32_t i = 0, level;

	while (i < n && pair->bytes[0][i] == pair->bytes[1][i])
		i++;
	level = 8 * i;
	if (i < n)
		level += (uint32_t)__builtin_ctz(
			pair->bytes[0][i] ^ pair->bytes[1][i]);
	value_profile_touch(site, VALUE_PROFILE_PREFIX, level);
}

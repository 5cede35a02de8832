/*
 * counters: registers edge counters, see counters.h.
 *
 * The hooks may run in the program's constructors before the runtime's, and
 * twice for the same range.
 */

#include "target/hooks/counters.h"

#include "shared/fnv.h"
#include "target/abi.h"
#include "target/hooks/modules.h"

#define COUNTERS_GUARDS_MAX (1u << 22)

/* One per process, filled by hooks that the compiler calls. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct counters counters;
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static counters_added_fn *counters_on_added;
/* Counters of trace-pc-guard; untouched pages take no memory. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static uint8_t counters_guards[COUNTERS_GUARDS_MAX];

/* clang-format off */
ABI_EXPORT void __sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *stop);
ABI_EXPORT void __sanitizer_cov_bool_flag_init(uint8_t *start, uint8_t *stop);
ABI_EXPORT void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *stop);
ABI_EXPORT void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop);
ABI_EXPORT void __sanitizer_cov_trace_pc_guard(uint32_t *guard);
/* clang-format on */

struct counters *
counters_get(void)
{
	return &counters;
}

static void
counters_set_key(struct counter_region *region)
{
	uint64_t key;

	if (region->kind == COUNTERS_COMPARE) {
		region->key = MEMORY_VALUE_PROFILE_KEY;
		return;
	}
	key = modules_hash(region->code);
	if (key == 0) {
		region->key = MEMORY_NO_MODULE_KEY;
		return;
	}
	key = fnv_add(key, &region->n, sizeof(region->n));
	key = fnv_add(key, &region->kind, sizeof(region->kind));
	region->key = key != 0 ? key : 1;
}

void
counters_watch(counters_added_fn *on_added)
{
	counters_on_added = on_added;
}

static struct counter_region *
counters_put(const struct counter_region *region)
{
	for (uint32_t i = 0; i < counters.n; i++) {
		if (counters.regions[i].start == region->start)
			return NULL;
	}
	if (counters.n == COUNTERS_REGIONS_MAX)
		return NULL;
	counters.regions[counters.n] = *region;
	return &counters.regions[counters.n++];
}

void
counters_add_region(const struct counter_region *region)
{
	(void)counters_put(region);
}

void
counters_add(enum counters_kind kind, uint8_t *start, size_t n,
	const void *code)
{
	struct counter_region region = { .start = start,
		.code = code,
		.n = (uint32_t)n,
		.kind = kind };
	struct counter_region *added = n > 0 && n <= MEMORY_COUNTERS_MAX
		? counters_put(&region)
		: NULL;

	if (added == NULL)
		return;
	/* Other counters are the program's, or in memory of the runtime. */
	if (kind <= COUNTERS_GUARD)
		(void)modules_keep(code);
	modules_pin(code);
	if (counters_on_added == NULL)
		return;
	counters_set_key(added);
	counters_on_added(added);
}

void
__sanitizer_cov_8bit_counters_init(uint8_t *start, uint8_t *stop)
{
	if (start < stop)
		counters_add(COUNTERS_INLINE, start, (size_t)(stop - start),
			start);
}

/* Flags are counters that stop at 1. */
void
__sanitizer_cov_bool_flag_init(uint8_t *start, uint8_t *stop)
{
	__sanitizer_cov_8bit_counters_init(start, stop);
}

/* A PC table is registered after the counters that it describes. */
void
__sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *stop)
{
	struct counter_region *found = NULL;
	size_t n = start < stop ? (size_t)(stop - start) / 2 : 0;

	for (uint32_t i = 0; i < counters.n; i++) {
		struct counter_region *region = &counters.regions[i];

		if (region->table == start)
			return; /* registered before */
		if (region->table == NULL && region->n == n &&
			region->kind <= COUNTERS_GUARD)
			found = region;
	}
	if (found == NULL)
		return;
	found->table = start;
	if (counters_on_added != NULL)
		counters_on_added(found);
}

void
__sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop)
{
	uint32_t first = counters.guards + 1, n = 0;

	if (start >= stop || *start != 0)
		return;
	/* Counter 0 is for guards without a number. */
	for (uint32_t *guard = start; guard < stop; guard++) {
		if (counters.guards + 1 == COUNTERS_GUARDS_MAX)
			break;
		*guard = ++counters.guards;
		n++;
	}
	counters_add(COUNTERS_GUARD, counters_guards + first, n, start);
}

void
__sanitizer_cov_trace_pc_guard(uint32_t *guard)
{
	uint8_t *counter = &counters_guards[*guard];

	*counter = (uint8_t)(*counter + (*counter != UINT8_MAX));
}

const char *
counters_instrumentation(void)
{
	static const char *const NAMES[COUNTERS_KIND_COUNT] = {
		[COUNTERS_INLINE] = "inline-8bit-counters",
		[COUNTERS_GUARD] = "trace-pc-guard",
		[COUNTERS_TRACE] = "trace-pc",
		[COUNTERS_EXTRA] = "extra-counters",
		[COUNTERS_BREAKPOINT] = "breakpoints",
	};

	for (unsigned kind = 0; kind < COUNTERS_KIND_COUNT; kind++) {
		if (NAMES[kind] == NULL)
			continue;
		for (uint32_t i = 0; i < counters.n; i++) {
			if (counters.regions[i].kind == kind)
				return NAMES[kind];
		}
	}
	return "";
}

uint32_t
counters_list(struct counter_module *modules, uint32_t max)
{
	uint32_t n = counters.n < max ? counters.n : max;

	for (uint32_t i = 0; i < n; i++) {
		struct counter_region *region = &counters.regions[i];

		if (region->key == 0)
			counters_set_key(region);
		region->reported = true;
		modules[i] = (struct counter_module){ .key = region->key,
			.n = region->n,
			.base = UINT32_MAX };
	}
	return n;
}

const struct counter_region *
counters_region(uint64_t key, uint32_t n)
{
	for (uint32_t i = 0; i < counters.n; i++) {
		struct counter_region *region = &counters.regions[i];

		if (region->key == 0)
			counters_set_key(region);
		if (region->key == key && region->n == n)
			return region;
	}
	return NULL;
}

static const struct counter_module *
counters_find(const struct campaign_head *campaign,
	const struct counter_region *region)
{
	uint32_t n = __atomic_load_n(&campaign->modules_n, __ATOMIC_ACQUIRE);

	for (uint32_t i = 0; i < n && i < MEMORY_MODULES_MAX; i++) {
		const struct counter_module *module = &campaign->modules[i];

		if (module->key == region->key && module->n == region->n)
			return module;
	}
	return NULL;
}

uint32_t
counters_assign(const struct campaign_head *campaign,
	struct counter_module *late, uint32_t max)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < counters.n; i++) {
		struct counter_region *region = &counters.regions[i];
		const struct counter_module *module;

		region->listed = false;
		if (region->assigned)
			continue;
		if (region->key == 0)
			counters_set_key(region);
		module = counters_find(campaign, region);
		if (module != NULL &&
			module->base <= MEMORY_COUNTERS_MAX - region->n) {
			region->base = module->base;
			region->assigned = true;
		} else if (module == NULL && !region->reported && n < max) {
			region->listed = true;
			late[n++] = (struct counter_module){ .key = region->key,
				.n = region->n,
				.base = UINT32_MAX };
		}
	}
	return n;
}

void
counters_report(void)
{
	for (uint32_t i = 0; i < counters.n; i++)
		if (counters.regions[i].listed)
			counters.regions[i].reported = true;
}

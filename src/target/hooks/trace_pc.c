/* trace_pc: see trace_pc.h. */

#include "target/hooks/trace_pc.h"

#include <string.h>

#include "shared/pages.h"
#include "target/abi.h"
#include "target/hooks/call_sites.h"
#include "target/hooks/counters.h"

#define TRACE_TEXTS_MAX 32
/* Counters shared, by address, by calls that the search has missed. */
#define TRACE_OVERFLOW 64u
#define TRACE_STRANGE 256u
#define TRACE_PAGE 12

ABI_EXPORT void __sanitizer_cov_trace_pc(void);

static void trace_look_from(uintptr_t pc);

/* The text of one module: maps return addresses to counters. */
struct trace_text {
	uintptr_t start;
	size_t len;
	uint32_t *slots; /* by (address - start) / 4; 0: none */
	uint8_t *counters;
};

/* Global, because the compiler's calls take no context. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct trace {
	uint32_t n;
	struct trace_text texts[TRACE_TEXTS_MAX];
	bool ready; /* the modules have been searched */
	/* Pages with calls outside of every known text. */
	uintptr_t strange[TRACE_STRANGE];
	unsigned long long loads; /* of modules, at the last search */
} trace;

void
__sanitizer_cov_trace_pc(void)
{
	uintptr_t pc = (uintptr_t)__builtin_return_address(0);

	for (uint32_t i = 0; i < trace.n; i++) {
		const struct trace_text *text = &trace.texts[i];
		uint8_t *counter;
		uint32_t slot;

		if (pc - text->start >= text->len)
			continue;
		slot = text->slots[(pc - text->start) >> 2];
		if (slot == 0)
			slot = (uint32_t)(pc >> 2) % TRACE_OVERFLOW;
		counter = &text->counters[slot];
		*counter = (uint8_t)(*counter + (*counter != UINT8_MAX));
		return;
	}
	if (__builtin_expect(trace.ready, 1))
		trace_look_from(pc);
}

/* Numbers the calls of a text in the order of their addresses. */
static void
trace_number(const struct call_sites *sites, struct trace_text *text)
{
	uint32_t slot = TRACE_OVERFLOW;

	for (uint32_t i = 0; i < sites->n; i++)
		text->slots[(sites->returns[i] - text->start) >> 2] = slot++;
}

static bool
trace_is_known(uintptr_t start)
{
	for (uint32_t i = 0; i < trace.n; i++) {
		if (trace.texts[i].start == start)
			return true;
	}
	return false;
}

static void
trace_on_sites(const struct call_sites *sites)
{
	struct trace_text *text = &trace.texts[trace.n];
	size_t slots = (sites->len / 4 + 1) * sizeof(*text->slots);
	uint32_t n = TRACE_OVERFLOW + sites->n;

	if (trace.n == TRACE_TEXTS_MAX || trace_is_known(sites->start))
		return;
	text->start = sites->start;
	text->len = sites->len;
	text->slots = pages_map(slots);
	text->counters = pages_map(n);
	if (text->slots == NULL || text->counters == NULL)
		return;
	trace_number(sites, text);
	counters_add(COUNTERS_TRACE, text->counters, n,
		(const void *)sites->start);
	/* The hook uses it from now on. */
	__atomic_store_n(&trace.n, trace.n + 1, __ATOMIC_RELEASE);
}

/* Numbers the calls of modules loaded since the last search. */
static void
trace_look(void)
{
	unsigned long long loads = call_sites_loads();

	if (loads == trace.loads)
		return;
	trace.loads = loads;
	call_sites_find("__sanitizer_cov_trace_pc",
		(uintptr_t)__sanitizer_cov_trace_pc, trace_on_sites);
}

/* Searches at once, because the target may unload the module again. */
static void
trace_look_from(uintptr_t pc)
{
	uintptr_t page = pc >> TRACE_PAGE;
	uintptr_t *known = &trace.strange[page % TRACE_STRANGE];

	if (*known == page)
		return;
	*known = page;
	trace.ready = false; /* functions called here may call the hook */
	trace_look();
	trace.ready = true;
}

void
trace_pc_init(void)
{
	trace_look();
	trace.ready = true;
}

/*
 * A return address is known to four bytes. The byte before these four belongs
 * to the call, because a call has at least four bytes.
 */
void
trace_pc_addresses(const uint8_t *counters, uint32_t first, uint32_t n,
	uint64_t *addresses)
{
	const struct trace_text *text = NULL;

	memset(addresses, 0, n * sizeof(*addresses));
	for (uint32_t i = 0; i < trace.n; i++) {
		if (trace.texts[i].counters == counters)
			text = &trace.texts[i];
	}
	for (size_t i = 0; text != NULL && i <= text->len / 4; i++) {
		uint32_t slot = text->slots[i];

		if (slot >= TRACE_OVERFLOW && slot >= first && slot - first < n)
			addresses[slot - first] = text->start + 4 * i - 1;
	}
}

/* trace_pc: the hook and its tables, see trace_pc.h. */

#include "target/trace_pc.h"

#include <string.h>
#include <sys/mman.h>

#include "target/abi.h"
#include "target/call_sites.h"
#include "target/counters.h"

#define TRACE_TEXTS_MAX 32
/* Calls that the search has missed share these, by their address. */
#define TRACE_OVERFLOW 64u

ABI_EXPORT void __sanitizer_cov_trace_pc(void);

/* The text of one module: from return address to counter. */
struct trace_text {
	uintptr_t start;
	size_t len;
	uint32_t *slots; /* by (address - start) / 4; 0: none */
	uint8_t *counters;
};

/* The compiler's calls bring no handle. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct trace {
	uint32_t n;
	struct trace_text texts[TRACE_TEXTS_MAX];
	bool unknown;             /* a call came from no known text */
	unsigned long long loads; /* of modules, when we last looked */
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
	trace.unknown = true;
}

static void *
trace_map(size_t size)
{
	void *map = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return map == MAP_FAILED ? NULL : map;
}

/* Numbers the sites of one text in the order of their addresses. */
static void
trace_number(const struct call_sites *sites, void *arg)
{
	struct trace_text *text = arg;
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
trace_on_sites(const struct call_sites *sites, void *arg)
{
	struct trace_text *text = &trace.texts[trace.n];
	bool *added = arg;
	size_t slots = (sites->len / 4 + 1) * sizeof(*text->slots);
	uint32_t n = TRACE_OVERFLOW + sites->n;

	if (trace.n == TRACE_TEXTS_MAX || trace_is_known(sites->start))
		return;
	text->start = sites->start;
	text->len = sites->len;
	text->slots = trace_map(slots);
	text->counters = trace_map(n);
	if (text->slots == NULL || text->counters == NULL)
		return;
	trace_number(sites, text);
	counters_add(COUNTERS_TRACE, text->counters, n,
		(const void *)sites->start);
	/* The hook looks at it from now on. */
	__atomic_store_n(&trace.n, trace.n + 1, __ATOMIC_RELEASE);
	*added = true;
}

static bool
trace_look(void)
{
	unsigned long long loads = call_sites_loads();
	bool added = false;

	if (loads != trace.loads) {
		trace.loads = loads;
		call_sites_find("__sanitizer_cov_trace_pc",
			(uintptr_t)__sanitizer_cov_trace_pc, trace_on_sites,
			&added);
	}
	return added;
}

void
trace_pc_init(void)
{
	(void)trace_look();
	trace.unknown = false;
}

bool
trace_pc_update(void)
{
	if (!trace.unknown)
		return false;
	trace.unknown = false;
	return trace_look();
}

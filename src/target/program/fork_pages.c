/* fork_pages: see fork_pages.h. */

#include "target/program/fork_pages.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shared/pages.h"
#include "target/hooks/counters.h"
#include "target/hooks/plain.h"

/* Pages with counters and variables; what has more shares the variables. */
#define FORK_PAGES_MAX (2u * COUNTERS_REGIONS_MAX)
#define FORK_SLOTS 1024u /* pages for all that a run forks */

struct fork_page {
	uint8_t *start, *home;
};

/* Processes that a run forks write it, so the child trusts nothing in it. */
struct fork_shared {
	uint32_t used;
	const uint8_t *homes[FORK_SLOTS]; /* of the slots in use; NULL: none */
};

struct fork_pages {
	struct fork_shared *shared;
	uint8_t *slots; /* FORK_SLOTS pages, shared */
	uint8_t *copy;  /* of the pages, before a fork; NULL: none */
	bool *has_runs; /* of the caller of fork_pages_open() */
	size_t page;    /* bytes */
	uint32_t n;
	struct fork_page pages[FORK_PAGES_MAX];
};

/* Global, because fork handlers take no context. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct fork_pages *fork_pages;

/* The counters of a region on a page: their place in it. False: none. */
static bool
fork_find_part(const struct counter_region *region, const uint8_t *page,
	size_t *at, size_t *n)
{
	uintptr_t from = (uintptr_t)region->start, first = (uintptr_t)page;
	uintptr_t end = from + region->n, last = first + fork_pages->page;

	if (region->kind == COUNTERS_COMPARE ||
		region->kind == COUNTERS_BREAKPOINT)
		return false;
	if (from < first)
		from = first;
	if (end > last)
		end = last;
	if (from >= end)
		return false;
	*at = from - first;
	*n = end - from;
	return true;
}

/* ---- in what a run forks ------------------------------------------------ */

/* False: all are in use. */
static bool
fork_take_slot(const struct fork_pages *f, uint32_t *slot)
{
	if (__atomic_load_n(&f->shared->used, __ATOMIC_RELAXED) >= FORK_SLOTS)
		return false;
	*slot = __atomic_fetch_add(&f->shared->used, 1, __ATOMIC_RELAXED);
	return *slot < FORK_SLOTS;
}

/* Its counters begin at zero: they are added to the others. */
static void
fork_fill_slot(const struct fork_pages *f, uint32_t i, uint32_t slot)
{
	const struct counters *counters = counters_get();
	uint8_t *to = f->slots + slot * f->page;
	size_t at, n;

	plain_copy(to, f->copy + i * f->page, f->page);
	for (uint32_t k = 0; k < counters->n; k++) {
		if (fork_find_part(&counters->regions[k], f->pages[i].start,
			    &at, &n))
			memset(to + at, 0, n);
	}
	__atomic_store_n(&f->shared->homes[slot], f->pages[i].home,
		__ATOMIC_RELEASE);
}

/* Moves a page over the shared one: no variable is missing meanwhile. */
static void
fork_replace(const struct fork_pages *f, uint32_t i)
{
	uint8_t *from = f->copy + i * f->page;
	size_t len = f->page;
	uint32_t slot;

	if (fork_take_slot(f, &slot)) {
		fork_fill_slot(f, i, slot);
		from = f->slots + slot * f->page;
		len = 0; /* it stays in its place as well */
	}
	(void)mremap(from, len, f->page, MREMAP_MAYMOVE | MREMAP_FIXED,
		f->pages[i].start);
}

/* The process goes on while the new one begins, so the new one needs a copy of
 * the variables from before. */
static void
fork_prepare(void)
{
	struct fork_pages *f = fork_pages;
	int errnum = errno;

	if (f->n == 0 || *f->has_runs)
		return;
	if (f->copy == NULL)
		f->copy = pages_map(FORK_PAGES_MAX * f->page);
	for (uint32_t i = 0; i < f->n && f->copy != NULL; i++)
		plain_copy(f->copy + i * f->page, f->pages[i].start, f->page);
	errno = errnum;
}

static void
fork_on_child(void)
{
	struct fork_pages *f = fork_pages;
	uint8_t *copy = f->copy;
	int errnum = errno;

	if (copy == NULL)
		return;
	for (uint32_t i = 0; i < f->n; i++)
		fork_replace(f, i);
	/* Some of its pages may be gone. */
	(void)munmap(copy, FORK_PAGES_MAX * f->page);
	f->copy = NULL;
	errno = errnum;
}

/* ---- in the child -------------------------------------------------------- */

void
fork_pages_open(bool *has_runs)
{
	struct fork_pages *f = pages_map(sizeof(*f));
	size_t head;

	if (f == NULL)
		return;
	f->page = (size_t)sysconf(_SC_PAGESIZE);
	head = (sizeof(*f->shared) + f->page - 1) & ~(f->page - 1);
	/* Each mapping makes the forks of runs slower. */
	f->shared = pages_map_shared(head + FORK_SLOTS * f->page);
	if (f->shared == NULL)
		return;
	f->has_runs = has_runs;
	f->slots = (uint8_t *)f->shared + head;
	fork_pages = f;
	(void)pthread_atfork(fork_prepare, NULL, fork_on_child);
}

static void
fork_add_page(struct fork_pages *f, uintptr_t start, uintptr_t home)
{
	for (uint32_t i = 0; i < f->n; i++) {
		if ((uintptr_t)f->pages[i].start == start)
			return;
	}
	if (f->n < FORK_PAGES_MAX)
		f->pages[f->n++] =
			(struct fork_page){ (uint8_t *)start, (uint8_t *)home };
}

void
fork_pages_add(const uint8_t *start, const uint8_t *home, size_t len)
{
	struct fork_pages *f = fork_pages;
	uintptr_t first = (uintptr_t)start, end = first + len, mask;
	uintptr_t away = (uintptr_t)home - first;

	if (f == NULL || len == 0)
		return;
	mask = f->page - 1;
	if ((first & mask) != 0)
		fork_add_page(f, first & ~mask, (first & ~mask) + away);
	if ((end & mask) != 0)
		fork_add_page(f, end & ~mask, (end & ~mask) + away);
}

void
fork_pages_begin(void)
{
	struct fork_pages *f = fork_pages;

	if (f == NULL || f->shared->used == 0)
		return;
	memset(f->shared, 0, sizeof(*f->shared));
}

static void
fork_collect_slot(const struct fork_pages *f, uint32_t slot,
	const uint8_t *home)
{
	const struct counters *counters = counters_get();
	const uint8_t *from = f->slots + slot * f->page;
	size_t at, n;

	for (uint32_t i = 0; i < counters->n; i++) {
		const struct counter_region *region = &counters->regions[i];
		uint8_t *to = region->start;

		if (!fork_find_part(region, home, &at, &n))
			continue;
		to += (uintptr_t)home + at - (uintptr_t)region->start;
		for (size_t k = 0; k < n; k++) {
			unsigned sum = to[k] + from[at + k];

			to[k] = (uint8_t)(sum < UINT8_MAX ? sum : UINT8_MAX);
		}
	}
}

void
fork_pages_collect(void)
{
	const struct fork_pages *f = fork_pages;
	const uint8_t *home;

	if (f == NULL)
		return;
	for (uint32_t i = 0; i < f->shared->used && i < FORK_SLOTS; i++) {
		home = __atomic_load_n(&f->shared->homes[i], __ATOMIC_ACQUIRE);
		if (home != NULL && ((uintptr_t)home & (f->page - 1)) == 0)
			fork_collect_slot(f, i, home);
	}
}

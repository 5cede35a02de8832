/* shared_pages: see shared_pages.h. */

#include "target/program/shared_pages.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shared/pages.h"
#include "target/hooks/plain.h"

/* A run of pages, from the first range on it to the last. */
struct shared_span {
	uint8_t *start, *end;
	uint32_t first, n; /* its ranges */
};

static uintptr_t
shared_page_mask(void)
{
	return (uintptr_t)sysconf(_SC_PAGESIZE) - 1;
}

static void
shared_sort(struct shared_range *ranges, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		struct shared_range range = ranges[i];
		uint32_t at = i;

		for (; at > 0 && ranges[at - 1].start > range.start; at--)
			ranges[at] = ranges[at - 1];
		ranges[at] = range;
	}
}

/* The pages of the range and of those that follow without a page between. */
static void
shared_take_span(struct shared_span *span, const struct shared_range *ranges,
	uint32_t first, uint32_t n)
{
	uintptr_t mask = shared_page_mask(), end;

	span->start = (uint8_t *)((uintptr_t)ranges[first].start & ~mask);
	span->end = span->start;
	span->first = first;
	span->n = 0;
	for (uint32_t i = first; i < n; i++) {
		if (i > first &&
			((uintptr_t)ranges[i].start & ~mask) >
				(uintptr_t)span->end)
			return;
		end = (uintptr_t)ranges[i].start + ranges[i].len;
		end = (end + mask) & ~mask;
		if (end > (uintptr_t)span->end)
			span->end = (uint8_t *)end;
		span->n++;
	}
}

/* Moves a shared copy over the pages: no variable is missing meanwhile. */
static bool
shared_map(const struct shared_span *span)
{
	size_t len = (size_t)(span->end - span->start);
	void *map = pages_map_shared(len);
	uintptr_t page = shared_page_mask() + 1;
	static const uint8_t ZEROS[64];

	if (map == NULL)
		return false;
	/* A page of zeros stays without memory. */
	for (size_t at = 0; at < len; at += page) {
		const uint8_t *from = span->start + at;

		if (memcmp(from, ZEROS, sizeof(ZEROS)) != 0 ||
			memcmp(from, from + sizeof(ZEROS),
				page - sizeof(ZEROS)) != 0)
			plain_copy((uint8_t *)map + at, from, page);
	}
	if (mremap(map, len, len, MREMAP_MAYMOVE | MREMAP_FIXED, span->start) !=
		MAP_FAILED)
		return true;
	(void)munmap(map, len);
	return false;
}

static void
shared_add_gap(struct shared_pages *pages, uint8_t *start, const uint8_t *end)
{
	if (start < end)
		pages->gaps[pages->n++] = (struct shared_gap){ .start = start,
			.len = (size_t)(end - start) };
}

static void
shared_add_gaps(struct shared_pages *pages, const struct shared_span *span,
	const struct shared_range *ranges)
{
	uint8_t *at = span->start;

	for (uint32_t i = span->first; i < span->first + span->n; i++) {
		shared_add_gap(pages, at, ranges[i].start);
		at = ranges[i].start + ranges[i].len;
	}
	shared_add_gap(pages, at, span->end);
}

/* Finds room for the saved bytes. */
static bool
shared_take_room(struct shared_pages *pages)
{
	size_t len = 0;
	uint8_t *room;

	for (uint32_t i = 0; i < pages->n; i++)
		len += pages->gaps[i].len;
	if (len == 0)
		return true;
	room = pages_map(len);
	if (room == NULL)
		return false;
	/* The runs need no copy of it. */
	(void)madvise(room, len, MADV_DONTFORK);
	for (uint32_t i = 0; i < pages->n; i++) {
		pages->gaps[i].saved = room;
		room += pages->gaps[i].len;
	}
	return true;
}

bool
shared_pages_open(struct shared_pages *pages, struct shared_range *ranges,
	uint32_t n)
{
	struct shared_span span;

	pages->n = 0;
	shared_sort(ranges, n);
	for (uint32_t i = 0; i < n; i += span.n) {
		shared_take_span(&span, ranges, i, n);
		shared_add_gaps(pages, &span, ranges);
	}
	if (!shared_take_room(pages)) {
		pages->n = 0;
		return false;
	}
	for (uint32_t i = 0; i < n; i += span.n) {
		shared_take_span(&span, ranges, i, n);
		if (!shared_map(&span))
			return false;
	}
	return true;
}

void
shared_pages_save(const struct shared_pages *pages)
{
	for (uint32_t i = 0; i < pages->n; i++)
		plain_copy(pages->gaps[i].saved, pages->gaps[i].start,
			pages->gaps[i].len);
}

void
shared_pages_restore(const struct shared_pages *pages)
{
	for (uint32_t i = 0; i < pages->n; i++)
		plain_copy(pages->gaps[i].start, pages->gaps[i].saved,
			pages->gaps[i].len);
}

/* source_ranges: see source_ranges.h. */
#include "symbols/source_ranges.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "shared/search.h"

#define RANGES_HASH 4096u
#define RANGES_DEPTH 64 /* nesting of functions and blocks */

/* Adds an owner, in no hash chain. */
static uint32_t
ranges_add_owner(struct source_ranges *r, const Dwarf_Die *die,
	const Dwarf_Die *unit)
{
	r->owners = xgrow(r->owners, r->owners_n, 1, sizeof(*r->owners));
	r->owners[r->owners_n] = (struct source_owner){ .die = *die,
		.unit = *unit,
		.function = SOURCE_NONE,
		.next = SOURCE_NONE };
	return (uint32_t)r->owners_n++;
}

/* Finds or adds the owner of the code of this entry. */
static uint32_t
ranges_owner(struct source_ranges *r, Dwarf_Die *die)
{
	Dwarf_Die origin = *die;
	Dwarf_Attribute attr;
	uint32_t hash, i;

	if (r->dw->dwarf_attr(die, DW_AT_abstract_origin, &attr) != NULL &&
		r->dw->dwarf_formref_die(&attr, &origin) == NULL)
		origin = *die;
	hash = (uint32_t)((uintptr_t)origin.addr * 2654435761u) % RANGES_HASH;
	for (i = r->owners_of[hash]; i != SOURCE_NONE; i = r->owners[i].next)
		if (r->owners[i].die.addr == origin.addr)
			return i;
	i = ranges_add_owner(r, &origin, &r->unit);
	r->owners[i].next = r->owners_of[hash];
	r->owners_of[hash] = i;
	return i;
}

static void
ranges_add_range(struct source_ranges *r, const struct source_range *range)
{
	r->ranges = xgrow(r->ranges, r->ranges_n, 1, sizeof(*r->ranges));
	r->ranges[r->ranges_n++] = *range;
}

/* False: the entry has no code. */
static bool
ranges_add(struct source_ranges *r, Dwarf_Die *die)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;
	uint32_t owner = SOURCE_NONE;

	while ((at = r->dw->dwarf_ranges(die, at, &base, &start, &end)) > 0) {
		if (start >= end || start + r->bias == 0)
			continue; /* removed by the linker */
		if (owner == SOURCE_NONE)
			owner = ranges_owner(r, die);
		ranges_add_range(r,
			&(struct source_range){ .start = start + r->bias,
				.end = end + r->bias,
				.owner = owner,
				.whole = r->whole,
				.around = r->around });
	}
	return owner != SOURCE_NONE;
}

/* Sets the call site of the inlined function of the ranges from `first` on. */
static void
ranges_set_call(struct source_ranges *r, Dwarf_Die *die, size_t first)
{
	Dwarf_Attribute attr;
	Dwarf_Word file = 0, line = 0;

	if (r->dw->dwarf_formudata(r->dw->dwarf_attr(die, DW_AT_call_line,
					   &attr),
		    &line) != 0 ||
		r->dw->dwarf_formudata(r->dw->dwarf_attr(die, DW_AT_call_file,
					       &attr),
			&file) != 0 ||
		line > INT_MAX || file > INT_MAX)
		return;
	for (size_t i = first; i < r->ranges_n; i++) {
		r->ranges[i].call_line = (uint32_t)line;
		r->ranges[i].call_file = (uint32_t)file;
		r->ranges[i].unit = r->unit;
	}
}

/* Adds the functions that are inlined into it, at any depth. */
static void
ranges_add_inlined(struct source_ranges *r, Dwarf_Die *die, int depth)
{
	Dwarf_Die child;
	size_t first;
	int tag;

	if (depth == RANGES_DEPTH || r->dw->dwarf_child(die, &child) != 0)
		return;
	do {
		tag = r->dw->dwarf_tag(&child);
		first = r->ranges_n;
		if (tag == DW_TAG_inlined_subroutine && ranges_add(r, &child)) {
			ranges_set_call(r, &child, first);
			r->owners[r->ranges[first].owner].inlined = true;
		}
		if (tag == DW_TAG_inlined_subroutine ||
			tag == DW_TAG_lexical_block)
			ranges_add_inlined(r, &child, depth + 1);
	} while (r->dw->dwarf_siblingof(&child, &child) == 0);
}

/* Callback of dwarf_getfuncs(): adds the code of a function. */
static int
ranges_on_function(Dwarf_Die *die, void *arg)
{
	struct source_ranges *r = arg;
	Dwarf_Attribute attr;

	r->whole = r->wholes_n;
	r->around = r->dw->dwarf_attr(die, DW_AT_abstract_origin, &attr) != NULL
		? ranges_owner(r, die)
		: SOURCE_NONE;
	if (ranges_add(r, die)) {
		r->wholes_n++;
		ranges_add_inlined(r, die, 0);
	}
	return DWARF_CB_OK;
}

/* Notes the code of the unit. */
static void
ranges_add_unit(struct source_ranges *r)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while ((at = r->dw->dwarf_ranges(&r->unit, at, &base, &start, &end)) >
		0) {
		if (start >= end || start + r->bias == 0)
			continue; /* removed by the linker */
		r->units = xgrow(r->units, r->units_n, 1, sizeof(*r->units));
		r->units[r->units_n++] =
			(struct source_unit){ .start = start + r->bias,
				.end = end + r->bias,
				.unit = r->unit };
	}
}

static int
ranges_compare_units(const void *a, const void *b)
{
	const struct source_unit *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static int
ranges_compare(const void *a, const void *b)
{
	const struct source_range *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	/* The outer range comes first. */
	return x->end > y->end ? -1 : x->end < y->end;
}

static void
ranges_sort(struct source_ranges *r)
{
	uint32_t around = SOURCE_NONE;

	if (r->ranges_n > 0)
		qsort(r->ranges, r->ranges_n, sizeof(*r->ranges),
			ranges_compare);
	for (size_t i = 0; i < r->ranges_n; i++) {
		while (around != SOURCE_NONE &&
			r->ranges[around].end <= r->ranges[i].start)
			around = r->ranges[around].parent;
		r->ranges[i].parent = around;
		around = (uint32_t)i;
	}
}

/* Among the first n ranges, the innermost one at the end of this code; NULL: none
 * overlaps it. */
static const struct source_range *
ranges_overlap(const struct source_ranges *r, size_t n, uint64_t start,
	uint64_t end)
{
	uint32_t i, at;

	SEARCH_FIRST(i, n, r->ranges[i].start < end);
	at = i > 0 ? i - 1 : SOURCE_NONE;
	while (at != SOURCE_NONE && start >= r->ranges[at].end)
		at = r->ranges[at].parent;
	return at != SOURCE_NONE ? &r->ranges[at] : NULL;
}

/* The unit that contains this code; NULL: none. */
static const struct source_unit *
ranges_find_unit(const struct source_ranges *r, uint64_t start, uint64_t end)
{
	size_t i;

	SEARCH_FIRST(i, r->units_n, r->units[i].start <= start);
	return i > 0 && end <= r->units[i - 1].end ? &r->units[i - 1] : NULL;
}

/*
 * clang's -gline-tables-only describes a function only if another one is inlined
 * into it. The symbol table has the others.
 */
static void
ranges_add_symbols(struct source_ranges *r,
	const struct source_symbols *symbols)
{
	const size_t described = r->ranges_n;
	uint64_t behind = 0;

	for (size_t i = 0; i < symbols->n; i++) {
		const uint64_t start = symbols->symbols[i].start;
		const uint64_t end = symbols->symbols[i].end;
		const struct source_unit *unit =
			ranges_find_unit(r, start, end);

		/* The outermost of nested symbols comes first. */
		if (start == end || start < behind || unit == NULL ||
			ranges_overlap(r, described, start, end) != NULL)
			continue;
		behind = end;
		ranges_add_range(r,
			&(struct source_range){ .start = start,
				.end = end,
				.owner = ranges_add_owner(r, &(Dwarf_Die){ 0 },
					&unit->unit),
				.whole = r->wholes_n++,
				.around = SOURCE_NONE });
	}
}

void
source_ranges_make(struct source_ranges *r, const struct debug_file *file,
	const struct source_symbols *symbols)
{
	Dwarf_Die *unit = NULL, code;

	r->dw = file->dw;
	r->owners_of = xmalloc(RANGES_HASH * sizeof(*r->owners_of));
	memset(r->owners_of, 0xff, RANGES_HASH * sizeof(*r->owners_of));

	while ((unit = r->dw->dwfl_module_nextcu(file->module, unit,
			&r->bias)) != NULL) {
		r->unit = *unit;
		ranges_add_unit(r);
		debug_file_find_code(r->dw, unit, &code);
		(void)r->dw->dwarf_getfuncs(&code, ranges_on_function, r, 0);
	}
	if (r->units_n > 0)
		qsort(r->units, r->units_n, sizeof(*r->units),
			ranges_compare_units);
	ranges_sort(r);
	ranges_add_symbols(r, symbols);
	ranges_sort(r);
}

const struct source_range *
source_ranges_find(const struct source_ranges *r, uint64_t address)
{
	return ranges_overlap(r, r->ranges_n, address, address + 1);
}

void
source_ranges_clear(struct source_ranges *r)
{
	free(r->owners);
	free(r->ranges);
	free(r->units);
	free(r->owners_of);
	memset(r, 0, sizeof(*r));
}

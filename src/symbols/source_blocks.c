/* source_blocks: see source_blocks.h. */
#include "symbols/source_blocks.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fd.h"
#include "base/xmalloc.h"
#include "shared/search.h"
#include "symbols/callee.h"
#include "symbols/code.h"
#include "symbols/flow.h"
#include "symbols/relocations.h"

#define BLOCKS_NAMED_MAX 4096u

struct blocks_named {
	uint64_t address;
	unsigned way;
};

/* A range of a function. */
struct blocks_part {
	struct flow_range range;
	uint32_t whole;
};

struct blocks {
	struct source_blocks *out;
	struct source_table *table;
	const struct source_blocks_input *input;
	struct code code;
	struct relocations relocations;
	struct blocks_named named[BLOCKS_NAMED_MAX];
	size_t named_n;
	bool leaps, throws;
	bool harness; /* a function to fuzz: exit() in it is a failure */
	struct blocks_part *parts; /* by function, then in order */
	size_t parts_n;
	struct source_point *points; /* by function, then in order */
};

/* ---- names ---- */

/* Notes that a function with these properties is called. */
static unsigned
blocks_note(struct blocks *b, unsigned way)
{
	b->leaps |= (way & CALLEE_LEAPS) != 0 ||
		((way & CALLEE_EXITS) != 0 && !b->harness);
	b->throws |= (way & CALLEE_THROWS) == CALLEE_THROWS;
	return way;
}

/*
 * A weak name of something elsewhere is the runtime's: what calls it needs it. The
 * runtime needs exit() in any case.
 */
static void
blocks_take_symbol(struct blocks *b, const char *name, const GElf_Sym *symbol)
{
	unsigned way = callee_way(name);

	if (symbol->st_shndx != SHN_UNDEF &&
		(strcmp(name, "LLVMFuzzerTestOneInput") == 0 ||
			strcmp(name, "cfuzz_target") == 0))
		b->harness = true;
	if (way == 0)
		return;
	if (symbol->st_shndx != SHN_UNDEF && b->named_n < BLOCKS_NAMED_MAX)
		b->named[b->named_n++] =
			(struct blocks_named){ symbol->st_value, way };
	else if (GELF_ST_BIND(symbol->st_info) != STB_WEAK &&
		(way & CALLEE_EXITS) == 0)
		(void)blocks_note(b, way);
}

static int
blocks_compare_named(const void *a, const void *b)
{
	const struct blocks_named *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

static void
blocks_list_names(struct blocks *b)
{
	const struct libdw *dw = b->input->file->dw;
	Dwfl_Module *module = b->input->file->module;
	int n = dw->dwfl_module_getsymtab(module);
	GElf_Sym symbol;
	const char *name;

	for (int i = 1; i < n; i++) {
		name = dw->dwfl_module_getsym(module, i, &symbol, NULL);
		if (name != NULL)
			blocks_take_symbol(b, name, &symbol);
	}
	qsort(b->named, b->named_n, sizeof(b->named[0]), blocks_compare_named);
}

/*
 * struct flow_input's callee. A module with a sanitizer contains longjmp() in
 * any case, so that it only counts when it is called.
 */
static unsigned
blocks_callee(void *arg, uint64_t address)
{
	const struct blocks_named key = { address, 0 };
	struct blocks *b = arg;
	const struct blocks_named *found;

	found = bsearch(&key, b->named, b->named_n, sizeof(key),
		blocks_compare_named);
	return blocks_note(b,
		found != NULL
			? found->way
			: relocations_way(&b->relocations, &b->code, address));
}

/* ---- the table ---- */

static void
blocks_add_stretch(struct blocks *b, const struct source_stretch *stretch)
{
	struct source_blocks *out = b->out;

	out->stretches =
		xgrow(out->stretches, out->n, 1, sizeof(*out->stretches));
	out->stretches[out->n++] = *stretch;
}

static struct source_set
blocks_add_members(struct blocks *b, const uint32_t *counters, uint32_t n)
{
	struct source_table *t = b->table;
	struct source_set set = { t->members_n, n };

	if (n > SOURCE_MEMBERS_MAX - t->members_n) {
		t->end.cut = 1;
		return (struct source_set){ 0 };
	}
	t->members = xgrow(t->members, t->members_n, n, sizeof(*t->members));
	if (n > 0)
		memcpy(t->members + t->members_n, counters,
			n * sizeof(*counters));
	t->members_n += n;
	return set;
}

static void
blocks_add_calls(struct blocks *b, const struct flow *flow)
{
	struct source_blocks *out = b->out;

	out->calls = xgrow(out->calls, out->calls_n, flow->calls_n,
		sizeof(*out->calls));
	if (flow->calls_n > 0)
		memcpy(out->calls + out->calls_n, flow->calls,
			flow->calls_n * sizeof(*flow->calls));
	out->calls_n += flow->calls_n;
}

/* Adds a block and returns its number for rows. */
static uint32_t
blocks_add_block(struct blocks *b, const struct source_block *block)
{
	struct source_table *t = b->table;

	if (block->hit.n + block->before.n + block->after.n == 0)
		return SOURCE_NONE;
	if (t->blocks_n == SOURCE_BLOCKS_MAX) {
		t->end.cut = 1;
		return SOURCE_NONE;
	}
	t->blocks = xgrow(t->blocks, t->blocks_n, 1, sizeof(*t->blocks));
	t->blocks[t->blocks_n] = *block;
	return t->locations_n + t->blocks_n++;
}

/* ---- one function ---- */

/* Compilers for arm64 join what increments several counters. The block was executed
 * if one of them was hit, and only then, unless the set has no room for all. */
static struct source_set
blocks_own_counters(struct blocks *b, const struct flow_block *from,
	const struct flow_point *points)
{
	uint32_t counters[SOURCE_SET_MAX], n = 0;

	for (; n < from->points_n && n < SOURCE_SET_MAX; n++)
		counters[n] = points[from->point + n].counter;
	return blocks_add_members(b, counters, n);
}

static uint32_t
blocks_counter(struct blocks *b, const struct flow *flow,
	const struct flow_block *from, const struct flow_point *points)
{
	const struct source_location *first =
		&b->table->locations[points[0].counter];
	struct source_block block = { .function = first->function,
		.copy = first->copy };

	if (from->points_n == 1)
		return points[from->point].counter;
	if (from->points_n > 1) {
		block.hit = blocks_own_counters(b, from, points);
		/* Counters that were left out may have been hit. */
		if (from->points_n <= SOURCE_SET_MAX)
			block.before = block.hit;
		return blocks_add_block(b, &block);
	}
	block.hit = blocks_add_members(b, flow->members + from->hit.first,
		from->hit.n);
	block.before = blocks_add_members(b, flow->members + from->before.first,
		from->before.n);
	block.after = blocks_add_members(b, flow->members + from->after.first,
		from->after.n);
	return blocks_add_block(b, &block);
}

static void
blocks_take_flow(struct blocks *b, const struct flow *flow,
	const struct flow_point *points)
{
	for (uint32_t i = 0; i < flow->blocks_n; i++) {
		const struct flow_block *block = &flow->blocks[i];
		struct source_stretch stretch = { .start = block->start,
			.end = block->end,
			.code = block->code,
			.code_end = block->code_end,
			.counter = SOURCE_NONE,
			.check = block->check };

		if (!block->check)
			stretch.counter =
				blocks_counter(b, flow, block, points);
		for (uint32_t k = 0; block->check && k < block->points_n; k++)
			b->table->locations[points[block->point + k].counter]
				.check = 1;
		blocks_add_stretch(b, &stretch);
	}
	blocks_add_calls(b, flow);
}

/*
 * The blocks are unknown. If the entry was not hit, no line of the function
 * ran. Otherwise only the line of a counter that was hit is known to run.
 */
static void
blocks_take_blind(struct blocks *b, const struct flow_input *input)
{
	const struct source_location *first =
		&b->table->locations[input->points[0].counter];
	const struct flow_point *entry = NULL;
	struct source_block block = { 0 };
	struct source_stretch rest = { 0 };

	for (size_t i = 0; i < input->points_n && entry == NULL; i++)
		if (input->points[i].entry)
			entry = &input->points[i];
	block.function = first->function;
	block.copy = first->copy;
	if (entry != NULL)
		block.before = blocks_add_members(b, &entry->counter, 1);
	rest.counter = blocks_add_block(b, &block);
	for (size_t i = 0; i < input->ranges_n; i++) {
		rest.start = rest.code = input->ranges[i].start;
		rest.end = rest.code_end = input->ranges[i].end;
		blocks_add_stretch(b, &rest);
	}
	for (size_t i = 0; i < input->points_n; i++) {
		uint32_t counter = input->points[i].counter;

		block.hit = blocks_add_members(b, &counter, 1);
		b->out->own[counter] = blocks_add_block(b, &block);
	}
}

static void
blocks_make_function(struct blocks *b, const struct blocks_part *parts,
	size_t parts_n, const struct source_point *points, uint32_t points_n)
{
	struct flow_range *ranges = xcalloc(parts_n, sizeof(*ranges));
	struct flow_point *at = xcalloc(points_n, sizeof(*at));
	struct flow_input input = { .code = &b->code,
		.ranges = ranges,
		.ranges_n = parts_n,
		.points = at,
		.points_n = points_n,
		.leaps = b->leaps,
		.throws = b->throws,
		.relocations = &b->relocations,
		.callee = blocks_callee,
		.arg = b };
	struct flow flow;

	for (size_t i = 0; i < parts_n; i++)
		ranges[i] = parts[i].range;
	for (uint32_t i = 0; i < points_n; i++)
		at[i] = (struct flow_point){ points[i].at, points[i].counter,
			points[i].entry != 0 };
	if (flow_make(&flow, &input))
		blocks_take_flow(b, &flow, at);
	else
		blocks_take_blind(b, &input);
	flow_clear(&flow);
	free(ranges);
	free(at);
}

/* ---- all of them ---- */

static int
blocks_compare_parts(const void *a, const void *b)
{
	const struct blocks_part *x = a, *y = b;

	if (x->whole != y->whole)
		return x->whole < y->whole ? -1 : 1;
	return x->range.start < y->range.start
		? -1
		: x->range.start > y->range.start;
}

static int
blocks_compare_points(const void *a, const void *b)
{
	const struct source_point *x = a, *y = b;

	if (x->whole != y->whole)
		return x->whole < y->whole ? -1 : 1;
	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->counter < y->counter ? -1 : x->counter > y->counter;
}

/* Lists the ranges of functions that are not inlined. */
static void
blocks_list_parts(struct blocks *b)
{
	const struct source_ranges *ranges = b->input->ranges;

	b->parts = xcalloc(ranges->ranges_n + 1, sizeof(*b->parts));
	for (size_t i = 0; i < ranges->ranges_n; i++) {
		const struct source_range *range = &ranges->ranges[i];

		if (range->parent == SOURCE_NONE && range->start < range->end)
			b->parts[b->parts_n++] = (struct blocks_part){
				{ range->start, range->end }, range->whole
			};
	}
	qsort(b->parts, b->parts_n, sizeof(*b->parts), blocks_compare_parts);
}

static void
blocks_make_all(struct blocks *b)
{
	const uint32_t points_n = b->input->points_n;
	size_t part = 0, part_end;
	uint32_t end, whole;

	for (uint32_t i = 0; i < points_n; i = end) {
		whole = b->points[i].whole;
		for (end = i; end < points_n && b->points[end].whole == whole;)
			end++;
		if (whole == SOURCE_NONE)
			break;
		while (part < b->parts_n && b->parts[part].whole < whole)
			part++;
		part_end = part;
		while (part_end < b->parts_n &&
			b->parts[part_end].whole == whole)
			part_end++;
		if (part_end > part)
			blocks_make_function(b, &b->parts[part],
				part_end - part, &b->points[i], end - i);
		part = part_end;
	}
}

static int
blocks_compare_stretches(const void *a, const void *b)
{
	const struct source_stretch *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static int
blocks_compare_calls(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void
blocks_restart(struct blocks *b)
{
	b->out->n = b->out->calls_n = 0;
	for (uint32_t i = 0; i < b->table->locations_n; i++)
		b->table->locations[i].check = 0;
	b->table->blocks_n = b->table->members_n = 0;
	memset(b->out->own, 0xff,
		(b->table->locations_n + 1) * sizeof(*b->out->own));
}

void
source_blocks_make(struct source_blocks *out, struct source_table *table,
	const struct source_blocks_input *input)
{
	struct blocks *b = xcalloc(1, sizeof(*b));
	struct stat st;
	int fd = fd_open_regular(input->path, &st);
	bool leaps;

	b->out = out;
	b->table = table;
	b->input = input;
	out->own = xmalloc((table->locations_n + 1) * sizeof(*out->own));
	memset(out->own, 0xff, (table->locations_n + 1) * sizeof(*out->own));
	if (fd >= 0)
		(void)code_open(&b->code, fd);
	table->end.ends = code_can_decode(&b->code);
	if (input->points_n > 0)
		b->points = xmemdup(input->points,
			input->points_n * sizeof(*input->points));
	if (input->points_n > 0)
		qsort(b->points, input->points_n, sizeof(*b->points),
			blocks_compare_points);
	blocks_list_parts(b);
	blocks_list_names(b);
	relocations_make(&b->relocations, &b->code, callee_way);
	leaps = b->leaps && b->throws;
	blocks_make_all(b);
	if (!leaps && b->leaps) { /* detected during the pass: start again */
		blocks_restart(b);
		blocks_make_all(b);
	}
	if (out->n > 0)
		qsort(out->stretches, out->n, sizeof(*out->stretches),
			blocks_compare_stretches);
	if (out->calls_n > 0)
		qsort(out->calls, out->calls_n, sizeof(*out->calls),
			blocks_compare_calls);
	relocations_clear(&b->relocations);
	code_close(&b->code);
	fd_close(&fd);
	free(b->points);
	free(b->parts);
	free(b);
}

void
source_blocks_clear(struct source_blocks *blocks)
{
	free(blocks->stretches);
	free(blocks->own);
	free(blocks->calls);
	memset(blocks, 0, sizeof(*blocks));
}

size_t
source_blocks_find(const struct source_blocks *blocks, uint64_t address)
{
	size_t i;

	SEARCH_FIRST(i, blocks->n, blocks->stretches[i].end <= address);
	return i;
}

bool
source_blocks_calls(const struct source_blocks *blocks, uint64_t start,
	uint64_t end)
{
	size_t i;

	SEARCH_FIRST(i, blocks->calls_n, blocks->calls[i] < start);
	return i < blocks->calls_n && blocks->calls[i] < end;
}

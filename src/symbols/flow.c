/* flow: see flow.h. */
#include "symbols/flow.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "shared/search.h"
#include "symbols/flow_graph.h"
#include "symbols/flow_sets.h"

#define FLOW_BLOCKS_MAX (1u << 17)
#define FLOW_ENTRIES_MAX 8192u /* of jump tables */
#define FLOW_TABLES_MAX 1024u
#define FLOW_INDEXED 16u /* instructions between table read and jump */

/* Marks of each byte of the code. */
#define FLOW_STEP 1u   /* an instruction begins here */
#define FLOW_LEADER 2u /* a block begins here */
#define FLOW_TARGET 4u /* target of a jump table */

/* An instruction other than a plain one. */
struct flow_turn {
	uint64_t at, next, target;
	enum code_kind kind;
	unsigned callee; /* FLOW_... of the called function */
};

struct flow_scan {
	struct flow *flow;
	const struct flow_input *input;
	uint8_t *marks; /* of all ranges, concatenated */
	size_t bytes;
	struct flow_turn *turns; /* in order */
	size_t turns_n;
	struct code_step tables[FLOW_TABLES_MAX];
	size_t tables_n, entries_n;
	bool indirect, by_table; /* jumps; perhaps by table */
	size_t since;            /* instructions since a table read */
	struct flow_graph graph;
	uint32_t hub, start, end; /* nodes without code */
};

/* ---- places ---- */

/* The mark of an address; NULL: outside the function. */
static uint8_t *
flow_mark(const struct flow_scan *s, uint64_t address)
{
	size_t before = 0;

	for (size_t i = 0; i < s->input->ranges_n; i++) {
		const struct flow_range *range = &s->input->ranges[i];

		if (address >= range->start && address < range->end)
			return &s->marks[before + (address - range->start)];
		before += range->end - range->start;
	}
	return NULL;
}

/* Marks a block start. False: no instruction begins there. */
static bool
flow_lead(struct flow_scan *s, uint64_t address, unsigned more)
{
	uint8_t *mark = flow_mark(s, address);

	if (mark == NULL || (*mark & FLOW_STEP) == 0)
		return false;
	*mark |= FLOW_LEADER | more;
	return true;
}

/* ---- steps ---- */

static void
flow_add_turn(struct flow_scan *s, uint64_t at, const struct code_step *step)
{
	struct flow_turn turn = { at, at + step->size, step->target, step->kind,
		0 };

	if ((turn.kind == CODE_CALL || turn.kind == CODE_JUMP) &&
		turn.target != 0 && s->input->callee != NULL &&
		flow_mark(s, turn.target) == NULL)
		turn.callee = s->input->callee(s->input->arg, turn.target);
	if (turn.kind == CODE_CALL && (turn.callee & FLOW_ENDS) != 0)
		turn.kind = CODE_TRAP;
	s->turns = xgrow(s->turns, s->turns_n, 1, sizeof(*s->turns));
	s->turns[s->turns_n++] = turn;
}

/* Is there an edge counter's call in the range? Such a call returns. */
static bool
flow_counts(const struct flow_scan *s, uint64_t start, uint64_t end)
{
	size_t i;

	SEARCH_FIRST(i, s->input->points_n, s->input->points[i].at <= start);
	return i < s->input->points_n && s->input->points[i].at < end;
}

static void
flow_take_step(struct flow_scan *s, uint64_t at, const struct code_step *step)
{
	s->since = step->indexed ? 0 : s->since + 1;
	s->indirect |= step->kind == CODE_INDIRECT;
	s->by_table |= step->kind == CODE_INDIRECT && s->since < FLOW_INDEXED;
	if (step->table != CODE_NO_TABLE) {
		if (s->tables_n == FLOW_TABLES_MAX)
			s->tables_n--; /* too many: none is trusted */
		s->tables[s->tables_n++] = *step;
	}
	if (step->kind == CODE_CALL && flow_counts(s, at, at + step->size))
		return;
	if (step->kind != CODE_PLAIN)
		flow_add_turn(s, at, step);
}

static bool
flow_scan_range(struct flow_scan *s, const struct flow_range *range,
	uint8_t *marks)
{
	size_t len = range->end - range->start, at = 0;
	uint8_t *bytes = xmalloc(len);
	struct code_step step;
	bool good = code_read(s->input->code, range->start, bytes, len);

	while (good && at < len) {
		good = code_step(s->input->code, range->start + at, bytes + at,
			len - at, &step);
		marks[at] |= FLOW_STEP;
		if (good)
			flow_take_step(s, range->start + at, &step);
		at += step.size;
	}
	free(bytes);
	return good;
}

static bool
flow_scan_steps(struct flow_scan *s)
{
	const struct flow_input *input = s->input;
	size_t before = 0;

	for (size_t i = 0; i < input->ranges_n; i++) {
		if (input->ranges[i].end - input->ranges[i].start >
			FLOW_BYTES_MAX - s->bytes)
			return false;
		s->bytes += input->ranges[i].end - input->ranges[i].start;
	}
	s->marks = xcalloc(s->bytes + 1, 1);
	for (size_t i = 0; i < input->ranges_n; i++) {
		if (!flow_scan_range(s, &input->ranges[i], s->marks + before))
			return false;
		before += input->ranges[i].end - input->ranges[i].start;
	}
	return true;
}

/* ---- tables of jumps ---- */

/* Marks the target of a table entry; false: end of the table. */
static bool
flow_take_entry(struct flow_scan *s, const struct code_step *table, size_t i)
{
	uint64_t address;
	int32_t near;

	if (table->table == CODE_TABLE_FAR)
		return code_read(s->input->code, table->at + 8 * i, &address,
			       sizeof(address)) &&
			flow_lead(s, address, FLOW_TARGET);
	return code_read(s->input->code, table->at + 4 * i, &near,
		       sizeof(near)) &&
		flow_lead(s, table->at + (uint64_t)(int64_t)near, FLOW_TARGET);
}

/*
 * False: a jump uses a table, but no table was found, or a limit is exceeded.
 */
static bool
flow_take_tables(struct flow_scan *s)
{
	if (!s->indirect)
		return true;
	for (size_t k = 0; k < s->tables_n; k++)
		for (size_t i = 0; flow_take_entry(s, &s->tables[k], i); i++)
			if (++s->entries_n == FLOW_ENTRIES_MAX)
				return false;
	return s->entries_n > 0 ? s->tables_n < FLOW_TABLES_MAX : !s->by_table;
}

/* ---- blocks ---- */

static bool
flow_find_leaders(struct flow_scan *s)
{
	for (size_t i = 0; i < s->input->ranges_n; i++)
		(void)flow_lead(s, s->input->ranges[i].start, 0);
	for (size_t i = 0; i < s->input->points_n; i++)
		(void)flow_lead(s, s->input->points[i].at, 0);
	for (size_t i = 0; i < s->turns_n; i++) {
		const struct flow_turn *turn = &s->turns[i];

		if (turn->kind != CODE_CALL || s->input->leaps)
			(void)flow_lead(s, turn->next, 0);
		if ((turn->kind == CODE_JUMP || turn->kind == CODE_BRANCH) &&
			flow_mark(s, turn->target) != NULL &&
			!flow_lead(s, turn->target, 0))
			return false; /* into the middle of an instruction */
	}
	return flow_take_tables(s);
}

static bool
flow_make_blocks(struct flow_scan *s)
{
	struct flow *flow = s->flow;
	size_t before = 0, n = 0;

	for (size_t i = 0; i < s->bytes; i++)
		n += (s->marks[i] & FLOW_LEADER) != 0;
	if (n == 0 || n > FLOW_BLOCKS_MAX)
		return false;
	flow->blocks = xcalloc(n, sizeof(*flow->blocks));
	for (size_t i = 0; i < s->input->ranges_n; i++) {
		const struct flow_range *range = &s->input->ranges[i];

		for (uint64_t at = range->start; at < range->end; at++) {
			if ((s->marks[before++] & FLOW_LEADER) == 0)
				continue;
			if (at > range->start)
				flow->blocks[flow->blocks_n - 1].end = at;
			flow->blocks[flow->blocks_n++] =
				(struct flow_block){ .start = at,
					.end = range->end };
		}
	}
	return true;
}

static uint32_t
flow_block_at(const struct flow *flow, uint64_t address)
{
	uint32_t i;

	SEARCH_FIRST(i, flow->blocks_n, flow->blocks[i].start <= address);
	return i > 0 && address < flow->blocks[i - 1].end ? i - 1 : FLOW_NONE;
}

static void
flow_place_points(struct flow_scan *s)
{
	for (uint32_t i = 0; i < s->input->points_n; i++) {
		uint32_t at = flow_block_at(s->flow, s->input->points[i].at);
		struct flow_block *block;

		if (at == FLOW_NONE)
			continue;
		block = &s->flow->blocks[at];
		if (block->points_n++ == 0)
			block->point = i;
	}
}

/* ---- ways ---- */

static void
flow_add_way(struct flow_scan *s, uint32_t from, uint64_t address)
{
	uint32_t to = flow_block_at(s->flow, address);

	flow_graph_add(&s->graph, from, to != FLOW_NONE ? to : s->end);
}

/* Adds the edge to the next block, unless that is outside the function. */
static void
flow_add_next(struct flow_scan *s, uint32_t block, bool called)
{
	uint64_t next = s->flow->blocks[block].end;

	/* A function does not end with a call that returns. */
	if (!called || s->input->leaps || flow_mark(s, next) != NULL)
		flow_add_way(s, block, next);
}

/*
 * Is the first call in the block a sanitizer's report? The code after it, up to
 * the end of the block, is a copy of the code after the check.
 */
static bool
flow_reports(const struct flow_scan *s, size_t turn, uint64_t end)
{
	while (turn < s->turns_n && s->turns[turn].at < end &&
		(s->turns[turn].callee & FLOW_HOOK) != 0)
		turn++;
	return turn < s->turns_n && s->turns[turn].at < end &&
		(s->turns[turn].callee & FLOW_REPORTS) != 0;
}

/* `turn`: the last one in the block, NULL: falls through. */
static void
flow_add_ways(struct flow_scan *s, uint32_t block, const struct flow_turn *turn)
{
	switch (turn != NULL ? turn->kind : CODE_PLAIN) {
	case CODE_PLAIN:
		flow_add_next(s, block, false);
		break;
	case CODE_CALL:
		if (s->input->leaps)
			flow_graph_add(&s->graph, block, s->end);
		flow_add_next(s, block, true);
		break;
	case CODE_BRANCH:
		flow_add_next(s, block, false);
		flow_add_way(s, block, turn->target);
		break;
	case CODE_JUMP:
		flow_add_way(s, block, turn->target);
		break;
	case CODE_INDIRECT:
		flow_graph_add(&s->graph, block, s->hub);
		flow_graph_add(&s->graph, block, s->end);
		break;
	case CODE_RETURN:
		flow_graph_add(&s->graph, block, s->end);
		break;
	case CODE_TRAP:
		break;
	}
}

static bool
flow_is_root(const struct flow_scan *s, uint32_t at, bool entries)
{
	const struct flow_block *block = &s->flow->blocks[at];

	for (uint32_t i = 0; i < block->points_n; i++)
		if (s->input->points[block->point + i].entry)
			return true;
	for (size_t i = 0; !entries && i < s->input->ranges_n; i++)
		if (s->input->ranges[i].start == block->start)
			return true;
	return false;
}

static void
flow_add_roots(struct flow_scan *s)
{
	bool entries = false;

	for (size_t i = 0; i < s->input->points_n; i++)
		entries |= s->input->points[i].entry;
	for (uint32_t i = 0; i < s->flow->blocks_n; i++) {
		if ((*flow_mark(s, s->flow->blocks[i].start) & FLOW_TARGET) !=
			0)
			flow_graph_add(&s->graph, s->hub, i);
		if (flow_is_root(s, i, entries))
			flow_graph_add(&s->graph, s->start, i);
	}
	/* Any call may be followed by a landing pad. */
	for (size_t i = 0; s->input->throws && i < s->turns_n; i++)
		if (s->turns[i].kind == CODE_CALL &&
			flow_mark(s, s->turns[i].next) != NULL)
			flow_add_way(s, s->start, s->turns[i].next);
}

/*
 * Connects blocks without predecessors to the start, and blocks that do not
 * reach the end to the end. Nothing can be inferred in an endless loop or in
 * code that is reached in an unknown way.
 */
static void
flow_add_loose(struct flow_scan *s)
{
	struct flow_graph *g = &s->graph;
	uint8_t *reached = xcalloc(g->n, 1), *ends = xcalloc(g->n, 1);

	flow_graph_sort(g);
	reached[s->start] = ends[s->end] = 1;
	for (uint32_t i = 0; i < s->flow->blocks_n; i++) {
		reached[i] = g->before.first[i] == g->before.first[i + 1];
		ends[i] = g->next.first[i] == g->next.first[i + 1];
		if (reached[i] != 0)
			flow_graph_add(g, s->start, i);
	}
	flow_graph_reach(&g->next, g->n, reached);
	flow_graph_reach(&g->before, g->n, ends);
	for (uint32_t i = 0; i < s->flow->blocks_n; i++) {
		if (reached[i] == 0)
			flow_graph_add(g, s->start, i);
		if (ends[i] == 0)
			flow_graph_add(g, i, s->end);
	}
	free(reached);
	free(ends);
	flow_graph_sort(g);
}

static void
flow_make_graph(struct flow_scan *s)
{
	struct flow *flow = s->flow;
	size_t turn = 0;

	s->hub = flow->blocks_n;
	s->start = s->hub + 1;
	s->end = s->hub + 2;
	s->graph.n = s->hub + 3;
	for (uint32_t i = 0; i < flow->blocks_n; i++) {
		const struct flow_turn *last = NULL;

		flow->blocks[i].check =
			flow_reports(s, turn, flow->blocks[i].end);
		/* Only the last one can leave the block. */
		while (turn < s->turns_n &&
			s->turns[turn].at < flow->blocks[i].end)
			last = &s->turns[turn++];
		if (last != NULL && last->next != flow->blocks[i].end)
			last = NULL;
		flow_add_ways(s, i, last);
	}
	flow_add_roots(s);
	flow_add_loose(s);
}

/* ---- checks and calls ---- */

/*
 * Is this a block without a counter that only checks lead to? A report that
 * returns continues there.
 */
static bool
flow_follows_checks(const struct flow_scan *s, uint32_t block)
{
	const struct flow_ways *before = &s->graph.before;

	if (s->flow->blocks[block].points_n > 0)
		return false;
	for (uint32_t i = before->first[block]; i < before->first[block + 1];
		i++)
		if (before->to[i] >= s->flow->blocks_n ||
			!s->flow->blocks[before->to[i]].check)
			return false;
	return before->first[block] < before->first[block + 1];
}

/* A function that begins with a report still belongs to the target. */
static void
flow_find_checks(struct flow_scan *s)
{
	struct flow_block *blocks = s->flow->blocks;

	for (uint32_t i = 0; i < s->flow->blocks_n; i++)
		blocks[i].check = blocks[i].check ? !flow_is_root(s, i, true)
						  : flow_follows_checks(s, i);
}

/* Lists calls and jumps out of the function, except into a sanitizer. */
static void
flow_list_calls(struct flow_scan *s)
{
	struct flow *flow = s->flow;

	flow->calls = xcalloc(s->turns_n + 1, sizeof(*flow->calls));
	for (size_t i = 0; i < s->turns_n; i++) {
		const struct flow_turn *turn = &s->turns[i];
		bool called = turn->kind == CODE_CALL ||
			(turn->callee & FLOW_ENDS) != 0 ||
			(turn->kind == CODE_JUMP &&
				flow_mark(s, turn->target) == NULL);

		if (called && (turn->callee & (FLOW_REPORTS | FLOW_HOOK)) == 0)
			flow->calls[flow->calls_n++] = turn->at;
	}
}

bool
flow_make(struct flow *flow, const struct flow_input *input)
{
	struct flow_scan *s = xcalloc(1, sizeof(*s));
	bool good;

	*flow = (struct flow){ 0 };
	s->flow = flow;
	s->input = input;
	s->since = FLOW_INDEXED;
	good = code_has_steps(input->code) && flow_scan_steps(s) &&
		flow_find_leaders(s) && flow_make_blocks(s);
	if (good) {
		flow_place_points(s);
		flow_make_graph(s);
		flow_find_checks(s);
		flow_list_calls(s);
		flow_sets_make(flow, &s->graph, input);
	} else {
		flow_clear(flow);
	}
	flow_graph_clear(&s->graph);
	free(s->marks);
	free(s->turns);
	free(s);
	return good;
}

void
flow_clear(struct flow *flow)
{
	free(flow->blocks);
	free(flow->members);
	free(flow->calls);
	*flow = (struct flow){ 0 };
}

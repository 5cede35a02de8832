/* flow: see flow.h. */
#include "symbols/flow.h"

#include <stdlib.h>

#include "base/xmalloc.h"
#include "shared/search.h"
#include "symbols/flow_graph.h"
#include "symbols/flow_scan.h"
#include "symbols/flow_sets.h"

#define FLOW_BLOCKS_MAX (1u << 17)

struct flow_maker {
	struct flow *flow;
	struct flow_scan scan;
	struct flow_graph graph;
	uint32_t hub, start, end; /* nodes without code */
};

/* ---- blocks ---- */

static bool
flow_make_blocks(struct flow_maker *s)
{
	struct flow *flow = s->flow;
	size_t before = 0, n = 0;

	for (size_t i = 0; i < s->scan.bytes; i++)
		n += (s->scan.flags[i] & FLOW_LEADER) != 0;
	if (n == 0 || n > FLOW_BLOCKS_MAX)
		return false;
	flow->blocks = xcalloc(n, sizeof(*flow->blocks));
	for (size_t i = 0; i < s->scan.input->ranges_n; i++) {
		const struct flow_range *range = &s->scan.input->ranges[i];

		for (uint64_t at = range->start; at < range->end; at++) {
			if ((s->scan.flags[before++] & FLOW_LEADER) == 0)
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

/* Finds the code of a block that is its own. */
static void
flow_trim(const struct flow_maker *s, struct flow_block *block)
{
	const uint8_t *flags = flow_scan_at(&s->scan, block->start);
	bool begun = false, own = false;

	block->code = block->code_end = block->end;
	for (uint64_t at = block->start; at < block->end; at++, flags++) {
		if ((*flags & FLOW_INSTRUCTION) != 0)
			own = (*flags & FLOW_IDLE) == 0;
		if (own && !begun)
			block->code = at;
		begun |= own;
		if (own)
			block->code_end = at + 1;
	}
}

static uint32_t
flow_block_at(const struct flow *flow, uint64_t address)
{
	uint32_t i;

	SEARCH_FIRST(i, flow->blocks_n, flow->blocks[i].start <= address);
	return i > 0 && address < flow->blocks[i - 1].end ? i - 1 : FLOW_NONE;
}

static void
flow_add_points(struct flow_maker *s)
{
	for (uint32_t i = 0; i < s->scan.input->points_n; i++) {
		uint32_t at =
			flow_block_at(s->flow, s->scan.input->points[i].at);
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
flow_add_way(struct flow_maker *s, uint32_t from, uint64_t address)
{
	uint32_t to = flow_block_at(s->flow, address);

	flow_graph_add(&s->graph, from, to != FLOW_NONE ? to : s->end);
}

/* Adds the edge to the next block, unless that is outside the function. */
static void
flow_add_next(struct flow_maker *s, uint32_t block, bool called)
{
	uint64_t next = s->flow->blocks[block].end;

	/* A function does not end with a call that returns. */
	if (!called || s->scan.input->leaps ||
		flow_scan_at(&s->scan, next) != NULL)
		flow_add_way(s, block, next);
}

/*
 * Is the first call in the block a sanitizer's report? The code after it, up to
 * the end of the block, is a copy of the code after the check.
 */
static bool
flow_reports(const struct flow_maker *s, size_t turn, uint64_t end)
{
	return turn < s->scan.turns_n && s->scan.turns[turn].at < end &&
		(s->scan.turns[turn].callee & FLOW_REPORTS) != 0;
}

/* `turn`: the last one in the block, NULL: falls through. */
static void
flow_add_ways(struct flow_maker *s, uint32_t block,
	const struct flow_turn *turn)
{
	switch (turn != NULL ? turn->kind : CODE_PLAIN) {
	case CODE_PLAIN:
		flow_add_next(s, block, false);
		break;
	case CODE_CALL:
		if (s->scan.input->leaps)
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
flow_is_root(const struct flow_maker *s, uint32_t at, bool entries)
{
	const struct flow_block *block = &s->flow->blocks[at];

	for (uint32_t i = 0; i < block->points_n; i++)
		if (s->scan.input->points[block->point + i].entry)
			return true;
	for (size_t i = 0; !entries && i < s->scan.input->ranges_n; i++)
		if (s->scan.input->ranges[i].start == block->start)
			return true;
	return false;
}

static void
flow_add_roots(struct flow_maker *s)
{
	bool entries = false;

	for (size_t i = 0; i < s->scan.input->points_n; i++)
		entries |= s->scan.input->points[i].entry;
	for (uint32_t i = 0; i < s->flow->blocks_n; i++) {
		if ((*flow_scan_at(&s->scan, s->flow->blocks[i].start) &
			    FLOW_TARGET) != 0)
			flow_graph_add(&s->graph, s->hub, i);
		if (flow_is_root(s, i, entries))
			flow_graph_add(&s->graph, s->start, i);
	}
	/* Any call may be followed by a landing pad. */
	for (size_t i = 0; s->scan.input->throws && i < s->scan.turns_n; i++)
		if (s->scan.turns[i].kind == CODE_CALL &&
			flow_scan_at(&s->scan, s->scan.turns[i].next) != NULL)
			flow_add_way(s, s->start, s->scan.turns[i].next);
}

/*
 * Connects blocks without predecessors to the start, and blocks that do not
 * reach the end to the end. Nothing can be inferred in an endless loop or in
 * code that is reached in an unknown way.
 */
static void
flow_add_loose(struct flow_maker *s)
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
flow_make_graph(struct flow_maker *s)
{
	struct flow *flow = s->flow;
	size_t turn = 0;

	s->hub = flow->blocks_n;
	s->start = s->hub + 1;
	s->end = s->hub + 2;
	s->graph.n = s->hub + 3;
	for (uint32_t i = 0; i < flow->blocks_n; i++) {
		const struct flow_turn *last = NULL;

		flow_trim(s, &flow->blocks[i]);
		flow->blocks[i].check =
			flow_reports(s, turn, flow->blocks[i].end);
		/* Only the last one can leave the block. */
		while (turn < s->scan.turns_n &&
			s->scan.turns[turn].at < flow->blocks[i].end)
			last = &s->scan.turns[turn++];
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
flow_follows_checks(const struct flow_maker *s, uint32_t block)
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
flow_find_checks(struct flow_maker *s)
{
	struct flow_block *blocks = s->flow->blocks;

	for (uint32_t i = 0; i < s->flow->blocks_n; i++)
		blocks[i].check = blocks[i].check ? !flow_is_root(s, i, true)
						  : flow_follows_checks(s, i);
}

/* Lists calls and jumps out of the function, except into a sanitizer. */
static void
flow_list_calls(struct flow_maker *s)
{
	struct flow *flow = s->flow;

	flow->calls = xcalloc(s->scan.turns_n + 1, sizeof(*flow->calls));
	for (size_t i = 0; i < s->scan.turns_n; i++) {
		const struct flow_turn *turn = &s->scan.turns[i];
		bool called = turn->kind == CODE_CALL ||
			(turn->callee & FLOW_ENDS) != 0 ||
			(turn->kind == CODE_JUMP &&
				flow_scan_at(&s->scan, turn->target) == NULL);

		if (called && (turn->callee & (FLOW_REPORTS | FLOW_HOOK)) == 0)
			flow->calls[flow->calls_n++] = turn->at;
	}
}

bool
flow_make(struct flow *flow, const struct flow_input *input)
{
	struct flow_maker *s = xcalloc(1, sizeof(*s));
	bool good;

	*flow = (struct flow){ 0 };
	s->flow = flow;
	good = code_can_decode(input->code) &&
		flow_scan_make(&s->scan, input) && flow_make_blocks(s);
	if (good) {
		flow_add_points(s);
		flow_make_graph(s);
		flow_find_checks(s);
		flow_list_calls(s);
		flow_sets_make(flow, &s->graph, input);
	} else {
		flow_clear(flow);
	}
	flow_graph_clear(&s->graph);
	flow_scan_clear(&s->scan);
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

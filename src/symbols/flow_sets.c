/* flow_sets: see flow_sets.h. */
#include "symbols/flow_sets.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"

#define SETS_VISITS_MAX 1024u /* nodes per search */
#define SETS_MEMBERS_MAX (1u << 22)

/* The search from a block for the counters around it. */
struct sets {
	struct flow *flow;
	const struct flow_graph *graph;
	const struct flow_input *input;
	struct flow_tree down, up; /* dominators; post-dominators */
	uint32_t start, end;
	uint32_t *seen, turn; /* seen[node] == turn: in this search */
	uint32_t stack[SETS_VISITS_MAX];
	uint32_t found[FLOW_SET_MAX], found_n; /* counters */
};

static bool
sets_is_counted(const struct sets *s, uint32_t node)
{
	return node < s->flow->blocks_n && s->flow->blocks[node].points_n > 0;
}

/* Direction and limits of a search. */
struct sets_bound {
	const struct flow_ways *ways;
	const struct flow_tree *tree; /* limit to nodes below `from` */
	uint32_t stop;                /* reaching it fails, if `tree` is NULL */
};

/* Visits one node. False: the search has reached the stop node or a limit. */
static bool
sets_visit(struct sets *s, const struct sets_bound *bound, uint32_t from,
	uint32_t node, uint32_t *top, uint32_t *visits)
{
	if (node == bound->stop)
		return bound->tree != NULL;
	if (s->seen[node] == s->turn ||
		(bound->tree != NULL &&
			!flow_tree_dominates(bound->tree, from, node)))
		return true;
	s->seen[node] = s->turn;
	if (sets_is_counted(s, node)) {
		const struct flow_block *block = &s->flow->blocks[node];

		if (block->points_n > FLOW_SET_MAX - s->found_n)
			return false;
		for (uint32_t i = 0; i < block->points_n; i++)
			s->found[s->found_n++] =
				s->input->points[block->point + i].counter;
		return true;
	}
	if (++*visits == SETS_VISITS_MAX)
		return false;
	s->stack[(*top)++] = node;
	return true;
}

/* Finds the nearest counters on all paths; false: they are incomplete. */
static bool
sets_search(struct sets *s, const struct sets_bound *bound, uint32_t from)
{
	uint32_t top = 0, visits = 0, node = from;

	s->turn++;
	s->found_n = 0;
	s->seen[from] = s->turn;
	for (;;) {
		for (uint32_t i = bound->ways->first[node];
			i < bound->ways->first[node + 1]; i++)
			if (!sets_visit(s, bound, from, bound->ways->to[i],
				    &top, &visits))
				return false;
		if (top == 0)
			return true;
		node = s->stack[--top];
	}
}

static void
sets_keep(struct sets *s, struct flow_set *set)
{
	struct flow *flow = s->flow;

	if (s->found_n == 0 || s->found_n > SETS_MEMBERS_MAX - flow->members_n)
		return;
	if (set->n == 0)
		set->first = flow->members_n;
	flow->members = xgrow(flow->members, flow->members_n, s->found_n,
		sizeof(*flow->members));
	memcpy(flow->members + flow->members_n, s->found,
		s->found_n * sizeof(s->found[0]));
	flow->members_n += s->found_n;
	set->n += s->found_n;
}

/*
 * An incomplete `hit` is still correct; an incomplete `before` or `after` is
 * not.
 */
static void
sets_of_block(struct sets *s, uint32_t node)
{
	struct flow_block *block = &s->flow->blocks[node];
	const struct sets_bound bounds[] = {
		{ &s->graph->next, &s->down, s->end },
		{ &s->graph->before, &s->up, s->start },
		{ &s->graph->before, NULL, s->start },
		{ &s->graph->next, NULL, s->end },
	};

	(void)sets_search(s, &bounds[0], node);
	sets_keep(s, &block->hit);
	(void)sets_search(s, &bounds[1], node);
	sets_keep(s, &block->hit);
	if (sets_search(s, &bounds[2], node))
		sets_keep(s, &block->before);
	if (sets_search(s, &bounds[3], node))
		sets_keep(s, &block->after);
}

void
flow_sets_make(struct flow *flow, struct flow_graph *graph,
	const struct flow_input *input)
{
	struct sets s = { .flow = flow,
		.graph = graph,
		.input = input,
		.start = graph->n - 2,
		.end = graph->n - 1 };

	flow_tree_make(&s.down, &graph->next, &graph->before, graph->n,
		s.start);
	flow_tree_make(&s.up, &graph->before, &graph->next, graph->n, s.end);
	s.seen = xcalloc(graph->n, sizeof(*s.seen));
	for (uint32_t i = 0; i < flow->blocks_n; i++)
		if (!sets_is_counted(&s, i))
			sets_of_block(&s, i);
	free(s.seen);
	flow_tree_clear(&s.down);
	flow_tree_clear(&s.up);
}

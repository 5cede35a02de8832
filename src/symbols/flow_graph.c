/* flow_graph: see flow_graph.h. */
#include "symbols/flow_graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"

void
flow_graph_add(struct flow_graph *graph, uint32_t from, uint32_t to)
{
	graph->edges =
		xgrow(graph->edges, graph->edges_n, 1, sizeof(*graph->edges));
	graph->edges[graph->edges_n++] = (struct flow_edge){ from, to };
}

/* ---- ways ---- */

static void
flow_ways_make(struct flow_ways *ways, const struct flow_graph *graph,
	bool back)
{
	const struct flow_edge *edge = graph->edges;
	uint32_t *fill = xcalloc(graph->n + 1, sizeof(*fill));

	ways->first = xcalloc(graph->n + 1, sizeof(*ways->first));
	ways->to = xcalloc(graph->edges_n + 1, sizeof(*ways->to));
	for (size_t i = 0; i < graph->edges_n; i++)
		ways->first[(back ? edge[i].to : edge[i].from) + 1]++;
	for (uint32_t i = 0; i < graph->n; i++)
		ways->first[i + 1] += ways->first[i];
	memcpy(fill, ways->first, (graph->n + 1) * sizeof(*fill));
	for (size_t i = 0; i < graph->edges_n; i++) {
		uint32_t from = back ? edge[i].to : edge[i].from;

		ways->to[fill[from]++] = back ? edge[i].from : edge[i].to;
	}
	free(fill);
}

static void
flow_ways_clear(struct flow_ways *ways)
{
	free(ways->first);
	free(ways->to);
	*ways = (struct flow_ways){ 0 };
}

void
flow_graph_sort(struct flow_graph *graph)
{
	flow_ways_clear(&graph->next);
	flow_ways_clear(&graph->before);
	flow_ways_make(&graph->next, graph, false);
	flow_ways_make(&graph->before, graph, true);
}

void
flow_graph_clear(struct flow_graph *graph)
{
	flow_ways_clear(&graph->next);
	flow_ways_clear(&graph->before);
	free(graph->edges);
	*graph = (struct flow_graph){ 0 };
}

void
flow_graph_reach(const struct flow_ways *ways, uint32_t n, uint8_t *seen)
{
	uint32_t *stack = xcalloc(n + 1, sizeof(*stack)), top = 0, node;

	for (uint32_t i = 0; i < n; i++)
		if (seen[i] != 0)
			stack[top++] = i;
	while (top > 0) {
		node = stack[--top];
		for (uint32_t i = ways->first[node]; i < ways->first[node + 1];
			i++) {
			uint32_t to = ways->to[i];

			if (seen[to] != 0)
				continue;
			seen[to] = 1;
			stack[top++] = to;
		}
	}
	free(stack);
}

/* ---- dominators ---- */

/* Dominators by the algorithm of Cooper, Harvey and Kennedy. */
struct flow_order {
	const struct flow_ways *ways, *back;
	uint32_t n, reached;
	uint32_t *nodes; /* in reverse postorder */
	uint32_t *index; /* index of a node in `nodes` */
	uint32_t *idom;  /* immediate dominator, both as indices */
};

static void
flow_order_walk(struct flow_order *order, uint32_t root)
{
	const struct flow_ways *ways = order->ways;
	uint32_t *stack = xcalloc(order->n + 1, sizeof(*stack));
	uint32_t *at = xcalloc(order->n + 1, sizeof(*at));
	uint32_t top = 0, left = order->n, node, to;

	memset(order->index, 0xff, order->n * sizeof(*order->index));
	stack[top++] = root;
	at[root] = ways->first[root];
	order->index[root] = 0;
	while (top > 0) {
		node = stack[top - 1];
		if (at[node] == ways->first[node + 1]) {
			order->nodes[--left] = node;
			top--;
			continue;
		}
		to = ways->to[at[node]++];
		if (order->index[to] != FLOW_NONE)
			continue;
		order->index[to] = 0;
		at[to] = ways->first[to];
		stack[top++] = to;
	}
	order->reached = order->n - left;
	memmove(order->nodes, order->nodes + left,
		order->reached * sizeof(*order->nodes));
	for (uint32_t i = 0; i < order->reached; i++)
		order->index[order->nodes[i]] = i;
	free(stack);
	free(at);
}

static uint32_t
flow_order_meet(const struct flow_order *order, uint32_t a, uint32_t b)
{
	while (a != b) {
		while (a > b)
			a = order->idom[a];
		while (b > a)
			b = order->idom[b];
	}
	return a;
}

static uint32_t
flow_order_idom(const struct flow_order *order, uint32_t index)
{
	const struct flow_ways *back = order->back;
	uint32_t node = order->nodes[index], idom = FLOW_NONE;

	for (uint32_t i = back->first[node]; i < back->first[node + 1]; i++) {
		uint32_t from = order->index[back->to[i]];

		if (from == FLOW_NONE || order->idom[from] == FLOW_NONE)
			continue;
		idom = idom == FLOW_NONE ? from
					 : flow_order_meet(order, from, idom);
	}
	return idom;
}

static void
flow_order_find_idoms(struct flow_order *order)
{
	bool changed = true;

	memset(order->idom, 0xff, order->n * sizeof(*order->idom));
	order->idom[0] = 0;
	while (changed) {
		changed = false;
		for (uint32_t i = 1; i < order->reached; i++) {
			uint32_t idom = flow_order_idom(order, i);

			changed |= idom != order->idom[i];
			order->idom[i] = idom;
		}
	}
}

/* Numbers the nodes in preorder: the nodes below a node follow it. */
static void
flow_tree_number(struct flow_tree *tree, const struct flow_order *order)
{
	uint32_t *next = xcalloc(order->n + 1, sizeof(*next));
	uint32_t *size = xcalloc(order->n + 1, sizeof(*size));

	for (uint32_t i = order->reached; i-- > 0;) {
		size[i]++;
		if (i > 0)
			size[order->idom[i]] += size[i];
	}
	for (uint32_t i = 0; i < order->reached; i++) {
		uint32_t node = order->nodes[i], idom = order->idom[i];

		tree->number[node] = i > 0 ? next[idom] : 0;
		tree->size[node] = size[i];
		next[i] = tree->number[node] + 1;
		if (i > 0)
			next[idom] += size[i];
	}
	free(next);
	free(size);
}

void
flow_tree_make(struct flow_tree *tree, const struct flow_ways *ways,
	const struct flow_ways *back, uint32_t n, uint32_t root)
{
	struct flow_order order = { .ways = ways, .back = back, .n = n };

	order.nodes = xcalloc(n + 1, sizeof(uint32_t));
	order.index = xcalloc(n + 1, sizeof(uint32_t));
	order.idom = xcalloc(n + 1, sizeof(uint32_t));
	tree->number = xcalloc(n + 1, sizeof(uint32_t));
	tree->size = xcalloc(n + 1, sizeof(uint32_t));
	memset(tree->number, 0xff, n * sizeof(uint32_t));
	flow_order_walk(&order, root);
	flow_order_find_idoms(&order);
	flow_tree_number(tree, &order);
	free(order.nodes);
	free(order.index);
	free(order.idom);
}

void
flow_tree_clear(struct flow_tree *tree)
{
	free(tree->number);
	free(tree->size);
	*tree = (struct flow_tree){ 0 };
}

bool
flow_tree_dominates(const struct flow_tree *tree, uint32_t a, uint32_t b)
{
	return tree->number[a] != FLOW_NONE && tree->number[b] != FLOW_NONE &&
		tree->number[b] >= tree->number[a] &&
		tree->number[b] - tree->number[a] < tree->size[a];
}

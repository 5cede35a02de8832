/*
 * flow_graph: a directed graph and its dominator trees.
 */
#ifndef CFUZZ_SYMBOLS_FLOW_GRAPH_H
#define CFUZZ_SYMBOLS_FLOW_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FLOW_NONE UINT32_MAX

struct flow_edge {
	uint32_t from, to;
};

/* The successors of node i are to[first[i]] … to[first[i + 1] - 1]. */
struct flow_ways {
	uint32_t *first, *to;
};

/* All zero is empty. It owns its arrays. */
struct flow_graph {
	uint32_t n; /* nodes, numbered from 0 */
	struct flow_edge *edges;
	size_t edges_n;
	/* Successors and predecessors, as of the last flow_graph_sort(). */
	struct flow_ways next, before;
};

void flow_graph_add(struct flow_graph *graph, uint32_t from, uint32_t to);
void flow_graph_sort(struct flow_graph *graph);
void flow_graph_clear(struct flow_graph *graph);

/* Sets seen[] for all of the n nodes that are reachable from a node with seen[]
 * set. */
void flow_graph_reach(const struct flow_ways *ways, uint32_t n, uint8_t *seen);

/*
 * A dominator tree, as the number of each node in preorder and the size of its
 * subtree. A node that the root does not reach has the number FLOW_NONE.
 */
struct flow_tree {
	uint32_t *number, *size;
};

/*
 * Makes the tree of n nodes (Cooper, Harvey, Kennedy: "A Simple, Fast Dominance
 * Algorithm", 2001). `back` has the edges of `ways` reversed.
 */
void flow_tree_make(struct flow_tree *tree, const struct flow_ways *ways,
	const struct flow_ways *back, uint32_t n, uint32_t root);
void flow_tree_clear(struct flow_tree *tree);

/* Does a dominate b: do all paths from the root to b pass a? */
bool flow_tree_dominates(const struct flow_tree *tree, uint32_t a, uint32_t b);

#endif

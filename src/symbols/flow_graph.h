/*
 * flow_graph: nodes and edges, and which of them others cannot be reached
 * without.
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

/* Edges by their start: `to` from first[i] to first[i + 1]. */
struct flow_ways {
	uint32_t *first, *to;
};

struct flow_graph {
	uint32_t n;
	struct flow_edge *edges;
	size_t edges_n, edges_room;
	struct flow_ways next, before; /* made by flow_graph_sort() */
};

void flow_graph_add(struct flow_graph *graph, uint32_t from, uint32_t to);
void flow_graph_sort(struct flow_graph *graph);
void flow_graph_clear(struct flow_graph *graph);

/* Sets seen[] of all that can be reached from a node that is seen. */
void flow_graph_reach(const struct flow_ways *ways, uint32_t n, uint8_t *seen);

/* For flow_tree_rules(); of a node that the root does not reach, FLOW_NONE. */
struct flow_tree {
	uint32_t *number, *size;
};

/* `ways` and the same `back`. */
void flow_tree_make(struct flow_tree *tree, const struct flow_ways *ways,
	const struct flow_ways *back, uint32_t n, uint32_t root);
void flow_tree_clear(struct flow_tree *tree);

/* Do all ways from the root to b lead through a? */
bool flow_tree_rules(const struct flow_tree *tree, uint32_t a, uint32_t b);

#endif

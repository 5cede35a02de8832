/*
 * flow_sets: infers blocks without a counter from other counters, see flow.h.
 */
#ifndef CFUZZ_SYMBOLS_FLOW_SETS_H
#define CFUZZ_SYMBOLS_FLOW_SETS_H

#include "symbols/flow.h"
#include "symbols/flow_graph.h"

/*
 * Fills the sets of the blocks and the members. The graph is sorted. Node i of
 * the graph is block i. Nodes without code follow; the last two are the common
 * start and the common end of all paths.
 */
void flow_sets_make(struct flow *flow, struct flow_graph *graph,
	const struct flow_input *input);

#endif

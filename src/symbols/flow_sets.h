/*
 * flow_sets: which counters decide about the blocks without one; see flow.h.
 */
#ifndef CFUZZ_SYMBOLS_FLOW_SETS_H
#define CFUZZ_SYMBOLS_FLOW_SETS_H

#include "symbols/flow.h"
#include "symbols/flow_graph.h"

/*
 * Node i of the graph is block i; behind them are nodes without code, then
 * the start of all ways, and the end of all ways, the last two. Fills the
 * sets of the blocks, and the members.
 */
void flow_sets_make(struct flow *flow, struct flow_graph *graph,
	const struct flow_input *input);

#endif

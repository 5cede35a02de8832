/* pc_table_calls_private: struct pc_table_calls, for pc_table_calls.c. */
#ifndef CFUZZ_ENGINE_FUNCTIONS_PC_TABLE_CALLS_PRIVATE_H
#define CFUZZ_ENGINE_FUNCTIONS_PC_TABLE_CALLS_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include "control/query.h"
#include "engine/functions/pc_table_calls.h"
#include "worker/pc_table.h"

#define PC_TABLE_CALL_QUERIES_MAX 16 /* others are answered at once */

/* A front end's query that waits for the workers' PC tables. */
struct pc_table_call_query {
	uint64_t id;
	uint64_t since_ns; /* 0: slot is free */
	struct query query;
	pc_table_calls_answer_fn *answer;
};

struct pc_table_calls {
	struct pc_table table; /* of the edges in the global coverage map */
	struct pc_table_call_query queries[PC_TABLE_CALL_QUERIES_MAX];
	bool answering; /* answering a query that may wait no longer */
};

#endif

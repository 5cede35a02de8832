/*
 * pc_table_calls: asks workers for the PC tables of their modules.
 */
#ifndef CFUZZ_ENGINE_FUNCTIONS_PC_TABLE_CALLS_H
#define CFUZZ_ENGINE_FUNCTIONS_PC_TABLE_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "control/query.h"
#include "worker/pc_table.h"

struct counter_module;
struct engine;
struct job;
struct worker_result;

/* Adds modules that workers have loaded. */
void pc_table_calls_add_modules(struct engine *e,
	const struct counter_module *modules, uint32_t n);
/* Fills a job that asks an idle worker for a PC table. False: there is none to
 * ask for. */
bool pc_table_calls_next(struct engine *e, struct job *job);
/* Takes the PC table of a result, and returns its module, borrowed, which knew
 * *from addresses before. */
const struct pc_table_module *pc_table_calls_take(struct engine *e,
	const struct worker_result *r, uint32_t *from);
/* Answers a query that waited. False: not now, call it again. */
typedef bool pc_table_calls_answer_fn(struct engine *e, uint64_t id,
	const struct query *query);
/* Queues a query until PC tables are known, for three seconds at most. False:
 * answer it now. */
bool pc_table_calls_hold(struct engine *e, uint64_t id,
	const struct query *query, pc_table_calls_answer_fn *answer);
/* Answers the queries that need not wait any more. */
void pc_table_calls_tick(struct engine *e);

/* The PC tables of the edges in the global coverage map. */
struct pc_table *pc_table_calls_table(const struct engine *e);

#endif

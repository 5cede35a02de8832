/*
 * pc_table_calls: asks workers for the PC tables of their modules.
 */
#ifndef CFUZZ_ENGINE_PC_TABLE_CALLS_H
#define CFUZZ_ENGINE_PC_TABLE_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "control/query.h"
#include "worker/pc_table.h"

struct counter_module;
struct engine;
struct job;
struct worker_result;

#define PC_TABLE_CALL_QUERIES_MAX 16

/* A front end's query that waits for the workers' PC tables. */
struct pc_table_call_query {
	uint64_t id;
	uint64_t since_ns; /* 0: slot is free */
	struct query query;
};

struct pc_table_calls {
	struct pc_table table; /* of the edges in the global coverage map */
	struct pc_table_call_query queries[PC_TABLE_CALL_QUERIES_MAX];
	bool answering; /* answering a query that may wait no longer */
};

/* Adds modules that workers have loaded. */
void pc_table_calls_add_modules(struct engine *e,
	const struct counter_module *modules, uint32_t n);
/* Fills a job that asks an idle worker for a PC table. False: there is none to
 * ask for. */
bool pc_table_calls_next(struct engine *e, struct job *job);
void pc_table_calls_on_result(struct engine *e, const struct worker_result *r);
/* Queues a query until PC tables are known. False: answer it now. */
bool pc_table_calls_hold(struct engine *e, uint64_t id,
	const struct query *query);
void pc_table_calls_tick(struct engine *e); /* answers overdue queries */

#endif

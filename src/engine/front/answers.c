/*
 * answers: the queries of a front end beside snapshots, see control/query.h. A
 * table of functions; each answers from memory, or starts the work for the
 * answer.
 */
#include "engine/front/answers.h"

#include <stdio.h>

#include "control/query.h"
#include "engine/front/server.h"
#include "engine/parts.h"

static answer_fn *const ANSWERS[QUERY_KIND_COUNT] = {
	[QUERY_COVERAGE] = answer_coverage,
	[QUERY_MODULES] = answer_modules,
	[QUERY_PCS] = answer_pcs,
	[QUERY_CORPUS] = answer_corpus,
	[QUERY_ENTRY] = answer_entry,
	[QUERY_MUTATION_LOG] = answer_mutation_log,
	[QUERY_WORKER] = answer_worker,
	[QUERY_JOURNAL] = answer_journal,
	[QUERY_MINIMIZATION] = answer_minimization,
	[QUERY_FINDING] = answer_finding,
};

uint64_t
answer_count(const struct query *query, uint64_t all, uint64_t most)
{
	uint64_t n = query->first < all ? all - query->first : 0;

	if (n > query->count)
		n = query->count;
	return n < most ? n : most;
}

void
answers_take(struct engine *e, uint64_t id, const struct query *query)
{
	struct reply reply = { .kind = query->kind };
	struct error err = { 0 };
	enum status status = ANSWERS[query->kind](e, id, query, &reply, &err);

	if (status == E_BUSY)
		return;
	if (status != OK) {
		reply_clear(&reply);
		reply.kind = query->kind;
		snprintf(reply.error, sizeof(reply.error), "%.159s", err.text);
	}
	server_reply(engine_server(e), id, &reply);
	reply_clear(&reply);
}

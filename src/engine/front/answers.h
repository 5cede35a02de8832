/*
 * answers: answers the queries of a front end.
 */
#ifndef CFUZZ_ENGINE_FRONT_ANSWERS_H
#define CFUZZ_ENGINE_FRONT_ANSWERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/status.h"

struct corpus_entry;
struct engine;
struct finding;
struct pc_table_module;
struct query;
struct reply;
struct reply_entry;
struct reply_modules;
struct reply_pcs;
struct reply_row;

/* Answers a query through the server, now or later. */
void answers_take(struct engine *e, uint64_t id, const struct query *query);

/*
 * front/answer_*.c: the answer to a query. OK: it is in *reply, which is empty
 * before; the caller clears it. E_BUSY: server_reply() comes later with this
 * id. Other errors: the text of err is the answer.
 */
typedef enum status answer_fn(struct engine *e, uint64_t id,
	const struct query *query, struct reply *reply, struct error *err);
answer_fn answer_coverage, answer_modules, answer_pcs; /* answer_coverage.c */
answer_fn answer_corpus;                               /* answer_corpus.c */
answer_fn answer_entry;                                /* answer_entry.c */
answer_fn answer_mutation_log; /* answer_mutation_log.c */
answer_fn answer_worker;       /* answer_worker.c */
answer_fn answer_minimization; /* answer_minimization.c */
answer_fn answer_journal;      /* answer_journal.c */
answer_fn answer_finding;      /* answer_finding.c */

/* Fill a reply with all modules, or with a piece of the PC table of one, from
 * query->first on. */
void answer_put_modules(const struct engine *e, struct reply_modules *all);
void answer_put_pcs(const struct pc_table_module *module,
	const struct query *query, struct reply_pcs *p);

/* The number of rows or bytes in an answer: of `all` from query->first on, at
 * most query->count and `most`. */
uint64_t answer_count(const struct query *query, uint64_t all, uint64_t most);

/* The subject of a query: an entry or a finding, borrowed; the other one is
 * NULL. */
struct subject {
	struct corpus_entry *entry;
	struct finding *finding;
	bool minimized; /* the minimized input of the finding */
};

/* Finds an entry by its name or a prefix, a finding by its id, or its minimized
 * input by id and "/min". E_NOT_FOUND: there is none. */
enum status answer_find(struct engine *e, const char *name,
	struct subject *subject, struct error *err) MUST_CHECK;
/* Answers a query for a text of a finding, "ID/call" or "ID/seq". False: the
 * query is not for such a text. */
bool answer_text(struct engine *e, const struct query *query,
	struct reply_entry *r);
/* Puts a copy of the requested piece of the data into the reply. */
void answer_put_bytes(const struct query *query, const void *data, size_t len,
	struct reply_entry *r);
/* Describes the entry as a row of the corpus. */
void answer_row(const struct engine *e, const struct corpus_entry *entry,
	struct reply_row *row);

#endif

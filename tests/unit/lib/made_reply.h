/*
 * made_reply: answers to whatever a view may ask, made from the tables of
 * control/query_fields.h; so a new member, or kind, is in them by itself.
 */
#ifndef CFUZZ_TESTS_MADE_REPLY_H
#define CFUZZ_TESTS_MADE_REPLY_H

#include "control/query.h"

enum made_kind {
	MADE_PLAIN,   /* small numbers, short words */
	MADE_HOSTILE, /* the greatest numbers, texts that are no texts */
	MADE_EMPTY,   /* nothing of all this is known */
	MADE_ERROR,   /* an answer that says why there is none */
	MADE_KINDS
};

/* As the engine sends it; a new reference. */
json_t *made_reply_json(const struct query *query, uint64_t id,
	enum made_kind kind);

/* A screen_answer_fn; arg: enum made_kind *. */
void made_reply(const struct query *query, struct reply *reply, void *arg);

#endif

/*
 * fake_chaos: a worker that does, call by call, anything a target may do.
 *
 * What it does is drawn; an input always fails in the way that its first byte
 * says, but for now and then.
 */
#ifndef CFUZZ_TESTS_FAKE_CHAOS_H
#define CFUZZ_TESTS_FAKE_CHAOS_H

#include "shared/wire/memory.h"
#include "shared/wire/rpc.h"

struct fake_call {
	struct worker_head *head;
	const struct campaign_head *campaign;
	const struct rpc_request *request;
	struct rpc_reply *reply;
	unsigned number;
};

/* Fills the reply; may end the process instead. */
void fake_chaos(const struct fake_call *call);

#endif

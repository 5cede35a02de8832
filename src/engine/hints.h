/*
 * hints: advice about the build of the target, and about a program that seems
 * to read nothing.
 */
#ifndef CFUZZ_ENGINE_HINTS_H
#define CFUZZ_ENGINE_HINTS_H

struct engine;
struct rpc_reply;

/* Gives the hints on the build of the target, in the first run of a campaign.
 * ping: the answer of the first worker. */
void hints_say(struct engine *e, const struct rpc_reply *ping);
/* Call each second: gives one hint if a program seems to read nothing. */
void hints_on_second(struct engine *e);

#endif

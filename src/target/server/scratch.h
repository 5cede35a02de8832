/*
 * scratch: memory for the messages between engine and fork server.
 *
 * The target's malloc() will not do: a sanitizer's version delays the reuse of
 * memory, so each message would make the process larger and its forks slower.
 */
#ifndef CFUZZ_TARGET_SERVER_SCRATCH_H
#define CFUZZ_TARGET_SERVER_SCRATCH_H

/*
 * From now on messages use this memory; children do not inherit it. If there is
 * none, messages stay in the target's malloc().
 */
void scratch_init(void);

/* Releases all messages: pointers to their parts are invalid from now on. */
void scratch_reset(void);

#endif

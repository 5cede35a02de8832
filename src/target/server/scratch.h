/*
 * scratch: memory for the messages between engine and keeper.
 *
 * Not the target's malloc(): a sanitizer's would keep all that was ever freed
 * for a while, and with every message the keeper's forks would cost more.
 */
#ifndef CFUZZ_TARGET_SERVER_SCRATCH_H
#define CFUZZ_TARGET_SERVER_SCRATCH_H

/* From now on messages are made of it; children do not have it. */
void scratch_init(void);

/* No message is in use any more. */
void scratch_reset(void);

#endif

/*
 * own_memory: the memory of a campaign, for one test.
 */
#ifndef CFUZZ_TESTS_OWN_MEMORY_H
#define CFUZZ_TESTS_OWN_MEMORY_H

#define OWN_MEMORY_MAX_LEN 64
#define OWN_MEMORY_ARENA 65536

/* Set-up and tear-down; *state is a struct campaign_memory. */
int own_memory_open(void **state);
int own_memory_close(void **state);

#endif

/*
 * set_up: memory, output directory and seeds of a campaign.
 */
#ifndef CFUZZ_ENGINE_SET_UP_H
#define CFUZZ_ENGINE_SET_UP_H

#include "shared/status.h"

struct engine;

/* Opens the file of --debug, if it is given. */
enum status set_up_log(const struct engine *e, struct error *err) MUST_CHECK;
/* Names and arguments of the target, and the path of the output directory. */
void set_up_names(struct engine *e, const char *target, char *const *args);
/* Campaign memory with the dictionaries, and the target's environment. */
enum status set_up_memory(struct engine *e, struct error *err) MUST_CHECK;
/* Output directory, corpus and seeds. */
enum status set_up_store(struct engine *e, char **args, struct error *err)
	MUST_CHECK;

/* The part of set_up_store() after the directory is open. */
enum status set_up_corpus(struct engine *e, struct error *err) MUST_CHECK;

#endif

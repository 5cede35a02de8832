/*
 * set_up: memory, output directory and seeds of a campaign. When a function
 * fails, err tells the user why, and engine_destroy() frees what it has opened.
 */
#ifndef CFUZZ_ENGINE_SET_UP_H
#define CFUZZ_ENGINE_SET_UP_H

#include "shared/status.h"

struct engine;

/* Opens the file of --debug, if it is given. */
enum status set_up_log(const struct engine *e, struct error *err) MUST_CHECK;
/* Names and arguments of the target, and the path of the output directory. */
void set_up_names(struct engine *e, const char *target, char *const *args);
/* Opens campaign memory with the dictionaries, and makes the target's
 * environment. E_USAGE: --cmplog is wrong. Other errors as of
 * campaign_memory_open() and dictionary_load(). */
enum status set_up_memory(struct engine *e, struct error *err) MUST_CHECK;
/* Opens output directory, corpus and seeds. args: of the target, for the
 * journal. */
enum status set_up_store(struct engine *e, char **args, struct error *err)
	MUST_CHECK;

/* The part of set_up_store() after the directory is open. Takes what the last run
 * knew of the program. */
enum status set_up_corpus(struct engine *e, struct error *err) MUST_CHECK;

#endif

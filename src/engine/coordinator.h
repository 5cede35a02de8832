/*
 * coordinator: decides what a result means.
 */
#ifndef CFUZZ_ENGINE_COORDINATOR_H
#define CFUZZ_ENGINE_COORDINATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct corpus_entry;
struct counter_module;
struct engine;
struct worker;
struct worker_result;

void coordinator_on_result(void *arg, struct worker *w,
	const struct worker_result *r);
void coordinator_on_modules(void *arg, struct worker *w,
	const struct counter_module *modules, uint32_t n);
struct corpus_entry *coordinator_add_input(struct engine *e,
	const uint8_t *data, size_t len, const struct corpus_entry *parent,
	bool save);
void coordinator_finish_warmup(struct engine *e);
/* Replaces the entry's bytes by smaller ones with the same coverage; best may
 * be NULL: there are none. */
void coordinator_shrink_entry(struct engine *e, struct corpus_entry *entry,
	const uint8_t *best, size_t len, uint64_t tries);
/* Call when the entry's bytes cannot be read any more. */
void coordinator_skip_input(struct engine *e, struct corpus_entry *entry);

#endif

/*
 * entries: adds inputs to the corpus, in memory and on disk.
 */
#ifndef CFUZZ_ENGINE_CORPUS_ENTRIES_H
#define CFUZZ_ENGINE_CORPUS_ENTRIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct corpus_entry;
struct engine;

/* save: to the disk as well. NULL: the corpus has these bytes already. */
struct corpus_entry *entries_add(struct engine *e, const uint8_t *data,
	size_t len, const struct corpus_entry *parent, bool save);
/* Writes the entry's file. old: name of the file that it replaces, or "". */
void entries_keep(struct engine *e, struct corpus_entry *entry,
	const void *data, size_t len, const char *old);
/* Replaces the entry's bytes by smaller ones with the same coverage; best may
 * be NULL: there are none. tries: candidates that were tried. */
void entries_shrink(struct engine *e, struct corpus_entry *entry,
	const uint8_t *best, size_t len, uint64_t tries);

#endif

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

/*
 * Adds a copy of these bytes to the corpus and to the arena; save: to the disk
 * as well. parent: NULL: none. The corpus owns the entry. NULL: the corpus has
 * these bytes already.
 */
struct corpus_entry *entries_add(struct engine *e, const uint8_t *data,
	size_t len, const struct corpus_entry *parent, bool save);
/* Gives the writer a copy of the entry's bytes, for a file of its name. old:
 * name of the file that it replaces, or "". If the disk refuses the file for
 * good, the exit status becomes EXIT_LOST. */
void entries_keep(struct engine *e, struct corpus_entry *entry,
	const void *data, size_t len, const char *old);
/* Replaces the entry's bytes by others of at most its length, with the same
 * coverage. False, without effect: best is NULL, or the corpus has these bytes.
 * tries: candidates that were tried. */
bool entries_shrink(struct engine *e, struct corpus_entry *entry,
	const uint8_t *best, size_t len, uint64_t tries);

#endif

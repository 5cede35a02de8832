/*
 * seeds: the inputs that a campaign starts with, one file at a time.
 *
 * First the seeds of the target itself, then those of the user (each directory
 * in order, its files sorted by bytes; a plain file counts as one seed), then
 * the corpus of the output directory. Files are only read. Nothing odd in a
 * directory can stop, block or overload the engine: it is skipped and counted.
 */
#ifndef CFUZZ_CORPUS_SEEDS_H
#define CFUZZ_CORPUS_SEEDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/status.h"
#include "shared/values/tuple.h"
#include "worker/inputs/input_sequence.h"

struct seeds;

struct seed {
	uint8_t *data; /* owned by the caller; never NULL */
	size_t len;
	const char *name; /* of the file, raw; valid until the next call */
	/* As the user wrote it; "corpus"; "" for a seed of the target, which
	 * has no file. */
	const char *directory;
	bool from_corpus;
};

enum seeds_step {
	SEEDS_ONE,     /* the seed is filled in */
	SEEDS_SKIPPED, /* the file is not a seed; continue */
	SEEDS_END,
};

/* The reason why a file was skipped. */
enum seeds_skip {
	SEEDS_SKIP_FOLDER,
	SEEDS_SKIP_LINK,    /* a symbolic link */
	SEEDS_SKIP_SPECIAL, /* FIFO, socket, device */
	SEEDS_SKIP_LARGE,   /* longer than max_len */
	SEEDS_SKIP_UNREADABLE,
	SEEDS_SKIP_MALFORMED, /* not valid text, or of other types */
	SEEDS_SKIP_COUNT
};

/*
 * Opens all sources and lists their names. A source that is missing, not
 * readable or neither file nor directory is E_USAGE. corpus_dirfd (-1: none) is
 * borrowed until seeds_close().
 */
enum status seeds_open(struct seeds **seeds, char *const *sources, size_t n,
	int corpus_dirfd, size_t max_len, struct error *err) MUST_CHECK;
void seeds_close(struct seeds *seeds); /* NULL is fine */

/* Sets the types of the target: from now on text files become tuples. */
void seeds_set_types(struct seeds *seeds, const struct tuple_types *types);
/* Adds seeds of the target itself; before the first seeds_next(). */
void seeds_set_own(struct seeds *seeds, const struct input_sequence *own);

/* Sorts files of the corpus by ascending rank; before the first
 * seeds_next(). */
typedef uint32_t seeds_rank_fn(void *arg, const char *name);
void seeds_sort_corpus(struct seeds *seeds, seeds_rank_fn *rank, void *arg);

/* Reads the next file. */
enum seeds_step seeds_next(struct seeds *seeds, struct seed *seed);

uint64_t seeds_skipped(const struct seeds *seeds, enum seeds_skip why);

/*
 * Writes a message about skipped files of one kind; false if there are none. `3
 * files skipped, larger than 1048576 bytes (--max-len): big.bin, …`
 */
bool seeds_message(const struct seeds *seeds, enum seeds_skip why, char *buf,
	size_t size);

#endif

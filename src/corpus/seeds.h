/*
 * seeds: the inputs that a campaign starts with, one file at a time.
 *
 * First the seeds of the target itself, then those of the user (each directory
 * in order, its files sorted by bytes; a plain file counts as one seed), then
 * the corpus of the output directory. Everything is only read. Nothing odd in a directory can stop,
 * block or blow up the engine: it is skipped and counted.
 */
#ifndef CFUZZ_CORPUS_SEEDS_H
#define CFUZZ_CORPUS_SEEDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/status.h"
#include "shared/values/tuple.h"
#include "worker/input_sequence.h"

struct seeds;

struct seed {
	uint8_t *data; /* the caller's; never NULL */
	size_t len;
	const char *name;      /* of the file, raw; until the next call */
	const char *directory; /* as the user wrote it; "corpus"; "": the
				  target's, which has no file */
	bool from_corpus;
};

enum seeds_step {
	SEEDS_ONE,     /* the seed is filled in */
	SEEDS_SKIPPED, /* a file that is no seed; go on */
	SEEDS_END,
};

/* Why a file was no seed. */
enum seeds_skip {
	SEEDS_SKIP_FOLDER,
	SEEDS_SKIP_LINK,
	SEEDS_SKIP_SPECIAL, /* FIFO, socket, device */
	SEEDS_SKIP_LARGE,
	SEEDS_SKIP_UNREADABLE,
	SEEDS_SKIP_MALFORMED, /* no text, or of other types */
	SEEDS_SKIP_COUNT
};

/*
 * Opens all places and lists their names. A place that is missing, not
 * readable or neither file nor directory is E_USAGE. corpus_dirfd (-1: none)
 * is borrowed until seeds_close().
 */
enum status seeds_open(struct seeds **seeds, char *const *places, size_t n,
	int corpus_dirfd, size_t max_len, struct error *err) MUST_CHECK;
void seeds_close(struct seeds *seeds); /* NULL is fine */

/* What the target takes: seeds are tuples from now on, files are text. */
void seeds_set_types(struct seeds *seeds, const struct tuple_types *types);
/* Inputs that the target itself brings; before the first look. */
void seeds_set_own(struct seeds *seeds, const struct input_sequence *own);

/* Files of the corpus come by rank, the lowest first; before the first look. */
typedef uint32_t seeds_rank_fn(void *arg, const char *name);
void seeds_sort_corpus(struct seeds *seeds, seeds_rank_fn *rank, void *arg);

/* Looks at one file. */
enum seeds_step seeds_next(struct seeds *seeds, struct seed *seed);

uint64_t seeds_skipped(const struct seeds *seeds, enum seeds_skip why);

/*
 * One line per kind of skipped file, for people: false when there was none.
 * `3 files skipped, larger than 1048576 bytes (--max-len): big.bin, …`
 */
bool seeds_message(const struct seeds *seeds, enum seeds_skip why, char *buf,
	size_t size);

#endif

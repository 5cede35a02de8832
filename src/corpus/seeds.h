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
	/* The file's, not cleaned; "seed#0" … for a seed of the target. Valid
	 * until the next seeds_next(). */
	const char *name;
	/* As the user wrote it; the absolute path of the folder if the user
	 * named a file; "corpus"; "" for a seed of the target. Valid until
	 * seeds_close(). */
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
 * Opens all sources and lists their names. max_len: bytes of an input. E_USAGE:
 * a source is missing, not readable, or neither file nor directory; E_IO: the
 * corpus cannot be listed; *seeds is NULL then. corpus_dirfd (-1: none) is
 * borrowed until seeds_close().
 */
enum status seeds_open(struct seeds **seeds, char *const *sources, size_t n,
	int corpus_dirfd, size_t max_len, struct error *err) MUST_CHECK;
void seeds_close(struct seeds *seeds); /* NULL is fine */

/* Copies the types of the target: from now on text files become tuples. */
void seeds_set_types(struct seeds *seeds, const struct tuple_types *types);
/* Adds copies of the seeds of the target itself; before the first
 * seeds_next(). */
void seeds_set_own(struct seeds *seeds, const struct input_sequence *own);

/* Sorts files of the corpus by ascending rank; before the first
 * seeds_next(). */
typedef uint32_t seeds_rank_fn(void *arg, const char *name);
void seeds_sort_corpus(struct seeds *seeds, seeds_rank_fn *rank, void *arg);

/* Reads the next file. Except with SEEDS_ONE, *seed is zero. */
enum seeds_step seeds_next(struct seeds *seeds, struct seed *seed);

/* Bytes of all files read so far, also of those skipped afterwards. */
uint64_t seeds_bytes_read(const struct seeds *seeds);

/* The number of files skipped for this reason so far. */
uint64_t seeds_skipped(const struct seeds *seeds, enum seeds_skip why);

/*
 * Writes a message about the files skipped for one reason, cut at size - 1
 * bytes: `4 seeds skipped, each is over --max-len: a.bin, b.bin, c.bin …`.
 * False: there are none.
 */
bool seeds_message(const struct seeds *seeds, enum seeds_skip why, char *buf,
	size_t size);

#endif

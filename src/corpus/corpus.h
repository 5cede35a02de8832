/*
 * corpus: the inputs to mutate, in order of arrival.
 *
 * An entry is identified by the sha256 of its file, so no input is there twice.
 * Its name is the first 16 hex digits, or all 64 if another entry has the same
 * 16. Entries never move or leave before corpus_destroy(): indexes and pointers
 * stay valid. If the memory is over its budget, bytes that are on the disk or
 * in another memory may be dropped; corpus_load() reads them again.
 */
#ifndef CFUZZ_CORPUS_CORPUS_H
#define CFUZZ_CORPUS_CORPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "shared/status.h"
#include "shared/values/tuple.h"

#define CORPUS_NONE UINT32_MAX /* no entry */
#define CORPUS_NAME_LEN 16u    /* digits of a name, if they are unique */

struct corpus_entry {
	uint32_t index;      /* order of arrival, from 0 */
	uint32_t parent;     /* index, or CORPUS_NONE */
	uint32_t generation; /* parent's + 1; 0: a seed */
	uint32_t arena; /* for the owner: entry in campaign memory, or NONE */
	/* For the owner: warm-up calls that failed before the input ran. */
	uint32_t warmup_tries;
	uint32_t finds; /* for the owner: entries made from it */
	/* For the owner: executions since the last new input. May be a
	 * fraction, as the executions of a call are shared out. */
	double work;
	double executions; /* for the owner: all executions … */
	/* … and the time of its children's deaths, counted as executions. */
	double deaths;
	bool is_seed;
	bool is_resumed;       /* from an earlier run */
	bool unstable;         /* some of its features did not come back */
	bool favoured;         /* the smallest and fastest for some edge */
	bool of_value_profile; /* new only in the value profile */
	bool on_disk;          /* acknowledged, or loaded from there */
	bool is_copied;        /* the arena has these bytes as well */
	bool is_lost;          /* energy_lose() */
	bool is_measured;      /* for the owner: timed twice, or it cannot be */
	bool queued; /* for the corpus: in its queue of bytes to drop, … */
	uint64_t new_bits; /* features that no earlier entry had */
	uint64_t exec_ns;  /* execution time; 0: unknown, or not to be used */
	/* Seconds of this run, without pauses; negative: in an earlier run. */
	double found_at_s;
	size_t len;
	size_t file_len; /* length of its file; only typed targets differ */
	uint8_t *data;   /* owned; NULL: dropped, see corpus_load() */
	struct corpus_entry *next; /* … and the one behind it */
	uint8_t sha[SHA256_LEN];
	/* For the corpus: its sha before the last corpus_replace(), as far as a
	 * name shows it; zero: it was never replaced. */
	uint8_t was[CORPUS_NAME_LEN / 2];
	char name[SHA256_HEX_SIZE];
};

/* Reads the file of an entry again, at most entry->file_len bytes; if it is not
 * on the disk, makes its content of the copy. The caller frees *data. E_RANGE:
 * it is longer; E_FORMAT: not a regular file. */
typedef enum status corpus_read_fn(void *arg, const struct corpus_entry *entry,
	uint8_t **data, size_t *len, struct error *err);

struct corpus;

/* budget: bytes of inputs to keep in memory. read: for corpus_load(). */
struct corpus *corpus_create(size_t budget, corpus_read_fn *read, void *arg);
void corpus_destroy(struct corpus *corpus); /* NULL is fine */

/* Copies the types of the target; before the first entry. */
void corpus_set_types(struct corpus *corpus, const struct tuple_types *types);

/*
 * Adds a copy of the bytes. parent: an index, or CORPUS_NONE. *is_new (may be
 * NULL) is false if the bytes were there; then the older entry is returned
 * unchanged. In a new entry only index, name, sha, parent, generation, bytes
 * and lengths are set; all else is zero, and arena is CORPUS_NONE.
 */
struct corpus_entry *corpus_add(struct corpus *corpus, const void *data,
	size_t len, uint32_t parent, bool *is_new);

/*
 * Gives a trimmed entry a copy of its new bytes; it gets a new name and is no
 * longer on disk, nor copied, nor lost. False, and nothing changes, if an entry has these bytes.
 */
bool corpus_replace(struct corpus *corpus, struct corpus_entry *entry,
	const void *data, size_t len);

/* Writes all 64 digits of the entry's name. */
void corpus_full_name(const struct corpus_entry *entry,
	char name[SHA256_HEX_SIZE]);

/* Sets on_disk or is_copied, so that the bytes may be dropped. */
void corpus_set_on_disk(struct corpus *corpus, struct corpus_entry *entry);
void corpus_set_copied(struct corpus *corpus, struct corpus_entry *entry);

/*
 * Returns the bytes, borrowed until the next corpus_load(), corpus_add() or
 * corpus_replace(). E_NOT_FOUND: the file is gone, or was changed by another
 * program; E_INTERNAL: there is no function to read it; or an error of that
 * function.
 */
enum status corpus_load(struct corpus *corpus, struct corpus_entry *entry,
	const uint8_t **data, struct error *err) MUST_CHECK;

size_t corpus_len(const struct corpus *corpus); /* entries */

/* These return NULL if there is no such entry. */
struct corpus_entry *corpus_get(const struct corpus *corpus, uint32_t index);
/* The entry's parent; also NULL if it is unknown. */
struct corpus_entry *corpus_parent(const struct corpus *corpus,
	const struct corpus_entry *entry);
struct corpus_entry *corpus_find(const struct corpus *corpus, const void *data,
	size_t len);
/* Finds an entry by its complete name, 16 or 64 digits. */
struct corpus_entry *corpus_find_exact(const struct corpus *corpus,
	const char *name);
/* Finds an entry by its name or its first digits, at least 4; NULL also if
 * several entries begin with them. If none does, finds the newest entry whose
 * name began with them before its last corpus_replace(). */
struct corpus_entry *corpus_find_name(const struct corpus *corpus,
	const char *name);

#endif

/*
 * corpus: the inputs that are worth mutating, in the order they came.
 *
 * An entry is known by the sha256 of its bytes, as a file has them, so none is
 * there twice. Its name is the first 16 hex digits, all 64 if another entry has
 * those 16.
 * Entries never move or leave before corpus_clear(): an index and a pointer
 * stay good. Bytes that are on disk may be dropped beyond a budget and are
 * read again when somebody wants them.
 */
#ifndef CFUZZ_CORPUS_CORPUS_H
#define CFUZZ_CORPUS_CORPUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "shared/status.h"
#include "shared/values/tuple.h"

#define CORPUS_NONE UINT32_MAX

struct corpus_entry {
	uint32_t index;
	uint32_t parent;     /* index, or CORPUS_NONE */
	uint32_t generation; /* parent's + 1; 0: a seed */
	uint32_t arena;      /* for the owner: entry in campaign memory */
	uint32_t picks;      /* for the owner: times chosen as a parent */
	uint32_t finds;      /* for the owner: entries made from it */
	double work;         /* for the owner: executions since the last one;
				often a part of one more: calls are short */
	double executions;   /* for the owner: all of them … */
	double deaths; /* … and what children's deaths took, as executions */
	bool is_seed;
	bool is_resumed; /* of an earlier run */
	bool unstable;   /* its bits did not all come back */
	bool favoured;
	bool is_progress; /* all it brought was progress in a comparison */
	bool on_disk;     /* acknowledged, or loaded from there */
	uint64_t new_bits;
	uint64_t exec_ns;
	double found_at_s;
	size_t len;
	size_t file_len; /* of its file; the same unless the target is typed */
	uint8_t *data;   /* owned; NULL: dropped, see corpus_load() */
	uint8_t sha[SHA256_LEN];
	char name[SHA256_HEX_SIZE];
};

/* Reads the file of an entry again; *data is the caller's. */
typedef enum status corpus_read_fn(void *arg, const char *name, size_t max,
	uint8_t **data, size_t *len, struct error *err);

struct corpus;

struct corpus *corpus_create(size_t budget, corpus_read_fn *read, void *arg);
void corpus_destroy(struct corpus *corpus); /* NULL is fine */

/* What the target takes; before the first entry. */
void corpus_set_types(struct corpus *corpus, const struct tuple_types *types);

/*
 * Adds a copy of the bytes. *is_new (may be NULL) tells if they were not
 * there; otherwise the older entry is returned, unchanged. A new entry has
 * index, name, parent and generation set, all else zero (arena CORPUS_NONE).
 */
struct corpus_entry *corpus_add(struct corpus *corpus, const void *data,
	size_t len, uint32_t parent, bool *is_new);

/*
 * Gives an entry other bytes (it was minimized): a new name, not on disk.
 * False, and nothing happens, if those bytes are another entry's.
 */
bool corpus_replace(struct corpus *corpus, struct corpus_entry *entry,
	const void *data, size_t len);

/* All 64 digits. */
void corpus_full_name(const struct corpus_entry *entry,
	char name[SHA256_HEX_SIZE]);

/* Sets on_disk, which makes the bytes droppable. */
void corpus_set_on_disk(struct corpus *corpus, struct corpus_entry *entry);

/* The bytes, borrowed until the next corpus_load() or corpus_add(). E_IO and
 * the like when the file is gone or is not what it was. */
enum status corpus_load(struct corpus *corpus, struct corpus_entry *entry,
	const uint8_t **data, struct error *err) MUST_CHECK;

size_t corpus_len(const struct corpus *corpus);      /* entries */
size_t corpus_resident(const struct corpus *corpus); /* in memory */

/* NULL: there is none. */
struct corpus_entry *corpus_get(const struct corpus *corpus, uint32_t index);
struct corpus_entry *corpus_find(const struct corpus *corpus, const void *data,
	size_t len);
/* By the whole of a name. */
struct corpus_entry *corpus_find_exact(const struct corpus *corpus,
	const char *name);
/* By a name, or by the first digits of one (at least 4, unique). */
struct corpus_entry *corpus_find_name(const struct corpus *corpus,
	const char *name);

#endif

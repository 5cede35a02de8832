/*
 * corpus: see corpus.h. An array of entries in order of arrival, with an open
 * hash over the first eight bytes of their sha256. Entries whose bytes may be
 * dropped wait in a queue, so that the others cost nothing, however many.
 */
#include "corpus/corpus.h"

#include <stdlib.h>
#include <string.h>

#include "base/hex_text.h"
#include "base/xmalloc.h"
#include "worker/inputs/input_text.h"

#define CORPUS_SLOTS_FIRST 64u
#define CORPUS_PREFIX_MIN 4u

struct corpus {
	struct corpus_entry **entries;
	size_t n;
	uint32_t *slots; /* index + 1, or 0 */
	size_t slots_n;  /* a power of two, at least twice n */
	size_t resident, budget;
	struct corpus_entry *first, *last; /* the queue of bytes to drop */
	const struct corpus_entry *in_use; /* lent out last */
	corpus_read_fn *read;
	void *arg;
	struct tuple_types types; /* of the target */
};

/* ---- the hash ----------------------------------------------------------- */

static uint64_t
corpus_key(const uint8_t *sha)
{
	uint64_t key;

	memcpy(&key, sha, sizeof(key));
	return key;
}

static void
corpus_put_slot(struct corpus *corpus, const struct corpus_entry *entry)
{
	size_t mask = corpus->slots_n - 1;
	size_t i = corpus_key(entry->sha) & mask;

	while (corpus->slots[i])
		i = (i + 1) & mask;
	corpus->slots[i] = entry->index + 1;
}

static void
corpus_grow_slots(struct corpus *corpus)
{
	size_t i;

	if (2 * (corpus->n + 1) <= corpus->slots_n)
		return;
	corpus->slots_n *= 2;
	free(corpus->slots);
	corpus->slots = xcalloc(corpus->slots_n, sizeof(*corpus->slots));
	for (i = 0; i < corpus->n; i++)
		corpus_put_slot(corpus, corpus->entries[i]);
}

/* *clash: another entry has the same first 16 digits. */
static struct corpus_entry *
corpus_find_sha(const struct corpus *corpus, const uint8_t *sha, bool *clash)
{
	size_t mask = corpus->slots_n - 1;
	size_t i = corpus_key(sha) & mask;
	struct corpus_entry *entry;

	*clash = false;
	for (; corpus->slots[i]; i = (i + 1) & mask) {
		entry = corpus->entries[corpus->slots[i] - 1];
		if (memcmp(entry->sha, sha, SHA256_LEN) == 0)
			return entry;
		if (corpus_key(entry->sha) == corpus_key(sha))
			*clash = true;
	}
	return NULL;
}

/* ---- life --------------------------------------------------------------- */

struct corpus *
corpus_create(size_t budget, corpus_read_fn *read, void *arg)
{
	struct corpus *corpus = xcalloc(1, sizeof(*corpus));

	corpus->budget = budget;
	corpus->read = read;
	corpus->arg = arg;
	corpus->slots_n = CORPUS_SLOTS_FIRST;
	corpus->slots = xcalloc(corpus->slots_n, sizeof(*corpus->slots));
	return corpus;
}

void
corpus_set_types(struct corpus *corpus, const struct tuple_types *types)
{
	corpus->types = *types;
}

void
corpus_destroy(struct corpus *corpus)
{
	size_t i;

	if (!corpus)
		return;
	for (i = 0; i < corpus->n; i++) {
		free(corpus->entries[i]->data);
		free(corpus->entries[i]);
	}
	free(corpus->entries);
	free(corpus->slots);
	free(corpus);
}

/* ---- bytes in memory and not ------------------------------------------- */

static void
corpus_queue(struct corpus *corpus, struct corpus_entry *entry)
{
	if (entry->queued)
		return;
	entry->queued = true;
	entry->next = NULL;
	if (corpus->first == NULL)
		corpus->first = entry;
	else
		corpus->last->next = entry;
	corpus->last = entry;
}

static struct corpus_entry *
corpus_take(struct corpus *corpus)
{
	struct corpus_entry *entry = corpus->first;

	corpus->first = entry->next;
	entry->queued = false;
	return entry;
}

static void
corpus_drop(struct corpus *corpus)
{
	struct corpus_entry *entry, *kept = NULL;

	while (corpus->resident > corpus->budget && corpus->first != NULL) {
		entry = corpus_take(corpus);
		if (!entry->on_disk && !entry->is_copied)
			continue; /* it was replaced since */
		if (entry == corpus->in_use) {
			kept = entry;
			continue;
		}
		free(entry->data);
		entry->data = NULL;
		corpus->resident -= entry->len;
	}
	if (kept != NULL)
		corpus_queue(corpus, kept);
}

static void
corpus_allow_drop(struct corpus *corpus, struct corpus_entry *entry)
{
	if (entry->data != NULL)
		corpus_queue(corpus, entry);
	corpus_drop(corpus);
}

void
corpus_set_on_disk(struct corpus *corpus, struct corpus_entry *entry)
{
	entry->on_disk = true;
	corpus_allow_drop(corpus, entry);
}

void
corpus_set_copied(struct corpus *corpus, struct corpus_entry *entry)
{
	entry->is_copied = true;
	corpus_allow_drop(corpus, entry);
}

static enum status
corpus_say_changed(const struct corpus_entry *entry, struct error *err)
{
	error_clear(err);
	return error_set(err, E_NOT_FOUND,
		"%s: the file was changed by another program", entry->name);
}

/* Reads the file of an entry, whose hash must still be that of its name. */
static enum status
corpus_read(struct corpus *corpus, struct corpus_entry *entry,
	struct error *err)
{
	enum status status;
	uint8_t sha[SHA256_LEN], *data;
	size_t len;

	if (!corpus->read)
		return error_set(err, E_INTERNAL,
			"%s: the file of this input is missing", entry->name);
	status = corpus->read(corpus->arg, entry, &data, &len, err);
	/* It is longer now, or no file: no trouble that may pass. */
	if (status == E_RANGE || status == E_FORMAT)
		return corpus_say_changed(entry, err);
	if (status != OK)
		return status;
	sha256(data, len, sha);
	if (memcmp(sha, entry->sha, sizeof(sha)) != 0 ||
		input_from_text(&corpus->types, &data, &len, entry->len,
			NULL) != OK) {
		free(data);
		return corpus_say_changed(entry, err);
	}
	entry->data = data;
	corpus->resident += len;
	corpus_queue(corpus, entry);
	return OK;
}

enum status
corpus_load(struct corpus *corpus, struct corpus_entry *entry,
	const uint8_t **data, struct error *err)
{
	if (!entry->data) {
		enum status status = corpus_read(corpus, entry, err);

		if (status != OK)
			return status;
	}
	corpus->in_use = entry;
	corpus_drop(corpus);
	*data = entry->data;
	return OK;
}

/* ---- entries ------------------------------------------------------------ */

/* Hashes the text that is in the file. Returns the length of that text. */
static size_t
corpus_hash(const struct corpus *corpus, const void *data, size_t len,
	uint8_t sha[SHA256_LEN])
{
	struct input_text text;
	size_t file_len;

	input_text_init(&text, &corpus->types, data, len);
	sha256(text.data, text.len, sha);
	file_len = text.len;
	input_text_clear(&text);
	return file_len;
}

void
corpus_full_name(const struct corpus_entry *entry, char name[SHA256_HEX_SIZE])
{
	hex_encode(entry->sha, SHA256_LEN, name);
}

static void
corpus_set_name(struct corpus_entry *entry, bool clash)
{
	corpus_full_name(entry, entry->name);
	entry->name[clash ? 2 * SHA256_LEN : CORPUS_NAME_LEN] = 0;
}

static void
corpus_append(struct corpus *corpus, struct corpus_entry *entry)
{
	corpus->entries = xgrow(corpus->entries, corpus->n, 1,
		sizeof(struct corpus_entry *));
	entry->index = (uint32_t)corpus->n;
	corpus_grow_slots(corpus);
	corpus->entries[corpus->n++] = entry;
	corpus_put_slot(corpus, entry);
}

struct corpus_entry *
corpus_add(struct corpus *corpus, const void *data, size_t len, uint32_t parent,
	bool *is_new)
{
	struct corpus_entry *entry, *from = corpus_get(corpus, parent);
	uint8_t sha[SHA256_LEN];
	size_t file_len = corpus_hash(corpus, data, len, sha);
	bool clash;

	entry = corpus_find_sha(corpus, sha, &clash);
	if (is_new)
		*is_new = entry == NULL;
	if (entry)
		return entry;
	entry = xcalloc(1, sizeof(*entry));
	entry->parent = parent;
	entry->generation = from ? from->generation + 1 : 0;
	entry->arena = CORPUS_NONE;
	entry->data = xmemdup(data, len);
	entry->len = len;
	entry->file_len = file_len;
	memcpy(entry->sha, sha, sizeof(sha));
	corpus_set_name(entry, clash);
	corpus_append(corpus, entry);
	corpus->resident += len;
	corpus->in_use = entry;
	corpus_drop(corpus);
	return entry;
}

/* Removes an entry from the hash and closes the gap in its run. */
static void
corpus_drop_slot(struct corpus *corpus, const struct corpus_entry *entry)
{
	size_t mask = corpus->slots_n - 1;
	size_t i = corpus_key(entry->sha) & mask;
	uint32_t index;

	while (corpus->slots[i] != entry->index + 1)
		i = (i + 1) & mask;
	corpus->slots[i] = 0;
	for (i = (i + 1) & mask; corpus->slots[i]; i = (i + 1) & mask) {
		index = corpus->slots[i] - 1;
		corpus->slots[i] = 0;
		corpus_put_slot(corpus, corpus->entries[index]);
	}
}

bool
corpus_replace(struct corpus *corpus, struct corpus_entry *entry,
	const void *data, size_t len)
{
	uint8_t sha[SHA256_LEN];
	size_t file_len = corpus_hash(corpus, data, len, sha);
	bool clash;

	if (corpus_find_sha(corpus, sha, &clash))
		return false;
	corpus_drop_slot(corpus, entry);
	corpus->resident += len - (entry->data ? entry->len : 0);
	free(entry->data);
	entry->data = xmemdup(data, len);
	entry->len = len;
	entry->file_len = file_len;
	entry->on_disk = entry->is_copied = entry->is_lost = false;
	memcpy(entry->was, entry->sha, sizeof(entry->was));
	memcpy(entry->sha, sha, sizeof(sha));
	corpus_set_name(entry, clash);
	corpus_put_slot(corpus, entry);
	return true;
}

size_t
corpus_len(const struct corpus *corpus)
{
	return corpus->n;
}

struct corpus_entry *
corpus_get(const struct corpus *corpus, uint32_t index)
{
	return index < corpus->n ? corpus->entries[index] : NULL;
}

struct corpus_entry *
corpus_parent(const struct corpus *corpus, const struct corpus_entry *entry)
{
	/* A child is younger than its parent, so the chain has no cycle. */
	return entry->parent < entry->index ? corpus_get(corpus, entry->parent)
					    : NULL;
}

struct corpus_entry *
corpus_find(const struct corpus *corpus, const void *data, size_t len)
{
	uint8_t sha[SHA256_LEN];
	bool clash;

	(void)corpus_hash(corpus, data, len, sha);
	return corpus_find_sha(corpus, sha, &clash);
}

/* Looks up a complete name by the bytes that its digits stand for. */
struct corpus_entry *
corpus_find_exact(const struct corpus *corpus, const char *name)
{
	size_t mask = corpus->slots_n - 1, i;
	uint8_t start[CORPUS_NAME_LEN / 2];
	struct corpus_entry *entry;

	if (!hex_decode(name, start, sizeof(start)))
		return NULL;
	for (i = corpus_key(start) & mask; corpus->slots[i];
		i = (i + 1) & mask) {
		entry = corpus->entries[corpus->slots[i] - 1];
		if (strcmp(entry->name, name) == 0)
			return entry;
	}
	return NULL;
}

/* The first len digits of the name. */
static struct corpus_entry *
corpus_find_replaced(const struct corpus *corpus, const char *name, size_t len)
{
	static const uint8_t never[CORPUS_NAME_LEN / 2];
	char was[CORPUS_NAME_LEN + 1];
	struct corpus_entry *entry;

	if (len > CORPUS_NAME_LEN)
		len = CORPUS_NAME_LEN;
	for (size_t i = corpus->n; i-- > 0;) {
		entry = corpus->entries[i];
		if (memcmp(entry->was, never, sizeof(never)) == 0)
			continue;
		hex_encode(entry->was, sizeof(entry->was), was);
		if (strncmp(was, name, len) == 0)
			return entry;
	}
	return NULL;
}

/* For prefixes typed by users: a linear search is fast enough. */
struct corpus_entry *
corpus_find_name(const struct corpus *corpus, const char *name)
{
	struct corpus_entry *found = NULL;
	size_t i, len = strlen(name);

	if (len < CORPUS_PREFIX_MIN)
		return NULL;
	if (len >= CORPUS_NAME_LEN)
		found = corpus_find_exact(corpus, name);
	if (found)
		return found;
	for (i = 0; i < corpus->n; i++) {
		if (strncmp(corpus->entries[i]->name, name, len) != 0)
			continue;
		if (found)
			return NULL;
		found = corpus->entries[i];
	}
	return found ? found : corpus_find_replaced(corpus, name, len);
}

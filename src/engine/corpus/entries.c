/* entries: see entries.h. */
#include "engine/corpus/entries.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/xmalloc.h"
#include "corpus/corpus.h"
#include "corpus/energy.h"
#include "engine/engine_end.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/pool/pool.h"
#include "engine/schedule/schedule.h"
#include "engine/statistics/minimized.h"
#include "store/store.h"
#include "worker/inputs/mutation_log.h"
#include "worker/memory/campaign_memory.h"

struct kept_entry {
	struct engine *engine;
	struct corpus_entry *entry;
	char name[SHA256_HEX_SIZE];
	char old[SHA256_HEX_SIZE]; /* larger input to be replaced, or "" */
};

static void
entries_on_kept(void *arg, enum status status)
{
	struct kept_entry *kept = arg;

	if (status == E_STATE) {
		free(kept); /* the engine ends */
		return;
	}
	if (status == OK) {
		/* The entry may have smaller bytes by now. */
		if (strcmp(kept->name, kept->entry->name) == 0)
			corpus_set_on_disk(engine_corpus(kept->engine),
				kept->entry);
		if (kept->old[0] != '\0')
			store_remove_entry(engine_store(kept->engine),
				kept->old);
	} else {
		engine_note_lost(kept->engine);
	}
	if (schedule_end_write(kept->engine))
		pool_wake(kept->engine);
	free(kept);
}

void
entries_keep(struct engine *e, struct corpus_entry *entry, const void *data,
	size_t len, const char *old)
{
	struct kept_entry *kept = xmalloc(sizeof(*kept));
	char full[SHA256_HEX_SIZE];

	*kept = (struct kept_entry){ .engine = e, .entry = entry };
	snprintf(kept->name, sizeof(kept->name), "%s", entry->name);
	corpus_full_name(entry, full);
	schedule_begin_write(e);
	if (!store_add_entry(engine_store(e), old, entry->name, full, data, len,
		    entries_on_kept, kept))
		snprintf(kept->old, sizeof(kept->old), "%s", old);
}

/* Copies the entry's bytes to the arena, if there is room. */
static void
entries_copy(struct engine *e, struct corpus_entry *entry, const uint8_t *data,
	size_t len)
{
	entry->arena = campaign_memory_add_entry(engine_memory(e), data, len);
	energy_place(engine_energy(e), entry);
	if (entry->arena != MEMORY_NO_ENTRY)
		corpus_set_copied(engine_corpus(e), entry);
}

/* Adds an input to the corpus, the disk and the shared arena. */
struct corpus_entry *
entries_add(struct engine *e, const uint8_t *data, size_t len,
	const struct corpus_entry *parent, bool save)
{
	struct corpus_entry *entry;
	bool is_new;

	entry = corpus_add(engine_corpus(e), data, len,
		parent != NULL ? parent->index : CORPUS_NONE, &is_new);
	if (!is_new)
		return NULL; /* these bytes are an entry already */
	entries_copy(e, entry, data, len);
	schedule_note_length(e, len);
	if (save)
		entries_keep(e, entry, data, len, "");
	return entry;
}

/* Replaces the entry by a smaller input with the same new features. */
bool
entries_shrink(struct engine *e, struct corpus_entry *entry,
	const uint8_t *best, size_t len, uint64_t tries)
{
	struct snapshot_minimized told = { .tries = tries };
	char old[sizeof(entry->name)];
	size_t old_len = entry->len, was_len = entry->file_len;
	struct mutation_log_step step;
	const uint8_t *data;

	if (best == NULL || len > entry->len ||
		corpus_load(engine_corpus(e), entry, &data, NULL) != OK ||
		(len == entry->len && memcmp(best, data, entry->len) == 0))
		return false;
	mutation_log_compare(MUTATION_LOG_MINIMIZED, data, old_len, best, len,
		&step);
	snprintf(old, sizeof(old), "%s", entry->name);
	if (!corpus_replace(engine_corpus(e), entry, best, len))
		return false; /* another entry has these bytes */
	mutation_logs_add_step(engine_mutation_logs(e), entry->index, &step);
	entry->exec_ns = entry->exec_ns * (len + 16) / (old_len + 16);
	entries_copy(e, entry, best, len);
	entries_keep(e, entry, best, len, old);
	snprintf(told.entry, sizeof(told.entry), "%.16s", old);
	snprintf(told.title, sizeof(told.title), "input %.6s", old);
	told.start_len = was_len;
	told.len = entry->file_len;
	minimized_note(e, &told);
	message_event(e, "minimized",
		json_pack("{s:s, s:s, s:I, s:I}", "input", entry->name, "was",
			old, "len", (json_int_t)entry->file_len, "was_len",
			(json_int_t)was_len),
		"input %.6s   %zu -> %zu bytes, same coverage", old, was_len,
		entry->file_len);
	return true;
}

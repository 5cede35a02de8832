/*
 * store_finding: the files of findings and suspects.
 */
#include "store/store_finding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/xmalloc.h"
#include "store/store_private.h"
#include "worker/inputs/input_text.h"

/* ---- folders ------------------------------------------------------------- */

static struct store_folder *
store_find_folder(const struct store *store, const char *name)
{
	size_t i;

	for (i = 0; i < store->folders_n; i++)
		if (strcmp(store->folders[i].name, name) == 0)
			return &store->folders[i];
	return NULL;
}

struct store_folder *
store_get_folder(struct store *store, const char *name)
{
	struct store_folder *folder = store_find_folder(store, name);

	if (folder)
		return folder;
	store->folders = xreallocarray(store->folders, store->folders_n + 1,
		sizeof(*store->folders));
	folder = &store->folders[store->folders_n++];
	*folder = (struct store_folder){ .name = xstrdup(name) };
	return folder;
}

void
store_claim(struct store *store, const char *wanted,
	char folder[STORE_FOLDER_SIZE])
{
	unsigned i;

	snprintf(folder, STORE_FOLDER_SIZE, "%.*s", STORE_FOLDER_SIZE - 12,
		wanted);
	for (i = 2; store_find_folder(store, folder); i++)
		snprintf(folder, STORE_FOLDER_SIZE, "%.*s-%u",
			STORE_FOLDER_SIZE - 12, wanted, i);
	store_get_folder(store, folder);
}

static bool
store_is_noted(const uint64_t *numbers, size_t n, uint64_t number)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (numbers[i] == number)
			return true;
	return false;
}

bool
store_note_more(struct store_folder *folder, uint64_t input)
{
	if (input == folder->input ||
		store_is_noted(folder->more, folder->more_n, input))
		return false;
	folder->more =
		xgrow(folder->more, folder->more_n, 1, sizeof(*folder->more));
	folder->more[folder->more_n++] = input;
	return true;
}

bool
store_note_suspect(struct store *store, uint64_t suspect)
{
	if (store_is_noted(store->suspects, store->suspects_n, suspect))
		return false;
	store->suspects = xgrow(store->suspects, store->suspects_n, 1,
		sizeof(*store->suspects));
	store->suspects[store->suspects_n++] = suspect;
	return true;
}

static bool
store_forget_suspect(struct store *store, uint64_t suspect)
{
	size_t i;

	for (i = 0; i < store->suspects_n; i++)
		if (store->suspects[i] == suspect) {
			store->suspects[i] =
				store->suspects[--store->suspects_n];
			return true;
		}
	return false;
}

/* ---- inputs -------------------------------------------------------------- */

/* Writes the first input of a finding, which is never replaced. */
static void
store_put_input(struct store *store, struct writer_file *file)
{
	char hex[SHA256_HEX_SIZE], other[sizeof("input-") + STORE_NAME_LEN];

	input_text_name(&store->types, file->data, file->len, hex);
	snprintf(other, sizeof(other), "input-%.*s", STORE_NAME_LEN, hex);
	store_get_folder(store, file->folder)->input = store_name_number(hex);
	file->other_name = other;
	file->keep = true;
	store_write_input(store, file);
}

void
store_put(struct store *store, const char *folder, const char *name,
	const void *data, size_t len, writer_done_fn *done, void *arg)
{
	struct writer_file file = {
		.kind = WRITER_FINDING,
		.folder = folder,
		.name = name,
		.data = data,
		.len = len,
		.done = done,
		.arg = arg,
	};

	if (strcmp(name, "input") == 0)
		store_put_input(store, &file);
	else if (strcmp(name, "minimized") == 0 || strcmp(name, "witness") == 0)
		store_write_input(store, &file);
	else
		store_write(store, &file);
}

void
store_remove_minimized(struct store *store, const char *folder)
{
	store_write(store,
		&(struct writer_file){
			.kind = WRITER_FINDING,
			.folder = folder,
			.name = "minimized",
			.remove = true,
		});
}

void
store_put_json(struct store *store, const char *folder, const char *name,
	const json_t *json)
{
	char *text = store_dump(json);

	if (text)
		store_put(store, folder, name, text, strlen(text), NULL, NULL);
	free(text);
}

/* Writes a file that is named by its content: 16 digits if they are unique. */
static void
store_put_named(struct store *store, const char *folder, const char *hex,
	const void *data, size_t len)
{
	char name[STORE_NAME_LEN + 1];

	snprintf(name, sizeof(name), "%.*s", STORE_NAME_LEN, hex);
	store_write_input(store,
		&(struct writer_file){
			.kind = WRITER_FINDING,
			.folder = folder,
			.name = name,
			.other_name = hex,
			.keep = true,
			.data = data,
			.len = len,
		});
}

bool
store_keep_more(struct store *store, const char *folder, const void *data,
	size_t len)
{
	struct store_folder *known = store_get_folder(store, folder);
	char more[STORE_FOLDER_SIZE + 8], hex[SHA256_HEX_SIZE];

	input_text_name(&store->types, data, len, hex);
	if (!store_note_more(known, store_name_number(hex)))
		return false;
	snprintf(more, sizeof(more), "%s/more", folder);
	store_put_named(store, more, hex, data, len);
	return true;
}

bool
store_put_more(struct store *store, const char *folder, const void *data,
	size_t len)
{
	return store_more(store, folder) < STORE_MORE_MAX &&
		store_keep_more(store, folder, data, len);
}

uint32_t
store_more(const struct store *store, const char *folder)
{
	const struct store_folder *known = store_find_folder(store, folder);

	return known != NULL ? known->more_n : 0;
}

void
store_replace_input(struct store *store, const char *folder, bool witness,
	const void *old, size_t old_len, const void *data, size_t len)
{
	char hex[SHA256_HEX_SIZE];

	input_text_name(&store->types, data, len, hex);
	store_get_folder(store, folder)->input = store_name_number(hex);
	if (witness)
		store_put(store, folder, "witness", old, old_len, NULL, NULL);
	else
		(void)store_keep_more(store, folder, old, old_len);
	store_write_input(store,
		&(struct writer_file){
			.kind = WRITER_FINDING,
			.folder = folder,
			.name = "input",
			.data = data,
			.len = len,
		});
}

void
store_merge(struct store *store, const char *folder, const char *into,
	const void *data, size_t len)
{
	struct store_folder *known = store_get_folder(store, into);
	char more[STORE_FOLDER_SIZE + 8], hex[SHA256_HEX_SIZE];
	char name[STORE_NAME_LEN + 1];
	bool keep;

	input_text_name(&store->types, data, len, hex);
	keep = store_note_more(known, store_name_number(hex));
	snprintf(name, sizeof(name), "%.*s", STORE_NAME_LEN, hex);
	snprintf(more, sizeof(more), "%s%s", into, keep ? "/more" : "");
	store_write_input(store,
		&(struct writer_file){
			.kind = WRITER_FINDING,
			.folder = more,
			.name = keep ? name : "",
			.other_name = keep ? hex : NULL,
			.keep = true,
			.retire = folder,
			.data = data,
			.len = keep ? len : 0,
		});
}

/* ---- sequences ----------------------------------------------------------- */

static void
store_change_sequence(struct store *store, const char *folder, uint32_t at,
	struct writer_file *file)
{
	char sequence[STORE_FOLDER_SIZE + 16], name[16];

	snprintf(sequence, sizeof(sequence), "%s/sequence", folder);
	snprintf(name, sizeof(name), "%06u", at);
	file->kind = WRITER_FINDING;
	file->folder = sequence;
	file->name = name;
	if (file->remove)
		store_write(store, file);
	else
		store_write_input(store, file);
}

void
store_put_sequence(struct store *store, const char *folder, uint32_t at,
	const void *data, size_t len, bool last, writer_done_fn *done,
	void *arg)
{
	store_change_sequence(store, folder, at,
		&(struct writer_file){
			.data = data,
			.len = len,
			.unsynced = true,
			.sync_all = last,
			.done = done,
			.arg = arg,
		});
}

void
store_remove_sequence(struct store *store, const char *folder, uint32_t at)
{
	store_change_sequence(store, folder, at,
		&(struct writer_file){ .remove = true, .unsynced = true });
}

void
store_put_before(struct store *store, const char *folder, const void *data,
	size_t len)
{
	store_write(store,
		&(struct writer_file){
			.kind = WRITER_FINDING,
			.folder = folder,
			.name = STORE_BEFORE,
			.data = data,
			.len = len,
			.remove = data == NULL,
		});
}

enum status
store_read_sequence(const struct store *store, const char *folder, uint32_t at,
	size_t max, uint8_t **data, size_t *len, struct error *err)
{
	char sequence[STORE_FOLDER_SIZE + 16], name[16];

	snprintf(sequence, sizeof(sequence), "%s/sequence", folder);
	snprintf(name, sizeof(name), "%06u", at);
	return store_read_input(store, sequence, name, max, data, len, err);
}

/* ---- suspects ------------------------------------------------------------ */

bool
store_keep_suspect(struct store *store, const void *data, size_t len)
{
	char hex[SHA256_HEX_SIZE];

	input_text_name(&store->types, data, len, hex);
	if (!store_note_suspect(store, store_name_number(hex)))
		return false;
	store_put_named(store, store_part_name(STORE_SUSPECTS), hex, data, len);
	return true;
}

bool
store_add_suspect(struct store *store, const void *data, size_t len)
{
	return store->suspects_n < STORE_SUSPECTS_MAX &&
		store_keep_suspect(store, data, len);
}

size_t
store_suspects(const struct store *store)
{
	return store->suspects_n;
}

bool
store_remove_suspect(struct store *store, const void *data, size_t len)
{
	char hex[SHA256_HEX_SIZE];

	input_text_name(&store->types, data, len, hex);
	hex[STORE_NAME_LEN] = '\0';
	if (!store_forget_suspect(store, store_name_number(hex)))
		return false;
	store_write(store,
		&(struct writer_file){
			.kind = WRITER_ENTRY,
			.folder = store_part_name(STORE_SUSPECTS),
			.name = hex,
			.remove = true,
		});
	return true;
}

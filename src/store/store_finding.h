/*
 * store_finding: the files of findings and suspects in the output directory.
 *
 * A finding's folder, its "input" and the files in more/ are never replaced;
 * "minimized", "report.txt" and "crash.json" may be.
 */
#ifndef CFUZZ_STORE_STORE_FINDING_H
#define CFUZZ_STORE_STORE_FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "store/store.h"

#define STORE_MORE_MAX 9u        /* files in more/, unless others are lost */
#define STORE_SUSPECTS_MAX 1000u /* files */

/*
 * Makes a folder's name unique: claims wanted ("crashes/x"), or wanted with
 * "-2", "-3" …, and copies it to folder. Creates no file.
 */
void store_claim(struct store *store, const char *wanted,
	char folder[STORE_FOLDER_SIZE]);

/*
 * Makes other bytes the "input" of a finding, because they are the ones that
 * fail. The old input becomes the "witness" or goes to more/.
 */
void store_replace_input(struct store *store, const char *folder, bool witness,
	const void *old, size_t old_len, const void *data, size_t len);

/*
 * Writes a file of a finding: "input", "witness", "minimized", "report.txt",
 * "crash.json"; the first three are inputs. The bytes are copied. done may be
 * NULL; the file is synced to the disk when it is called. Files appear in the
 * order of the calls, so write "input" first.
 */
void store_put(struct store *store, const char *folder, const char *name,
	const void *data, size_t len, writer_done_fn *done, void *arg);
void store_remove_minimized(struct store *store, const char *folder);
void store_put_json(struct store *store, const char *folder, const char *name,
	const json_t *json);

/* Writes more/<16 hex> of a finding. False: there are STORE_MORE_MAX already,
 * or this input is there. */
bool store_put_more(struct store *store, const char *folder, const void *data,
	size_t len);
/* The same for an input that is nowhere else: there is always room. */
bool store_keep_more(struct store *store, const char *folder, const void *data,
	size_t len);

/* The number of files in more/, including pending writes. */
uint32_t store_more(const struct store *store, const char *folder);

/*
 * Writes sequence/<six digits> of a finding: the inputs of its sequence, from 1
 * on. The last one syncs all of them to the disk.
 */
void store_put_sequence(struct store *store, const char *folder, uint32_t at,
	const void *data, size_t len, bool last, writer_done_fn *done,
	void *arg);
/* Removes an input of an earlier, longer sequence. */
void store_remove_sequence(struct store *store, const char *folder,
	uint32_t at);
/*
 * Writes the process history of an unverified finding, packed; without data,
 * removes it.
 */
#define STORE_BEFORE "before"
void store_put_before(struct store *store, const char *folder, const void *data,
	size_t len);
/* Reads input `at` of a sequence, see store_read_input(). */
enum status store_read_sequence(const struct store *store, const char *folder,
	uint32_t at, size_t max, uint8_t **data, size_t *len, struct error *err)
	MUST_CHECK;

/*
 * Merges a finding into another one: its input goes to the other's more/, if
 * it is new there, and its folder is removed. Nothing is removed
 * before the input is on the disk.
 */
void store_merge(struct store *store, const char *folder, const char *into,
	const void *data, size_t len);

/* Writes suspects/<16 hex>. False: there are STORE_SUSPECTS_MAX, or this input
 * is there. */
bool store_add_suspect(struct store *store, const void *data, size_t len);
/* The same for one that awaits replays: there is always room. */
bool store_keep_suspect(struct store *store, const void *data, size_t len);
size_t store_suspects(const struct store *store); /* files */
/* Removes a suspect that was confirmed and is kept as a finding. False: it is
 * not there. */
bool store_remove_suspect(struct store *store, const void *data, size_t len);

#endif

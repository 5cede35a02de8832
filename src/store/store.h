/*
 * store: the output directory of a campaign.
 *
 * Only the engine writes there, one engine at a time, and it never deletes
 * or overwrites a finding, but for one that is another (store_merge()). Each
 * file appears whole or not at all. Opening is done at once, before anything
 * runs; whatever is written later goes through
 * the writer, and what has to be known about it comes back by a callback.
 *
 * A finding's folder, its "input" and what stands in more/ are never
 * replaced; "minimized", "report.txt" and "crash.json" may be.
 */
#ifndef CFUZZ_STORE_STORE_H
#define CFUZZ_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <event2/event.h>
#include <jansson.h>

#include "shared/status.h"
#include "shared/values/tuple.h"
#include "store/growth.h"
#include "store/writer.h"
#include "worker/elf.h"
#include "worker/isolation.h"

#define STORE_FOLDER_SIZE 256
#define STORE_INPUTS_MAX 10u     /* in one finding's folder */
#define STORE_SUSPECTS_MAX 1000u /* files */

struct store_config {
	const char *path; /* of the output directory */
	const struct target_info *target;
	char **args;   /* of the target, NULL-ended; NULL: none */
	uint64_t seed; /* for the journal */
	const struct isolation *isolation; /* for the journal; NULL: none */
	struct event_base *base;
};

/* A finding of an earlier run. */
struct store_bucket {
	char folder[STORE_FOLDER_SIZE]; /* "crashes/…" */
	json_t *info; /* crash.json, an object; NULL: missing or damaged */
	bool has_input, has_minimized;
	uint64_t input_len, minimized_len;
	uint32_t more; /* inputs in more/ */
};

/* What earlier runs left. Until store_forget(). */
struct store_past {
	uint32_t runs;    /* 0: a new campaign */
	double elapsed_s; /* of them together: base of "at_s" */
	uint64_t execs;   /* ditto; bits: coverage at the end of the last */
	uint64_t bits;
	struct growth growth; /* of coverage, as the journal tells it */
	json_t *stats;        /* the last stats.json, or NULL */
	struct store_bucket *buckets;
	size_t buckets_n;
	uint64_t suspects;
	struct tuple_types types; /* that the target had */
	bool empty;               /* no input is kept, of any kind */
};

struct store;

/*
 * Makes or resumes the directory, locks it, tests that it can be written to
 * and appends "campaign" or "resume" to the journal. Fails before anything
 * is touched: E_BUSY another engine is at work there; E_EXISTS it is of
 * another target; E_USAGE not a directory of ours, or others may write to
 * it. E_FULL: no room; E_IO: not writable.
 */
enum status store_open(struct store **store, const struct store_config *config,
	struct error *err) MUST_CHECK;

/* What was repaired while opening, in sentences; NULL: no further one. */
const char *store_warning(const struct store *store, size_t i);
const struct store_past *store_past(const struct store *store);
void store_forget(struct store *store); /* frees the past's arrays */
/* The end of the journal, this run's start included: lines, of which the first
 * may lack its beginning. A new text; NULL: it cannot be read. */
char *store_journal_end(const struct store *store, size_t *len);

/*
 * What the target takes, which is known when it has started: inputs are tuples
 * here, and text in files. Before that they are what they were for the past.
 * at_s: of the line in the journal, seconds of the campaign. E_EXISTS: the inputs
 * that are kept are of another target; store_withdraw() is due.
 */
enum status store_set_types(struct store *store,
	const struct tuple_types *types, double at_s, struct error *err)
	MUST_CHECK;
/*
 * Nothing has happened: the journal is as it was before it was opened. After
 * store_finish().
 */
void store_withdraw(struct store *store);

/* The first 16 of the digits as a number. */
uint64_t store_name_number(const char *name);
int store_corpus_fd(const struct store *store); /* borrowed */

/* Reads an input, e.g. "crashes/x", "input"; *data is the caller's. */
enum status store_read_input(const struct store *store, const char *folder,
	const char *name, size_t max_len, uint8_t **data, size_t *len,
	struct error *err) MUST_CHECK;
/* Any file, as it is. */
enum status store_read(const struct store *store, const char *folder,
	const char *name, size_t max, uint8_t **data, size_t *len,
	struct error *err) MUST_CHECK;

/* A piece of a file. */
struct store_piece {
	uint64_t first; /* wanted from here on … */
	size_t max;     /* … and no more bytes than that */
	uint8_t *data;  /* a new one */
	size_t len;
	uint64_t total; /* length of the file now */
};

enum status store_read_part(const struct store *store, const char *folder,
	const char *name, struct store_piece *part, struct error *err)
	MUST_CHECK;

/* corpus/<name>; full_name (64 digits) if a file of other content is there. */
void store_add_entry(struct store *store, const char *name,
	const char *full_name, const void *data, size_t len,
	writer_done_fn *done, void *arg);

/*
 * The same, if the larger entry `old` is not on the disk yet: it never will
 * be. False: it is, or on its way, and nothing was done.
 */
bool store_replace_entry(struct store *store, const char *old, const char *name,
	const char *full_name, const void *data, size_t len,
	writer_done_fn *done, void *arg);

/* Takes an entry away that a smaller one has replaced. */
void store_remove_entry(struct store *store, const char *name);

/*
 * Makes a folder's name unique: wanted ("crashes/x"), or wanted with "-2",
 * "-3" … behind it, is claimed and copied to folder. No file is made.
 */
void store_claim(struct store *store, const char *wanted,
	char folder[STORE_FOLDER_SIZE]);

/*
 * Other bytes turn out to be the ones that fail: they become the "input", the
 * old ones become the "witness", or go to more/.
 */
void store_replace_input(struct store *store, const char *folder, bool witness,
	const void *old, size_t old_len, const void *data, size_t len);

/*
 * A file of a finding: "input", "witness", "minimized", "report.txt",
 * "crash.json"; the first three are inputs. On
 * the disk for good when done is called. Files appear in the order of the
 * calls, so write "input" first.
 */
void store_put(struct store *store, const char *folder, const char *name,
	const void *data, size_t len, writer_done_fn *done, void *arg);
void store_put_json(struct store *store, const char *folder, const char *name,
	const json_t *json);

/* more/<16 hex> of a finding; false: it has STORE_INPUTS_MAX already. */
bool store_put_more(struct store *store, const char *folder, const void *data,
	size_t len);

/* Files in more/ of a finding, or on their way there. */
uint32_t store_more(const struct store *store, const char *folder);

/*
 * sequence/<six digits> of a finding: the inputs that it takes, from 1 on. All
 * of them are on the disk for good with the last.
 */
void store_put_sequence(struct store *store, const char *folder, uint32_t at,
	const void *data, size_t len, bool last, writer_done_fn *done,
	void *arg);
/* Those behind the last, which an earlier one had. */
void store_remove_sequence(struct store *store, const char *folder,
	uint32_t at);
/*
 * What ran before the input, packed, of a finding that is not verified yet;
 * no data: it is not needed any more.
 */
#define STORE_BEFORE "before"
void store_put_before(struct store *store, const char *folder, const void *data,
	size_t len);
enum status store_read_sequence(const struct store *store, const char *folder,
	uint32_t at, size_t max, uint8_t **data, size_t *len, struct error *err)
	MUST_CHECK;

/*
 * A finding turns out to be another one: its input goes to the other's more/,
 * if there is room and it is not there, and its folder is given up. Nothing is
 * taken away before the input is on the disk.
 */
void store_merge(struct store *store, const char *folder, const char *into,
	const void *data, size_t len);

/* suspects/<16 hex>; false: there are too many, nothing is kept. */
bool store_add_suspect(struct store *store, const void *data, size_t len);
/* It was a finding after all, and is kept as one now. */
void store_remove_suspect(struct store *store, const void *data, size_t len);

void store_write_stats(struct store *store, const json_t *stats);

/* Appends a line; sync: to the disk, with findings. */
void store_log(struct store *store, const json_t *event, bool sync);

/* For the writer's thread, see writer_steps(). */
void store_steps(struct store *store, writer_step_fn *step,
	writer_done_fn *done, void *arg);

void store_get_status(const struct store *store, struct writer_status *status);

/*
 * The end: waits for the writer, see writer_finish(). Returns how many files
 * are lost; fn (may be NULL) is called with each.
 */
size_t store_finish(struct store *store, uint64_t timeout_ms,
	writer_lost_fn *fn, void *arg);
void store_close(struct store *store); /* NULL is fine */

#endif

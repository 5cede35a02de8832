/*
 * store: the output directory of a campaign.
 *
 * Only one engine at a time writes there. It never deletes or overwrites a
 * finding, except when it merges two (store_merge()). Each file appears
 * complete or not at all. The directory is opened synchronously, before
 * anything runs. Later writes go through the writer, and a callback reports the
 * result.
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
#include "worker/target/elf.h"
#include "worker/target/isolation.h"

#define STORE_FOLDER_SIZE 256

/* See engine/engine_coverage.h. */
#define STORE_COVERAGE "coverage.jsonl"
#define STORE_EXPORT "export" /* see engine/triage/export.h */

struct store_config {
	const char *path; /* of the output directory */
	const struct target_info *target;
	char **args;   /* of the target, NULL-ended; NULL: none */
	uint64_t seed; /* for the journal, as are the paths of seeds */
	char *const *seeds;
	size_t seeds_n;
	const struct isolation *isolation; /* for the journal; NULL: none */
	struct event_base *base;
};

/* A finding of an earlier run. */
struct store_bucket {
	char folder[STORE_FOLDER_SIZE]; /* "crashes/…" */
	json_t *info; /* crash.json, an object; NULL: missing or damaged */
	bool has_input, has_minimized, has_before; /* files */
	uint64_t input_len, minimized_len;
	uint32_t more; /* inputs in more/ */
};

/* The state that earlier runs left. Valid until store_forget(). */
struct store_past {
	uint32_t runs;    /* 0: a new campaign */
	double elapsed_s; /* sum over the runs: base of "at_s" */
	/* Sum as well; bits: features at the end of the last run. */
	uint64_t execs;
	uint64_t bits;
	json_t *stats; /* the last stats.json, or NULL */
	struct store_bucket *buckets;
	size_t buckets_n;
	uint64_t suspects;          /* files in suspects/ */
	struct tuple_types types;   /* types of the target */
	bool empty;                 /* there are no inputs of any kind */
	char build[TARGET_ID_SIZE]; /* of the target of the last run; or "" */
};

struct store;

/*
 * Creates or resumes the directory, locks it, tests that it is writable and
 * appends "campaign" or "resume" to the journal. Fails before anything is
 * changed: E_BUSY: another cfuzz uses it; E_EXISTS: it belongs to another
 * target; E_USAGE: not an output directory, or others may write to it; E_FULL:
 * no room; E_IO: not writable.
 */
enum status store_open(struct store **store, const struct store_config *config,
	struct error *err) MUST_CHECK;

/*
 * Opens the directory of a campaign that is over, at rest: see store_rest().
 * Nothing is changed, and damaged files are ignored. E_USAGE: it is not an
 * output directory.
 */
enum status store_open_past(struct store **store, const char *path,
	struct event_base *base, struct error *err) MUST_CHECK;

/* Messages about repairs while opening, by index from 0; borrowed. NULL: no
 * more. */
const char *store_warning(const struct store *store, size_t i);
const struct store_past *store_past(const struct store *store);

/* The growth of coverage by the journal, of all runs until now. */
const struct growth *store_growth(const struct store *store);
void store_forget(struct store *store); /* frees the past's arrays */
/* The end of the journal, including the start of this run; its first line may
 * be incomplete. A new text; NULL: not readable. */
char *store_journal_end(const struct store *store, size_t *len);

/*
 * Sets the types of the target, which are known after its start: from now on
 * inputs are tuples here, and text in files. Before that the types of the past
 * apply. at_s: campaign time for the journal, in seconds. E_EXISTS: the kept
 * inputs have other types; then call store_withdraw().
 */
enum status store_set_types(struct store *store,
	const struct tuple_types *types, double at_s, struct error *err)
	MUST_CHECK;
/*
 * Restores the journal to its state before store_open(). Call it after
 * store_finish().
 */
void store_withdraw(struct store *store);

/* The first 16 digits of a name as a number. */
uint64_t store_name_number(const char *name);
int store_corpus_fd(const struct store *store); /* borrowed */

/*
 * A campaign that is over. A store at rest has no lock, so that the next run
 * may begin; whatever is to be written is dropped, without a callback.
 * store_wake() takes the lock again. E_BUSY: another cfuzz has it; E_STATE:
 * another cfuzz has changed the directory meanwhile.
 */
void store_rest(struct store *store);
bool store_rests(const struct store *store);
enum status store_wake(struct store *store, struct error *err) MUST_CHECK;

/* Reads an input, e.g. "crashes/x", "input"; the caller frees *data. Errors:
 * see file_read_at(); E_FORMAT also if it does not have the target's types. */
enum status store_read_input(const struct store *store, const char *folder,
	const char *name, size_t max_len, uint8_t **data, size_t *len,
	struct error *err) MUST_CHECK;
/* Reads any file unchanged; folder "": the directory itself. */
enum status store_read(const struct store *store, const char *folder,
	const char *name, size_t max, uint8_t **data, size_t *len,
	struct error *err) MUST_CHECK;

/* A piece of a file. */
struct store_piece {
	uint64_t first; /* in: offset of the piece */
	size_t max;     /* in: its maximum size */
	uint8_t *data;  /* out: the caller frees it */
	size_t len;     /* out: 0 beyond the end of the file */
	uint64_t total; /* out: current length of the file */
};

bool store_read_part(const struct store *store, const char *folder,
	const char *name, struct store_piece *part) MUST_CHECK;

/*
 * Writes corpus/<name>; uses full_name (64 digits) if the name is taken by
 * other content. The bytes are copied. True: the file takes the place of the
 * larger entry `old`, which is never written. False: `old` is "", on the disk
 * or on its way there.
 */
bool store_add_entry(struct store *store, const char *old, const char *name,
	const char *full_name, const void *data, size_t len,
	writer_done_fn *done, void *arg);

/* Removes an entry that was replaced by a trimmed one. */
void store_remove_entry(struct store *store, const char *name);

/*
 * Replaces coverage.jsonl in the writer thread, synced; takes the data. Files
 * are written in the order of the calls. A file that the disk refuses is not
 * tried again. err->code: OK; E_STATE: the end of the store cut it short, then
 * `done` only frees its argument; else the error of the file.
 */
typedef void store_coverage_done_fn(void *arg, const struct error *err);
void store_write_coverage(struct store *store, void *take_data, size_t len,
	store_coverage_done_fn *done, void *arg);
/* Moves a damaged file of the directory itself aside, with a warning. At rest
 * there is only the warning. */
enum status store_set_aside(struct store *store, const char *name,
	struct error *err) MUST_CHECK;
void store_write_stats(struct store *store, const json_t *stats);

/* Appends a line to the journal; sync: sync it to the disk, as for findings. */
void store_log(struct store *store, const json_t *event, bool sync);

/* Runs work in the writer thread, see writer_steps(). */
void store_steps(struct store *store, writer_step_fn *step,
	writer_done_fn *done, void *arg);

void store_get_status(const struct store *store, struct writer_status *status);

/*
 * Waits for the writer, see writer_finish(). Returns the number of lost files;
 * fn (may be NULL) is called for each.
 */
size_t store_finish(struct store *store, uint64_t timeout_ms,
	writer_lost_fn *fn, void *arg);
void store_close(struct store *store); /* NULL is fine */

#endif

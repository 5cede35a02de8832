/*
 * cmin_private: makes a corpus smaller.
 *
 *	cmin.c		runs and results
 *	cmin_files.c	reads and writes files
 *	cmin_say.c	prints the result
 *	cmin_update.c	keeps a folder of inputs small
 */
#ifndef CFUZZ_TOOLS_CMIN_PRIVATE_H
#define CFUZZ_TOOLS_CMIN_PRIVATE_H

#include "base/hash.h"
#include "corpus/set_cover.h"
#include "tools/runner.h"

struct archive_config;

enum cmin_state {
	CMIN_WAITING,
	CMIN_RUN,      /* it ran and may be chosen */
	CMIN_FAILS,    /* crash, hang etc. */
	CMIN_REJECTED, /* the target returned -1 */
	CMIN_OTHER,    /* it does not have the target's types */
	CMIN_NOT_RUN, /* it is unreadable, or its worker ended or was refused */
	CMIN_STATE_COUNT
};

/* A file; the first one of those with the same content. */
struct cmin_input {
	char *path; /* owned */
	char *copy; /* owned: a file of ours in the folder with this content, or
		     * NULL */
	size_t len;
	char name[SHA256_HEX_SIZE];
	enum cmin_state state;
	bool is_in_folder;  /* see struct cmin */
	bool is_foreign;    /* of no campaign: it may be text for any target */
	unsigned tries;     /* runs without a result */
	uint8_t *data;      /* owned, while it runs */
	uint32_t *features; /* owned, until all earlier inputs are known */
	size_t features_n;
};

struct cmin {
	struct runner runner;
	const char *output;
	/* cmin_update.c: a file of this folder that is not ours is chosen
	 * rather than any other input. NULL: there is none. */
	const char *folder;
	struct cmin_input *inputs; /* those files first, then smallest first */
	size_t inputs_n;
	uint64_t files, same; /* read; copies of others among them */
	uint64_t bytes;
	size_t largest;      /* length limit that admits each input */
	size_t given, known; /* inputs given to workers; in the set cover */
	uint32_t *again;     /* inputs to run again */
	size_t again_n;
	struct set_cover *cover;
	uint32_t *chosen;
	size_t chosen_n, checked; /* of these, checked by a second run */
	size_t checks_given;
	uint8_t *seen; /* bitmap of features the chosen inputs hit */
	size_t seen_len;
	/* Of the second run: features of the set cover that were hit; chosen
	 * inputs that failed or were rejected; those that were not run. */
	uint64_t seen_n, flaky, unchecked;
	char why[256]; /* why the system refused to run an input; "": it did not */
	bool choosing_done, done;
	bool cut; /* a record was too small for all features */
	uint64_t counts[CMIN_STATE_COUNT];
	uint64_t start_ns;
};

/*
 * Lists the files of the folders (NULL-ended) and reports those that were
 * skipped. E_USAGE: there are none.
 */
enum status cmin_read(struct cmin *m, char **folders,
	const struct engine_config *config, struct error *err) MUST_CHECK;
/* Reads the file of an input into `data`. False: the file has changed or is
 * gone. */
bool cmin_load(struct cmin_input *input);
void cmin_clear(struct cmin *m);

/* OK: the folder does not exist, or is empty. E_USAGE: it is not empty; other
 * errors: see dir_list_at(). */
enum status cmin_check_output(const char *output, struct error *err) MUST_CHECK;
enum status cmin_write(struct cmin *m, struct error *err) MUST_CHECK;

/* Runs all inputs and chooses. */
enum status cmin_run(struct cmin *m, const struct archive_config *archive,
	struct error *err) MUST_CHECK;

/* Was a file with this name made by cmin_update.c? hash: the 64 digits of its
 * content's sha256. */
#define CMIN_NAME_LEN 16
bool cmin_is_own(const char *name, const char *hash);

void cmin_say_progress(const struct cmin *m);
/* The files that cannot be chosen, and why. */
void cmin_say_left_out(const struct cmin *m);
void cmin_say_result(const struct cmin *m);

#endif

/*
 * store_private: internals of a store, while it is opened (store_open.c) and
 * afterwards (store.c, store_finding.c).
 */
#ifndef CFUZZ_STORE_STORE_PRIVATE_H
#define CFUZZ_STORE_STORE_PRIVATE_H

#include "base/dir.h"
#include "store/journal.h"
#include "store/store_files.h"
#include "store/store_finding.h"

#define STORE_NAME_LEN 16 /* digits of a sha256 */

/* A finding's folder, cached to avoid reading the disk. */
struct store_folder {
	char *name; /* "crashes/x" */
	/* Numbers as of store_name_number(). */
	uint64_t input; /* 0: none, or of an earlier run */
	uint64_t *more; /* owned */
	uint32_t more_n;
};

struct store {
	char *path;  /* as in the config */
	char *shown; /* cleaned */
	int root_fd, lock_fd;
	int part_fd[STORE_PART_COUNT];
	struct growth growth;
	bool has_signed;  /* the lock has our pid */
	bool has_reserve; /* to be removed at the end */
	struct writer *writer;
	struct tuple_types types;
	uint64_t journal_len; /* before our line was added */
	char *journal_head;   /* for a journal that somebody empties */
	bool rests;           /* store_rest() */
	uint64_t rest_len;    /* of the journal then */
	bool late;            /* the writer was appending to it then */
	bool shared;          /* store_share() … */
	mode_t own_mode;      /* … and the directory before */
	gid_t own_group;
	char **warnings;
	size_t warnings_n;
	struct store_past past;
	struct store_folder *folders;
	size_t folders_n;
	uint64_t *suspects; /* as of store_name_number(); owned */
	size_t suspects_n;
};

/* All descriptors are -1. */
struct store *store_create(const char *path);
/* store_open.c. E_USAGE: the directory belongs to another user, or others may
 * write to it. */
enum status store_check_root(const struct store *store, struct error *err);
/* Locks the directory; create: O_CREAT or 0. E_BUSY: another process has the
 * lock; E_NOT_FOUND: there is no lock file, and `create` is 0. */
enum status store_lock(struct store *store, int create, struct error *err);
void store_sign_lock(struct store *store);   /* writes our pid there */
void store_unsign_lock(struct store *store); /* removes it */

void store_warn(struct store *store, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Returns the folder; adds it if it is new. */
struct store_folder *store_get_folder(struct store *store, const char *name);

/* Notes a file in more/. False: the input is known already. */
bool store_note_more(struct store_folder *folder, uint64_t input);
/* The same for a file in suspects/. */
bool store_note_suspect(struct store *store, uint64_t suspect);

/* Passes a file to the writer. */
void store_write(struct store *store, const struct writer_file *file);
/* Passes an input to the writer in the form of its file. */
void store_write_input(struct store *store, struct writer_file *file);

/* store_inspect.c */
/* The path of the directory as it is written to the journal; a new text. */
char *store_place(const struct store *store);
/* Reads the journal and refuses a directory that is not ours. *fd is -1 if
 * there is no journal. */
enum status store_inspect(const struct store *store,
	const struct target_info *target, struct journal_summary *journal,
	int *fd, struct error *err);

/* store_past.c: reads the past, under the lock. */
enum status store_clean_up(struct store *store, struct error *err);
/* Takes what the journal tells, and from stats.json what it does not. */
enum status store_load_stats(struct store *store,
	const struct journal_summary *journal, struct error *err);
enum status store_load_buckets(struct store *store, struct error *err);
enum status store_load_suspects(struct store *store, struct error *err);

/* Reads the numbers of past->stats. */
void store_past_read(struct store_past *past);

/* Renames a damaged file to NAME.damaged-TIME and warns. */
enum status store_move_aside(struct store *store, int dirfd, const char *folder,
	const char *name, struct error *err);

#endif

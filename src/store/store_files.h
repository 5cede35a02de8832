/*
 * store_files: the files of an output directory, for those who read or change
 * one without a store (archive, the tools).
 */
#ifndef CFUZZ_STORE_STORE_FILES_H
#define CFUZZ_STORE_STORE_FILES_H

#include <stdbool.h>

#include <jansson.h>

#include "shared/campaign_folder.h"

#define STORE_JOURNAL CAMPAIGN_FOLDER_JOURNAL
#define STORE_STATS "stats.json"
#define STORE_LOCK ".lock"

/* Limits for reading our own files, in bytes: many times what we write. */
#define STORE_STATS_MAX (8u << 20)
#define STORE_INFO_MAX (1u << 20) /* a crash.json; all are in memory at once */

/* The folders of an output directory. */
enum store_part {
	STORE_CORPUS,
	STORE_CRASHES,
	STORE_HANGS,
	STORE_OOMS,
	STORE_LEAKS,
	STORE_SUSPECTS,
	STORE_PART_COUNT
};

/* The name of the folder, "corpus", "crashes" …: static text. */
const char *store_part_name(enum store_part part);

/* Formats JSON with a final newline; the caller frees it. NULL: jansson
 * failed. */
char *store_dump(const json_t *json);

/* Writes our pid into the open lock file, or removes it. Errors are ignored: the
 * pid is for messages, flock() is the lock. */
void store_sign(int lock_fd);
void store_unsign(int lock_fd);
/* Is the lock file `path`, seen from dirfd, locked by another descriptor of any
 * process? False also if it cannot be opened, is a link, or lies on a file
 * system without locks. */
bool store_is_locked_at(int dirfd, const char *path);

#endif

/*
 * export_write: a folder that is made and filled, piece by piece.
 *
 * Texts and inputs are at hand; what can be large, the inputs that have to run
 * in a row and the report, is copied from the finding's folder. It runs in the
 * writer's thread: it knows no engine, and all that it has is its own.
 */
#ifndef CFUZZ_FINDINGS_EXPORT_WRITE_H
#define CFUZZ_FINDINGS_EXPORT_WRITE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "shared/status.h"

#define EXPORT_FILES_MAX 8u

struct export_file {
	const char *name; /* a literal */
	char *data;       /* owned */
	size_t len;
	bool run; /* it can be executed */
};

struct export_write {
	char *from;  /* the finding's folder; owned */
	char *path;  /* the new one, or that below which it is made; owned */
	char *below; /* its name there: "x", or "x-2" …; owned, or NULL */
	struct export_file files[EXPORT_FILES_MAX];
	size_t files_n;
	uint32_t sequence_n; /* inputs in a row; less than 2: none */
	char *about;         /* the last file, to which a report adds; owned */
	/* its own */
	char made[2 * PATH_MAX]; /* the folder's name, as it is told */
	uint32_t sequence_at;
	int fd, from_fd;
	struct error err;
};

/* Takes the data. */
void export_write_add(struct export_write *write, const char *name,
	char *take_data, size_t len);

/* A bounded piece of it. False: that was all, or it failed, see err. */
bool export_write_step(struct export_write *write);

void export_write_clear(struct export_write *write);

#endif

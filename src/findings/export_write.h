/*
 * export_write: creates and fills the folder of an exported finding, in pieces.
 *
 * Texts and inputs are in memory. Large files, that is the report and the
 * inputs of a sequence, are copied from the finding's folder. It runs in the
 * writer thread, so it knows no engine and owns all its data.
 */
#ifndef CFUZZ_FINDINGS_EXPORT_WRITE_H
#define CFUZZ_FINDINGS_EXPORT_WRITE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "findings/export_program.h"
#include "shared/status.h"

#define EXPORT_FILES_MAX 8u

struct export_file {
	const char *name; /* a literal */
	char *data;       /* owned */
	size_t len;
	bool run; /* is executable */
};

struct export_write {
	char *from; /* the finding's folder; owned */
	char *path; /* the new folder, or its parent if `below` is set; owned */
	/* The folder's name in path: "x", or "x-2" …; owned, or NULL. */
	char *below;
	struct export_file files[EXPORT_FILES_MAX];
	size_t files_n;
	uint32_t sequence_n; /* inputs of the sequence; less than 2: none */
	char *about;         /* about.txt, to which files add lines; owned */
	bool wants_program;  /* write input.c */
	/* Its texts are borrowed. The inputs are owned; those of a sequence are
	 * read here. */
	struct export_program program;
	/* internal; fd and from_fd are -1 at the start, all else is 0 */
	char made[2 * PATH_MAX]; /* the folder's path, for messages */
	uint32_t sequence_at;
	size_t sequence_bytes;
	int fd, from_fd;
	struct error err;
};

/* Adds a file of len bytes; takes ownership of the data. The caller keeps to
 * EXPORT_FILES_MAX files. */
void export_write_add(struct export_write *write, const char *name,
	char *take_data, size_t len);

/* Adds an input of the program; takes ownership of the data. */
void export_write_add_input(struct export_write *write, uint8_t *take_data,
	size_t len);

/* E_EXISTS: the folder at that path has something in it. OK for all other
 * paths, which may fail later. */
enum status export_write_look(const char *path, struct error *err) MUST_CHECK;

/* Does a bounded piece of work. False: done, or failed, see err. */
bool export_write_step(struct export_write *write);

void export_write_clear(struct export_write *write);

#endif

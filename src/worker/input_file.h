/*
 * input_file: the file from which a program reads its inputs.
 *
 * A program with a main() reads standard input, or a file: the arguments name
 * it by INPUT_FILE_MARK, or the user gives its name. Each worker has a file of
 * its own, which the runtime writes; the engine chooses the name and removes
 * the file.
 */
#ifndef CFUZZ_WORKER_INPUT_FILE_H
#define CFUZZ_WORKER_INPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control/settings.h"
#include "shared/status.h"

#define INPUT_FILE_MARK "@@"
#define INPUT_FILE_PREFIX ".input-" /* of a worker's file */

struct input_file_spec {
	const char *folder; /* for the files of the workers; absolute */
	const char *name;   /* input_file_name(); NULL or "": none */
	bool isolated;      /* the target sees no folder of ours */
	bool keep;          /* refuse a file that exists: it is the user's */
	/* While the file of that name is ours; -1: it is not, or there is
	 * none. */
	int lock_fd;
	bool left; /* since input_file_leave(); no file is ours then */
};

struct input_file {
	char *path; /* owned; NULL: the program reads standard input */
	/* For a new process; owned if there is a path, else borrowed. */
	char **argv;
	char **envp; /* without the variable of the file; borrowed */
	const struct input_file_spec *spec; /* borrowed */
};

/* The file of --input-file, whose name is relative to the folder in which the
 * target works, NULL: ours; "": there is none. A new string. */
char *input_file_name(const struct settings *settings, const char *folder);

/*
 * Checks --input-file; folder: see input_file_name(). The file is replaced and
 * removed, so nothing but a regular file may be lost by that; an isolated target
 * has files of its own. Workers would overwrite each other's input, so parallel
 * becomes 1. E_USAGE: the user asks for more workers, or the name is not that of a
 * regular file.
 */
enum status input_file_check(struct settings *settings, const char *folder,
	struct error *err) MUST_CHECK;

/*
 * Call before a worker runs. One process at a time may run a program with the
 * file of --input-file: it becomes ours until input_file_leave() or the end of
 * this process. Sets lock_fd, unless there is no such file, or it is ours
 * already. E_BUSY: another process has it; E_IO: nobody can tell; E_EXISTS: see
 * keep.
 */
enum status input_file_take(struct input_file_spec *spec, struct error *err)
	MUST_CHECK;
/* Without a worker that runs: from now on another run may have the files. */
void input_file_leave(struct input_file_spec *spec);

/* Does an argument behind the program's name hold the mark? */
bool input_file_is_marked(char *const *argv);

/* A new array of new strings, in which the path replaces each mark; owned by
 * the caller: xfree_list(). */
char **input_file_argv(char *const *argv, const char *path);

/* spec may be NULL: standard input; else it outlives the file. Creates no
 * file. */
void input_file_init(struct input_file *file,
	const struct input_file_spec *spec, char **argv, char **envp,
	uint32_t slot);
/* The environment of a process that starts now: xfree_list(). */
char **input_file_envp(const struct input_file *file);
/* Removes the file, unless it is inside of an isolated target, or no longer
 * ours. */
void input_file_clear(struct input_file *file);

/*
 * Makes a folder for the files of a run without an output directory, if the
 * arguments hold the mark; else folder is "". args may be NULL. The caller
 * removes the folder. E_IO: it cannot be made.
 */
enum status input_file_make_folder(char *const *args, char *folder, size_t size,
	struct error *err) MUST_CHECK;

/* Removes the files of an earlier engine that was killed. */
void input_file_remove_old(const char *folder);

#endif

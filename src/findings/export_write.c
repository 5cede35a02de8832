/* export_write: see export_write.h. */
#include "findings/export_write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/dir.h"
#include "base/errnum.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "worker/inputs/input_text.h"

#define FOLDERS_MAX 1000u /* "x" to "x-1000" */
/* Bytes of a report or of one input of a sequence. */
#define FILE_MAX (16u << 20)
#define PIECE_FILES 32u
#define PROGRAM_MAX (1u << 20) /* bytes of inputs that become a program */
#define SEQUENCE "sequence"
#define REPORT "report.txt"

void
export_write_add(struct export_write *w, const char *name, char *take_data,
	size_t len)
{
	w->files[w->files_n++] = (struct export_file){ .name = name,
		.data = take_data,
		.len = len };
}

void
export_write_add_input(struct export_write *w, uint8_t *take_data, size_t len)
{
	struct export_program *p = &w->program;

	p->inputs = xrealloc(p->inputs, (p->n + 1) * sizeof(*p->inputs));
	p->inputs[p->n++] = (struct export_input){ take_data, len };
}

void
export_write_clear(struct export_write *w)
{
	size_t i;

	for (i = 0; i < w->files_n; i++)
		free(w->files[i].data);
	for (i = 0; i < w->program.n; i++)
		free(w->program.inputs[i].data);
	free(w->program.inputs);
	free(w->from);
	free(w->path);
	free(w->below);
	free(w->about);
	fd_close(&w->fd);
	fd_close(&w->from_fd);
}

/* ---- the folder ---------------------------------------------------------- */

enum status
export_write_look(const char *path, struct error *err)
{
	struct dir_names names = { 0 };
	char shown[PATH_MAX];
	bool full =
		dir_list_at(AT_FDCWD, path, &names, NULL) == OK && names.n > 0;

	dir_names_clear(&names);
	if (!full)
		return OK;
	text_clean_string(path, shown, sizeof(shown));
	return error_set(err, E_EXISTS,
		"%s is not empty; name a folder that is new", shown);
}

/* Creates the folder; an existing one must be empty. */
static enum status
export_open_folder(const char *path, int *fd, struct error *err)
{
	enum status status = dir_create_at(AT_FDCWD, path, 0, err);

	if (status == OK)
		status = export_write_look(path, err);
	return status == OK ? dir_open_at(AT_FDCWD, path, 0, fd, err) : status;
}

/* The folder is in the output directory, where no link is followed. */
static enum status
export_make_parent(struct export_write *w)
{
	if (file_is_link(w->path))
		return error_set(&w->err, E_FORMAT,
			"%s is a symbolic link: remove it, or name a folder",
			w->path);
	return dir_create_at(AT_FDCWD, w->path, 0, &w->err);
}

/* Takes the first free name: "x", "x-2", "x-3" … */
static enum status
export_open_below(struct export_write *w)
{
	enum status status = export_make_parent(w);
	unsigned i;

	for (i = 1; status == OK && i <= FOLDERS_MAX; i++) {
		char number[16] = "";

		if (i > 1)
			snprintf(number, sizeof(number), "-%u", i);
		snprintf(w->made, sizeof(w->made), "%s/%s%s", w->path, w->below,
			number);
		w->err = (struct error){ 0 };
		if (file_is_link(w->made))
			status = error_set(&w->err, E_EXISTS,
				"%s is a symbolic link", w->made);
		else
			status = export_open_folder(w->made, &w->fd, &w->err);
		if (status != E_EXISTS)
			return status;
		status = OK;
	}
	return w->err.code;
}

static enum status
export_open_named(struct export_write *w)
{
	enum status status = export_open_folder(w->path, &w->fd, &w->err);
	char *real = status == OK ? realpath(w->path, NULL) : NULL;

	snprintf(w->made, sizeof(w->made), "%s", real != NULL ? real : w->path);
	free(real);
	return status;
}

/* ---- files --------------------------------------------------------------- */

static enum status
export_put(struct export_write *w, const struct export_file *file)
{
	enum status status = file_write_atomic_at(w->fd, file->name, file->data,
		file->len, 0, &w->err);

	if (status == OK && file->run &&
		fchmodat(w->fd, file->name, 0700, AT_SYMLINK_NOFOLLOW) != 0)
		status = error_set(&w->err, errnum_status(errno),
			"cannot make %s executable: %s", file->name,
			strerror(errno));
	return status;
}

/* Both folders have the file in the same form. */
static enum status
export_copy(struct export_write *w, const char *name, uint8_t **data,
	size_t *len, struct error *err)
{
	enum status status =
		file_read_at(w->from_fd, name, FILE_MAX, data, len, err);

	if (status != OK)
		return status;
	status = file_write_atomic_at(w->fd, name, *data, *len, 0, &w->err);
	if (status != OK)
		free(*data);
	return status;
}

static bool
export_copy_report(struct export_write *w)
{
	uint8_t *data;
	size_t len;

	if (w->from_fd < 0 || export_copy(w, REPORT, &data, &len, NULL) != OK)
		return false;
	free(data);
	return true;
}

/* A sequence may be too long for a program that a compiler takes. */
static enum status
export_copy_input(struct export_write *w, const char *name)
{
	uint8_t *data;
	size_t len;
	enum status status = export_copy(w, name, &data, &len, &w->err);

	if (status != OK)
		return status;
	w->sequence_bytes += len;
	w->wants_program = w->wants_program &&
		w->sequence_bytes <= PROGRAM_MAX &&
		input_from_text(w->program.types, &data, &len, FILE_MAX,
			NULL) == OK;
	if (w->wants_program)
		export_write_add_input(w, data, len);
	else
		free(data);
	return OK;
}

/* The finding's folder may not be written yet; only a sequence needs it. */
static enum status
export_open_from(struct export_write *w)
{
	bool needed = w->sequence_n > 1;
	enum status status = dir_open_at(AT_FDCWD, w->from, 0, &w->from_fd,
		needed ? &w->err : NULL);

	if (status != OK)
		w->from_fd = -1;
	if (status != OK || !needed)
		return needed ? status : OK;
	return dir_create_at(w->fd, SEQUENCE, 0, &w->err);
}

static enum status
export_write_begin(struct export_write *w)
{
	enum status status =
		w->below != NULL ? export_open_below(w) : export_open_named(w);
	size_t i;

	for (i = 0; status == OK && i < w->files_n; i++)
		status = export_put(w, &w->files[i]);
	return status == OK ? export_open_from(w) : status;
}

static bool
export_has_report(const struct export_write *w)
{
	size_t i;

	for (i = 0; i < w->files_n; i++)
		if (strcmp(w->files[i].name, REPORT) == 0)
			return true;
	return false;
}

/* Returns the line for about.txt; "": there is no program. */
static char *
export_put_program(struct export_write *w)
{
	struct export_file file = { .name = "input.c" };

	if (w->wants_program)
		file.data = export_program(&w->program);
	if (file.data == NULL)
		return xstrdup("");
	file.len = strlen(file.data);
	(void)export_put(w, &file);
	free(file.data);
	return xasprintf("input.c       the %s as a program that calls %s\n",
		w->program.n > 1 ? "sequence" : "same",
		w->program.types->n > 0 ? "the target"
					: "LLVMFuzzerTestOneInput()");
}

/* The report may be missing on the disk: not written yet, or deleted. */
static void
export_end(struct export_write *w)
{
	bool told = export_has_report(w) || export_copy_report(w);
	char *program = export_put_program(w);
	struct export_file about = { .name = "about.txt",
		.data = xasprintf("%s%s%s", w->about, program,
			told ? "report.txt    what was said when it "
			       "failed, and the stack\n"
			     : "") };

	about.len = strlen(about.data);
	if (w->err.code == OK)
		(void)export_put(w, &about);
	free(about.data);
	free(program);
}

static bool
export_is_copied(const struct export_write *w)
{
	return w->sequence_n < 2 || w->sequence_at == w->sequence_n;
}

bool
export_write_step(struct export_write *w)
{
	char name[32];
	unsigned i;

	if (w->fd < 0 && export_write_begin(w) != OK)
		return false;
	for (i = 0; i < PIECE_FILES && !export_is_copied(w); i++) {
		snprintf(name, sizeof(name), SEQUENCE "/%06u",
			++w->sequence_at);
		if (export_copy_input(w, name) != OK)
			return false;
	}
	if (!export_is_copied(w))
		return true;
	export_end(w);
	return false;
}

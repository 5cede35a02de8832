/*
 * export: a folder with all that a report of a bug needs, to be sent away.
 *
 * Written at once, not by the writer: the answer says whether it is there,
 * and a user may name a folder anywhere. Whoever gets it needs neither the
 * output directory nor cfuzz: there is a shell script, and a C file that
 * calls the target's function with the bytes.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/dir.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "engine/engine_private.h"
#include "engine/export_program.h"
#include "engine/input_text.h"

#define EXPORT_FOLDER "export" /* below the output directory */
#define EXPORTS_MAX 1000u      /* of one finding */
#define FILE_MAX (16u << 20)   /* bytes of a report, of an input in a row */
#define SEQUENCE "sequence"

struct export
{
	const struct engine *e;
	const struct finding *f;
	int fd; /* of the folder */
	char title[512];
	char options[256];
	char target[4 * PATH_MAX]; /* for a shell */
	bool has_report;
	struct error *err;
};

/* "heap-buffer-overflow in read_tile tiles.c:118" */
static void
set_title(struct export *x)
{
	const struct finding *f = x->f;
	char *title = xasprintf("%s%s%s",
		f->failure.what[0] != '\0' ? f->failure.what
					   : failure_kind_name(f->failure.kind),
		f->where[0] != '\0' ? " in " : "", f->where);

	text_clean_string(title, x->title, sizeof(x->title));
	free(title);
}

/* ---- files --------------------------------------------------------------- */

static enum status
put(struct export *x, const char *name, const void *data, size_t len)
{
	return file_write_atomic_at(x->fd, name, data, len, 0, x->err);
}

/* As it is in a file. */
static enum status
put_input(struct export *x, const char *name, const void *data, size_t len)
{
	struct input_text text;
	enum status status;

	input_text_init(&text, &x->e->types, data, len);
	status = put(x, name, text.data, text.len);
	input_text_clear(&text);
	return status;
}

static enum status
put_text(struct export *x, const char *name, char *take_text)
{
	enum status status = put(x, name, take_text, strlen(take_text));

	free(take_text);
	return status;
}

/* By hand, a target runs files in a row, in one process; so does cfuzz. */
static enum status
put_script(struct export *x)
{
	const char *name = "reproduce.sh";
	bool row = x->f->sequence_n > 1;
	enum status status = put_text(x, name,
		xasprintf("#!/bin/sh\n"
			  "# %s\n"
			  "# Runs the input%s again, in the target or in "
			  "another build of it:\n"
			  "# reproduce.sh [TARGET%s]\n"
			  "target=%s\n"
			  "here=$(dirname -- \"$0\")\n"
			  "[ $# -gt 0 ] && target=$1\n"
			  "%s"
			  "if command -v cfuzz >/dev/null; then\n"
			  "\texec cfuzz repro%s%s \"$target\" \"$@\"\n"
			  "fi\n"
			  "exec \"$target\" \"$@\"\n",
			x->title, row ? "s" : "", row ? "" : " [FILE]",
			x->target,
			row ? "set -- \"$here\"/sequence/*\n"
			    : "set -- \"${2-$here/input}\"\n",
			x->options, row ? " --sequence" : ""));

	if (status == OK && fchmodat(x->fd, name, 0700, 0) != 0)
		status = error_set(x->err, file_status(errno),
			"cannot make %s executable: %s", name, strerror(errno));
	return status;
}

static enum status
put_program(struct export *x)
{
	const struct finding *f = x->f;
	bool small = f->minimized != NULL;

	return put_text(x, "input.c",
		export_program(&x->e->types, x->e->function, x->title, small,
			small ? f->minimized : f->input,
			small ? f->minimized_len : f->len));
}

static enum status
put_about(struct export *x)
{
	const struct finding *f = x->f;
	char first[TEXT_NUMBER_SIZE], words[FAILURE_TEXT_MAX];
	char target[2 * PATH_MAX], id[TARGET_ID_SIZE];

	text_clean_string(f->failure.text, words, sizeof(words));
	text_clean_string(x->e->target.path, target, sizeof(target));
	text_clean_string(x->e->target.id, id, sizeof(id));
	return put_text(x, "about.txt",
		xasprintf("%s\n%s\n\n"
			  "target      %s\n"
			  "%s    %s\n"
			  "seen        %" PRIu64
			  " times, first after %s of fuzzing\n"
			  "replays     %u of %u failed in the same way\n"
			  "input       %zu bytes%s%s\n"
			  "state       %s\n"
			  "finding     %s (%s)\n"
			  "made by     cfuzz %s\n"
			  "%s%s\n"
			  "reproduce.sh  runs the input again\n"
			  "input         the first input that failed\n"
			  "%s"
			  "input.c       the same as a program that calls "
			  "%s\n"
			  "%s%s"
			  "crash.json    all of this for programs, and the "
			  "stack\n",
			x->title, words, target,
			x->e->target.has_build_id ? "build-id" : "sha256  ", id,
			f->count, text_clock(f->first_s, first), f->reproduced,
			f->replays, f->file_len,
			f->minimized != NULL ? ", minimized " : "",
			f->minimized != NULL
				? text_count(f->minimized_file_len,
					  (char[TEXT_NUMBER_SIZE]){ 0 })
				: "",
			finding_state_name(f->state), f->id, f->folder,
			CFUZZ_VERSION, f->note[0] != '\0' ? "\n" : "", f->note,
			f->minimized != NULL
				? "minimized     a smaller one that fails in "
				  "the same way\n"
				: "",
			x->e->types.n > 0 ? "the target"
					  : "LLVMFuzzerTestOneInput()",
			f->sequence_n > 1
				? "sequence/     the inputs that have to run "
				  "in a row before it fails\n"
				: "",
			x->has_report ? "report.txt    what was said when it "
					"failed, and the stack\n"
				      : ""));
}

static enum status
put_json(struct export *x)
{
	json_t *json = record_json(x->e, x->f);
	char *text = json != NULL ? json_dumps(json, JSON_INDENT(2)) : NULL;

	json_decref(json);
	return put_text(x, "crash.json", text != NULL ? text : xstrdup("{}\n"));
}

/* It may not be on the disk yet, or not any more. */
static enum status
put_report(struct export *x)
{
	enum status status;
	uint8_t *data;
	size_t len;

	x->has_report = true;
	if (x->f->report != NULL)
		return put(x, "report.txt", x->f->report, x->f->report_len);
	x->has_report = store_read(x->e->store, x->f->folder, "report.txt",
				FILE_MAX, &data, &len, NULL) == OK;
	if (!x->has_report)
		return OK;
	status = put(x, "report.txt", data, len);
	free(data);
	return status;
}

/* All that it takes, from the first on. */
static enum status
put_sequence(struct export *x)
{
	const struct finding *f = x->f;
	enum status status;
	char name[32];
	uint8_t *data;
	size_t len;

	if (f->sequence_n < 2)
		return OK;
	status = dir_create_at(x->fd, SEQUENCE, 0, x->err);
	for (uint32_t i = 1; i <= f->sequence_n && status == OK; i++) {
		status = store_read_sequence(x->e->store, f->folder, i,
			FILE_MAX, &data, &len, x->err);
		if (status != OK)
			break;
		snprintf(name, sizeof(name), SEQUENCE "/%06u", i);
		status = put_input(x, name, data, len);
		free(data);
	}
	return status;
}

static enum status
put_all(struct export *x)
{
	const struct finding *f = x->f;
	enum status status = put_input(x, "input", f->input, f->len);

	if (status == OK && f->minimized != NULL)
		status = put_input(x, "minimized", f->minimized,
			f->minimized_len);
	if (status == OK)
		status = put_sequence(x);
	if (status == OK)
		status = put_report(x);
	if (status == OK)
		status = put_json(x);
	if (status == OK)
		status = put_script(x);
	if (status == OK)
		status = put_program(x);
	return status == OK ? put_about(x) : status;
}

/* ---- the folder ---------------------------------------------------------- */

/* Made, or there and empty. */
static enum status
open_folder(const char *path, int *fd, struct error *err)
{
	struct dir_names names = { 0 };
	char shown[PATH_MAX];
	enum status status = dir_create_at(AT_FDCWD, path, 0, err);

	if (status != OK || dir_open_at(AT_FDCWD, path, 0, fd, err) != OK)
		return err->code;
	text_clean_string(path, shown, sizeof(shown));
	status = dir_list(*fd, &names, err);
	if (status == OK && names.n > 0)
		status = error_set(err, E_EXISTS,
			"%s is not empty; name a folder that is new", shown);
	dir_names_clear(&names);
	if (status != OK)
		fd_close(fd);
	return status;
}

/* The first of its names that is free: "x", "x-2", "x-3" … */
static enum status
open_default(struct export *x, char *path, size_t size)
{
	const char *name = strrchr(x->f->folder, '/');
	char base[PATH_MAX];
	enum status status;
	unsigned i;

	name = name != NULL ? name + 1 : x->f->folder;
	rerun_path(x->e, EXPORT_FOLDER, base, sizeof(base));
	status = dir_create_at(AT_FDCWD, base, 0, x->err);
	if (status != OK)
		return status;
	snprintf(path, size, "%s/%s", base, name);
	for (i = 2; (status = open_folder(path, &x->fd, x->err)) == E_EXISTS &&
		i <= EXPORTS_MAX;
		i++)
		snprintf(path, size, "%s/%s-%u", base, name, i);
	return status;
}

enum status
export_finding(struct engine *e, const struct finding *f, const char *folder,
	char *path, size_t size, struct error *err)
{
	struct export x = { .e = e, .f = f, .fd = -1, .err = err };
	enum status status;
	char *real;

	if (f->input == NULL)
		return error_set(err, E_STATE, "its bytes are on disk alone");
	set_title(&x);
	rerun_options(e, x.options, sizeof(x.options));
	text_quote(e->target.path, x.target, sizeof(x.target));
	if (folder == NULL)
		status = open_default(&x, path, size);
	else
		status = open_folder(folder, &x.fd, err);
	if (status != OK)
		return status;
	real = folder != NULL ? realpath(folder, NULL) : NULL;
	if (folder != NULL)
		snprintf(path, size, "%s", real != NULL ? real : folder);
	free(real);
	status = put_all(&x);
	fd_close(&x.fd);
	return status;
}

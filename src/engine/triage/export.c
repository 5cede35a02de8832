/*
 * export: a folder with all that a bug report needs, to be sent away.
 *
 * Its reader needs neither the output directory nor cfuzz: the folder has a
 * shell script, and a C program that calls the target's function with the
 * bytes. The contents are made here. The writer's thread writes them, because
 * the user's folder may be slow and sequences are long. The command is answered
 * when the export is complete.
 */
#include "engine/triage/export.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/program.h"
#include "engine/triage/record.h"
#include "engine/triage/rerun.h"
#include "engine/triage/triage_needs.h"
#include "findings/export_write.h"
#include "findings/finding.h"
#include "store/store.h"
#include "worker/input_file.h"
#include "worker/inputs/input_text.h"

struct export
{
	struct engine *e;
	const struct finding *f;
	char title[512];
	char options[256], function[256];
	struct tuple_types types;
	char target[4 * PATH_MAX]; /* quoted for a shell */
	struct export_write write;
	export_done_fn *done; /* NULL: nobody waits for the end */
	json_int_t id;        /* for done() */
};

/* "heap-buffer-overflow in read_tile tiles.c:118" */
static void
export_set_title(struct export *x)
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

static void
export_put_text(struct export *x, const char *name, char *take_text)
{
	export_write_add(&x->write, name, take_text, strlen(take_text));
}

/* Adds the input in its file form. */
static void
export_put_input(struct export *x, const char *name, const void *data,
	size_t len)
{
	struct input_text text;

	input_text_init(&text, program_types(x->e), data, len);
	export_write_add(&x->write, name, xmemdup(text.data, text.len),
		text.len);
	input_text_clear(&text);
}

/* A word of a shell, in which "$input" replaces each mark. */
static char *
export_word_of(const char *arg)
{
	const char *mark = strstr(arg, INPUT_FILE_MARK);
	size_t len = mark != NULL ? (size_t)(mark - arg) : strlen(arg);
	char *piece = xstrndup(arg, len), *rest, *word;
	char *quoted = xmalloc(4 * len + 3);

	text_quote(piece, quoted, 4 * len + 3);
	/* Nothing is left behind a mark at the end. */
	rest = mark != NULL && mark[strlen(INPUT_FILE_MARK)] != '\0'
		? export_word_of(mark + strlen(INPUT_FILE_MARK))
		: xstrdup("");
	word = xasprintf("%s%s%s", len > 0 || mark == NULL ? quoted : "",
		mark != NULL ? "\"$input\"" : "", rest);
	free(quoted);
	free(piece);
	free(rest);
	return word;
}

static char *
export_arguments(const struct export *x)
{
	char *text = xstrdup("");

	for (char **arg = program_arguments(x->e); *arg != NULL; arg++) {
		char *word = export_word_of(*arg);
		char *more = xasprintf("%s %s", text, word);

		free(text);
		free(word);
		text = more;
	}
	return text;
}

/* Runs the program itself: its reader needs no cfuzz. */
static void
export_put_program_script(struct export *x)
{
	const char *name = engine_settings(x->e)->input_file;
	char *arguments = export_arguments(x), *word = export_word_of(name);
	bool named = name[0] != '\0';

	export_put_text(x, "reproduce.sh",
		xasprintf("#!/bin/sh\n"
			  "# %s\n"
			  "# Runs the program with the input again, or another "
			  "build of it:\n"
			  "# reproduce.sh [PROGRAM [FILE]]\n"
			  "program=%s\n"
			  "here=$(dirname -- \"$0\")\n"
			  "[ $# -gt 0 ] && program=$1\n"
			  "input=${2-$here/%s}\n"
			  "%s%s%s"
			  "exec \"$program\"%s%s\n",
			x->title, x->target,
			triage_is_minimized(x->e, x->f) ? "minimized" : "input",
			named ? "cp -- \"$input\" " : "", named ? word : "",
			named ? "\n" : "", arguments,
			program_reads_file(x->e) ? "" : " <\"$input\""));
	x->write.files[x->write.files_n - 1].run = true;
	free(arguments);
	free(word);
}

/* Run by hand, a program runs one input; cfuzz runs those of a sequence. */
static void
export_put_program_row(struct export *x)
{
	const char *name = engine_settings(x->e)->input_file;
	char *arguments = export_arguments(x), *word = export_word_of(name);

	export_put_text(x, "reproduce.sh",
		xasprintf("#!/bin/sh\n"
			  "# %s\n"
			  "# Runs the inputs again, in one process of the "
			  "program or of another build of it:\n"
			  "# reproduce.sh [PROGRAM]\n"
			  "program=%s\n"
			  "here=$(dirname -- \"$0\")\n"
			  "[ $# -gt 0 ] && program=$1\n"
			  "input=%s\n"
			  "exec cfuzz repro%s%s%s --sequence \"$program\" "
			  "\"$here\"/sequence/* --%s\n",
			x->title, x->target, INPUT_FILE_MARK, x->options,
			name[0] != '\0' ? " --input-file " : "",
			name[0] != '\0' ? word : "", arguments));
	x->write.files[x->write.files_n - 1].run = true;
	free(arguments);
	free(word);
}

/* Run by hand, a target runs its file arguments in a row in one process; `cfuzz
 * repro` can do the same. */
static void
export_put_script(struct export *x)
{
	bool row = x->f->sequence_n > 1;
	bool small = triage_is_minimized(x->e, x->f);

	export_put_text(x, "reproduce.sh",
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
			row             ? "set -- \"$here\"/sequence/*\n"
				: small ? "set -- \"${2-$here/minimized}\"\n"
					: "set -- \"${2-$here/input}\"\n",
			x->options, row ? " --sequence" : ""));
	x->write.files[x->write.files_n - 1].run = true;
}

static void
export_set_program(struct export *x)
{
	const struct finding *f = x->f;
	bool small = triage_is_minimized(x->e, f);
	size_t len = small ? f->minimized_len : f->len;

	x->types = *program_types(x->e);
	snprintf(x->function, sizeof(x->function), "%s",
		program_function(x->e));
	x->write.wants_program = true;
	x->write.program = (struct export_program){ .types = &x->types,
		.function = x->function,
		.title = x->title,
		.small = small };
	if (f->sequence_n < 2)
		export_write_add_input(&x->write,
			xmemdup(small ? f->minimized : f->input, len), len);
}

static void
set_about(struct export *x)
{
	const struct finding *f = x->f;
	char first[TEXT_NUMBER_SIZE], words[FAILURE_TEXT_MAX];
	char target[2 * PATH_MAX], id[TARGET_ID_SIZE];

	text_clean_string(f->failure.text, words, sizeof(words));
	text_clean_string(program_info(x->e)->path, target, sizeof(target));
	text_clean_string(program_info(x->e)->id, id, sizeof(id));
	x->write.about = xasprintf(
		"%s\n%s\n\n"
		"target      %s\n"
		"%s    %s\n"
		"seen        %" PRIu64 " times, first after %s of fuzzing\n"
		"replays     %u of %u failed in the same way\n"
		"input       %zu bytes%s%s\n"
		"state       %s\n"
		"finding     %s (%s)\n"
		"made by     cfuzz %s\n"
		"%s%s\n"
		"reproduce.sh  runs the %sinput again\n"
		"input         the first input that failed\n"
		"%s"
		"%s"
		"crash.json    all of this for programs, and the "
		"stack\n",
		x->title, words, target,
		program_info(x->e)->has_build_id ? "build-id" : "sha256  ", id,
		f->count, text_clock(f->first_s, first), f->reproduced,
		f->replays, f->file_len,
		f->minimized != NULL ? ", minimized " : "",
		f->minimized != NULL ? text_count(f->minimized_file_len,
					       (char[TEXT_NUMBER_SIZE]){ 0 })
				     : "",
		finding_verdict_name(f->verdict), f->id, f->folder,
		CFUZZ_VERSION, f->note[0] != '\0' ? "\n" : "", f->note,
		triage_is_minimized(x->e, f) && f->sequence_n < 2 ? "minimized "
								  : "",
		f->minimized != NULL
			? "minimized     a smaller one that failed in "
			  "the same way\n"
			: "",
		f->sequence_n > 1 ? "sequence/     the inputs that have to run "
				    "in a row before it fails\n"
				  : "");
}

static void
put_json(struct export *x)
{
	json_t *json = record_json(x->e, x->f);
	char *text = json != NULL ? json_dumps(json, JSON_INDENT(2)) : NULL;

	json_decref(json);
	export_put_text(x, "crash.json", text != NULL ? text : xstrdup("{}\n"));
}

/* ---- the export --------------------------------------------------------- */

static void
put_all(struct export *x)
{
	const struct finding *f = x->f;

	export_put_input(x, "input", f->input, f->len);
	if (f->minimized != NULL)
		export_put_input(x, "minimized", f->minimized,
			f->minimized_len);
	if (f->report != NULL)
		export_write_add(&x->write, "report.txt",
			xmemdup(f->report, f->report_len), f->report_len);
	put_json(x);
	if (program_has_main(x->e) && f->sequence_n > 1) {
		export_put_program_row(x);
	} else if (program_has_main(x->e)) {
		export_put_program_script(x);
	} else {
		export_put_script(x);
		export_set_program(x);
	}
	set_about(x);
}

static void
set_folders(struct export *x, const char *folder)
{
	const char *name = strrchr(x->f->folder, '/');
	char path[PATH_MAX];

	rerun_path(x->e, x->f->folder, path, sizeof(path));
	x->write.from = xstrdup(path);
	rerun_path(x->e, STORE_EXPORT, path, sizeof(path));
	x->write.path = xstrdup(folder != NULL ? folder : path);
	if (folder == NULL)
		x->write.below =
			xstrdup(name != NULL ? name + 1 : x->f->folder);
}

struct export *
export_create(struct engine *e, const struct finding *f, const char *folder,
	struct error *err)
{
	struct export *x;

	if (f->input == NULL) {
		error_set(err, E_STATE, "its bytes are only on disk");
		return NULL;
	}
	x = xcalloc(1, sizeof(*x));
	x->e = e;
	x->f = f;
	x->write.fd = x->write.from_fd = -1;
	x->write.sequence_n = f->sequence_n;
	export_set_title(x);
	rerun_options(e, f, x->options, sizeof(x->options));
	text_quote(program_info(e)->path, x->target, sizeof(x->target));
	set_folders(x, folder);
	put_all(x);
	return x;
}

bool
export_step(void *arg)
{
	struct export *x = arg;

	return export_write_step(&x->write);
}

const char *
export_path(const struct export *x)
{
	return x->write.made;
}

const struct error *
export_error(const struct export *x)
{
	return &x->write.err;
}

void
export_destroy(struct export *x)
{
	if (x == NULL)
		return;
	export_write_clear(&x->write);
	free(x);
}

static void
on_exported(void *arg, enum status status)
{
	struct export *x = arg;
	struct engine *e = x->e;
	char shown[1024], text[1200];
	bool ok = status == OK && x->write.err.code == OK;

	text_clean_string(x->write.made, shown, sizeof(shown));
	if (ok)
		snprintf(text, sizeof(text), "exported to %s", shown);
	else if (status == OK)
		snprintf(text, sizeof(text), "%s", x->write.err.text);
	else
		snprintf(text, sizeof(text),
			"%s is incomplete: the campaign has ended", shown);
	/* The journal's row is cut at its end: the finding stands first. */
	message_event(e, "operator", json_pack("{s:s}", "finding", x->f->id),
		ok ? "exported %s to %s" : "%s is not exported: %s", x->f->id,
		ok ? shown : text);
	if (x->done != NULL)
		x->done(e, x->id, ok, text);
	engine_set_export(e, NULL);
	export_destroy(x);
}

enum status
export_begin(struct engine *e, const struct finding *f, const char *folder,
	export_done_fn *done, json_int_t id, struct error *err)
{
	struct export *x;

	if (engine_export(e) != NULL)
		return error_set(err, E_BUSY,
			"another export is being written; try again soon");
	x = export_create(e, f, folder, err);
	if (x == NULL)
		return err->code;
	if (x->write.below == NULL &&
		export_write_look(x->write.path, err) != OK) {
		export_destroy(x);
		return err->code;
	}
	x->done = done;
	x->id = id;
	engine_set_export(e, x);
	store_steps(engine_store(e), export_step, on_exported, x);
	return OK;
}

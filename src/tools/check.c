/*
 * check: runs the findings of a campaign again with a new build of its target.
 *
 * For each finding the minimized input runs first, then the original one, or
 * else its sequence, in fresh children, until one fails in the same way. Inputs
 * that failed only sometimes run several times. Addresses differ in another
 * build, so failures are compared by kind, description and function name; in the
 * same build equal frames are enough.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "control/json_text.h"
#include "findings/finding_limits.h"
#include "tools/check_private.h"
#include "tools/repro_files.h"
#include "worker/inputs/type_names.h"
#include "worker/unseen.h"

#define CHECK_NAMING_MAX 16u /* questions for names at the same time */

/* ---- items -------------------------------------------------------------- */

static void
check_item_end(struct check_item *item, enum check_verdict verdict)
{
	item->verdict = verdict;
	item->done = true;
	item->busy = false;
	free(item->data);
	item->data = NULL;
	item->check->done++;
}

static void
check_item_not_run(struct check_item *item, const char *why)
{
	text_clean_string(why, item->why, sizeof(item->why));
	check_item_end(item, CHECK_NOT_RUN);
}

/* The build that failed cannot have been mended. */
static bool
check_item_same_build(const struct check_item *item)
{
	const char *build = json_text_get(item->finding->info, "build_id");
	const char *now = item->check->runner.target.build;

	return build != NULL && now[0] != '\0' && strcmp(build, now) == 0;
}

/* Why runs that do not fail tell nothing; "": they tell that it is fixed. */
static void
check_item_doubt(const struct check_item *item, char *why, size_t size)
{
	const struct runner *runner = &item->check->runner;
	const struct snapshot_finding *v = &item->finding->view;
	const char *had = json_text_of(item->finding->info, "sanitizer");
	const char *unseen = unseen_why(&item->was, had, runner->sanitizer,
		runner->leaks_unseen);
	char limits[64];

	why[0] = '\0';
	finding_limits_needed(&runner->settings,
		json_object_get(item->finding->info, "limits"), &item->was,
		limits, sizeof(limits));
	if (unseen != NULL)
		snprintf(why, size, "%s", unseen);
	else if (item->row_ran > 0)
		snprintf(why, size, "only %" PRIu64 " of %zu inputs ran",
			item->row_ran, item->row_n);
	else if (limits[0] != '\0')
		snprintf(why, size, "it failed with %s", limits);
	else if (item->was.kind == FAILURE_NONE)
		snprintf(why, size, "crash.json is missing or damaged");
	else if (archive_misses_folder(&item->check->archive))
		snprintf(why, size, "the campaign's working directory is gone");
	else if (check_item_same_build(item))
		snprintf(why, size,
			"this is the build that failed: it fails seldom, or "
			"with other limits or libraries");
	else if (v->replays > 0 && v->reproduced + v->reproduced_before == 0 &&
		(strcmp(v->replays_build, v->build) == 0 ||
			strcmp(v->state, "flaky") == 0))
		snprintf(why, size,
			"none of its replays did with the build that failed");
}

static void
check_item_end_unfailed(struct check_item *item)
{
	char doubt[128], why[192];

	check_item_doubt(item, doubt, sizeof(doubt));
	if (doubt[0] == '\0') {
		check_item_end(item, CHECK_FIXED);
		return;
	}
	snprintf(why, sizeof(why), "no run failed, but %s", doubt);
	check_item_not_run(item, why);
}

/* Goes on to the next file, or ends the item. */
static void
check_item_next_file(struct check_item *item)
{
	free(item->data);
	item->data = NULL;
	item->runs = 0;
	if (++item->file < item->files_n)
		return;
	if (item->verdict != CHECK_UNKNOWN)
		check_item_end(item, item->verdict);
	else
		check_item_end_unfailed(item);
}

static unsigned
check_item_runs_wanted(const struct check_item *item)
{
	const struct snapshot_finding *v = &item->finding->view;
	uint64_t verify = item->check->runner.settings.verify;

	if (v->reproduced >= v->replays && v->replays > 0)
		return 1;
	return verify > 0 ? (unsigned)verify : 1;
}

/* This run did not fail in the same way: runs the file again, or the next one. */
static void
check_item_next_run(struct check_item *item)
{
	item->busy = false;
	if (item->runs >= check_item_runs_wanted(item))
		check_item_next_file(item);
}

/* A file of the item, or its sequence; to be cleared. */
static void
check_item_open_file(const struct check_item *item, size_t i,
	struct repro_files *list)
{
	char *paths[] = { xasprintf("%s/%s/%s", item->check->output,
				  item->finding->folder, item->files[i]),
		NULL };

	repro_files_init(list, paths, false);
	free(paths[0]);
}

/* False: the file cannot be read; the item then has its verdict. */
static bool
check_item_load(struct check_item *item)
{
	struct error err = { 0 };
	struct repro_files list;
	size_t bytes;
	bool loaded;

	if (item->data != NULL)
		return true;
	check_item_open_file(item, item->file, &list);
	if (item->finding->view.sequence > 1 &&
		list.runs[0].n < item->finding->view.sequence) {
		repro_files_clear(&list);
		check_item_not_run(item, "files of the sequence are missing");
		return false;
	}
	loaded = repro_run_read(&list.runs[0], &item->check->runner.types,
			 item->check->runner.memory.head->max_len, &item->data,
			 &item->len, &bytes, &err) == OK;
	item->row_n = list.runs[0].row ? list.runs[0].n : 0;
	repro_files_clear(&list);
	if (!loaded)
		check_item_not_run(item, err.text);
	return loaded;
}

static void
check_item_init(struct check *check, struct check_item *item,
	const struct archive_finding *f)
{
	item->check = check;
	item->finding = f;
	if (f->view.sequence > 1)
		item->files[item->files_n++] = "sequence";
	else if (f->has_minimized)
		item->files[item->files_n++] = "minimized";
	if (f->has_input && f->view.sequence < 2)
		item->files[item->files_n++] = "input";
	item->was.kind = failure_kind_parse(f->view.kind);
	snprintf(item->was.what, sizeof(item->was.what), "%s", f->view.what);
	snprintf(item->was.text, sizeof(item->was.text), "%s", f->view.text);
	item->was_names =
		names_parse(&item->was, json_object_get(f->info, "frames"));
	if (item->files_n == 0)
		check_item_not_run(item, "the finding has no input");
}

/* ---- results ------------------------------------------------------------ */

static void
check_go_on(struct check *check)
{
	check_say_done(check);
	if (check->done == check->items_n)
		runner_stop(&check->runner);
	else
		runner_wake(&check->runner);
}

/* Debug information that came later may give the same code another name. */
static bool
check_item_same_code(const struct check_item *item,
	const struct failure *failure)
{
	return check_item_same_build(item) &&
		failure_stack_hash(&item->was) == failure_stack_hash(failure);
}

/* answer may be NULL: no names. */
static void
check_item_on_named(struct check_item *item,
	const struct symbols_answer *answer)
{
	struct failure clean = item->failure;
	bool same;

	text_clean_string(item->failure.what, clean.what, sizeof(clean.what));
	same = check_item_same_code(item, &clean) ||
		names_same(&item->was, item->was_names, &clean, answer);
	if (same || item->verdict == CHECK_UNKNOWN) {
		snprintf(item->what, sizeof(item->what), "%s",
			clean.what[0] != '\0' ? clean.what
					      : failure_kind_name(clean.kind));
		names_spot(&clean, answer, item->where, sizeof(item->where));
	}
	if (same) {
		check_item_end(item, CHECK_STILL_FAILS);
		return;
	}
	item->verdict = CHECK_FAILS_DIFFERENTLY;
	check_item_next_run(item);
}

static void
check_item_on_names(void *arg, struct symbols_answer *take_answer)
{
	struct check_item *item = arg;

	item->check->naming--;
	if (!item->done)
		check_item_on_named(item, take_answer);
	symbols_answer_destroy(take_answer);
	check_go_on(item->check);
}

static void
check_item_on_failure(struct check_item *item, const struct failure *failure,
	pid_t process)
{
	item->failure = *failure;
	if (names_ask(item->check->runner.names, &item->failure, process,
		    check_item_on_names, item))
		item->check->naming++; /* the item stays busy */
	else
		check_item_on_named(item, NULL);
}

static void
check_on_result(void *arg, const struct worker *w,
	const struct worker_result *r)
{
	struct check *check = arg;
	struct check_item *item = job_owner_check_item(&r->job);

	if (runner_again(r, &item->tries)) {
		item->busy = false;
	} else if (r->interrupted || r->count == 0) {
		check_item_not_run(item,
			r->error[0] != '\0'      ? r->error
				: r->interrupted ? "stopped"
						 : "the process ended before");
	} else if (failure_is_suspect(r->failure.kind) &&
		r->failure.kind != item->was.kind) {
		check_item_not_run(item,
			r->failure.kind == FAILURE_KILLED
				? "the process was killed from outside"
				: r->failure.text);
	} else {
		item->runs++;
		item->runs_all++;
		if (r->failure.kind == FAILURE_NONE && r->count < item->row_n)
			item->row_ran = r->count;
		if (r->failure.kind != FAILURE_NONE)
			check_item_on_failure(item, &r->failure, worker_pid(w));
		else
			check_item_next_run(item);
	}
	check_go_on(check);
}

static bool
check_next(void *arg, const struct worker *w, struct job *job)
{
	struct check *check = arg;
	struct check_item *item;
	size_t i;

	for (i = check->told; i < check->items_n; i++) {
		item = &check->items[i];
		if (check->naming >= CHECK_NAMING_MAX)
			return false;
		if (item->done || item->busy || !check_item_load(item))
			continue;
		item->busy = true;
		job->data = item->data;
		job->len = item->len;
		if (item->row_n > 0) {
			job->kind = JOB_SEQUENCE;
			job->sequence_n = (uint32_t)item->row_n;
		}
		job_let_grow(job, item->was.kind);
		job_set_check_item(job, item);
		return true;
	}
	if (check->done == check->items_n)
		check_go_on(check);
	return false;
}

/* ---- the whole ---------------------------------------------------------- */

/* The length limit must admit the longest input and sequence. */
static uint64_t
check_max_len(const struct check *check)
{
	uint64_t len = check->archive.settings.max_len;
	struct repro_files list;
	size_t i, j;

	for (i = 0; i < check->items_n; i++)
		for (j = 0; j < check->items[i].files_n; j++) {
			check_item_open_file(&check->items[i], j, &list);
			len = repro_files_max_len(&list, len);
			repro_files_clear(&list);
		}
	return len;
}

/* A new build may be anywhere, but it has the same file name; else it is refused
 * as by `cfuzz run`: nothing would fail in a program that is another one. */
static enum status
check_same_target(const struct check *check, struct error *err)
{
	const struct archive_start *start = &check->archive.start;
	const struct target_info *target = &check->runner.target;
	const char *name =
		start->target != NULL ? strrchr(start->target, '/') : NULL;
	char shown[256], other[256], own[256];

	if (name == NULL || strcmp(name + 1, target->name) == 0 ||
		strcmp(start->build, target->build) == 0 ||
		(start->first_target != NULL &&
			strcmp(start->first_target, target->path) == 0))
		return OK;
	text_clean_string(check->output, shown, sizeof(shown));
	text_clean_string(start->target, other, sizeof(other));
	text_clean_string(target->path, own, sizeof(own));
	return error_set(err, E_EXISTS,
		"%s belongs to another target, %s, not to %s: a new build "
		"needs the same file name",
		shown, other, own);
}

/* As `cfuzz run`: an untyped target would take the text of values for bytes. */
static enum status
check_on_ready(void *arg, struct worker *w, struct error *err)
{
	const struct check *check = arg;
	const struct archive_start *start = &check->archive.start;
	char shown[256];

	if (start->target == NULL && start->types.n == 0)
		return OK; /* the journal is lost */
	text_clean_string(check->output, shown, sizeof(shown));
	return type_names_check(&start->types, worker_types(w), shown, "", err);
}

static enum status
check_open(struct check *check, struct error *err)
{
	static const struct runner_handlers handlers = {
		.on_ready = check_on_ready,
		.next = check_next,
		.on_result = check_on_result,
	};
	uint64_t workers = check->archive.settings.parallel;
	char text[1024];
	size_t i;

	check->items_n = check->findings.n;
	check->items = xcalloc(check->items_n, sizeof(*check->items));
	for (i = 0; i < check->items_n; i++)
		check_item_init(check, &check->items[i],
			&check->findings.items[i]);
	if (workers > check->items_n)
		workers = check->items_n;
	if (runner_open(&check->runner, &check->archive.config, &handlers,
		    check, (uint32_t)workers, check_max_len(check),
		    err) != OK ||
		check_same_target(check, err) != OK)
		return err->code;
	runner_say_target(&check->runner);
	archive_config_tell(&check->archive, text, sizeof(text));
	if (text[0] != '\0')
		runner_say(&check->runner, "%s", text);
	check_say_done(check);
	return OK;
}

static void
check_close(struct check *check)
{
	size_t i;

	for (i = 0; i < check->items_n; i++) {
		free(check->items[i].data);
		symbols_answer_destroy(check->items[i].was_names);
	}
	free(check->items);
	runner_close(&check->runner);
}

static enum exit_status
check_status(const struct check *check)
{
	if (check->counts[CHECK_NOT_RUN] > 0)
		return EXIT_LOST;
	return check->counts[CHECK_STILL_FAILS] > 0 ||
			check->counts[CHECK_FAILS_DIFFERENTLY] > 0
		? EXIT_FOUND
		: EXIT_NOTHING;
}

static enum exit_status
check_run(struct check *check, struct error *err)
{
	enum exit_status status = EXIT_SETUP;
	size_t i;

	if (check_open(check, err) == OK &&
		(check->done == check->items_n ||
			runner_run(&check->runner, err) == OK)) {
		for (i = 0; i < check->items_n; i++)
			if (!check->items[i].done)
				check_item_not_run(&check->items[i], "stopped");
		check_say_done(check);
		check_say_end(check);
		status = check_status(check);
	}
	check_close(check);
	return status;
}

enum exit_status
engine_check(const struct engine_config *config, const char *output,
	struct error *err)
{
	struct check check = { .output = output };
	enum exit_status status = EXIT_SETUP;

	if (archive_read_findings(output, &check.findings, err) != OK)
		return EXIT_SETUP;
	archive_config_init(&check.archive, config, output);
	if (check.archive.config.target == NULL)
		error_set(err, E_USAGE,
			"the journal of %s does not name its target: cfuzz "
			"check OUT TARGET",
			output);
	else
		status = check_run(&check, err);
	archive_config_clear(&check.archive);
	archive_findings_clear(&check.findings);
	return status;
}

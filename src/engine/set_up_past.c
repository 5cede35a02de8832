/* set_up_past: see set_up_past.h. */
#include "engine/set_up_past.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "control/snapshot.h"
#include "engine/corpus/load_files.h"
#include "engine/engine_coverage.h"
#include "engine/engine_over_state.h"
#include "engine/engine_private.h"
#include "engine/log/messages.h"
#include "engine/program.h"
#include "engine/set_up.h"
#include "engine/statistics/earlier_runs.h"
#include "engine/triage/findings_list.h"
#include "engine/triage/triage.h"
#include "worker/input_file.h"
#include "worker/target/command_line.h"
#include "worker/target/elf.h"
#include "worker/target/isolation.h"

/* The target as it was: its name and build are known, the file may be gone. */
static void
past_name_target(struct engine *e, const char *path)
{
	struct target_info *info = &e->target.info;

	target_info_clear(info);
	*info = (struct target_info){ .fd = -1 };
	snprintf(info->path, sizeof(info->path), "%s", path);
	snprintf(info->name, sizeof(info->name), "%s", basename(path));
}

/* Findings and coverage are those of one build. */
static void
past_check_build(const struct engine *e, struct error *err)
{
	const char *build = store_past(e->store)->build;
	char output[256];

	if (build[0] == '\0' || strcmp(build, e->target.info.build) == 0)
		return;
	text_clean_string(e->output_path, output, sizeof(output));
	error_set(err, E_TARGET,
		"the target was built anew after the campaign: `cfuzz check "
		"%s` runs its findings with the new build",
		output);
}

/* err: why it cannot run. */
static void
past_find_target(struct engine *e, const char *path, struct error *err)
{
	struct target_info *info = &e->target.info;

	if (target_check(path, info, err) == OK &&
		input_file_check(&e->settings, program_folder(e), err) == OK &&
		isolation_open(&e->target.isolation, &e->settings, info->fd,
			err) == OK &&
		command_line_show(info, &e->target.isolation, err) == OK) {
		isolation_hide(&e->target.isolation, e->output_path);
		past_check_build(e, err);
	}
	if (err->code != OK)
		past_name_target(e, path);
	snprintf(info->build, sizeof(info->build), "%s",
		store_past(e->store)->build);
}

static void
past_take_numbers(struct engine *e, const struct snapshot *s)
{
	bool has_stats = s->runs > 0;
	double run_s = has_stats ? s->elapsed_s : e->earlier.elapsed_s;

	program_set_kind(e, s->kind);
	program_set_build(e, s->sanitizer, s->instrumented || !has_stats);
	e->earlier.elapsed_s = has_stats ? s->past_s : 0;
	e->earlier.runs = store_past(e->store)->runs;
	e->clock.run_ns = (uint64_t)(run_s * 1e9);
	e->settings.seed = s->seed;
	/* Without stats.json it is unknown how the run ended. */
	e->end.found =
		has_stats ? s->exit_status == EXIT_FOUND : findings_any_open(e);
	e->end.lost = s->exit_status == EXIT_LOST;
}

enum status
set_up_past(struct engine *e, const char *target, char *const *args,
	struct error *err)
{
	struct error no_target = { 0 };
	const json_t *stats;

	e->output_path = xstrdup(e->settings.output);
	if (store_open_past(&e->store, e->output_path, e->base, err) != OK)
		return err->code;
	past_find_target(e, target, &no_target);
	e->target.path = xstrdup(target);
	e->target.name = xstrdup(e->target.info.name);
	e->target.argv = command_line_create(&e->target.info, args);
	stats = store_past(e->store)->stats;
	over_begin_past(e,
		stats != NULL ? json_deep_copy(stats) : json_object(),
		&no_target);
	if (set_up_memory(e, err) != OK)
		return err->code;
	return set_up_corpus(e, err);
}

/* Logs the warnings of the store: files that it could not read. */
static void
past_say_warnings(struct engine *e)
{
	const char *text;
	size_t i;

	for (i = 0; (text = store_warning(e->store, i)) != NULL; i++)
		message_event(e, "files", NULL, "%s", text);
}

void
set_up_past_load(struct engine *e)
{
	struct snapshot s;

	triage_resume(e);
	earlier_runs_resume(e);
	snapshot_init(&s);
	if (snapshot_decode(&s, over_stats(e), NULL) != OK)
		snapshot_init(&s);
	past_take_numbers(e, &s);
	snapshot_clear(&s);
	store_forget(e->store);
	engine_coverage_read(e);
	past_say_warnings(e);
	load_begin_past(e);
}

/* program: see program.h. */
#include "engine/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "control/settings.h"
#include "engine/parts.h"
#include "engine/program_private.h"
#include "shared/values/tuple.h"
#include "worker/target/environment.h"

/* A program that has not used its input for so many executions never will. */
#define PROGRAM_WATCHED_MIN 100u

extern char **environ;

void
program_place(struct engine *e, const char *folder, bool keep_input)
{
	const struct settings *settings = engine_settings(e);
	struct program *p = engine_program(e);

	p->folder = folder != NULL ? xstrdup(folder) : NULL;
	p->input_name = input_file_name(settings, folder);
	p->input = (struct input_file_spec){
		.name = p->input_name,
		.isolated = settings->isolate,
		.keep = keep_input,
		.lock_fd = -1,
	};
}

void
program_clear(struct engine *e)
{
	struct program *p = engine_program(e);

	free(p->path);
	free(p->name);
	free(p->folder);
	xfree_list(p->argv);
	free(p->input_folder);
	free(p->input_name);
	input_watch_close(&p->watch);
	xfree_list(p->envp);
}

const char *
program_path(const struct engine *e)
{
	return engine_program(e)->path;
}

const char *
program_name(const struct engine *e)
{
	return engine_program(e)->name;
}

char **
program_argv(const struct engine *e)
{
	return engine_program(e)->argv;
}

char **
program_arguments(const struct engine *e)
{
	/* The adapter has the program as its first argument. */
	return program_argv(e) + (program_info(e)->adapter_fd > 0 ? 2 : 1);
}

char **
program_envp(const struct engine *e)
{
	return engine_program(e)->envp;
}

const char *
program_folder(const struct engine *e)
{
	return engine_program(e)->folder;
}

void
program_set_limit(struct engine *e)
{
	const struct settings *settings = engine_settings(e);
	const struct environment_spec spec = {
		.rss_limit_mb = settings->rss_limit_mb,
		.no_leaks = settings->no_leaks,
		.preload = program_info(e)->preload,
	};

	environment_change(program_envp(e), environ, &spec);
}

const struct target_info *
program_info(const struct engine *e)
{
	return &engine_program(e)->info;
}

const struct isolation *
program_isolation(const struct engine *e)
{
	return &engine_program(e)->isolation;
}

const struct input_file_spec *
program_input(const struct engine *e)
{
	return &engine_program(e)->input;
}

bool
program_reads_file(const struct engine *e)
{
	const struct program *p = engine_program(e);

	return (p->input.name != NULL && p->input.name[0] != '\0') ||
		input_file_is_marked(p->argv);
}

enum status
program_take_input(struct engine *e, struct error *err)
{
	return input_file_take(&engine_program(e)->input, err);
}

void
program_leave_input(struct engine *e)
{
	struct input_file_spec *input = &engine_program(e)->input;

	if (input->lock_fd >= 0)
		(void)remove(input->name);
	input_file_remove_old(input->folder);
	input_file_leave(input);
}

const char *
program_kind(const struct engine *e)
{
	return engine_program(e)->kind;
}

bool
program_has_main(const struct engine *e)
{
	const char *kind = engine_program(e)->kind;

	return kind[0] != '\0' && strcmp(kind, "function") != 0;
}

bool
program_is_binary(const struct engine *e)
{
	return strcmp(engine_program(e)->kind, "binary") == 0;
}

const struct tuple_types *
program_types(const struct engine *e)
{
	return &engine_program(e)->types;
}

const char *
program_function(const struct engine *e)
{
	return engine_program(e)->function;
}

const char *
program_sanitizer(const struct engine *e)
{
	return engine_program(e)->sanitizer;
}

bool
program_is_instrumented(const struct engine *e)
{
	return engine_program(e)->instrumented;
}

void
program_set_types(struct engine *e, const struct tuple_types *types,
	const char *function)
{
	struct program *p = engine_program(e);

	p->types = *types;
	snprintf(p->function, sizeof(p->function), "%s", function);
}

void
program_set_kind(struct engine *e, const char *kind)
{
	struct program *p = engine_program(e);

	text_clean_string(kind, p->kind, sizeof(p->kind));
}

bool
program_doubt_input(struct engine *e, const struct worker *worker,
	uint64_t executions)
{
	struct program *p = engine_program(e);
	bool seen;

	if (p->judged)
		return false;
	if (p->watch.fd == 0) {
		p->watched_from = executions;
		p->judged = !input_watch_open(&p->watch, worker);
		return false;
	}
	seen = input_watch_has_seen(&p->watch);
	if (!seen && executions - p->watched_from < PROGRAM_WATCHED_MIN)
		return false;
	input_watch_close(&p->watch);
	p->judged = true;
	return !seen;
}

void
program_set_build(struct engine *e, const char *sanitizer, bool instrumented)
{
	struct program *p = engine_program(e);

	snprintf(p->sanitizer, sizeof(p->sanitizer), "%s", sanitizer);
	p->instrumented = instrumented;
}

bool
program_leaks_unseen(const struct engine *e)
{
	return engine_program(e)->leaks_unseen;
}

void
program_set_leaks_unseen(struct engine *e)
{
	engine_program(e)->leaks_unseen = true;
}

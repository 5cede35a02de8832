/* program: see program.h. */
#include "engine/program.h"

#include <stdio.h>

#include "engine/parts.h"
#include "engine/program_private.h"
#include "shared/values/tuple.h"

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
program_envp(const struct engine *e)
{
	return engine_program(e)->envp;
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
program_set_build(struct engine *e, const char *sanitizer, bool instrumented)
{
	struct program *p = engine_program(e);

	snprintf(p->sanitizer, sizeof(p->sanitizer), "%s", sanitizer);
	p->instrumented = instrumented;
}

/*
 * unused: see unused.h. libFuzzer's and AFL++'s command lines are others, so
 * users write what nothing here reads.
 */
#include "engine/unused.h"

#include <stdio.h>
#include <string.h>

#include "base/dir.h"
#include "base/text.h"
#include "control/settings.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/program.h"

/* A folder after the target is an argument, perhaps meant as seeds. */
static void
unused_warn_of_folder(struct engine *e, const char *arg)
{
	char text[1024], folder[256];

	if (engine_settings(e)->seeds.n > 0 || !dir_exists(arg))
		return;
	text_clean_string(arg, folder, sizeof(folder));
	snprintf(text, sizeof(text),
		"the folder %s is an argument of the target, not a folder of "
		"seeds; did you mean --seeds %s, before the target?",
		folder, folder);
	message_warn(e, "arguments", text);
}

/* libFuzzer takes "-runs=5" after the target. A program may have such options
 * of its own. */
static void
unused_warn_of_option(struct engine *e, const char *arg)
{
	char text[512], option[256];

	if (program_has_main(e) || arg[0] != '-' || strchr(arg, '=') == NULL)
		return;
	text_clean_string(arg, option, sizeof(option));
	snprintf(text, sizeof(text),
		"%s is an argument of the target, not an option of cfuzz, "
		"which would stand before the target; --help lists them",
		option);
	message_warn(e, "arguments", text);
}

/* given: the user wrote the option `name`; used: it has an effect here. */
static void
unused_warn_of_setting(struct engine *e, const char *name, bool given,
	bool used, const char *why)
{
	char text[160];

	if (!given || used)
		return;
	snprintf(text, sizeof(text), "%s has no effect: %s", name, why);
	message_warn(e, "arguments", text);
}

void
unused_warn(struct engine *e)
{
	const struct settings *settings = engine_settings(e);
	static const char function[] =
		"the target is a function, not a program with a main()";

	/* A function gets its input in memory, and has no exit status. */
	unused_warn_of_setting(e, "--input-file",
		settings->input_file[0] != '\0', program_has_main(e), function);
	unused_warn_of_setting(e, "--fail-on-exit", settings->fail_on_exit,
		program_has_main(e), function);
	unused_warn_of_setting(e, "--coverage none",
		strcmp(settings->coverage, "none") == 0, program_is_binary(e),
		"it is for programs without instrumentation");
	if (settings->separated)
		return;
	for (char **arg = program_arguments(e); *arg != NULL; arg++) {
		unused_warn_of_folder(e, *arg);
		unused_warn_of_option(e, *arg);
	}
}

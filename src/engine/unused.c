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

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

extern char **environ;

/* A folder after the target is an argument, perhaps meant as seeds. Hardly
 * anybody means the working directory or its parent. */
static void
unused_warn_of_folder(struct engine *e, const char *arg)
{
	char text[1024], folder[256];

	if (engine_settings(e)->seeds.n > 0 || strcmp(arg, ".") == 0 ||
		strcmp(arg, "..") == 0 || !dir_exists(arg))
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

/*
 * Beginnings of names that are no news: compilers and programs of AFL++ read
 * them, or they ask for what cfuzz does anyway.
 */
static const char *const unused_expected[] = { "AFL_CC", "AFL_CXX", "AFL_DEBUG",
	"AFL_DRIVER_", "AFL_DUMP_", "AFL_FUZZER_", "AFL_GCC_",
	"AFL_IGNORE_PROBLEMS", "AFL_I_DONT_CARE_", "AFL_LLVM_", "AFL_MAP_SIZE",
	"AFL_NO_AFFINITY", "AFL_NO_UI", "AFL_OLD_FORKSERVER", "AFL_PATH",
	"AFL_QUIET", "AFL_SKIP_", "AFL_TRY_AFFINITY", "AFL_USE_" };

/* Variables of afl-fuzz, and what has the same effect here. */
static const struct {
	const char *name, *ours;
} unused_variables[] = {
	{ "AFL_BENCH_UNTIL_CRASH", "--stop-on-crash" },
	{ "AFL_CRASH_EXITCODE", "--fail-on-exit" },
	{ "AFL_EXIT_ON_TIME", "--stop-after-idle" },
	{ "AFL_HANG_TMOUT", "--timeout" },
	{ "AFL_INPUT_LEN_MAX", "--max-len" },
	{ "AFL_PRELOAD", "LD_PRELOAD" },
};

static bool
unused_is_expected(const char *variable)
{
	for (size_t i = 0; i < ROWS(unused_expected); i++)
		if (strncmp(variable, unused_expected[i],
			    strlen(unused_expected[i])) == 0)
			return true;
	return false;
}

/* NULL: nothing here has the effect. */
static const char *
unused_instead_of(const char *name)
{
	for (size_t i = 0; i < ROWS(unused_variables); i++)
		if (strcmp(name, unused_variables[i].name) == 0)
			return unused_variables[i].ours;
	return NULL;
}

/* variable: NAME=VALUE. Appends to text, which has room for size bytes. */
static void
unused_add_variable(const char *variable, char *text, size_t size)
{
	size_t value = strcspn(variable, "="), len = strlen(text);
	char name[64];
	const char *ours;

	if (strncmp(variable, "AFL_", 4) != 0 || variable[value] == '\0' ||
		variable[value + 1] == '\0' || unused_is_expected(variable))
		return;
	text_clean(variable, value, name, sizeof(name));
	ours = unused_instead_of(name);
	snprintf(text + len, size - len, "%s%s%s%s%s", len ? ", " : "", name,
		ours ? " (use " : "", ours ? ours : "", ours ? ")" : "");
}

static void
unused_warn_of_variables(struct engine *e)
{
	char names[1024] = "", text[1100];

	for (char **variable = environ; *variable != NULL; variable++)
		unused_add_variable(*variable, names, sizeof(names));
	if (names[0] == '\0')
		return;
	snprintf(text, sizeof(text), "variables of afl-fuzz have no effect: %s",
		names);
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
	unused_warn_of_variables(e);
	if (settings->separated)
		return;
	for (char **arg = program_arguments(e); *arg != NULL; arg++) {
		unused_warn_of_folder(e, *arg);
		unused_warn_of_option(e, *arg);
	}
}

/*
 * cfuzz-cc, cfuzz-c++: a compiler wrapper that makes programs ready to fuzz.
 *
 * It replaces clang or gcc in any build. It parses the command, adds
 * instrumentation when it compiles and the runtime when it links a program, and
 * becomes the real compiler by exec, so that status, signals and output are the
 * compiler's own. With "++" in its own name, it runs the C++ compiler.
 */
#include <errno.h>
#include <libgen.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "cc/arguments.h"
#include "cc/compile_command.h"
#include "cc/compiler.h"
#include "cc/features.h"
#include "cc/harness.h"
#include "cc/runtime.h"
#include "cc/translate.h"

#ifndef CFUZZ_VERSION
#define CFUZZ_VERSION "unknown"
#endif

#if defined(__x86_64__)
#define WRAPPER_MACHINE "64-bit x86"
#else
#define WRAPPER_MACHINE "64-bit ARM"
#endif

#define EXIT_SETUP 2

/* clang-format off */
static const char help[] =
"usage: cfuzz-cc  [compiler options] file ...\n"
"       cfuzz-c++ [compiler options] file ...\n"
"       cfuzz-cc --features | --print-runtime | --version | --help\n"
"\n"
"Compiles and links as clang or gcc do, and makes programs that cfuzz can\n"
"fuzz: objects are instrumented, programs get the runtime libcfuzz.a.\n"
"\n"
"  cfuzz-cc -fsanitize=address -o target target.c\n"
"  ./configure CC=cfuzz-cc CXX=cfuzz-c++\n"
"  cmake -DCMAKE_C_COMPILER=cfuzz-cc -DCMAKE_CXX_COMPILER=cfuzz-c++ ..\n"
"\n"
"  --features       what the compiler at hand gives a target\n"
"  --print-runtime  path of libcfuzz.a\n"
"  --version        version, and that of the compiler\n"
"\n"
"environment:\n"
"  CFUZZ_CC, CFUZZ_CXX    the real compiler, may have options: \"ccache clang\"\n"
"                         (default: clang if there is one, else gcc)\n"
"  CFUZZ_NO_INSTRUMENT=1  compile without instrumentation\n"
"  CFUZZ_RUNTIME          path of libcfuzz.a\n"
"  CFUZZ_QUIET=1          no notes\n"
"  AFL_USE_ASAN=1         -fsanitize=address; AFL_USE_UBSAN and others as well\n";
/* clang-format on */

struct wrapper {
	bool cxx;
	struct compiler compiler;
	struct runtime runtime;
	struct compile_command command;
};

/* ---- set-up ---------------------------------------------------------- */

static const char *
wrapper_name(bool cxx)
{
	return cxx ? "cfuzz-c++" : "cfuzz-cc";
}

_Noreturn static void
wrapper_fail(bool cxx, const struct error *err)
{
	fprintf(stderr, "%s: %s\n", wrapper_name(cxx), err->text);
	exit(EXIT_SETUP);
}

/* Is the variable set, not empty and not "0"? */
static bool
wrapper_wants(const char *variable)
{
	const char *value = getenv(variable);

	return value != NULL && *value != '\0' && strcmp(value, "0") != 0;
}

static bool
wrapper_is_cxx(const char *argv0)
{
	const char *slash = strrchr(argv0, '/');

	return strstr(slash == NULL ? argv0 : slash + 1, "++") != NULL;
}

static void
wrapper_open_runtime(struct runtime *runtime)
{
	char self[4096];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[len < 0 ? 0 : len] = '\0';
	runtime_open(runtime, dirname(self), getenv("CFUZZ_RUNTIME"));
}

static void
wrapper_open_compiler(struct wrapper *wrapper)
{
	const char *variable = wrapper->cxx ? "CFUZZ_CXX" : "CFUZZ_CC";
	struct error err;

	error_clear(&err);
	if (compiler_open(&wrapper->compiler, wrapper->cxx, getenv(variable),
		    variable, &err) != OK)
		wrapper_fail(wrapper->cxx, &err);
}

/* The compilers of AFL++ read these, so builds that set them expect it. */
static const struct {
	const char *variable, *option;
} sanitizers[] = {
	{ "AFL_USE_ASAN", "-fsanitize=address" },
	{ "AFL_USE_LSAN", "-fsanitize=leak" },
	{ "AFL_USE_MSAN", "-fsanitize=memory" },
	{ "AFL_USE_TSAN", "-fsanitize=thread" },
	{ "AFL_USE_UBSAN", "-fsanitize=undefined" },
};

/* Options in CFUZZ_CC, and those that variables stand for, count as if the user
 * had given them. */
static void
wrapper_open_command(struct wrapper *wrapper, int argc, char **argv)
{
	struct arguments words = { .n = 0 };

	arguments_add(&words, argv[0]);
	arguments_add_list(&words, &wrapper->compiler.options);
	for (size_t i = 0; i < sizeof(sanitizers) / sizeof(sanitizers[0]); i++)
		if (wrapper_wants(sanitizers[i].variable))
			arguments_add(&words, sanitizers[i].option);
	for (int i = 1; i < argc; i++)
		arguments_add(&words, argv[i]);
	compile_command_init(&wrapper->command, (int)words.n, words.v);
	arguments_clear(&words);
}

/* ---- options of cfuzz-cc -------------------------------------------- */

static int
wrapper_print_runtime(bool cxx)
{
	struct runtime runtime;
	struct error err;

	error_clear(&err);
	wrapper_open_runtime(&runtime);
	if (runtime_check(&runtime, &err) != OK)
		wrapper_fail(cxx, &err);
	puts(runtime.archive);
	runtime_close(&runtime);
	return 0;
}

static int
wrapper_print_features(bool cxx)
{
	struct wrapper wrapper = { .cxx = cxx };
	char version[4096];
	struct error err;

	error_clear(&err);
	wrapper_open_compiler(&wrapper);
	if (compiler_get_version(&wrapper.compiler, version, sizeof(version),
		    &err) != OK)
		wrapper_fail(cxx, &err);
	printf("%s %s\n", wrapper_name(cxx), CFUZZ_VERSION);
	features_print(stdout, wrapper.compiler.kind, version);
	compiler_close(&wrapper.compiler);
	return 0;
}

static int
wrapper_print_help(bool cxx)
{
	fputs(help, stdout);
	return 0;
}

/* These options count only if they stand alone. */
static const struct own_option {
	const char *name;
	int (*run)(bool cxx);
} own_options[] = {
	{ "--help", wrapper_print_help },
	{ "--features", wrapper_print_features },
	{ "--print-runtime", wrapper_print_runtime },
	{ NULL, NULL },
};

static int
wrapper_run_own(const struct own_option *option, bool cxx)
{
	int status = option->run(cxx);
	struct error err;

	error_clear(&err);
	if (fd_check_output(&err) != OK)
		wrapper_fail(cxx, &err);
	return status;
}

/* ---- running the compiler ------------------------------------------- */

/*
 * Builds link programs that are no targets, and when they probe the compiler,
 * some take any output on stderr for a failure. So the note that there is
 * no function to fuzz appears only on a terminal.
 */
static void
wrapper_print_notes(const struct wrapper *wrapper)
{
	bool asks = isatty(STDERR_FILENO) != 0;
	bool gcc = wrapper->compiler.kind == COMPILER_GCC;

	if (wrapper_wants("CFUZZ_QUIET") || (!asks && !gcc))
		return;
	if (harness_in_command(&wrapper->command)) {
		if (gcc)
			features_print_note(stderr);
	} else if (asks) {
		fprintf(stderr,
			"%s: note: no function " TARGET_ENTRY
			"() in these files: each input runs the whole program; "
			"a function is many times faster (see cfuzz(3))\n",
			wrapper_name(wrapper->cxx));
	}
}

/* With CFUZZ_RUNTIME, the user is trusted to name a runtime for the machine. */
static enum status
wrapper_check_machine(const struct wrapper *wrapper, struct error *err)
{
	const struct arguments *program = &wrapper->compiler.program;
	const char *option = translate_other_machine(&wrapper->command);
	char machine[64];

	if (wrapper_wants("CFUZZ_RUNTIME"))
		return OK;
	if (option == NULL &&
		(!compiler_get_machine(&wrapper->compiler, machine,
			 sizeof(machine)) ||
			translate_is_our_machine(machine)))
		return OK;
	return error_set(err, E_USAGE,
		"%s makes a program for another machine, but the runtime is "
		"only for " WRAPPER_MACHINE ": %slink programs that are not "
		"fuzzed with the compiler itself",
		option != NULL ? option : program->v[program->n - 1],
		option != NULL ? "leave the option out, or " : "");
}

static struct toolchain
wrapper_look(const struct wrapper *wrapper)
{
	const struct compile_command *command = &wrapper->command;
	struct toolchain tools = {
		.compiler = wrapper->compiler.kind,
		.instrument = !wrapper_wants("CFUZZ_NO_INSTRUMENT"),
		.runtime = wrapper->runtime.archive,
		.include_dir = wrapper->runtime.include_dir,
		.names_target = harness_is_function(command),
	};
	struct error err;

	if (!translate_links_runtime(command))
		return tools;
	error_clear(&err);
	if (runtime_check(&wrapper->runtime, &err) != OK ||
		wrapper_check_machine(wrapper, &err) != OK)
		wrapper_fail(wrapper->cxx, &err);
	tools.exports_by_name =
		compiler_exports_by_name(&wrapper->compiler, command);
	tools.archive_entry = harness_in_archive(command);
	wrapper_print_notes(wrapper);
	return tools;
}

_Noreturn static void
wrapper_exec(bool cxx, const struct arguments *words)
{
	struct error err;

	execvp(words->v[0], words->v);
	error_clear(&err);
	if (errno == E2BIG)
		(void)error_set(&err, E_FULL,
			"the command is too long once its response files are "
			"opened; take -fsanitize=fuzzer, -z defs and the like "
			"out of them");
	else
		(void)error_set(&err, E_NOT_FOUND, "cannot run %s: %s",
			words->v[0], strerror(errno));
	wrapper_fail(cxx, &err);
}

int
main(int argc, char **argv)
{
	struct wrapper wrapper = { 0 };
	struct toolchain tools;
	struct arguments words = { .n = 0 };

	if (argc < 1)
		return EXIT_SETUP;
	/* If the parent ignores it, nobody can wait for a child. */
	signal(SIGCHLD, SIG_DFL);
	wrapper.cxx = wrapper_is_cxx(argv[0]);
	for (const struct own_option *o = own_options; o->name != NULL; o++)
		if (argc == 2 && strcmp(argv[1], o->name) == 0)
			return wrapper_run_own(o, wrapper.cxx);
	wrapper_open_compiler(&wrapper);
	/* Builds read the compiler's own version from stdout to identify it. */
	if (argc == 2 && strcmp(argv[1], "--version") == 0)
		fprintf(stderr, "%s %s\n", wrapper_name(wrapper.cxx),
			CFUZZ_VERSION);
	wrapper_open_command(&wrapper, argc, argv);
	wrapper_open_runtime(&wrapper.runtime);
	tools = wrapper_look(&wrapper);

	arguments_add_list(&words, &wrapper.compiler.program);
	translate(&wrapper.command, &tools, &words);
	wrapper_exec(wrapper.cxx, &words);
}

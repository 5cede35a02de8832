/* translate: adds and removes options for cfuzz-cc, see translate.h. */
#include "cc/translate.h"

#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "cc/instrument.h"
#include "cc/linkword.h"

#define BUILD_MODE "FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION"

/*
 * AFL++'s macros. Each declares the function of the runtime inside itself, so it
 * needs no header, and the assembler's name serves in C++, too.
 */
#define DECLARED(type, name, arguments, call) \
	"__extension__({ " type " " name "_" arguments " __asm__(\"" name \
	"\"); " name "_" call "; })"
/* A function of LeakSanitizer, if that is linked. */
#define LEAKS(name) \
	"__extension__({ void " name "_(void) __asm__(\"" name \
	"\") __attribute__((weak)); if (" name "_) " name "_(); })"
static const char *const loop_macros[] = {
	"-D__AFL_HAVE_MANUAL_CONTROL=1",
	"-D__AFL_FUZZ_INIT()=__extension__ unsigned char *cfuzz_testcase_(void) "
	"__asm__(\"cfuzz_testcase\")",
	"-D__AFL_FUZZ_TESTCASE_BUF=" DECLARED("unsigned char *",
		"cfuzz_testcase", "(void)", "()"),
	"-D__AFL_FUZZ_TESTCASE_LEN=" DECLARED("unsigned int",
		"cfuzz_testcase_len", "(void)", "()"),
	"-D__AFL_INIT()=" DECLARED("void", "cfuzz_start", "(void)", "()"),
	"-D__AFL_LOOP(n)=" DECLARED("int", "cfuzz_loop", "(unsigned int)",
		"(n)"),
	/* Coverage counts everywhere. */
	"-D__AFL_COVERAGE()=struct cfuzz_coverage_",
	"-D__AFL_COVERAGE_START_OFF()=struct cfuzz_coverage_",
	"-D__AFL_COVERAGE_ON()=((void)0)",
	"-D__AFL_COVERAGE_OFF()=((void)0)",
	"-D__AFL_COVERAGE_DISCARD()=((void)0)",
	"-D__AFL_COVERAGE_SKIP()=((void)0)",
	/* Leaks are looked for after each input. */
	"-D__AFL_LEAK_CHECK()=((void)0)",
	"-D__AFL_LSAN_OFF()=" LEAKS("__lsan_disable"),
	"-D__AFL_LSAN_ON()=" LEAKS("__lsan_enable"),
	NULL,
};

/* The names in src/target/exports.txt, without main. */
const char *const translate_exports[] = {
	"__sanitizer_cov_*",
	"__sanitizer_weak_hook_*",
	"__sancov_lowest_stack",
	"LLVMFuzzerMutate",
	"LLVMFuzzerRunDriver",
	"HF_ITER",
	"__afl_manual_init",
	"__afl_persistent_loop",
	"__cfuzz_*",
	"cfuzz_*",
	"bcmp",
	"memcmp",
	"memmem",
	"strcasecmp",
	"strcasestr",
	"strcmp",
	"strncasecmp",
	"strncmp",
	"strstr",
	NULL,
};

/*
 * The runtime or a sanitizer wraps these functions to record their operands.
 * The compiler must not replace the calls.
 */
static const char *const compare_functions[] = { "bcmp", "memcmp", "memmem",
	"strcasecmp", "strcasestr", "strcmp", "strncasecmp", "strncmp",
	"strstr", NULL };

/* The sanitizers of the command. */
struct sanitizers {
	bool any;
	bool fuzzer_off; /* -fno-sanitize=fuzzer comes last */
	bool thread;     /* ThreadSanitizer is on */
	bool flow;       /* -fsanitize=cfi is on */
};

/* ---- sanitizers ------------------------------------------------------ */

static bool
translate_is_word(const char *list, size_t len, const char *word)
{
	return strlen(word) == len && memcmp(list, word, len) == 0;
}

static bool
translate_is_fuzzer(const char *word, size_t len)
{
	return translate_is_word(word, len, "fuzzer") ||
		translate_is_word(word, len, "fuzzer-no-link");
}

/*
 * -fsanitize=fuzzer,address becomes -fsanitize=address: cfuzz-cc does the work
 * of fuzzer anyway, clang would link libFuzzer, and gcc does not know the word.
 */
static void
translate_sanitizer_list(struct item *item, struct sanitizers *sanitizers)
{
	bool on = item->flag->id == FLAG_SANITIZE;
	char *rest = xmalloc(strlen(item->name) + 1);
	char *start = stpcpy(rest, item->flag->name);
	char *at = start;
	bool found = false;

	for (const char *word = item->value; *word != '\0';) {
		size_t len = strcspn(word, ",");

		if (translate_is_fuzzer(word, len)) {
			found = true;
			sanitizers->fuzzer_off = !on;
		} else {
			if (at != start)
				*at++ = ',';
			at = stpncpy(at, word, len);
			sanitizers->any |= on;
			if (translate_is_word(word, len, "thread"))
				sanitizers->thread = on;
			if (on && len >= 3 && memcmp(word, "cfi", 3) == 0)
				sanitizers->flow = true;
			else if (!on && translate_is_word(word, len, "cfi"))
				sanitizers->flow = false;
		}
		word += len;
		word += *word == ',' ? 1 : 0;
	}
	*at = '\0';
	item->dropped = found && at == start;
	if (found && at != start)
		item->replacement = rest;
	else
		free(rest);
}

static struct sanitizers
translate_sanitizers(struct compile_command *command)
{
	struct sanitizers sanitizers = { 0 };

	for (size_t i = 0; i < command->n_items; i++) {
		struct item *item = &command->items[i];

		if (item->flag == NULL)
			continue;
		if (item->flag->id == FLAG_SANITIZE ||
			item->flag->id == FLAG_NO_SANITIZE)
			translate_sanitizer_list(item, &sanitizers);
	}
	return sanitizers;
}

/* ---- coverage -------------------------------------------------------- */

/* Values of -fsanitize-coverage= that count edges or turn counting off. */
static const char *const counting_words[] = { "trace-pc", "trace-pc-guard",
	"inline-8bit-counters", "8bit-counters", "inline-bool-flag", "func",
	"bb", "edge", "0", "1", "2", "3", "4", NULL };

static bool
translate_is_counting(const char *word, size_t len)
{
	for (size_t i = 0; counting_words[i] != NULL; i++)
		if (translate_is_word(word, len, counting_words[i]))
			return true;
	return false;
}

/* The user's own coverage options replace those of cfuzz-cc completely. */
static bool
translate_has_coverage(const struct compile_command *command)
{
	for (size_t i = 0; i < command->n_items; i++) {
		const struct item *item = &command->items[i];

		if (item->flag == NULL || item->flag->id != FLAG_COVERAGE)
			continue;
		for (const char *word = item->value; *word != '\0';) {
			size_t len = strcspn(word, ",");

			if (translate_is_counting(word, len))
				return true;
			word += len;
			word += *word == ',' ? 1 : 0;
		}
	}
	return false;
}

/* ---- compiling ------------------------------------------------------- */

static bool
translate_defines_build_mode(const struct compile_command *command)
{
	size_t len = strlen(BUILD_MODE);

	for (size_t i = 0; i < command->n_items; i++) {
		const struct item *item = &command->items[i];

		if (item->flag == NULL || item->flag->id != FLAG_DEFINE ||
			item->value == NULL)
			continue;
		if (strncmp(item->value, BUILD_MODE, len) == 0 &&
			(item->value[len] == '=' || item->value[len] == '\0'))
			return true;
	}
	return false;
}

/*
 * A file with a fuzz target has often a main() for AFL++ as well, which would
 * hide the target. The compilers accept a precompiled header for files with more
 * macros than it has, but not with fewer.
 */
static void
translate_add_macros(const struct compile_command *command,
	const struct toolchain *tools, struct arguments *out)
{
	for (size_t i = 0; loop_macros[i] != NULL; i++)
		arguments_add(out, loop_macros[i]);
	if (!tools->names_target && command->sources[SOURCE_C_HEADER] == 0)
		arguments_add(out, "-D__AFL_COMPILER=1");
}

/* Does the C preprocessor read an input? */
static bool
translate_preprocesses(const struct compile_command *command)
{
	return command->sources[SOURCE_C] > 0 ||
		command->sources[SOURCE_C_HEADER] > 0 ||
		command->sources[SOURCE_ASM] > 0;
}

static bool
translate_compiles(const struct compile_command *command)
{
	return command->sources[SOURCE_C] > 0 ||
		command->sources[SOURCE_C_HEADER] > 0 ||
		command->sources[SOURCE_C_PREPROCESSED] > 0;
}

static bool
translate_instruments(const struct compile_command *command,
	const struct toolchain *tools, const struct sanitizers *sanitizers)
{
	bool dropped = tools->compiler == COMPILER_CLANG && sanitizers->flow;

	if (!tools->instrument || sanitizers->fuzzer_off ||
		(!dropped && translate_has_coverage(command)))
		return false;
	if (translate_compiles(command))
		return true;
	/* With -flto, gcc instruments while it links. */
	return tools->compiler == COMPILER_GCC &&
		command->mode == COMPILE_COMMAND_LINK &&
		compile_command_find(command, FLAG_LTO) != NULL;
}

/*
 * With coverage options at link time, clang links a coverage runtime with
 * signal handlers. It is refused, because libcfuzz.a replaces it, unless a
 * sanitizer needs clang's runtimes.
 */
static bool
translate_refuses_clang_runtime(const struct compile_command *command,
	const struct toolchain *tools, const struct sanitizers *sanitizers,
	bool instruments)
{
	return tools->compiler == COMPILER_CLANG &&
		command->mode == COMPILE_COMMAND_LINK && !sanitizers->any &&
		(instruments ||
			compile_command_find(command, FLAG_COVERAGE) != NULL);
}

static void
translate_add_coverage(const struct compile_command *command,
	const struct toolchain *tools, const struct sanitizers *sanitizers,
	struct arguments *out)
{
	bool instruments = translate_instruments(command, tools, sanitizers);

	if (instruments)
		instrument_add_flags(tools->compiler, sanitizers->thread,
			sanitizers->flow, out);
	if (instruments && translate_compiles(command))
		for (size_t i = 0; compare_functions[i] != NULL; i++)
			arguments_take(out,
				xasprintf("-fno-builtin-%s",
					compare_functions[i]));
	if (translate_refuses_clang_runtime(command, tools, sanitizers,
		    instruments))
		arguments_add(out, "-fno-sanitize-link-runtime");
}

/* Adds the options that stand before the user's. */
static void
translate_add_front(const struct compile_command *command,
	const struct toolchain *tools, const struct sanitizers *sanitizers,
	struct arguments *out)
{
	bool compiles = translate_compiles(command);

	if (translate_preprocesses(command) &&
		!translate_defines_build_mode(command))
		arguments_add(out, "-D" BUILD_MODE "=1");
	if (translate_preprocesses(command))
		translate_add_macros(command, tools, out);
	/* For preprocessing alone, too: headers test __OPTIMIZE__. */
	if (compiles && compile_command_find(command, FLAG_OPTIMIZE) == NULL)
		arguments_add(out, "-O1");
	if (command->mode == COMPILE_COMMAND_PREPROCESS ||
		command->mode == COMPILE_COMMAND_SYNTAX)
		return;
	if (compiles) {
		arguments_add(out, "-g");
		arguments_add(out, "-fno-omit-frame-pointer");
		/* A function whose last act is free() stays on the stack. */
		arguments_add(out, "-fno-optimize-sibling-calls");
	}
	translate_add_coverage(command, tools, sanitizers, out);
}

/* ---- linking --------------------------------------------------------- */

bool
translate_links_runtime(const struct compile_command *command)
{
	return command->mode == COMPILE_COMMAND_LINK &&
		command->output == OUTPUT_PROGRAM;
}

#if defined(__x86_64__)
#define TRANSLATE_MACHINES "x86_64", "amd64"
#else
#define TRANSLATE_MACHINES "aarch64", "arm64"
#endif

bool
translate_is_our_machine(const char *target)
{
	static const char *const ours[] = { TRANSLATE_MACHINES, "native" };
	size_t len = strcspn(target, "-");

	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		if (translate_is_word(target, len, ours[i]))
			return true;
	return false;
}

const char *
translate_other_machine(const struct compile_command *command)
{
	const char *width = NULL, *target = NULL;

	for (size_t i = 0; i < command->n_items; i++) {
		const struct item *item = &command->items[i];

		if (item->flag == NULL || item->flag->id != FLAG_TOOLS)
			continue;
		if (strcmp(item->name, "-m32") == 0 ||
			strcmp(item->name, "-mx32") == 0)
			width = item->name;
		else if (strcmp(item->name, "-m64") == 0)
			width = NULL;
		else if (item->value != NULL &&
			(strcmp(item->flag->name, "-target") == 0 ||
				strcmp(item->flag->name, "--target=") == 0))
			target = item->value;
	}
	if (target != NULL && !translate_is_our_machine(target))
		return target;
	return width;
}

static void
translate_add_exports(const struct toolchain *tools, struct arguments *out)
{
	if (!tools->exports_by_name) {
		arguments_add(out, "-rdynamic");
		return;
	}
	for (size_t i = 0; translate_exports[i] != NULL; i++)
		arguments_take(out,
			xasprintf("-Wl,--export-dynamic-symbol=%s",
				translate_exports[i]));
}

/*
 * The runtime is an ordinary archive: the program's own main() replaces the one
 * in it, and -u links it even without instrumented code. A program without the
 * standard libraries gets it only if its code calls the hooks.
 */
static void
translate_add_runtime(const struct compile_command *command,
	const struct toolchain *tools, struct arguments *out)
{
	if (command->language_stays)
		arguments_add_list(out,
			&(struct arguments){ .v = (char *[]){ "-x", "none" },
				.n = 2 });
	if (command->no_libraries) {
		arguments_add(out, tools->runtime);
		return;
	}
	arguments_add(out, "-Wl,-u," RUNTIME_NAME);
	if (tools->archive_entry != NULL)
		arguments_take(out,
			xasprintf("-Wl,-u,%s", tools->archive_entry));
	translate_add_exports(tools, out);
	arguments_add(out, tools->runtime);
	arguments_add(out, "-Wl,--push-state,--as-needed");
	arguments_add(out, "-lpthread");
	arguments_add(out, "-ldl");
	arguments_add(out, "-lm");
	arguments_add(out, "-Wl,--pop-state");
}

/* ---- the command ---------------------------------------------------- */

/*
 * Our header, and those that harnesses of honggfuzz include. Searched last of
 * all: with -isystem, a folder /usr/include would move before the C++ headers,
 * which rely on the order.
 */
static void
translate_add_headers(const char *folder, struct arguments *out)
{
	static const char *const below[] = { "", "/cfuzz", "/cfuzz/libhfuzz" };

	for (size_t i = 0; i < sizeof(below) / sizeof(below[0]); i++) {
		arguments_add(out, "-idirafter");
		arguments_take(out, xasprintf("%s%s", folder, below[i]));
	}
}

void
translate(struct compile_command *command, const struct toolchain *tools,
	struct arguments *out)
{
	struct sanitizers sanitizers;

	if (command->mode == COMPILE_COMMAND_QUERY) {
		arguments_add_list(out, &command->given);
		return;
	}
	sanitizers = translate_sanitizers(command);
	if (command->mode == COMPILE_COMMAND_LINK)
		linkword_remove(command);
	translate_add_front(command, tools, &sanitizers, out);
	compile_command_format(command, out);
	if (translate_preprocesses(command) && tools->include_dir != NULL)
		translate_add_headers(tools->include_dir, out);
	if (translate_links_runtime(command))
		translate_add_runtime(command, tools, out);
}

/* compiler: finds the real compiler, see compiler.h. */
#include "cc/compiler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/xmalloc.h"
#include "cc/capture.h"

/* The first releases with globs in --export-dynamic-symbol. */
#define GNU_LD_MAJOR 2
#define GNU_LD_MINOR 35
#define LLD_MAJOR 11

/* More than all predefined macros take. */
#define MACROS_SIZE (256 * 1024)

/* ---- PATH ------------------------------------------------------------ */

/* The program of this name in a folder of PATH, of len bytes. */
static char *
compiler_file(const char *folder, size_t len, const char *name)
{
	return xasprintf("%.*s%s%s", (int)len, folder, len == 0 ? "./" : "/",
		name);
}

/* The first match in PATH; NULL: none. The caller frees it. */
static char *
compiler_find_path(const char *name)
{
	const char *path = getenv("PATH");

	if (strchr(name, '/') != NULL)
		return file_is_program(name) ? xstrdup(name) : NULL;
	if (path == NULL)
		path = "/usr/local/bin:/usr/bin:/bin";
	for (;; path++) {
		size_t len = strcspn(path, ":");
		char *file = compiler_file(path, len, name);

		if (file_is_program(file))
			return file;
		free(file);
		path += len;
		if (*path == '\0')
			return NULL;
	}
}

/* Is the program in PATH, or at this path? */
static bool
compiler_is_program(const char *name)
{
	char *path = compiler_find_path(name);

	free(path);
	return path != NULL;
}

/* Such a compiler would call itself for ever. */
static bool
compiler_is_ourselves(const char *path)
{
	struct stat theirs, ours;

	return stat(path, &theirs) == 0 && stat("/proc/self/exe", &ours) == 0 &&
		theirs.st_dev == ours.st_dev && theirs.st_ino == ours.st_ino;
}

/* Builds are wrapped by a link `clang` to us in front of PATH. Such folders
 * leave PATH, because ccache would find us there as well. */
static void
compiler_hide_ourselves(const char *name)
{
	const char *path = getenv("PATH"), *next;
	char *left, *end, *file;
	size_t len;

	if (path == NULL)
		return;
	left = end = xasprintf("%s:", path);
	for (next = path;; next += len + 1) {
		len = strcspn(next, ":");
		file = compiler_file(next, len, name);
		if (!compiler_is_ourselves(file))
			end = stpcpy(mempcpy(end, next, len), ":");
		free(file);
		if (next[len] == '\0')
			break;
	}
	end[end > left ? -1 : 0] = '\0';
	setenv("PATH", left, 1);
	free(left);
}

/* ---- choosing a compiler -------------------------------------------- */

/* Finds the kind in the program's name; false: it shows none. */
static bool
compiler_kind_of_name(const char *word, enum compiler_kind *kind)
{
	const char *name = basename(word);

	if (*word == '-')
		return false;
	if (strstr(name, "clang") != NULL)
		*kind = COMPILER_CLANG;
	else if (strstr(name, "gcc") != NULL || strstr(name, "g++") != NULL)
		*kind = COMPILER_GCC;
	else
		return false;
	return true;
}

/*
 * The index of the compiler among launchers and options: the first word with a
 * compiler's name, or else the last word before an option.
 */
static size_t
compiler_find_word(const struct arguments *words)
{
	enum compiler_kind kind;
	size_t at = 0;

	for (size_t i = 0; i < words->n; i++)
		if (compiler_kind_of_name(words->v[i], &kind))
			return i;
	while (at + 1 < words->n && words->v[at + 1][0] != '-')
		at++;
	return at;
}

static void
compiler_split(struct compiler *compiler, const struct arguments *words)
{
	size_t at = compiler_find_word(words);

	for (size_t i = 0; i < words->n; i++)
		arguments_add(i <= at ? &compiler->program : &compiler->options,
			words->v[i]);
}

static enum status
compiler_choose_default(struct compiler *compiler, bool cxx, struct error *err)
{
	const char *clang = cxx ? "clang++" : "clang";
	const char *gcc = cxx ? "g++" : "gcc";
	bool has_clang;

	compiler_hide_ourselves(clang);
	has_clang = compiler_is_program(clang);
	/* clang may be in the same folder as our link gcc. */
	if (!has_clang)
		compiler_hide_ourselves(gcc);
	if (!has_clang && !compiler_is_program(gcc))
		return error_set(err, E_NOT_FOUND,
			"no compiler found: install %s or %s, or name one in "
			"%s",
			clang, gcc, cxx ? "CFUZZ_CXX" : "CFUZZ_CC");
	arguments_add(&compiler->program, has_clang ? clang : gcc);
	return OK;
}

static enum status
compiler_check(const struct compiler *compiler, const char *variable,
	struct error *err)
{
	for (size_t i = 0; i < compiler->program.n; i++) {
		const char *name = compiler->program.v[i];
		char *path = compiler_find_path(name);
		bool found = path != NULL;
		bool ours = found && compiler_is_ourselves(path);

		free(path);
		if (ours)
			return error_set(err, E_USAGE,
				"%s names cfuzz-cc itself (%s); name a real "
				"compiler",
				variable, name);
		if (!found && (i == 0 || i + 1 == compiler->program.n))
			return error_set(err, E_NOT_FOUND,
				"%s, which %s names, is not a program that can "
				"be run",
				name, variable);
	}
	return OK;
}

/* A name like cc does not show the kind: look at the predefined macros. */
static enum status
compiler_ask_kind(struct compiler *compiler, struct error *err)
{
	static const char question[] = "-dM -E -x c /dev/null";
	char *macros = xmalloc(MACROS_SIZE);
	struct arguments ask = { .n = 0 };
	bool clang, gcc;

	arguments_add_list(&ask, &compiler->program);
	arguments_parse(&ask, question, strlen(question));
	if (capture(ask.v, macros, MACROS_SIZE, NULL) != OK)
		macros[0] = '\0';
	clang = strstr(macros, "__clang__") != NULL;
	gcc = strstr(macros, "__GNUC__") != NULL;
	compiler->kind = clang ? COMPILER_CLANG : COMPILER_GCC;
	arguments_clear(&ask);
	free(macros);
	if (clang || gcc)
		return OK;
	return error_set(err, E_USAGE,
		"%s is neither clang nor gcc; name one of them in CFUZZ_CC or "
		"CFUZZ_CXX",
		compiler->program.v[compiler->program.n - 1]);
}

enum status
compiler_open(struct compiler *compiler, bool cxx, const char *named,
	const char *variable, struct error *err)
{
	struct arguments words = { .n = 0 };
	enum status status = OK;
	const char *last;

	*compiler = (struct compiler){ .kind = COMPILER_GCC };
	if (named != NULL)
		arguments_parse(&words, named, strlen(named));
	if (words.n > 0) {
		compiler_split(compiler, &words);
		status = compiler_check(compiler, variable, err);
	} else {
		status = compiler_choose_default(compiler, cxx, err);
	}
	arguments_clear(&words);
	if (status == OK) {
		last = compiler->program.v[compiler->program.n - 1];
		if (!compiler_kind_of_name(last, &compiler->kind))
			status = compiler_ask_kind(compiler, err);
	}
	if (status != OK)
		compiler_close(compiler);
	return status;
}

void
compiler_close(struct compiler *compiler)
{
	arguments_clear(&compiler->program);
	arguments_clear(&compiler->options);
}

/* Runs the compiler with one option for the first line of its answer. */
static enum status
compiler_ask(const struct compiler *compiler, const char *option, char *buf,
	size_t size, struct error *err)
{
	struct arguments ask = { .n = 0 };
	enum status status;

	arguments_add_list(&ask, &compiler->program);
	arguments_add_list(&ask, &compiler->options);
	arguments_add(&ask, option);
	status = capture(ask.v, buf, size, err);
	arguments_clear(&ask);
	if (status == OK)
		buf[strcspn(buf, "\n")] = '\0';
	return status;
}

bool
compiler_get_machine(const struct compiler *compiler, char *buf, size_t size)
{
	static const char *const PLAIN[] = { "clang", "gcc", "g++" };
	const char *name =
		basename(compiler->program.v[compiler->program.n - 1]);

	for (size_t i = 0; i < sizeof(PLAIN) / sizeof(PLAIN[0]); i++)
		if (strncmp(name, PLAIN[i], strlen(PLAIN[i])) == 0)
			return false;
	return compiler_ask(compiler, "-dumpmachine", buf, size, NULL) == OK &&
		buf[0] != '\0';
}

enum status
compiler_get_version(const struct compiler *compiler, char *buf, size_t size,
	struct error *err)
{
	return compiler_ask(compiler, "--version", buf, size, err);
}

/* ---- the linker ----------------------------------------------------- */

/*
 * "GNU ld (GNU Binutils) 2.40", "GNU ld version 2.37-25", "LLD 14.0.6 (...)",
 * "mold 1.10.1". GNU gold accepts names but no globs.
 */
bool
compiler_knows_linker(const char *version)
{
	const char *at;
	int major = 0, minor = 0;

	if (strncmp(version, "mold ", 5) == 0)
		return true;
	at = strstr(version, "LLD ");
	if (at != NULL)
		return sscanf(at + 4, "%d", &major) == 1 && major >= LLD_MAJOR;
	if (strncmp(version, "GNU ld", 6) != 0)
		return false;
	at = strrchr(version, ')');
	at = at == NULL ? version : at;
	at += strcspn(at, "0123456789");
	if (sscanf(at, "%d.%d", &major, &minor) != 2)
		return false;
	return major > GNU_LD_MAJOR ||
		(major == GNU_LD_MAJOR && minor >= GNU_LD_MINOR);
}

bool
compiler_exports_by_name(const struct compiler *compiler,
	const struct compile_command *command)
{
	char version[256] = "";
	struct arguments ask = { .n = 0 };
	bool knows = false;

	arguments_add_list(&ask, &compiler->program);
	for (size_t i = 0; i < command->n_items; i++) {
		const struct item *item = &command->items[i];

		if (item->flag == NULL || item->flag->id != FLAG_TOOLS)
			continue;
		for (size_t w = 0; w < item->n_words; w++)
			arguments_add(&ask, command->words.v[item->first + w]);
	}
	arguments_add(&ask, "-Wl,--version");
	if (capture(ask.v, version, sizeof(version), NULL) == OK)
		version[strcspn(version, "\n")] = '\0';
	else
		version[0] = '\0';
	knows = compiler_knows_linker(version);
	arguments_clear(&ask);
	return knows;
}

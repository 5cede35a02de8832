/* compile_command: reads a compiler's command line, see compile_command.h. */
#include "cc/compile_command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/xmalloc.h"

/*
 * After so many, an @file is passed on unread. libiberty has the same limit, so
 * that GCC then says "too many @-files encountered"; Clang wants no file to name
 * itself.
 */
#define COMPILE_COMMAND_MAX_FILES 2000
#define COMPILE_COMMAND_MAX_BYTES (64L << 20)

/* clang-format off */
static const struct source {
	const char *suffix;	/* of a file name */
	const char *language;	/* of -x */
	enum source_kind kind;
} sources[] = {
	{ "c",		"c",			SOURCE_C },
	{ "m",		"objective-c",		SOURCE_C },
	{ "C",		"c++",			SOURCE_C },
	{ "cc",		NULL,			SOURCE_C },
	{ "cp",		NULL,			SOURCE_C },
	{ "cpp",	NULL,			SOURCE_C },
	{ "cxx",	NULL,			SOURCE_C },
	{ "c++",	NULL,			SOURCE_C },
	{ "CC",		NULL,			SOURCE_C },
	{ "CPP",	NULL,			SOURCE_C },
	{ "CXX",	NULL,			SOURCE_C },
	{ "M",		"objective-c++",	SOURCE_C },
	{ "mm",		NULL,			SOURCE_C },
	{ "cppm",	"c++-module",		SOURCE_C },
	{ "h",		"c-header",		SOURCE_C_HEADER },
	{ "H",		"c++-header",		SOURCE_C_HEADER },
	{ "hh",		"objective-c-header",	SOURCE_C_HEADER },
	{ "hp",		"objective-c++-header",	SOURCE_C_HEADER },
	{ "hpp",	"c++-system-header",	SOURCE_C_HEADER },
	{ "hxx",	"c++-user-header",	SOURCE_C_HEADER },
	{ "h++",	NULL,			SOURCE_C_HEADER },
	{ "HPP",	NULL,			SOURCE_C_HEADER },
	{ "tcc",	NULL,			SOURCE_C_HEADER },
	{ "i",		"cpp-output",		SOURCE_C_PREPROCESSED },
	{ "ii",		"c++-cpp-output",	SOURCE_C_PREPROCESSED },
	{ "mi",		"objective-c-cpp-output", SOURCE_C_PREPROCESSED },
	{ "mii",	"objective-c++-cpp-output", SOURCE_C_PREPROCESSED },
	{ "S",		"assembler-with-cpp",	SOURCE_ASM },
	{ "sx",		NULL,			SOURCE_ASM },
	{ "s",		"assembler",		SOURCE_ASM_PLAIN },
	{ "asm",	NULL,			SOURCE_ASM_PLAIN },
	{ "ll",		"ir",			SOURCE_OTHER },
	{ "bc",		NULL,			SOURCE_OTHER },
	{ "cu",		"cuda",			SOURCE_OTHER },
	{ "f",		"f77",			SOURCE_OTHER },
	{ "for",	NULL,			SOURCE_OTHER },
	{ "F",		"f77-cpp-input",	SOURCE_OTHER },
	{ "f90",	"f95",			SOURCE_OTHER },
	{ "F90",	"f95-cpp-input",	SOURCE_OTHER },
	{ "f95",	NULL,			SOURCE_OTHER },
	{ "F95",	NULL,			SOURCE_OTHER },
	{ "adb",	"ada",			SOURCE_OTHER },
	{ "d",		"d",			SOURCE_OTHER },
	{ "go",		"go",			SOURCE_OTHER },
};

/* Linker options that produce something else than a program. */
static const struct output {
	const char *word;
	enum compile_command_output output;
} outputs[] = {
	{ "-shared",		OUTPUT_SHARED },
	{ "--shared",		OUTPUT_SHARED },
	{ "-Bshareable",	OUTPUT_SHARED },
	{ "--Bshareable",	OUTPUT_SHARED },
	{ "-r",			OUTPUT_RELOCATABLE },
	{ "-i",			OUTPUT_RELOCATABLE },
	{ "-Ur",		OUTPUT_RELOCATABLE },
	{ "-relocatable",	OUTPUT_RELOCATABLE },
	{ "--relocatable",	OUTPUT_RELOCATABLE },
};
/* clang-format on */

#define N_SOURCES (sizeof(sources) / sizeof(sources[0]))
#define N_OUTPUTS (sizeof(outputs) / sizeof(outputs[0]))

/* ---- reading --------------------------------------------------------- */

/* The contents of a response file; NULL: not a readable file. */
static char *
compile_command_read_file(const char *path, size_t *len)
{
	FILE *file = fopen(path, "re");
	char *text = NULL;
	struct stat st;

	if (file == NULL)
		return NULL;
	if (fstat(fileno(file), &st) == 0 && S_ISREG(st.st_mode) &&
		st.st_size <= COMPILE_COMMAND_MAX_BYTES) {
		text = xmalloc((size_t)st.st_size + 1);
		*len = fread(text, 1, (size_t)st.st_size, file);
	}
	fclose(file);
	return text;
}

/*
 * As in compilers: an unreadable @file is an ordinary word, and an @file inside
 * a response file is expanded, too. *files: those that were read.
 */
static void
compile_command_expand(struct arguments *out, const char *word, unsigned *files)
{
	struct arguments inner = { .n = 0 };
	size_t len = 0;
	char *text = NULL;

	if (word[0] == '@' && *files < COMPILE_COMMAND_MAX_FILES)
		text = compile_command_read_file(word + 1, &len);
	if (text == NULL) {
		arguments_add(out, word);
		return;
	}
	++*files;
	arguments_parse(&inner, text, len);
	free(text);
	for (size_t i = 0; i < inner.n; i++)
		compile_command_expand(out, inner.v[i], files);
	arguments_clear(&inner);
}

static void
compile_command_read(struct compile_command *command, int argc,
	char *const *argv)
{
	unsigned files = 0;

	for (int i = 1; i < argc; i++)
		arguments_add(&command->given, argv[i]);
	for (size_t i = 0; i < command->given.n; i++) {
		size_t from = command->words.n;

		compile_command_expand(&command->words, command->given.v[i],
			&files);
		command->origin = xreallocarray(command->origin,
			command->words.n + 1, sizeof(*command->origin));
		for (; from < command->words.n; from++)
			command->origin[from] = i;
	}
}

/* ---- parsing -------------------------------------------------------- */

static enum source_kind
compile_command_kind_of_language(const char *language)
{
	for (size_t i = 0; i < N_SOURCES; i++)
		if (sources[i].language != NULL &&
			strcmp(sources[i].language, language) == 0)
			return sources[i].kind;
	return SOURCE_OTHER;
}

static enum source_kind
compile_command_kind_of_file(const char *file)
{
	const char *slash = strrchr(file, '/');
	const char *dot = strrchr(slash == NULL ? file : slash, '.');

	for (size_t i = 0; dot != NULL && i < N_SOURCES; i++)
		if (strcmp(sources[i].suffix, dot + 1) == 0)
			return sources[i].kind;
	return SOURCE_LINKER;
}

/*
 * Adds the item that begins at words.v[at]; language: the value of -x, or NULL;
 * file: "--" is behind us. That word goes, because we append options, so a file
 * that looks like one gets a folder.
 */
static void
compile_command_add_item(struct compile_command *command, size_t at,
	const char *language, bool file)
{
	struct item *item = &command->items[command->n_items++];
	const char *word = command->words.v[at];

	*item = (struct item){ .name = word, .first = at, .n_words = 1 };
	if (word[0] != '-' || word[1] == '\0' || file) {
		if (word[0] == '-' && word[1] != '\0')
			item->replacement = xasprintf("./%s", word);
		item->kind = language != NULL
			? compile_command_kind_of_language(language)
			: compile_command_kind_of_file(word);
		command->sources[item->kind]++;
		return;
	}
	item->flag = flag_find(word);
	if (!flag_takes_next(item->flag, word)) {
		item->value = word + strlen(item->flag->name);
	} else if (at + 1 < command->words.n) {
		item->value = command->words.v[at + 1];
		item->n_words = 2;
	}
	if (item->flag->id == FLAG_LIBRARY)
		command->sources[SOURCE_LINKER]++;
}

static void
compile_command_parse_items(struct compile_command *command)
{
	const char *language = NULL;
	bool files = false;

	command->items = xcalloc(command->words.n + 1, sizeof(*command->items));
	for (size_t at = 0; at < command->words.n;) {
		struct item *item = &command->items[command->n_items];

		compile_command_add_item(command, at, language, files);
		at += item->n_words;
		item->dropped = !files && strcmp(item->name, "--") == 0;
		files |= item->dropped;
		if (item->flag == NULL || item->flag->id != FLAG_LANGUAGE ||
			item->value == NULL)
			continue;
		language = item->value;
		if (strcmp(language, "none") == 0)
			language = NULL;
	}
	command->language_stays = language != NULL;
}

/* If there are several modes, the one that ends earliest wins, in any order. */
static enum compile_command_mode
compile_command_find_mode(const struct compile_command *command)
{
	const unsigned int *n = command->sources;
	unsigned int inputs = 0;

	for (size_t i = 0; i < SOURCE_KINDS; i++)
		inputs += n[i];
	if (inputs == 0 || compile_command_find(command, FLAG_QUERY) != NULL)
		return COMPILE_COMMAND_QUERY;
	if (compile_command_find(command, FLAG_PREPROCESS) != NULL)
		return COMPILE_COMMAND_PREPROCESS;
	if (compile_command_find(command, FLAG_SYNTAX) != NULL)
		return COMPILE_COMMAND_SYNTAX;
	if (compile_command_find(command, FLAG_ASSEMBLE) != NULL ||
		compile_command_find(command, FLAG_COMPILE) != NULL)
		return COMPILE_COMMAND_COMPILE;
	/* Headers alone become a precompiled header. */
	if (n[SOURCE_C_HEADER] == inputs)
		return COMPILE_COMMAND_COMPILE;
	return COMPILE_COMMAND_LINK;
}

/* Standard input has no suffix. For the preprocessor it is source all the same,
 * else the compiler refuses it. */
static void
compile_command_take_standard_input(struct compile_command *command)
{
	for (size_t i = 0; i < command->n_items; i++) {
		struct item *item = &command->items[i];

		if (item->flag != NULL || item->kind != SOURCE_LINKER ||
			strcmp(item->name, "-") != 0)
			continue;
		command->sources[item->kind]--;
		item->kind = SOURCE_C;
		command->sources[item->kind]++;
	}
}

static enum compile_command_output
compile_command_output_of_word(const char *word, size_t len)
{
	for (size_t i = 0; i < N_OUTPUTS; i++)
		if (strlen(outputs[i].word) == len &&
			memcmp(outputs[i].word, word, len) == 0)
			return outputs[i].output;
	return OUTPUT_PROGRAM;
}

/* -Wl,WORD,WORD and -Xlinker WORD may set the output, too. */
static enum compile_command_output
compile_command_output_of_item(const struct item *item)
{
	const char *word = item->value;
	enum compile_command_output output = OUTPUT_PROGRAM;

	if (item->flag->id == FLAG_SHARED)
		return OUTPUT_SHARED;
	if (item->flag->id == FLAG_RELOCATABLE)
		return OUTPUT_RELOCATABLE;
	if (item->value == NULL)
		return OUTPUT_PROGRAM;
	if (item->flag->id == FLAG_XLINKER)
		return compile_command_output_of_word(word, strlen(word));
	while (item->flag->id == FLAG_LINKER && output == OUTPUT_PROGRAM) {
		size_t len = strcspn(word, ",");

		output = compile_command_output_of_word(word, len);
		if (word[len] == '\0')
			break;
		word += len + 1;
	}
	return output;
}

static enum compile_command_output
compile_command_find_output(const struct compile_command *command)
{
	enum compile_command_output output = OUTPUT_PROGRAM;

	for (size_t i = 0; i < command->n_items; i++) {
		const struct item *item = &command->items[i];

		if (item->flag != NULL && output == OUTPUT_PROGRAM)
			output = compile_command_output_of_item(item);
	}
	return output;
}

void
compile_command_init(struct compile_command *command, int argc,
	char *const *argv)
{
	memset(command, 0, sizeof(*command));
	compile_command_read(command, argc, argv);
	compile_command_parse_items(command);
	command->mode = compile_command_find_mode(command);
	if (command->mode == COMPILE_COMMAND_PREPROCESS)
		compile_command_take_standard_input(command);
	command->output = compile_command_find_output(command);
	command->no_libraries =
		compile_command_find(command, FLAG_NO_LIBRARIES) != NULL;
}

void
compile_command_clear(struct compile_command *command)
{
	for (size_t i = 0; i < command->n_items; i++)
		free(command->items[i].replacement);
	free(command->items);
	free(command->origin);
	arguments_clear(&command->words);
	arguments_clear(&command->given);
	memset(command, 0, sizeof(*command));
}

const struct item *
compile_command_find(const struct compile_command *command, enum flag_id id)
{
	for (size_t i = command->n_items; i-- > 0;) {
		const struct item *item = &command->items[i];

		if (item->flag != NULL && item->flag->id == id)
			return item;
	}
	return NULL;
}

/* ---- writing --------------------------------------------------------- */

/* The user's arguments that must be split, because an item changes. */
static bool *
compile_command_find_changed(const struct compile_command *command)
{
	bool *changed = xcalloc(command->given.n + 1, sizeof(*changed));

	for (size_t i = 0; i < command->n_items; i++) {
		const struct item *item = &command->items[i];

		if (!item->dropped && item->replacement == NULL)
			continue;
		for (size_t w = 0; w < item->n_words; w++)
			changed[command->origin[item->first + w]] = true;
	}
	return changed;
}

static void
compile_command_format_item(const struct compile_command *command,
	const struct item *item, bool *changed, struct arguments *out)
{
	if (item->dropped)
		return;
	if (item->replacement != NULL) {
		arguments_add(out, item->replacement);
		return;
	}
	for (size_t w = item->first; w < item->first + item->n_words; w++) {
		size_t origin = command->origin[w];

		if (changed[origin])
			arguments_add(out, command->words.v[w]);
		else if (w == 0 || command->origin[w - 1] != origin)
			arguments_add(out, command->given.v[origin]);
	}
}

void
compile_command_format(const struct compile_command *command,
	struct arguments *out)
{
	bool *changed = compile_command_find_changed(command);

	for (size_t i = 0; i < command->n_items; i++)
		compile_command_format_item(command, &command->items[i],
			changed, out);
	free(changed);
}

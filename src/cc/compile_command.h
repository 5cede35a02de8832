/*
 * compile_command: the parsed command line of a compiler.
 *
 * Response files are expanded, but each word remembers its argument: an @file
 * without changes is passed on as @file. The words are grouped into items: an
 * option with its value, or an input file. A caller marks items to change and
 * asks for the resulting command. No other files are read.
 */
#ifndef CFUZZ_CC_COMPILE_COMMAND_H
#define CFUZZ_CC_COMPILE_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "cc/arguments.h"
#include "cc/flag.h"

/* How far the compiler goes. */
enum compile_command_mode {
	COMPILE_COMMAND_QUERY, /* reads no input: not a build step */
	COMPILE_COMMAND_PREPROCESS,
	COMPILE_COMMAND_SYNTAX,
	COMPILE_COMMAND_COMPILE, /* up to an object or assembly */
	COMPILE_COMMAND_LINK,
};

/* The output of the link. */
enum compile_command_output {
	OUTPUT_PROGRAM,
	OUTPUT_SHARED,
	OUTPUT_RELOCATABLE,
};

/* The kind of an input file. */
enum source_kind {
	SOURCE_LINKER, /* object, archive, linker script */
	SOURCE_C,      /* the C family: C, C++, Objective-C */
	SOURCE_C_HEADER,
	SOURCE_C_PREPROCESSED,
	SOURCE_ASM, /* assembly that is preprocessed */
	SOURCE_ASM_PLAIN,
	SOURCE_OTHER, /* another language, or intermediate code */
	SOURCE_KINDS
};

struct item {
	const struct flag *flag; /* NULL: an input file */
	const char *name;        /* the first word, borrowed from words */
	const char *value;       /* of the option; NULL: it has none */
	size_t first;            /* index in words.v of the first word ... */
	size_t n_words;          /* ... and the number of words */
	enum source_kind kind;   /* of an input file */
	bool dropped;            /* left out of the resulting command */
	char *replacement;       /* owned, one word; NULL: unchanged */
};

struct compile_command {
	struct arguments given; /* the user's, without the program */
	struct arguments words; /* with response files expanded */
	size_t *origin;         /* words.v[i] came from given.v[origin[i]] */
	struct item *items;
	size_t n_items;
	enum compile_command_mode mode;
	enum compile_command_output output;
	unsigned int sources[SOURCE_KINDS]; /* inputs by kind; -l: LINKER */
	bool no_libraries;                  /* -nostdlib and the like */
	bool language_stays; /* -x still applies after the last word */
};

/* Parses copies of argv[1] to argv[argc - 1]. Cannot fail: an @file that cannot
 * be read is an input file. */
void compile_command_init(struct compile_command *command, int argc,
	char *const *argv);
void compile_command_clear(struct compile_command *command);

/* The last item with this meaning, or NULL. */
const struct item *compile_command_find(const struct compile_command *command,
	enum flag_id id);

/* Appends copies of the words of the changed command, without the program. */
void compile_command_format(const struct compile_command *command,
	struct arguments *out);

#endif

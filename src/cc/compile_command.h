/*
 * compile_command: the command line of a compiler, read and understood.
 *
 * Response files are read, so that what stands in them counts, but each word
 * remembers the argument it came from: an @file in which nothing has to change
 * goes on as @file. The words are grouped into items, an option with its value
 * or an input file; whoever changes the command marks items and asks for the
 * result. Only response files are read from disk, nothing else is looked at.
 */
#ifndef CFUZZ_CC_COMPILE_COMMAND_H
#define CFUZZ_CC_COMPILE_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "cc/arguments.h"
#include "cc/flag.h"

/* How far the compiler goes. */
enum compile_command_mode {
	COMPILE_COMMAND_QUERY, /* reads no input: a question, not a build step */
	COMPILE_COMMAND_PREPROCESS,
	COMPILE_COMMAND_SYNTAX,
	COMPILE_COMMAND_COMPILE, /* up to an object or assembly */
	COMPILE_COMMAND_LINK,
};

/* What the link makes. */
enum compile_command_output {
	OUTPUT_PROGRAM,
	OUTPUT_SHARED,
	OUTPUT_RELOCATABLE,
};

/* What an input file is to the compiler. */
enum source_kind {
	SOURCE_LINKER, /* object, archive, linker script */
	SOURCE_C,      /* the C family: C, C++, Objective-C */
	SOURCE_C_HEADER,
	SOURCE_C_PREPROCESSED,
	SOURCE_ASM, /* assembly that is preprocessed */
	SOURCE_ASM_PLAIN,
	SOURCE_OTHER, /* another language, or compiler's intermediate code */
	SOURCE_KINDS
};

struct item {
	const struct flag *flag; /* NULL: an input file */
	const char *name;        /* the first word */
	const char *value;       /* NULL: has none */
	size_t first;            /* its first word ... */
	size_t n_words;          /* ... and how many */
	enum source_kind kind;   /* of an input file */
	bool dropped;
	char *replacement; /* one word, NULL: stays as it is */
};

struct compile_command {
	struct arguments
		given; /* as the user wrote them, without the program */
	struct arguments words; /* the same with response files opened */
	size_t *origin;         /* words.v[i] came from given.v[origin[i]] */
	struct item *items;
	size_t n_items;
	enum compile_command_mode mode;
	enum compile_command_output output;
	unsigned int sources[SOURCE_KINDS];
	bool no_libraries;   /* -nostdlib and its like */
	bool language_stays; /* -x is in force at the end of the line */
};

void compile_command_init(struct compile_command *command, int argc,
	char *const *argv);
void compile_command_clear(struct compile_command *command);

/* Is there an item with this meaning? The last one, or NULL. */
const struct item *compile_command_find(const struct compile_command *command,
	enum flag_id id);

/* Add the command with its changes to out. */
void compile_command_format(const struct compile_command *command,
	struct arguments *out);

#endif

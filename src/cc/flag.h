/*
 * flag: the options of clang and gcc that cfuzz-cc knows.
 *
 * One table says which options take the next word as their value, so that a
 * value is never mistaken for an input file, and which options decide what the
 * compiler does. All other options are passed on unread.
 */
#ifndef CFUZZ_CC_FLAG_H
#define CFUZZ_CC_FLAG_H

#include <stdbool.h>
#include <stddef.h>

enum flag_form {
	FLAG_ALONE,    /* -c */
	FLAG_JOINED,   /* -Wl,VALUE */
	FLAG_SEPARATE, /* -Xlinker VALUE */
	FLAG_EITHER,   /* -oVALUE or -o VALUE */
	FLAG_BOTH,     /* -Xarch_ARCH VALUE: one part joined, one separate */
};

enum flag_id {
	FLAG_OTHER, /* only the form matters */
	FLAG_QUERY, /* asks the compiler about itself */
	/* mode */
	FLAG_PREPROCESS,
	FLAG_SYNTAX,
	FLAG_ASSEMBLE,
	FLAG_COMPILE,
	/* inputs */
	FLAG_LANGUAGE,
	FLAG_LIBRARY,
	FLAG_FOLDER, /* of libraries */
	/* linking */
	FLAG_SHARED,
	FLAG_RELOCATABLE,
	FLAG_NO_LIBRARIES,
	FLAG_LINKER,  /* -Wl,WORD,WORD */
	FLAG_XLINKER, /* -Xlinker WORD */
	FLAG_KEYWORD, /* -z WORD */
	FLAG_TOOLS,   /* selects the linker or its target */
	FLAG_LTO,
	/* options that cfuzz-cc adds */
	FLAG_OPTIMIZE,
	FLAG_DEFINE,
	FLAG_SANITIZE,
	FLAG_NO_SANITIZE,
	FLAG_COVERAGE,
};

struct flag {
	const char *name;
	enum flag_form form;
	enum flag_id id;
};

/*
 * The entry of the table with the longest name that matches a word, which
 * starts with '-'. Never NULL: an unknown option gets FLAG_OTHER without a
 * name.
 */
const struct flag *flag_find(const char *word);

/* Is the value of this flag the next word of the command? word: the flag as the
 * user wrote it. */
bool flag_takes_next(const struct flag *flag, const char *word);

/* The table, for the unit test. */
const struct flag *flag_table(size_t *n);

#endif

/*
 * flag: what cfuzz-cc knows about the options of clang and gcc.
 *
 * One table says which options take the next word as their value, so that a
 * value is never mistaken for an input file, and which of them decide what the
 * compiler is going to do. Everything else is passed on unread.
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
	FLAG_BOTH,     /* -Xarch_ARCH VALUE: the word goes on, and one more */
};

enum flag_id {
	FLAG_OTHER, /* only its form matters */
	FLAG_QUERY, /* asks the compiler about itself */
	/* how far the compiler goes */
	FLAG_PREPROCESS,
	FLAG_SYNTAX,
	FLAG_ASSEMBLE,
	FLAG_COMPILE,
	/* what it reads */
	FLAG_LANGUAGE,
	FLAG_LIBRARY,
	/* what it links, and how */
	FLAG_SHARED,
	FLAG_RELOCATABLE,
	FLAG_NO_LIBRARIES,
	FLAG_LINKER,  /* -Wl,WORD,WORD */
	FLAG_XLINKER, /* -Xlinker WORD */
	FLAG_KEYWORD, /* -z WORD */
	FLAG_TOOLS,   /* decides which linker is run */
	FLAG_LTO,
	/* what we would add ourselves */
	FLAG_DEBUG,
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

/* What is known about a word that starts with '-'; never NULL. */
const struct flag *flag_find(const char *word);

/* Is the value of this flag, spelled as word, the word after it? */
bool flag_takes_next(const struct flag *flag, const char *word);

/* The table, for the test that walks it. */
const struct flag *flag_table(size_t *n);

#endif

/* flag: the table of compiler options, see flag.h. */
#include "cc/flag.h"

#include <string.h>

/* clang-format off */
static const struct flag flags[] = {
	/* queries */
	{ "--version",			FLAG_ALONE,	FLAG_QUERY },
	{ "--help",			FLAG_JOINED,	FLAG_QUERY },
	{ "-help",			FLAG_ALONE,	FLAG_QUERY },
	{ "--target-help",		FLAG_ALONE,	FLAG_QUERY },
	{ "-dumpversion",		FLAG_ALONE,	FLAG_QUERY },
	{ "-dumpfullversion",		FLAG_ALONE,	FLAG_QUERY },
	{ "-dumpmachine",		FLAG_ALONE,	FLAG_QUERY },
	{ "-dumpspecs",			FLAG_ALONE,	FLAG_QUERY },
	{ "-print-",			FLAG_JOINED,	FLAG_QUERY },
	{ "--print-",			FLAG_JOINED,	FLAG_QUERY },
	{ "-qversion",			FLAG_ALONE,	FLAG_QUERY },
	{ "-V",				FLAG_ALONE,	FLAG_QUERY },
	{ "-cc1",			FLAG_JOINED,	FLAG_QUERY },

	/* mode */
	{ "-E",				FLAG_ALONE,	FLAG_PREPROCESS },
	{ "--preprocess",		FLAG_ALONE,	FLAG_PREPROCESS },
	{ "-M",				FLAG_ALONE,	FLAG_PREPROCESS },
	{ "-MM",			FLAG_ALONE,	FLAG_PREPROCESS },
	{ "--dependencies",		FLAG_ALONE,	FLAG_PREPROCESS },
	{ "--user-dependencies",	FLAG_ALONE,	FLAG_PREPROCESS },
	{ "-fsyntax-only",		FLAG_ALONE,	FLAG_SYNTAX },
	{ "--analyze",			FLAG_ALONE,	FLAG_SYNTAX },
	{ "-S",				FLAG_ALONE,	FLAG_ASSEMBLE },
	{ "--assemble",			FLAG_ALONE,	FLAG_ASSEMBLE },
	{ "-c",				FLAG_ALONE,	FLAG_COMPILE },
	{ "--compile",			FLAG_ALONE,	FLAG_COMPILE },
	{ "--precompile",		FLAG_ALONE,	FLAG_COMPILE },

	/* inputs */
	{ "-x",				FLAG_EITHER,	FLAG_LANGUAGE },
	{ "--language",			FLAG_SEPARATE,	FLAG_LANGUAGE },
	{ "--language=",		FLAG_JOINED,	FLAG_LANGUAGE },
	{ "-l",				FLAG_EITHER,	FLAG_LIBRARY },
	{ "-L",				FLAG_EITHER,	FLAG_FOLDER },

	/* linking */
	{ "-shared",			FLAG_ALONE,	FLAG_SHARED },
	{ "--shared",			FLAG_ALONE,	FLAG_SHARED },
	{ "-r",				FLAG_ALONE,	FLAG_RELOCATABLE },
	{ "-nostdlib",			FLAG_ALONE,	FLAG_NO_LIBRARIES },
	{ "-nolibc",			FLAG_ALONE,	FLAG_NO_LIBRARIES },
	{ "-nodefaultlibs",		FLAG_ALONE,	FLAG_NO_LIBRARIES },
	{ "--no-standard-libraries",	FLAG_ALONE,	FLAG_NO_LIBRARIES },
	{ "-Wl,",			FLAG_JOINED,	FLAG_LINKER },
	{ "-Xlinker",			FLAG_SEPARATE,	FLAG_XLINKER },
	{ "--for-linker",		FLAG_SEPARATE,	FLAG_XLINKER },
	{ "--for-linker=",		FLAG_JOINED,	FLAG_XLINKER },
	{ "-z",				FLAG_EITHER,	FLAG_KEYWORD },
	{ "-fuse-ld=",			FLAG_JOINED,	FLAG_TOOLS },
	{ "--ld-path=",			FLAG_JOINED,	FLAG_TOOLS },
	{ "-B",				FLAG_EITHER,	FLAG_TOOLS },
	{ "--prefix",			FLAG_SEPARATE,	FLAG_TOOLS },
	{ "-target",			FLAG_SEPARATE,	FLAG_TOOLS },
	{ "--target=",			FLAG_JOINED,	FLAG_TOOLS },
	{ "-gcc-toolchain",		FLAG_SEPARATE,	FLAG_TOOLS },
	{ "--gcc-toolchain=",		FLAG_JOINED,	FLAG_TOOLS },
	{ "-m32",			FLAG_ALONE,	FLAG_TOOLS },
	{ "-m64",			FLAG_ALONE,	FLAG_TOOLS },
	{ "-mx32",			FLAG_ALONE,	FLAG_TOOLS },
	{ "-flto",			FLAG_JOINED,	FLAG_LTO },

	/* options that cfuzz-cc adds */
	{ "-O",				FLAG_JOINED,	FLAG_OPTIMIZE },
	{ "--optimize",			FLAG_JOINED,	FLAG_OPTIMIZE },
	{ "-D",				FLAG_EITHER,	FLAG_DEFINE },
	{ "-U",				FLAG_EITHER,	FLAG_DEFINE },
	{ "--define-macro",		FLAG_SEPARATE,	FLAG_DEFINE },
	{ "--define-macro=",		FLAG_JOINED,	FLAG_DEFINE },
	{ "--undefine-macro",		FLAG_SEPARATE,	FLAG_DEFINE },
	{ "--undefine-macro=",		FLAG_JOINED,	FLAG_DEFINE },
	{ "-fsanitize=",		FLAG_JOINED,	FLAG_SANITIZE },
	{ "-fno-sanitize=",		FLAG_JOINED,	FLAG_NO_SANITIZE },
	{ "-fsanitize-coverage=",	FLAG_JOINED,	FLAG_COVERAGE },

	/* other options with the beginning of one above */
	{ "-ObjC",			FLAG_ALONE,	FLAG_OTHER },
	{ "-ObjC++",			FLAG_ALONE,	FLAG_OTHER },
	{ "-lazy_framework",		FLAG_SEPARATE,	FLAG_OTHER },
	{ "-lazy_library",		FLAG_SEPARATE,	FLAG_OTHER },

	/* other options with a value in the next word */
	{ "-o",				FLAG_EITHER,	FLAG_OTHER },
	{ "--output",			FLAG_SEPARATE,	FLAG_OTHER },
	{ "-I",				FLAG_EITHER,	FLAG_OTHER },
	{ "--include-directory",	FLAG_SEPARATE,	FLAG_OTHER },
	{ "--include-directory-after",	FLAG_SEPARATE,	FLAG_OTHER },
	{ "--include-prefix",		FLAG_SEPARATE,	FLAG_OTHER },
	{ "--include-with-prefix",	FLAG_SEPARATE,	FLAG_OTHER },
	{ "--include-with-prefix-after", FLAG_SEPARATE,	FLAG_OTHER },
	{ "--include-with-prefix-before", FLAG_SEPARATE, FLAG_OTHER },
	{ "--include",			FLAG_SEPARATE,	FLAG_OTHER },
	{ "--imacros",			FLAG_SEPARATE,	FLAG_OTHER },
	{ "-include",			FLAG_EITHER,	FLAG_OTHER },
	{ "-include-pch",		FLAG_SEPARATE,	FLAG_OTHER },
	{ "-imacros",			FLAG_EITHER,	FLAG_OTHER },
	{ "-idirafter",			FLAG_EITHER,	FLAG_OTHER },
	{ "-iprefix",			FLAG_EITHER,	FLAG_OTHER },
	{ "-iquote",			FLAG_EITHER,	FLAG_OTHER },
	{ "-isystem",			FLAG_EITHER,	FLAG_OTHER },
	{ "-isystem-after",		FLAG_EITHER,	FLAG_OTHER },
	{ "-cxx-isystem",		FLAG_EITHER,	FLAG_OTHER },
	{ "-c-isystem",			FLAG_SEPARATE,	FLAG_OTHER },
	{ "-stdlib++-isystem",		FLAG_EITHER,	FLAG_OTHER },
	{ "-isysroot",			FLAG_EITHER,	FLAG_OTHER },
	{ "-iwithprefix",		FLAG_EITHER,	FLAG_OTHER },
	{ "-iwithprefixbefore",		FLAG_EITHER,	FLAG_OTHER },
	{ "-iwithsysroot",		FLAG_EITHER,	FLAG_OTHER },
	{ "-imultilib",			FLAG_SEPARATE,	FLAG_OTHER },
	{ "-imultiarch",		FLAG_SEPARATE,	FLAG_OTHER },
	{ "-iframework",		FLAG_EITHER,	FLAG_OTHER },
	{ "-iframeworkwithsysroot",	FLAG_EITHER,	FLAG_OTHER },
	{ "-ivfsoverlay",		FLAG_EITHER,	FLAG_OTHER },
	{ "-F",				FLAG_EITHER,	FLAG_OTHER },
	{ "-framework",			FLAG_SEPARATE,	FLAG_OTHER },
	{ "-A",				FLAG_EITHER,	FLAG_OTHER },
	{ "--assert",			FLAG_SEPARATE,	FLAG_OTHER },
	{ "-G",				FLAG_EITHER,	FLAG_OTHER },
	{ "--library-directory",	FLAG_SEPARATE,	FLAG_OTHER },
	{ "-T",				FLAG_EITHER,	FLAG_OTHER },
	{ "-Tbss",			FLAG_EITHER,	FLAG_OTHER },
	{ "-Tdata",			FLAG_EITHER,	FLAG_OTHER },
	{ "-Ttext",			FLAG_EITHER,	FLAG_OTHER },
	{ "-u",				FLAG_EITHER,	FLAG_OTHER },
	{ "--force-link",		FLAG_SEPARATE,	FLAG_OTHER },
	{ "-e",				FLAG_EITHER,	FLAG_OTHER },
	{ "--entry",			FLAG_SEPARATE,	FLAG_OTHER },
	{ "-rpath",			FLAG_SEPARATE,	FLAG_OTHER },
	{ "-MF",			FLAG_EITHER,	FLAG_OTHER },
	{ "-MJ",			FLAG_EITHER,	FLAG_OTHER },
	{ "-MQ",			FLAG_EITHER,	FLAG_OTHER },
	{ "-MT",			FLAG_EITHER,	FLAG_OTHER },
	{ "--write-dependencies",	FLAG_ALONE,	FLAG_OTHER },
	{ "-Xanalyzer",			FLAG_SEPARATE,	FLAG_OTHER },
	{ "-Xarch_",			FLAG_BOTH,	FLAG_OTHER },
	{ "-Xassembler",		FLAG_SEPARATE,	FLAG_OTHER },
	{ "--for-assembler",		FLAG_SEPARATE,	FLAG_OTHER },
	{ "-Xclang",			FLAG_SEPARATE,	FLAG_OTHER },
	{ "-Xcuda-fatbinary",		FLAG_SEPARATE,	FLAG_OTHER },
	{ "-Xcuda-ptxas",		FLAG_SEPARATE,	FLAG_OTHER },
	{ "-Xopenmp-target",		FLAG_SEPARATE,	FLAG_OTHER },
	{ "-Xopenmp-target=",		FLAG_BOTH,	FLAG_OTHER },
	{ "-Xpreprocessor",		FLAG_SEPARATE,	FLAG_OTHER },
	{ "-arch",			FLAG_SEPARATE,	FLAG_OTHER },
	{ "-aux-info",			FLAG_SEPARATE,	FLAG_OTHER },
	{ "--config",			FLAG_SEPARATE,	FLAG_OTHER },
	{ "-dumpbase",			FLAG_SEPARATE,	FLAG_OTHER },
	{ "-dumpbase-ext",		FLAG_SEPARATE,	FLAG_OTHER },
	{ "-dumpdir",			FLAG_SEPARATE,	FLAG_OTHER },
	{ "-index-store-path",		FLAG_SEPARATE,	FLAG_OTHER },
	{ "-meabi",			FLAG_SEPARATE,	FLAG_OTHER },
	{ "-mllvm",			FLAG_SEPARATE,	FLAG_OTHER },
	{ "-mthread-model",		FLAG_SEPARATE,	FLAG_OTHER },
	{ "--param",			FLAG_SEPARATE,	FLAG_OTHER },
	{ "-resource-dir",		FLAG_SEPARATE,	FLAG_OTHER },
	{ "-serialize-diagnostics",	FLAG_SEPARATE,	FLAG_OTHER },
	{ "--serialize-diagnostics",	FLAG_SEPARATE,	FLAG_OTHER },
	{ "-specs",			FLAG_SEPARATE,	FLAG_OTHER },
	{ "--specs",			FLAG_SEPARATE,	FLAG_OTHER },
	{ "--sysroot",			FLAG_SEPARATE,	FLAG_OTHER },
	{ "-working-directory",		FLAG_SEPARATE,	FLAG_OTHER },
	{ "-wrapper",			FLAG_SEPARATE,	FLAG_OTHER },
};
/* clang-format on */

static const struct flag flag_unknown = { "", FLAG_JOINED, FLAG_OTHER };

const struct flag *
flag_table(size_t *n)
{
	*n = sizeof(flags) / sizeof(flags[0]);
	return flags;
}

static bool
flag_matches(const struct flag *flag, const char *word, size_t len)
{
	if (strncmp(word, flag->name, len) != 0)
		return false;
	return word[len] == '\0' ||
		(flag->form != FLAG_ALONE && flag->form != FLAG_SEPARATE);
}

/* The longest name that matches: -MF is not -M, -gcc-toolchain is not -g. */
const struct flag *
flag_find(const char *word)
{
	const struct flag *found = &flag_unknown;
	size_t found_len = 0, n;
	const struct flag *table = flag_table(&n);

	for (size_t i = 0; i < n; i++) {
		size_t len = strlen(table[i].name);

		if (len > found_len && flag_matches(&table[i], word, len)) {
			found = &table[i];
			found_len = len;
		}
	}
	return found;
}

bool
flag_takes_next(const struct flag *flag, const char *word)
{
	switch (flag->form) {
	case FLAG_SEPARATE:
	case FLAG_BOTH:
		return true;
	case FLAG_EITHER:
		return strcmp(word, flag->name) == 0;
	case FLAG_ALONE:
	case FLAG_JOINED:
		break;
	}
	return false;
}

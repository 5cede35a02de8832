/* library_names: see library_names.h. */
#include "findings/library_names.h"

#include <string.h>

#include "findings/function_name.h"

/* Prefixes of functions of sanitizers and of the C++ run-time library, and of
 * what the compiler adds for it. */
static const char *const library_starts[] = { "__asan", "__hwasan", "__lsan",
	"__msan", "__tsan", "__ubsan", "__sanitizer", "__interceptor",
	"___interceptor", "__interception", "__sancov", "__GI_",
	"_ZN11__sanitizer", "_ZNK11__sanitizer", "_ZN6__asan", "_ZNK6__asan",
	"_ZN6__lsan", "_ZN6__msan", "_ZN6__tsan", "_ZN7__ubsan", "_ZN8__hwasan",
	"_ZN14__interception", "__libc_",
	"std::", "__gnu_cxx::", "operator new", "operator delete", "_Zn", "_Zd",
	"_ZSt", "_ZNSt", "_ZNKSt", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx",
	"_ZN10__cxxabiv1", "_ZNK10__cxxabiv1", "__cxa_",
	"__cxxabiv1::", "_Unwind_", "__clang_call_terminate" };

/* Prefixes of source files of sanitizers; a user's may have them, too. */
static const char *const library_files[] = { "asan_", "hwasan", "lsan_",
	"msan_", "tsan_", "ubsan_", "sanitizer_", "interception" };

/* Their folders in the compiler's sources. */
static const char *const library_folders[] = { "compiler-rt/",
	"libsanitizer/" };

/* Functions of the C library that fail when they are called wrongly. */
static const char *const library_exact[] = { "abort", "raise", "exit",
	"quick_exit", "err", "errx", "verr", "verrx", "error", "__assert_fail",
	"__assert", "__stack_chk_fail", "__chk_fail", "__fortify_fail",
	"pthread_kill", "malloc", "calloc", "realloc", "reallocarray", "free",
	"memcpy", "memmove", "memset", "memcmp", "memchr", "memmem", "bcmp",
	"strlen", "strnlen", "strcpy", "strncpy", "strcat", "strncat", "strcmp",
	"strncmp", "strcasecmp", "strncasecmp", "strchr", "strrchr", "strstr",
	"strdup", "strndup", "strspn", "strcspn", "strpbrk", "strtok", "strtol",
	"strtoul", "strtoll", "strtod", "atoi", "atol", "printf", "sprintf",
	"snprintf", "vsnprintf", "fprintf", "scanf", "sscanf", "fread",
	"fwrite", "qsort", "bsearch" };

/* Prefixes of internal functions of C libraries, without leading '_'. */
static const char *const library_inner[] = { "mem", "str", "wcs", "wmem",
	"libc_", "pthread_", "IO_", "int_malloc", "int_free", "int_realloc",
	"int_memalign", "malloc", "calloc", "realloc", "free", "printf",
	"fprintf", "sprintf", "snprintf", "vprintf", "vfprintf", "vsprintf",
	"vsnprintf", "vfscanf", "vsscanf", "isoc99_", "fortify_", "chk_fail",
	"assert_", "stack_chk_fail", "raise", "kill", "abort", "qsort",
	"bsearch", "msort_", "run_exit_handlers", "dl_", "new_quick_exit",
	"nss_", "stpcpy" };

/* Prefixes of internal functions without a leading '_'. */
static const char *const library_hidden[] = { "gsignal", "malloc_printerr",
	"malloc_consolidate", "sysmalloc", "systrim", "unlink_chunk", "tcache_",
	"ptmalloc_", "pthread_kill", "msort_with_tmp", "qsort_r", "stpcpy",
	"rawmemchr", "kill" };

/* How names of compiler helpers end: operand modes, then their number. */
static const char *const library_modes[] = { "qi", "hi", "si", "di", "ti", "sf",
	"df", "xf", "tf", "sc", "dc", "xc", "tc" };

static const char *const library_startup[] = { "_start", "_init", "_fini",
	"__do_global_dtors_aux", "register_tm_clones", "deregister_tm_clones",
	"frame_dummy" };

#define N(a) (sizeof(a) / sizeof((a)[0]))

/* Mostly the first byte decides: a large program has many names to compare. */
static bool
library_names_starts(const char *name, const char *const *list, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (name[0] == list[i][0] &&
			strncmp(name, list[i], strlen(list[i])) == 0)
			return true;
	return false;
}

static bool
library_is_one_of(const char *name, const char *const *list, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (name[0] == list[i][0] && strcmp(name, list[i]) == 0)
			return true;
	return false;
}

/* "__popcountdi2", "__udivti3": the compiler itself adds such calls. */
static bool
library_is_helper(const char *name)
{
	size_t len = strlen(name), i;

	if (len > 0 && name[len - 1] >= '2' && name[len - 1] <= '4')
		len--;
	if (strncmp(name, "__", 2) != 0 || len < 6 ||
		strspn(name + 2, "abcdefghijklmnopqrstuvwxyz") < len - 2)
		return false;
	for (i = 0; i < N(library_modes); i++)
		if (strncmp(name + len - 2, library_modes[i], 2) == 0)
			return true;
	return false;
}

static bool
library_is_inner(const char *name)
{
	size_t reserved = strspn(name, "_");

	return (reserved > 0 &&
		       library_names_starts(name + reserved, library_inner,
			       N(library_inner))) ||
		library_names_starts(name, library_hidden, N(library_hidden));
}

/* If the folder is not known, the file's name alone decides. */
static bool
library_is_sanitizer(const struct symbol *s)
{
	const char *at;

	if (!library_names_starts(s->file, library_files, N(library_files)))
		return false;
	for (size_t i = 0; i < N(library_folders); i++) {
		at = strstr(s->path, library_folders[i]);
		if (at != NULL && (at == s->path || at[-1] == '/'))
			return true;
	}
	return s->path[0] == '\0';
}

/*
 * Is it a header of the C++ library, such as "/usr/include/c++/12/vector" or
 * "/llvm/include/c++/v1/vector"? Its functions are compiled into the target.
 */
static bool
library_is_header(const char *path)
{
	const char *include = strstr(path, "/include/");
	const char *rest = include != NULL ? strstr(include, "/c++/") : NULL;

	if (rest == NULL)
		return false;
	rest += strlen("/c++/");
	rest += rest[0] == 'v';
	return rest[0] >= '0' && rest[0] <= '9';
}

bool
library_is_function(const struct symbol *s, bool inlined)
{
	char name[SYMBOL_FUNCTION_MAX];

	if (library_names_starts(s->function, library_starts,
		    N(library_starts)) ||
		library_is_sanitizer(s) || library_is_header(s->path))
		return true;
	if (s->file[0] != '\0' && !inlined)
		return false;
	function_name(s->function, name, sizeof(name));
	if (library_is_one_of(name, library_exact, N(library_exact)))
		return true;
	return s->file[0] == '\0' &&
		(library_is_inner(name) || library_is_helper(name));
}

bool
library_is_startup(const struct symbol *s)
{
	return s->file[0] == '\0' &&
		library_is_one_of(s->function, library_startup,
			N(library_startup));
}

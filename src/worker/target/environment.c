#include "worker/target/environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "shared/file_stamp.h"
#include "shared/wire/memory.h"

/* Always set, whatever the user sets: the fork server depends on them. */
static const char *const forced[] = { "abort_on_error=1", "halt_on_error=1",
	"symbolize=0", "handle_abort=0", "exitcode=77", "log_path=stderr",
	"leak_check_at_exit=0" };

/* Set unless the user sets them. */
static const char *const gaps[] = { "print_summary=1",
	"malloc_context_size=10" };

/* Dropped, because each starts a thread, which a forked child lacks. */
static const char *const dropped[] = { "hard_rss_limit_mb",
	"soft_rss_limit_mb" };

static const char *const variables[] = { "ASAN_OPTIONS", "UBSAN_OPTIONS",
	"MSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS" };

#define ENVIRONMENT_PRELOAD "LD_PRELOAD"
#define ENVIRONMENT_OWN 7 /* the most that are added beside the options */

#define N(a) (sizeof(a) / sizeof((a)[0]))

static size_t
environment_name_len(const char *option)
{
	return strcspn(option, "=:");
}

static bool
environment_same_name(const char *a, const char *b)
{
	size_t n = environment_name_len(a);

	return n == environment_name_len(b) && strncmp(a, b, n) == 0;
}

static bool
environment_in_list(const char *option, const char *const *list, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (environment_same_name(option, list[i]))
			return true;
	return false;
}

static void
environment_append(char **text, const char *option)
{
	char *old = *text;

	*text = old == NULL ? xstrdup(option) : xasprintf("%s:%s", old, option);
	free(old);
}

/* The user may separate options by colons, commas or white space. */
static void
environment_append_user(char **text, const char *user)
{
	char *copy = xstrdup(user), *save = NULL, *word;

	for (word = strtok_r(copy, ": ,\t\n", &save); word != NULL;
		word = strtok_r(NULL, ": ,\t\n", &save)) {
		if (environment_in_list(word, forced, N(forced)) ||
			environment_in_list(word, dropped, N(dropped)))
			continue;
		environment_append(text, word);
	}
	free(copy);
}

/* Appends the option unless the text has it. */
static void
environment_append_gap(char **text, const char *option)
{
	const char *at = *text;

	while (at != NULL) {
		if (environment_same_name(at, option))
			return;
		at = strchr(at, ':');
		at = at == NULL ? NULL : at + 1;
	}
	environment_append(text, option);
}

char *
environment_merge(const char *user, const char *name,
	const struct environment_spec *spec)
{
	char *text = NULL, limit[64];
	size_t i;

	if (user != NULL)
		environment_append_user(&text, user);
	for (i = 0; i < N(gaps); i++)
		environment_append_gap(&text, gaps[i]);
	if (spec->no_leaks)
		environment_append_gap(&text, "detect_leaks=0");
	/* The report area has room for one report, not for many. */
	if (strcmp(name, "LSAN_OPTIONS") == 0)
		environment_append_gap(&text, "max_leaks=10");
	snprintf(limit, sizeof(limit), "max_allocation_size_mb=%llu",
		(unsigned long long)spec->rss_limit_mb);
	if (spec->rss_limit_mb > 0)
		environment_append_gap(&text, limit);
	if (strcmp(name, "UBSAN_OPTIONS") == 0)
		environment_append_gap(&text, "print_stacktrace=1");
	for (i = 0; i < N(forced); i++)
		environment_append(&text, forced[i]);
	/* ASan wants to be loaded first; the runtime calls it only later. */
	if (spec->preload != NULL && spec->preload[0] != '\0' &&
		strcmp(name, "ASAN_OPTIONS") == 0)
		environment_append(&text, "verify_asan_link_order=0");
	return text;
}

static bool
environment_is_named(const char *entry, const char *name)
{
	size_t n = strlen(name);

	return strncmp(entry, name, n) == 0 && entry[n] == '=';
}

static bool
environment_is_one_of(const char *entry, const char *const *names, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (environment_is_named(entry, names[i]))
			return true;
	return false;
}

static bool
environment_is_sanitizer(const char *entry)
{
	return environment_is_one_of(entry, variables, N(variables));
}

static bool
environment_is_kept_when_clean(const char *entry)
{
	static const char *const keep[] = { "PATH", "HOME", "LANG",
		"LD_LIBRARY_PATH" };

	return environment_is_one_of(entry, keep, N(keep)) ||
		strncmp(entry, "LC_", 3) == 0;
}

static const char *
environment_value_of(char *const *from, const char *name)
{
	for (; *from != NULL; from++)
		if (environment_is_named(*from, name))
			return strchr(*from, '=') + 1;
	return NULL;
}

/* Ours comes first: the runtime removes it again, up to the colon. */
static char *
environment_preload(char *const *from, const struct environment_spec *spec)
{
	const char *own = spec->clean
		? NULL
		: environment_value_of(from, ENVIRONMENT_PRELOAD);

	return own != NULL && own[0] != '\0'
		? xasprintf(ENVIRONMENT_PRELOAD "=%s:%s", spec->preload, own)
		: xasprintf(ENVIRONMENT_PRELOAD "=%s", spec->preload);
}

/* The adapter starts both programs by their paths. */
static size_t
environment_add_programs(char **env, size_t n,
	const struct environment_spec *spec)
{
	char stamp[FILE_STAMP_SIZE];
	struct stat st;

	if (spec->program_fd > 0 && fstat(spec->program_fd, &st) == 0) {
		file_stamp(&st, stamp);
		env[n++] = xasprintf("%s=%s", WORKER_PROGRAM_STAMP, stamp);
	}
	if (spec->cmplog == NULL)
		return n;
	env[n++] = xasprintf("%s=%s", WORKER_CMPLOG, spec->cmplog);
	if (stat(spec->cmplog, &st) == 0) {
		file_stamp(&st, stamp);
		env[n++] = xasprintf("%s=%s", WORKER_CMPLOG_STAMP, stamp);
	}
	return n;
}

/* The variable `name` for the target: a new string. */
static char *
environment_options(char *const *from, const char *name,
	const struct environment_spec *spec)
{
	char *merged =
		environment_merge(environment_value_of(from, name), name, spec);
	char *entry = xasprintf("%s=%s", name, merged);

	free(merged);
	return entry;
}

char **
environment_create(char *const *from, const struct environment_spec *spec)
{
	bool preload = spec->preload != NULL && spec->preload[0] != '\0';
	size_t n = 0, i;
	char **env;

	while (from[n] != NULL)
		n++;
	env = xcalloc(n + N(variables) + ENVIRONMENT_OWN + 1, sizeof(*env));
	for (i = n = 0; from[i] != NULL; i++)
		if (strncmp(from[i], "CFUZZ_", 6) != 0 &&
			!(preload &&
				environment_is_named(from[i],
					ENVIRONMENT_PRELOAD)) &&
			!environment_is_sanitizer(from[i]) &&
			(!spec->clean ||
				environment_is_kept_when_clean(from[i])))
			env[n++] = xstrdup(from[i]);
	for (i = 0; i < N(variables); i++)
		env[n++] = environment_options(from, variables[i], spec);
	n = environment_add_programs(env, n, spec);
	if (environment_value_of(from, "LD_BIND_NOW") == NULL &&
		environment_value_of(from, "LD_BIND_LAZY") == NULL)
		env[n++] = xstrdup(WORKER_BIND_NOW);
	env[n++] = xasprintf("%s=%d", WORKER_ENVIRONMENT, WORKER_FD_DEFAULT);
	if (preload)
		env[n++] = environment_preload(from, spec);
	if (preload && spec->plain)
		env[n++] = xstrdup(WORKER_PLAIN "=1");
	return env;
}

void
environment_change(char **env, char *const *from,
	const struct environment_spec *spec)
{
	size_t i;

	for (; *env != NULL; env++)
		for (i = 0; i < N(variables); i++)
			if (environment_is_named(*env, variables[i])) {
				free(*env);
				*env = environment_options(from, variables[i],
					spec);
			}
}

char **
environment_create_debug(char *const *from, const struct environment_spec *spec)
{
	char **env = environment_create(from, spec), *old;
	size_t i, n = 0;

	for (i = 0; env[i] != NULL; i++) {
		old = env[i];
		if (environment_is_named(old, WORKER_ENVIRONMENT) ||
			strcmp(old, WORKER_BIND_NOW) == 0) {
			free(old);
			continue;
		}
		if (environment_is_sanitizer(old)) {
			/* The last of several values counts. */
			env[i] = xasprintf("%s:symbolize=1", old);
			free(old);
		}
		env[n++] = env[i];
	}
	env[n] = NULL;
	return env;
}

/* Appends the variable, cleaned. */
static void
environment_describe_variable(char *const *env, const char *name, char *buf,
	size_t size)
{
	size_t len;

	for (; *env != NULL; env++) {
		if (!environment_is_named(*env, name))
			continue;
		len = strlen(buf);
		if (len > 0 && len + 1 < size) {
			buf[len++] = ' ';
			buf[len] = '\0';
		}
		text_clean_string(*env, buf + len, size - len);
	}
}

void
environment_describe(char *const *env, const char *sanitizer, char *buf,
	size_t size)
{
	/* Further sanitizers that such a build may have come last. */
	/* clang-format off */
	static const char *const names[][4] = {
		{ "address", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS" },
		{ "undefined", "UBSAN_OPTIONS" },
		{ "memory", "MSAN_OPTIONS", "UBSAN_OPTIONS" },
		{ "thread", "TSAN_OPTIONS", "UBSAN_OPTIONS" },
		{ "leak", "LSAN_OPTIONS", "UBSAN_OPTIONS" },
	};
	/* clang-format on */
	size_t i, k;

	buf[0] = '\0';
	for (i = 0; i < N(names); i++) {
		if (strcmp(names[i][0], sanitizer) != 0)
			continue;
		for (k = 1; k < N(names[i]) && names[i][k] != NULL; k++)
			environment_describe_variable(env, names[i][k], buf,
				size);
	}
	/* These change which code runs, so they are shown for any build. */
	environment_describe_variable(env, ENVIRONMENT_PRELOAD, buf, size);
	environment_describe_variable(env, "LD_LIBRARY_PATH", buf, size);
}

#include "engine/environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "shared/memory.h"

/* Ours whatever the user says: the keeper depends on them. */
static const char *const forced[] = { "abort_on_error=1", "halt_on_error=1",
	"symbolize=0", "handle_abort=0", "exitcode=77", "log_path=stderr" };

/* Ours unless the user says otherwise. */
static const char *const gaps[] = { "detect_leaks=0", "print_summary=1",
	"malloc_context_size=10" };

/* Dropped: each would start a thread that a forked child lacks. */
static const char *const dropped[] = { "hard_rss_limit_mb",
	"soft_rss_limit_mb" };

static const char *const variables[] = { "ASAN_OPTIONS", "UBSAN_OPTIONS",
	"MSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS" };

#define N(a) (sizeof(a) / sizeof((a)[0]))

static size_t
name_len(const char *option)
{
	return strcspn(option, "=");
}

static bool
same_name(const char *a, const char *b)
{
	size_t n = name_len(a);

	return n == name_len(b) && strncmp(a, b, n) == 0;
}

static bool
in_list(const char *option, const char *const *list, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (same_name(option, list[i]))
			return true;
	return false;
}

static void
append(char **text, const char *option)
{
	char *old = *text;

	*text = old == NULL ? xstrdup(option) : xasprintf("%s:%s", old, option);
	free(old);
}

/* Options are separated by colons, commas, white space. */
static void
append_user(char **text, const char *user, char **names)
{
	char *copy = xstrdup(user), *save = NULL, *word;

	for (word = strtok_r(copy, ": ,\t\n", &save); word != NULL;
		word = strtok_r(NULL, ": ,\t\n", &save)) {
		if (in_list(word, forced, N(forced)) ||
			in_list(word, dropped, N(dropped)))
			continue;
		append(text, word);
		append(names, word);
	}
	free(copy);
}

static bool
user_has(const char *names, const char *option)
{
	const char *at = names;

	while (at != NULL && *at != '\0') {
		if (same_name(at, option))
			return true;
		at = strchr(at, ':');
		at = at == NULL ? NULL : at + 1;
	}
	return false;
}

char *
environment_merge(const char *user, uint64_t max_allocation_mb, bool undefined)
{
	char *text = NULL, *names = NULL, limit[64];
	size_t i;

	if (user != NULL)
		append_user(&text, user, &names);
	for (i = 0; i < N(gaps); i++)
		if (!user_has(names, gaps[i]))
			append(&text, gaps[i]);
	snprintf(limit, sizeof(limit), "max_allocation_size_mb=%llu",
		(unsigned long long)max_allocation_mb);
	if (max_allocation_mb > 0 && !user_has(names, limit))
		append(&text, limit);
	if (undefined && !user_has(names, "print_stacktrace=1"))
		append(&text, "print_stacktrace=1");
	for (i = 0; i < N(forced); i++)
		append(&text, forced[i]);
	free(names);
	return text;
}

static bool
is_named(const char *entry, const char *name)
{
	size_t n = strlen(name);

	return strncmp(entry, name, n) == 0 && entry[n] == '=';
}

static bool
is_sanitizer(const char *entry)
{
	size_t i;

	for (i = 0; i < N(variables); i++)
		if (is_named(entry, variables[i]))
			return true;
	return false;
}

static bool
is_kept_when_clean(const char *entry)
{
	static const char *const keep[] = { "PATH", "HOME", "LANG",
		"LD_LIBRARY_PATH" };
	size_t i;

	for (i = 0; i < N(keep); i++)
		if (is_named(entry, keep[i]))
			return true;
	return strncmp(entry, "LC_", 3) == 0;
}

static const char *
value_of(char *const *from, const char *name)
{
	for (; *from != NULL; from++)
		if (is_named(*from, name))
			return strchr(*from, '=') + 1;
	return NULL;
}

char **
environment_create(char *const *from, const struct environment_spec *spec)
{
	size_t n = 0, i;
	char **env, *merged;

	while (from[n] != NULL)
		n++;
	env = xcalloc(n + N(variables) + 2, sizeof(*env));
	for (i = n = 0; from[i] != NULL; i++)
		if (strncmp(from[i], "CFUZZ_", 6) != 0 &&
			!is_sanitizer(from[i]) &&
			(!spec->clean || is_kept_when_clean(from[i])))
			env[n++] = xstrdup(from[i]);
	for (i = 0; i < N(variables); i++) {
		merged = environment_merge(value_of(from, variables[i]),
			spec->rss_limit_mb,
			strcmp(variables[i], "UBSAN_OPTIONS") == 0);
		env[n++] = xasprintf("%s=%s", variables[i], merged);
		free(merged);
	}
	env[n++] = xasprintf("%s=%d", WORKER_ENVIRONMENT, WORKER_FD_DEFAULT);
	return env;
}

void
environment_destroy(char **env)
{
	size_t i;

	if (env == NULL)
		return;
	for (i = 0; env[i] != NULL; i++)
		free(env[i]);
	free(env);
}

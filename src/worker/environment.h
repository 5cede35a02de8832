/*
 * environment: what workers see of the user's environment.
 *
 * The user's variables, without our own, with sanitizer options merged: the
 * user's value wins, ours fill gaps, but a few that decide how a failure is
 * reported are ours. The merged strings are shown to the user.
 */
#ifndef CFUZZ_WORKER_ENVIRONMENT_H
#define CFUZZ_WORKER_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct environment_spec {
	uint64_t rss_limit_mb; /* becomes the largest allocation, 0 = none */
	bool no_leaks;         /* are looked for */
	bool clean;            /* keep PATH HOME LANG LC_* … alone */
};

/* A NULL-ended vector, owned by the caller: environment_destroy(). */
char **environment_create(char *const *from,
	const struct environment_spec *spec);
void environment_destroy(char **env);

/*
 * The same for a target that is started by hand, in a debugger: no worker, and
 * reports have names.
 */
char **environment_create_debug(char *const *from,
	const struct environment_spec *spec);

/*
 * The options that a target with this sanitizer ("address", "memory" …; ""
 * for none) gets from that vector, cleaned: "ASAN_OPTIONS=…", and those of
 * what such a build may have as well, with spaces between them; behind them what
 * the user has set of LD_PRELOAD and LD_LIBRARY_PATH.
 */
void environment_tell(char *const *env, const char *sanitizer, char *buf,
	size_t size);

/*
 * Merges the option string of the variable with that name: `user` may be
 * NULL; returns a new string.
 * Exposed for its table of tests.
 */
char *environment_merge(const char *user, const char *name,
	const struct environment_spec *spec);

#endif

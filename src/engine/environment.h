/*
 * environment: what workers see of the user's environment.
 *
 * The user's variables, without our own, with sanitizer options merged: the
 * user's value wins, ours fill gaps, but a few that decide how a failure is
 * reported are ours. The merged strings are shown to the user.
 */
#ifndef CFUZZ_ENGINE_ENVIRONMENT_H
#define CFUZZ_ENGINE_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>

struct environment_spec {
	uint64_t rss_limit_mb; /* becomes the largest allocation, 0 = none */
	bool clean;            /* keep PATH HOME LANG LC_* … alone */
};

/* A NULL-ended vector, owned by the caller: environment_destroy(). */
char **environment_create(char *const *from,
	const struct environment_spec *spec);
void environment_destroy(char **env);

/*
 * Merges one option string: `user` may be NULL; returns a new string.
 * Exposed for its table of tests.
 */
char *environment_merge(const char *user, uint64_t max_allocation_mb,
	bool undefined);

#endif

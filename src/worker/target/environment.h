/*
 * environment: makes the environment of workers from the user's.
 *
 * It drops the variables of cfuzz and merges the sanitizer options: the user's
 * value wins, the defaults of cfuzz fill the gaps, and a few options that
 * decide how a failure is reported are always set by cfuzz. The merged strings
 * are shown to the user.
 */
#ifndef CFUZZ_WORKER_TARGET_ENVIRONMENT_H
#define CFUZZ_WORKER_TARGET_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct environment_spec {
	uint64_t rss_limit_mb; /* the largest allocation allowed, 0 = any */
	bool no_leaks;         /* do not look for leaks */
	/* Keep only PATH HOME LANG LC_* LD_LIBRARY_PATH and the options of
	 * sanitizers. */
	bool clean;
	int program_fd;     /* a program that the adapter starts; 0: none */
	const char *cmplog; /* a program with CmpLog; NULL: none */
	/* Loaded into a target without instrumentation; NULL or "": none. */
	const char *preload;
	bool plain; /* ... which is to run without coverage */
};

/* A NULL-ended vector, owned by the caller: xfree_list(). */
char **environment_create(char *const *from,
	const struct environment_spec *spec);

/*
 * Gives the options of sanitizers in env, made by environment_create() of from,
 * the limit and the leaks of another spec. The vector stays; strings that were
 * borrowed from it may be gone.
 */
void environment_change(char **env, char *const *from,
	const struct environment_spec *spec);

/*
 * The environment of a target that the user starts in a debugger: it does not
 * run as a worker, and its reports are symbolized. Owned as above.
 */
char **environment_create_debug(char *const *from,
	const struct environment_spec *spec);

/*
 * Writes the options that a target with this sanitizer ("address", "memory" …;
 * "" for none) gets from env, cleaned and separated by spaces:
 * "ASAN_OPTIONS=…", those of further sanitizers in such a build, LD_PRELOAD and
 * LD_LIBRARY_PATH if they are in env. The text is cut to size bytes.
 */
void environment_describe(char *const *env, const char *sanitizer, char *buf,
	size_t size);

/*
 * Merges the option string of the variable `name`. `user` may be NULL. Returns
 * a new string, which the caller frees. Public for its unit test only.
 */
char *environment_merge(const char *user, const char *name,
	const struct environment_spec *spec);

#endif

/*
 * archive_config: runs a target with the arguments and limits of its campaign,
 * except for those that the user sets.
 */
#ifndef CFUZZ_TOOLS_ARCHIVE_CONFIG_H
#define CFUZZ_TOOLS_ARCHIVE_CONFIG_H

#include "engine/engine.h"
#include "store/archive.h"

struct archive_config {
	/* A copy of the caller's with the campaign's values: use this one. It
	 * points into the members below, so the struct must not move. */
	struct engine_config config;
	struct settings settings;
	struct archive_start start;
	char **hidden;     /* for config.hidden; owned */
	size_t seeds_gone; /* seeds of the campaign that cannot be read */
	bool has_main;     /* the campaign's target: a program with a main() */
	char *folder;      /* for config.folder; owned */
	/* The campaign's working directory cannot be found, so its arguments
	 * are taken as relative to ours. */
	bool folder_gone;
};

/* Borrows the target and arguments of `from`, copies its settings. output: the
 * campaign's directory, or NULL: no campaign. */
void archive_config_init(struct archive_config *a,
	const struct engine_config *from, const char *output);
/* path: a finding's folder or a file in it, in an output directory: takes the
 * limits with which it last failed, except for those that the user has `given`.
 */
void archive_config_take_finding(struct archive_config *a,
	const struct settings *given, const char *path);
/* Hides one more output directory from an isolated target. */
void archive_config_hide(struct archive_config *a, const char *output);
void archive_config_clear(struct archive_config *a);

/* A file of an output directory as it is, any JSON, not trusted; a new
 * reference. NULL: there is no such file, or it is no JSON. */
json_t *archive_read_json(const char *path);
/* The same of stats.json. */
json_t *archive_read_stats(const char *output);

/* Takes limits from stats.json (NULL: none), unless the user has set them. */
void archive_take_limits(struct settings *settings, const json_t *stats);

/* Do the two run a target with different arguments, limits or isolation, or
 * in folders on which the arguments depend? Then what is "arguments", "working
 * directory", or the option: "--timeout". */
bool archive_config_differs(const struct archive_config *a,
	const struct archive_config *b, char *what, size_t size);

/*
 * Takes the campaign of the first path that exists. E_USAGE: another path is of
 * a campaign that differs; command: "repro", for the message. paths is
 * NULL-ended. Call archive_config_clear() even after a failure.
 */
enum status archive_config_take(struct archive_config *a,
	const struct engine_config *config, char **paths, const char *command,
	struct error *err) MUST_CHECK;

/* Is the campaign's working directory gone to which an argument may be relative, or
 * from which a program may read other files? */
bool archive_misses_folder(const struct archive_config *a);

/*
 * Writes "with the campaign's arguments: a 'b c'", and the working directory if
 * it is not ours, cut at size - 1 bytes; "" if there is nothing to say, or if
 * the user gave other arguments.
 */
void archive_config_tell(const struct archive_config *a, char *buf,
	size_t size);

#endif

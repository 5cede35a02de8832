/*
 * past: the engine for a campaign that is over. Target, arguments and limits are
 * those of its last run.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/dir.h"
#include "base/log.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "control/json_text.h"
#include "engine/engine.h"
#include "shared/campaign_folder.h"
#include "store/archive.h"
#include "tools/archive_config.h"

/* archive_config_init() may have taken the value. */
static void
past_take_limit(struct settings *settings, const struct settings *given,
	const struct option *option, const char *value, const char *origin)
{
	if (strcmp(origin, "default") == 0)
		settings->origin[option->id] = given->origin[option->id];
	else if (settings_set(settings, option->name, value, ORIGIN_FLAG,
			 NULL) != OK)
		log_debug("the limit %s of the last run is invalid",
			option->name);
	else if (strcmp(origin, "key") == 0)
		settings->origin[option->id] = ORIGIN_KEY;
}

/* Invalid values are ignored, and so are files: they may be gone. */
static void
past_take_limits(struct settings *settings, const struct settings *given,
	const json_t *stats)
{
	const char *name, *value, *origin;
	json_t *limit;

	json_object_foreach(json_object_get(stats, "limits"), name, limit) {
		const struct option *option = settings_find(name);

		value = json_text_get(limit, "value");
		origin = json_text_get(limit, "origin");
		if (option != NULL && option->id != OPT_DICT && value != NULL &&
			origin != NULL)
			past_take_limit(settings, given, option, value, origin);
	}
}

int
engine_serve_past(const struct engine_config *config, const char *output,
	int control_fd, int note_fd)
{
	struct engine_config own = *config;
	struct archive_config archive;
	json_t *stats = archive_read_stats(output);
	int status;

	own.target = NULL;
	own.args = NULL;
	archive_config_init(&archive, &own, output);
	past_take_limits(&archive.settings, config->settings, stats);
	json_decref(stats);
	free(archive.settings.output);
	archive.settings.output = xstrdup(output);
	archive.config.past = true;
	if (archive.config.target == NULL)
		archive.config.target = "?";
	status = engine_serve(&archive.config, control_fd, note_fd);
	archive_config_clear(&archive);
	return status;
}

static bool
past_is_empty(const char *output)
{
	struct dir_names names;
	bool empty = dir_list_at(AT_FDCWD, output, &names, NULL) == OK &&
		names.n == 0;

	dir_names_clear(&names);
	return empty;
}

/* Its last run; one that still runs, or was killed, has not. */
static bool
past_has_ended(const char *output)
{
	json_t *stats = archive_read_stats(output);
	bool ended = strcmp(json_text_of(stats, "state"), "ended") == 0;

	json_decref(stats);
	return ended;
}

enum status
engine_check_past(const char *output, struct error *err)
{
	char shown[256];

	text_clean_string(output, shown, sizeof(shown));
	if (past_is_empty(output))
		return error_set(err, E_USAGE,
			"%s is an empty folder: `cfuzz-tui -o %s TARGET` "
			"starts a campaign there",
			shown, shown);
	if (!campaign_folder_is(output))
		return error_set(err, E_USAGE,
			"%s is a folder, but not the output directory of a "
			"campaign: name a target, or such a directory",
			shown);
	/* Others may look while a console or a tool works on its findings. */
	if (archive_is_locked(output) && !past_has_ended(output))
		return error_set(err, E_BUSY,
			"another cfuzz is at work in %s, and nobody can attach "
			"to it: stop it first",
			shown);
	return OK;
}

/*
 * archive_take: archive_config_take(), for a command that runs files of several
 * campaigns in one go.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "shared/campaign_folder.h"
#include "tools/archive_config.h"

static bool
take_is_same(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* Refuses a path of another campaign, or of none, that would not run as in its
 * own. first: what the arguments and limits were taken from. */
static enum status
take_check(const struct archive_config *a, const struct engine_config *config,
	const char *first, const char *other, const char *output,
	const char *command, struct error *err)
{
	char one[512], two[512], what[64];
	struct archive_config archive;
	bool differs;

	archive_config_init(&archive, config, output);
	differs = archive_config_differs(a, &archive, what, sizeof(what));
	archive_config_clear(&archive);
	if (!differs)
		return OK;
	text_clean_string(first, one, sizeof(one));
	text_clean_string(output != NULL ? output : other, two, sizeof(two));
	return error_set(err, E_USAGE,
		"%s and %s do not run with the same %s: use cfuzz %s once "
		"for each",
		one, two, what, command);
}

enum status
archive_config_take(struct archive_config *a,
	const struct engine_config *config, char **paths, const char *command,
	struct error *err)
{
	enum status status = OK;
	char *output, *last, *next;

	while (paths[0] != NULL && access(paths[0], F_OK) != 0)
		paths++;
	output = paths[0] != NULL ? campaign_folder_of(paths[0]) : NULL;
	last = output != NULL ? xstrdup(output) : NULL;
	archive_config_init(a, config, output);
	/* Findings of several runs go with the limits of the last one. */
	if (output != NULL && paths[1] == NULL)
		archive_config_take_finding(a, config->settings, paths[0]);
	for (size_t i = 0; status == OK && paths[i] != NULL; i++) {
		if (access(paths[i], F_OK) != 0)
			continue;
		next = campaign_folder_of(paths[i]);
		if (next != NULL && !take_is_same(next, last))
			archive_config_hide(a, next);
		if (!take_is_same(next, last))
			status = take_check(a, config,
				output != NULL ? output : paths[0], paths[i],
				next, command, err);
		free(last);
		last = next;
	}
	free(last);
	free(output);
	return status;
}

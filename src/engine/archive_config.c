/* archive_config: see archive_config.h. */
#include "engine/archive_config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "engine/store_private.h"

#define ARCHIVE_STATS_MAX (64u << 20)

/* What stats.json says of a limit; whatever is no value of it changes nothing. */
static void
archive_take_limit(struct settings *settings, const json_t *limits,
	enum option_id id)
{
	const char *name = settings_option(id)->name;
	const char *value = json_string_value(
		json_object_get(json_object_get(limits, name), "value"));

	if (value != NULL && settings->origin[id] == ORIGIN_DEFAULT &&
		settings_set(settings, name, value, ORIGIN_FLAG, NULL) != OK)
		return;
}

static void
archive_take_limits(struct settings *settings, const char *output)
{
	char *path = xasprintf("%s/" STORE_STATS, output);
	const json_t *limits;
	json_t *stats = NULL;
	uint8_t *data;
	size_t len;

	if (file_read_at(AT_FDCWD, path, ARCHIVE_STATS_MAX, &data, &len,
		    NULL) == OK) {
		stats = json_loadb((const char *)data, len, 0, NULL);
		free(data);
	}
	limits = json_object_get(stats, "limits");
	archive_take_limit(settings, limits, OPT_TIMEOUT);
	archive_take_limit(settings, limits, OPT_RSS_LIMIT);
	json_decref(stats);
	free(path);
}

void
archive_config_init(struct archive_config *a, const struct engine_config *from,
	const char *output)
{
	*a = (struct archive_config){ .config = *from };
	settings_init(&a->settings);
	settings_copy(&a->settings, from->settings);
	a->config.settings = &a->settings;
	if (output == NULL)
		return;
	archive_read_start(output, &a->start);
	archive_take_limits(&a->settings, output);
	if (a->config.args == NULL)
		a->config.args = a->start.args;
	if (a->config.target == NULL)
		a->config.target = a->start.target;
}

void
archive_config_clear(struct archive_config *a)
{
	archive_start_clear(&a->start);
	settings_clear(&a->settings);
}

void
archive_config_tell(const struct archive_config *a, char *buf, size_t size)
{
	char clean[512], quoted[600];
	size_t i, n = 0;

	buf[0] = '\0';
	if (a->start.args == NULL || a->config.args != a->start.args)
		return;
	for (i = 0; a->start.args[i] != NULL && n < size; i++) {
		text_clean_string(a->start.args[i], clean, sizeof(clean));
		text_quote(clean, quoted, sizeof(quoted));
		n += (size_t)snprintf(buf + n, size - n, "%s %s",
			i == 0 ? "with the campaign's arguments:" : "", quoted);
	}
}

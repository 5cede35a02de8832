/* finding_limits: see finding_limits.h. */
#include "findings/finding_limits.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "control/json_text.h"

#define LIMIT_SIZE 64 /* of a value as text */

static const enum option_id FINDING_LIMITS[] = { OPT_TIMEOUT, OPT_RSS_LIMIT,
	OPT_MAX_LEN, OPT_FILE_LIMIT, OPT_CLEAN_ENV, OPT_FAIL_ON_EXIT };
#define FINDING_LIMITS_N (sizeof(FINDING_LIMITS) / sizeof(FINDING_LIMITS[0]))

json_t *
finding_limits_json(const struct settings *settings)
{
	json_t *limits = json_object();
	char value[LIMIT_SIZE];

	for (size_t i = 0; i < FINDING_LIMITS_N; i++) {
		settings_format(settings, FINDING_LIMITS[i], value,
			sizeof(value));
		json_object_set_new(limits,
			settings_option(FINDING_LIMITS[i])->name,
			json_string(value));
	}
	return limits;
}

void
finding_limits_take(struct settings *settings, const json_t *limits,
	const struct settings *given)
{
	for (size_t i = 0; i < FINDING_LIMITS_N; i++) {
		const enum option_id id = FINDING_LIMITS[i];
		const char *name = settings_option(id)->name;
		const char *value = json_text_get(limits, name);
		char now[LIMIT_SIZE];

		settings_format(settings, id, now, sizeof(now));
		if (value == NULL || strcmp(value, now) == 0 ||
			(given != NULL && given->origin[id] != ORIGIN_DEFAULT))
			continue;
		if (settings_set(settings, name, value, ORIGIN_FLAG, NULL) !=
			OK)
			log_debug("the limit %s of a finding is invalid", name);
	}
}

void
finding_limits_options(const struct settings *settings, char *buf, size_t size)
{
	char value[LIMIT_SIZE];
	size_t n = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < FINDING_LIMITS_N && n < size; i++) {
		const struct option *row = settings_option(FINDING_LIMITS[i]);

		if (settings->origin[row->id] == ORIGIN_DEFAULT)
			continue;
		settings_format(settings, row->id, value, sizeof(value));
		if (row->type == OPTION_FLAG)
			n += (size_t)snprintf(buf + n, size - n, " --%s%s",
				strcmp(value, "on") == 0 ? "" : "no-",
				row->name);
		else
			n += (size_t)snprintf(buf + n, size - n, " --%s %s",
				row->name, value);
	}
}

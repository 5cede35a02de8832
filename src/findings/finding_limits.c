/* finding_limits: see finding_limits.h. */
#include "findings/finding_limits.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "control/json_text.h"

#define LIMIT_SIZE 64   /* of a value as text */
#define LIMITS_SIZE 256 /* of options that a failure needs */

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

/* Writes " --timeout 100ms", cut; returns the length that it needs. */
static size_t
limit_option(const struct settings *settings, enum option_id id, char *buf,
	size_t size)
{
	const struct option *row = settings_option(id);
	char value[LIMIT_SIZE];

	settings_format(settings, id, value, sizeof(value));
	if (row->type == OPTION_FLAG)
		return (size_t)snprintf(buf, size, " --%s%s",
			strcmp(value, "on") == 0 ? "" : "no-", row->name);
	return (size_t)snprintf(buf, size, " --%s %s", row->name, value);
}

void
finding_limits_options(const struct settings *settings, char *buf, size_t size)
{
	size_t n = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < FINDING_LIMITS_N && n < size; i++)
		if (settings->origin[FINDING_LIMITS[i]] != ORIGIN_DEFAULT)
			n += limit_option(settings, FINDING_LIMITS[i], buf + n,
				size - n);
}

/* 0 is no limit. */
static bool
limit_is_higher(uint64_t now, uint64_t was)
{
	return now - 1 > was - 1;
}

/* AddressSanitizer refuses single allocations over the memory limit, too. */
static bool
limit_is_of_memory(const struct failure *f)
{
	return f->kind == FAILURE_OOM ||
		(f->kind == FAILURE_SANITIZER &&
			(strcmp(f->what, "allocation-size-too-big") == 0 ||
				strcmp(f->what, "out-of-memory") == 0));
}

/* Would a failure that happened with one value perhaps not happen with the
 * other? A target may do anything else in another environment. */
static bool
limit_is_needed(enum option_id id, const struct failure *f,
	const struct settings *now, const struct settings *was)
{
	switch (id) {
	case OPT_TIMEOUT:
		return f->kind == FAILURE_HANG &&
			now->timeout_ms > was->timeout_ms;
	case OPT_RSS_LIMIT:
		return limit_is_of_memory(f) &&
			limit_is_higher(now->rss_limit_mb, was->rss_limit_mb);
	case OPT_FILE_LIMIT:
		return strcmp(f->what, "SIGXFSZ") == 0 &&
			limit_is_higher(now->file_limit_mb, was->file_limit_mb);
	case OPT_FAIL_ON_EXIT:
		return f->kind == FAILURE_EXIT && was->fail_on_exit &&
			!now->fail_on_exit;
	case OPT_CLEAN_ENV:
		return now->clean_env != was->clean_env;
	default:
		return false;
	}
}

void
finding_limits_needed(const struct settings *settings, const json_t *limits,
	const struct failure *failure, char *buf, size_t size)
{
	struct settings was = { 0 };
	char text[LIMITS_SIZE] = " ";
	size_t n = 0;

	settings_copy(&was, settings);
	finding_limits_take(&was, limits, NULL);
	for (size_t i = 0; i < FINDING_LIMITS_N && n < sizeof(text); i++)
		if (limit_is_needed(FINDING_LIMITS[i], failure, settings, &was))
			n += limit_option(&was, FINDING_LIMITS[i], text + n,
				sizeof(text) - n);
	snprintf(buf, size, "%s", text + 1);
	settings_clear(&was);
}

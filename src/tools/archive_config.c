/* archive_config: see archive_config.h. */
#include "tools/archive_config_private.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "control/json_text.h"
#include "findings/finding_limits.h"
#include "shared/campaign_folder.h"
#include "store/store_files.h"
#include "worker/inputs/type_names.h"

/* Takes one limit from stats.json; an invalid value is ignored. */
static void
archive_take_limit(struct settings *settings, const json_t *limits,
	enum option_id id)
{
	const char *name = settings_option(id)->name;
	const char *value =
		json_text_get(json_object_get(limits, name), "value");

	if (value != NULL && settings->origin[id] == ORIGIN_DEFAULT &&
		settings_set(settings, name, value, ORIGIN_FLAG, NULL) != OK)
		return;
}

void
archive_take_limits(struct settings *settings, const json_t *stats)
{
	const json_t *limits = json_object_get(stats, "limits");
	int id;

	for (id = 0; id < OPT_COUNT_; id++)
		if (settings_option((enum option_id)id)->flags & OPTION_TARGET)
			archive_take_limit(settings, limits,
				(enum option_id)id);
}

json_t *
archive_read_json(const char *path)
{
	json_t *json = NULL;
	uint8_t *data;
	size_t len;

	if (file_read_at(AT_FDCWD, path, STORE_STATS_MAX, &data, &len, NULL) ==
		OK) {
		json = json_loadb((const char *)data, len, 0, NULL);
		free(data);
	}
	return json;
}

json_t *
archive_read_stats(const char *output)
{
	char *path = xasprintf("%s/" STORE_STATS, output);
	json_t *stats = archive_read_json(path);

	free(path);
	return stats;
}

/* A target that ran isolated was not trusted. */
static void
archive_take_isolation(struct settings *settings,
	const struct archive_start *start)
{
	char **path;

	if (!start->isolated || settings->origin[OPT_ISOLATE] != ORIGIN_DEFAULT)
		return;
	settings->isolate = true;
	if (settings->readable.n > 0)
		return;
	for (path = start->readable; *path != NULL; path++)
		if (settings_set(settings, "readable", *path, ORIGIN_FLAG,
			    NULL) != OK)
			return;
}

/* Seeds are not copied to the output directory. */
static void
archive_take_seeds(struct archive_config *a)
{
	char **path;

	if (a->settings.origin[OPT_SEEDS] != ORIGIN_DEFAULT)
		return;
	for (path = a->start.seeds; *path != NULL; path++)
		if (access(*path, R_OK) != 0 ||
			settings_set(&a->settings, "seeds", *path, ORIGIN_FLAG,
				NULL) != OK)
			a->seeds_gone++;
}

/* If the directory was moved or copied together with its target, uses the
 * program of that name beside it. It must be the campaign's build, unless the
 * campaign's own program is gone. */
static void
archive_follow(struct archive_start *start, const char *output)
{
	char *folder = realpath(output, NULL);
	char *slash = folder != NULL ? strrchr(folder, '/') : NULL;
	const char *name =
		start->target != NULL ? strrchr(start->target, '/') : NULL;
	struct target_info info = { .fd = -1 };
	char *beside;

	if (slash != NULL && name != NULL) {
		*slash = '\0';
		beside = xasprintf("%s%s", folder, name);
		if (strcmp(beside, start->target) != 0 &&
			target_check(beside, &info, NULL) == OK &&
			(strcmp(info.build, start->build) == 0 ||
				access(start->target, F_OK) != 0)) {
			free(start->target);
			start->target = xstrdup(beside);
		}
		target_info_clear(&info);
		free(beside);
	}
	free(folder);
}

void
archive_config_init(struct archive_config *a, const struct engine_config *from,
	const char *output)
{
	const char *kind;
	char *program;
	json_t *stats;

	*a = (struct archive_config){ .config = *from };
	settings_init(&a->settings);
	settings_copy(&a->settings, from->settings);
	a->config.settings = &a->settings;
	if (output == NULL)
		return;
	archive_config_hide(a, output);
	archive_read_start(output, &a->start);
	stats = archive_read_stats(output);
	archive_take_limits(&a->settings, stats);
	if (a->start.types.n == 0) /* the journal may be lost */
		(void)type_names_parse(json_object_get(stats, "types"),
			&a->start.types);
	kind = json_text_get(stats, "kind");
	a->has_main = kind != NULL && kind[0] != '\0' &&
		strcmp(kind, "function") != 0;
	json_decref(stats);
	archive_take_seeds(a);
	archive_take_isolation(&a->settings, &a->start);
	if (a->config.args == NULL)
		a->config.args = a->start.args;
	program = a->start.target != NULL ? xstrdup(a->start.target) : NULL;
	if (a->config.target == NULL)
		archive_follow(&a->start, output);
	if (a->config.target == NULL)
		a->config.target = a->start.target;
	a->config.keep_input =
		from->settings->origin[OPT_INPUT_FILE] == ORIGIN_DEFAULT;
	archive_take_folder(a, output, program);
	free(program);
	archive_take_input_file(a);
}

void
archive_config_take_finding(struct archive_config *a,
	const struct settings *given, const char *path)
{
	char *output = campaign_folder_of(path), *folder = realpath(path, NULL),
	     *file;
	json_t *info = NULL;

	while (output != NULL && folder != NULL && info == NULL &&
		strlen(folder) > strlen(output)) {
		file = xasprintf("%s/crash.json", folder);
		info = archive_read_json(file);
		free(file);
		*strrchr(folder, '/') = '\0';
	}
	finding_limits_take(&a->settings, json_object_get(info, "limits"),
		given);
	json_decref(info);
	free(folder);
	free(output);
}

void
archive_config_hide(struct archive_config *a, const char *output)
{
	size_t n = 0;

	while (a->hidden != NULL && a->hidden[n] != NULL)
		n++;
	a->hidden = xreallocarray(a->hidden, n + 2, sizeof(*a->hidden));
	a->hidden[n] = xstrdup(output);
	a->hidden[n + 1] = NULL;
	a->config.hidden = a->hidden;
}

void
archive_config_clear(struct archive_config *a)
{
	archive_start_clear(&a->start);
	xfree_list(a->hidden);
	free(a->folder);
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
	if (n < size)
		archive_tell_folder(a, n > 0, buf + n, size - n);
}

/* ---- two campaigns ------------------------------------------------------ */

/* NULL: no arguments. */
static bool
archive_same_args(char **a, char **b)
{
	size_t i = 0;

	if (a == NULL || b == NULL)
		return (a == NULL || a[0] == NULL) &&
			(b == NULL || b[0] == NULL);
	while (a[i] != NULL && b[i] != NULL && strcmp(a[i], b[i]) == 0)
		i++;
	return a[i] == NULL && b[i] == NULL;
}

static bool
archive_same_texts(const struct texts *a, const struct texts *b)
{
	size_t i;

	for (i = 0; i < a->n && i < b->n; i++)
		if (strcmp(a->items[i], b->items[i]) != 0)
			return false;
	return a->n == b->n;
}

static bool
archive_same_limit(const struct settings *a, const struct settings *b,
	enum option_id id)
{
	char one[PATH_MAX], other[PATH_MAX];

	if (!(settings_option(id)->flags & OPTION_TARGET))
		return true;
	settings_format(a, id, one, sizeof(one));
	settings_format(b, id, other, sizeof(other));
	return strcmp(one, other) == 0;
}

bool
archive_config_differs(const struct archive_config *a,
	const struct archive_config *b, char *what, size_t size)
{
	const struct settings *one = &a->settings, *other = &b->settings;
	enum option_id id = 0;

	if (!archive_same_args(a->config.args, b->config.args)) {
		snprintf(what, size, "arguments");
		return true;
	}
	if (!archive_same_folder(a, b)) {
		snprintf(what, size, "working directory");
		return true;
	}
	while (id < OPT_COUNT_ && archive_same_limit(one, other, id))
		id++;
	if (one->isolate != other->isolate)
		id = OPT_ISOLATE;
	else if (one->isolate &&
		!archive_same_texts(&one->readable, &other->readable))
		id = OPT_READABLE;
	if (id == OPT_COUNT_)
		return false;
	snprintf(what, size, "--%s", settings_option(id)->name);
	return true;
}

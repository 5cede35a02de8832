/*
 * archive_config_folder: where the target of a campaign works: in the campaign's
 * working directory, wherever that is now.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "tools/archive_config_private.h"
#include "worker/input_file.h"

static bool
archive_is_below(const char *path, const char *folder)
{
	size_t len = strlen(folder);

	return path != NULL && strncmp(path, folder, len) == 0 &&
		path[len] == '/';
}

/* The present path of the working directory if it moved together with the
 * output directory in it; NULL: that was not in it. A new string. */
static char *
archive_moved_folder(const struct archive_start *start, const char *output)
{
	size_t len = strlen(start->folder);
	const char *behind;
	char *folder, *slash;

	if (!archive_is_below(start->output, start->folder))
		return NULL;
	folder = realpath(output, NULL);
	for (behind = start->output + len; folder != NULL && behind != NULL;
		behind = strchr(behind + 1, '/')) {
		slash = strrchr(folder, '/');
		slash[slash == folder] = '\0';
	}
	return folder;
}

/* Is `path` in a folder where `was` was in another one? */
static bool
archive_is_moved(const char *was, const char *from, const char *path,
	const char *folder)
{
	return archive_is_below(was, from) && archive_is_below(path, folder) &&
		strcmp(was + strlen(from), path + strlen(folder)) == 0;
}

static bool
archive_is_ours(const char *folder)
{
	struct stat there, here;

	return stat(folder, &there) == 0 && stat(".", &here) == 0 &&
		there.st_dev == here.st_dev && there.st_ino == here.st_ino;
}

void
archive_take_folder(struct archive_config *a, const char *output,
	const char *program)
{
	char *was = a->start.folder, *moved, *target;

	if (was == NULL || was[0] != '/' || a->settings.isolate ||
		a->config.args != a->start.args)
		return;
	moved = archive_moved_folder(&a->start, output);
	target = a->config.target != NULL ? realpath(a->config.target, NULL)
					  : NULL;
	a->folder_gone = !dir_exists(was) || access(was, X_OK) != 0;
	if (moved != NULL && archive_is_moved(program, was, target, moved) &&
		(a->folder_gone || !archive_is_below(target, was))) {
		a->folder_gone = false;
		a->folder = xstrdup(moved);
	} else if (!a->folder_gone) {
		a->folder = xstrdup(was);
	}
	if (a->folder != NULL && !archive_is_ours(a->folder))
		a->config.folder = a->folder;
	free(moved);
	free(target);
}

void
archive_take_input_file(struct archive_config *a)
{
	char *name = input_file_name(&a->settings, a->config.folder);

	free(a->settings.input_file);
	a->settings.input_file = name;
}

void
archive_tell_folder(const struct archive_config *a, bool args, char *buf,
	size_t size)
{
	char clean[512];

	if (a->folder_gone) {
		text_clean_string(a->start.folder, clean, sizeof(clean));
		snprintf(buf, size,
			"%s working directory %s is gone: the target runs in "
			"the current one",
			args ? ", but the" : "the campaign's", clean);
	} else if (a->config.folder != NULL) {
		text_clean_string(a->config.folder, clean, sizeof(clean));
		snprintf(buf, size, "%s working directory %s",
			args ? ", in its" : "in the campaign's", clean);
	}
}

/* Does an argument look like a path that is relative to the working directory?
 * Without one, campaigns of several folders may go together. */
static bool
archive_names_file(char *const *args)
{
	const char *name;

	for (; args != NULL && *args != NULL; args++) {
		name = (*args)[0] != '-' ? *args : strchr(*args, '=');
		if (name != NULL && name[name[0] == '='] != '/' &&
			strstr(*args, INPUT_FILE_MARK) == NULL)
			return true;
	}
	return false;
}

bool
archive_same_folder(const struct archive_config *a,
	const struct archive_config *b)
{
	const char *one = a->folder_gone ? a->start.folder : a->config.folder;
	const char *other = b->folder_gone ? b->start.folder : b->config.folder;

	return a->start.folder == NULL || b->start.folder == NULL ||
		!archive_names_file(a->config.args) ||
		(one != NULL && other != NULL ? strcmp(one, other) == 0
					      : one == other);
}

bool
archive_misses_folder(const struct archive_config *a)
{
	return a->folder_gone &&
		(a->has_main || archive_names_file(a->config.args));
}

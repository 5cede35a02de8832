/*
 * writer_retire: removes the folder of a finding after its input was saved
 * elsewhere. A folder with foreign files is left as it is.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/fd.h"
#include "base/file.h"
#include "store/writer_private.h"

/* A folder of a finding, and the files in it that are ours. */
struct retire_part {
	const char *folder; /* ".": the finding's own */
	bool (*is_ours)(const char *name);
	int fd; /* -1: not there */
	struct dir_names names;
};

#define RETIRE_MORE "more"
#define RETIRE_SEQUENCE "sequence"

static bool
retire_is_hash(const char *name)
{
	size_t len = strspn(name, "0123456789abcdef");

	return name[len] == '\0' && (len == 16 || len == 64);
}

static bool
retire_is_number(const char *name)
{
	return name[0] != '\0' && name[strspn(name, "0123456789")] == '\0';
}

static bool
retire_is_file(const char *name)
{
	static const char *const names[] = { "input", "minimized", "witness",
		"report.txt", "crash.json", "before", RETIRE_MORE,
		RETIRE_SEQUENCE };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return strncmp(name, "input-", 6) == 0 && retire_is_hash(name + 6);
}

static bool
retire_list(struct retire_part *part)
{
	size_t i;

	if (dir_list(part->fd, &part->names, NULL) != OK)
		return false;
	for (i = 0; i < part->names.n; i++)
		if (strncmp(part->names.items[i], FILE_TMP_PREFIX,
			    strlen(FILE_TMP_PREFIX)) != 0 &&
			!part->is_ours(part->names.items[i]))
			return false;
	return true;
}

static void
retire_files(int fd)
{
	struct retire_part parts[] = {
		{ RETIRE_MORE, retire_is_hash, -1, { 0 } },
		{ RETIRE_SEQUENCE, retire_is_number, -1, { 0 } },
		{ ".", retire_is_file, -1, { 0 } },
	};
	size_t n = sizeof(parts) / sizeof(parts[0]), i, k;
	bool ours = true;

	for (i = 0; i < n; i++)
		if (dir_open_at(fd, parts[i].folder, DIR_NOFOLLOW, &parts[i].fd,
			    NULL) == OK)
			ours = retire_list(&parts[i]) && ours;
	/* After a sudden end what is left without it is merged again. */
	if (ours)
		(void)unlinkat(fd, "crash.json", 0);
	for (i = 0; i < n; i++) {
		/* unlinkat() refuses folders: each is removed when empty. */
		for (k = 0; ours && k < parts[i].names.n; k++)
			(void)unlinkat(parts[i].fd, parts[i].names.items[k], 0);
		if (ours && parts[i].fd >= 0)
			(void)unlinkat(fd, parts[i].folder, AT_REMOVEDIR);
		dir_names_clear(&parts[i].names);
		fd_close(&parts[i].fd);
	}
}

void
writer_retire(int top, const char *folder)
{
	const char *name = strrchr(folder, '/');
	char part[32];
	int part_fd, fd;

	if (name == NULL || (size_t)(name - folder) >= sizeof(part))
		return;
	snprintf(part, sizeof(part), "%.*s", (int)(name - folder), folder);
	name++;
	if (dir_open_at(top, part, DIR_NOFOLLOW, &part_fd, NULL) != OK)
		return;
	if (dir_open_at(part_fd, name, DIR_NOFOLLOW, &fd, NULL) == OK) {
		retire_files(fd);
		fd_close(&fd);
		/* If the folder reappears after a system crash, it is merged
		 * again. */
		if (unlinkat(part_fd, name, AT_REMOVEDIR) == 0 &&
			dir_sync(part_fd, NULL) != OK)
			errno = 0;
	}
	fd_close(&part_fd);
}

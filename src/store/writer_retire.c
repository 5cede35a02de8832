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

#define RETIRE_MORE "more"

static bool
retire_is_digits(const char *name)
{
	size_t len = strspn(name, "0123456789abcdef");

	return name[len] == '\0' && (len == 16 || len == 64);
}

static bool
retire_is_ours(const char *name, bool inside)
{
	static const char *const names[] = { "input", "minimized", "report.txt",
		"crash.json", "before", RETIRE_MORE };
	size_t i;

	if (strncmp(name, FILE_TMP_PREFIX, strlen(FILE_TMP_PREFIX)) == 0)
		return true;
	if (inside)
		return retire_is_digits(name);
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return strncmp(name, "input-", 6) == 0 && retire_is_digits(name + 6);
}

static bool
retire_list(int fd, bool inside, struct dir_names *names)
{
	size_t i;

	if (dir_list(fd, names, NULL) != OK)
		return false;
	for (i = 0; i < names->n; i++)
		if (!retire_is_ours(names->items[i], inside))
			return false;
	return true;
}

static void
retire_unlink(int fd, const struct dir_names *names)
{
	size_t i;

	/* unlinkat() refuses folders, so "more" is removed separately. */
	for (i = 0; i < names->n; i++)
		(void)unlinkat(fd, names->items[i], 0);
}

static void
retire_files(int fd)
{
	struct dir_names names = { 0 }, more = { 0 };
	int more_fd = -1;
	bool ours = retire_list(fd, false, &names);

	if (dir_open_at(fd, RETIRE_MORE, DIR_NOFOLLOW, &more_fd, NULL) == OK)
		ours = retire_list(more_fd, true, &more) && ours;
	if (ours && more_fd >= 0) {
		retire_unlink(more_fd, &more);
		(void)unlinkat(fd, RETIRE_MORE, AT_REMOVEDIR);
	}
	if (ours)
		retire_unlink(fd, &names);
	dir_names_clear(&names);
	dir_names_clear(&more);
	fd_close(&more_fd);
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

/* archive: see archive.h. */
#include "store/archive.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "control/json_text.h"
#include "store/journal.h"
#include "store/raw_text.h"
#include "store/store_files.h"

#define ARCHIVE_ARGS_MAX 1024u

char *
archive_input(const char *path)
{
	struct stat st;
	char *file;

	if (!dir_exists(path))
		return xstrdup(path);
	/* The folder stays when its files are removed. */
	file = xasprintf("%s/sequence/000001", path);
	if (stat(file, &st) == 0) {
		*strrchr(file, '/') = '\0';
		return file;
	}
	free(file);
	file = xasprintf("%s/minimized", path);
	if (stat(file, &st) == 0 && S_ISREG(st.st_mode))
		return file;
	free(file);
	file = xasprintf("%s/input", path);
	if (stat(file, &st) == 0)
		return file;
	free(file);
	return xstrdup(path);
}

void
archive_read_start(const char *output, struct archive_start *start)
{
	struct journal_summary journal;
	const json_t *run = NULL;
	char *path = xasprintf("%s/" STORE_JOURNAL, output);
	int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	bool read = fd >= 0 && journal_read(fd, &journal, NULL) == OK;

	if (read)
		run = journal.latest != NULL ? journal.latest : journal.first;
	snprintf(start->build, sizeof(start->build), "%s",
		json_text_of(run, "build_id"));
	start->target = raw_text_get(run, "target");
	if (start->target != NULL && start->target[0] == '\0') {
		free(start->target);
		start->target = NULL;
	}
	start->first_target =
		raw_text_get(read ? journal.first : NULL, "target");
	start->folder = raw_text_get(run, "cwd");
	start->output = xstrdup(json_text_of(run, "output"));
	start->args = raw_text_get_list(run, "args", ARCHIVE_ARGS_MAX);
	start->isolated = json_is_true(json_object_get(run, "isolated"));
	start->readable = raw_text_get_list(run, "readable", ARCHIVE_ARGS_MAX);
	start->seeds = raw_text_get_list(run, "seeds", ARCHIVE_ARGS_MAX);
	start->runs = read ? journal.runs : 0;
	start->types = read ? journal.types : (struct tuple_types){ .n = 0 };
	if (read)
		journal_summary_clear(&journal);
	fd_close(&fd);
	free(path);
}

void
archive_start_clear(struct archive_start *start)
{
	xfree_list(start->args);
	xfree_list(start->readable);
	xfree_list(start->seeds);
	free(start->target);
	free(start->first_target);
	free(start->folder);
	free(start->output);
	*start = (struct archive_start){ 0 };
}

/* False also on a file system without locks, as for store_lock(). */
static bool
archive_is_busy(int fd)
{
	return flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

enum status
archive_lock(const char *output, int *fd, struct error *err)
{
	char *path = xasprintf("%s/" STORE_LOCK, output), shown[ERROR_TEXT_MAX];
	struct error why = { 0 };
	enum status status =
		file_open_own_at(AT_FDCWD, path, O_RDWR | O_CREAT, fd, &why);

	free(path);
	if (status != OK) {
		text_clean_string(why.text, shown, sizeof(shown));
		return error_set(err, E_IO, "%s", shown);
	}
	if (!archive_is_busy(*fd)) {
		store_sign(*fd);
		return OK;
	}
	fd_close(fd);
	text_clean_string(output, shown, sizeof(shown));
	return error_set(err, E_BUSY,
		"%s is in use by another cfuzz: stop that one first", shown);
}

void
archive_unlock(int *fd)
{
	if (*fd >= 0)
		store_unsign(*fd);
	fd_close(fd);
}

bool
archive_is_locked(const char *output)
{
	char *path = xasprintf("%s/" STORE_LOCK, output);
	bool locked = store_is_locked_at(AT_FDCWD, path);

	free(path);
	return locked;
}

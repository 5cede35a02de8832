/* campaign_index: see campaign_index.h. */
#include "control/campaign_index.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/fd.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "control/endpoint.h"

#define INDEX_NAME_LEN 16

static char *
index_path(void)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");

	return runtime != NULL && runtime[0] == '/'
		? xasprintf("%s/cfuzz", runtime)
		: xasprintf("/tmp/cfuzz-%u", (unsigned)geteuid());
}

/* Anybody may make a folder in /tmp, so this one must be the user's alone. */
static enum status
index_check(int dir, const char *path, struct error *err)
{
	struct stat st;

	if (fstat(dir, &st) == 0 && st.st_uid == geteuid() &&
		(st.st_mode & 077) == 0)
		return OK;
	return error_set(err, E_USAGE,
		"%s is not yours alone: it is not used as the list of your "
		"campaigns",
		path);
}

static enum status
index_open(int *dir, struct error *err)
{
	char *path = index_path();
	enum status status;

	*dir = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (*dir >= 0)
		status = index_check(*dir, path, err);
	else
		status = error_set(err, errno == ENOENT ? E_NOT_FOUND : E_IO,
			"%s cannot be opened: %s", path, strerror(errno));
	if (status != OK)
		fd_close(dir);
	free(path);
	return status;
}

static enum status
index_create(int *dir, struct error *err)
{
	char *path = index_path();
	/* The folder of the user's session is not ours to make. */
	enum status status = dir_create_at(AT_FDCWD, path, 0, err);

	free(path);
	return status == OK ? index_open(dir, err) : status;
}

/* The directory that the link leads to; NULL: it is gone, or no link. */
static char *
index_link(int dir, const char *name, struct stat *link)
{
	char path[PATH_MAX];
	ssize_t len;

	if (fstatat(dir, name, link, AT_SYMLINK_NOFOLLOW) != 0 ||
		!S_ISLNK(link->st_mode))
		return NULL;
	len = readlinkat(dir, name, path, sizeof(path) - 1);
	if (len <= 0 || path[0] != '/')
		return NULL;
	path[len] = '\0';
	return dir_exists(path) ? xstrdup(path) : NULL;
}

static int
campaign_compare(const void *a, const void *b)
{
	const struct campaign *x = a, *y = b;

	if (x->since != y->since)
		return x->since > y->since ? -1 : 1;
	return strcmp(x->output, y->output);
}

static enum status
index_fill(int dir, struct campaign_index *index, struct error *err)
{
	struct dir_names names;
	char *output;

	if (dir_list(dir, &names, err) != OK)
		return err->code;
	index->items = xcalloc(names.n + 1, sizeof(*index->items));
	for (size_t i = 0; i < names.n; i++) {
		struct stat link = { 0 };

		output = index_link(dir, names.items[i], &link);
		if (output == NULL) {
			/* Other files are not ours: the folder may be an output
			 * directory that the user has given this name. */
			if (S_ISLNK(link.st_mode))
				(void)unlinkat(dir, names.items[i], 0);
			continue;
		}
		index->items[index->n++] = (struct campaign){
			.output = output,
			.since = link.st_mtime,
		};
	}
	dir_names_clear(&names);
	qsort(index->items, index->n, sizeof(*index->items), campaign_compare);
	return OK;
}

enum status
campaign_index_read(struct campaign_index *index, struct error *err)
{
	struct error own = { 0 };
	enum status status;
	int dir;

	*index = (struct campaign_index){ 0 };
	status = index_open(&dir, &own);
	if (status == E_NOT_FOUND)
		return OK;
	if (status == OK)
		status = index_fill(dir, index, &own);
	fd_close(&dir);
	return status == OK ? OK : error_set(err, status, "%s", own.text);
}

void
campaign_index_clear(struct campaign_index *index)
{
	for (size_t i = 0; i < index->n; i++)
		free(index->items[i].output);
	free(index->items);
	*index = (struct campaign_index){ 0 };
}

enum status
campaign_index_add(const char *output, struct error *err)
{
	char *absolute = realpath(output, NULL);
	char name[SHA256_HEX_SIZE];
	enum status status;
	int dir;

	if (absolute == NULL)
		return error_set(err, E_IO, "%s: %s", output, strerror(errno));
	sha256_name(absolute, strlen(absolute), name);
	name[INDEX_NAME_LEN] = '\0';
	status = index_create(&dir, err);
	if (status == OK) {
		(void)unlinkat(dir, name, 0); /* its time is the new start's */
		if (symlinkat(absolute, dir, name) != 0)
			status = error_set(err, E_IO, "%s cannot be listed: %s",
				absolute, strerror(errno));
		fd_close(&dir);
	}
	free(absolute);
	return status;
}

void
campaign_index_sweep(void)
{
	struct campaign_index index;
	struct error err = { 0 };

	if (campaign_index_read(&index, &err) == OK)
		campaign_index_clear(&index);
}

/* Adds " 'OUT'" as far as there is room. */
static void
index_name_campaign(char *text, size_t size, const char *output)
{
	size_t len = strlen(text);
	char quoted[ERROR_TEXT_MAX / 4];

	(void)text_quote_shown(output, quoted, sizeof(quoted));
	snprintf(text + len, size - len, "\n    cfuzz attach %s", quoted);
}

static enum status
index_connect(const struct campaign_index *index, char **output, int *fd,
	struct error *err)
{
	char names[ERROR_TEXT_MAX / 2] = "";
	size_t runs = 0;

	for (size_t i = 0; i < index->n; i++) {
		const char *path = index->items[i].output;
		int other;

		if (endpoint_connect(path, &other, &(struct error){ 0 }) != OK)
			continue;
		index_name_campaign(names, sizeof(names), path);
		if (++runs == 1) {
			*output = xstrdup(path);
			*fd = other;
		} else {
			fd_close(&other);
		}
	}
	if (runs == 1)
		return OK;
	free(*output);
	*output = NULL;
	fd_close(fd);
	return runs == 0
		? error_set(err, E_NOT_FOUND,
			  "no campaign of yours runs: cfuzz run --detach "
			  "./target starts one")
		: error_set(err, E_USAGE, "%zu campaigns run: name one:%s",
			  runs, names);
}

enum status
campaign_index_connect(char **output, int *fd, struct error *err)
{
	struct campaign_index index;
	enum status status;

	*output = NULL;
	*fd = -1;
	status = campaign_index_read(&index, err);
	if (status == OK)
		status = index_connect(&index, output, fd, err);
	campaign_index_clear(&index);
	return status;
}

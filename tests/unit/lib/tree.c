/*
 * tree: see tree.h.
 */
#include "lib/tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#define TREE_PATHS 8

int
tree_open(void **state)
{
	struct tree *tree = calloc(1, sizeof(*tree));

	if (!tree)
		return -1;
	strcpy(tree->path, "/tmp/cfuzz-test-XXXXXX");
	if (!mkdtemp(tree->path))
		return -1;
	tree->fd = open(tree->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	tree->base = event_base_new();
	*state = tree;
	return tree->fd < 0 || !tree->base ? -1 : 0;
}

static int
tree_remove(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path);
}

int
tree_close(void **state)
{
	struct tree *tree = *state;

	if (tree->mounted)
		umount2(tree_path(tree, "disk"), MNT_DETACH);
	event_base_free(tree->base);
	close(tree->fd);
	/* A writer's thread that was left alone may have made a file meanwhile. */
	for (int i = 0; i < 3 && access(tree->path, F_OK) == 0; i++)
		nftw(tree->path, tree_remove, 8, FTW_DEPTH | FTW_PHYS);
	free(tree);
	return 0;
}

int
tree_enter(void **state)
{
	return tree_open(state) == 0 ? chdir(((struct tree *)*state)->path)
				     : -1;
}

int
tree_leave(void **state)
{
	return chdir("/") != 0 || tree_close(state) != 0 ? -1 : 0;
}

const char *
tree_path(const struct tree *tree, const char *name)
{
	static char paths[TREE_PATHS][4096];
	static unsigned turn;
	char *path = paths[turn++ % TREE_PATHS];

	snprintf(path, sizeof(paths[0]), "%s/%s", tree->path, name);
	return path;
}

void
tree_write(const struct tree *tree, const char *name, const void *data,
	size_t len)
{
	int fd = openat(tree->fd, name,
		O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, len), (ssize_t)len);
	assert_int_equal(close(fd), 0);
}

void
tree_text(const struct tree *tree, const char *name, const char *text)
{
	tree_write(tree, name, text, strlen(text));
}

void
tree_folder(const struct tree *tree, const char *name)
{
	assert_int_equal(mkdirat(tree->fd, name, 0700), 0);
}

char *
tree_read(const struct tree *tree, const char *name, size_t *len)
{
	int fd = openat(tree->fd, name, O_RDONLY | O_CLOEXEC);
	struct stat st;
	char *data;

	if (fd < 0)
		return NULL;
	assert_int_equal(fstat(fd, &st), 0);
	data = calloc(1, (size_t)st.st_size + 1);
	assert_non_null(data);
	assert_int_equal(read(fd, data, (size_t)st.st_size), st.st_size);
	close(fd);
	if (len)
		*len = (size_t)st.st_size;
	return data;
}

bool
tree_has(const struct tree *tree, const char *name)
{
	return faccessat(tree->fd, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

bool
tree_holds(const struct tree *tree, const char *name, const char *text)
{
	char *data = tree_read(tree, name, NULL);
	bool same = data && strcmp(data, text) == 0;

	free(data);
	return same;
}

unsigned
tree_count(const struct tree *tree, const char *folder)
{
	DIR *dir = opendir(tree_path(tree, folder));
	struct dirent *entry;
	unsigned n = 0;

	if (!dir)
		return 0;
	while ((entry = readdir(dir)) != NULL)
		n += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
	closedir(dir);
	return n;
}

static bool
tree_mount_flags(const struct tree *tree, const char *name, size_t len,
	unsigned long flags)
{
	char options[64];

	snprintf(options, sizeof(options), "size=%zu,mode=700", len);
	return mount("none", tree_path(tree, name), "tmpfs", flags, options) ==
		0;
}

/* The name is "disk", so that tree_close() knows what to take away. */
void
tree_places(const struct tree *tree, const char *text)
{
	tree_text(tree, "text", text);
	tree_folder(tree, "finding");
	tree_text(tree, "finding/input", text);
	tree_folder(tree, "out");
	tree_text(tree, "out/journal.jsonl", "");
	tree_folder(tree, "out/crashes");
	tree_folder(tree, "out/crashes/x");
	tree_text(tree, "out/crashes/x/input", text);
}

void
tree_shell(const struct tree *tree, const char *command)
{
	char text[1024];

	snprintf(text, sizeof(text), "cd '%s' && { %s; } >/dev/null 2>&1",
		tree->path, command);
	if (system(text) != 0) {
		print_message("this does not run here: %s\n", command);
		skip();
	}
}

bool
tree_mount(struct tree *tree, const char *name, size_t len)
{
	assert_string_equal(name, "disk");
	tree_folder(tree, name);
	tree->mounted = tree_mount_flags(tree, name, len, 0);
	return tree->mounted;
}

bool
tree_grow(struct tree *tree, const char *name, size_t len)
{
	return tree_mount_flags(tree, name, len, MS_REMOUNT);
}

void
tree_wait(const struct tree *tree, const unsigned *counter, unsigned n)
{
	struct timeval tick = { .tv_usec = 1000 };
	unsigned turn;

	for (turn = 0; *counter < n && turn < TREE_DISK_MS; turn++) {
		event_base_loopexit(tree->base, &tick);
		event_base_dispatch(tree->base);
	}
	assert_int_equal(*counter, n);
}

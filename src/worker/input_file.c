/* input_file: see input_file.h. */
#include "worker/input_file.h"

#include <dirent.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "base/fd.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "shared/wire/memory.h"

/* An isolated target has this folder for itself. */
#define INPUT_FILE_INSIDE "/dev/shm/input"

char *
input_file_name(const struct settings *settings, const char *folder)
{
	const char *name = settings->input_file;

	/* An isolated target has a folder of its own. */
	return folder == NULL || name[0] == '\0' || name[0] == '/' ||
			settings->isolate
		? xstrdup(name)
		: xasprintf("%s/%s", folder, name);
}

static enum status
input_file_check_name(const char *name, struct error *err)
{
	char shown[256];
	struct stat st;

	if (lstat(name, &st) != 0 || S_ISREG(st.st_mode))
		return OK;
	text_clean_string(name, shown, sizeof(shown));
	return error_set(err, E_USAGE,
		"--input-file: %s is %s, and cfuzz would replace and remove "
		"it: name a file, or move it away",
		shown, file_kind(st.st_mode));
}

enum status
input_file_check(struct settings *settings, const char *folder,
	struct error *err)
{
	enum status status;
	char *name;

	if (settings->input_file[0] == '\0')
		return OK;
	if (settings->parallel > 1 &&
		settings->origin[OPT_PARALLEL] != ORIGIN_DEFAULT)
		return error_set(err, E_USAGE,
			"--input-file names one file, so there can be only one "
			"worker: leave --parallel out, or write @@ in an "
			"argument of the target for a file of each worker");
	settings->parallel = 1;
	if (settings->isolate)
		return OK;
	name = input_file_name(settings, folder);
	status = input_file_check_name(name, err);
	free(name);
	return status;
}

static bool
input_file_is_named(const struct input_file_spec *spec)
{
	return spec->name != NULL && spec->name[0] != '\0';
}

/*
 * The address of a socket that stands for the file, whatever its spelling: the
 * file itself comes and goes. The kernel takes the address back when its owner
 * dies. False: there is no folder for the file.
 */
static bool
input_file_address(const char *name, struct sockaddr_un *address,
	socklen_t *len)
{
	const char *slash = strrchr(name, '/');
	const char *base = slash != NULL ? slash + 1 : name;
	char *folder = xasprintf("%.*s.", (int)(base - name), name);
	char hash[SHA256_HEX_SIZE];
	struct stat st;
	bool found = stat(folder, &st) == 0;

	free(folder);
	if (!found)
		return false;
	sha256_name(base, strlen(base), hash);
	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	/* Behind a zero it is a name in no folder. */
	*len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
		snprintf(address->sun_path + 1, sizeof(address->sun_path) - 1,
			"cfuzz-input-%jx-%jx-%.16s", (uintmax_t)st.st_dev,
			(uintmax_t)st.st_ino, hash));
	return true;
}

static enum status
input_file_refuse(const char *name, int errnum, struct error *err)
{
	char shown[256];

	text_clean_string(name, shown, sizeof(shown));
	if (errnum != EADDRINUSE)
		return error_set(err, E_IO,
			"--input-file: whether another cfuzz uses %s cannot be "
			"found out: %s",
			shown, strerror(errnum));
	return error_set(err, E_BUSY,
		"--input-file: %s is the file of another cfuzz that runs: name "
		"another file, start this one in another folder, or wait for "
		"the end of that one",
		shown);
}

/* The file is ours: was it the user's until now? */
static enum status
input_file_spare(struct input_file_spec *spec, struct error *err)
{
	char shown[256];
	struct stat st;

	if (!spec->keep || lstat(spec->name, &st) != 0)
		return OK;
	fd_close(&spec->lock_fd);
	text_clean_string(spec->name, shown, sizeof(shown));
	return error_set(err, E_EXISTS,
		"--input-file: %s exists, and cfuzz would replace and remove "
		"it: move it away, or allow that with --input-file",
		shown);
}

enum status
input_file_take(struct input_file_spec *spec, struct error *err)
{
	struct sockaddr_un address;
	socklen_t len;
	int errnum;

	spec->left = false;
	if (!input_file_is_named(spec) || spec->isolated ||
		spec->lock_fd >= 0 ||
		!input_file_address(spec->name, &address, &len))
		return OK;
	spec->lock_fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (spec->lock_fd >= 0 &&
		bind(spec->lock_fd, (struct sockaddr *)&address, len) == 0)
		return input_file_spare(spec, err);
	errnum = errno;
	fd_close(&spec->lock_fd);
	return input_file_refuse(spec->name, errnum, err);
}

void
input_file_leave(struct input_file_spec *spec)
{
	spec->left = true;
	fd_close(&spec->lock_fd);
}

bool
input_file_is_marked(char *const *argv)
{
	size_t i;

	for (i = 1; argv[0] != NULL && argv[i] != NULL; i++)
		if (strstr(argv[i], INPUT_FILE_MARK) != NULL)
			return true;
	return false;
}

static char *
input_file_replace(const char *text, const char *path)
{
	const char *mark = strstr(text, INPUT_FILE_MARK);
	char *rest, *all;

	if (mark == NULL)
		return xstrdup(text);
	rest = input_file_replace(mark + strlen(INPUT_FILE_MARK), path);
	all = xasprintf("%.*s%s%s", (int)(mark - text), text, path, rest);
	free(rest);
	return all;
}

char **
input_file_argv(char *const *argv, const char *path)
{
	size_t n = 0, i;
	char **copy;

	while (argv[n] != NULL)
		n++;
	copy = xcalloc(n + 1, sizeof(*copy));
	for (i = 0; i < n; i++)
		copy[i] = i == 0 ? xstrdup(argv[i])
				 : input_file_replace(argv[i], path);
	return copy;
}

/* With the variable that names the file to the runtime. */
char **
input_file_envp(const struct input_file *file)
{
	size_t n = 0, i;
	char **copy;

	while (file->envp[n] != NULL)
		n++;
	copy = xcalloc(n + 2, sizeof(*copy));
	for (i = 0; i < n; i++)
		copy[i] = xstrdup(file->envp[i]);
	if (file->path != NULL)
		copy[n] = xasprintf("%s=%s", WORKER_INPUT, file->path);
	return copy;
}

void
input_file_init(struct input_file *file, const struct input_file_spec *spec,
	char **argv, char **envp, uint32_t slot)
{
	bool named = spec != NULL && input_file_is_named(spec);

	*file = (struct input_file){ .argv = argv, .envp = envp };
	if (spec == NULL || argv == NULL ||
		(!named && !input_file_is_marked(argv)))
		return;
	file->spec = spec;
	file->path = named ? xstrdup(spec->name)
		: spec->isolated
		? xstrdup(INPUT_FILE_INSIDE)
		: xasprintf("%s/" INPUT_FILE_PREFIX "%u", spec->folder, slot);
	file->argv = input_file_argv(argv, file->path);
}

void
input_file_clear(struct input_file *file)
{
	const struct input_file_spec *spec = file->spec;

	if (file->path == NULL)
		return;
	if (!spec->isolated && !spec->left &&
		(!input_file_is_named(spec) || spec->lock_fd >= 0))
		(void)remove(file->path);
	xfree_list(file->argv);
	free(file->path);
	*file = (struct input_file){ 0 };
}

enum status
input_file_make_folder(char *const *args, char *folder, size_t size,
	struct error *err)
{
	const char *base = getenv("TMPDIR");
	bool marked = false;
	size_t i;

	for (i = 0; args != NULL && args[i] != NULL; i++)
		marked |= strstr(args[i], INPUT_FILE_MARK) != NULL;
	folder[0] = '\0';
	if (!marked)
		return OK;
	snprintf(folder, size, "%s/cfuzz-XXXXXX",
		base != NULL && base[0] == '/' ? base : "/tmp");
	if (mkdtemp(folder) != NULL)
		return OK;
	(void)error_set(err, E_IO, "no folder %s for the program's input: %s",
		folder, strerror(errno));
	folder[0] = '\0';
	return err->code;
}

void
input_file_remove_old(const char *folder)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	char *path;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (strncmp(entry->d_name, INPUT_FILE_PREFIX,
			    strlen(INPUT_FILE_PREFIX)) != 0)
			continue;
		path = xasprintf("%s/%s", folder, entry->d_name);
		(void)remove(path);
		free(path);
	}
	if (dir != NULL)
		closedir(dir);
}

/* isolation: see isolation.h. */
#include "worker/target/isolation.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xmalloc.h"

/* An isolated target has its own /tmp, /proc and /dev: a readable folder would
 * hide them or expose those of the system. */
static enum status
isolation_check(const char *path, struct error *err)
{
	static const char *const own[] = { "/tmp", "/proc", "/dev" };
	size_t i, len;

	if (strcmp(path, "/") == 0)
		return error_set(err, E_USAGE,
			"--readable: / would show everything: name a folder in it");
	for (i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		len = strlen(own[i]);
		if (strcmp(path, own[i]) == 0 ||
			(i > 0 && strncmp(path, own[i], len) == 0 &&
				path[len] == '/'))
			return error_set(err, E_USAGE,
				"--readable: an isolated target has a %s of "
				"its own: name another folder",
				own[i]);
	}
	return OK;
}

static enum status
isolation_read_paths(struct isolation *isolation, const struct texts *paths,
	struct error *err)
{
	char *real;
	size_t i;

	isolation->readable = xcalloc(paths->n + 1, sizeof(char *));
	isolation->spec.readable = isolation->readable;
	for (i = 0; i < paths->n; i++) {
		real = realpath(paths->items[i], NULL);
		if (real == NULL)
			return error_set(err, E_USAGE, "--readable %s: %s",
				paths->items[i], strerror(errno));
		isolation->readable[isolation->spec.readable_n++] = real;
		if (isolation_check(real, err) != OK)
			return err->code;
	}
	return OK;
}

/* Not in the helper: each worker would ask, and a list of users may be slow. */
static void
isolation_find_home(struct isolation *isolation)
{
	const struct passwd *user = getpwuid(geteuid());

	isolation->home = user != NULL ? xstrdup(user->pw_dir) : NULL;
	isolation->spec.home = isolation->home;
}

enum status
isolation_open(struct isolation *isolation, const struct settings *settings,
	int target_fd, struct error *err)
{
	*isolation = (struct isolation){ .on = settings->isolate };
	if (!settings->isolate && settings->readable.n > 0)
		return error_set(err, E_USAGE, "--readable needs --isolate");
	if (!settings->isolate)
		return OK;
	isolation_find_home(isolation);
	if (isolation_read_paths(isolation, &settings->readable, err) != OK)
		return err->code;
	return isolate_try(&isolation->spec, target_fd, err);
}

/* take_path is absolute, without symbolic links. */
static char **
isolation_add_path(char **paths, size_t *n, char *take_path)
{
	for (size_t i = 0; i < *n; i++) {
		if (strcmp(paths[i], take_path) == 0) {
			free(take_path);
			return paths;
		}
	}
	paths = xreallocarray(paths, *n + 1, sizeof(*paths));
	paths[(*n)++] = take_path;
	return paths;
}

static void
isolation_add(struct isolation *isolation, char *take_path)
{
	isolation->readable = isolation_add_path(isolation->readable,
		&isolation->spec.readable_n, take_path);
	isolation->spec.readable = isolation->readable;
}

static enum status
isolation_real(const char *path, char **real, struct error *err)
{
	*real = realpath(path, NULL);
	return *real != NULL ? OK
			     : error_set(err, E_TARGET, "%s cannot be read: %s",
				       path, strerror(errno));
}

enum status
isolation_show(struct isolation *isolation, const char *path, struct error *err)
{
	char *real;

	if (!isolation->on)
		return OK;
	if (isolation_real(path, &real, err) != OK)
		return err->code;
	isolation_add(isolation, real);
	return OK;
}

enum status
isolation_show_beside(struct isolation *isolation, const char *path,
	struct error *err)
{
	char *folder, *slash;
	bool refused;

	if (!isolation->on)
		return OK;
	if (isolation_real(path, &folder, err) != OK)
		return err->code;
	refused = isolate_folder_too_wide(folder, isolation->spec.home);
	slash = strrchr(folder, '/');
	slash[slash == folder] = '\0';
	if (!refused) {
		isolation_add(isolation, folder);
		return OK;
	}
	(void)error_set(err, E_USAGE,
		"an isolated program of AFL++ sees its folder, which cannot be "
		"%s: move the program to another folder%s",
		folder, isolation->spec.home == NULL ? ", and set HOME" : "");
	free(folder);
	return err->code;
}

void
isolation_hide(struct isolation *isolation, const char *path)
{
	char *real = isolation->on ? realpath(path, NULL) : NULL;

	if (real == NULL)
		return;
	isolation->hidden = isolation_add_path(isolation->hidden,
		&isolation->spec.hidden_n, real);
	isolation->spec.hidden = isolation->hidden;
}

void
isolation_close(struct isolation *isolation)
{
	size_t i;

	for (i = 0; i < isolation->spec.readable_n; i++)
		free(isolation->readable[i]);
	for (i = 0; i < isolation->spec.hidden_n; i++)
		free(isolation->hidden[i]);
	free(isolation->readable);
	free(isolation->hidden);
	free(isolation->home);
	*isolation = (struct isolation){ .on = false };
}

const char *
isolation_hint(const struct isolation *isolation)
{
	return isolation->on
		? "; with --isolate it sees only its own folder and "
		  "those of the system: --readable adds others"
		: "";
}

const struct isolate_spec *
isolation_spec(const struct isolation *isolation)
{
	return isolation->on ? &isolation->spec : NULL;
}

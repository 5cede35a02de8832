/*
 * debug: runs a file in a debugger. A target that is started by hand runs the
 * files it is given, so gdb needs nothing else from cfuzz. But sanitizers must
 * stop where they report, and gdb must stop in cfuzz_fail().
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "base/file.h"
#include "base/xmalloc.h"
#include "tools/archive_config.h"
#include "worker/elf.h"
#include "worker/environment.h"

extern char **environ;

#define DEBUG_NAME \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:~"

#define DEBUG_FUNCTION 128
#define DEBUG_INFO_MAX (1u << 20) /* bytes of crash.json */

/*
 * The failure stops in the C library or in a sanitizer; the target's own
 * function is an outer frame. crash.json beside the input names it. Anybody may
 * have written that file, so only characters of names are passed to gdb.
 */
static void
debug_own_function(const char *file, char buf[DEBUG_FUNCTION])
{
	const char *slash = strrchr(file, '/'), *where;
	char *path = xasprintf("%.*s/crash.json",
		slash != NULL ? (int)(slash - file) : 0, file);
	json_t *json = NULL;
	uint8_t *data;
	size_t len;

	buf[0] = '\0';
	if (file_read(path, DEBUG_INFO_MAX, &data, &len, NULL) == OK) {
		json = json_loadb((const char *)data, len, 0, NULL);
		free(data);
	}
	where = json_string_value(json_object_get(json, "where"));
	len = where != NULL ? strcspn(where, " +") : 0;
	if (len > 0 && len < DEBUG_FUNCTION &&
		strspn(where, DEBUG_NAME) >= len && !isdigit((uint8_t)*where))
		snprintf(buf, DEBUG_FUNCTION, "%.*s", (int)len, where);
	json_decref(json);
	free(path);
}

/* gdb OPTION... --args TARGET ARGUMENT... FILE */
static char **
debug_argv(char *target, char **args, char *file, char *own)
{
	/* Quitting needs no confirmation: the run can be repeated. The last of
	 * the frame commands whose function is on the stack decides the
	 * selected frame. */
	const char *const words[] = { "gdb", "-q", "-ex", "set confirm off",
		"-ex", "set breakpoint pending on", "-ex", "break cfuzz_fail",
		"-ex", "run", "-ex", "frame function LLVMFuzzerTestOneInput",
		"-ex", own, "--args" };
	size_t n = 0, i, args_n = 0;
	char **argv;

	while (args != NULL && args[args_n] != NULL)
		args_n++;
	argv = xcalloc(sizeof(words) / sizeof(words[0]) + args_n + 3,
		sizeof(*argv));
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		argv[n++] = (char *)words[i];
	argv[n++] = target;
	for (i = 0; i < args_n; i++)
		argv[n++] = args[i];
	argv[n++] = file;
	return argv;
}

static void
debug_exec(const struct archive_config *archive, struct target_info *target,
	char *file, struct error *err)
{
	const struct environment_spec spec = {
		.rss_limit_mb = archive->settings.rss_limit_mb,
		/* LeakSanitizer uses ptrace, as gdb does. */
		.no_leaks = true,
	};
	char function[DEBUG_FUNCTION], own[DEBUG_FUNCTION + 24];
	char **argv;
	char **envp = environment_create_debug(environ, &spec);

	debug_own_function(file, function);
	snprintf(own, sizeof(own), "frame%s%s",
		function[0] != '\0' ? " function " : "", function);
	argv = debug_argv(target->path, archive->config.args, file, own);
	execvpe(argv[0], argv, envp);
	if (errno == ENOENT)
		error_set(err, E_NOT_FOUND,
			"gdb is not installed: install it, or start another "
			"debugger on the target with the file as its argument");
	else
		error_set(err, E_IO, "gdb cannot be started: %s",
			strerror(errno));
	environment_destroy(envp);
	free(argv);
}

/* An absolute path cannot look like an option of the target. */
static char *
debug_file(const char *path, struct error *err)
{
	char *input = archive_input(path), *real = realpath(input, NULL);
	struct stat st;

	if (real == NULL)
		error_set(err, E_USAGE, "cannot read %s: %s", input,
			strerror(errno));
	else if (stat(real, &st) != 0 || access(real, R_OK) != 0 ||
		(!S_ISREG(st.st_mode) && strcmp(input, path) == 0))
		error_set(err, E_USAGE, "cannot read %s: not a regular file",
			input);
	free(input);
	return real;
}

enum exit_status
engine_debug(const struct engine_config *config, const char *path,
	struct error *err)
{
	struct target_info target = { .fd = -1 };
	struct archive_config archive;
	char *output = archive_of(path), *file = debug_file(path, err);

	archive_config_init(&archive, config, output);
	if (archive.settings.isolate)
		error_set(err, E_USAGE,
			"gdb runs the target without isolation: allow that "
			"with --no-isolate");
	if (err->code == OK && target_check(config->target, &target, err) == OK)
		debug_exec(&archive, &target, file, err);
	target_info_clear(&target);
	archive_config_clear(&archive);
	free(output);
	free(file);
	return EXIT_SETUP;
}

/*
 * debug: runs a file in a debugger. A target that is started by hand runs the
 * files it is given, so gdb needs nothing else from cfuzz. But sanitizers must
 * stop where they report, and gdb must stop in cfuzz_fail(), or where the target
 * exits.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "base/dir.h"
#include "base/file.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "control/json_text.h"
#include "findings/own_code.h"
#include "shared/campaign_folder.h"
#include "shared/wire/failure.h"
#include "tools/archive_config.h"
#include "worker/input_file.h"
#include "worker/target/elf.h"
#include "worker/target/environment.h"

extern char **environ;

#define DEBUG_NAME \
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:~"

#define DEBUG_FUNCTION 128
#define DEBUG_KIND 32
#define DEBUG_N(a) (sizeof(a) / sizeof((a)[0]))
#define DEBUG_INFO_MAX (1u << 20) /* bytes of crash.json */

struct debug_finding {
	char kind[DEBUG_KIND];         /* "": it is none, or is not known */
	char function[DEBUG_FUNCTION]; /* the same */
	const char *signal; /* that ended the program; NULL: a crash signal, at
			       which gdb stops, or none */
};

static const char *
debug_find_signal(const char *what)
{
	int i;

	for (i = 1; i < NSIG; i++)
		if (!failure_is_crash_signal(i) &&
			strcmp(what, failure_signal_name(i)) == 0)
			return failure_signal_name(i);
	return NULL;
}

/*
 * The failure stops in the C library or in a sanitizer; the target's own
 * function is an outer frame. crash.json beside the input names it. Anybody may
 * have written that file, so only characters of names are passed to gdb.
 */
static void
debug_read_finding(const char *file, struct debug_finding *f)
{
	const char *slash = strrchr(file, '/'), *where;
	char *path = xasprintf("%.*s/crash.json",
		slash != NULL ? (int)(slash - file) : 0, file);
	json_t *json = NULL;
	uint8_t *data;
	size_t len;

	*f = (struct debug_finding){ .kind = "" };
	if (file_read(path, DEBUG_INFO_MAX, &data, &len, NULL) == OK) {
		json = json_loadb((const char *)data, len, 0, NULL);
		free(data);
	}
	snprintf(f->kind, sizeof(f->kind), "%s", json_text_of(json, "kind"));
	f->signal = debug_find_signal(json_text_of(json, "what"));
	where = json_text_of(json, "where");
	len = strcspn(where, " +");
	if (len > 0 && len < DEBUG_FUNCTION &&
		strspn(where, DEBUG_NAME) >= len && !isdigit((uint8_t)*where))
		snprintf(f->function, DEBUG_FUNCTION, "%.*s", (int)len, where);
	json_decref(json);
	free(path);
}

/* gdb stops at signals and breakpoints: not at what is seen from outside, or
 * after the run. */
static void
debug_warn(const struct debug_finding *f)
{
	static const struct {
		const char *name, *text; /* of the kind, or of the signal */
	} rows[] = {
		{ "hang", "press ^C to see where it hangs" },
		{ "oom",
			"press ^C to see where it allocates: gdb does not "
			"stop there" },
		{ "leak",
			"gdb does not stop at a leak: its report says where "
			"the memory was allocated" },
		{ "input-modified",
			"gdb does not stop where the input is modified: set "
			"a watchpoint on it" },
		{ "SIGKILL",
			"gdb does not stop at SIGKILL: set a breakpoint where "
			"the program may send it to itself" },
	};
	size_t i;

	for (i = 0; i < DEBUG_N(rows); i++)
		if (strcmp(f->kind, rows[i].name) == 0 ||
			(f->signal != NULL &&
				strcmp(f->signal, rows[i].name) == 0))
			fprintf(stderr, "cfuzz: %s\n", rows[i].text);
}

/* A program reads the file that its arguments or the user name, or stdin. */
struct debug_run {
	char *command;   /* of gdb: "run", "run ARGUMENT... < FILE" */
	char *prepare;   /* "echo", or copies the file */
	char **argv;     /* the program's */
	const char *top; /* its outermost function */
};

/* Words behind "run" replace all that gdb has from --args, and a shell reads
 * them: the arguments have to be among them, quoted. */
static char *
debug_run_on_stdin(char *const *args, const char *quoted_file)
{
	char *command = xstrdup("run"), *longer, *word;
	size_t size;

	for (; args != NULL && *args != NULL; args++) {
		size = 4 * strlen(*args) + sizeof("''") + 5;
		word = xmalloc(size);
		text_quote(*args, word, size);
		longer = xasprintf("%s %s", command, word);
		free(word);
		free(command);
		command = longer;
	}
	longer = xasprintf("%s < %s", command, quoted_file);
	free(command);
	return longer;
}

static void
debug_open_run(struct debug_run *run, const struct archive_config *archive,
	char *target, char *file)
{
	const char *name = archive->settings.input_file;
	char quoted[4 * PATH_MAX], to[4 * PATH_MAX];
	char **args = archive->config.args, **argv;
	size_t n = 0;

	while (args != NULL && args[n] != NULL)
		n++;
	argv = xcalloc(n + 3, sizeof(*argv));
	argv[0] = target;
	if (n > 0)
		memcpy(argv + 1, args, n * sizeof(*argv));
	text_quote(file, quoted, sizeof(quoted));
	run->prepare = xstrdup("echo");
	run->command = xstrdup("run");
	run->top = archive->has_main ? "frame function main"
				     : "frame function LLVMFuzzerTestOneInput";
	if (!archive->has_main) {
		argv[n + 1] = file;
	} else if (name[0] != '\0') {
		text_quote(name, to, sizeof(to));
		free(run->prepare);
		run->prepare = xasprintf("shell cp -- %s %s", quoted, to);
	} else if (!input_file_is_marked(argv)) {
		free(run->command);
		run->command = debug_run_on_stdin(args, quoted);
	}
	run->argv = input_file_argv(argv, file);
	free(argv);
}

static void
debug_close_run(struct debug_run *run)
{
	xfree_list(run->argv);
	free(run->prepare);
	free(run->command);
}

static void
debug_add(char **argv, size_t *n, const char *const *words, size_t words_n)
{
	size_t i;

	for (i = 0; i < words_n; i++)
		argv[(*n)++] = (char *)(uintptr_t)words[i];
}

/* gdb leaves some signals, such as SIGALRM, to the program. Owned; NULL: there is
 * nothing to tell gdb. */
static char *
debug_handle(const struct debug_finding *f)
{
	if (f->signal == NULL || strcmp(f->signal, "SIGKILL") == 0)
		return NULL;
	return xasprintf("handle %s stop print", f->signal);
}

/* gdb OPTION... --args TARGET ARGUMENT... */
static char **
debug_argv(const struct debug_run *run, const struct debug_finding *f,
	const char *handle, char *own)
{
	/* Also at the end of a run by hand. */
	static const char *const exits[] = { "-ex", "break exit", "-ex",
		"break _exit", "-ex", "break quick_exit" };
	/* Quitting needs no confirmation: the run can be repeated. The last of
	 * the frame commands whose function is on the stack decides the
	 * selected frame. */
	const char *const first[] = { "gdb", "-q", "-ex", "set confirm off",
		"-ex", "set breakpoint pending on", "-ex", "break cfuzz_fail" };
	const char *const handles[] = { "-ex", handle };
	const char *const words[] = { "-ex", run->prepare, "-ex", run->command,
		"-ex", run->top, "-ex", own, "--args" };
	size_t exits_n = strcmp(f->kind, "exit") == 0 ? DEBUG_N(exits) : 0;
	size_t n = 0, args_n = 0;
	char **argv;

	while (run->argv[args_n] != NULL)
		args_n++;
	argv = xcalloc(DEBUG_N(first) + DEBUG_N(exits) + DEBUG_N(handles) +
			DEBUG_N(words) + args_n + 1,
		sizeof(*argv));
	debug_add(argv, &n, first, DEBUG_N(first));
	debug_add(argv, &n, exits, exits_n);
	debug_add(argv, &n, handles, handle != NULL ? DEBUG_N(handles) : 0);
	debug_add(argv, &n, words, DEBUG_N(words));
	debug_add(argv, &n, (const char *const *)run->argv, args_n);
	return argv;
}

/* Only a failure returns. */
static void
debug_start(char **argv, char **envp, const char *folder, struct error *err)
{
	if (folder != NULL && chdir(folder) != 0) {
		error_set(err, E_IO, "%s: %s", folder, strerror(errno));
		return;
	}
	execvpe(argv[0], argv, envp);
	if (errno == ENOENT)
		error_set(err, E_NOT_FOUND,
			"gdb is not installed: install it, or start another "
			"debugger on the target with the file as its argument");
	else
		error_set(err, E_IO, "gdb cannot be started: %s",
			strerror(errno));
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
	char own[DEBUG_FUNCTION + 24];
	struct debug_finding finding;
	char **argv, *handle;
	char **envp = environment_create_debug(environ, &spec);
	struct debug_run run;

	debug_read_finding(file, &finding);
	snprintf(own, sizeof(own), "frame%s%s",
		finding.function[0] != '\0' ? " function " : "",
		finding.function);
	debug_open_run(&run, archive, target->path, file);
	handle = debug_handle(&finding);
	argv = debug_argv(&run, &finding, handle, own);
	debug_warn(&finding);
	debug_start(argv, envp, archive->config.folder, err);
	xfree_list(envp);
	debug_close_run(&run);
	free(handle);
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
	else if (dir_exists(real) && strcmp(input, path) == 0)
		error_set(err, E_USAGE,
			"%s is a folder without an input: name a file, or the "
			"folder of a finding",
			input);
	else if (stat(real, &st) != 0 || access(real, R_OK) != 0 ||
		(!S_ISREG(st.st_mode) && strcmp(input, path) == 0))
		error_set(err, E_USAGE, "cannot read %s: not a regular file",
			input);
	free(input);
	return real;
}

/* Outside of a campaign only the file tells. */
static bool
debug_runs_whole(const struct target_info *target)
{
	struct own_code code;

	own_code_read(target->fd, &code);
	return target->adapter_fd > 0 || target->preload[0] != '\0' ||
		(code.has_main && !code.has_function);
}

/* A function gets all files of a folder; a program reads one file, or stdin. */
static enum status
debug_check_file(const struct archive_config *archive, const char *file,
	struct error *err)
{
	if (archive->has_main && dir_exists(file))
		return error_set(err, E_USAGE,
			"%s is a sequence of inputs, and in gdb a program with "
			"a main() gets one: leave out --gdb to run all of them "
			"and see the stack, or name one file",
			file);
	return OK;
}

/* For gdb, as long as it runs. A process of its own holds the file and removes
 * it in the end: gdb gives its own descriptors to the program, and what that
 * leaves behind would keep them. */
static enum status
debug_take_input(const struct archive_config *archive, struct error *err)
{
	struct input_file_spec input = { .name = archive->settings.input_file,
		.keep = archive->config.keep_input,
		.lock_fd = -1 };
	pid_t gdb = getpid(), remover;
	sigset_t end;

	if (input_file_take(&input, err) != OK || input.lock_fd < 0)
		return err->code;
	remover = fork();
	if (remover < 0)
		return error_set(err, E_IO, "no process for the input file: %s",
			strerror(errno));
	/* Our own descriptor is closed as gdb is started. */
	if (remover > 0)
		return OK;
	/* The signals of the terminal are for gdb. */
	(void)setsid();
	sigemptyset(&end);
	sigaddset(&end, SIGTERM);
	(void)sigprocmask(SIG_BLOCK, &end, NULL);
	(void)prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
	while (getppid() == gdb)
		(void)sigwaitinfo(&end, NULL);
	(void)remove(input.name);
	_exit(0);
}

enum exit_status
engine_debug(const struct engine_config *config, const char *path,
	struct error *err)
{
	struct target_info target = { .fd = -1 };
	struct engine_config own = *config;
	struct archive_config archive;
	char *output = campaign_folder_of(path), *file = debug_file(path, err);

	/* Its journal names the program, whatever our working directory is. */
	if (campaign_folder_is(own.target))
		own.target = NULL;
	archive_config_init(&archive, &own, output);
	archive_config_take_finding(&archive, own.settings, path);
	if (archive.settings.isolate)
		error_set(err, E_USAGE,
			"gdb runs the target without isolation: allow that "
			"with --no-isolate");
	else if (err->code == OK && archive.config.target == NULL)
		error_set(err, E_USAGE,
			"no campaign says which program is to run: name it");
	if (err->code == OK &&
		input_file_check(&archive.settings, archive.config.folder,
			err) == OK &&
		target_check(archive.config.target, &target, err) == OK) {
		archive.has_main |= debug_runs_whole(&target);
		if (debug_check_file(&archive, file, err) == OK &&
			(!archive.has_main ||
				debug_take_input(&archive, err) == OK))
			debug_exec(&archive, &target, file, err);
	}
	target_info_clear(&target);
	archive_config_clear(&archive);
	free(output);
	free(file);
	return EXIT_SETUP;
}

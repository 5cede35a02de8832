/*
 * cmd_ci: `cfuzz ci` is one step of continuous integration: a campaign of a
 * given time on a folder of inputs, then reports, then the folder is made small.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/xmalloc.h"
#include "cli/cli.h"
#include "cli/tool.h"

static const char help[] =
	"usage: cfuzz ci [OPTION]... TARGET --corpus DIR [--time TIME] [-- ARGUMENT...]\n\n"
	"Fuzzes for a time that counts from the start, with the inputs of a folder,\n"
	"writes reports, and adds to the folder the new inputs that its coverage "
	"needs.\nThen it removes superfluous inputs that it has added earlier, and no "
	"other file.\nThe output directory keeps what is known from run to run.\n\n"
	"      --corpus DIR       Inputs to start from, and the place for new ones\n"
	"      --time TIME        60s, 10m; default 60s\n"
	"      --report DIR       Where to write the reports; default OUT/report\n"
	"  -o, --output OUT       Default: NAME.cfuzz\n\n"
	"All other options are those of cfuzz run. Where GITHUB_ACTIONS is set, the\n"
	"findings are annotated, and the job gets a summary.\n\n"
	"Exit status: 0 nothing new was found, 1 a finding is new or is back after it\n"
	"was fixed, 2 nothing ran, 3 something could not be kept, written or run.\n";

static const char *const flags[] = { "--corpus=", "--time=", "--report=",
	NULL };

/* Replays of what is known decide whether the step fails. */
#define CI_FINISH_MS 5000
#define CI_REPORT_MAX (256u << 20)

enum {
	CI_CORPUS,
	CI_TIME,
	CI_REPORT
};

static enum status
ci_set_time(struct settings *settings, const char *time, struct error *err)
{
	static const char option[] = "--fuzztime: ";
	struct error why = { 0 };
	const char *text = why.text;

	if (time != NULL && settings->origin[OPT_FUZZTIME] == ORIGIN_FLAG)
		return error_set(err, E_USAGE,
			"--time and --fuzztime are the same limit: give one");
	if (time == NULL && settings->origin[OPT_FUZZTIME] == ORIGIN_DEFAULT)
		time = "60s";
	if (time == NULL ||
		settings_set(settings, "fuzztime", time, ORIGIN_FLAG, &why) ==
			OK)
		return OK;
	if (strncmp(text, option, strlen(option)) == 0)
		text += strlen(option);
	return error_set(err, E_USAGE, "--time: %s", text);
}

/* How much of the path is there. */
static size_t
ci_path_there(const char *path)
{
	char *part = xstrdup(path), *slash;
	size_t len;

	while (access(part, F_OK) != 0 && (slash = strrchr(part, '/')) != NULL)
		*slash = '\0';
	len = access(part, F_OK) == 0 ? strlen(part) : 0;
	free(part);
	return len;
}

/* Makes the folder, then removes what it has made: it is needed after the
 * campaign, and whether the campaign starts is not known yet. */
static enum status
ci_try_folder(const char *path, struct error *err)
{
	size_t there = ci_path_there(path), len = strlen(path);
	char *part = xstrdup(path);

	*err = (struct error){ 0 };
	(void)!dir_create_at(AT_FDCWD, path, DIR_PARENTS | DIR_UNSYNCED, err);
	while (len > there) {
		(void)rmdir(part);
		while (len > there && part[--len] != '/')
			;
		part[len] = '\0';
	}
	free(part);
	return err->code;
}

/* True if the folder is there; an error if something else is, or if it cannot
 * be made or written. */
static bool
ci_find_folder(const char *option, const char *path, struct error *err)
{
	struct error why = { 0 };
	enum status status;
	bool found = false;
	int fd;

	status = dir_open_at(AT_FDCWD, path, 0, &fd, &why);
	if (status == OK) {
		found = true;
		fd_close(&fd);
		if (access(path, W_OK | X_OK) != 0)
			error_set(err, E_USAGE, "%s: %s: %s", option, path,
				strerror(errno));
	} else if (status != E_NOT_FOUND || ci_try_folder(path, &why) != OK) {
		error_set(err, E_USAGE, "%s: %s", option, why.text);
	}
	return found;
}

/* The path from the root without links and last slashes. What is not there yet
 * stays as it is written. */
static char *
ci_whole_path(const char *path)
{
	char *written = xasprintf("%s%s", path[0] == '/' ? "" : "./", path);
	char *there = xstrdup(written), *real, *slash, *whole;
	size_t len;

	while ((real = realpath(there, NULL)) == NULL &&
		(slash = strrchr(there, '/')) != NULL)
		*slash = '\0';
	whole = xasprintf("%s%s", real != NULL ? real : "",
		written + strlen(there));
	for (len = strlen(whole); len > 0 && whole[len - 1] == '/'; len--)
		whole[len - 1] = '\0';
	free(real);
	free(there);
	free(written);
	return whole;
}

/* The rest of the path behind the folder, with the slash: "" if it is the
 * folder, NULL if it is not below it either. A new string. */
static char *
ci_path_below(const char *folder, const char *path)
{
	char *above = ci_whole_path(folder), *whole = ci_whole_path(path);
	size_t len = strlen(above);
	bool below = strncmp(whole, above, len) == 0 &&
		(whole[len] == '/' || whole[len] == '\0');
	char *rest = below ? xstrdup(whole + len) : NULL;

	free(whole);
	free(above);
	return rest;
}

/* All files of the folder of inputs are inputs of the next run. */
static enum status
ci_check_folders(struct tool *tool, const char *output, bool *found,
	struct error *err)
{
	const char *corpus = tool->values[CI_CORPUS];
	const char *report = tool->values[CI_REPORT];
	char *in_output, *in_report;

	*found = ci_find_folder("--corpus", corpus, err);
	if (err->code == OK && report != NULL)
		(void)ci_find_folder("--report", report, err);
	if (err->code != OK)
		return err->code;
	in_output = ci_path_below(output, corpus);
	in_report = report != NULL ? ci_path_below(report, corpus) : NULL;
	if (in_output != NULL)
		error_set(err, E_USAGE,
			"--corpus: this is %sthe output directory: name "
			"another folder for inputs",
			in_output[0] != '\0' ? "in " : "");
	else if (in_report != NULL && in_report[0] == '\0')
		error_set(err, E_USAGE,
			"--report: this is the folder of inputs, and a report "
			"is none: name another folder");
	free(in_output);
	free(in_report);
	return err->code;
}

/* Nobody else would remove what an update has left that was killed: as inputs,
 * these files would stay for ever. */
static void
ci_remove_left_overs(const char *folder)
{
	struct dir_names names;
	uint64_t len;
	size_t i;
	int fd = -1;

	if (dir_open_at(AT_FDCWD, folder, 0, &fd, NULL) != OK)
		return;
	if (dir_list(fd, &names, NULL) == OK)
		for (i = 0; i < names.n; i++)
			if (file_is_left_over(names.items[i]) &&
				file_size_at(fd, names.items[i], &len))
				(void)unlinkat(fd, names.items[i], 0);
	dir_names_clear(&names);
	fd_close(&fd);
}

/* Sets the folder, if it exists, and the time; all other options are the
 * user's. */
static enum status
ci_prepare(struct tool *tool, const char *output, struct error *err)
{
	struct settings *settings = &tool->settings;
	bool found;

	if (settings->json || settings->detach)
		return error_set(err, E_USAGE,
			"--%s is not an option of cfuzz ci",
			settings->json ? "json" : "detach");
	if (tool->values[CI_CORPUS] == NULL)
		return error_set(err, E_USAGE,
			"name the folder of inputs: --corpus DIR");
	if (ci_set_time(settings, tool->values[CI_TIME], err) != OK ||
		ci_check_folders(tool, output, &found, err) != OK)
		return err->code;
	settings->ci = true;
	if (found)
		ci_remove_left_overs(tool->values[CI_CORPUS]);
	if (settings->origin[OPT_FINISH_TIME] == ORIGIN_DEFAULT)
		settings->finish_time_ms = CI_FINISH_MS;
	return found ? settings_set(settings, "seeds", tool->values[CI_CORPUS],
			       ORIGIN_FLAG, err)
		     : OK;
}

/* The names in the output's corpus; none if there is no such folder. */
static void
ci_list_corpus(const char *output, struct dir_names *names)
{
	char *corpus = xasprintf("%s/corpus", output);

	(void)!dir_list_at(AT_FDCWD, corpus, names, NULL);
	free(corpus);
}

/* The target that the JUnit report names, as XML; "": there is none. To be freed. */
static char *
ci_reported(const char *dir)
{
	static const char before[] = " classname=\"";
	char *path = xasprintf("%s/report.xml", dir), *target = NULL, *at;
	uint8_t *data;
	size_t len;

	if (file_read(path, CI_REPORT_MAX, &data, &len, NULL) == OK) {
		at = strstr((char *)data, before);
		if (at != NULL) {
			at += strlen(before);
			at[strcspn(at, "\"")] = '\0';
			target = xstrdup(at);
		}
		free(data);
	}
	free(path);
	return target != NULL ? target : xstrdup("");
}

/* A job for several targets would pass on the reports of the last one alone. */
static void
ci_tell_replaced(const char *dir, const char *was)
{
	char *now = ci_reported(dir);

	/* Another checkout has another path. */
	if (was[0] != '\0' && now[0] != '\0' &&
		strcmp(basename(was), basename(now)) != 0)
		cli_fail(EXIT_NOTHING,
			"warning: the reports of %s in %s are replaced by those "
			"of %s: name a folder for each target, --report DIR",
			was, dir, now);
	free(now);
}

/* All reports but coverage by source, for which the corpus would have to run
 * once more. */
static enum exit_status
ci_report(const struct tool *tool, const char *output)
{
	char *dir = tool->values[CI_REPORT] != NULL
		? xstrdup(tool->values[CI_REPORT])
		: xasprintf("%s/report", output);
	const char *actions = getenv("GITHUB_ACTIONS");
	char *argv[] = { "report", "--no-coverage", "-o", dir, "--",
		(char *)(uintptr_t)output, NULL };
	char *github[] = { "report", "--no-coverage", "--github", "-o", dir,
		"--", (char *)(uintptr_t)output, NULL };
	bool is_github = actions != NULL && actions[0] != '\0';
	char *was = tool->values[CI_REPORT] != NULL ? ci_reported(dir)
						    : xstrdup("");
	int status = is_github ? tool_part(&cli_report, 7, github)
			       : tool_part(&cli_report, 6, argv);

	ci_tell_replaced(dir, was);
	free(was);
	free(dir);
	return (enum exit_status)status;
}

/* Nothing to choose from is no fault of the run. */
static enum exit_status
ci_update_corpus(struct tool *tool, const char *output,
	const struct dir_names *kept)
{
	struct error err = { 0 };
	enum exit_status status = engine_update_corpus(&tool->config,
		tool->values[CI_CORPUS], output, kept, &err);

	if (status == EXIT_SETUP)
		printf("corpus: unchanged: %s\n", err.text);
	else if (status == EXIT_LOST)
		cli_fail(status, "%s", err.text);
	return status == EXIT_SETUP ? EXIT_NOTHING : status;
}

/* The last line of the campaign has another status. */
static enum exit_status
ci_end_lost(enum exit_status status)
{
	if (status != EXIT_LOST)
		puts("FAIL: something could not be written or run (exit status "
		     "3)");
	return EXIT_LOST;
}

static enum exit_status
ci_campaign(struct tool *tool, const char *output)
{
	char **args = tool->operands + 1;
	struct dir_names kept;
	enum exit_status status, reports, corpus;
	bool begun;

	ci_list_corpus(output, &kept);
	status = (enum exit_status)cli_run_campaign(&tool->settings,
		tool->operands[0], args, &begun);
	/* Else the output directory is that of an earlier run, or none. */
	if (begun) {
		reports = ci_report(tool, output);
		tool->config.target = tool->operands[0];
		tool->config.args = args;
		corpus = ci_update_corpus(tool, output, &kept);
		if (reports != EXIT_NOTHING || corpus != EXIT_NOTHING)
			status = ci_end_lost(status);
	}
	dir_names_clear(&kept);
	return status;
}

static enum exit_status
ci_run(struct tool *tool, struct error *err)
{
	enum exit_status status = EXIT_SETUP;
	char *output = settings_output(&tool->settings, tool->operands[0]);

	if (ci_prepare(tool, output, err) == OK)
		status = ci_campaign(tool, output);
	free(output);
	return status;
}

const struct tool_command cli_ci = {
	.help = help,
	.flags = flags,
	.least = 1,
	.missing = "name a target and a folder: cfuzz ci ./target --corpus DIR",
	.run = ci_run,
};

/* cmd_report: `cfuzz report` writes what a campaign has found, in the formats
 * of browsers and of continuous integration. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dir.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "cli/cli.h"
#include "cli/report/report.h"
#include "cli/tool.h"

static const char help[] =
	"usage: cfuzz report [OPTION]... OUT\n\n"
	"Writes a report on a campaign that runs or has ended. Without a file, "
	"that is\nOUT/report/report.html. For coverage by source line the "
	"corpus runs once with\nthe target of the campaign, its arguments and "
	"limits.\n\n"
	"  -o, --output DIR          report.html, report.sarif, report.xml,\n"
	"                            report.md and report.info in this "
	"directory\n"
	"      --html FILE           One page without scripts: campaign, "
	"coverage over\n"
	"                            time, findings, coverage by source\n"
	"      --lcov FILE           Lines and functions, for genhtml and "
	"others\n"
	"      --sarif FILE          SARIF 2.1.0, a result per finding\n"
	"      --junit FILE          JUnit's XML, a test case per finding\n"
	"      --markdown FILE       For a bug report\n"
	"      --github              Annotations for GitHub Actions, and the\n"
	"                            summary of the job\n"
	"      --no-coverage         Start no target: no coverage by source\n"
	"      --seeds DIR|FILE      Seeds, if they are no longer where they were\n"
	"  -j, --parallel N          Number of worker processes.\n" TOOL_TARGET_HELP
	".\n\n"
	"FILE may be -, which is standard output.\n\n"
	"Exit status: 0; 2 if OUT is not an output directory, or for --lcov "
	"there is\nno coverage; 3 if a file cannot be written, if an input could not be "
	"run, or\nif a stop keeps a tracefile from being complete.\n";

typedef void report_fn(const json_t *report, FILE *to);

static const char *const flags[] = { "--html=", "--sarif=", "--junit=",
	"--markdown=", "--lcov=", "--github", "--no-coverage", NULL };

enum {
	REPORT_HTML,
	REPORT_LCOV = 4,
	REPORT_GITHUB,
	REPORT_NO_COVERAGE,
};

/* In the order of the flags. */
static const struct format {
	report_fn *write;
	const char *name;
} formats[] = {
	{ report_html, "report.html" },
	{ report_sarif, "report.sarif" },
	{ report_junit, "report.xml" },
	{ report_markdown, "report.md" },
	{ report_lcov, "report.info" },
};

#define FORMATS (sizeof(formats) / sizeof(formats[0]))

/* The text of a format; to be freed. */
static char *
report_text(report_fn *write, const json_t *report, size_t *len)
{
	char *text = NULL;
	FILE *to = open_memstream(&text, len);

	if (to == NULL)
		xmalloc_fail();
	write(report, to);
	if (fclose(to) != 0)
		xmalloc_fail();
	return text;
}

/* The output directory may come from somebody else, with links in it. */
static enum status
report_check_own(const char *path, struct error *err)
{
	if (!file_is_link(path))
		return OK;
	return error_set(err, E_FORMAT,
		"cannot write %s: it is a symbolic link; remove it, or name "
		"another directory for reports",
		path);
}

static enum status
report_write_own(const char *path, const char *text, size_t len,
	struct error *err)
{
	enum status status = report_check_own(path, err);

	return status == OK
		? file_write_atomic_at(AT_FDCWD, path, text, len, 0, err)
		: status;
}

/* Tells a failure at once, so that the other files are still written. own: the
 * path is OUT/report, which cfuzz ci names with -o, or in it. */
static bool
report_write(report_fn *write, const json_t *report, const char *path, bool own)
{
	struct error err = { 0 };
	enum status status = OK;
	size_t len;
	char *text = report_text(write, report, &len);

	if (own)
		status = report_write_own(path, text, len, &err);
	else if (strcmp(path, "-") != 0)
		status = file_write(path, text, len, 0, &err);
	else
		(void)!fwrite(text, 1, len, stdout); /* for cli_end() to tell */
	free(text);
	if (status != OK)
		(void)cli_fail(EXIT_LOST, "%s", err.text);
	return status == OK;
}

/* The stream for lines that are not the report. */
static FILE *
report_lines(const struct tool *tool)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (tool->values[i] != NULL &&
			strcmp(tool->values[i], "-") == 0)
			return stderr;
	return stdout;
}

static bool
report_write_to(const struct tool *tool, const struct format *format,
	const json_t *report, const char *dir, bool own)
{
	char *path = xasprintf("%s/%s", dir, format->name);
	bool written = report_write(format->write, report, path, own);

	if (written)
		fprintf(report_lines(tool), "%s\n", path);
	free(path);
	return written;
}

static bool
report_is_stopped(const json_t *sources)
{
	return json_is_true(json_object_get(sources, "stopped"));
}

/* Why the coverage is not that of all inputs; NULL: it is. */
static const char *
report_lack(const json_t *sources)
{
	if (report_is_stopped(sources))
		return "it was stopped";
	return json_is_true(json_object_get(sources, "refused"))
		? "not all inputs could be run"
		: NULL;
}

/* Is there something to write in that format? A part of the coverage would pass
 * for all of it. */
static bool
report_has(const json_t *report, size_t format)
{
	const json_t *sources = json_object_get(report, "sources");

	return format != REPORT_LCOV ||
		(sources != NULL && report_lack(sources) == NULL);
}

static bool
report_has_directory(const struct tool *tool)
{
	return tool->settings.output != NULL &&
		tool->settings.output[0] != '\0';
}

/* For those who name none, and for cfuzz ci; to be freed. */
static char *
report_usual_directory(const struct tool *tool)
{
	return xasprintf("%s/report", tool->operands[0]);
}

/* All formats, or only the page. False: something is not written. */
static bool
report_fill_directory(const struct tool *tool, const json_t *report,
	const char *dir, size_t n)
{
	char *usual = report_usual_directory(tool);
	bool own = strcmp(dir, usual) == 0, written = true;
	struct error err = { 0 };

	free(usual);
	if ((own && report_check_own(dir, &err) != OK) ||
		dir_create_at(AT_FDCWD, dir, DIR_PARENTS, &err) != OK) {
		(void)cli_fail(EXIT_LOST, "%s", err.text);
		return false;
	}
	for (size_t i = 0; i < n; i++)
		if (report_has(report, i))
			written &= report_write_to(tool, &formats[i], report,
				dir, own);
	return written;
}

/* Others write to the summary as well: ours is appended. False: see errno. */
static bool
report_append_summary(const json_t *report, const char *path)
{
	FILE *summary = fopen(path, "ae");
	int errnum = 0;
	long used;

	if (summary == NULL)
		return false;
	used = fseek(summary, 0, SEEK_END) == 0 ? ftell(summary) : 0;
	errno = 0;
	report_summary(report, used > 0 ? (size_t)used : 0, summary);
	/* Text that was not written is dropped, and then fclose() succeeds. */
	if (ferror(summary))
		errnum = errno != 0 ? errno : EIO;
	if (fclose(summary) != 0)
		return false;
	errno = errnum;
	return errnum == 0;
}

static bool
report_to_github(const json_t *report)
{
	const char *path = getenv("GITHUB_STEP_SUMMARY");

	report_github(report, stdout);
	if (path == NULL || path[0] == '\0' ||
		report_append_summary(report, path))
		return true;
	(void)cli_fail(EXIT_LOST, "%s cannot be written: %s", path,
		strerror(errno));
	return false;
}

/* Writes all that can be written; false: something is not. */
static bool
report_all(const struct tool *tool, const json_t *report)
{
	const char *dir = tool->settings.output;
	bool has_dir = report_has_directory(tool), written = true;
	char *usual;

	if (!has_dir && (tool->flags & ~(1u << REPORT_NO_COVERAGE)) == 0) {
		usual = report_usual_directory(tool);
		written = report_fill_directory(tool, report, usual, 1);
		free(usual);
		return written;
	}
	if (has_dir)
		written = report_fill_directory(tool, report, dir, FORMATS);
	for (size_t i = 0; i < FORMATS; i++)
		if (tool->flags & 1u << i && report_has(report, i))
			written &= report_write(formats[i].write, report,
				tool->values[i], false);
	if (tool->flags & 1u << REPORT_GITHUB)
		written &= report_to_github(report);
	return written;
}

/* The page and the tracefile have it; a directory has both. */
static bool
report_needs_coverage(const struct tool *tool)
{
	unsigned others = ((1u << REPORT_GITHUB) | ((1u << FORMATS) - 1)) &
		~((1u << REPORT_HTML) | (1u << REPORT_LCOV));

	if (tool->flags & 1u << REPORT_NO_COVERAGE)
		return false;
	return report_has_directory(tool) || (tool->flags & others) == 0 ||
		(tool->flags & ((1u << REPORT_HTML) | (1u << REPORT_LCOV)));
}

/* Standard output may be a report. */
static void
report_on_line(void *arg, const struct report *report)
{
	char line[1024];

	if (report->kind != REPORT_LINE)
		return;
	text_clean_string(report->text, line, sizeof(line));
	fprintf(stderr, "%s\n", line);
}

/* Prints what the coverage lacks, from trouble `first` on: a tracefile has no
 * room for it. */
static void
report_say_troubles(const json_t *sources, size_t first)
{
	const json_t *troubles = json_object_get(sources, "troubles");

	for (size_t i = first; i < json_array_size(troubles); i++)
		(void)cli_fail(EXIT_NOTHING, "coverage by source: %s",
			json_string_value(json_array_get(troubles, i)));
	if (json_is_true(json_object_get(sources, "cut")))
		(void)cli_fail(EXIT_NOTHING,
			"coverage by source: there is too much code: some "
			"lines are missing");
}

/* The coverage by source. NULL: there is none, for the reason in `why`. Coverage
 * without a source file counts as none, unless the user stopped it. */
static json_t *
report_sources(struct tool *tool, struct error *why)
{
	const char *trouble;
	json_t *sources;

	tool->config.report = report_on_line;
	sources = engine_report_sources(&tool->config, tool->operands[0], why);
	if (sources == NULL)
		return NULL;
	if (report_is_stopped(sources) ||
		json_array_size(json_object_get(sources, "files")) > 0) {
		report_say_troubles(sources, 0);
		return sources;
	}
	trouble = json_string_value(
		json_array_get(json_object_get(sources, "troubles"), 0));
	error_set(why, E_TARGET, "%s",
		trouble != NULL ? trouble : "no source line is known");
	report_say_troubles(sources, 1);
	json_decref(sources);
	return NULL;
}

static enum exit_status
report_end_incomplete(const struct tool *tool, const json_t *sources)
{
	const char *lack = report_lack(sources);

	if ((tool->flags & 1u << REPORT_LCOV) == 0 &&
		!report_has_directory(tool))
		return (enum exit_status)cli_fail(report_is_stopped(sources)
				? EXIT_NOTHING
				: EXIT_LOST,
			"coverage by source: incomplete, %s", lack);
	return (enum exit_status)cli_fail(EXIT_LOST,
		"%s: not written, the coverage by source is incomplete: %s",
		tool->flags & 1u << REPORT_LCOV ? "--lcov"
						: formats[REPORT_LCOV].name,
		lack);
}

/* Without coverage the page and a line say why; a tracefile would be empty. */
static enum exit_status
report_add_coverage(struct tool *tool, json_t *report)
{
	struct error why = { 0 };
	json_t *sources = report_sources(tool, &why);
	bool refused;

	if (sources != NULL) {
		json_object_set_new(report, "sources", sources);
		return report_lack(sources) != NULL
			? report_end_incomplete(tool, sources)
			: EXIT_NOTHING;
	}
	json_object_set_new(report, "no_sources", json_string(why.text));
	/* The system has refused to run any input. */
	refused = why.code == E_STATE;
	if (tool->flags & 1u << REPORT_LCOV)
		return (enum exit_status)cli_fail(refused ? EXIT_LOST
							  : EXIT_SETUP,
			"--lcov: no coverage: %s", why.text);
	return (enum exit_status)cli_fail(refused ? EXIT_LOST : EXIT_NOTHING,
		"no coverage by source: %s", why.text);
}

static enum exit_status
report_run(struct tool *tool, struct error *err)
{
	json_t *report = engine_report(tool->operands[0], err);
	enum exit_status status = EXIT_NOTHING;

	if (report == NULL)
		return EXIT_SETUP;
	if ((tool->flags & 1u << REPORT_NO_COVERAGE) &&
		(tool->flags & 1u << REPORT_LCOV)) {
		error_set(err, E_USAGE,
			"--lcov is coverage: leave out --no-coverage");
		status = EXIT_SETUP;
	} else {
		if (report_needs_coverage(tool))
			status = report_add_coverage(tool, report);
		if (!report_all(tool, report) || fd_check_output(NULL) != OK)
			status = EXIT_LOST;
	}
	json_decref(report);
	return status;
}

const struct tool_command cli_report = {
	.help = help,
	.options = TOOL_OPTIONS(OPT_OUTPUT, OPT_PARALLEL, OPT_SEEDS,
		TOOL_TARGET_OPTIONS),
	.flags = flags,
	.least = 1,
	.most = 1,
	.missing = "name an output directory: cfuzz report OUT",
	.output_from = 1,
	.run = report_run,
};

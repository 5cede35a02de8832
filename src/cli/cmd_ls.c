/* cmd_ls: `cfuzz ls` lists the campaigns of this user. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "cli/cli.h"
#include "cli/listing.h"
#include "cli/tool.h"

static const char help[] =
	"usage: cfuzz ls [--json]\n\n"
	"Lists your campaigns on this machine, the newest start first. "
	"With --json,\nprints an array. `cfuzz attach OUT` opens a console on "
	"one that runs.\n\n"
	"*  somebody is attached\n+  it has ended\n!  it was killed\n\n"
	"Exit status: 0, or 2 if the list cannot be read.\n";

static const struct listing_column columns[] = {
	{ "", false }, { "state", false }, { "since", false },
	{ "execs", true }, { "findings", true }, { "attached", true },
	{ "output", false }, /* last: a path may be long */
};

static const char *
ls_mark(const json_t *row)
{
	if (!json_is_true(json_object_get(row, "runs")))
		return strcmp(json_text_of(row, "state"), "ended") == 0 ? "+"
									: "!";
	return json_count_of(row, "attached") > 0 ? "*" : "";
}

static char *
ls_since(const json_t *row)
{
	time_t since = (time_t)json_count_of(row, "since");
	struct tm tm;
	char text[32];

	if (localtime_r(&since, &tm) == NULL ||
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M", &tm) == 0)
		return xstrdup("-");
	return xstrdup(text);
}

static void
ls_row_fill(char **cells, const json_t *row)
{
	char buf[TEXT_NUMBER_SIZE];
	int i = 0;

	cells[i++] = xstrdup(ls_mark(row));
	cells[i++] = xstrdup(json_text_of(row, "state"));
	cells[i++] = ls_since(row);
	cells[i++] = xstrdup(text_count(json_count_of(row, "execs"), buf));
	cells[i++] = xstrdup(text_count(json_count_of(row, "findings"), buf));
	cells[i++] = xstrdup(text_count(json_count_of(row, "attached"), buf));
	cells[i++] = xstrdup(json_text_of(row, "output"));
}

static enum exit_status
ls_run(struct tool *tool, struct error *err)
{
	static const struct listing listing = {
		.columns = columns,
		.n = sizeof(columns) / sizeof(columns[0]),
		.fill = ls_row_fill,
		.none = "there is no campaign",
	};

	return listing_run(&listing, tool, engine_campaigns(err));
}

const struct tool_command cli_ls = {
	.help = help,
	.options = TOOL_OPTIONS(OPT_JSON),
	.least = 0,
	.most = TOOL_NO_OPERANDS,
	.missing = "",
	.run = ls_run,
};

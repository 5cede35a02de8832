/* cmd_findings: `cfuzz findings` lists findings as a table or as JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "cli/cli.h"
#include "cli/listing.h"
#include "cli/tool.h"

static const char help[] =
	"usage: cfuzz findings [--json] OUT\n\n"
	"Lists the findings in an output directory, sorted by state, the last "
	"seen first.\nWith --json, prints an array. No file is changed.\n\n"
	"A finding of an earlier build is \"not seen\" by the build of the "
	"latest run. It\nis \"fixed\" if none of its replays with that build "
	"failed; the next run\nof the campaign replays it. The column \"again\" "
	"says how many replays failed.\n\n"
	"Exit status: 0, or 2 if OUT is not an output directory.\n";

static const struct listing_column columns[] = {
	{ "what", false },
	{ "where", false },
	{ "seen", true },
	{ "again", true },
	{ "size", true },
	{ "min", true },
	{ "state", false },
	{ "first", true },
	{ "last", true },
	{ "class", false },
	{ "id", false },
};

static double
findings_real_of(const json_t *finding, const char *name)
{
	return json_number_value(json_object_get(finding, name));
}

/* "known", or "known, fixed" with the standing in the latest build. */
static char *
findings_state(const json_t *finding)
{
	const char *standing = json_text_of(finding, "standing");

	if (strcmp(standing, "open") == 0 || standing[0] == '\0')
		return xstrdup(json_text_of(finding, "state"));
	return xasprintf("%s, %s", json_text_of(finding, "state"), standing);
}

/* "put twelve.c:9 < caller": the caller tells findings of one place apart. */
static char *
findings_where(const json_t *finding)
{
	const char *apart = json_text_of(finding, "apart");

	return xasprintf("%s%s%s", json_text_of(finding, "where"),
		apart[0] != '\0' ? " < " : "", apart);
}

static void
findings_row_fill(char **cells, const json_t *f)
{
	char buf[TEXT_NUMBER_SIZE];
	uint64_t least = json_count_of(f, "minimized_len");
	int i = 0;

	cells[i++] = xstrdup(json_text_of(f, "what"));
	cells[i++] = findings_where(f);
	cells[i++] = xasprintf("x%" PRIu64, json_count_of(f, "count"));
	cells[i++] = xstrdup(json_text_of(f, "again"));
	cells[i++] = xstrdup(text_bytes(json_count_of(f, "len"), buf));
	cells[i++] = xstrdup(least > 0 ? text_bytes(least, buf) : "-");
	cells[i++] = findings_state(f);
	cells[i++] = xstrdup(text_clock(findings_real_of(f, "first_s"), buf));
	cells[i++] = xstrdup(text_clock(findings_real_of(f, "last_s"), buf));
	cells[i++] = xstrdup(json_text_of(f, "class"));
	cells[i++] = xstrdup(json_text_of(f, "id"));
}

static enum exit_status
findings_run(struct tool *tool, struct error *err)
{
	static const struct listing listing = {
		.columns = columns,
		.n = sizeof(columns) / sizeof(columns[0]),
		.fill = findings_row_fill,
		.none = "nothing was found",
	};

	return listing_run(&listing, tool,
		engine_findings(tool->operands[0], err));
}

const struct tool_command cli_findings = {
	.help = help,
	.options = TOOL_OPTIONS(OPT_JSON),
	.least = 1,
	.most = 1,
	.missing = "name an output directory: cfuzz findings OUT",
	.output_from = 1,
	.run = findings_run,
};

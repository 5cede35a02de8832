/* cmd_findings: `cfuzz findings` lists findings as a table or as JSON. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "cli/cli.h"
#include "cli/tool.h"

static const char help[] =
	"usage: cfuzz findings [--json] OUT\n\n"
	"Lists the findings in an output directory, sorted by state, the last "
	"seen first.\nWith --json, prints an array. No file is changed.\n\n"
	"A finding of an earlier build is \"not seen\" by the build of the "
	"latest run. It\nis \"gone\" if moreover none of its replays with that "
	"build failed.\n\n"
	"Exit status: 0, or 2 if OUT is not an output directory.\n";

#define COLUMNS 11

static const struct {
	const char *head;
	bool right;
} columns[COLUMNS] = {
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

struct row {
	char *cells[COLUMNS];
};

static double
findings_real_of(const json_t *finding, const char *name)
{
	return json_number_value(json_object_get(finding, name));
}

/* "5/5"; "-": no replays. */
static char *
findings_again(const json_t *finding)
{
	uint64_t replays = tool_number(finding, "replays");

	if (replays == 0)
		return xstrdup("-");
	return xasprintf("%" PRIu64 "/%" PRIu64,
		tool_number(finding, "reproduced"), replays);
}

/* "known", or "known, gone" with the standing in the latest build. */
static char *
findings_state(const json_t *finding)
{
	const char *standing = tool_text(finding, "standing");

	if (strcmp(standing, "open") == 0 || standing[0] == '\0')
		return xstrdup(tool_text(finding, "state"));
	return xasprintf("%s, %s", tool_text(finding, "state"), standing);
}

/* "put twelve.c:9 < caller": the caller tells findings of one place apart. */
static char *
findings_where(const json_t *finding)
{
	const char *apart = tool_text(finding, "apart");

	return xasprintf("%s%s%s", tool_text(finding, "where"),
		apart[0] != '\0' ? " < " : "", apart);
}

static void
findings_row_fill(struct row *row, const json_t *f)
{
	char buf[TEXT_NUMBER_SIZE];
	uint64_t least = tool_number(f, "minimized_len");
	int i = 0;

	row->cells[i++] = xstrdup(tool_text(f, "what"));
	row->cells[i++] = findings_where(f);
	row->cells[i++] = xasprintf("x%" PRIu64, tool_number(f, "count"));
	row->cells[i++] = findings_again(f);
	row->cells[i++] = xstrdup(text_bytes(tool_number(f, "len"), buf));
	row->cells[i++] = xstrdup(least > 0 ? text_bytes(least, buf) : "-");
	row->cells[i++] = findings_state(f);
	row->cells[i++] =
		xstrdup(text_clock(findings_real_of(f, "first_s"), buf));
	row->cells[i++] =
		xstrdup(text_clock(findings_real_of(f, "last_s"), buf));
	row->cells[i++] = xstrdup(tool_text(f, "class"));
	row->cells[i++] = xstrdup(tool_text(f, "id"));
}

/* Cuts nothing and ends no line with spaces. */
static void
findings_row_print(char *const *cells, const size_t *widths)
{
	size_t pad, due = 0; /* spaces before the next cell with text */
	int i;

	for (i = 0; i < COLUMNS; i++) {
		pad = widths[i] - text_width(cells[i]);
		due += columns[i].right ? pad : 0;
		if (cells[i][0] != '\0') {
			printf("%*s%s", (int)due, "", cells[i]);
			due = 0;
		}
		due += (columns[i].right ? 0 : pad) + 2;
	}
	putchar('\n');
}

static void
findings_print_table(const json_t *findings)
{
	size_t i, n = json_array_size(findings), widths[COLUMNS], width;
	struct row *rows = xcalloc(n + 1, sizeof(*rows));
	int k;

	for (k = 0; k < COLUMNS; k++) {
		rows[0].cells[k] = xstrdup(columns[k].head);
		widths[k] = strlen(columns[k].head);
	}
	for (i = 1; i <= n; i++) {
		findings_row_fill(&rows[i], json_array_get(findings, i - 1));
		for (k = 0; k < COLUMNS; k++) {
			width = text_width(rows[i].cells[k]);
			if (width > widths[k])
				widths[k] = width;
		}
	}
	for (i = 0; i <= n; i++) {
		findings_row_print(rows[i].cells, widths);
		for (k = 0; k < COLUMNS; k++)
			free(rows[i].cells[k]);
	}
	free(rows);
}

static enum exit_status
findings_run(struct tool *tool, struct error *err)
{
	json_t *findings = engine_findings(tool->operands[0], err);

	if (findings == NULL)
		return EXIT_SETUP;
	if (tool->settings.json)
		tool_print_json(findings, JSON_INDENT(2));
	else if (json_array_size(findings) == 0)
		puts("nothing was found");
	else
		findings_print_table(findings);
	json_decref(findings);
	return EXIT_NOTHING;
}

const struct tool_command cli_findings = {
	.help = help,
	.options = TOOL_OPTIONS(OPT_JSON),
	.least = 1,
	.most = 1,
	.missing = "name an output directory: cfuzz findings OUT",
	.run = findings_run,
};

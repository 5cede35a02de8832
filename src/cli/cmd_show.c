/* cmd_show: `cfuzz show` prints a finding, an input or a campaign. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hex_text.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "cli/cli.h"
#include "cli/tool.h"

static const char help[] =
	"usage: cfuzz show [--json] OUT [ID]\n"
	"       cfuzz show [--json] FILE|FOLDER\n\n"
	"Shows a finding (by its id or folder), a corpus input (by the first "
	"digits of\nits name), or any file: its bytes, its origin, and known "
	"facts. OUT alone shows\nthe campaign. No file is changed.\n\n"
	"Exit status: 0, or 2 if it does not exist.\n";

#define NAME_WIDTH 10
#define HEX_ROW 16
#define HEX_MAX 4096u /* bytes shown */
#define REPORT_LINES 60

static const char *
show_clock_of(const json_t *object, const char *name,
	char buf[TEXT_NUMBER_SIZE])
{
	return text_clock(json_number_value(json_object_get(object, name)),
		buf);
}

static void
show_line(const char *name, const char *text)
{
	if (text[0] != '\0')
		printf("  %-*s %s\n", NAME_WIDTH, name, text);
}

/* ---- bytes -------------------------------------------------------------- */

/* Prints a row like hexdump -C. */
static void
show_hex_row(const uint8_t *data, size_t at, size_t n)
{
	char text[HEX_ROW + 1];
	size_t i;

	printf("    %08zx ", at);
	for (i = 0; i < HEX_ROW; i++) {
		fputs(i == HEX_ROW / 2 ? "  " : " ", stdout);
		if (i >= n) {
			fputs("  ", stdout);
			continue;
		}
		printf("%02x", data[at + i]);
		text[i] = data[at + i] >= 0x20 && data[at + i] < 0x7f
			? (char)data[at + i]
			: '.';
	}
	text[n] = '\0';
	printf("  |%s|\n", text);
}

/* Prints the file of a typed input, which is text. False: it is not. */
static bool
show_print_text(char *data)
{
	static const char version[] = "go test fuzz v1\n";
	char *clean, *line;

	if (strncmp(data, version, sizeof(version) - 1) != 0)
		return false;
	while ((line = strsep(&data, "\n")) != NULL) {
		clean = text_clean_dup(line, strlen(line));
		if (line[0] != '\0')
			printf("    %s\n", clean);
		free(clean);
	}
	return true;
}

static void
show_print_bytes(const json_t *object, const char *title, uint64_t len)
{
	const char *hex = json_text_of(object, "data");
	size_t at, have = strlen(hex) / 2;
	char *data;

	if (have > HEX_MAX)
		have = HEX_MAX;
	data = xcalloc(have + 1, 1);
	(void)!hex_decode(hex, data, have);
	printf("\n%s, %" PRIu64 " byte%s:\n", title, len, len == 1 ? "" : "s");
	if (!show_print_text(data))
		for (at = 0; at < have; at += HEX_ROW)
			show_hex_row((const uint8_t *)data, at,
				have - at < HEX_ROW ? have - at : HEX_ROW);
	if (have < len)
		printf("    ... and %" PRIu64 " more\n", len - have);
	free(data);
}

/* ---- a finding ---------------------------------------------------------- */

static void
show_print_frame(const json_t *frame, unsigned number)
{
	const char *function = json_text_of(frame, "function");
	uint64_t at = json_count_of(frame, "line");

	printf("    #%u ", number);
	if (function[0] == '\0')
		printf("%s+0x%" PRIx64 "\n", json_text_of(frame, "module"),
			json_count_of(frame, "offset"));
	else if (at > 0)
		printf("%s %s:%" PRIu64 "\n", function,
			json_text_of(frame, "file"), at);
	else
		printf("%s %s\n", function, json_text_of(frame, "file"));
}

static void
show_print_stack(const json_t *finding)
{
	const json_t *frames = json_object_get(finding, "frames"), *outer;
	json_t *frame, *caller;
	unsigned number = 0;
	size_t i, k;

	if (json_array_size(frames) > 0)
		puts("\nstack:");
	json_array_foreach(frames, i, frame) {
		show_print_frame(frame, number++);
		outer = json_object_get(frame, "inlined_into");
		json_array_foreach(outer, k, caller)
			show_print_frame(caller, number++);
	}
}

static void
show_print_mutations(const json_t *finding)
{
	const json_t *log = json_object_get(finding, "trail");
	json_t *mutation;
	size_t i;

	if (json_array_size(log) > 0)
		puts("\nmade by, from an input of the corpus:");
	json_array_foreach(log, i, mutation)
		printf("    %-24s at %" PRIu64 ", %" PRIu64 " bytes\n",
			json_text_of(mutation, "op"),
			json_count_of(mutation, "offset"),
			json_count_of(mutation, "len"));
}

static void
show_print_report(const json_t *finding)
{
	const json_t *lines = json_object_get(finding, "report");
	size_t i, n = json_array_size(lines);
	const char *text;

	if (n > 0)
		puts("\nreport:");
	for (i = 0; i < n && i < REPORT_LINES; i++) {
		text = json_string_value(json_array_get(lines, i));
		printf("%s%s\n", text[0] != '\0' ? "    " : "", text);
	}
	if (i < n)
		printf("    ... and %zu more lines in report.txt\n", n - i);
}

static void
show_print_files(const json_t *finding)
{
	const json_t *files = json_object_get(finding, "files");
	json_t *file;
	size_t i;

	printf("  %-*s", NAME_WIDTH, "files");
	json_array_foreach(files, i, file)
		printf("%s %s (%" PRIu64 " B)", i > 0 ? "," : "",
			json_text_of(file, "name"), json_count_of(file, "len"));
	if (json_count_of(finding, "more") > 0)
		printf(", %" PRIu64 " more", json_count_of(finding, "more"));
	putchar('\n');
}

/* Prints the inputs of a sequence. */
static void
show_print_sequence(const json_t *finding)
{
	const json_t *inputs = json_object_get(finding, "inputs");
	size_t i, n = json_array_size(inputs);
	json_t *input;
	char title[128];

	json_array_foreach(inputs, i, input) {
		snprintf(title, sizeof(title), "input %zu of %zu, sequence/%s",
			i + 1, n, json_text_of(input, "name"));
		show_print_bytes(input, title, json_count_of(input, "len"));
	}
}

/* "... (build 1a2b3c4d)" */
static void
show_put_build(char *text, size_t size, const char *build)
{
	size_t n = strlen(text);

	if (build[0] != '\0')
		snprintf(text + n, size - n, " (build %s)", build);
}

/* The build that failed, and the result with the latest build. */
static void
show_print_build(const json_t *f)
{
	const char *standing = json_text_of(f, "standing");
	char text[128];

	snprintf(text, sizeof(text), "%s%s", json_text_of(f, "build"),
		strcmp(standing, "fixed") == 0
			? "; fixed: no replay failed with that of the latest run"
			: strcmp(standing, "not seen") == 0
			? "; not seen with that of the latest run"
			: "");
	show_line("build", text);
}

static void
show_print_finding(const json_t *f)
{
	char text[128], at[2][TEXT_NUMBER_SIZE];
	bool minimized = strcmp(json_text_of(f, "data_of"), "minimized") == 0;

	tool_print_title(json_text_of(f, "class"), json_text_of(f, "kind"),
		json_text_of(f, "what"), json_text_of(f, "where"));
	show_line("id", json_text_of(f, "id"));
	show_line("says", json_text_of(f, "text"));
	show_line("state", json_text_of(f, "state"));
	show_line("note", json_text_of(f, "note"));
	snprintf(text, sizeof(text),
		"%" PRIu64 " times, first at %s, last at %s",
		json_count_of(f, "count"), show_clock_of(f, "first_s", at[0]),
		show_clock_of(f, "last_s", at[1]));
	show_line("seen", text);
	snprintf(text, sizeof(text), "failed in %" PRIu64 " of %" PRIu64,
		json_count_of(f, "reproduced"), json_count_of(f, "replays"));
	show_put_build(text, sizeof(text), json_text_of(f, "replays_build"));
	show_line("replays", json_count_of(f, "replays") > 0 ? text : "none");
	show_print_build(f);
	show_line("folder", json_text_of(f, "path"));
	show_print_files(f);
	show_line("to re-run", json_text_of(f, "command"));
	show_line("call", json_text_of(f, "call"));
	show_print_stack(f);
	show_print_mutations(f);
	show_print_report(f);
	show_print_sequence(f);
	if (json_object_get(f, "data_of") != NULL &&
		json_array_size(json_object_get(f, "inputs")) == 0)
		show_print_bytes(f, json_text_of(f, "data_of"),
			json_count_of(f, minimized ? "minimized_len" : "len"));
}

/* ---- an input ----------------------------------------------------------- */

static void
show_print_ancestor(const json_t *a)
{
	char at[TEXT_NUMBER_SIZE];

	printf("    %s", json_text_of(a, "name"));
	if (json_is_true(json_object_get(a, "minimized"))) {
		printf("   made smaller: %" PRIu64 " bytes",
			json_count_of(a, "len"));
	} else if (json_number_value(json_object_get(a, "at_s")) >= 0) {
		printf("   %" PRIu64 " bytes, generation %" PRIu64 ", +%" PRIu64
		       " bits at %s",
			json_count_of(a, "len"), json_count_of(a, "generation"),
			json_count_of(a, "bits"), show_clock_of(a, "at_s", at));
		if (json_is_true(json_object_get(a, "unstable")))
			fputs(", unstable", stdout);
	} else {
		fputs("   a seed, or older than the journal", stdout);
	}
	putchar('\n');
}

static void
show_print_lineage(const json_t *input)
{
	const json_t *list = json_object_get(input, "lineage");
	size_t i;

	if (json_array_size(list) > 0)
		puts("\ncame from, the newest first:");
	for (i = 0; i < json_array_size(list); i++)
		show_print_ancestor(json_array_get(list, i));
	if (json_is_true(json_object_get(input, "lineage_cut")))
		puts("    ...");
}

static void
show_print_known(const json_t *input)
{
	const json_t *list = json_object_get(input, "known");
	json_t *known;
	size_t i;

	json_array_foreach(list, i, known)
		printf("  %-*s %s, as %s %s\n", NAME_WIDTH, "known in",
			json_text_of(known, "output"),
			json_text_of(known, "as"), json_text_of(known, "name"));
	if (json_array_size(list) == 0)
		show_line("known in", "no campaign here");
}

static void
show_print_input(const json_t *input)
{
	char text[64];

	puts(json_text_of(input, "path"));
	snprintf(text, sizeof(text), "%" PRIu64 " bytes",
		json_count_of(input, "len"));
	show_line("size", text);
	show_line("sha256", json_text_of(input, "sha256"));
	show_print_known(input);
	show_print_lineage(input);
	show_print_bytes(input, "content", json_count_of(input, "len"));
}

/* ---- a campaign --------------------------------------------------------- */

/* Prints the types of a typed target. */
static void
show_print_types(const json_t *c)
{
	const json_t *types = json_object_get(c, "types");
	size_t i;

	if (json_array_size(types) == 0)
		return;
	printf("  %-*s", NAME_WIDTH, "takes");
	for (i = 0; i < json_array_size(types); i++)
		printf("%s %s", i > 0 ? "," : "",
			json_string_value(json_array_get(types, i)));
	putchar('\n');
}

static void
show_print_campaign(const json_t *c)
{
	const json_t *args = json_object_get(c, "args");
	char text[64], word[512];
	size_t i;

	puts(json_text_of(c, "path"));
	show_line("target", json_text_of(c, "target"));
	if (json_array_size(args) > 0)
		printf("  %-*s", NAME_WIDTH, "arguments");
	for (i = 0; i < json_array_size(args); i++) {
		text_quote(json_string_value(json_array_get(args, i)), word,
			sizeof(word));
		printf(" %s", word);
	}
	if (i > 0)
		putchar('\n');
	show_print_types(c);
	snprintf(text, sizeof(text), "%" PRIu64 " %s",
		json_count_of(c, "corpus"),
		json_count_of(c, "corpus") == 1 ? "input" : "inputs");
	show_line("corpus", text);
	snprintf(text, sizeof(text), "%" PRIu64 ", listed by cfuzz findings",
		json_count_of(c, "findings"));
	show_line("findings", text);
	snprintf(text, sizeof(text), "%" PRIu64, json_count_of(c, "suspects"));
	show_line("suspects", text);
}

static enum exit_status
show_run(struct tool *tool, struct error *err)
{
	json_t *object = engine_show(tool->operands[0], tool->operands[1], err);
	const char *type = json_text_of(object, "type");

	if (object == NULL)
		return EXIT_SETUP;
	if (tool->settings.json)
		tool_print_json(object, JSON_INDENT(2));
	else if (strcmp(type, "finding") == 0)
		show_print_finding(object);
	else if (strcmp(type, "input") == 0)
		show_print_input(object);
	else
		show_print_campaign(object);
	json_decref(object);
	return EXIT_NOTHING;
}

const struct tool_command cli_show = {
	.help = help,
	.options = TOOL_OPTIONS(OPT_JSON),
	.least = 1,
	.most = 2,
	.missing = "name an output directory or a file: cfuzz show OUT "
		   "ID",
	.output_from = 2,
	.run = show_run,
};

/* report_markdown: Markdown for bug reports, and what GitHub Actions reads. */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "cli/report/report.h"
#include "cli/tool.h"

#define MARKDOWN_DUMP 512 /* bytes */

/* In code spans and blocks only a backtick means something. */
static void
markdown_put_code(FILE *to, const char *text)
{
	for (; *text != '\0'; text++)
		fputc(*text == '`' ? '\'' : *text, to);
}

/* In other text all ASCII punctuation may be escaped (CommonMark 2.4). */
static void
markdown_put_text(FILE *to, const char *text)
{
	for (; *text != '\0'; text++) {
		if (strchr("\\`*_{}[]<>()#+-!|&~@", *text) != NULL)
			fputc('\\', to);
		fputc(*text, to);
	}
}

static void
markdown_finding(const json_t *finding, FILE *to)
{
	const json_t *lines = json_object_get(finding, "report"), *line;
	char title[512], state[64];
	size_t i;

	report_title(finding, title, sizeof(title));
	report_state(finding, state, sizeof(state));
	fputs("\n### ", to);
	markdown_put_text(to, title);
	fprintf(to, "\n\nSeen %" PRIu64 " times",
		json_count_of(finding, "count"));
	if (strcmp(json_text_of(finding, "again"), "-") != 0)
		fprintf(to, "; replays that failed: %s",
			json_text_of(finding, "again"));
	fputs("; ", to);
	markdown_put_text(to, state);
	fputs(".\n\n```\n", to);
	json_array_foreach(lines, i, line) {
		markdown_put_code(to, json_string_value(line));
		fputc('\n', to);
	}
	fprintf(to, "```\n\nThe input (%" PRIu64 " bytes",
		json_count_of(finding, "minimized_len") > 0
			? json_count_of(finding, "minimized_len")
			: json_count_of(finding, "len"));
	fputs(strcmp(json_text_of(finding, "data_of"), "minimized") == 0
			? ", minimized):\n\n```\n"
			: "):\n\n```\n",
		to);
	report_put_dump(to, finding, MARKDOWN_DUMP, markdown_put_code);
	fputs("```\n\nRun it again: `", to);
	markdown_put_code(to, json_text_of(finding, "command"));
	fputs("`\n", to);
}

void
report_markdown(const json_t *report, FILE *to)
{
	const json_t *findings = json_object_get(report, "findings"), *finding;
	const json_t *stats = json_object_get(report, "stats");
	char execs[TEXT_NUMBER_SIZE], bits[TEXT_NUMBER_SIZE];
	size_t i, failed = 0;

	fputs("## cfuzz: ", to);
	markdown_put_text(to,
		json_text_of(json_object_get(report, "campaign"), "target"));
	json_array_foreach(findings, i, finding)
		failed += report_excuse(finding) == NULL;
	fprintf(to, "\n\nDistinct findings: %zu", json_array_size(findings));
	if (json_is_true(json_object_get(report, "ci")))
		fprintf(to, ", new: %zu", failed);
	fprintf(to,
		", in %s executions; %s coverage bits, %" PRIu64
		" inputs in the corpus.\n",
		text_count(json_count_of(stats, "past_execs") +
				json_count_of(stats, "execs"),
			execs),
		text_count(json_count_of(stats, "coverage_bits"), bits),
		json_count_of(json_object_get(report, "campaign"), "corpus"));
	json_array_foreach(findings, i, finding)
		markdown_finding(finding, to);
}

/* ---- GitHub ---- */

/* Escapes text for a workflow command: in a property, colons and commas are
 * special, too. */
static void
github_put(FILE *to, const char *text, bool property)
{
	for (; *text != '\0'; text++)
		if (*text == '%' || *text == '\r' || *text == '\n' ||
			(property && (*text == ':' || *text == ',')))
			fprintf(to, "%%%02X", (unsigned char)*text);
		else
			fputc(*text, to);
}

void
report_github(const json_t *report, FILE *to)
{
	const json_t *findings = json_object_get(report, "findings"), *finding;
	struct report_place place;
	const char *excuse;
	char title[512];
	size_t i;

	json_array_foreach(findings, i, finding) {
		report_title(finding, title, sizeof(title));
		excuse = report_excuse(finding);
		fputs(excuse == NULL ? "::error " : "::notice ", to);
		if (report_place(finding, &place)) {
			fputs("file=", to);
			github_put(to, place.path, true);
			fprintf(to, ",line=%lld,", (long long)place.line);
		}
		fputs("title=cfuzz", to);
		if (excuse != NULL) {
			fputs(" (", to);
			github_put(to, excuse, true);
			fputc(')', to);
		}
		fputs("::", to);
		github_put(to, title, false);
		fputs(" - ", to);
		github_put(to, json_text_of(finding, "command"), false);
		fputc('\n', to);
	}
}

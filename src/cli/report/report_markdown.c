/* report_markdown: Markdown for bug reports, and what GitHub Actions reads. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "cli/report/report.h"
#include "cli/tool.h"

#define MARKDOWN_DUMP 512 /* bytes */
/* Less than GitHub's limit, 1 MiB: the head and others' texts come with it. */
#define SUMMARY_MAX (900u << 10)

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
markdown_put_command(const json_t *finding, FILE *to)
{
	const char *command = json_text_of(finding, "command");

	if (command[0] == '\0')
		return;
	fputs("\nRun it again: `", to);
	markdown_put_code(to, command);
	fputs("`\n", to);
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
	fputs("```\n", to);
	markdown_put_command(finding, to);
}

static void
markdown_head(const json_t *report, FILE *to)
{
	const json_t *findings = json_object_get(report, "findings"), *finding;
	const json_t *stats = json_object_get(report, "stats");
	const char *trouble = json_text_of(report, "trouble");
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
	if (trouble[0] == '\0')
		return;
	fputs("\n**Trouble**: ", to);
	markdown_put_text(to, trouble);
	fputs(".\n", to);
}

void
report_markdown(const json_t *report, FILE *to)
{
	const json_t *findings = json_object_get(report, "findings"), *finding;
	size_t i;

	markdown_head(report, to);
	json_array_foreach(findings, i, finding)
		markdown_finding(finding, to);
}

/* ---- GitHub ---- */

struct summary {
	FILE *to;
	size_t room; /* bytes */
	bool *told;  /* for each finding */
};

typedef void summary_fn(const json_t *finding, FILE *to);

static void
summary_line(const json_t *finding, FILE *to)
{
	char title[512], state[64];

	report_title(finding, title, sizeof(title));
	report_state(finding, state, sizeof(state));
	fputs("- ", to);
	markdown_put_text(to, title);
	if (report_excuse(finding) != NULL) {
		fputs(" (", to);
		markdown_put_text(to, state);
		fputc(')', to);
	}
	fputc('\n', to);
}

/* The text of a finding; to be freed. */
static char *
summary_text(summary_fn *put, const json_t *finding, size_t *len)
{
	char *text = NULL;
	FILE *memory = open_memstream(&text, len);

	if (memory == NULL)
		xmalloc_fail();
	put(finding, memory);
	if (fclose(memory) != 0)
		xmalloc_fail();
	return text;
}

/* Tells of a finding if `keep` bytes are left then. */
static bool
summary_tell(struct summary *s, summary_fn *put, const json_t *finding,
	size_t keep)
{
	size_t len;
	char *text = summary_text(put, finding, &len);
	bool fits = len + keep <= s->room;

	if (fits) {
		(void)fwrite(text, 1, len, s->to);
		s->room -= len;
	}
	free(text);
	return fits;
}

/* Failures are told in full as long as there is room to name all others. */
static void
summary_tell_failures(struct summary *s, const json_t *findings)
{
	const json_t *finding;
	size_t i, len, keep = 0;

	json_array_foreach(findings, i, finding)
		if (report_excuse(finding) == NULL) {
			free(summary_text(summary_line, finding, &len));
			keep += len;
		}
	json_array_foreach(findings, i, finding) {
		if (report_excuse(finding) != NULL)
			continue;
		free(summary_text(summary_line, finding, &len));
		s->told[i] =
			summary_tell(s, markdown_finding, finding, keep - len);
		if (s->told[i])
			keep -= len;
	}
}

/* A line for each finding that is not told yet. */
static void
summary_name_others(struct summary *s, const json_t *findings, bool excused)
{
	const json_t *finding;
	size_t i;

	json_array_foreach(findings, i, finding)
		if (!s->told[i] && (report_excuse(finding) != NULL) == excused)
			s->told[i] = summary_tell(s, summary_line, finding, 0);
}

/* How many are not told yet. */
static size_t
summary_others(const struct summary *s, const json_t *findings, bool excused)
{
	const json_t *finding;
	size_t i, n = 0;

	json_array_foreach(findings, i, finding)
		n += !s->told[i] && (report_excuse(finding) != NULL) == excused;
	return n;
}

void
report_summary(const json_t *report, size_t used, FILE *to)
{
	const json_t *findings = json_object_get(report, "findings");
	struct summary s = {
		.to = to,
		.room = used < SUMMARY_MAX ? SUMMARY_MAX - used : 0,
		.told = xcalloc(json_array_size(findings) + 1, sizeof(bool)),
	};
	size_t failures, others;

	markdown_head(report, to);
	summary_tell_failures(&s, findings);
	failures = summary_others(&s, findings, false);
	if (failures > 0 && s.room > 0)
		fprintf(to, "\n%zu more, see the report:\n\n", failures);
	summary_name_others(&s, findings, false);
	if (summary_others(&s, findings, true) > 0)
		fputc('\n', to);
	summary_name_others(&s, findings, true);
	others = summary_others(&s, findings, false) +
		summary_others(&s, findings, true);
	if (others > 0)
		fprintf(to, "\n%zu more: see the report\n", others);
	free(s.told);
}

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
	const char *excuse, *command, *trouble;
	char title[512];
	size_t i;

	trouble = json_text_of(report, "trouble");
	if (trouble[0] != '\0') {
		fputs("::error title=cfuzz::", to);
		github_put(to, trouble, false);
		fputc('\n', to);
	}
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
		command = json_text_of(finding, "command");
		fputs(command[0] != '\0' ? " - " : "", to);
		github_put(to, command, false);
		fputc('\n', to);
	}
}

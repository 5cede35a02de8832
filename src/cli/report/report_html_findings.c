/* report_html_findings: the findings of the page, each in an element that opens. */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "cli/report/report_html.h"
#include "cli/tool.h"

#define FINDING_DUMP 1024          /* bytes of an input */
#define FINDING_REPORT (12u << 10) /* bytes of its report */
#define FINDING_MUTATIONS 64       /* mutations of a mutation log */

/* A report marks the line of the failure with an arrow. */
static void
finding_put_line(FILE *to, const char *line)
{
	bool marked = line[strspn(line, " ")] == '>';

	fputs(marked ? "<mark>" : "", to);
	report_put_xml(to, line);
	fputs(marked ? "</mark>\n" : "\n", to);
}

static void
finding_put_report(const json_t *finding, FILE *to)
{
	const json_t *lines = json_object_get(finding, "report"), *line;
	size_t i, len = 0;

	if (json_array_size(lines) == 0)
		return;
	fputs("<h3>What happened, and where</h3>\n<pre>", to);
	json_array_foreach(lines, i, line) {
		len += json_string_length(line);
		if (len > FINDING_REPORT) {
			fputs("(cut: report.txt has all of it)\n", to);
			break;
		}
		finding_put_line(to, json_string_value(line));
	}
	fputs("</pre>\n", to);
}

static void
finding_put_input(const json_t *finding, FILE *to)
{
	bool minimized =
		strcmp(json_text_of(finding, "data_of"), "minimized") == 0;
	uint64_t len =
		json_count_of(finding, minimized ? "minimized_len" : "len");
	char text[TEXT_NUMBER_SIZE];

	fprintf(to, "<h3>%s, %s byte%s%s</h3>\n",
		minimized ? "Minimized input" : "Input", text_count(len, text),
		len == 1 ? "" : "s",
		len > FINDING_DUMP ? ", of which these are the first" : "");
	if (minimized)
		fprintf(to,
			"<p class=dim>Smaller inputs that were tried do not "
			"fail in this way. It was found with %s bytes.</p>\n",
			text_count(json_count_of(finding, "len"), text));
	fputs("<pre>", to);
	report_put_dump(to, finding, FINDING_DUMP, report_put_xml);
	fputs("</pre>\n", to);
	if (json_text_of(finding, "call")[0] == '\0')
		return;
	fputs("<pre>", to);
	report_put_xml(to, json_text_of(finding, "call"));
	fputs("</pre>\n", to);
}

static void
finding_put_ancestors(const json_t *finding, FILE *to)
{
	const json_t *entries = json_object_get(finding, "ancestors");
	size_t n = json_array_size(entries);

	if (n == 0)
		return;
	fputs("<p class=dim>Inputs of the corpus that it descends from, the "
	      "first one first: ",
		to);
	for (size_t i = n; i-- > 0;) {
		fputs("<code>", to);
		report_put_xml(to,
			json_string_value(json_array_get(entries, i)));
		fputs(i > 0 ? "</code>, " : "</code>.</p>\n", to);
	}
}

static void
finding_put_mutation_log(const json_t *finding, FILE *to)
{
	const json_t *log = json_object_get(finding, "trail"), *mutation;
	size_t i, n = json_array_size(log);

	if (n == 0 &&
		json_array_size(json_object_get(finding, "ancestors")) == 0)
		return;
	fputs("<h3>How it came about</h3>\n", to);
	finding_put_ancestors(finding, to);
	if (n == 0)
		return;
	fprintf(to,
		"<p class=dim>%zu mutation%s made the failing input from the "
		"last of them:</p>\n<ol>\n",
		n, n == 1 ? "" : "s");
	json_array_foreach(log, i, mutation) {
		if (i == FINDING_MUTATIONS)
			break;
		fputs("<li>", to);
		report_put_xml(to, json_text_of(mutation, "op"));
		fprintf(to,
			" <span class=dim>at byte %" PRIu64 ", %" PRIu64
			" bytes</span></li>\n",
			json_count_of(mutation, "offset"),
			json_count_of(mutation, "len"));
	}
	fputs("</ol>\n", to);
	if (i < n)
		fprintf(to, "<p class=dim>%zu more are not shown.</p>\n",
			n - i);
}

static void
finding_put_title(const json_t *finding, FILE *to)
{
	char title[512], state[64], buf[TEXT_NUMBER_SIZE];
	uint64_t count = json_count_of(finding, "count");

	report_title(finding, title, sizeof(title));
	report_state(finding, state, sizeof(state));
	fprintf(to, "<b class=%s>", report_is_open(finding) ? "bad" : "dim");
	report_put_xml(to, title);
	fprintf(to, "</b> <span class=dim>seen %s time%s, ",
		text_count(count, buf), count == 1 ? "" : "s");
	report_put_xml(to, state);
	if (strcmp(json_text_of(finding, "again"), "-") != 0)
		fprintf(to, ", replays that failed: %s",
			json_text_of(finding, "again"));
	fputs("</span>", to);
}

static void
finding_put_note(const json_t *finding, FILE *to)
{
	if (json_text_of(finding, "note")[0] == '\0')
		return;
	fputs("<p>Note: ", to);
	report_put_xml(to, json_text_of(finding, "note"));
	fputs("</p>\n", to);
}

static void
finding_put_command(const json_t *finding, FILE *to)
{
	const char *command = json_text_of(finding, "command");

	if (command[0] == '\0')
		return;
	fputs("<h3>Run it again</h3>\n<pre class=command>", to);
	report_put_xml(to, command);
	fputs("</pre>\n", to);
}

static void
finding_put(const json_t *finding, bool opened, FILE *to)
{
	fprintf(to, "<details%s><summary>", opened ? " open" : "");
	finding_put_title(finding, to);
	fputs("</summary>\n", to);
	finding_put_note(finding, to);
	finding_put_report(finding, to);
	finding_put_input(finding, to);
	finding_put_command(finding, to);
	finding_put_mutation_log(finding, to);
	fputs("</details>\n", to);
}

void
report_html_findings(const json_t *findings, FILE *to)
{
	long end = ftell(to) + REPORT_HTML_FINDINGS;
	const json_t *finding;
	size_t i;

	if (json_array_size(findings) == 0) {
		fputs("<section id=findings>\n<h2>Nothing was found</h2>\n</section>\n",
			to);
		return;
	}
	fputs("<section id=findings>\n<h2>Findings</h2>\n<p class=dim>A finding is all "
	      "failures of one kind at one place. It was seen as often as an "
	      "execution failed so. Replays ran its input again, each in a "
	      "process of its own, to see whether the input alone makes the "
	      "target fail.</p>\n",
		to);
	json_array_foreach(findings, i, finding) {
		if (ftell(to) < end) {
			finding_put(finding, i == 0, to);
			continue;
		}
		fputs("<p>", to);
		finding_put_title(finding, to);
		fputs(" <span class=dim>(not shown: the page would be too "
		      "large)</span></p>\n",
			to);
	}
	fputs("</section>\n", to);
}

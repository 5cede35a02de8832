/* report_junit: see report.h. The XML that JUnit's readers share. */
#include <inttypes.h>
#include <string.h>

#include "cli/report/report.h"
#include "cli/tool.h"

static void
junit_put_attribute(FILE *to, const char *name, const char *text)
{
	fprintf(to, " %s=\"", name);
	report_put_xml(to, text);
	fputc('"', to);
}

static void
junit_finding(const json_t *finding, const char *target, FILE *to)
{
	const json_t *lines = json_object_get(finding, "report"), *line;
	char title[512];
	size_t i;

	report_title(finding, title, sizeof(title));
	fputs("  <testcase", to);
	junit_put_attribute(to, "classname", target);
	junit_put_attribute(to, "name", title);
	fputs(">\n", to);
	if (!report_is_open(finding)) {
		fputs("   <skipped", to);
		junit_put_attribute(to, "message",
			report_is_of_this_build(finding)
				? tool_text(finding, "state")
				: tool_text(finding, "standing"));
		fputs("/>\n  </testcase>\n", to);
		return;
	}
	fputs("   <failure", to);
	junit_put_attribute(to, "type", tool_text(finding, "class"));
	junit_put_attribute(to, "message", title);
	fputc('>', to);
	report_put_xml(to, tool_text(finding, "command"));
	fputc('\n', to);
	json_array_foreach(lines, i, line) {
		report_put_xml(to, json_string_value(line));
		fputc('\n', to);
	}
	fputs("</failure>\n  </testcase>\n", to);
}

void
report_junit(const json_t *report, FILE *to)
{
	const json_t *findings = json_object_get(report, "findings"), *finding;
	const json_t *stats = json_object_get(report, "stats");
	const char *target =
		tool_text(json_object_get(report, "campaign"), "target");
	size_t i, n = json_array_size(findings), open = 0;
	double seconds = json_number_value(json_object_get(stats, "elapsed_s"));

	json_array_foreach(findings, i, finding)
		open += report_is_open(finding);
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", to);
	fprintf(to,
		"<testsuites tests=\"%zu\" failures=\"%zu\">\n <testsuite "
		"tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\" "
		"time=\"%.3f\"",
		n + 1, open, n + 1, open, n - open, seconds);
	junit_put_attribute(to, "name", "cfuzz");
	fputs(">\n  <testcase", to);
	junit_put_attribute(to, "classname", target);
	fprintf(to, " name=\"campaign\" time=\"%.3f\"/>\n", seconds);
	json_array_foreach(findings, i, finding)
		junit_finding(finding, target, to);
	fputs(" </testsuite>\n</testsuites>\n", to);
}

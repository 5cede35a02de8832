/* report_junit: see report.h. The XML that JUnit's readers share. */

#include "cli/report/report.h"
#include "cli/tool.h"

static void
junit_put_attribute(FILE *to, const char *name, const char *text)
{
	fprintf(to, " %s=\"", name);
	report_put_xml(to, text);
	fputc('"', to);
}

/* The report of the target, and the command that runs the finding again. */
static void
junit_put_report(FILE *to, const json_t *finding)
{
	const json_t *lines = json_object_get(finding, "report"), *line;
	size_t i;

	report_put_xml(to, json_text_of(finding, "command"));
	fputc('\n', to);
	json_array_foreach(lines, i, line) {
		report_put_xml(to, json_string_value(line));
		fputc('\n', to);
	}
}

/* Readers take two cases of the same name for one, so the name has the bucket
 * or id. */
static void
junit_put_name(FILE *to, const json_t *finding, const char *title)
{
	const char *bucket = json_text_of(finding, "bucket");
	const char *id =
		bucket[0] != '\0' ? bucket : json_text_of(finding, "id");
	char name[576];

	snprintf(name, sizeof(name), "%s [%.8s]", title, id);
	junit_put_attribute(to, "name", name);
}

/* An element's text is all that some readers show of a skipped case. */
static void
junit_finding(const json_t *finding, const char *target, FILE *to)
{
	const char *excuse = report_excuse(finding);
	const char *element = excuse != NULL ? "skipped" : "failure";
	char title[512];

	report_title(finding, title, sizeof(title));
	fputs("  <testcase", to);
	junit_put_attribute(to, "classname", target);
	junit_put_name(to, finding, title);
	fprintf(to, ">\n   <%s", element);
	if (excuse == NULL)
		junit_put_attribute(to, "type", json_text_of(finding, "class"));
	junit_put_attribute(to, "message", excuse != NULL ? excuse : title);
	fputc('>', to);
	junit_put_report(to, finding);
	fprintf(to, "</%s>\n  </testcase>\n", element);
}

/* The campaign is a case as well: what is wrong with it is no finding. */
static void
junit_campaign(const char *target, double seconds, const char *trouble,
	FILE *to)
{
	fputs("  <testcase", to);
	junit_put_attribute(to, "classname", target);
	fprintf(to, " name=\"campaign\" time=\"%.3f\"", seconds);
	if (trouble[0] != '\0') {
		fputs(">\n   <error", to);
		junit_put_attribute(to, "message", trouble);
		fputs("/>\n  </testcase>\n", to);
	} else {
		fputs("/>\n", to);
	}
}

void
report_junit(const json_t *report, FILE *to)
{
	const json_t *findings = json_object_get(report, "findings"), *finding;
	const json_t *stats = json_object_get(report, "stats");
	const char *target =
		json_text_of(json_object_get(report, "campaign"), "target");
	const char *trouble = json_text_of(report, "trouble");
	int errors = trouble[0] != '\0';
	size_t i, n = json_array_size(findings), failed = 0;
	double seconds = json_number_value(json_object_get(stats, "elapsed_s"));

	json_array_foreach(findings, i, finding)
		failed += report_excuse(finding) == NULL;
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", to);
	fprintf(to,
		"<testsuites tests=\"%zu\" failures=\"%zu\" errors=\"%d\">\n "
		"<testsuite tests=\"%zu\" failures=\"%zu\" errors=\"%d\" "
		"skipped=\"%zu\" time=\"%.3f\"",
		n + 1, failed, errors, n + 1, failed, errors, n - failed,
		seconds);
	junit_put_attribute(to, "name", "cfuzz");
	fputs(">\n", to);
	junit_campaign(target, seconds, trouble, to);
	json_array_foreach(findings, i, finding)
		junit_finding(finding, target, to);
	fputs(" </testsuite>\n</testsuites>\n", to);
}

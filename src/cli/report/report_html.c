/* report_html: see report.h. One page; its style follows the reader's theme. */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "cli/report/report.h"
#include "cli/tool.h"

#define HTML_DUMP 1024          /* bytes of an input */
#define HTML_REPORT (12u << 10) /* bytes of a finding's report */
#define HTML_STEPS 64           /* mutations of a trail */
#define HTML_WIDTH 600.0
#define HTML_HEIGHT 150.0

static const char html_head[] =
	"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	"<meta charset=\"utf-8\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, "
	"initial-scale=1\">\n"
	"<meta name=\"color-scheme\" content=\"light dark\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
	"'none'; style-src 'unsafe-inline'\">\n"
	"<title>cfuzz report</title>\n<style>\n"
	":root{--back:#fff;--fore:#1b1f24;--dim:#5a6472;--line:#d5dae1;"
	"--card:#f5f7fa;--mark:#1f5fbf;--bad:#b3261e}\n"
	"@media(prefers-color-scheme:dark){:root{--back:#14171c;"
	"--fore:#e6e9ee;--dim:#9aa5b4;--line:#313842;--card:#1d2229;"
	"--mark:#7fb2ff;--bad:#ff8a80}}\n"
	"body{margin:auto;padding:1em;max-width:70em;background:var(--back);"
	"color:var(--fore);font:16px/1.5 system-ui,sans-serif}\n"
	"h1{font-size:1.4em;overflow-wrap:anywhere}h2{font-size:1.15em}\n"
	"table{border-collapse:collapse}td,th{text-align:left;"
	"vertical-align:top;padding:.25em 1em .25em 0}\n"
	"td.n{text-align:right;white-space:nowrap;"
	"font-variant-numeric:tabular-nums}\n"
	"td.d,.d{color:var(--dim)}\n"
	"pre{overflow-x:auto;background:var(--card);padding:.8em;"
	"border-radius:6px;font:14px/1.4 ui-monospace,monospace}\n"
	"details{border:1px solid var(--line);border-radius:6px;"
	"padding:.6em .8em;margin:.6em 0}\n"
	"summary{cursor:pointer;overflow-wrap:anywhere}"
	"summary b{color:var(--bad)}\n"
	".wide{overflow-x:auto}svg{width:100%;height:9em;display:block;"
	"border-bottom:1px solid var(--line)}\n"
	"path{fill:none;stroke:var(--mark);stroke-width:2;"
	"vector-effect:non-scaling-stroke}\n"
	"</style>\n</head>\n<body>\n";

/* ---- numbers ---- */

static const struct number {
	const char *label, *member, *explained;
	bool seconds;
} NUMBERS[] = {
	{ "executions", "execs",
		"runs of the target in the last run of the "
		"campaign",
		false },
	{ "time", "elapsed_s", "of the last run, without pauses", true },
	{ "executions per second", "execs_per_sec_avg", "on average", false },
	{ "coverage bits", "coverage_bits",
		"edges of the target, counted "
		"again for each class of how often one was hit",
		false },
	{ "edges hit", "counters_hit",
		"places between two branches that "
		"inputs have reached",
		false },
	{ "edges", "counters_total", "that the target has", false },
	{ "corpus", "corpus", "inputs that together have all this coverage",
		false },
	{ "crashes", "crashes",
		"distinct: failures of the same kind at the "
		"same place count once",
		false },
	{ "hangs", "hangs", "distinct inputs past the time limit", false },
	{ "out of memory", "ooms", "distinct inputs past the memory limit",
		false },
	{ "leaks", "leaks", "distinct places whose memory is never freed",
		false },
};

static void
html_number(const struct number *number, const json_t *stats, FILE *to)
{
	double value =
		json_number_value(json_object_get(stats, number->member));
	char text[TEXT_NUMBER_SIZE];

	if (value < 0 || value > 1e18)
		value = 0;
	if (number->seconds)
		(void)text_clock(value, text);
	else
		(void)text_count((uint64_t)value, text);
	fprintf(to, "<tr><th>%s<td class=n>%s<td class=d>%s\n", number->label,
		text, number->explained);
}

/* ---- the curve ---- */

static double
html_point(const json_t *curve, size_t i, size_t k)
{
	return json_number_value(json_array_get(json_array_get(curve, i), k));
}

static void
html_curve(const json_t *curve, double end_s, FILE *to)
{
	size_t n = json_array_size(curve);
	double top = n > 0 ? html_point(curve, n - 1, 1) : 0, y = HTML_HEIGHT;
	char text[TEXT_NUMBER_SIZE];

	if (n == 0 || top <= 0)
		return;
	if (end_s < html_point(curve, n - 1, 0))
		end_s = html_point(curve, n - 1, 0);
	if (end_s <= 0)
		end_s = 1;
	fprintf(to,
		"<h2>Coverage over time</h2>\n<svg viewBox=\"0 0 %.0f %.0f\" "
		"preserveAspectRatio=\"none\" role=\"img\" "
		"aria-label=\"coverage bits over time\"><path d=\"M0 %.0f",
		HTML_WIDTH, HTML_HEIGHT, HTML_HEIGHT);
	for (size_t i = 0; i < n; i++) {
		double x = HTML_WIDTH * html_point(curve, i, 0) / end_s;

		fprintf(to, "L%.1f %.1f", x, y);
		y = HTML_HEIGHT -
			(HTML_HEIGHT - 4) * html_point(curve, i, 1) / top;
		fprintf(to, "L%.1f %.1f", x, y);
	}
	fprintf(to,
		"L%.0f %.1f\"/></svg>\n<p class=d>%.0f bits that new inputs "
		"have added, in %s\n",
		HTML_WIDTH, y, top, text_clock(end_s, text));
}

/* ---- findings ---- */

static void
html_report(const json_t *finding, FILE *to)
{
	const json_t *lines = json_object_get(finding, "report"), *line;
	size_t i, len = 0;

	fputs("<pre>", to);
	json_array_foreach(lines, i, line) {
		len += json_string_length(line);
		if (len > HTML_REPORT) {
			fputs("(cut: report.txt has all of it)\n", to);
			break;
		}
		report_put_xml(to, json_string_value(line));
		fputc('\n', to);
	}
	fputs("</pre>\n", to);
}

static void
html_trail(const json_t *finding, FILE *to)
{
	const json_t *trail = json_object_get(finding, "trail"), *step;
	size_t i, n = json_array_size(trail);

	if (n == 0)
		return;
	fprintf(to,
		"<details><summary>%zu mutations made it from an input of the "
		"corpus</summary><table>",
		n);
	json_array_foreach(trail, i, step) {
		if (i == HTML_STEPS)
			break;
		fputs("<tr><td>", to);
		report_put_xml(to, tool_text(step, "op"));
		fprintf(to, "<td class=d>at %" PRIu64 ", %" PRIu64 " bytes\n",
			tool_number(step, "offset"), tool_number(step, "len"));
	}
	fputs("</table></details>\n", to);
}

static void
html_input(const json_t *finding, FILE *to)
{
	bool minimized =
		strcmp(tool_text(finding, "data_of"), "minimized") == 0;

	fprintf(to, "<p>Its %sinput, %" PRIu64 " bytes%s:\n<pre>",
		minimized ? "minimized " : "",
		tool_number(finding, minimized ? "minimized_len" : "len"),
		tool_number(finding, minimized ? "minimized_len" : "len") >
				HTML_DUMP
			? ", of which the first are"
			: "");
	report_put_dump(to, finding, HTML_DUMP, report_put_xml);
	fputs("</pre>\n", to);
}

static void
html_finding(const json_t *finding, bool opened, FILE *to)
{
	char title[512], buf[TEXT_NUMBER_SIZE];

	report_title(finding, title, sizeof(title));
	fprintf(to, "<details%s><summary>", opened ? " open" : "");
	fputs(report_is_open(finding) ? "<b>" : "<i>", to);
	report_put_xml(to, title);
	fputs(report_is_open(finding) ? "</b>" : "</i>", to);
	fprintf(to, " <span class=d>seen %s times, ",
		text_count(tool_number(finding, "count"), buf));
	report_put_xml(to, tool_text(finding, "state"));
	if (strcmp(tool_text(finding, "standing"), "open") != 0) {
		fputs(", ", to);
		report_put_xml(to, tool_text(finding, "standing"));
	}
	if (tool_number(finding, "replays") > 0)
		fprintf(to, ", %" PRIu64 " of %" PRIu64 " replays failed",
			tool_number(finding, "reproduced"),
			tool_number(finding, "replays"));
	fputs("</span></summary>\n", to);
	if (tool_text(finding, "note")[0] != '\0') {
		fputs("<p>Note: ", to);
		report_put_xml(to, tool_text(finding, "note"));
		fputc('\n', to);
	}
	html_report(finding, to);
	html_input(finding, to);
	fputs("<p>Run it again:\n<pre>", to);
	report_put_xml(to, tool_text(finding, "command"));
	fputs("</pre>\n", to);
	html_trail(finding, to);
	fputs("</details>\n", to);
}

void
report_html(const json_t *report, FILE *to)
{
	const json_t *findings = json_object_get(report, "findings"), *finding;
	const json_t *stats = json_object_get(report, "stats");
	size_t i, n = json_array_size(findings);

	fputs(html_head, to);
	fputs("<h1>cfuzz: ", to);
	report_put_xml(to,
		tool_text(json_object_get(report, "campaign"), "target"));
	fputs("</h1>\n<div class=wide><table>\n", to);
	for (i = 0; i < sizeof(NUMBERS) / sizeof(NUMBERS[0]); i++)
		html_number(&NUMBERS[i], stats, to);
	fputs("</table></div>\n", to);
	html_curve(json_object_get(report, "curve"),
		json_number_value(json_object_get(stats, "elapsed_s")) +
			json_number_value(json_object_get(stats, "past_s")),
		to);
	fprintf(to, "<h2>%s</h2>\n", n > 0 ? "Findings" : "Nothing was found");
	json_array_foreach(findings, i, finding)
		html_finding(finding, i == 0, to);
	fputs("</body>\n</html>\n", to);
}

/*
 * report_html: see report.h. One page; its colours follow the reader's theme.
 * What does not fit into its bounds is left out, and the page says so.
 */
#include <string.h>

#include "base/text.h"
#include "cli/report/report_html.h"
#include "cli/tool.h"

#define HTML_WIDTH 1000.0
#define HTML_HEIGHT 240.0

/* clang-format off */
/* The assembler reads a file and ends it with a zero byte. */
__asm__(".pushsection .rodata\n"
	".global report_style\n.hidden report_style\n"
	"report_style:\n.incbin \"src/cli/report/report.css\"\n.byte 0\n"
	".popsection\n");
extern const char report_style[];
/* clang-format on */

static const char html_head[] =
	"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
	"<meta charset=\"utf-8\">\n"
	"<meta name=\"viewport\" content=\"width=device-width, "
	"initial-scale=1\">\n"
	"<meta name=\"color-scheme\" content=\"light dark\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
	"'none'; style-src 'unsafe-inline'; img-src data:\">\n"
	"<link rel=\"icon\" href=\"data:,\">\n<title>cfuzz report: ";

/* ---- numbers ---- */

enum number_form {
	NUMBER_COUNT,
	NUMBER_TIME,
	NUMBER_PERCENT,
	NUMBER_IF_ANY, /* a count that is left out if it is 0 */
	NUMBER_FILES,  /* a count of files of the output directory */
};

static const struct number {
	const char *label, *member, *explained;
	enum number_form form;
} NUMBERS[] = {
	{ "executions", "execs",
		"The latest run has run the target so often with an input.",
		NUMBER_COUNT },
	{ "earlier executions", "past_execs",
		"The same of the runs of this campaign before the latest one.",
		NUMBER_IF_ANY },
	{ "time", "elapsed_s", "How long the latest run took, without pauses.",
		NUMBER_TIME },
	{ "executions per second", "execs_per_sec_avg",
		"All workers together, averaged over the latest run.",
		NUMBER_COUNT },
	{ "coverage bits", "coverage_bits",
		"Each edge hit counts once for each class of how often one input "
		"hit it: 1, 2, 3, 4 to 7, and so on. More than the edges, "
		"because loops count.",
		NUMBER_COUNT },
	{ "edges hit", "counters_hit",
		"An edge is a step from one piece of straight code to the next. "
		"So many were taken by some input.",
		NUMBER_COUNT },
	{ "edges", "counters_total",
		"All edges of the target. Many cannot be taken from where the "
		"inputs go in.",
		NUMBER_COUNT },
	{ "corpus", "corpus",
		"Inputs that were kept because each reached something new. "
		"Together they have all the coverage.",
		NUMBER_FILES },
	{ "stability", "stability",
		"New inputs that reach the same edges when they run again. Below "
		"100 % the target depends on more than its input.",
		NUMBER_PERCENT },
	{ "crashes", "crashes",
		"Distinct ones: failures of the same kind at the same place "
		"count once.",
		NUMBER_COUNT },
	{ "hangs", "hangs", "Distinct places that exceed the time limit.",
		NUMBER_COUNT },
	{ "out of memory", "ooms",
		"Distinct places that exceed the memory limit.", NUMBER_COUNT },
	{ "leaks", "leaks", "Distinct places whose memory is never freed.",
		NUMBER_COUNT },
};

static void
html_number(const struct number *number, const json_t *report, FILE *to)
{
	const json_t *from = json_object_get(report,
		number->form == NUMBER_FILES ? "campaign" : "stats");
	double value = json_number_value(json_object_get(from, number->member));
	char text[TEXT_NUMBER_SIZE];

	if (!(value >= 0 && value <= 1e18))
		value = 0;
	if (number->form == NUMBER_IF_ANY && value == 0)
		return;
	if (number->form == NUMBER_TIME)
		(void)text_clock(value, text);
	else
		(void)text_count((uint64_t)value, text);
	fprintf(to, "<div><dt>%s</dt><dd><b>%s%s</b> %s</dd></div>\n",
		number->label, text, number->form == NUMBER_PERCENT ? " %" : "",
		number->explained);
}

static void
html_numbers(const json_t *report, FILE *to)
{
	fputs("<section id=numbers>\n<h2>Numbers</h2>\n<dl>\n", to);
	for (size_t i = 0; i < sizeof(NUMBERS) / sizeof(NUMBERS[0]); i++)
		html_number(&NUMBERS[i], report, to);
	fputs("</dl>\n</section>\n", to);
}

/* ---- the curve ---- */

static double
html_point(const json_t *curve, size_t i, size_t k)
{
	return json_number_value(json_array_get(json_array_get(curve, i), k));
}

/* The steps of the curve, then down to the axis and back if it is an area. */
static void
html_path(const json_t *curve, double end_s, double top, const char *class,
	FILE *to)
{
	size_t n = json_array_size(curve);
	double y = HTML_HEIGHT;

	fprintf(to, "<path class=%s d=\"M0 %.0f", class, HTML_HEIGHT);
	for (size_t i = 0; i < n; i++) {
		fprintf(to, "H%.1f",
			HTML_WIDTH * html_point(curve, i, 0) / end_s);
		y = HTML_HEIGHT -
			(HTML_HEIGHT - 4) * html_point(curve, i, 1) / top;
		fprintf(to, "V%.1f", y);
	}
	fprintf(to, "H%.0f%s\"/>\n", HTML_WIDTH,
		strcmp(class, "area") == 0 ? "V240Z" : "");
}

static void
html_grid(FILE *to)
{
	for (int i = 0; i < 4; i++)
		fprintf(to, "<path class=grid d=\"M0 %.0fH%.0f\"/>\n",
			4 + i * (HTML_HEIGHT - 4) / 4, HTML_WIDTH);
}

static void
html_curve(const json_t *curve, double end_s, FILE *to)
{
	size_t n = json_array_size(curve);
	double top = n > 0 ? html_point(curve, n - 1, 1) : 0;
	char counts[2][TEXT_NUMBER_SIZE], times[2][TEXT_NUMBER_SIZE];

	if (n == 0 || top <= 0)
		return;
	if (!(end_s >= html_point(curve, n - 1, 0)))
		end_s = html_point(curve, n - 1, 0);
	if (end_s <= 0)
		end_s = 1;
	text_count((uint64_t)top, counts[0]);
	text_count((uint64_t)(top / 2), counts[1]);
	text_clock(end_s, times[0]);
	text_clock(end_s / 2, times[1]);
	fprintf(to,
		"<section id=time>\n<h2>Coverage over time</h2>\n<div class=curve>\n"
		"<div class=y><span>%s</span><span>%s</span><span>0</span>"
		"</div>\n<svg viewBox=\"0 0 %.0f %.0f\" "
		"preserveAspectRatio=\"none\" role=\"img\" "
		"aria-label=\"coverage bits over time\">\n",
		counts[0], counts[1], HTML_WIDTH, HTML_HEIGHT);
	html_grid(to);
	html_path(curve, end_s, top, "area", to);
	html_path(curve, end_s, top, "line", to);
	fprintf(to,
		"</svg>\n<div class=x><span>0</span><span>%s</span><span>%s"
		"</span></div>\n</div>\n<p class=dim>Coverage bits that new "
		"inputs have added (up), by the time of the campaign (across). "
		"A curve that stays flat for most of its length finds little "
		"more in the same time again.</p>\n</section>\n",
		times[1], times[0]);
}

/* ---- the page ---- */

/* The labels and values that repeat the campaign. */
static void
html_labels(const json_t *stats, FILE *to)
{
	static const char *const labels[][2] = { { "build", "build" },
		{ "sanitizer", "sanitizer" }, { "seed", "seed" } };

	fputs("<p class=dim>", to);
	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
		const char *text = json_text_of(stats, labels[i][1]);

		fprintf(to, "%s%s ", i > 0 ? ", " : "", labels[i][0]);
		report_put_xml(to, text[0] != '\0' ? text : "none");
	}
	fputs("</p>\n", to);
}

static void
html_heading(const json_t *report, FILE *to)
{
	const json_t *findings = json_object_get(report, "findings"), *finding;
	const json_t *campaign = json_object_get(report, "campaign");
	const json_t *args = json_object_get(campaign, "args"), *arg;
	const char *trouble = json_text_of(report, "trouble");
	size_t i, open = 0, n = json_array_size(findings);
	const char *state =
		json_text_of(json_object_get(report, "stats"), "state");

	json_array_foreach(findings, i, finding)
		open += report_is_open(finding);
	fputs("<header>\n<p class=dim>cfuzz report</p>\n<h1>", to);
	report_put_xml(to, json_text_of(campaign, "target"));
	json_array_foreach(args, i, arg) {
		fputc(' ', to);
		report_put_xml(to, json_string_value(arg));
	}
	fprintf(to, "</h1>\n<p><b class=%s>%zu open finding%s</b>",
		open > 0 ? "bad" : "good", open, open == 1 ? "" : "s");
	if (n > open)
		fprintf(to, ", %zu accepted, fixed or not seen", n - open);
	if (state[0] != '\0') {
		fputs(" <span class=dim>· when this was written the campaign "
		      "was: ",
			to);
		report_put_xml(to, state);
		fputs("</span>", to);
	}
	fputs("</p>\n", to);
	if (trouble[0] != '\0') {
		fputs("<p class=bad>", to);
		report_put_xml(to, trouble);
		fputs(".</p>\n", to);
	}
	html_labels(json_object_get(report, "stats"), to);
	fputs("<nav><a href=\"#numbers\">Numbers</a> "
	      "<a href=\"#time\">Coverage over time</a> "
	      "<a href=\"#findings\">Findings</a> "
	      "<a href=\"#sources\">Coverage by source</a></nav>\n"
	      "</header>\n<main>\n",
		to);
}

void
report_html(const json_t *report, FILE *to)
{
	const json_t *stats = json_object_get(report, "stats");

	fputs(html_head, to);
	report_put_xml(to,
		json_text_of(json_object_get(report, "campaign"), "target"));
	fprintf(to, "</title>\n<style>\n%s</style>\n</head>\n<body>\n",
		report_style);
	html_heading(report, to);
	html_numbers(report, to);
	html_curve(json_object_get(report, "curve"),
		json_number_value(json_object_get(stats, "elapsed_s")) +
			json_number_value(json_object_get(stats, "past_s")),
		to);
	report_html_findings(json_object_get(report, "findings"), to);
	report_html_sources(report, to);
	fprintf(to,
		"</main>\n<footer class=dim>cfuzz %s</footer>\n</body>\n"
		"</html>\n",
		CFUZZ_VERSION);
}

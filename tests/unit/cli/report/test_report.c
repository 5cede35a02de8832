/*
 * The formats of a report: what is escaped, which frames are told, and findings
 * of which little is known.
 */
#include "cli/report/report.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/rows.h"

typedef void format_fn(const json_t *report, FILE *to);

static const char evil[] =
	"{\"campaign\": {\"target\": \"./<t>&\\\"'`|\", \"corpus\": 11}, "
	"\"stats\": {\"execs\": 5, \"corpus\": 61, \"progress_inputs\": 50, \"elapsed_s\": 2.5}, "
	"\"curve\": [[0.5, 3], [1, 7]], \"findings\": [{\"class\": \"crash\", "
	"\"what\": \"<b>\", \"where\": \"f`%,:\", \"id\": \"1\", "
	"\"state\": \"new\", \"standing\": \"open\", \"data\": \"3c26c3\", "
	"\"data_of\": \"input\", \"len\": 3, \"command\": \"run '`<x>`'\", "
	"\"report\": [\"``` </pre>\", \"]]>\"], "
	"\"trail\": [{\"op\": \"<i>\", \"offset\": 1, \"len\": 2}], "
	"\"ancestors\": [\"<s>\"]}], "
	"\"sources\": {\"inputs\": 4, \"troubles\": [\"<w>\"], \"files\": [{"
	"\"path\": \"/none/<p>.c\", \"hit\": 2, \"known\": 3, "
	"\"functions\": [[1, \"f<g>\", 0], [9, \"h\", 4], [7, \"h\", 2]], "
	"\"lines\": [[2, \"hit\", 4], [3, \"missed\", 0], "
	"[5, \"unknown\", 0], [9, \"partly\", 1]]}]}}";

/* clang-format off */
static const struct {
	const char *name;
	format_fn *write;
	const char *has, *lacks;
} EVIL[] = {
	{ "page, target", report_html, "./&lt;t&gt;&amp;&quot;&#39;`|", "<t>" },
	{ "page, title", report_html, "crash: &lt;b&gt; in f`%,:", "<b>&" },
	{ "page, report", report_html, "``` &lt;/pre&gt;", "``` </pre>" },
	{ "page, trail", report_html, "<li>&lt;i&gt; <span", "<i>" },
	{ "page, ancestor", report_html, "<code>&lt;s&gt;<", "<s>" },
	{ "page, trouble", report_html, "bad>&lt;w&gt;.<", "<w>" },
	{ "page, file", report_html, "/none/&lt;p&gt;.c ", "<p>.c" },
	{ "page, function", report_html, "reached: <code>f&lt;g&gt;</code>",
		"<g>" },
	{ "page, share", report_html, "66 %", "67 %" },
	{ "page, input", report_html, "3c 26 c3", "&c" },
	{ "page, letters", report_html, "&lt;&amp;.", "<&" },
	{ "page, corpus", report_html, "<dt>corpus</dt><dd><b>11</b>", "<b>61" },
	{ "page, curve", report_html, "d=\"M0 240H200.0V138.9H400.0V4.0H1000\"/>", "nan" },
	{ "JUnit, name", report_junit, "name=\"crash: &lt;b&gt; in f`%,: [1]\"",
		"<b>" },
	{ "JUnit, report", report_junit, "]]&gt;", "]]>" },
	{ "Markdown, title", report_markdown, "### crash: \\<b\\> in f\\`%,:",
		"<b>" },
	{ "Markdown, report", report_markdown, "''' </pre>", "``` </pre>" },
	{ "Markdown, command", report_markdown, "`run ''<x>''`", "'`<x>" },
	{ "Markdown, corpus", report_markdown, "11 inputs in the corpus", "61" },
	{ "GitHub", report_github, "::error title=cfuzz::crash: <b> in f`%25,:",
		"f`%," },
	{ "lcov, functions", report_lcov, "SF:/none/<p>.c\nFN:1,f<g>\nFN:9,h\n"
		"FNDA:0,f<g>\nFNDA:4,h\nFNF:2\nFNH:1\n", "FN:7" },
	{ "lcov, lines", report_lcov, "DA:2,4\nDA:3,0\nDA:9,1\nLF:3\nLH:2\n"
		"end_of_record\n", "DA:5" },
	{ "SARIF", report_sarif, "\"text\": \"crash: <b> in f`%,:\"",
		"codeFlows" },
	{ "SARIF, target", report_sarif,
		"\"uri\": \"%3Ct%3E%26%22%27%60%7C\"", "<t>" },
};

static const struct {
	const char *name, *finding, *title;
	const char *path; /* NULL: no place */
	long long line;
	bool open;
} FINDINGS[] = {
	{ "nothing is known", "{}", "", NULL, 0, true },
	{ "wrong types", "{\"class\": 1, \"what\": [], \"frames\": {}, "
		"\"state\": null}", "", NULL, 0, true },
	{ "a hang", "{\"class\": \"hang\", \"what\": \"hang\", "
		"\"where\": \"f\"}", "hang in f", NULL, 0, true },
	{ "without a source", "{\"class\": \"crash\", \"what\": \"SIGSEGV\", "
		"\"frames\": [{\"module\": \"m\"}, {\"function\": \"f\"}]}",
		"crash: SIGSEGV", NULL, 0, true },
	{ "the caller has one", "{\"frames\": [{\"function\": \"g\"}, "
		"{\"file\": \"a.c\", \"line\": 7}]}", "", "a.c", 7, true },
	{ "an inlined call's caller", "{\"frames\": [{\"function\": \"g\", "
		"\"inlined_into\": [{\"path\": \"/a/b.c\", \"line\": 9}]}, "
		"{\"path\": \"/a/c.c\", \"line\": 1}]}", "", "/a/b.c", 9, true },
	{ "below the folder", "{\"frames\": [{\"path\": \"/tmp/x/y.c\", "
		"\"line\": 3}]}", "", "x/y.c", 3, true },
	{ "beside the folder", "{\"frames\": [{\"path\": \"/tmpx/y.c\", "
		"\"line\": 3}]}", "", "/tmpx/y.c", 3, true },
	{ "through the folder's folder", "{\"frames\": [{\"path\": "
		"\"/tmp/../tmp/x/y.c\", \"line\": 3}]}", "", "x/y.c", 3, true },
	{ "a caller below the folder", "{\"frames\": [{\"path\": "
		"\"/usr/include/x.h\", \"line\": 2, \"inlined_into\": "
		"[{\"path\": \"/usr/include/y.h\", \"line\": 4}]}, "
		"{\"path\": \"/tmp/x/y.c\", \"line\": 0}, "
		"{\"path\": \"/tmp/x/z.c\", \"line\": 5}]}",
		"", "x/z.c", 5, true },
	{ "relative", "{\"frames\": [{\"path\": \"./y.c\", \"line\": 3}]}",
		"", "y.c", 3, true },
	{ "relative, elsewhere", "{\"frames\": [{\"path\": \"../y.c\", "
		"\"line\": 3}]}", "", "../y.c", 3, true },
	{ "accepted", "{\"state\": \"accepted\"}", "", NULL, 0, false },
	{ "no crash.json", "{\"class\": \"crash\", \"what\": \"?\", "
		"\"folder\": \"crashes/SIGABRT-f\"}",
		"crash: crashes/SIGABRT-f", NULL, 0, true },
	{ "fixed", "{\"standing\": \"fixed\"}", "", NULL, 0, false },
};

/* Where GitHub shows a finding; it refuses a file in which one has no place. */
static const struct {
	const char *name, *target, *finding;
	const char *uri, *function; /* "": none */
	long long line;
} PLACES[] = {
	{ "a source line", "/tmp/fuzz", "{\"frames\": [{\"path\": "
		"\"/tmp/x/y.c\", \"line\": 3, \"function\": \"f\"}]}",
		"x/y.c", "f", 3 },
	{ "no frames", "/tmp/b/fuzz", "{}", "b/fuzz", "", 1 },
	{ "frames without lines", "/tmp/fuzz", "{\"frames\": [{\"module\": "
		"\"m\"}, {\"function\": \"f\"}, {\"function\": \"g\"}]}",
		"fuzz", "f", 1 },
	{ "a line 0", "/tmp/fuzz", "{\"frames\": [{\"path\": \"/tmp/x/y.c\", "
		"\"line\": 0, \"function\": \"f\"}]}", "fuzz", "f", 1 },
	{ "a target elsewhere", "/usr/bin/x y", "{}", "x%20y", "", 1 },
	{ "a colon", "a:b", "{}", "a%3Ab", "", 1 },
	{ "a target of two slashes", "//x/", "{}", "target", "", 1 },
	{ "no target", "", "{}", "target", "", 1 },
};

/* Summaries of a job: the first finding has a report of `first` bytes, each of
 * the others one of `bytes`. */
static const struct {
	const char *name;
	size_t used, n, first, bytes;
	bool known;
	size_t named, in_full; /* at least so many findings */
	const char *has, *lacks;
} SUMMARIES[] = {
	{ "few", 0, 3, 8, 8, false, 3, 3, "### ", "more" },
	{ "many", 100 << 10, 300, 8 << 10, 8 << 10, false, 300, 90,
		" more, see the report:\n\n- crash: SIGSEGV in f", "more:" },
	{ "known", 100 << 10, 300, 8 << 10, 8 << 10, true, 300, 0,
		"\n- crash: SIGSEGV in f001\\-x (new, known)\n", "###" },
	{ "a large one", 0, 4, 2 << 20, 8, false, 4, 3,
		"\n1 more, see the report:\n\n- crash: SIGSEGV in f000\\-x\n",
		"more:" },
	{ "no room", 1 << 20, 3, 8, 8, false, 0, 0, "\n3 more: see the report\n",
		"###" },
	{ "room for names", (900 << 10) - 100, 3, 8, 8, false, 3, 0,
		"\n3 more, see the report:\n\n- crash: SIGSEGV in f000\\-x\n",
		"###" },
};

/* What a finding is in each format; the last two are of a run of `cfuzz ci`. */
static const struct {
	const char *name, *finding;
	bool ci;
	const char *state, *excuse, *junit, *github, *sarif;
} EXCUSES[] = {
	{ "a failure", "{\"state\": \"confirmed\", \"standing\": \"open\"}",
		false, "confirmed", NULL, "<failure", "::error title=cfuzz::",
		"\"kind\": \"fail\"" },
	{ "accepted", "{\"state\": \"accepted\"}", false, "accepted",
		"accepted", "<skipped message=\"accepted\">",
		"::notice title=cfuzz (accepted)::", "\"suppressions\"" },
	{ "fixed", "{\"state\": \"known\", \"standing\": \"fixed\"}", false,
		"known, fixed", "fixed", "<skipped message=\"fixed\">",
		"::notice title=cfuzz (fixed)::", "\"kind\": \"pass\"" },
	{ "not seen", "{\"state\": \"flaky\", \"standing\": \"not seen\"}",
		false, "flaky, not seen", "not seen",
		"<skipped message=\"not seen\">",
		"::notice title=cfuzz (not seen)::", "\"kind\": \"open\"" },
	{ "accepted and fixed", "{\"state\": \"accepted\", "
		"\"standing\": \"fixed\"}", true, "accepted, fixed", "fixed",
		"<skipped message=\"fixed\">",
		"::notice title=cfuzz (fixed)::", "\"absent\"" },
	{ "known", "{\"state\": \"confirmed\", \"standing\": \"open\", "
		"\"passed_over\": true}", true, "confirmed, known", "known",
		"<skipped message=\"known\">",
		"::notice title=cfuzz (known)::", "\"unchanged\"" },
	{ "new", "{\"state\": \"new\", \"passed_over\": false}", true, "new",
		NULL, "<failure", "::error title=cfuzz::",
		"\"baselineState\": \"new\"" },
};
/* A run with trouble, without findings. */
static const struct {
	const char *name;
	format_fn *write;
	const char *bad, *good; /* with trouble, and without */
} TROUBLES[] = {
	{ "page", report_html, "<p class=bad>a &lt;b&gt;.</p>", "0 open" },
	{ "JUnit", report_junit, "<error message=\"a &lt;b&gt;\"/>",
		"name=\"campaign\" time=\"0.000\"/>" },
	{ "JUnit, count", report_junit, "failures=\"0\" errors=\"1\" skipped",
		"failures=\"0\" errors=\"0\" skipped" },
	{ "SARIF", report_sarif, "\"text\": \"a <b>\"",
		"\"executionSuccessful\": true" },
	{ "SARIF, success", report_sarif, "\"executionSuccessful\": false",
		"\"executionSuccessful\": true" },
	{ "Markdown", report_markdown, "\n**Trouble**: a \\<b\\>.\n", "##" },
	{ "GitHub", report_github, "::error title=cfuzz::a <b>\n", "" },
};
/* clang-format on */

static char *
written(format_fn *write, const json_t *report)
{
	char *text = NULL;
	size_t len;
	FILE *to = open_memstream(&text, &len);

	assert_non_null(to);
	write(report, to);
	assert_int_equal(fclose(to), 0);
	return text;
}

static void
test_evil(void **state)
{
	json_t *report = json_loads(evil, 0, NULL);

	assert_non_null(report);
	for (size_t i = 0; i < ROWS(EVIL); i++) {
		char *text = written(EVIL[i].write, report);

		row_check(strstr(text, EVIL[i].has) != NULL, "%s:\n%s",
			EVIL[i].name, text);
		row_check(strstr(text, EVIL[i].lacks) == NULL, "%s:\n%s",
			EVIL[i].name, text);
		free(text);
	}
	json_decref(report);
}

static void
test_findings(void **state)
{
	assert_int_equal(chdir("/tmp"), 0);
	for (size_t i = 0; i < ROWS(FINDINGS); i++) {
		json_t *finding = json_loads(FINDINGS[i].finding, 0, NULL);
		struct report_place place = { 0 };
		char title[64];
		bool has = report_place(finding, &place);

		report_title(finding, title, sizeof(title));
		row_check(strcmp(title, FINDINGS[i].title) == 0, "%s: %s",
			FINDINGS[i].name, title);
		row_check(has == (FINDINGS[i].path != NULL), "%s",
			FINDINGS[i].name);
		row_check(!has ||
				(strcmp(place.path, FINDINGS[i].path) == 0 &&
					place.line == FINDINGS[i].line),
			"%s: %s", FINDINGS[i].name, place.path);
		row_check(report_is_open(finding) == FINDINGS[i].open, "%s",
			FINDINGS[i].name);
		json_decref(finding);
	}
}

static void
test_places(void **state)
{
	assert_int_equal(chdir("/tmp"), 0);
	for (size_t i = 0; i < ROWS(PLACES); i++) {
		json_t *report = json_pack("{s:{s:s}, s:[o]}", "campaign",
			"target", PLACES[i].target, "findings",
			json_loads(PLACES[i].finding, 0, NULL));
		char *text = written(report_sarif, report);
		json_t *sarif = json_loads(text, 0, NULL);
		json_t *places = NULL, *functions = NULL;
		const char *uri = "", *function = "";
		json_int_t line = 0;

		(void)json_unpack(sarif, "{s:[{s:[{s:o}]}]}", "runs", "results",
			"locations", &places);
		row_check(json_array_size(places) == 1, "%s: %s",
			PLACES[i].name, text);
		(void)json_unpack(places, "[{s:{s:{s:s}, s:{s:I}}}]",
			"physicalLocation", "artifactLocation", "uri", &uri,
			"region", "startLine", &line);
		functions = json_object_get(json_array_get(places, 0),
			"logicalLocations");
		(void)json_unpack(functions, "[{s:s}]", "name", &function);
		row_check(strcmp(uri, PLACES[i].uri) == 0, "%s: %s",
			PLACES[i].name, uri);
		row_check(line == PLACES[i].line, "%s: line %lld",
			PLACES[i].name, (long long)line);
		row_check(strcmp(function, PLACES[i].function) == 0, "%s: %s",
			PLACES[i].name, function);
		json_decref(sarif);
		json_decref(report);
		free(text);
	}
}

static void
check_format(const char *name, format_fn *write, const json_t *report,
	const char *has)
{
	char *text = written(write, report);

	row_check(strstr(text, has) != NULL, "%s: not %s: %s", name, has, text);
	free(text);
}

static void
test_excuses(void **state)
{
	for (size_t i = 0; i < ROWS(EXCUSES); i++) {
		json_t *finding = json_loads(EXCUSES[i].finding, 0, NULL);
		json_t *report = json_pack("{s:b, s:[O]}", "ci",
			(int)EXCUSES[i].ci, "findings", finding);
		const char *name = EXCUSES[i].name;
		const char *excuse = report_excuse(finding);
		char text[64];

		report_state(finding, text, sizeof(text));
		row_check(strcmp(text, EXCUSES[i].state) == 0, "%s: %s", name,
			text);
		row_check(excuse == NULL || EXCUSES[i].excuse == NULL
				? excuse == EXCUSES[i].excuse
				: strcmp(excuse, EXCUSES[i].excuse) == 0,
			"%s: %s", name, excuse != NULL ? excuse : "none");
		check_format(name, report_junit, report, EXCUSES[i].junit);
		check_format(name, report_github, report, EXCUSES[i].github);
		check_format(name, report_sarif, report, EXCUSES[i].sarif);
		json_decref(report);
		json_decref(finding);
	}
}

static void
test_troubles(void **state)
{
	for (size_t i = 0; i < ROWS(TROUBLES); i++) {
		json_t *report = json_pack("{s:s, s:[]}", "trouble", "a <b>",
			"findings");

		check_format(TROUBLES[i].name, TROUBLES[i].write, report,
			TROUBLES[i].bad);
		json_object_del(report, "trouble");
		check_format(TROUBLES[i].name, TROUBLES[i].write, report,
			TROUBLES[i].good);
		json_decref(report);
	}
}

static json_t *
summary_finding(size_t i, size_t bytes, bool known)
{
	char *text = malloc(bytes + 1), where[32];
	json_t *finding;

	assert_non_null(text);
	memset(text, 'r', bytes);
	text[bytes] = '\0';
	snprintf(where, sizeof(where), "f%03zu-x", i);
	finding = json_pack("{s:s, s:s, s:s, s:s, s:b, s:[s]}", "class",
		"crash", "what", "SIGSEGV", "where", where, "state", "new",
		"passed_over", (int)known, "report", text);
	free(text);
	return finding;
}

static size_t
count_texts(const char *in, const char *text)
{
	size_t n = 0;

	while ((in = strstr(in, text)) != NULL) {
		in += strlen(text);
		n++;
	}
	return n;
}

/* GitHub shows no summary of more than 1 MiB. */
static void
check_summary(size_t row, const json_t *report)
{
	const char *name = SUMMARIES[row].name;
	char *text = NULL, where[32];
	size_t len, named = 0;
	FILE *to = open_memstream(&text, &len);

	assert_non_null(to);
	report_summary(report, SUMMARIES[row].used, to);
	assert_int_equal(fclose(to), 0);
	row_check(len + SUMMARIES[row].used < (1 << 20) || len < 1000,
		"%s: %zu bytes", name, len);
	for (size_t i = 0; i < SUMMARIES[row].n; i++) {
		snprintf(where, sizeof(where), "f%03zu\\-x", i);
		named += count_texts(text, where) == 1;
	}
	row_check(named == SUMMARIES[row].named, "%s: %zu named", name, named);
	named = count_texts(text, "\n### ");
	row_check(named >= SUMMARIES[row].in_full, "%s: %zu in full", name,
		named);
	row_check(strstr(text, SUMMARIES[row].has) != NULL, "%s: not %s", name,
		SUMMARIES[row].has);
	row_check(strstr(text, SUMMARIES[row].lacks) == NULL, "%s: %s", name,
		SUMMARIES[row].lacks);
	free(text);
}

static void
test_summaries(void **state)
{
	for (size_t i = 0; i < ROWS(SUMMARIES); i++) {
		json_t *findings = json_array();
		json_t *report =
			json_pack("{s:b, s:o}", "ci", 1, "findings", findings);

		for (size_t k = 0; k < SUMMARIES[i].n; k++)
			json_array_append_new(findings,
				summary_finding(k,
					k == 0 ? SUMMARIES[i].first
					       : SUMMARIES[i].bytes,
					SUMMARIES[i].known));
		check_summary(i, report);
		json_decref(report);
	}
}

/* Whatever is missing, each format is whole. */
static void
test_little_known(void **state)
{
	static format_fn *const formats[] = { report_html, report_sarif,
		report_junit, report_markdown, report_github };

	for (size_t i = 0; i < ROWS(FINDINGS); i++)
		for (size_t k = 0; k < ROWS(formats); k++) {
			json_t *report = json_pack("{s:[o]}", "findings",
				json_loads(FINDINGS[i].finding, 0, NULL));
			char *text = written(formats[k], report);

			row_check(text[0] != '\0' && strchr(text, '\n') != NULL,
				"%s: format %zu", FINDINGS[i].name, k);
			free(text);
			json_decref(report);
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_evil),
		cmocka_unit_test(test_findings),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_excuses),
		cmocka_unit_test(test_troubles),
		cmocka_unit_test(test_summaries),
		cmocka_unit_test(test_little_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * report_html_sources: coverage by source file. The text is read from this
 * machine's disk, by the path in the target's debug information. A hostile target
 * may name any file there, so only names of sources are opened.
 */
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "base/text_lines.h"
#include "cli/report/report_html.h"
#include "cli/tool.h"

#define SOURCES_ROWS 3000u  /* files in the list */
#define SOURCES_COLUMNS 240 /* shown of a line */

static const struct mark {
	const char *state, *sign, *class, *explained;
} MARKS[] = {
	{ "hit", "+", "h", "all code of the line ran" },
	{ "partly", "~", "p", "some of its code ran" },
	{ "missed", "-", "m", "no input of the corpus reached it" },
	{ "unknown", "?", "u", "no counter tells whether it ran" },
};

#define MARKS_N (sizeof(MARKS) / sizeof(MARKS[0]))

/* Lines without code have no mark. */
static const struct mark MARK_NONE = { "", " ", "n", "" };

/* row NULL: the line has no code. */
static const struct mark *
sources_mark(const json_t *row)
{
	const char *state = json_string_value(json_array_get(row, 1));

	for (size_t i = 0; state != NULL && i < MARKS_N; i++)
		if (strcmp(MARKS[i].state, state) == 0)
			return &MARKS[i];
	return &MARK_NONE;
}

static bool
sources_is_source(const char *path)
{
	static const char *const ends[] = { "c", "h", "cc", "hh", "cpp", "hpp",
		"cxx", "hxx", "c++", "h++", "inc", "inl", "ipp", "tcc", "def",
		"m", "mm", "rs", "go", "zig", "d", "swift", "y", "l", "s",
		"asm" };
	const char *slash = strrchr(path, '/');
	const char *dot = strrchr(slash != NULL ? slash : path, '.');

	for (size_t i = 0; dot != NULL && i < sizeof(ends) / sizeof(ends[0]);
		i++)
		if (strcasecmp(dot + 1, ends[i]) == 0)
			return true;
	return false;
}

/* ---- one file ---- */

static void
sources_put_line(FILE *to, size_t number, const char *sign, const json_t *row,
	const char *text)
{
	json_int_t hits = json_integer_value(json_array_get(row, 2));
	char shown[TEXT_LINES_BYTES], count[24] = "";

	if (hits > 0)
		snprintf(count, sizeof(count), "%" JSON_INTEGER_FORMAT "%s",
			hits, hits > 1 ? "+" : "");
	snprintf(shown, sizeof(shown), "%.*s",
		(int)text_fit(text, SOURCES_COLUMNS), text);
	fprintf(to, "%5zu %s %4s  ", number, sign, count);
	report_put_xml(to, shown);
	fputc('\n', to);
}

/* The row of a line, if rows[*next] is its row. */
static const json_t *
sources_row(const json_t *rows, size_t *next, size_t line)
{
	const json_t *row = json_array_get(rows, *next);

	if (row == NULL ||
		json_integer_value(json_array_get(row, 0)) != (json_int_t)line)
		return NULL;
	++*next;
	return row;
}

/* Lines of the same state share an element. */
static void
sources_put_lines(FILE *to, const struct text_lines *text, const json_t *rows)
{
	const char *class = NULL;
	char line[TEXT_LINES_BYTES];
	size_t next = 0;

	for (size_t i = 0; i < text->n; i++) {
		const json_t *row = sources_row(rows, &next, i + 1);
		const struct mark *mark = sources_mark(row);

		if (mark->class != class)
			fprintf(to, "%s<span class=%s>",
				class != NULL ? "</span>" : "", mark->class);
		class = mark->class;
		text_lines_get(text, i, line);
		sources_put_line(to, i + 1, mark->sign, row, line);
	}
	fputs(class != NULL ? "</span>" : "", to);
}

/* Size of the element in bytes, at least. */
static long
sources_text_size(const struct text_lines *text)
{
	return (long)(text->starts[text->n] + 14 * text->n);
}

static void
sources_put_text(FILE *to, const json_t *file, long *room)
{
	const char *path = json_text_of(file, "path");
	struct text_lines text = { 0 };
	long before = ftell(to);
	char why[256];

	if (!sources_is_source(path)) {
		fputs("<p class=dim>Not shown: its name is not that of a "
		      "source file.</p>\n",
			to);
		return;
	}
	if (text_lines_read_source(&text, path, why, sizeof(why)) != OK) {
		fputs("<p class=dim>", to);
		report_put_xml(to, why);
		fputs("</p>\n", to);
		return;
	}
	if (sources_text_size(&text) > *room) {
		fputs("<p class=dim>Not shown: the page would be too large. "
		      "<code>cfuzz report --lcov</code> and "
		      "<code>genhtml</code> show it.</p>\n",
			to);
	} else {
		fputs("<pre class=source>", to);
		sources_put_lines(to, &text, json_object_get(file, "lines"));
		fputs("</pre>\n", to);
		*room -= ftell(to) - before;
	}
	text_lines_clear(&text);
}

/* Functions that no input has reached, which is what to look at next. */
static void
sources_put_functions(FILE *to, const json_t *file)
{
	const json_t *functions = json_object_get(file, "functions"), *row;
	size_t i, n = 0;

	json_array_foreach(functions, i, row) {
		if (json_integer_value(json_array_get(row, 2)) > 0)
			continue;
		fputs(n++ == 0 ? "<p>Functions never reached: <code>"
			       : "</code>, <code>",
			to);
		report_put_xml(to, json_string_value(json_array_get(row, 1)));
	}
	fputs(n > 0 ? "</code></p>\n" : "", to);
}

static void
sources_put_share(FILE *to, uint64_t hit, uint64_t known)
{
	unsigned percent =
		known > 0 ? (unsigned)(100.0 * (double)hit / (double)known) : 0;

	fprintf(to,
		"<span class=bar><i style=\"width:%u%%\"></i></span>"
		"<span class=share>%u %%</span>",
		percent, percent);
}

static void
sources_put_file(FILE *to, const json_t *file, long *room)
{
	uint64_t hit = json_count_of(file, "hit");
	uint64_t known = json_count_of(file, "known");
	char path[PATH_MAX];

	fputs("<details><summary>", to);
	sources_put_share(to, hit, known);
	report_put_xml(to, report_path(json_text_of(file, "path"), path));
	fprintf(to, " <span class=dim>%" PRIu64 " of %" PRIu64 " lines", hit,
		known);
	if (json_count_of(file, "frontiers") > 0)
		fprintf(to, ", %" PRIu64 " frontier%s",
			json_count_of(file, "frontiers"),
			json_count_of(file, "frontiers") == 1 ? "" : "s");
	fputs("</span></summary>\n", to);
	sources_put_functions(to, file);
	sources_put_text(to, file, room);
	fputs("</details>\n", to);
}

/* ---- all ---- */

static void
sources_put_troubles(FILE *to, const json_t *sources)
{
	const json_t *troubles = json_object_get(sources, "troubles"), *text;
	size_t i;

	json_array_foreach(troubles, i, text) {
		fputs("<p class=bad>", to);
		report_put_xml(to, json_string_value(text));
		fputs(".</p>\n", to);
	}
	if (json_is_true(json_object_get(sources, "stopped")))
		fputs("<p class=bad>Stopped by the user: the coverage is "
		      "incomplete.</p>\n",
			to);
	if (json_is_true(json_object_get(sources, "cut")))
		fputs("<p class=bad>There is too much code: some lines are "
		      "missing.</p>\n",
			to);
}

static void
sources_put_total(FILE *to, const json_t *sources)
{
	const json_t *files = json_object_get(sources, "files"), *file;
	char counts[3][TEXT_NUMBER_SIZE];
	uint64_t hit = 0, known = 0;
	size_t i;

	json_array_foreach(files, i, file) {
		hit += json_count_of(file, "hit");
		known += json_count_of(file, "known");
	}
	fputs("<p>", to);
	sources_put_share(to, hit, known);
	fprintf(to,
		"<b>%s of %s lines</b> <span class=dim>with code were reached "
		"by the %s inputs of the corpus, which ran again for this "
		"page. Inputs that fail are not in the corpus.</span></p>\n",
		text_count(hit, counts[0]), text_count(known, counts[1]),
		text_count(json_count_of(sources, "inputs"), counts[2]));
}

static void
sources_put_legend(FILE *to)
{
	fputs("<p class=dim>", to);
	for (size_t i = 0; i < MARKS_N; i++)
		fprintf(to,
			"<code class=\"source legend\"><span class=%s>%s "
			"</span></code>%s%s",
			MARKS[i].class, MARKS[i].sign, MARKS[i].explained,
			i + 1 < MARKS_N ? "; " : ". ");
	fputs("The number behind the mark tells how often one input ran the "
	      "line: 2+ is 2 or 3 times, 4+ is 4 to 7, 128+ is 128 or more. "
	      "A frontier is a line that was reached although what it leads to never "
	      "was.</p>\n",
		to);
}

void
report_html_sources(const json_t *report, FILE *to)
{
	const json_t *sources = json_object_get(report, "sources"), *file;
	const json_t *files = json_object_get(sources, "files");
	const char *why = json_text_of(report, "no_sources");
	long room = REPORT_HTML_SOURCES;
	size_t i;

	if (sources == NULL && why[0] == '\0')
		return;
	fputs("<section id=sources>\n<h2>Coverage by source</h2>\n", to);
	if (sources == NULL) {
		fputs("<p class=bad>There is none: ", to);
		report_put_xml(to, why);
		fputs(".</p>\n</section>\n", to);
		return;
	}
	sources_put_troubles(to, sources);
	if (json_array_size(files) > 0) {
		sources_put_total(to, sources);
		sources_put_legend(to);
	}
	json_array_foreach(files, i, file) {
		if (i == SOURCES_ROWS)
			break;
		sources_put_file(to, file, &room);
	}
	if (i < json_array_size(files))
		fprintf(to, "<p class=dim>%zu files more are not shown.</p>\n",
			json_array_size(files) - i);
	fputs("</section>\n", to);
}

/*
 * report_lcov: see report.h. The tracefile that genhtml and other readers of
 * lcov share, see geninfo(1).
 */
#include <string.h>

#include "cli/report/report.h"
#include "cli/tool.h"

#define LCOV_NUMBER "%" JSON_INTEGER_FORMAT

static json_int_t
lcov_member(const json_t *row, size_t i)
{
	return json_integer_value(json_array_get(row, i));
}

/* Readers know a function by its name: of several, as of a template, the one
 * with the most hits. */
static json_t *
lcov_distinct(const json_t *functions)
{
	json_t *distinct = json_object();
	const json_t *row, *other;
	size_t i;

	json_array_foreach(functions, i, row) {
		const char *name = json_string_value(json_array_get(row, 1));

		other = json_object_get(distinct, name);
		if (other == NULL ||
			lcov_member(other, 2) < lcov_member(row, 2))
			json_object_set(distinct, name,
				json_array_get(functions, i));
	}
	return distinct;
}

static void
lcov_functions(const json_t *functions, FILE *to)
{
	json_t *distinct = lcov_distinct(functions), *row;
	const char *name;
	size_t hit = 0;

	json_object_foreach(distinct, name, row)
		fprintf(to, "FN:" LCOV_NUMBER ",%s\n", lcov_member(row, 0),
			name);
	json_object_foreach(distinct, name, row) {
		fprintf(to, "FNDA:" LCOV_NUMBER ",%s\n", lcov_member(row, 2),
			name);
		hit += lcov_member(row, 2) > 0;
	}
	fprintf(to, "FNF:%zu\nFNH:%zu\n", json_object_size(distinct), hit);
	json_decref(distinct);
}

/* A line is left out if it is unknown whether it ran. */
static void
lcov_lines(const json_t *lines, FILE *to)
{
	size_t i, n = 0, hit = 0;
	const json_t *row;

	json_array_foreach(lines, i, row) {
		const char *state = json_string_value(json_array_get(row, 1));

		if (strcmp(state, "unknown") == 0)
			continue;
		fprintf(to, "DA:" LCOV_NUMBER "," LCOV_NUMBER "\n",
			lcov_member(row, 0), lcov_member(row, 2));
		n++;
		hit += lcov_member(row, 2) > 0;
	}
	fprintf(to, "LF:%zu\nLH:%zu\n", n, hit);
}

void
report_lcov(const json_t *report, FILE *to)
{
	const json_t *files =
		json_object_get(json_object_get(report, "sources"), "files");
	const json_t *file;
	size_t i;

	json_array_foreach(files, i, file) {
		fprintf(to, "TN:cfuzz\nSF:%s\n", json_text_of(file, "path"));
		lcov_functions(json_object_get(file, "functions"), to);
		lcov_lines(json_object_get(file, "lines"), to);
		fputs("end_of_record\n", to);
	}
}

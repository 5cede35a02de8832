/* report_text: texts of a finding, for all formats. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/dir.h"
#include "cli/report/report.h"
#include "cli/tool.h"

#define REPORT_DUMP_ROW 16

/* The path, relative to the present folder; NULL: it is not below. */
static const char *
report_below(const char *path)
{
	char *here = getcwd(NULL, 0);
	size_t len = here != NULL ? strlen(here) : 0;
	bool below =
		len > 1 && strncmp(path, here, len) == 0 && path[len] == '/';

	free(here);
	return below ? path + len + 1 : NULL;
}

const char *
report_path(const char *path, char buf[PATH_MAX])
{
	bool whole = dir_resolve(path, buf, PATH_MAX);
	const char *below = report_below(buf);

	if (below != NULL)
		memmove(buf, below, strlen(below) + 1);
	else if (whole && path[0] != '/')
		snprintf(buf, PATH_MAX, "%s", path);
	return buf;
}

static void
report_fill_place(const json_t *frame, struct report_place *place)
{
	const char *path = json_text_of(frame, "path");

	*place = (struct report_place){
		.function = json_text_of(frame, "function"),
		.line = json_integer_value(json_object_get(frame, "line")),
	};
	(void)report_path(path[0] != '\0' ? path : json_text_of(frame, "file"),
		place->path);
}

bool
report_frame(const json_t *finding, size_t i, struct report_place *place)
{
	const json_t *frames = json_object_get(finding, "frames"), *frame;
	size_t k;

	json_array_foreach(frames, k, frame) {
		const json_t *callers = json_object_get(frame, "inlined_into");

		if (i == 0) {
			report_fill_place(frame, place);
			return true;
		}
		if (i <= json_array_size(callers)) {
			report_fill_place(json_array_get(callers, i - 1),
				place);
			return true;
		}
		i -= json_array_size(callers) + 1;
	}
	return false;
}

bool
report_place(const json_t *finding, struct report_place *place)
{
	size_t i, innermost = SIZE_MAX;

	for (i = 0; report_frame(finding, i, place); i++) {
		if (place->path[0] == '\0' || place->line <= 0)
			continue;
		if (place->path[0] != '/')
			return true;
		if (innermost == SIZE_MAX)
			innermost = i;
	}
	return innermost != SIZE_MAX && report_frame(finding, innermost, place);
}

void
report_title(const json_t *finding, char *text, size_t size)
{
	const char *class = json_text_of(finding, "class");
	const char *what = json_text_of(finding, "what");
	const char *where = json_text_of(finding, "where");

	/* Without a crash.json the folder's name tells the most. */
	if (strcmp(what, "?") == 0 && where[0] == '\0')
		what = json_text_of(finding, "folder");
	snprintf(text, size, "%s%s%s%s%s", class,
		strcmp(class, what) != 0 ? ": " : "",
		strcmp(class, what) != 0 ? what : "",
		where[0] != '\0' ? " in " : "", where);
}

bool
report_is_of_this_build(const json_t *finding)
{
	const char *standing = json_text_of(finding, "standing");

	return standing[0] == '\0' || strcmp(standing, "open") == 0;
}

bool
report_is_open(const json_t *finding)
{
	return strcmp(json_text_of(finding, "state"), "accepted") != 0 &&
		report_is_of_this_build(finding);
}

const char *
report_excuse(const json_t *finding)
{
	if (!report_is_of_this_build(finding))
		return json_text_of(finding, "standing");
	if (strcmp(json_text_of(finding, "state"), "accepted") == 0)
		return "accepted";
	return json_is_true(json_object_get(finding, "passed_over")) ? "known"
								     : NULL;
}

void
report_state(const json_t *finding, char *text, size_t size)
{
	const char *state = json_text_of(finding, "state");
	const char *excuse = report_excuse(finding);
	bool more = excuse != NULL && strcmp(excuse, state) != 0;

	snprintf(text, size, "%s%s%s", state, more ? ", " : "",
		more ? excuse : "");
}

void
report_put_xml(FILE *to, const char *text)
{
	for (; *text != '\0'; text++) {
		if (*text == '&')
			fputs("&amp;", to);
		else if (*text == '<')
			fputs("&lt;", to);
		else if (*text == '>')
			fputs("&gt;", to);
		else if (*text == '"')
			fputs("&quot;", to);
		else if (*text == '\'')
			fputs("&#39;", to);
		else if ((unsigned char)*text >= ' ' || *text == '\n' ||
			*text == '\t')
			fputc(*text, to);
	}
}

static void
report_dump_row(FILE *to, const uint8_t *data, size_t at, size_t n,
	void (*put)(FILE *to, const char *text))
{
	char letters[REPORT_DUMP_ROW + 2] = "";

	fprintf(to, "%06zx ", at);
	for (size_t i = 0; i < REPORT_DUMP_ROW; i++) {
		if (i < n)
			fprintf(to, " %02x", data[i]);
		else
			fputs("   ", to);
		if (i < n)
			letters[i] =
				(char)(data[i] > ' ' && data[i] < 0x7f ? data[i]
								       : '.');
	}
	fputs("  ", to);
	put(to, letters);
	fputc('\n', to);
}

void
report_put_dump(FILE *to, const json_t *finding, size_t max,
	void (*put)(FILE *to, const char *text))
{
	const char *hex = json_text_of(finding, "data");
	size_t len = strlen(hex) / 2, n;
	uint8_t row[REPORT_DUMP_ROW];
	char digits[3] = "";

	for (size_t at = 0; at < len && at < max; at += n) {
		n = len - at < REPORT_DUMP_ROW ? len - at : REPORT_DUMP_ROW;
		for (size_t i = 0; i < n; i++) {
			memcpy(digits, hex + 2 * (at + i), 2);
			row[i] = (uint8_t)strtoul(digits, NULL, 16);
		}
		report_dump_row(to, row, at, n, put);
	}
}

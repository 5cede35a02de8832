/*
 * failure_report: parses a sanitizer's report, see failure_parse_report().
 *
 * The text comes from a process that runs hostile code. A cursor that never
 * leaves the bounds cuts the text into lines; only bounded copies of words
 * enter the failure.
 */

#include "shared/wire/failure.h"

#include <stdio.h>
#include <string.h>

#include "shared/deleted.h"
#include "shared/wire/report_piece.h"

/* clang-format off */
/* Starts of reports that do not name a class themselves. */
static const struct report_phrase {
	const char *start;
	const char *what;
} REPORT_PHRASES[] = {
	{ "attempting double-free",       "double-free" },
	{ "attempting free on",           "bad-free" },
	{ "attempting to call malloc_us", "bad-malloc_usable_size" },
	{ "requested allocation size",    "allocation-size-too-big" },
	{ "out of memory",                "out-of-memory" },
	{ "out-of-memory",                "out-of-memory" },
	{ "detected memory leaks",        "leak" },
	{ "unexpected memory mapping",    "" }, /* not a bug of the target */
};

/* The text before the name of a class. */
static const struct report_marker {
	const char *marker;
	const char *name;
} REPORT_MARKERS[] = {
	{ "ERROR: AddressSanitizer: ",            "AddressSanitizer" },
	{ "ERROR: HWAddressSanitizer: ",          "HWAddressSanitizer" },
	{ "ERROR: LeakSanitizer: ",               "LeakSanitizer" },
	{ "WARNING: MemorySanitizer: ",           "MemorySanitizer" },
	{ "ERROR: MemorySanitizer: ",             "MemorySanitizer" },
	{ "WARNING: ThreadSanitizer: ",           "ThreadSanitizer" },
	{ "ERROR: ThreadSanitizer: ",             "ThreadSanitizer" },
	{ "ERROR: UndefinedBehaviorSanitizer: ",  "UndefinedBehaviorSanitizer" },
};
/* clang-format on */

/* Functions of an allocator or a sanitizer, when the report has names. */
static const char *const REPORT_SKIPPED[] = {
	"__asan_",
	"__msan_",
	"__tsan_",
	"__ubsan_",
	"__interceptor_",
	"__sanitizer_",
	"__interception",
	"__GI_",
	"malloc",
	"calloc",
	"realloc",
	"free",
	"operator new",
	"operator delete",
	"raise",
	"abort",
	"__assert_fail",
};

/* Modules of sanitizers, and the C library below them. */
static const char *const REPORT_LIBRARIES[] = {
	"libasan.so",
	"libubsan.so",
	"libtsan.so",
	"liblsan.so",
	"libclang_rt.",
	"libc.so",
};

#define REPORT_N(array) (sizeof(array) / sizeof((array)[0]))
#define REPORT_RUNTIME_ERROR ": runtime error: "
#define REPORT_SUMMARY "SUMMARY: UndefinedBehaviorSanitizer: "

/*
 * Makes a class from a sentence: up to the first ':', quote, '(' or ',',
 * without numbers, words joined by '-'. The same bug gives the same class for
 * any values.
 */
static void
report_set_what(struct failure *f, struct report_text sentence)
{
	size_t end = 0;

	while (end < sentence.len && strchr(":'(,", sentence.at[end]) == NULL)
		end++;
	sentence.len = end;
	f->what[0] = '\0';
	while (sentence.len > 0) {
		struct report_text word = report_word(&sentence);

		if (word.len == 0 || report_is_number(word))
			continue;
		if (f->what[0] != '\0')
			report_append_text(f->what, sizeof(f->what), "-");
		report_append(f->what, sizeof(f->what), word.at, word.len);
	}
}

static bool
report_parse_hex(struct report_text text, uint64_t *value, size_t *used)
{
	size_t i;

	*value = 0;
	for (i = 0; i < text.len && i < 16; i++) {
		char c = text.at[i];

		if (c >= '0' && c <= '9')
			*value = *value << 4 | (uint64_t)(c - '0');
		else if (c >= 'a' && c <= 'f')
			*value = *value << 4 | (uint64_t)(c - 'a' + 10);
		else
			break;
	}
	*used = i;
	return i > 0;
}

/* The last "+0x" of the line that is followed by a number and ')'. */
static bool
report_find_offset(struct report_text line, size_t *plus, uint64_t *value)
{
	struct report_text rest = line;
	size_t offset, used;
	bool found = false;

	while (report_find(rest, "+0x", &offset)) {
		uint64_t number;

		rest = report_behind(rest, offset + 3);
		if (!report_parse_hex(rest, &number, &used) ||
			used == rest.len || rest.at[used] != ')')
			continue;
		*plus = (size_t)(rest.at - line.at) - 3;
		*value = number;
		found = true;
	}
	return found;
}

/*
 * The start of the module name that ends at end: behind the last '/' of a path
 * in parentheses, or behind the '(' of a bare name. An absolute path may have
 * parentheses, too.
 */
static size_t
report_module_start(struct report_text line, size_t end)
{
	size_t start = 0, at = end;

	for (size_t i = end; i >= 2; i--) {
		if (line.at[i - 1] != '(' || line.at[i - 2] != ' ')
			continue;
		if (start == 0 || line.at[i] == '/')
			start = i;
		if (line.at[i] == '/')
			break;
	}
	while (at > start && line.at[at - 1] != '/')
		at--;
	return at;
}

static bool
report_parse_module(struct report_text line, struct failure_frame *frame)
{
	size_t plus, start, end;

	if (!report_find_offset(line, &plus, &frame->offset))
		return false;
	/* Sanitizers have the program's path from the kernel. */
	end = deleted_len(line.at, plus);
	start = report_module_start(line, end);
	frame->module[0] = '\0';
	report_append(frame->module, sizeof(frame->module), line.at + start,
		end - start);
	return frame->module[0] != '\0';
}

/* "    #3 0x55.. in name file (path+0x12)": true if not the target's. */
static bool
report_is_skipped(struct report_text line, const struct failure_frame *frame)
{
	size_t offset;

	for (size_t i = 0; i < REPORT_N(REPORT_LIBRARIES); i++) {
		if (strncmp(frame->module, REPORT_LIBRARIES[i],
			    strlen(REPORT_LIBRARIES[i])) == 0)
			return true;
	}
	if (!report_find(line, " in ", &offset))
		return false;
	line = report_behind(line, offset + 4);
	for (size_t i = 0; i < REPORT_N(REPORT_SKIPPED); i++) {
		if (report_starts(line, REPORT_SKIPPED[i]))
			return true;
	}
	return false;
}

static bool
report_is_frame(struct report_text *line)
{
	while (line->len > 0 && line->at[0] == ' ')
		*line = report_behind(*line, 1);
	return line->len > 1 && line->at[0] == '#' && line->at[1] >= '0' &&
		line->at[1] <= '9';
}

/* The first stack of the report: its frames end at any other line. */
static void
report_set_frames(struct failure *f, struct report_text rest)
{
	struct report_text line;
	struct failure_frame first = { .module = "" };
	bool inside = false;

	f->frames_n = 0;
	while (f->frames_n < FAILURE_FRAMES_MAX && report_line(&rest, &line)) {
		struct failure_frame *frame = &f->frames[f->frames_n];

		if (!report_is_frame(&line)) {
			if (inside)
				break;
			continue;
		}
		inside = true;
		if (!report_parse_module(line, frame))
			continue;
		if (first.module[0] == '\0')
			first = *frame;
		if (f->frames_n > 0 || !report_is_skipped(line, frame))
			f->frames_n++;
	}
	if (f->frames_n == 0 && first.module[0] != '\0')
		f->frames[f->frames_n++] = first;
}

/* "READ of size 4 at 0x…": adds the kind of access to the text. */
static void
report_set_access(struct failure *f, struct report_text rest)
{
	struct report_text line;
	size_t offset;

	if (!report_line(&rest, &line) ||
		(!report_starts(line, "READ of size ") &&
			!report_starts(line, "WRITE of size ")))
		return;
	if (!report_find(line, " at ", &offset))
		offset = line.len;
	report_append_text(f->text, sizeof(f->text), " (");
	report_append(f->text, sizeof(f->text), line.at, offset);
	report_append_text(f->text, sizeof(f->text), ")");
}

/* Adds "Direct leak of 7 byte(s) in 1 object(s)": the first is the largest. */
static void
report_set_leak(struct failure *f, struct report_text rest)
{
	struct report_text line;
	size_t offset;

	while (report_line(&rest, &line)) {
		if (!report_starts(line, "Direct leak of ") &&
			!report_starts(line, "Indirect leak of "))
			continue;
		if (!report_find(line, " allocated", &offset))
			offset = line.len;
		report_append_text(f->text, sizeof(f->text), " (");
		report_append(f->text, sizeof(f->text), line.at, offset);
		report_append_text(f->text, sizeof(f->text), ")");
		return;
	}
}

static bool
report_set_class(struct failure *f, struct report_text sentence, bool words)
{
	struct report_text rest = sentence;
	size_t on;

	for (size_t i = 0; i < REPORT_N(REPORT_PHRASES); i++) {
		if (!report_starts(sentence, REPORT_PHRASES[i].start))
			continue;
		(void)snprintf(f->what, sizeof(f->what), "%s",
			REPORT_PHRASES[i].what);
		return f->what[0] != '\0';
	}
	/* Only a place follows a class of several words. */
	if (words && report_find(sentence, " on ", &on))
		sentence.len = on;
	report_set_what(f, words ? sentence : report_word(&rest));
	return f->what[0] != '\0';
}

/*
 * AddressSanitizer names the class by the memory behind an allocation. Behind
 * the last allocation of its heap there is none, so the report of the same bug
 * says "unknown-crash"; but the report gives the location.
 */
static void
report_name_unknown(struct failure *f, struct report_text rest)
{
	bool located = false, allocated = false;
	struct report_text line;
	size_t offset;

	if (strcmp(f->what, "unknown-crash") != 0)
		return;
	while (report_line(&rest, &line)) {
		located |= report_find(line, " is located ", &offset) &&
			report_find(line, "-byte region", &offset);
		allocated |= report_starts(line, "allocated by thread");
		if (report_starts(line, "freed by thread"))
			return;
	}
	if (located && allocated)
		(void)snprintf(f->what, sizeof(f->what),
			"heap-buffer-overflow");
}

static bool
report_parse_header(struct failure *f, struct report_text line,
	const struct report_marker *marker, struct report_text rest)
{
	size_t offset;

	if (!report_find(line, marker->marker, &offset))
		return false;
	line = report_behind(line, offset + strlen(marker->marker));
	if (!report_set_class(f, line,
		    strcmp(marker->name, "ThreadSanitizer") == 0))
		return false;
	report_name_unknown(f, rest);
	f->kind =
		strcmp(f->what, "leak") == 0 ? FAILURE_LEAK : FAILURE_SANITIZER;
	(void)snprintf(f->text, sizeof(f->text), "%s: %s", marker->name,
		f->kind == FAILURE_LEAK ? "detected memory leaks" : f->what);
	if (f->kind == FAILURE_LEAK)
		report_set_leak(f, rest);
	else
		report_set_access(f, rest);
	report_set_frames(f, rest);
	return true;
}

/*
 * For a very long line the compiler gives no column. Interpreters write
 * "file:12: runtime error" as well, but no summary that repeats the place.
 */
static bool
report_is_summed_up(struct report_text place, struct report_text rest)
{
	struct report_text line;
	size_t offset;

	if (!report_is_line(place) ||
		!report_find(rest, REPORT_SUMMARY, &offset))
		return false;
	rest = report_behind(rest, offset);
	return report_line(&rest, &line) &&
		memmem(line.at, line.len, place.at, place.len) != NULL;
}

/* "path/file.c:12:5: runtime error: sentence" */
static bool
report_parse_runtime(struct failure *f, struct report_text line,
	struct report_text rest)
{
	struct report_text source = line, sentence;
	size_t offset, start;
	bool place;

	if (!report_find(line, REPORT_RUNTIME_ERROR, &offset))
		return false;
	source.len = offset;
	place = report_is_place(source);
	for (start = offset; start > 0 && line.at[start - 1] != '/'; start--)
		;
	source = report_behind(source, start);
	if (!place && !report_is_summed_up(source, rest))
		return false;
	sentence =
		report_behind(line, offset + sizeof(REPORT_RUNTIME_ERROR) - 1);
	f->kind = FAILURE_SANITIZER;
	report_set_what(f, sentence);
	f->text[0] = '\0';
	report_append(f->text, sizeof(f->text), source.at,
		line.len - (size_t)(source.at - line.at));
	report_set_frames(f, rest);
	if (f->frames_n == 0 && !report_starts(source, "<unknown>")) {
		f->frames[0] = (struct failure_frame){ .module = "" };
		report_append(f->frames[0].module, sizeof(f->frames[0].module),
			source.at, source.len);
		f->frames_n = 1;
	}
	return f->what[0] != '\0';
}

static bool
report_parse(struct failure *failure, const char *report, size_t len,
	bool sanitized)
{
	struct report_text rest = { report, len }, line;
	struct failure found = { .kind = FAILURE_NONE };
	bool done = false;

	while (!done && report_line(&rest, &line)) {
		for (size_t i = 0; !done && i < REPORT_N(REPORT_MARKERS); i++)
			done = report_parse_header(&found, line,
				&REPORT_MARKERS[i], rest);
		if (!done && sanitized)
			done = report_parse_runtime(&found, line, rest);
	}
	if (!done)
		return false;
	found.signo = failure->signo;
	found.exit_status = failure->exit_status;
	*failure = found;
	return true;
}

bool
failure_parse_report(struct failure *failure, const char *report, size_t len)
{
	return report_parse(failure, report, len, true);
}

bool
failure_parse_output(struct failure *failure, const char *output, size_t len)
{
	return report_parse(failure, output, len, false);
}

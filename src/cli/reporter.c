#include "cli/reporter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "cli/tool.h"
#include "shared/wire/failure.h"

/* A word of a command line for people; to be freed. */
static char *
reporter_quoted(const char *word)
{
	size_t size = 4 * strlen(word) + 16;
	char *quoted = xmalloc(size);

	text_quote_shown(word, quoted, size);
	return quoted;
}

static void
reporter_print_rerun(const char *target, const char *output, const char *folder,
	const char *file)
{
	char *path = xasprintf("%s/%s%s%s", output, folder,
		file[0] != '\0' ? "/" : "", file);
	char *program = reporter_quoted(target), *input = reporter_quoted(path);

	printf("\n    to re-run: cfuzz repro %s %s\n", program, input);
	free(program);
	free(input);
	free(path);
}

static void
reporter_print_finding(const struct cli_reporter *lines,
	const struct report *report)
{
	const struct snapshot_finding *f = report->finding;
	bool row = f->sequence > 1;
	bool small = !row && f->minimized_len > 0;
	const char *file = small ? "minimized" : row ? "sequence" : "input";
	char *output = text_clean_dup(lines->output, strlen(lines->output));

	if (report->kind == REPORT_MINIMIZED)
		printf("minimized: ");
	if (report->kind == REPORT_SEQUENCE)
		printf("needs %u inputs in a row: ", f->sequence);
	tool_print_title(failure_class(failure_kind_parse(f->kind))->words,
		f->kind, f->what, f->where);
	if (f->text[0] != '\0')
		printf("    %s\n", f->text);
	printf("    %s/%s/%s   ", output, f->folder, file);
	free(output);
	if (row)
		printf("%u inputs", f->sequence);
	else
		printf("%llu bytes",
			(unsigned long long)(small ? f->minimized_len
						   : f->len));
	if (f->replays > 0)
		printf("   reproduced %u of %u", f->reproduced, f->replays);
	reporter_print_rerun(lines->target, lines->output, f->folder,
		row ? "" : file);
}

/* The accepted findings that this run has seen. */
static size_t
reporter_accepted(const struct snapshot *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->findings_n; i++)
		n += strcmp(s->findings[i].state, "accepted") == 0 &&
			s->findings[i].last_s > s->past_s;
	return n;
}

/* The last line names suspects, which may be findings all the same, and the
 * findings that do not count because they are accepted. To be freed. */
static char *
reporter_left_words(const struct cli_reporter *lines, const struct snapshot *s)
{
	const char *before = s->suspects == 1 ? ": " : ", most often ";
	size_t n = reporter_accepted(s);
	char *output, *words, accepted[64] = "";

	if (n > 0)
		snprintf(accepted, sizeof(accepted),
			"; %zu accepted finding%s seen", n,
			n == 1 ? " was" : "s were");
	if (s->suspects == 0)
		return xstrdup(accepted);
	output = text_clean_dup(lines->output, strlen(lines->output));
	words = xasprintf("%s; %llu suspect%s left in %s/suspects%s%s",
		accepted, (unsigned long long)s->suspects,
		s->suspects == 1 ? " is" : "s are", output,
		s->suspects_signal[0] != '\0' ? before : "",
		s->suspects_signal);
	free(output);
	return words;
}

/* With known findings that `cfuzz ci` passes over, it says so. False: there are
 * none. */
static bool
reporter_print_news(const struct snapshot *s, const char *left)
{
	unsigned long long all = snapshot_findings_open(s);
	unsigned long long new = s->findings_new;

	if (all <= new || s->exit_status > EXIT_FOUND)
		return false;
	if (s->exit_status == EXIT_NOTHING)
		printf("PASS: ended, nothing new was found; known findings: "
		       "%llu (exit status 0)%s\n",
			all, left);
	else
		printf("FAIL: %llu new finding%s; known findings: %llu (exit "
		       "status 1)%s\n",
			new, new == 1 ? "" : "s", all - new, left);
	return true;
}

static void
reporter_print_status(const struct report *report, const char *left)
{
	const struct snapshot *s = report->snapshot;
	unsigned long long found = snapshot_findings_open(s);
	bool past = found + s->findings_not_seen > 0;

	switch (s->exit_status) {
	case EXIT_NOTHING:
		printf("PASS: ended, nothing %swas found (exit status 0)%s%s\n",
			reporter_accepted(s) > 0 ? "new " : "",
			past ? "; `cfuzz check` runs what earlier runs found"
			     : "",
			left);
		break;
	case EXIT_FOUND:
		printf("FAIL: %llu distinct finding%s (exit status 1)%s%s%s\n",
			found, found == 1 ? "" : "s",
			report->text[0] != '\0' ? ": " : "", report->text,
			left);
		break;
	case EXIT_LOST:
		printf("FAIL: something could not be saved or done, %llu "
		       "distinct finding%s (exit status 3)%s%s\n",
			found, found == 1 ? "" : "s",
			report->text[0] != '\0' ? ": " : "", report->text);
		break;
	default:
		printf("FAIL: nothing ran (exit status 2)\n");
		break;
	}
}

static void
reporter_print_end(const struct cli_reporter *lines,
	const struct report *report)
{
	char *left = reporter_left_words(lines, report->snapshot);

	if (!lines->only_new || !reporter_print_news(report->snapshot, left))
		reporter_print_status(report, left);
	free(left);
}

static void
reporter_print_json(const struct report *report)
{
	json_t *json = NULL;

	if (report->kind == REPORT_EVENT)
		json = json_incref((json_t *)report->event);
	else if (report->kind == REPORT_ENDED)
		json = json_pack("{s:s, s:i, s:s, s:o}", "event", "ended",
			"exit", report->snapshot->exit_status, "text",
			report->text, "stats",
			snapshot_encode(report->snapshot));
	if (json == NULL)
		return;
	tool_print_json(json, JSON_COMPACT);
	json_decref(json);
}

void
cli_reporter_report(void *arg, const struct report *report)
{
	const struct cli_reporter *lines = arg;

	if (lines->json) {
		reporter_print_json(report);
	} else {
		switch (report->kind) {
		case REPORT_LINE:
			puts(report->text);
			break;
		case REPORT_FINDING:
		case REPORT_SEQUENCE:
		case REPORT_MINIMIZED:
			reporter_print_finding(lines, report);
			break;
		case REPORT_PROGRESS:
		case REPORT_EVENT:
			break;
		case REPORT_ENDED:
			reporter_print_end(lines, report);
			break;
		}
	}
	fflush(stdout);
}

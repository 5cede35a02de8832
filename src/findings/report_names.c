/*
 * report_names: see report_names.h. The frames of the report are collected once
 * each and requested one stack at a time. Then the report is written anew, line
 * by line.
 */
#include "findings/report_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"

#define SUMMARY "SUMMARY: "
#define NO_NAME "<null>"
#define LINE_SIZE 2048u /* longer lines contain no frame */

/* A frame in a line of the report. */
struct report_frame {
	struct failure_frame frame;
	bool numbered; /* a "#3 ..." line; else the summary line */
	size_t head;   /* end of the text before a name */
	size_t module; /* offset of "(" before the module */
};

struct question {
	struct question *next;
	struct report_names *owner;
	report_names_fn *done; /* NULL: the asker does not wait any more */
	void *arg;
	pid_t process;
	char *text;                   /* the report, cleaned */
	struct failure_frame *frames; /* each once */
	struct symbols_at *at;        /* their names, as far as received */
	uint32_t n, asked, named;
};

struct report_names {
	struct names *names;
	struct question *first;
};

struct report_names *
report_names_create(struct names *names)
{
	struct report_names *r = xcalloc(1, sizeof(*r));

	r->names = names;
	return r;
}

static void
report_destroy_question(struct question *q)
{
	uint32_t i;

	for (i = 0; i < q->n; i++)
		free(q->at[i].symbols);
	free(q->at);
	free(q->frames);
	free(q->text);
	free(q);
}

void
report_names_destroy(struct report_names *r)
{
	struct question *q;

	if (r == NULL)
		return;
	while ((q = r->first) != NULL) {
		r->first = q->next;
		report_destroy_question(q);
	}
	free(r);
}

void
report_names_forget(struct report_names *r, const void *arg)
{
	struct question *q;

	for (q = r->first; q != NULL; q = q->next)
		if (q->arg == arg)
			q->done = NULL;
}

/* ---- lines ---- */

/* Finds the last "+0x12)" of the line, behind a module; NULL: none. */
static const char *
report_names_find_offset(const char *line, uint64_t *offset)
{
	const char *at = line, *found = NULL;
	uint64_t number;
	char *end;

	while ((at = strstr(at, "+0x")) != NULL) {
		number = strtoull(at + 3, &end, 16);
		if (end > at + 3 && *end == ')') {
			found = at;
			*offset = number;
		}
		at += 3;
	}
	return found;
}

/* The length of "    #3 0x55.."; 0: not a frame line. */
static size_t
report_head_len(const char *line)
{
	size_t at = strspn(line, " "), n;

	if (line[at] != '#')
		return 0;
	n = strspn(line + at + 1, "0123456789");
	if (n == 0)
		return 0;
	at += 1 + n;
	if (strncmp(line + at, " 0x", 3) == 0)
		at += 3 + strspn(line + at + 3, "0123456789abcdef");
	return at;
}

/* Skips blanks, and the text that stands for an unknown name. */
static size_t
report_skip_blank(const char *line, size_t at)
{
	for (;;) {
		at += strspn(line + at, " ");
		if (strncmp(line + at, NO_NAME, strlen(NO_NAME)) != 0)
			return at;
		at += strlen(NO_NAME);
	}
}

/* False: no frame in the line, or one that has a name. */
static bool
report_find_frame(const char *line, struct report_frame *found)
{
	const char *plus = report_names_find_offset(line, &found->frame.offset),
		   *base, *at;

	if (plus == NULL)
		return false;
	found->head = report_head_len(line);
	found->numbered = found->head > 0;
	at = found->numbered ? NULL : strstr(line, " (");
	if (at != NULL && strncmp(line, SUMMARY, strlen(SUMMARY)) == 0)
		found->head = (size_t)(at - line);
	if (found->head == 0)
		return false;
	found->module = report_skip_blank(line, found->head);
	if (line[found->module] != '(' || line + found->module > plus)
		return false;
	for (base = plus; base[-1] != '/' && base > line + found->module + 1;)
		base--;
	snprintf(found->frame.module, sizeof(found->frame.module), "%.*s",
		(int)(plus - base), base);
	return found->frame.module[0] != '\0';
}

/* Returns the index of the frame; n: not found. */
static uint32_t
report_index_of(const struct question *q, const struct failure_frame *frame)
{
	uint32_t i;

	for (i = 0; i < q->n; i++)
		if (q->frames[i].offset == frame->offset &&
			strcmp(q->frames[i].module, frame->module) == 0)
			break;
	return i;
}

/* Returns the next line, without its newline, and a copy of it with '\0'. A
 * line that is too long for a frame has an empty copy. */
static bool
report_next_line(const char **rest, const char **line, size_t *len, char *copy)
{
	*line = *rest;
	*len = strcspn(*rest, "\n");
	if (**rest == '\0')
		return false;
	copy[0] = '\0';
	if (*len < LINE_SIZE) {
		memcpy(copy, *line, *len);
		copy[*len] = '\0';
	}
	*rest += *len + ((*rest)[*len] == '\n');
	return true;
}

static void
report_collect(struct question *q)
{
	struct report_frame found = { .head = 0 };
	char copy[LINE_SIZE];
	const char *rest = q->text, *line;
	size_t len;

	q->frames = xcalloc(REPORT_NAMES_MAX, sizeof(*q->frames));
	while (q->n < REPORT_NAMES_MAX &&
		report_next_line(&rest, &line, &len, copy))
		if (report_find_frame(copy, &found) &&
			report_index_of(q, &found.frame) == q->n)
			q->frames[q->n++] = found.frame;
	q->at = xcalloc(q->n, sizeof(*q->at));
}

/* ---- writing ---- */

/* Writes a line of a stack with another number: "    #" ends at `digits`. */
static void
report_write_number(FILE *out, const char *line, size_t end, uint32_t number)
{
	size_t digits = strcspn(line, "#") + 1;
	size_t rest = digits + strspn(line + digits, "0123456789");

	fprintf(out, "%.*s%u%.*s", (int)digits, line, number, (int)(end - rest),
		line + rest);
}

/* "    #3 0x55.. in fill tiles.c:9 (/x/target+0x12)" */
static void
report_write_named(FILE *out, const char *line,
	const struct report_frame *found, const struct symbol *s,
	uint32_t number)
{
	if (found->numbered)
		report_write_number(out, line, found->head, number);
	else
		fprintf(out, "%.*s", (int)found->head, line);
	if (s->function[0] != '\0')
		fprintf(out, " in %s", s->function);
	if (s->file[0] != '\0')
		fprintf(out, " %s", s->file);
	if (s->file[0] != '\0' && s->line > 0)
		fprintf(out, ":%u", s->line);
	fprintf(out, " %s\n", line + found->module);
}

/* Returns the names of the frame in this line; NULL: none. */
static const struct symbols_at *
names_of(const struct question *q, const char *line, struct report_frame *found)
{
	uint32_t i;

	*found = (struct report_frame){ .head = 0 };
	if (!report_find_frame(line, found))
		return NULL;
	i = report_index_of(q, &found->frame);
	return i < q->n && q->at[i].n > 0 ? &q->at[i] : NULL;
}

/* Is it a function of the runtime, which is linked into the target? Others have
 * a folder of this name, too. */
static bool
report_is_ours(const struct symbol *s)
{
	static const char folder[] = "/src/target/";
	static const char *const parts[] = { "child/", "server/", "program/",
		"hooks/", "crash/", "traps/", "start.c", "driver.c",
		"replay.c" };
	const char *at = strstr(s->path, folder);

	for (size_t i = 0; at != NULL && i < sizeof(parts) / sizeof(parts[0]);
		i++)
		if (strncmp(at + strlen(folder), parts[i], strlen(parts[i])) ==
			0)
			return true;
	return false;
}

/* Functions that call the target: CALLS_TARGET in target/abi.h. */
static bool
report_calls_target(const struct symbol *s)
{
	static const char *const callers[] = { "child_execute", "typed_run",
		"typed_run_bytes", "custom_enter_mutator",
		"custom_enter_crossover" };
	size_t i;

	for (i = 0; i < sizeof(callers) / sizeof(callers[0]); i++)
		if (strcmp(s->function, callers[i]) == 0)
			return report_is_ours(s);
	return false;
}

/*
 * Frames are numbered anew, because inlined functions add lines. False: the
 * runtime called the target here, so the target's part of the stack ends.
 */
static bool
report_write_frame(FILE *out, const struct question *q, const char *line,
	uint32_t *number)
{
	struct report_frame found;
	const struct symbols_at *at = names_of(q, line, &found);
	uint32_t k;

	if (*number > 0 && at != NULL &&
		report_calls_target(&at->symbols[at->n - 1]))
		return false;
	/* Functions inlined in the runtime are of no use to the user. */
	k = at != NULL && report_is_ours(&at->symbols[at->n - 1]) ? at->n - 1
								  : 0;
	for (; at != NULL && k < at->n; k++)
		report_write_named(out, line, &found, &at->symbols[k],
			(*number)++);
	if (at != NULL)
		return true;
	report_write_number(out, line, strlen(line), (*number)++);
	fputc('\n', out);
	return true;
}

static void
report_write_lines(FILE *out, const struct question *q)
{
	struct report_frame found;
	const struct symbols_at *at;
	const char *rest = q->text, *line;
	char copy[LINE_SIZE];
	uint32_t number = 0, own;
	bool inside = false, ended = false;
	size_t len;

	while (report_next_line(&rest, &line, &len, copy)) {
		if (report_head_len(copy) > 0) {
			own = (uint32_t)strtoul(copy + strcspn(copy, "#") + 1,
				NULL, 10);
			if (!inside || own == 0) {
				number = own;
				ended = false;
			}
			ended = ended ||
				!report_write_frame(out, q, copy, &number);
			inside = true;
			continue;
		}
		inside = false;
		at = names_of(q, copy, &found);
		if (at != NULL)
			report_write_named(out, copy, &found, &at->symbols[0],
				0);
		else
			fprintf(out, "%.*s\n", (int)len, line);
	}
}

static char *
report_write(const struct question *q)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	if (out == NULL)
		return xstrdup(q->text);
	report_write_lines(out, q);
	if (fclose(out) == 0)
		return text;
	free(text);
	return xstrdup(q->text);
}

/* ---- asking ---- */

static void
report_finish(struct question *q)
{
	struct question **at = &q->owner->first;
	report_names_fn *done = q->done;
	void *arg = q->arg;
	char *text = done != NULL ? report_write(q) : NULL;

	while (*at != q)
		at = &(*at)->next;
	*at = q->next;
	report_destroy_question(q);
	if (done != NULL)
		done(arg, text);
}

static void report_on_names(void *arg, struct symbols_answer *take_answer);

/* Requests the next stack of frames. False: none is left, or none can be
 * requested. */
static bool
report_ask_more(struct question *q)
{
	struct failure stack = { .frames_n = 0 };
	bool asked = false;

	while (!asked && q->asked < q->n) {
		stack.frames_n = 0;
		while (q->asked < q->n && stack.frames_n < FAILURE_FRAMES_MAX)
			stack.frames[stack.frames_n++] = q->frames[q->asked++];
		asked = names_ask(q->owner->names, &stack, q->process,
			report_on_names, q);
		if (!asked)
			q->named = q->asked;
	}
	return asked;
}

static void
report_on_names(void *arg, struct symbols_answer *take_answer)
{
	struct question *q = arg;
	uint32_t i;

	for (i = 0; i < take_answer->n && q->named < q->asked; i++) {
		q->at[q->named++] = take_answer->at[i];
		take_answer->at[i] = (struct symbols_at){ 0 };
	}
	q->named = q->asked;
	symbols_answer_destroy(take_answer);
	if (q->done == NULL || !report_ask_more(q))
		report_finish(q);
}

bool
report_names_ask(struct report_names *r, const char *report, size_t len,
	pid_t process, report_names_fn *done, void *arg)
{
	struct question *q = xcalloc(1, sizeof(*q));

	*q = (struct question){ .owner = r,
		.done = done,
		.arg = arg,
		.process = process,
		.text = text_clean_lines(report, len) };
	report_collect(q);
	if (!report_ask_more(q)) {
		report_destroy_question(q);
		return false;
	}
	q->next = r->first;
	r->first = q;
	return true;
}

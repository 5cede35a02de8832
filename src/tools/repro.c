/*
 * repro: runs files through a target, each in a fresh child, and prints the
 * results. One worker, no corpus, nothing written.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "findings/report_names.h"
#include "shared/values/encode.h"
#include "tools/archive_config.h"
#include "tools/repro_files.h"
#include "tools/runner.h"
#include "worker/inputs/input_text.h"

#define NAMES_S 15 /* longest wait for names of a failure */

struct repro {
	struct runner runner;
	struct archive_config archive;
	struct repro_files files;
	size_t next;    /* the run after the current one */
	unsigned tries; /* of the current run, see runner_again() */
	bool again;     /* the next run is the current one */
	uint8_t *data;  /* of the current run */
	size_t len, bytes;
	size_t failed_at; /* number of the failing input in a row */
	bool found, failed;
	struct event *late_event;
	bool naming;     /* the failure below waits for its names */
	bool blind_said; /* that names are impossible */
	struct report_names *report_names;
	pid_t process;     /* the failed process, or one like it */
	bool asked;        /* the names of the stack are asked for */
	unsigned too_late; /* answers to come that are not needed */
	struct failure failure;
	char *report;
	size_t report_len;
};

static const struct repro_run *
repro_current(const struct repro *r)
{
	return &r->files.runs[r->next - 1];
}

static bool
repro_load(struct repro *r)
{
	struct error err = { 0 };
	char text[ERROR_TEXT_MAX];

	/* A pipe can be read only once. */
	if (r->again) {
		r->again = false;
		return true;
	}
	free(r->data);
	r->data = NULL;
	if (repro_run_read(repro_current(r), &r->runner.types,
		    r->runner.memory.head->max_len, &r->data, &r->len,
		    &r->bytes, &err) == OK)
		return true;
	r->failed = true;
	text_clean_string(err.text, text, sizeof(text));
	runner_say(&r->runner, "%s", text);
	return false;
}

static bool
repro_next(void *arg, const struct worker *w, struct job *job)
{
	struct repro *r = arg;

	if (r->naming)
		return false; /* one run after the other */
	while (r->next < r->files.n) {
		r->next++;
		if (!repro_load(r))
			continue;
		job->data = r->data;
		job->len = r->len;
		if (repro_current(r)->row) {
			job->kind = JOB_SEQUENCE;
			job->sequence_n = (uint32_t)repro_current(r)->n;
		}
		return true;
	}
	runner_stop(&r->runner);
	return false;
}

static void
repro_say_lines(const struct repro *r, const char *at, size_t len)
{
	const char *end, *stop = at + len;
	char line[1024];

	for (; at < stop; at = end + 1) {
		end = memchr(at, '\n', (size_t)(stop - at));
		if (end == NULL)
			end = stop;
		text_clean(at, (size_t)(end - at), line, sizeof(line));
		runner_say(&r->runner, "%s", line);
	}
}

/* Prints the stack with the names of our own helper, then the report. */
static void
repro_say_report(const struct repro *r, const struct symbols_answer *answer)
{
	char *stack = names_stack(&r->failure, answer);

	if (stack != NULL)
		repro_say_lines(r, stack, strlen(stack));
	free(stack);
	repro_say_lines(r, r->report, r->report_len);
}

/* "x/input: 5 bytes", "x: 3 inputs in a row, 12 bytes". Says so if the input is
 * the value of a text, which is always shorter. */
static void
repro_write_name(const struct repro *r, char *buf, size_t size)
{
	const struct repro_run *run = repro_current(r);
	size_t len = r->len - (run->row ? run->n * sizeof(uint32_t) : 0);
	char row[64] = "", value[64] = "";

	if (run->row)
		snprintf(row, sizeof(row), "%zu input%s in a row, ", run->n,
			run->n == 1 ? "" : "s");
	if (r->runner.types.n == 0 && len != r->bytes)
		snprintf(value, sizeof(value),
			" (" ENCODE_VERSION ": %zu bytes)", len);
	text_clean_string(run->name, buf, size - 160);
	snprintf(buf + strlen(buf), 160, ": %s%zu bytes%s", row, r->bytes,
		value);
}

static void
repro_say_call(const struct repro *r, const uint8_t *data, size_t len)
{
	char *call =
		input_call(&r->runner.types, r->runner.function, data, len);

	if (call[0] != '\0')
		runner_say(&r->runner, "    %s", call);
	else if (r->runner.types.n > 0 && repro_current(r)->row)
		runner_say(&r->runner,
			"    (a call that is too long to be read)");
	free(call);
}

/* Prints a typed target's input as a call for a unit test; of a row, all up to
 * the one that fails. */
static void
repro_say_calls(const struct repro *r)
{
	const uint8_t *at = r->data;
	uint32_t len;
	size_t i;

	if (!repro_current(r)->row) {
		repro_say_call(r, r->data, r->len);
		return;
	}
	for (i = 0; i < r->failed_at; i++) {
		memcpy(&len, at, sizeof(len));
		at += sizeof(len);
		repro_say_call(r, at, len);
		at += len;
	}
}

/* answer may be NULL: no names. */
static void
repro_tell(struct repro *r, const struct symbols_answer *answer)
{
	const struct failure *f = &r->failure;
	char name[600], what[512], text[FAILURE_TEXT_MAX], where[256];
	char at[32] = "";

	repro_write_name(r, name, sizeof(name));
	if (repro_current(r)->row)
		snprintf(at, sizeof(at), " at input %zu", r->failed_at);
	text_clean_string(f->what[0] != '\0' ? f->what
					     : failure_kind_name(f->kind),
		what, sizeof(what));
	names_spot(f, answer, where, sizeof(where));
	runner_say(&r->runner, "%s: fails%s: %s%s%s", name, at, what,
		where[0] != '\0' ? " in " : "", where);
	text_clean_string(f->text, text, sizeof(text));
	if (text[0] != '\0')
		runner_say(&r->runner, "    %s", text);
	repro_say_calls(r);
	repro_say_report(r, answer);
	report_names_forget(r->report_names, r);
	r->naming = r->asked = false;
	event_del(r->late_event);
	runner_wake(&r->runner);
}

static void
repro_on_names(void *arg, struct symbols_answer *take_answer)
{
	struct repro *r = arg;

	if (take_answer->blind && !r->blind_said)
		runner_say(&r->runner, "warning: " NAMES_BLIND);
	r->blind_said |= take_answer->blind;
	/* Answers come in order: this one is for a failure that was already
	 * reported. */
	if (r->too_late > 0)
		r->too_late--;
	else
		repro_tell(r, take_answer);
	symbols_answer_destroy(take_answer);
}

static void
repro_on_late(evutil_socket_t fd, short what, void *arg)
{
	struct repro *r = arg;

	r->too_late += r->asked;
	repro_tell(r, NULL);
}

static void
repro_ask(struct repro *r)
{
	r->asked = names_ask(r->runner.names, &r->failure, r->process,
		repro_on_names, r);
	if (!r->asked)
		repro_tell(r, NULL);
}

static void
repro_on_report(void *arg, char *take_text)
{
	struct repro *r = arg;

	free(r->report);
	r->report = take_text;
	r->report_len = strlen(take_text);
	repro_ask(r);
}

/* Reports the failure when its names are there, or too late. */
static void
repro_name(struct repro *r, pid_t process, const struct worker_result *result)
{
	const struct timeval late = { NAMES_S, 0 };

	free(r->report);
	r->report_len = result->report != NULL ? result->report_len : 0;
	r->report =
		xmemdup(r->report_len > 0 ? result->report : "", r->report_len);
	r->failure = result->failure;
	r->failed_at = result->count < repro_current(r)->n
		? (size_t)result->count
		: repro_current(r)->n;
	r->process = process;
	r->naming = true;
	event_add(r->late_event, &late);
	if (!report_names_ask(r->report_names, r->report, r->report_len,
		    process, repro_on_report, r))
		repro_ask(r);
}

static void
repro_on_result(void *arg, const struct worker *w,
	const struct worker_result *result)
{
	struct repro *r = arg;
	char name[600], why[512];

	if (runner_again(result, &r->tries)) {
		r->again = true;
		r->next--;
		return;
	}
	repro_write_name(r, name, sizeof(name));
	if (result->interrupted || result->count == 0) {
		r->failed = true;
		text_clean_string(result->error, why, sizeof(why));
		runner_say(&r->runner, "%s: not run%s%s%s", name,
			result->interrupted ? " to its end" : "",
			why[0] != '\0' ? ": " : "", why);
	} else if (result->failure.kind == FAILURE_NONE) {
		runner_say(&r->runner, "%s: ok, %.1f ms", name,
			(double)(repro_current(r)->row ? result->total_ns
						       : result->run_ns) /
				1e6);
	} else {
		r->found = true;
		repro_name(r, worker_pid(w), result);
	}
}

/* The user has stopped it before them. */
static void
repro_tell_left(struct repro *r)
{
	char name[600];

	/* The last one has waited for a fresh process. */
	r->next -= r->runner.jobs[0].waits;
	for (; r->next < r->files.n; r->next++) {
		text_clean_string(r->files.runs[r->next].name, name,
			sizeof(name));
		runner_say(&r->runner, "%s: not run: stopped", name);
		r->failed = true;
	}
}

/* ---- the whole ---------------------------------------------------------- */

static enum status
repro_open(struct repro *r, struct error *err)
{
	static const struct runner_handlers handlers = {
		.next = repro_next,
		.on_result = repro_on_result,
	};
	uint64_t max_len =
		repro_files_max_len(&r->files, r->archive.settings.max_len);
	char text[1024];

	if (runner_open(&r->runner, &r->archive.config, &handlers, r, 1,
		    max_len, err) != OK)
		return err->code;
	r->late_event = event_new(r->runner.base, -1, 0, repro_on_late, r);
	r->report_names = report_names_create(r->runner.names);
	archive_config_tell(&r->archive, text, sizeof(text));
	if (text[0] != '\0')
		runner_say(&r->runner, "%s", text);
	return OK;
}

static void
repro_close(struct repro *r)
{
	if (r->late_event != NULL)
		event_free(r->late_event);
	runner_close(&r->runner);
	report_names_destroy(r->report_names);
	repro_files_clear(&r->files);
	free(r->data);
	free(r->report);
}

enum exit_status
engine_repro(const struct engine_config *config, char **files,
	struct error *err)
{
	struct repro r = { .next = 0 };
	bool ran;

	repro_files_init(&r.files, files, config->together);
	ran = archive_config_take(&r.archive, config, files, "repro", err) ==
			OK &&
		repro_open(&r, err) == OK && runner_run(&r.runner, err) == OK;
	if (ran && r.naming)
		repro_tell(&r, NULL);
	if (ran)
		repro_tell_left(&r);
	repro_close(&r);
	archive_config_clear(&r.archive);
	if (!ran)
		return EXIT_SETUP;
	if (r.failed)
		return EXIT_LOST;
	return r.found ? EXIT_FOUND : EXIT_NOTHING;
}

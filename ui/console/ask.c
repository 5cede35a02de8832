/*
 * ask: questions before commands that are easily given by accident.
 */
#include "ui/console/ask.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "control/settings.h"
#include "ui/console/summary.h"
#include "ui/widgets/labels.h"

#define ASK_QUIT_TITLE "quit"
#define ASK_ENDED_TITLE "ended"
#define ASK_WORKERS_MAX ((long)settings_option(OPT_PARALLEL)->max)

static struct question *ask_open(struct model *model, const char *title,
	const char *fmt, ...) __attribute__((format(printf, 3, 4)));

static struct question *
ask_open(struct model *model, const char *title, const char *fmt, ...)
{
	struct question *q = &model->question;
	va_list ap;

	memset(q, 0, sizeof(*q));
	q->open = true;
	snprintf(q->title, sizeof(q->title), "%s", title);
	va_start(ap, fmt);
	vsnprintf(q->text, sizeof(q->text), fmt, ap);
	va_end(ap);
	return q;
}

static void
ask_choice(struct question *q, const char *key, const char *label,
	const char *command)
{
	struct choice *choice = &q->choices[q->choices_n++];

	snprintf(choice->key, sizeof(choice->key), "%s", key);
	snprintf(choice->label, sizeof(choice->label), "%s", label);
	snprintf(choice->command, sizeof(choice->command), "%s", command);
}

static void
ask_cancel(struct question *q, const char *label)
{
	ask_choice(q, "c", label, "");
}

/* ---- the questions ---- */

static bool
ask_is_minimizing(const struct snapshot *s)
{
	return s->state == RUN_MINIMIZING || s->minimizations_n > 0 ||
		s->minimize_queue > 0;
}

static bool
ask_quit(struct model *model)
{
	const struct snapshot *s = model->snapshot;
	struct question *q;

	if (model->watching) {
		q = ask_open(model, ASK_QUIT_TITLE,
			"You watch this campaign. It goes on when you leave.");
		ask_choice(q, "d", "leave", "detach");
		ask_cancel(q, "cancel");
		return true;
	}
	if (s->state == RUN_STOPPING) {
		q = ask_open(model, ASK_QUIT_TITLE,
			"The workers are being stopped. All findings are "
			"already on disk.");
		ask_choice(q, "k", "kill them now", "quit now");
		ask_cancel(q, "wait");
		return true;
	}
	q = ask_open(model, ASK_QUIT_TITLE,
		"End the campaign? All findings are on disk, and the next "
		"start resumes it.");
	ask_choice(q, "s", "stop and quit", "quit");
	if (ask_is_minimizing(s))
		ask_choice(q, "f", "finish the minimization first",
			"quit minimized");
	ask_choice(q, "d", "detach, it goes on", "detach");
	ask_cancel(q, "cancel");
	return true;
}

/* Asks before the first stop step of the whole campaign. */
static bool
ask_stop_all(struct model *model, const char *line)
{
	struct question *q;

	if (model->snapshot->state >= RUN_STOPPING)
		return false;
	q = ask_open(model, "stop",
		"Stop the campaign? All findings are on disk, and the next "
		"start resumes it.");
	ask_choice(q, "s", "stop, and show the result", line);
	ask_cancel(q, "cancel");
	return true;
}

static bool
ask_stop(struct model *model, const struct command *command, const char *line)
{
	const struct snapshot_worker *worker = NULL;
	enum stop_step step = model->snapshot->stop_step;
	struct question *q;

	if (command->argc == 0 && step == STOP_NONE)
		return ask_stop_all(model, line);

	if (command->argc > 0) {
		worker = snapshot_find_worker(model->snapshot,
			(uint32_t)strtoul(command->argv[0], NULL, 10));
		step = worker != NULL ? worker->stop_step : STOP_NONE;
	}
	if (step != STOP_INTERRUPT)
		return false;
	q = ask_open(model, "kill",
		"%s was asked to stop and was interrupted. Kill now?",
		worker != NULL ? "The worker" : "Every worker");
	ask_choice(q, "k", "kill now", line);
	ask_cancel(q, "wait");
	return true;
}

/* The number of workers after the command; 0: it is refused. */
static long
ask_workers_after(const struct snapshot *s, const char *text)
{
	char *end;
	long n = strtol(text, &end, 10), now = 0;

	if (end == text || *end != '\0' || n > ASK_WORKERS_MAX)
		return 0;
	if (text[0] != '+' && text[0] != '-')
		return n;
	for (size_t i = 0; i < s->workers_n; i++)
		now += !s->workers[i].retiring;
	return now + n <= ASK_WORKERS_MAX ? now + n : 0;
}

static bool
ask_workers(struct ask *ask, struct model *model, const char *text,
	const char *line)
{
	long after = ask_workers_after(model->snapshot, text);
	struct question *q;

	if (after <= 2 * (long)ask->processors || ask->many_workers)
		return false;
	ask->many_workers = true;
	q = ask_open(model, "workers",
		"More than two workers for each of the %u CPUs seldom find "
		"more. Have %ld workers?",
		ask->processors, after);
	ask_choice(q, "a", "have them", line);
	ask_cancel(q, "cancel");
	return true;
}

static bool
ask_accept(struct model *model, const struct command *command)
{
	static const struct {
		const char *key, *label, *state;
	} rows[] = {
		{ "a", "accept it", "accepted" },
		{ "k", "mark as known", "known" },
		{ "n", "mark as new", "new" },
	};
	struct question *q = ask_open(model, "accept",
		"It stays on disk and in all reports. An accepted one is no "
		"failure: it is not red and does not change the exit status.");
	char line[MODEL_TEXT];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(line, sizeof(line), "mark %.64s %s", command->argv[0],
			rows[i].state);
		ask_choice(q, rows[i].key, rows[i].label, line);
	}
	ask_cancel(q, "cancel");
	return true;
}

bool
ask_about(struct ask *ask, struct model *model, const struct command *command,
	const char *line)
{
	/* A user who only watches is refused, without a question. */
	if (model->watching && command->id != COMMAND_QUIT)
		return false;
	/* Nothing runs any more that a question could protect. */
	if (model->link == LINK_ENDED ||
		(model->snapshot->state == RUN_ENDED &&
			command->id != COMMAND_ACCEPT))
		return false;
	switch (command->id) {
	case COMMAND_QUIT:
		return command->argc == 0 && ask_quit(model);
	case COMMAND_STOP:
		return ask_stop(model, command, line);
	case COMMAND_WORKERS:
		return ask_workers(ask, model,
			command->argc > 0 ? command->argv[0] : "1", line);
	case COMMAND_SET:
		return command->argc == 2 &&
			strcmp(command->argv[0], "parallel") == 0 &&
			ask_workers(ask, model, command->argv[1], line);
	case COMMAND_ACCEPT:
		return ask_accept(model, command);
	default:
		return false;
	}
}

/* ---- the end ---- */

bool
ask_is_quit(const struct model *model)
{
	return model->question.open &&
		strcmp(model->question.title, ASK_QUIT_TITLE) == 0;
}

void
ask_ended(struct model *model)
{
	const struct snapshot *s = model->snapshot;
	uint64_t found = snapshot_findings(s);
	char count[TEXT_NUMBER_SIZE], clock[TEXT_NUMBER_SIZE];
	char inputs[TEXT_NUMBER_SIZE], why[128];
	struct question *q;

	text_clean_string(s->ended_why[0] != '\0' ? s->ended_why : s->ended_by,
		why, sizeof(why));
	q = ask_open(model, ASK_ENDED_TITLE,
		"The %s has ended after %s%s%s. %s %s, %s %s in the "
		"corpus. Exit status %s.",
		s->past_execs > 0 ? "run" : "campaign",
		text_clock(s->elapsed_s, clock), why[0] != '\0' ? ": " : "",
		why, text_count(found, count),
		label_plural(found, "finding", "findings"),
		text_count(snapshot_corpus_kept(s), inputs),
		label_plural(snapshot_corpus_kept(s), "input", "inputs"),
		summary_status_words(s->exit_status));
	/* It opens by itself: a key that was meant for the view stays. */
	ask_choice(q, "l", "stay and look around", "");
	ask_choice(q, "q", "leave", "quit");
}

/* ---- the answers ---- */

static bool
ask_answer(struct question *q, size_t choice, const char **line)
{
	q->open = false;
	*line = q->choices[choice].command;
	return true;
}

/* The answer that does nothing; each question has one. */
static size_t
ask_nothing(const struct question *q)
{
	size_t i = 0;

	while (i + 1 < q->choices_n && q->choices[i].command[0] != '\0')
		i++;
	return i;
}

bool
ask_command(struct model *model, const char *command, const char **line)
{
	struct question *q = &model->question;
	size_t cancel = ask_nothing(q);

	if (strcmp(command, "next") == 0)
		q->selected = (q->selected + 1) % q->choices_n;
	else if (strcmp(command, "previous") == 0)
		q->selected = (q->selected + q->choices_n - 1) % q->choices_n;
	else if (strcmp(command, "accept") == 0)
		return ask_answer(q, q->selected, line);
	else if (strcmp(command, "again") == 0)
		return ask_answer(q,
			strcmp(q->title, ASK_QUIT_TITLE) == 0 ? 0 : cancel,
			line);
	else if (strcmp(command, "cancel") == 0)
		return ask_answer(q, cancel, line);
	return false;
}

bool
ask_key(struct model *model, const char *key, const char **line)
{
	struct question *q = &model->question;

	for (size_t i = 0; i < q->choices_n; i++)
		if (strcmp(q->choices[i].key, key) == 0)
			return ask_answer(q, i, line);
	return false;
}

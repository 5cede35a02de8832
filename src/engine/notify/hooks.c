/* hooks: see hooks.h. */
#include "engine/notify/hooks.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "control/json_text.h"
#include "engine/log/messages.h"
#include "engine/notify/hook_process.h"
#include "engine/parts.h"
#include "engine/program.h"
#include "worker/target/command_path.h"

/* One of the two options. */
struct hook {
	const char *option;
	char **argv; /* NULL: not given */
	bool failed; /* and reported */
};

struct hooks {
	struct engine *engine;
	struct hook on_finding, on_end;
	struct hook_process process;
	struct hook *runs; /* whose process it is */
	json_t *waiting;   /* facts of findings */
	json_t *at_end;    /* facts for on_end; NULL: it does not wait */
	uint64_t next_ns;  /* no start before … */
	uint64_t end_ns;   /* … and, after the end, none later */
	bool left_out;     /* some findings, and reported */
	bool ended;        /* hooks_end() */
	bool no_events;    /* the journal has its last line */
};

/* ---- start ---- */

static enum status
hook_prepare(struct hook *hook, const char *option, const char *line,
	struct error *err)
{
	struct error why = { 0 };
	char path[4096], shown[256];
	const char *program;

	hook->option = option;
	if (line == NULL || line[0] == '\0')
		return OK;
	if (hook_argv_parse(line, &hook->argv, &why) != OK)
		return error_set(err, E_USAGE, "%s: %s", option, why.text);
	program = command_path_find(hook->argv[0], path, sizeof(path));
	text_clean_string(hook->argv[0], shown, sizeof(shown));
	if (!file_is_program(program))
		return error_set(err, E_USAGE,
			"%s: %s is not a program that can be started", option,
			shown);
	return OK;
}

enum status
hooks_create(struct hooks **hooks, struct engine *e, struct error *err)
{
	const struct settings *settings = engine_settings(e);
	struct hooks *h = xcalloc(1, sizeof(*h));

	*hooks = NULL;
	h->engine = e;
	h->waiting = json_array();
	if (hook_prepare(&h->on_finding, "--on-finding", settings->on_finding,
		    err) != OK ||
		hook_prepare(&h->on_end, "--on-end", settings->on_end, err) !=
			OK) {
		hooks_destroy(h);
		return err->code;
	}
	if (h->on_finding.argv != NULL || h->on_end.argv != NULL)
		*hooks = h;
	else
		hooks_destroy(h);
	return OK;
}

void
hooks_destroy(struct hooks *h)
{
	char why[HOOK_WHY_SIZE];
	sigset_t none;

	if (h == NULL)
		return;
	sigemptyset(&none);
	h->process.end_ns = 0; /* it is killed if it still runs */
	(void)hook_wait(&h->process, &none, why);
	xfree_list(h->on_finding.argv);
	xfree_list(h->on_end.argv);
	json_decref(h->waiting);
	json_decref(h->at_end);
	free(h);
}

/* ---- facts ---- */

/* The facts that each command gets. */
static json_t *
hooks_facts(const struct hooks *h, const char *event)
{
	const char *output = engine_output_path(h->engine);
	char *absolute = realpath(output, NULL);
	json_t *facts = json_object();

	json_object_set_new(facts, "event", json_text_new(event));
	json_object_set_new(facts, "target",
		json_text_new(program_name(h->engine)));
	json_object_set_new(facts, "output",
		json_text_new(absolute != NULL ? absolute : output));
	free(absolute);
	return facts;
}

/* ---- runs ---- */

static void
hooks_warn(struct hooks *h, const char *text)
{
	if (h->no_events)
		message_print(h->engine, "warning: %s", text);
	else
		message_warn(h->engine, "hook", text);
}

static void
hooks_complain(struct hooks *h, struct hook *hook, const char *why)
{
	char text[HOOK_WHY_SIZE + ERROR_TEXT_MAX];

	if (hook == NULL || why[0] == '\0' || hook->failed)
		return;
	hook->failed = true;
	snprintf(text, sizeof(text), "%s: %s %s", hook->option, hook->argv[0],
		why);
	hooks_warn(h, text);
}

static void
hooks_start(struct hooks *h, struct hook *hook, const json_t *facts)
{
	uint64_t ns =
		engine_settings(h->engine)->hook_time_ms * CLOCK_NS_PER_MS;
	struct error err = { 0 };

	h->runs = hook;
	h->next_ns = clock_now_ns() + CLOCK_NS_PER_S;
	if (hook_start(&h->process, hook->argv, facts, ns, &err) != OK)
		hooks_complain(h, hook, err.text);
}

/* The findings that still wait at the end. */
static void
hooks_leave_out(struct hooks *h)
{
	size_t n = json_array_size(h->waiting);
	char text[ERROR_TEXT_MAX];

	if (n == 0)
		return;
	json_array_clear(h->waiting);
	snprintf(text, sizeof(text),
		"--on-finding: the campaign ends before the command has taken "
		"all findings; %zu %s left out",
		n, n == 1 ? "is" : "are");
	hooks_warn(h, text);
}

/* Starts the next command, if one is due. */
static bool
hooks_start_next(struct hooks *h)
{
	uint64_t now = clock_now_ns();
	json_t *facts = NULL;
	struct hook *hook = &h->on_finding;

	if (h->ended && now >= h->end_ns)
		hooks_leave_out(h);
	if (json_array_size(h->waiting) == 0) {
		hook = &h->on_end;
		facts = h->at_end;
		h->at_end = NULL;
	} else if (h->ended || now >= h->next_ns) {
		facts = json_incref(json_array_get(h->waiting, 0));
		json_array_remove(h->waiting, 0);
	}
	if (facts == NULL)
		return false;
	hooks_start(h, hook, facts);
	json_decref(facts);
	return true;
}

void
hooks_on_second(struct hooks *h)
{
	char why[HOOK_WHY_SIZE];

	if (h == NULL || hook_check(&h->process, why))
		return;
	hooks_complain(h, h->runs, why);
	(void)hooks_start_next(h);
}

void
hooks_on_finding(struct hooks *h, const struct snapshot_finding *f)
{
	json_t *facts;
	char *path;

	if (h == NULL || h->on_finding.argv == NULL)
		return;
	if (json_array_size(h->waiting) >= HOOKS_WAITING) {
		if (!h->left_out)
			message_warn(h->engine, "hook",
				"--on-finding: findings come faster than the "
				"command takes them; some are left out");
		h->left_out = true;
		return;
	}
	facts = hooks_facts(h, "finding");
	path = xasprintf("%s/%s", json_text_get(facts, "output"), f->folder);
	json_object_set_new(facts, "path", json_text_new(path));
	json_object_set_new(facts, "finding", json_text_new(f->id));
	json_object_set_new(facts, "kind", json_text_new(f->kind));
	json_object_set_new(facts, "what", json_text_new(f->what));
	json_object_set_new(facts, "where", json_text_new(f->where));
	json_object_set_new(facts, "text", json_text_new(f->text));
	json_object_set_new(facts, "len", json_integer((json_int_t)f->len));
	free(path);
	json_array_append_new(h->waiting, facts);
	hooks_on_second(h);
}

/* ---- the end ---- */

static json_t *
hooks_end_facts(const struct hooks *h, const struct snapshot *s)
{
	json_t *facts = hooks_facts(h, "end");

	json_object_set_new(facts, "exit", json_integer(s->exit_status));
	json_object_set_new(facts, "execs", json_integer((json_int_t)s->execs));
	json_object_set_new(facts, "elapsed_s", json_real(s->elapsed_s));
	json_object_set_new(facts, "corpus",
		json_integer((json_int_t)snapshot_corpus_kept(s)));
	json_object_set_new(facts, "findings",
		json_integer((json_int_t)snapshot_findings(s)));
	return facts;
}

void
hooks_end(struct hooks *h, const struct snapshot *s, bool stays)
{
	if (h == NULL)
		return;
	h->ended = true;
	h->no_events = !stays;
	h->end_ns = clock_now_ns() +
		engine_settings(h->engine)->hook_time_ms * CLOCK_NS_PER_MS;
	if (h->on_end.argv != NULL)
		h->at_end = hooks_end_facts(h, s);
}

/* Nothing more is started. */
static void
hooks_leave(struct hooks *h)
{
	hooks_leave_out(h);
	if (h->at_end == NULL)
		return;
	json_decref(h->at_end);
	h->at_end = NULL;
	hooks_warn(h, "--on-end: left out, because cfuzz was told to end");
}

void
hooks_finish(struct hooks *h, const sigset_t *leave)
{
	char why[HOOK_WHY_SIZE];
	bool goes_on;

	if (h == NULL)
		return;
	do {
		goes_on = hook_wait(&h->process, leave, why);
		hooks_complain(h, h->runs, why);
		if (!goes_on)
			hooks_leave(h);
	} while (hooks_start_next(h));
}

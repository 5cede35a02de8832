/*
 * commands: the commands of a front end. A table of handlers; each checks its
 * arguments, acts, and answers with one sentence.
 */
#include "engine/front/commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "control/command.h"
#include "control/settings.h"
#include "corpus/corpus.h"
#include "corpus/dictionary.h"
#include "engine/corpus/load.h"
#include "engine/engine_end.h"
#include "engine/engine_end_check.h"
#include "engine/engine_over.h"
#include "engine/front/command_names.h"
#include "engine/front/server.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/pool/grow_memory.h"
#include "engine/pool/pool.h"
#include "engine/pool/pool_workers.h"
#include "engine/program.h"
#include "engine/schedule/schedule.h"
#include "engine/statistics/limit_effects.h"
#include "engine/triage/triage.h"
#include "engine/triage/triage_needs.h"
#include "findings/finding.h"
#include "shared/values/tuple.h"
#include "worker/memory/campaign_memory.h"
#include "worker/worker.h"

#define FUZZ_CALLS_MAX 1000
#define REPLAYS_MAX 1000

static struct slot *
command_find_slot(struct engine *e, const char *text, struct error *err)
{
	char *end;
	unsigned long id;

	errno = 0;
	id = strtoul(text, &end, 10);
	if (errno != 0 || end == text || *end != '\0' || id >= pool_count(e) ||
		!pool_at(e, id)->wanted) {
		error_set(err, E_RANGE, "there is no worker %s", text);
		return NULL;
	}
	return pool_at(e, id);
}

/* The campaign is paused when the last worker is paused. When one worker
 * resumes, the campaign resumes and the others stay paused. */
static void
command_pause_worker(struct engine *e, const struct slot *slot, bool pause)
{
	uint32_t i, id = worker_slot(slot->worker);

	if (pause || !engine_paused(e)) {
		pool_set_paused(e, id, pause);
		pool_note_pause(e);
		return;
	}
	engine_set_paused(e, false);
	for (i = 0; i < pool_count(e); i++)
		if (i != id)
			pool_set_paused(e, i, true);
}

/* The command pause, or resume. */
static enum status
command_pause(struct engine *e, const struct command *c, char *answer,
	size_t size, struct error *err)
{
	bool pause = c->id == COMMAND_PAUSE;
	struct slot *slot;

	if (engine_stopping(e))
		return error_set(err, E_STATE, "the campaign is stopping");
	if (c->argc == 0) {
		engine_set_paused(e, pause);
		snprintf(answer, size, pause ? "paused" : "fuzzing goes on");
		return OK;
	}
	slot = command_find_slot(e, c->argv[0], err);
	if (slot == NULL)
		return err->code;
	/* Alone, it would let the clock run and fuzz nothing. */
	if (!pause && !pool_is_there(slot))
		return error_set(err, E_STATE,
			"worker %s no longer starts; stop %s tries again",
			c->argv[0], c->argv[0]);
	command_pause_worker(e, slot, pause);
	message_event(e, "operator", NULL, "worker %s %s", c->argv[0],
		pause ? "paused" : "goes on");
	snprintf(answer, size, "worker %s %s", c->argv[0],
		pause ? "paused" : "goes on");
	return OK;
}

static enum status
command_check_workers(const struct engine *e, uint64_t n, struct error *err)
{
	if (n > 1 && engine_settings(e)->input_file[0] != '\0')
		return error_set(err, E_STATE,
			"--input-file names one file, so there can be only one "
			"worker");
	if (engine_stopping(e))
		return error_set(err, E_STATE, "the campaign is stopping");
	return OK;
}

static enum status
command_workers(struct engine *e, const struct command *c, char *answer,
	size_t size, struct error *err)
{
	const char *text = c->argv[0];
	long now = (long)pool_wanted(e), n;
	char before[24], after[24], *end;

	n = strtol(text, &end, 10);
	if (end == text || *end != '\0')
		return error_set(err, E_FORMAT,
			"write: workers N, workers +1 or workers -1, not %s",
			text);
	/* A number that is too large stays so. */
	if ((*text == '+' || *text == '-') && n <= (long)MEMORY_WORKERS_MAX)
		n += now;
	if (n == 0)
		return error_set(err, E_RANGE,
			"one worker is the minimum; pause it, or stop the "
			"campaign");
	if (n < 1 || n > (long)MEMORY_WORKERS_MAX)
		return error_set(err, E_RANGE,
			"the number of workers is 1 to %u", MEMORY_WORKERS_MAX);
	if (command_check_workers(e, (uint64_t)n, err) != OK)
		return err->code;
	n = pool_resize(e, (uint32_t)n);
	engine_change_settings(e)->origin[OPT_PARALLEL] = ORIGIN_KEY;
	snprintf(before, sizeof(before), "%ld", now);
	snprintf(after, sizeof(after), "%ld", n);
	limit_effects_note(e, "parallel", before, after);
	message_event(e, "operator", NULL, "workers %ld -> %ld", now, n);
	snprintf(answer, size, "%ld worker%s", n, n == 1 ? "" : "s");
	return OK;
}

static void
command_warn_of_dictionary(void *arg, const char *text)
{
	message_warn(arg, "dictionary", text);
}

static enum status
command_check_max_len(const struct engine *e, uint64_t max_len,
	struct error *err)
{
	uint8_t zeros[TUPLE_ZERO_MAX];
	size_t least = tuple_zero(program_types(e), zeros);

	if (max_len < least)
		return error_set(err, E_RANGE,
			"an input of this target has at least %zu bytes",
			least);
	return grow_memory_check(e, max_len, err);
}

/* Checks that need more than the table of options. */
static enum status
command_check_limit(struct engine *e, const struct option *option,
	const char *value, struct error *err)
{
	struct settings wish;
	enum status status = OK;

	if (option->id == OPT_DICT)
		return dictionary_load(value, engine_memory(e),
			command_warn_of_dictionary, e, err);
	if (option->id != OPT_MAX_LEN && option->id != OPT_PARALLEL)
		return OK;
	settings_init(&wish);
	status = settings_set(&wish, option->name, value, ORIGIN_KEY, err);
	if (status == OK && option->id == OPT_PARALLEL)
		status = command_check_workers(e, wish.parallel, err);
	else if (status == OK)
		status = command_check_max_len(e, wish.max_len, err);
	settings_clear(&wish);
	return status;
}

static void
command_apply_limit(struct engine *e, const struct option *option)
{
	pool_set_limits(e);
	if (option->id == OPT_RSS_LIMIT && pool_must_renew_limit(e))
		pool_renew_limit(e);
	if (option->id == OPT_MINIMIZETIME)
		triage_on_minimizetime(e);
	pool_wake(e);
	engine_check_end(e);
}

static enum status
command_set(struct engine *e, const struct command *c, char *answer,
	size_t size, struct error *err)
{
	const struct option *option = settings_find(c->argv[0]);
	char before[64], after[64];

	if (option == NULL)
		return error_set(err, E_USAGE, "there is no option %s",
			c->argv[0]);
	if (!(option->flags & OPTION_LIVE))
		return error_set(err, E_USAGE,
			"%s cannot be changed during a campaign", c->argv[0]);
	settings_format(engine_settings(e), option->id, before, sizeof(before));
	if (command_check_limit(e, option, c->argv[1], err) != OK ||
		settings_set(engine_change_settings(e), c->argv[0], c->argv[1],
			ORIGIN_KEY, err) != OK)
		return err->code;
	/* There may be fewer than the user wants. */
	if (option->id == OPT_PARALLEL)
		(void)pool_resize(e, (uint32_t)engine_settings(e)->parallel);
	settings_format(engine_settings(e), option->id, after, sizeof(after));
	message_event(e, "limit",
		json_pack("{s:s, s:s, s:s, s:f}", "limit", option->name,
			"before", before, "after", after, "execs_per_sec",
			limit_effects_rate(e)),
		"%s %s -> %s", option->name, before, after);
	limit_effects_note(e, option->name, before, after);
	snprintf(answer, size, "%s is now %s%s", option->name, after,
		engine_settings(e)->max_len > engine_memory(e)->head->max_len
			? "; the workers restart for it, one by one"
			: option->id == OPT_RSS_LIMIT &&
				pool_must_renew_limit(e)
			? "; the workers restart for it"
			: "");
	command_apply_limit(e, option);
	return OK;
}

static void
command_say_stopping(const struct engine *e, char *answer, size_t size)
{
	static const char *const STEPS[STOP_STEP_COUNT] = {
		[STOP_NONE] = "soon",
		[STOP_CLOSED] = "the workers are asked to end",
		[STOP_INTERRUPT] = "the workers are interrupted",
		[STOP_KILL] = "the workers are killed",
	};

	snprintf(answer, size, "stopping: %s", STEPS[engine_stop_step(e)]);
}

static enum status
command_stop(struct engine *e, const struct command *c, char *answer,
	size_t size, struct error *err)
{
	struct slot *slot;

	if (c->argc == 0) {
		engine_stop(e, END_USER);
		command_say_stopping(e, answer, size);
		return OK;
	}
	if (engine_stopping(e))
		return error_set(err, E_STATE, "the campaign is stopping");
	slot = command_find_slot(e, c->argv[0], err);
	if (slot == NULL)
		return err->code;
	pool_restart(e, slot);
	message_event(e, "operator", NULL, "worker %s restarts", c->argv[0]);
	snprintf(answer, size, "worker %s restarts", c->argv[0]);
	return OK;
}

static enum status
command_quit(struct engine *e, const struct command *c, char *answer,
	size_t size, struct error *err)
{
	const char *how = c->argc > 0 ? c->argv[0] : "";
	bool at_once = how[0] == '\0' || strcmp(how, "now") == 0;

	if (!at_once && strcmp(how, "minimized") != 0)
		return error_set(err, E_USAGE,
			"write: quit, quit now or quit minimized");
	if (engine_over(e) && server_leave(engine_server(e)))
		return OK;
	if (!at_once && !engine_over(e) && engine_stopping(e))
		return error_set(err, E_STATE, "the campaign is stopping");
	engine_leave(e);
	if (engine_over(e)) {
		over_leave(e);
		return OK;
	}
	if (at_once) {
		bool again = engine_stopping(e) && c->argc > 0;

		if (!engine_stopping(e))
			engine_stop(e, END_USER);
		while (again && engine_stop_step(e) < STOP_KILL)
			engine_stop(e, END_USER);
		command_say_stopping(e, answer, size);
		return OK;
	}
	engine_set_paused(e, false); /* what is left to do needs workers */
	engine_drain(e, END_USER, true);
	snprintf(answer, size, "the campaign ends after the minimizations");
	return OK;
}

/* Reads a count from the second argument, if there is one. False: it is not a
 * number from 1 to max. */
static bool
command_read_count(const struct command *c, long otherwise, long max, long *n)
{
	char *end;

	*n = otherwise;
	if (c->argc < 2)
		return true;
	*n = strtol(c->argv[1], &end, 10);
	return end != c->argv[1] && *end == '\0' && *n >= 1 && *n <= max;
}

static enum status
command_replay(struct engine *e, const struct command *c, char *answer,
	size_t size, struct error *err)
{
	struct finding *f = command_find_finding(e, c->argv[0], err);
	long n;

	if (f == NULL)
		return err->code;
	if (!command_read_count(c, COMMAND_REPLAYS, REPLAYS_MAX, &n))
		return error_set(err, E_RANGE,
			"the number of replays is 1 to %d", REPLAYS_MAX);
	/* A drain replays, a stop does not. */
	if (!engine_over(e) && engine_stopping(e))
		return error_set(err, E_STATE, "the campaign is stopping");
	triage_drop_left(e, f);
	if (!finding_state_info(triage_outlook(e, f))->is_idle)
		return error_set(err, E_BUSY,
			"the finding is being replayed or minimized");
	if (triage_replay(e, f, (uint32_t)n, err) != OK)
		return err->code;
	f->asked = true;
	message_event(e, "operator", command_about(f), "replay %s %ld times",
		f->folder, n);
	snprintf(answer, size, "%s is replayed %ld times", f->folder, n);
	pool_wake(e);
	return OK;
}

static enum status
command_accept(struct engine *e, const struct command *c, char *answer,
	size_t size, struct error *err)
{
	struct finding *f = command_find_finding(e, c->argv[0], err);

	if (f == NULL)
		return err->code;
	triage_mark(e, f, VERDICT_ACCEPTED);
	message_event(e, "operator", command_about(f), "%s: %s", f->folder,
		finding_verdict_name(f->verdict));
	snprintf(answer, size, "%s: %s", f->folder,
		finding_verdict_name(f->verdict));
	return OK;
}

static enum status
command_fuzz(struct engine *e, const struct command *c, char *answer,
	size_t size, struct error *err)
{
	struct corpus_entry *entry =
		corpus_find_name(engine_corpus(e), c->argv[0]);
	long n, i;

	if (entry == NULL)
		return error_set(err, E_NOT_FOUND, "there is no input %s",
			c->argv[0]);
	if (!command_read_count(c, COMMAND_FUZZ_CALLS, FUZZ_CALLS_MAX, &n))
		return error_set(err, E_RANGE, "the number of calls is 1 to %d",
			FUZZ_CALLS_MAX);
	if (engine_stopping(e) || engine_draining(e))
		return error_set(err, E_STATE, "the campaign is stopping");
	if (load_is_warming(e))
		return error_set(err, E_STATE,
			"wait until the warm-up has executed all inputs");
	if (entry->is_lost)
		return error_set(err, E_STATE,
			"the input can no longer be read");
	if (schedule_user_inputs(e) + (size_t)n > FUZZ_CALLS_MAX)
		return error_set(err, E_BUSY,
			"%zu requested calls are still queued",
			schedule_user_inputs(e));
	for (i = 0; i < n; i++)
		schedule_add_user_input(e, entry);
	message_event(e, "operator",
		json_pack("{s:s, s:I}", "input", entry->name, "calls",
			(json_int_t)n),
		"the next %ld call%s mutate only input %.6s", n,
		n == 1 ? "" : "s", entry->name);
	snprintf(answer, size, "the next %ld call%s mutate only input %.6s", n,
		n == 1 ? "" : "s", entry->name);
	pool_wake(e);
	return OK;
}

static enum status
command_ping(struct engine *e, const struct command *c, char *answer,
	size_t size, struct error *err)
{
	snprintf(answer, size, "pong");
	return OK;
}

static command_fn *const handlers[COMMAND_COUNT] = {
	[COMMAND_PAUSE] = command_pause,
	[COMMAND_RESUME] = command_pause,
	[COMMAND_WORKERS] = command_workers,
	[COMMAND_SET] = command_set,
	[COMMAND_STOP] = command_stop,
	[COMMAND_QUIT] = command_quit,
	[COMMAND_MINIMIZE] = command_minimize,
	[COMMAND_REPLAY] = command_replay,
	[COMMAND_STEP] = command_step,
	[COMMAND_ACCEPT] = command_accept,
	[COMMAND_MARK] = command_mark,
	[COMMAND_NOTE] = command_note,
	[COMMAND_EXPORT] = command_export,
	[COMMAND_FUZZ] = command_fuzz,
	[COMMAND_TAKE] = server_take,
	[COMMAND_GIVE] = server_give,
	[COMMAND_DETACH] = server_detach,
	[COMMAND_PING] = command_ping,
};

enum status
commands_run(struct engine *e, const struct command *c, char *answer,
	size_t size, struct error *err)
{
	struct command named = *c; /* with whole ids */
	char name[COMMAND_NAME_SIZE];

	answer[0] = '\0';
	if (engine_over(e) && over_admit(e, c->id, err) != OK)
		return err->code;
	if (command_names_complete(e, &named, name, err) != OK)
		return err->code;
	return handlers[c->id](e, &named, answer, size, err);
}

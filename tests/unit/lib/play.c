/*
 * play: an engine that is none, to look at the console without a target.
 */
#include "lib/play.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <event2/event.h>
#include <jansson.h>

#include "base/fd.h"
#include "base/file.h"
#include "base/xmalloc.h"
#include "control/command.h"
#include "control/frame.h"
#include "control/settings.h"
#include "control/snapshot.h"
#include "lib/made_reply.h"
#include "ui/console/launcher.h"
#include "ui/console/recording/recorder.h"

#define PLAY_TICK_S 0.1
#define PLAY_FLOOD_BACKLOG 65536
#define PLAY_FLOOD_MS 1
#define PLAY_STEP_S 1.0 /* of the stop ladder */

struct play {
	struct event_base *base;
	struct frame_peer *peer;
	struct event *tick;
	struct snapshot s;
	const char *name, *output;
	uint64_t ticks;
	double stop_s;
	bool bye;
	uint64_t corpus; /* rows that its list has; 0: as the snapshot says */
	uint64_t flood;  /* snapshots yet to come as fast as they are taken */
};

/* ---- the course of things ---- */

static double
play_wave(const struct play *p, double period_s)
{
	return sin((double)p->ticks * PLAY_TICK_S * 6.2831853 / period_s);
}

static void
play_event(struct play *p, const char *kind, const char *text)
{
	struct snapshot *s = &p->s;
	struct snapshot_event *e;
	uint64_t seq = 0;

	if (s->events_n > 0)
		seq = s->events[s->events_n - 1].seq;
	if (s->events_n == 64)
		memmove(s->events, s->events + 1,
			--s->events_n * sizeof(*s->events));
	s->events =
		xreallocarray(s->events, s->events_n + 1, sizeof(*s->events));
	e = &s->events[s->events_n++];
	memset(e, 0, sizeof(*e));
	e->seq = seq + 1;
	e->at_s = s->elapsed_s;
	snprintf(e->kind, sizeof(e->kind), "%s", kind);
	snprintf(e->text, sizeof(e->text), "%s", text);
}

static void
play_find(struct play *p)
{
	char text[120];

	p->s.coverage_bits += 3 + p->ticks % 5;
	p->s.counters_hit += 1 + p->ticks % 2;
	p->s.interesting++;
	p->s.corpus++;
	p->s.last_find_s = 0;
	snprintf(text, sizeof(text),
		"coverage +%" PRIu64 " bits   %" PRIu64 " B", 3 + p->ticks % 5,
		40 + p->ticks % 200);
	play_event(p, "find", text);
}

static void
play_crash(struct play *p)
{
	struct snapshot *s = &p->s;
	struct snapshot_finding *f;

	s->findings = xreallocarray(s->findings, s->findings_n + 1,
		sizeof(*s->findings));
	memmove(s->findings + 1, s->findings,
		s->findings_n * sizeof(*s->findings));
	s->findings_n++;
	f = s->findings;
	memset(f, 0, sizeof(*f));
	snprintf(f->id, sizeof(f->id), "%08" PRIx64, 0x51ab0000 + s->crashes);
	snprintf(f->kind, sizeof(f->kind), "crash");
	snprintf(f->what, sizeof(f->what), "stack-buffer-overflow");
	snprintf(f->where, sizeof(f->where), "parse_chunk chunk.c:77");
	snprintf(f->state, sizeof(f->state), "new");
	snprintf(f->folder, sizeof(f->folder),
		"crashes/stack-buffer-overflow-parse_chunk-%s", f->id);
	f->count = 1;
	f->first_s = f->last_s = s->elapsed_s;
	f->len = 812;
	f->replays = f->reproduced = 5;
	s->crashes++;
	s->crashes_seen++;
	s->exit_status = 1;
	play_event(p, "crash",
		"stack-buffer-overflow in parse_chunk chunk.c:77");
}

static bool
play_worker_runs(const struct play *p, const struct snapshot_worker *w)
{
	return !p->s.paused && !w->paused && w->stop_step == STOP_NONE;
}

static void
play_worker(struct play *p, struct snapshot_worker *w)
{
	double rate = 206000 * (1 + 0.1 * play_wave(p, 7 + w->id));

	w->execs_per_sec = play_worker_runs(p, w) ? rate : 0;
	w->execs += (uint64_t)(w->execs_per_sec * PLAY_TICK_S);
	w->state_s += PLAY_TICK_S;
	w->state = play_worker_runs(p, w)   ? WORKER_VIEW_FUZZING
		: w->stop_step != STOP_NONE ? WORKER_VIEW_STOPPING
					    : WORKER_VIEW_PAUSED;
	for (uint32_t i = 0; i < w->input_n; i++)
		if ((i * 7 + p->ticks) % 23 == 0)
			w->input[i]++;
	p->s.execs_per_sec += w->execs_per_sec;
}

static void
play_minimization(struct play *p, struct snapshot_minimization *m)
{
	if (p->s.paused)
		return;
	m->tries += 3;
	m->cut_offset = (m->cut_offset + 3) % (m->best_len + 1);
	snprintf(m->verdict, sizeof(m->verdict), "no failure");
	if (p->ticks % 10 == 0 && m->best_len > 24) {
		m->best_len -= m->best_len / 16 + 1;
		m->accepted++;
		snprintf(m->verdict, sizeof(m->verdict), "same crash");
	}
	if (m->best_n > m->best_len)
		m->best_n = (uint32_t)m->best_len;
	m->elapsed_s += PLAY_TICK_S;
}

static void
play_run(struct play *p)
{
	struct snapshot *s = &p->s;

	s->execs_per_sec = 0;
	for (size_t i = 0; i < s->workers_n; i++)
		play_worker(p, &s->workers[i]);
	for (size_t i = 0; i < s->minimizations_n; i++)
		play_minimization(p, &s->minimizations[i]);
	s->elapsed_s += PLAY_TICK_S;
	if (s->paused)
		return;
	s->execs += (uint64_t)(s->execs_per_sec * PLAY_TICK_S);
	s->last_find_s += PLAY_TICK_S;
	if (p->ticks % 17 == 0 && p->ticks < 600)
		play_find(p);
	if (p->ticks == 80)
		play_crash(p);
}

/* A console that is gone is heard of from the loop. */
static void
play_send(struct play *p, json_t *take_message)
{
	struct error err;

	error_clear(&err);
	if (p->peer != NULL && frame_send(p->peer, take_message, &err) != OK &&
		err.code != E_STATE)
		exit(3);
	json_decref(take_message);
}

/* ---- the end ---- */

static void
play_write_stats(const struct play *p)
{
	json_t *json = snapshot_encode(&p->s);
	char *text = json_dumps(json, 0);
	char path[4096];

	mkdir(p->output, 0700);
	snprintf(path, sizeof(path), "%s/stats.json", p->output);
	if (file_write_atomic_at(-100 /* AT_FDCWD */, path, text, strlen(text),
		    0, NULL) != OK)
		exit(3);
	free(text);
	json_decref(json);
}

static void
play_end(struct play *p, const char *why)
{
	json_t *bye = json_pack("{s:{s:i, s:s}}", "bye", "exit",
		p->s.exit_status, "text", why);
	struct timeval flush = { .tv_usec = 50000 };

	if (p->bye)
		return;
	p->bye = true;
	p->s.state = RUN_ENDED;
	snprintf(p->s.ended_why, sizeof(p->s.ended_why), "%s", why);
	play_write_stats(p);
	play_send(p, bye);
	event_base_loopexit(p->base, &flush);
}

static void
play_stop(struct play *p)
{
	struct snapshot *s = &p->s;

	s->state = RUN_STOPPING;
	s->stop_step = s->stop_step < STOP_KILL ? s->stop_step + 1 : STOP_KILL;
	s->next_step_s = PLAY_STEP_S;
	for (size_t i = 0; i < s->workers_n; i++) {
		s->workers[i].stop_step = s->stop_step;
		s->workers[i].next_step_s = PLAY_STEP_S;
	}
}

/* A stop takes two steps of the ladder. */
static void
play_stopping(struct play *p)
{
	if (p->s.state != RUN_STOPPING)
		return;
	p->s.next_step_s -= PLAY_TICK_S;
	if (p->s.next_step_s > 0)
		return;
	if (p->s.stop_step >= STOP_KILL)
		play_end(p, "stopped by the user");
	else
		play_stop(p);
}

/* ---- commands ---- */

static const char *
play_change_workers(struct play *p, const char *text)
{
	struct snapshot *s = &p->s;
	long n = strtol(text, NULL, 10);

	n += text[0] == '+' || text[0] == '-' ? (long)s->workers_n : 0;
	if (n < 0 || n > 256)
		return NULL;
	s->workers =
		xreallocarray(s->workers, (size_t)n + 1, sizeof(*s->workers));
	for (size_t i = s->workers_n; i < (size_t)n; i++) {
		s->workers[i] = s->workers[0];
		s->workers[i].id = (uint32_t)i;
	}
	s->workers_n = (size_t)n;
	return "the number of workers changed";
}

static const char *
play_set(struct play *p, const char *name, const char *value)
{
	for (size_t i = 0; i < p->s.limits_n; i++) {
		struct snapshot_limit *l = &p->s.limits[i];

		if (strcmp(l->name, name) != 0)
			continue;
		if (value[0] < '0' || value[0] > '9')
			return NULL;
		snprintf(l->value, sizeof(l->value), "%s", value);
		snprintf(l->origin, sizeof(l->origin), "key");
		return "from the next call on";
	}
	return NULL;
}

/* NULL: refused. */
static const char *
play_obey(struct play *p, const struct command *c)
{
	struct snapshot *s = &p->s;
	size_t w = c->argc > 0 ? strtoul(c->argv[0], NULL, 10) : 0;

	switch (c->id) {
	case COMMAND_PAUSE:
	case COMMAND_RESUME:
		if (c->argc > 0 && w < s->workers_n)
			s->workers[w].paused = c->id == COMMAND_PAUSE;
		else if (c->argc == 0)
			s->paused = c->id == COMMAND_PAUSE;
		s->state = s->paused ? RUN_PAUSED : RUN_FUZZING;
		return c->id == COMMAND_PAUSE ? "paused" : "going on";
	case COMMAND_STOP:
		if (c->argc > 0 && w < s->workers_n)
			s->workers[w].stop_step++;
		else
			play_stop(p);
		return "stopping";
	case COMMAND_QUIT:
		play_end(p, "stopped by the user");
		return "";
	case COMMAND_WORKERS:
		return play_change_workers(p, c->argv[0]);
	case COMMAND_SET:
		return play_set(p, c->argv[0], c->argv[1]);
	default:
		return "done";
	}
}

static void
play_command(struct play *p, json_int_t id, const char *line)
{
	struct command command;
	struct error err;
	const char *answer = NULL;
	json_t *message;

	error_clear(&err);
	if (command_parse(line, &command, &err) == OK)
		answer = play_obey(p, &command);
	else
		answer = NULL;
	message = json_pack("{s:{s:I, s:b, s:s}}", "answer", "id", id, "ok",
		answer != NULL, "text",
		answer != NULL                ? answer
			: err.text[0] != '\0' ? err.text
					      : "that is not possible");
	play_send(p, message);
}

static void
play_query(struct play *p, const json_t *json)
{
	struct query query;
	uint64_t id;
	json_t *reply;

	if (query_decode(&query, &id, json, NULL) != OK)
		return;
	reply = made_reply_json(&query, id, MADE_PLAIN);
	if (json_object_get(reply, "matching") != NULL && p->corpus > 0) {
		json_object_set_new(reply, "total",
			json_integer((json_int_t)p->corpus));
		json_object_set_new(reply, "matching",
			json_integer((json_int_t)p->corpus));
	}
	play_send(p, json_pack("{s:o}", "reply", reply));
}

static void
play_on_message(void *arg, json_t *message)
{
	json_t *command = json_object_get(message, "command");
	json_t *query = json_object_get(message, "query");

	if (query != NULL)
		play_query(arg, query);
	if (command != NULL)
		play_command(arg,
			json_integer_value(json_object_get(command, "id")),
			json_string_value(json_object_get(command, "line")));
}

static void
play_on_closed(void *arg, const char *why)
{
	struct play *p = arg;

	frame_peer_destroy(p->peer);
	p->peer = NULL;
	if (!p->bye)
		play_end(p, "the console is gone");
}

static void
play_on_signal(evutil_socket_t fd, short what, void *arg)
{
	play_end(arg, "a signal");
}

/* ---- the loop ---- */

static void
play_tick(struct play *p)
{
	json_t *message;

	p->ticks++;
	p->s.seq++;
	if (strcmp(p->name, "busy") == 0 ||
		strcmp(p->name, "minimizing") == 0 ||
		strcmp(p->name, "many-workers") == 0)
		play_run(p);
	play_stopping(p);
	if (p->peer == NULL || p->bye || frame_backlog(p->peer) > 65536)
		return;
	message =
		json_pack("{s:o}", "snapshot", snapshot_encode_columns(&p->s));
	play_send(p, message);
}

static void
play_on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct play *p = arg;

	if (p->flood == 0)
		play_tick(p);
	while (p->flood > 0 && p->peer != NULL &&
		frame_backlog(p->peer) < PLAY_FLOOD_BACKLOG) {
		play_tick(p);
		if (--p->flood == 0)
			play_end(p, "that was all");
	}
}

static void
play_load(struct play *p)
{
	char path[4096];
	uint8_t *data;
	size_t len;
	json_t *json;
	struct error err;

	error_clear(&err);
	snprintf(path, sizeof(path), TEST_DATA "/snapshots/%s.json", p->name);
	snapshot_init(&p->s);
	if (file_read(path, 4u << 20, &data, &len, &err) != OK)
		exit(3);
	json = json_loadb((const char *)data, len, 0, NULL);
	if (json == NULL || snapshot_decode(&p->s, json, &err) != OK)
		exit(3);
	json_decref(json);
	free(data);
}

static uint64_t
play_number(const char *name)
{
	const char *text = getenv(name);

	return text != NULL ? strtoul(text, NULL, 10) : 0;
}

/* For measuring: a campaign of any size, or one that is over soon. */
static void
play_enlarge(struct play *p)
{
	char workers[24];

	snprintf(workers, sizeof(workers), "%" PRIu64,
		play_number("PLAY_WORKERS"));
	if (workers[0] != '0')
		play_change_workers(p, workers);
	p->corpus = play_number("PLAY_CORPUS");
	if (p->corpus > 0)
		p->s.corpus = p->corpus;
	p->flood = play_number("PLAY_SNAPSHOTS");
}

static int
play_fail(int control_fd, int note_fd, const char *text)
{
	json_t *bye =
		json_pack("{s:{s:i, s:s}}", "bye", "exit", 2, "text", text);
	char *line = json_dumps(bye, JSON_COMPACT);

	if (fd_write_all(control_fd, line, strlen(line), NULL) != OK ||
		fd_write_all(control_fd, "\n", 1, NULL) != OK ||
		fd_write_all(note_fd, text, strlen(text), NULL) != OK)
		return 3;
	free(line);
	json_decref(bye);
	return 2;
}

static int
play_engine(void *arg, int control_fd, int note_fd)
{
	static const struct frame_handlers handlers = {
		.on_message = play_on_message,
		.on_closed = play_on_closed,
	};
	struct play *p = arg;
	struct timeval tick = { .tv_usec = (int)(PLAY_TICK_S * 1e6) };
	json_t *hello;

	signal(SIGPIPE, SIG_IGN);
	if (p->name[0] == '!')
		return play_fail(control_fd, note_fd,
			"./broken ended before it said hello: exit status 127\n"
			"it wrote: error while loading shared libraries: "
			"libpng16.so.16: cannot open \033[31mshared object");
	play_load(p);
	play_enlarge(p);
	if (p->flood > 0)
		tick.tv_usec = PLAY_FLOOD_MS * 1000;
	p->base = event_base_new();
	p->peer = frame_peer_create(p->base, control_fd, FRAME_TO_ENGINE_MAX,
		&handlers, p);
	hello = json_pack("{s:{s:i}}", "hello", "version", CONTROL_VERSION);
	if (frame_send(p->peer, hello, NULL) != OK)
		return 3;
	json_decref(hello);
	p->tick = event_new(p->base, -1, EV_PERSIST, play_on_tick, p);
	event_add(p->tick, &tick);
	event_add(evsignal_new(p->base, SIGTERM, play_on_signal, p), NULL);
	event_base_dispatch(p->base);
	return p->s.exit_status;
}

int
play_main(int argc, char **argv)
{
	struct play play = { .output = "play.cfuzz" };
	struct settings settings;
	struct error err;
	int operand;
	struct launcher launcher = {
		.console = { .settings = &settings,
			.target = "./png_reader",
			.owner = "" },
		.engine = play_engine,
		.arg = &play,
	};

	error_clear(&err);
	settings_init(&settings);
	if (settings_parse_args(&settings, argc, argv, 2, &operand, &err) !=
		OK) {
		fprintf(stderr, "%s\n", err.text);
		return 2;
	}
	if (settings.output[0] != '\0')
		play.output = settings.output;
	if (settings.record[0] != '\0' &&
		recorder_open_file(settings.record, &launcher.console.record_fd,
			&err) != OK)
		return 2;
	launcher.output = play.output;
	play.name = operand < argc ? argv[operand] : "busy";
	return launcher_run(&launcher);
}

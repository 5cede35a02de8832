/*
 * player: a clock that can be stopped, sped up and set.
 *
 * Each tick applies the lines up to the clock's time and sends the result once.
 * A jump starts at a whole snapshot that precedes its target by
 * RECORDER_AGAIN_S: within that time all incremental data is repeated.
 */
#include "ui/console/player.h"

#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>

#include "base/clock.h"
#include "base/log.h"
#include "control/budget.h"
#include "control/command.h"
#include "control/frame.h"
#include "control/libraries.h"
#include "control/snapshot.h"
#include "ui/console/player_state.h"
#include "ui/console/recorder.h"
#include "ui/console/recording.h"

#define PLAYER_TICK_US 50000
#define PLAYER_SEND_NS (95ull * CLOCK_NS_PER_MS)
#define PLAYER_IDLE_NS (500ull * CLOCK_NS_PER_MS) /* against a stale screen */
#define PLAYER_BUSY_NS (30ull * CLOCK_NS_PER_MS)  /* reading, per tick */
#define PLAYER_BACKLOG (256u << 10)
#define PLAYER_FLUSH_NS \
	(5 * CLOCK_NS_PER_S) /* for a console that reads slowly */
#define PLAYER_PAST 512u     /* coarse snapshots after a jump */
#define PLAYER_SETUP_FAILED 2
#define PLAYER_FAILED 3

struct player {
	struct event_base *base;
	struct frame_peer *peer; /* NULL: gone */
	struct event *tick;
	struct recording *recording;
	struct player_state state;
	struct recording_line next; /* not yet applied */
	double at_s, speed;         /* speed 0: as fast as possible */
	bool paused, greeted, changed;
	uint64_t ticked_ns, sent_ns;
	int exit_status;
	struct error *err;
};

/* ---- times ---- */

/* "1:30", "1:02:03". */
static enum status
player_parse_clock(const char *text, double *seconds, struct error *err)
{
	unsigned h = 0, m = 0, s = 0;
	int n = 0;

	if (sscanf(text, "%4u:%2u:%2u%n", &h, &m, &s, &n) != 3 || text[n]) {
		h = 0;
		if (sscanf(text, "%5u:%2u%n", &m, &s, &n) != 2 || text[n])
			return error_set(err, E_FORMAT,
				"a time like 1m30s or 1:30 is expected");
	}
	*seconds = 3600.0 * h + 60.0 * m + s;
	return OK;
}

enum status
player_parse_time(const char *text, double *seconds, struct error *err)
{
	struct error why;
	uint64_t ms;
	size_t digits = strspn(text, "0123456789");

	error_clear(&why);
	if (strchr(text, ':') != NULL)
		return player_parse_clock(text, seconds, err);
	if (digits > 0 && digits < 10 && text[digits] == '\0') {
		*seconds = strtod(text, NULL);
		return OK;
	}
	if (duration_parse(text, &ms, &why) != OK || text[0] == '-')
		return error_set(err, E_FORMAT,
			"a time like 1m30s or 1:30 is expected");
	*seconds = (double)ms / 1000;
	return OK;
}

/* ---- to the console ---- */

static void
player_send(struct player *p, json_t *take_message)
{
	struct error err;

	error_clear(&err);
	if (p->peer != NULL && frame_send(p->peer, take_message, &err) != OK)
		log_debug("console: %s", err.text);
	json_decref(take_message);
}

static bool
player_at_end(const struct player *p)
{
	return p->next.json == NULL;
}

static void
player_send_playback(struct player *p, bool past)
{
	player_send(p,
		json_pack("{s:{s:f, s:f, s:f, s:b, s:b, s:b, s:s*}}",
			"playback", "at", p->at_s, "length",
			recording_length(p->recording), "speed", p->speed,
			"paused", p->paused, "ended", player_at_end(p), "past",
			past, "view", json_string_value(p->state.view)));
}

static void
player_send_state(struct player *p)
{
	if (!p->greeted)
		return;
	player_send_playback(p, false);
	if (p->state.snapshot != NULL)
		player_send(p,
			json_pack("{s:O}", "snapshot", p->state.snapshot));
	p->sent_ns = clock_now_ns();
	p->changed = false;
}

/* Members that all snapshots share: the state when the campaign was resumed. */
static void
player_put_resumed(const struct player *p, bool first, json_t *snapshot)
{
	static const char *const names[] = { "past", "past_s", "past_bits",
		"runs" };

	for (size_t i = first ? 0 : 1; i < sizeof(names) / sizeof(*names); i++)
		json_object_set(snapshot, names[i],
			json_object_get(p->state.snapshot, names[i]));
}

static void
player_send_point(struct player *p, const struct recording_point *point,
	bool first)
{
	json_t *json;
	struct snapshot s;

	snapshot_init(&s);
	s.seq = 1;
	s.state = point->warm ? RUN_FUZZING : RUN_WARMUP;
	s.elapsed_s = point->elapsed_s;
	s.execs_per_sec = point->execs_per_sec;
	s.coverage_bits = point->coverage_bits;
	s.interesting = point->interesting;
	s.crashes = point->crashes;
	s.hangs = point->hangs;
	s.ooms = point->ooms;
	s.leaks = point->leaks;
	json = snapshot_encode(&s);
	player_put_resumed(p, first, json);
	player_send(p, json_pack("{s:o}", "snapshot", json));
	snapshot_clear(&s);
}

/*
 * Sends the points before the target, thinned out evenly: a long past must be
 * quick as well.
 */
static void
player_send_past(struct player *p)
{
	const struct recording *r = p->recording;
	size_t n = 0, step;

	if (!p->greeted)
		return;
	while (n < recording_points(r) &&
		recording_point(r, n)->at_s <= p->at_s)
		n++;
	step = n / PLAYER_PAST + 1;
	player_send_playback(p, true);
	for (size_t i = 0; i < n; i += step)
		player_send_point(p, recording_point(r, i), i == 0);
	player_send_state(p);
}

/* ---- along the recording ---- */

static void
player_end(struct player *p, int exit_status, const char *text)
{
	p->exit_status = exit_status;
	player_send(p,
		json_pack("{s:{s:i, s:s}}", "bye", "exit", exit_status, "text",
			text));
	event_base_loopbreak(p->base);
}

/* Waits until the console has read everything, but not for ever. */
static void
player_flush(struct player *p)
{
	const struct timeval limit = { 1, 0 };
	uint64_t end = clock_now_ns() + PLAYER_FLUSH_NS;

	while (p->peer != NULL && frame_backlog(p->peer) > 0 &&
		clock_now_ns() < end) {
		event_base_loopexit(p->base, &limit);
		event_base_loop(p->base, EVLOOP_ONCE);
	}
}

/* A line was valid at the start and is not now: the file has changed. */
static void
player_fail(struct player *p, const char *text)
{
	error_set(p->err, E_FORMAT, "%s", text);
	player_end(p, PLAYER_FAILED, text);
}

static bool
player_read(struct player *p)
{
	struct error err;

	error_clear(&err);
	if (recording_next(p->recording, &p->next, &err) == OK)
		return true;
	p->next.json = NULL;
	player_fail(p, err.text);
	return false;
}

/* Applies the lines up to a time, as long as `until_ns` permits. */
static void
player_advance(struct player *p, double to_s, uint64_t until_ns)
{
	while (p->next.json != NULL && p->next.at_s <= to_s) {
		player_state_take(&p->state, p->next.json);
		p->at_s = p->next.at_s;
		p->changed = true;
		if (!player_read(p) || clock_now_ns() > until_ns)
			return;
	}
	p->at_s = to_s < recording_length(p->recording)
		? to_s
		: recording_length(p->recording);
}

static void
player_seek(struct player *p, double to_s)
{
	const struct recording *r = p->recording;
	size_t key = 0;

	to_s = to_s > 0 ? to_s : 0;
	to_s = to_s < recording_length(r) ? to_s : recording_length(r);
	while (key + 1 < recording_keys(r) &&
		recording_key(r, key + 1)->at_s <= to_s - RECORDER_AGAIN_S)
		key++;
	/* Before the first snapshot there is nothing to show. */
	if (to_s < recording_key(r, 0)->at_s)
		to_s = recording_key(r, 0)->at_s;
	player_state_clear(&p->state);
	recording_go(p->recording, recording_key(r, key));
	if (player_read(p))
		player_advance(p, to_s, UINT64_MAX);
	player_send_past(p);
}

static void
player_on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct player *p = arg;
	uint64_t now = clock_now_ns(), passed = now - p->ticked_ns;
	double to_s = p->at_s + (double)passed / CLOCK_NS_PER_S * p->speed;

	(void)fd;
	(void)what;
	p->ticked_ns = now;
	if (p->peer == NULL || frame_backlog(p->peer) > PLAYER_BACKLOG)
		return;
	if (p->speed == 0)
		to_s = recording_length(p->recording);
	if (!p->paused && !player_at_end(p))
		player_advance(p, to_s, now + PLAYER_BUSY_NS);
	now = clock_now_ns();
	if (now - p->sent_ns >=
			(p->changed ? PLAYER_SEND_NS : PLAYER_IDLE_NS) ||
		(p->changed && player_at_end(p)))
		player_send_state(p);
}

/* ---- commands ---- */

/* NULL: refused, with the reason in err. */
typedef const char *player_command_fn(struct player *p, const char *arg,
	struct error *err);

static const char *
player_pause(struct player *p, const char *arg, struct error *err)
{
	if (arg[0] != '\0') {
		error_set(err, E_USAGE,
			"this is a recording: its workers are not here");
		return NULL;
	}
	p->paused = true;
	return "";
}

static const char *
player_resume(struct player *p, const char *arg, struct error *err)
{
	if (player_pause(p, arg, err) == NULL)
		return NULL;
	p->paused = false;
	return player_at_end(p) ? "this is the end; Home goes to the start"
				: "";
}

static const char *
player_faster(struct player *p)
{
	if (p->speed >= PLAYER_SPEED_MAX)
		p->speed = 0;
	else if (p->speed != 0)
		p->speed *= 2;
	return "";
}

static const char *
player_slower(struct player *p)
{
	if (p->speed == 0)
		p->speed = PLAYER_SPEED_MAX;
	else if (p->speed > PLAYER_SPEED_MIN)
		p->speed /= 2;
	return "";
}

/* Parses "2", "2x", "1/4", "0.5x". */
static const char *
player_speed(struct player *p, const char *arg, struct error *err)
{
	char *end;
	double speed = strtod(arg, &end);

	if (strcmp(arg, "faster") == 0)
		return player_faster(p);
	if (strcmp(arg, "slower") == 0)
		return player_slower(p);
	if (strcmp(arg, "max") == 0) {
		p->speed = 0;
		return "";
	}
	if (end != arg && *end == '/' && strtod(end + 1, NULL) > 0)
		speed /= strtod(end + 1, &end);
	end += *end == 'x';
	if (end == arg || *end != '\0' || !(speed >= PLAYER_SPEED_MIN) ||
		speed > PLAYER_SPEED_MAX) {
		error_set(err, E_RANGE,
			"speed: 1/8 to 64, max, slower or faster is expected");
		return NULL;
	}
	p->speed = speed;
	return "";
}

static const char *
player_seek_to(struct player *p, const char *arg, struct error *err)
{
	double seconds = 0;

	if (strcmp(arg, "start") == 0)
		seconds = 0;
	else if (strcmp(arg, "end") == 0)
		seconds = recording_length(p->recording);
	else if (player_parse_time(arg + strspn(arg, "+-"), &seconds, err) !=
		OK)
		return NULL;
	else if (arg[0] == '+')
		seconds = p->at_s + seconds;
	else if (arg[0] == '-')
		seconds = p->at_s - seconds;
	player_seek(p, seconds);
	return "";
}

static const char *
player_quit(struct player *p, const char *arg, struct error *err)
{
	(void)arg;
	(void)err;
	player_end(p, 0, "");
	return "";
}

static const char *
player_ping(struct player *p, const char *arg, struct error *err)
{
	(void)p;
	(void)arg;
	(void)err;
	return "the player is here";
}

static const struct player_command {
	const char *name;
	player_command_fn *run;
} player_commands[] = {
	{ "pause", player_pause },
	{ "resume", player_resume },
	{ "speed", player_speed },
	{ "seek", player_seek_to },
	{ "quit", player_quit },
	{ "ping", player_ping },
};

static const char *
player_obey(struct player *p, const char *line, struct error *err)
{
	size_t len = strcspn(line, " ");
	size_t n = sizeof(player_commands) / sizeof(player_commands[0]);

	for (size_t i = 0; i < n; i++)
		if (strlen(player_commands[i].name) == len &&
			strncmp(player_commands[i].name, line, len) == 0)
			return player_commands[i].run(p,
				line + len + strspn(line + len, " "), err);
	error_set(err, E_STATE,
		"this is a recording: what happened cannot be changed");
	return NULL;
}

static void
player_on_command(struct player *p, const json_t *command)
{
	const char *line = json_string_value(json_object_get(command, "line"));
	json_int_t id = json_integer_value(json_object_get(command, "id"));
	const char *answer;
	struct error err;

	error_clear(&err);
	if (line == NULL)
		return;
	answer = player_obey(p, line, &err);
	player_send(p,
		json_pack("{s:{s:I, s:b, s:s}}", "answer", "id", id, "ok",
			answer != NULL, "text",
			answer != NULL ? answer : err.text));
	player_send_state(p);
}

static void
player_on_query(struct player *p, const json_t *json)
{
	struct query query;
	uint64_t id;

	if (query_decode(&query, &id, json, NULL) == OK)
		player_send(p,
			json_pack("{s:o}", "reply",
				player_state_answer(&p->state, p->recording,
					&query, id)));
}

static void
player_on_message(void *arg, json_t *message)
{
	struct player *p = arg;
	const json_t *json;

	if (json_object_get(message, "hello") != NULL && !p->greeted) {
		p->greeted = true;
		player_send_state(p);
	} else if ((json = json_object_get(message, "command")) != NULL) {
		player_on_command(p, json);
	} else if ((json = json_object_get(message, "query")) != NULL) {
		player_on_query(p, json);
	}
}

static void
player_on_closed(void *arg, const char *why)
{
	struct player *p = arg;

	log_debug("console is gone: %s", why);
	frame_peer_destroy(p->peer);
	p->peer = NULL;
	event_base_loopbreak(p->base);
}

static void
player_on_signal(evutil_socket_t fd, short what, void *arg)
{
	(void)fd;
	(void)what;
	player_end(arg, 0, "");
}

/* ---- life ---- */

static void
player_loop(struct player *p)
{
	const struct timeval tick = { 0, PLAYER_TICK_US };
	struct event *end = evsignal_new(p->base, SIGTERM, player_on_signal, p);

	event_add(end, NULL);
	p->tick = event_new(p->base, -1, EV_PERSIST, player_on_tick, p);
	p->ticked_ns = clock_now_ns();
	event_add(p->tick, &tick);
	event_base_dispatch(p->base);
	event_free(p->tick);
	event_free(end);
}

int
player_run(const char *path, int control_fd, struct error *err)
{
	static const struct frame_handlers handlers = {
		.on_message = player_on_message,
		.on_closed = player_on_closed,
	};
	struct player p = { .base = libraries_base_new(),
		.speed = 1,
		.err = err };

	p.peer = frame_peer_create(p.base, control_fd, FRAME_TO_ENGINE_MAX,
		&handlers, &p);
	p.recording = recording_open(path, err);
	if (p.recording == NULL) {
		player_end(&p, PLAYER_SETUP_FAILED, err->text);
	} else {
		player_send(&p,
			json_pack("{s:{s:i, s:s}}", "hello", "version",
				CONTROL_VERSION, "target",
				recording_target(p.recording)));
		player_seek(&p, 0);
		player_loop(&p);
	}
	player_flush(&p);
	player_state_clear(&p.state);
	recording_close(p.recording);
	frame_peer_destroy(p.peer);
	event_base_free(p.base);
	return p.exit_status;
}

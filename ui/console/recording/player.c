/*
 * player: a clock that can be stopped, sped up and set.
 *
 * Each tick applies the lines up to the clock's time and sends the result once.
 * A jump starts at a whole snapshot that precedes its target by
 * RECORDER_AGAIN_S: within that time all incremental data is repeated, except
 * for the journal, which is read from its start.
 */
#include "ui/console/recording/player.h"

#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <event2/event.h>

#include "base/clock.h"
#include "base/log.h"
#include "control/frame.h"
#include "control/libraries.h"
#include "control/snapshot.h"
#include "ui/console/recording/player_private.h"
#include "ui/console/recording/recorder.h"
#include "ui/console/recording/recording.h"

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

/* ---- to the console ---- */

static void
player_send(struct player *p, json_t *take_message)
{
	struct error err = { 0 };

	if (p->peer != NULL && frame_send(p->peer, take_message, &err) != OK)
		log_debug("console: %s", err.text);
	json_decref(take_message);
}

bool
player_at_end(const struct player *p)
{
	return p->next.json == NULL;
}

static void
player_send_playback(struct player *p, bool past)
{
	player_send(p,
		json_pack("{s:{s:f, s:f, s:f, s:b, s:b, s:b, s:s*, s:O*}}",
			"playback", "at", p->at_s, "length",
			recording_index(p->recording)->length_s, "speed",
			p->speed, "paused", p->paused, "ended",
			player_at_end(p), "past", past, "view",
			json_string_value(p->state.view), "place",
			p->state.place));
}

static void
player_send_snapshot(struct player *p)
{
	if (p->state.snapshot != NULL)
		player_send(p,
			json_pack("{s:O}", "snapshot", p->state.snapshot));
}

static void
player_send_state(struct player *p)
{
	if (!p->greeted)
		return;
	player_send_playback(p, false);
	player_send_snapshot(p);
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
player_send_point(struct player *p, size_t i)
{
	struct snapshot s;
	json_t *json;

	snapshot_init(&s);
	s.seq = 1;
	json = snapshot_encode(&s);
	recording_put_point(&recording_index(p->recording)->points[i], json);
	player_put_resumed(p, i == 0, json);
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
	const struct recording_index *index = recording_index(p->recording);
	size_t n = 0, step;

	if (!p->greeted)
		return;
	while (n < index->points_n && index->points[n].at_s <= p->at_s)
		n++;
	step = n / PLAYER_PAST + 1;
	player_send_playback(p, true);
	for (size_t i = 0; i < n; i += step)
		player_send_point(p, i);
	player_send_snapshot(p); /* the console draws when the past ends */
	player_send_state(p);
}

/* ---- along the recording ---- */

void
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
	struct error err = { 0 };

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
	p->at_s = fmin(to_s, recording_index(p->recording)->length_s);
}

/*
 * Reads the events before the line, the newest first, until there is a gap or
 * there are as many as are kept.
 */
static void
player_read_journal(struct player *p, const struct recording_key *before)
{
	const struct recording_index *index = recording_index(p->recording);
	uint64_t oldest = UINT64_MAX, found;

	for (size_t i = index->events_n; i-- > 0;) {
		const struct recording_events *events = &index->events[i];

		if (events->line.offset >= before->offset ||
			events->first >= oldest)
			continue;
		recording_go(p->recording, &events->line);
		if (!player_read(p) || p->next.json == NULL)
			return;
		player_state_take(&p->state, p->next.json);
		found = player_state_oldest(&p->state);
		if (found >= oldest ||
			json_array_size(p->state.journal) >= PLAYER_EVENTS)
			return;
		oldest = found;
	}
}

void
player_seek(struct player *p, double to_s)
{
	const struct recording_index *index = recording_index(p->recording);
	const struct recording_key *key = index->keys;

	/* Before the first snapshot there is nothing to show. */
	to_s = fmax(fmin(to_s, index->length_s), key->at_s);
	while (key + 1 < index->keys + index->keys_n &&
		key[1].at_s <= to_s - RECORDER_AGAIN_S)
		key++;
	player_state_clear(&p->state);
	player_read_journal(p, key);
	recording_go(p->recording, key);
	if (player_read(p))
		player_advance(p, to_s, UINT64_MAX);
	player_send_past(p);
	p->ticked_ns =
		clock_now_ns(); /* a seek takes no time of the campaign */
}

static void
player_on_tick(evutil_socket_t fd, short what, void *arg)
{
	struct player *p = arg;
	uint64_t now = clock_now_ns(), passed = now - p->ticked_ns;
	double to_s = p->at_s + (double)passed / CLOCK_NS_PER_S * p->speed;

	p->ticked_ns = now;
	if (p->peer == NULL || frame_backlog(p->peer) > PLAYER_BACKLOG)
		return;
	if (p->speed == 0)
		to_s = recording_index(p->recording)->length_s;
	if (!p->paused && !player_at_end(p))
		player_advance(p, to_s, now + PLAYER_BUSY_NS);
	now = clock_now_ns();
	if (now - p->sent_ns >=
			(p->changed ? PLAYER_SEND_NS : PLAYER_IDLE_NS) ||
		(p->changed && player_at_end(p)))
		player_send_state(p);
}

/* ---- messages ---- */

static void
player_on_command(struct player *p, const json_t *command)
{
	const char *line = json_string_value(json_object_get(command, "line"));
	json_int_t id = json_integer_value(json_object_get(command, "id"));
	const char *answer;
	struct error err = { 0 };

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
				recording_index(p.recording)->target));
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

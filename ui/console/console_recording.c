/*
 * console_recording: recording a console, and playing a recording.
 *
 * The console is the same in both cases. A recorder receives the engine's
 * messages first. A player is an engine that also reports its position.
 */
#include "ui/console/console_private.h"

#include <string.h>

void
console_record(struct console *c, int take_fd, const char *target)
{
	if (take_fd > 0)
		c->recorder = recorder_create(take_fd, target, console_now_s());
}

/* Sends the recorder's own queries, for data that no view may query. */
static void
console_ask_for_recording(struct console *c, double now_s)
{
	struct query query;

	while (recorder_next_query(c->recorder, &query, now_s))
		recorder_asked(c->recorder, console_query(c, &query), &query);
}

/* After a full snapshot the place is recorded again; before the first painting
 * there is only a view. */
static void
console_record_place(struct console *c, double now_s)
{
	json_t *place =
		c->place.view[0] != '\0' ? place_encode(&c->place) : NULL;

	recorder_view(c->recorder,
		place != NULL ? c->place.view : console_view(c->view)->name,
		place, now_s);
	json_decref(place);
}

/* True: the message is for the recorder alone. */
bool
console_heard(struct console *c, const json_t *message)
{
	double now_s = console_now_s();
	bool own = recorder_message(c->recorder, message, now_s);
	int errnum = recorder_failed(c->recorder);

	if (errnum != 0)
		model_say(&c->model, true, "the recording ends here: %s",
			strerror(errnum));
	console_record_place(c, now_s);
	console_ask_for_recording(c, now_s);
	return own;
}

/* The launcher reports an error once the screen is gone. */
void
console_end_recording(struct console *c)
{
	c->end->recording = recorder_destroy(c->recorder, console_now_s());
	c->recorder = NULL;
}

/*
 * Shows the view that was recorded. A view chosen by the user stays until the
 * recording switches to another view.
 */
static void
console_follow(struct console *c, const struct playback *before)
{
	char *view = c->model.playback.view;
	size_t i;

	/* After a jump the view arrives slightly later. */
	if (view[0] == '\0')
		memcpy(view, before->view, sizeof(before->view));
	if (strcmp(view, before->view) == 0)
		return;
	i = console_find_view(view);
	if (i < CONSOLE_VIEWS)
		console_show_view(c, i);
}

/* After a jump all remembered data is invalid. */
void
console_on_playback(struct console *c, const json_t *json)
{
	struct playback before = c->model.playback;

	if (!playback_decode(&c->model.playback, json))
		return;
	console_follow(c, &before);
	console_go(c, json_object_get(json, "place"));
	if (c->model.playback.past && !before.past) {
		model_forget(&c->model);
		subscriptions_reset(&c->subscriptions);
	} else if (before.past) {
		c->model.announcement.kind = ANNOUNCE_NONE;
	}
}

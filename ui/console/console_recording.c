/*
 * console_recording: the console as one that is recorded, or that shows what
 * was recorded.
 *
 * In both cases it is the same console: a recorder hears what the engine says
 * before anyone else, and a player is an engine that also says where it is.
 */
#include "ui/console/console_private.h"

#include <string.h>

#include "base/clock.h"

static double
console_clock_s(void)
{
	return (double)clock_now_ns() / CLOCK_NS_PER_S;
}

void
console_record(struct console *c, int take_fd, const char *target)
{
	if (take_fd > 0)
		c->recorder =
			recorder_create(take_fd, target, console_clock_s());
}

/* What no view may have asked for is asked for the recording. */
static void
console_ask_for_recording(struct console *c, double now_s)
{
	struct query query;

	while (recorder_wants(c->recorder, &query, now_s))
		recorder_asked(c->recorder, console_query(c, &query), &query);
}

/* True: the message is for the recorder alone. */
bool
console_heard(struct console *c, const json_t *message)
{
	double now_s = console_clock_s();
	bool own = recorder_message(c->recorder, message, now_s);
	int errnum = recorder_failed(c->recorder);

	if (errnum != 0)
		model_say(&c->model, true, "the recording ends here: %s",
			strerror(errnum));
	recorder_view(c->recorder, console_view(c->view)->name, now_s);
	console_ask_for_recording(c, now_s);
	return own;
}

/* The campaign goes on without it: only words are lost. */
void
console_end_recording(struct console *c)
{
	recorder_destroy(c->recorder, console_clock_s());
	c->recorder = NULL;
}

/*
 * Who plays it sees what was looked at. His own choice lasts until the recording
 * turns to another view.
 */
static void
console_follow(struct console *c, const struct playback *before)
{
	char *view = c->model.playback.view;

	/* After a jump it comes a moment later. */
	if (view[0] == '\0')
		memcpy(view, before->view, sizeof(before->view));
	if (strcmp(view, before->view) == 0)
		return;
	for (size_t i = 0; i < CONSOLE_VIEWS; i++)
		if (strcmp(console_view(i)->name, view) == 0 && i != c->view)
			console_show_view(c, i);
}

/* After a jump nothing that was remembered need be true. */
void
console_on_playback(struct console *c, const json_t *json)
{
	struct playback before = c->model.playback;

	if (!playback_decode(&c->model.playback, json))
		return;
	console_follow(c, &before);
	if (c->model.playback.past && !before.past) {
		model_forget(&c->model);
		subscriptions_reset(&c->wants);
	} else if (before.past) {
		c->model.announcement.kind = ANNOUNCE_NONE;
	}
}

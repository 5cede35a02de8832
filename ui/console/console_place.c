/*
 * console_place: where the console is: the view, its selection and page. The
 * console in control sends its place; a console that follows goes there. Its
 * user may go elsewhere until the console in control moves.
 */
#include "ui/console/console_private.h"

#include <stdio.h>
#include <string.h>

#include "base/log.h"

/* Replies that a view needs for a place arrive after it. */
#define CONSOLE_GOING_S 2.0

static void
console_make_place(struct console *c, struct place *place)
{
	const struct view_ops *view = console_view(c->view);

	memset(place, 0, sizeof(*place));
	snprintf(place->view, sizeof(place->view), "%s", view->name);
	snprintf(place->filter, sizeof(place->filter), "%s",
		c->model.filters[view->context].text);
	place->worker = c->model.selected_worker;
	if (view->tell != NULL)
		view->tell(c->views[c->view], &c->model, place);
}

/* After each painting: a place is what was drawn. */
void
console_tell_place(struct console *c)
{
	struct place place;
	json_t *json;

	if (c->model.link != LINK_UP || c->model.playback.on)
		return;
	console_make_place(c, &place);
	if (place_equal(&place, &c->place))
		return;
	c->place = place;
	json = place_encode(&place);
	recorder_view(c->recorder, place.view, json, console_now_s());
	if (!c->model.watching && c->engine != NULL && json != NULL) {
		json_t *message = json_pack("{s:O}", "place", json);

		if (frame_send(c->engine, message, NULL) != OK)
			log_debug("the place was not sent");
		json_decref(message);
	}
	json_decref(json);
}

static void
console_go_once(struct console *c)
{
	const struct place *place = &c->going;
	size_t i = console_find_view(place->view);
	const struct view_ops *view;

	if (i == CONSOLE_VIEWS)
		return;
	view = console_view(i);
	console_show_view(c, i);
	filter_set(&c->model.filters[view->context], place->filter);
	c->model.selected_worker = place->worker;
	if (view->go != NULL)
		view->go(c->views[i], &c->model, place);
	console_update_context(c);
}

void
console_go(struct console *c, const json_t *json)
{
	struct place place;

	if (!place_decode(&place, json) || place_equal(&place, &c->going))
		return;
	c->going = place;
	c->going_until_s = console_now_s() + CONSOLE_GOING_S;
	console_go_once(c);
}

void
console_go_on(struct console *c)
{
	if (c->going.view[0] != '\0' && console_now_s() < c->going_until_s)
		console_go_once(c);
}

void
console_stay(struct console *c)
{
	c->going_until_s = 0;
}

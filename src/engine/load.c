/*
 * load: what a campaign starts with. Seeds are loaded when the first worker is
 * ready: then the mask has its modules, and it is known what the target takes
 * and which seeds it brings itself.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "engine/engine_private.h"

#define LOAD_PER_TURN 64

enum status
load_begin(struct engine *e, struct worker *w, const struct rpc_reply *ping,
	struct error *err)
{
	struct sequence own = { .n = 0 };

	if (store_set_types(e->store, worker_types(w), err) != OK)
		return err->code;
	e->types = *worker_types(w);
	snprintf(e->function, sizeof(e->function), "%s", ping->function);
	e->memory.tuples = e->types.n > 0;
	corpus_set_types(e->corpus, &e->types);
	seeds_set_types(e->seeds, &e->types);
	if (!worker_copy_seeds(w, &own) || ping->seeds_lost > 0)
		lines_warn(e, "seeds",
			"some of the seeds that the target brings have no room "
			"in its memory: give them as files");
	if (ping->custom_unused)
		lines_warn(e, "mutator",
			"the target is typed: its mutators are not used");
	seeds_set_own(e->seeds, &own);
	sequence_clear(&own);
	event_active(e->load_event, EV_TIMEOUT, 0);
	return OK;
}

static void
add_label(struct engine *e, const struct corpus_entry *entry, const char *name)
{
	char text[256];

	if (entry->index < e->labels_n)
		return;
	text_clean_string(name, text, sizeof(text));
	e->labels =
		xreallocarray(e->labels, entry->index + 1, sizeof(*e->labels));
	while (e->labels_n < entry->index)
		e->labels[e->labels_n++] = xstrdup("?");
	e->labels[e->labels_n++] = xstrdup(text);
}

static void
load_seed(struct engine *e, const struct seed *seed)
{
	struct corpus_entry *entry =
		coordinator_add_input(e, seed->data, seed->len, NULL, false);

	if (entry == NULL)
		return; /* a duplicate */
	entry->is_seed = !seed->from_corpus;
	entry->is_resumed = seed->from_corpus;
	if (seed->from_corpus)
		corpus_set_on_disk(e->corpus, entry);
	else
		add_label(e, entry, seed->name);
	queue_push(&e->inputs, entry);
	e->warmup_total++;
	e->warmup_left++;
}

/* The parent of all: nothing, or a zero of each type. */
static void
add_first(struct engine *e)
{
	uint8_t zeros[TUPLE_ZERO_MAX];
	size_t len = tuple_zero(&e->types, zeros);

	lines_print(e, "warning: starting with empty corpus");
	coordinator_add_input(e, zeros, len, NULL, false);
}

static void
finish_loading(struct engine *e)
{
	char text[512];
	int why;

	for (why = 0; why < SEEDS_SKIP_COUNT; why++)
		if (seeds_message(e->seeds, (enum seeds_skip)why, text,
			    sizeof(text)))
			lines_print(e, "warning: %s", text);
	seeds_close(e->seeds);
	e->seeds = NULL;
	e->loading = false;
	if (corpus_len(e->corpus) == 0)
		add_first(e);
	lines_statistics(e);
	if (e->warmup_left == 0)
		coordinator_finish_warmup(e);
}

/* A few files per turn, so that the loop stays alive whatever their number. */
static void
load_some(struct engine *e)
{
	struct seed seed;
	int i;

	for (i = 0; i < LOAD_PER_TURN && e->seeds != NULL; i++) {
		switch (seeds_next(e->seeds, &seed)) {
		case SEEDS_ONE:
			load_seed(e, &seed);
			free(seed.data);
			break;
		case SEEDS_SKIPPED:
			break;
		case SEEDS_END:
			finish_loading(e);
			break;
		}
	}
	pool_wake(e);
}

void
load_on_turn(evutil_socket_t fd, short what, void *arg)
{
	struct engine *e = arg;

	(void)fd;
	(void)what;
	if (e->stopping)
		return;
	load_some(e);
	if (e->seeds != NULL)
		event_active(e->load_event, EV_TIMEOUT, 0);
}

/*
 * view_corpus: the corpus, one entry in detail, and its mutation log.
 *
 * The view has three pages: the list, an entry (or a finding), and a mutation
 * log. Other views open pages by "entry NAME [VIEW]" and "trail NAME [VIEW]";
 * Esc returns to VIEW.
 */
#include "ui/views/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "control/command.h"
#include "ui/views/corpus/corpus_table.h"
#include "ui/views/corpus/entry_page.h"
#include "ui/views/corpus/mutation_log_page.h"
#include "ui/widgets/draw.h"
#include "ui/widgets/labels.h"

enum corpus_page {
	CORPUS_LIST,
	CORPUS_ENTRY,
	CORPUS_MUTATION_LOG
};

struct corpus {
	enum corpus_page page;
	enum corpus_page below; /* page that opened the mutation log */
	char from[16];          /* view to return to, or "" */
	struct corpus_table table;
	struct entry_page entry;
	struct mutation_log_page log;
};

static void *
corpus_create(void)
{
	struct corpus *corpus = xcalloc(1, sizeof(*corpus));

	corpus_table_init(&corpus->table);
	return corpus;
}

static void
corpus_destroy(void *state)
{
	struct corpus *corpus = state;

	corpus_table_clear(&corpus->table);
	entry_page_clear(&corpus->entry);
	mutation_log_page_clear(&corpus->log);
	free(corpus);
}

/* ---- queries and replies ---- */

static size_t
corpus_subscribe(void *state, const struct model *model, struct query *queries)
{
	struct corpus *corpus = state;

	corpus_table_query(&corpus->table, model, &queries[0]);
	if (corpus->page == CORPUS_LIST)
		return 1;
	/* Another view opened the log: the entry page may be next. */
	if (corpus->entry.name[0] == '\0')
		entry_page_open(&corpus->entry, corpus->log.name);
	entry_page_query(&corpus->entry, &queries[1]);
	if (corpus->page != CORPUS_MUTATION_LOG)
		return 2;
	mutation_log_page_query(&corpus->log, &queries[2]);
	return 3;
}

static void
corpus_reply(void *state, const struct query *query, struct reply *reply)
{
	struct corpus *corpus = state;

	switch (query->kind) {
	case QUERY_CORPUS:
		corpus_table_reply(&corpus->table, query, reply);
		break;
	case QUERY_ENTRY:
		entry_page_reply(&corpus->entry, query, reply);
		break;
	case QUERY_MUTATION_LOG:
		mutation_log_page_reply(&corpus->log, query, reply);
		break;
	default:
		break;
	}
}

/* ---- the list ---- */

static void
corpus_draw_none(const struct corpus *corpus, const struct model *model,
	struct grid *grid, struct rect rect)
{
	const struct corpus_table *table = &corpus->table;
	char text[224];

	if (table->error[0] != '\0' && !table->known) {
		snprintf(text, sizeof(text), "The list cannot be shown: %s.",
			table->error);
		draw_empty(grid, rect, text,
			model->playback.on
				? NULL
				: "The console will ask the engine again.");
	} else if (table->known && table->filter[0] != '\0') {
		label_no_rows(grid, rect, KEYS_CORPUS);
	} else if (table->known) {
		draw_empty(grid, rect, "The corpus has no entry yet.",
			"Seeds appear first, then each input with new coverage.");
	} else if (model->link == LINK_UP) {
		draw_empty(grid, rect, "Waiting for the list from the engine.",
			NULL);
	} else {
		label_no_reply(model, grid, rect,
			"Inputs appear here when the campaign has started.");
	}
}

static void
corpus_draw_list(struct corpus *corpus, const struct model *model,
	struct grid *grid, struct rect area)
{
	struct corpus_table *table = &corpus->table;
	uint64_t total =
		table->known ? table->held.total : model->snapshot->corpus;
	char right[FILTER_TITLE + 32], count[TEXT_NUMBER_SIZE];
	struct draw_box box = { .title = "corpus",
		.right = right,
		.right_cut = filter_on(&model->filters[KEYS_CORPUS]),
		.focus = true };
	struct rect inside;

	if (box.right_cut)
		filter_title(&model->filters[KEYS_CORPUS], table->list.n,
			(size_t)total, right);
	else
		snprintf(right, sizeof(right), "%s %s",
			text_count(total, count),
			label_plural(total, "entry", "entries"));
	inside = draw_box(grid, area, &box);
	if (table->held.rows_n == 0)
		corpus_draw_none(corpus, model, grid, inside);
	else
		corpus_table_draw(table, model, grid, inside, area);
}

static void
corpus_draw(void *state, const struct model *model, struct grid *grid,
	struct rect area)
{
	struct corpus *corpus = state;

	if (corpus->page == CORPUS_MUTATION_LOG)
		mutation_log_page_draw(&corpus->log, model, grid, area);
	else if (corpus->page == CORPUS_ENTRY)
		entry_page_draw(&corpus->entry, model, grid, area);
	else
		corpus_draw_list(corpus, model, grid, area);
	label_dim_stale(model, grid, area);
}

/* ---- commands ---- */

/* The name of the selected or shown entry; "": none. */
static const char *
corpus_selected(const struct corpus *corpus)
{
	const struct reply_row *row;

	if (corpus->page == CORPUS_MUTATION_LOG)
		return corpus->log.name;
	if (corpus->page == CORPUS_ENTRY)
		return corpus->entry.name;
	row = corpus_table_selected(&corpus->table);
	return row != NULL ? row->name : "";
}

static void
corpus_show_entry(struct corpus *corpus, const char *name)
{
	if (name[0] == '\0')
		return;
	entry_page_open(&corpus->entry, name);
	corpus_table_seek(&corpus->table, name);
	corpus->page = CORPUS_ENTRY;
}

static void
corpus_show_mutation_log(struct corpus *corpus, const char *name)
{
	if (name[0] == '\0')
		return;
	mutation_log_page_open(&corpus->log, name);
	if (corpus->page != CORPUS_MUTATION_LOG)
		corpus->below = corpus->page;
	corpus->page = CORPUS_MUTATION_LOG;
}

/* Enter opens the next page, or goes back. */
static void
corpus_open(struct corpus *corpus)
{
	if (corpus->page == CORPUS_LIST) {
		corpus_show_entry(corpus, corpus_selected(corpus));
	} else if (corpus->page == CORPUS_MUTATION_LOG) {
		corpus_show_entry(corpus,
			mutation_log_page_selected(&corpus->log));
	} else if (entry_page_command(&corpus->entry, "open")) {
		corpus_table_seek(&corpus->table, corpus->entry.name);
	} else {
		corpus->page = CORPUS_LIST;
	}
}

/* False: the list is shown, and no other view opened it. */
static bool
corpus_back(struct corpus *corpus, char *send)
{
	bool guest = corpus->from[0] != '\0';

	if (corpus->page == CORPUS_LIST && !guest)
		return false;
	if (guest &&
		(corpus->page != CORPUS_MUTATION_LOG ||
			corpus->below == CORPUS_LIST)) {
		snprintf(send, COMMAND_LINE_MAX, "view %s", corpus->from);
		corpus->from[0] = '\0';
		corpus->page = CORPUS_LIST;
	} else {
		corpus->page = corpus->page == CORPUS_MUTATION_LOG
			? corpus->below
			: CORPUS_LIST;
	}
	return true;
}

/* "entry NAME [VIEW]" and "trail NAME [VIEW]", from other views. */
static bool
corpus_lead(struct corpus *corpus, const char *command)
{
	char name[24] = "", from[16] = "";
	bool entry = strncmp(command, "entry ", 6) == 0;

	if (!entry && strncmp(command, "trail ", 6) != 0)
		return false;
	sscanf(command + 6, "%23s %15s", name, from);
	corpus->page = CORPUS_LIST;
	snprintf(corpus->from, sizeof(corpus->from), "%s", from);
	if (entry)
		corpus_show_entry(corpus, name);
	else
		corpus_show_mutation_log(corpus, name);
	return true;
}

/* Commands of the page that is shown. */
static bool
corpus_page_command(struct corpus *corpus, const char *command)
{
	if (corpus->page == CORPUS_MUTATION_LOG)
		return mutation_log_page_command(&corpus->log, command);
	if (corpus->page == CORPUS_ENTRY)
		return entry_page_command(&corpus->entry, command);
	return corpus_table_command(&corpus->table, command);
}

/* Engine commands that need a name: without a selection, nothing is sent. */
static bool
corpus_takes_name(const char *command)
{
	return strcmp(command, "fuzz") == 0 ||
		strcmp(command, "minimize") == 0 ||
		strcmp(command, "steps") == 0;
}

static bool
corpus_command(void *state, const struct model *model, const char *command,
	char *send)
{
	struct corpus *corpus = state;
	const char *name = corpus_selected(corpus);

	if (strcmp(command, "open") == 0)
		corpus_open(corpus);
	else if (strcmp(command, "trail") == 0)
		corpus_show_mutation_log(corpus, name);
	else if (strcmp(command, "back") == 0)
		return corpus_back(corpus, send);
	else if (corpus_takes_name(command))
		snprintf(send, name[0] != '\0' ? COMMAND_LINE_MAX : 0, "%s %s",
			command, name);
	else if (!corpus_lead(corpus, command))
		return corpus_page_command(corpus, command);
	return true;
}

/* ---- places ---- */

static void
corpus_tell(void *state, const struct model *model, struct place *place)
{
	const struct corpus *corpus = state;

	snprintf(place->item, sizeof(place->item), "%s",
		corpus_selected(corpus));
	place->page = corpus->page;
	if (corpus->page == CORPUS_MUTATION_LOG)
		place->row = (uint32_t)corpus->log.list.selected;
}

static void
corpus_go(void *state, const struct model *model, const struct place *place)
{
	struct corpus *corpus = state;
	char name[sizeof(corpus->log.name)];

	snprintf(name, sizeof(name), "%.23s", place->item);
	corpus->page = CORPUS_LIST;
	corpus->from[0] = '\0';
	if (place->page == CORPUS_MUTATION_LOG) {
		corpus_show_mutation_log(corpus, name);
		list_select(&corpus->log.list, place->row);
	} else if (place->page == CORPUS_ENTRY) {
		corpus_show_entry(corpus, name);
	} else if (strcmp(name, corpus_selected(corpus)) != 0) {
		corpus_table_seek(&corpus->table, name);
	}
}

/* ---- what the footer offers ---- */

static bool
corpus_offers_list(const struct corpus *corpus, const struct model *model,
	const char *command)
{
	const struct reply_row *row = corpus_table_selected(&corpus->table);

	if (strcmp(command, "filter") == 0)
		return corpus->table.known &&
			(row != NULL ||
				filter_on(&model->filters[KEYS_CORPUS]));
	if (strcmp(command, "minimize") == 0)
		return row != NULL && row->len > 1 &&
			model->snapshot->instrumented;
	return row != NULL && strcmp(command, "hex") != 0;
}

static bool
corpus_offers_entry(const struct corpus *corpus, const struct model *model,
	const char *command)
{
	const struct reply_entry *now = &corpus->entry.now;
	bool known = strcmp(now->name, corpus->entry.name) == 0;

	if (strcmp(command, "fuzz") == 0)
		return known && !now->finding;
	if (strcmp(command, "minimize") == 0)
		return known && now->len > 1 &&
			(now->finding || model->snapshot->instrumented);
	if (strcmp(command, "hex") == 0)
		return known;
	return strcmp(command, "sort") != 0 && strcmp(command, "filter") != 0;
}

/* "fuzz" is only for corpus entries; "open" needs an entry of the mutation. */
static bool
corpus_offers_mutation_log(const struct corpus *corpus, const char *command)
{
	const char *name = corpus->log.name;
	const struct reply_row *row = corpus_table_selected(&corpus->table);

	if (strcmp(command, "open") == 0)
		return mutation_log_page_selected(&corpus->log)[0] != '\0';
	if (strcmp(command, "hex") == 0)
		return mutation_log_page_any(&corpus->log);
	return strcmp(command, "fuzz") == 0 && row != NULL &&
		strcmp(row->name, name) == 0;
}

static bool
corpus_offers(void *state, const struct model *model, const char *command)
{
	const struct corpus *corpus = state;

	if (corpus->page == CORPUS_MUTATION_LOG)
		return corpus_offers_mutation_log(corpus, command);
	if (corpus->page == CORPUS_ENTRY)
		return corpus_offers_entry(corpus, model, command);
	return corpus_offers_list(corpus, model, command);
}

const struct view_ops view_corpus = {
	.name = "corpus",
	.title = "Corpus",
	.context = KEYS_CORPUS,
	.filters = true,
	.create = corpus_create,
	.destroy = corpus_destroy,
	.draw = corpus_draw,
	.command = corpus_command,
	.offers = corpus_offers,
	.tell = corpus_tell,
	.go = corpus_go,
	.subscribe = corpus_subscribe,
	.reply = corpus_reply,
};

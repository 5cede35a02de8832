/*
 * load: loads the seeds and earlier inputs of a campaign. Loading begins when
 * the first worker is ready. Then the global coverage map has its modules, and
 * the target's parameter types and built-in seeds are known.
 */
#include "engine/load.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/text.h"
#include "base/xmalloc.h"
#include "engine/coordinator.h"
#include "engine/engine_private.h"
#include "engine/messages.h"
#include "engine/pool.h"
#include "store/lineage.h"

#define LOAD_PER_TURN 64
#define SMALLER_MAX 64u /* names that one input can have had */

/* Sorts parents before children. Unknown inputs may be parents. */
static uint32_t
load_rank(void *arg, const char *name)
{
	const struct engine *e = arg;
	const struct lineage_birth *birth =
		lineage_find(e->load.lineage, store_name_number(name));

	return birth != NULL ? birth->rank : 0;
}

enum status
load_begin(struct engine *e, struct worker *w, const struct rpc_reply *ping,
	struct error *err)
{
	struct input_sequence own = { .n = 0 };

	if (store_set_types(e->store, worker_types(w), engine_campaign_s(e),
		    err) != OK)
		return err->code;
	e->target.types = *worker_types(w);
	snprintf(e->target.function, sizeof(e->target.function), "%s",
		ping->function);
	e->campaign.memory.tuples = e->target.types.n > 0;
	corpus_set_types(e->campaign.corpus, &e->target.types);
	seeds_set_types(e->load.seeds, &e->target.types);
	if (!worker_copy_seeds(w, &own) || ping->seeds_lost > 0)
		message_warn(e, "seeds",
			"some seeds of the target do not fit into its memory: "
			"give them as files");
	if (ping->custom_unused)
		message_warn(e, "mutator",
			"the target is typed: its mutators are not used");
	seeds_set_own(e->load.seeds, &own);
	e->load.lineage = lineage_read(e->output_path);
	seeds_sort_corpus(e->load.seeds, load_rank, e);
	input_sequence_clear(&own);
	event_active(e->timers.load, EV_TIMEOUT, 0);
	return OK;
}

static void
load_add_label(struct engine *e, const struct corpus_entry *entry,
	const char *name)
{
	char text[256];

	if (entry->index < e->campaign.labels_n)
		return;
	text_clean_string(name, text, sizeof(text));
	e->campaign.labels = xreallocarray(e->campaign.labels, entry->index + 1,
		sizeof(*e->campaign.labels));
	while (e->campaign.labels_n < entry->index)
		e->campaign.labels[e->campaign.labels_n++] = xstrdup("?");
	e->campaign.labels[e->campaign.labels_n++] = xstrdup(text);
}

/* ---- inputs of earlier runs ---- */

/* The input of that name, or its smaller successor. */
static struct corpus_entry *
load_parent(const struct engine *e, uint64_t name)
{
	struct corpus_entry *entry = NULL;
	char digits[17];
	unsigned i;

	for (i = 0; i < SMALLER_MAX && name != 0 && entry == NULL; i++) {
		snprintf(digits, sizeof(digits), "%016" PRIx64, name);
		entry = corpus_find_exact(e->campaign.corpus, digits);
		name = lineage_smaller(e->load.lineage, name);
	}
	return entry;
}

/* The mutation log as far as the output directory can tell. */
static struct mutation_log *
load_trail(struct engine *e, struct corpus_entry *parent, const uint8_t *data,
	size_t len)
{
	const struct mutation_log *before;
	const uint8_t *from;
	struct mutation_log *trail;

	if (corpus_load(e->campaign.corpus, parent, &from, NULL) != OK)
		return mutation_log_unknown();
	trail = mutation_log_earlier(from, parent->len, data, len);
	before = mutation_logs_find(e->campaign.logs, parent->index);
	trail->parent_n = before != NULL ? before->n : 0;
	return trail;
}

/* The name of the finding's parent; 0: unknown. */
static uint64_t
load_finding_parent(const struct finding *f)
{
	const char *name = json_string_value(
		json_array_get(json_object_get(f->lineage, "entries"), 0));

	return name != NULL ? store_name_number(name) : 0;
}

/* Mutation logs of earlier findings, once all inputs are loaded. */
static void
load_origins(struct engine *e)
{
	size_t i;

	for (i = 0; i < e->findings.n; i++) {
		struct finding *f = e->findings.list[i];
		struct corpus_entry *parent =
			load_parent(e, load_finding_parent(f));

		if (parent == NULL || f->parent != CORPUS_NONE ||
			f->input == NULL)
			continue;
		f->parent = parent->index;
		f->trail = load_trail(e, parent, f->input, f->len);
	}
}

static struct corpus_entry *
load_earlier(struct engine *e, const struct seed *seed)
{
	const struct lineage_birth *birth =
		lineage_find(e->load.lineage, store_name_number(seed->name));
	struct corpus_entry *parent =
		birth != NULL ? load_parent(e, birth->parent) : NULL;
	struct corpus_entry *entry =
		coordinator_add_input(e, seed->data, seed->len, parent, false);

	if (entry == NULL)
		return NULL;
	entry->is_resumed = true;
	corpus_set_on_disk(e->campaign.corpus, entry);
	if (birth == NULL)
		return entry;
	if (parent != NULL)
		mutation_logs_put(e->campaign.logs, entry->index,
			load_trail(e, parent, seed->data, seed->len));
	else if (birth->parent == 0)
		mutation_logs_put(e->campaign.logs, entry->index,
			mutation_log_none());
	entry->new_bits = birth->bits;
	if (parent == NULL)
		entry->generation = birth->generation;
	if (birth->at_s >= 0)
		entry->found_at_s = fmin(birth->at_s - e->earlier.elapsed_s, 0);
	return entry;
}

static void
load_seed(struct engine *e, const struct seed *seed)
{
	struct corpus_entry *entry = seed->from_corpus
		? load_earlier(e, seed)
		: coordinator_add_input(e, seed->data, seed->len, NULL, false);

	if (entry == NULL)
		return; /* a duplicate */
	/* Unknown birth: at the beginning of the campaign, like most seeds. */
	if (entry->found_at_s == 0)
		entry->found_at_s -= e->earlier.elapsed_s;
	entry->is_seed = !seed->from_corpus;
	if (!seed->from_corpus)
		load_add_label(e, entry, seed->name);
	queue_push(&e->schedule.inputs, entry);
	e->load.warmup_total++;
	e->load.warmup_left++;
}

/* The first parent: empty, or a zero of each type. */
static void
load_add_first(struct engine *e)
{
	uint8_t zeros[TUPLE_ZERO_MAX];
	size_t len = tuple_zero(&e->target.types, zeros);

	message_print(e, "warning: starting with empty corpus");
	coordinator_add_input(e, zeros, len, NULL, false);
}

/* A folder after the target is an argument, perhaps meant as seeds. */
static void
load_warn_of_folders(struct engine *e)
{
	char text[1024], folder[256];
	struct stat st;

	if (e->settings.separated || e->settings.seeds.n > 0)
		return;
	for (char **arg = e->target.argv + 1; *arg != NULL; arg++) {
		if (stat(*arg, &st) != 0 || !S_ISDIR(st.st_mode))
			continue;
		text_clean_string(*arg, folder, sizeof(folder));
		snprintf(text, sizeof(text),
			"the folder %s is an argument of the target, not a "
			"folder of seeds; did you mean --seeds %s, before the "
			"target?",
			folder, folder);
		message_warn(e, "arguments", text);
	}
}

static void
load_finish_loading(struct engine *e)
{
	char text[512];
	int why;

	load_warn_of_folders(e);
	for (why = 0; why < SEEDS_SKIP_COUNT; why++)
		if (seeds_message(e->load.seeds, (enum seeds_skip)why, text,
			    sizeof(text)))
			message_print(e, "warning: %s", text);
	seeds_close(e->load.seeds);
	e->load.seeds = NULL;
	load_origins(e);
	lineage_destroy(e->load.lineage);
	e->load.lineage = NULL;
	e->load.under_way = false;
	if (corpus_len(e->campaign.corpus) == 0)
		load_add_first(e);
	message_statistics(e);
	if (e->load.warmup_left == 0)
		coordinator_finish_warmup(e);
}

/* Loads a few files per turn, so that the loop stays responsive. */
static void
load_some(struct engine *e)
{
	struct seed seed;
	int i;

	for (i = 0; i < LOAD_PER_TURN && e->load.seeds != NULL; i++) {
		switch (seeds_next(e->load.seeds, &seed)) {
		case SEEDS_ONE:
			load_seed(e, &seed);
			free(seed.data);
			break;
		case SEEDS_SKIPPED:
			break;
		case SEEDS_END:
			load_finish_loading(e);
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
	if (e->end.stopping)
		return;
	load_some(e);
	if (e->load.seeds != NULL)
		event_active(e->timers.load, EV_TIMEOUT, 0);
}

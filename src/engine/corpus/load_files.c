/*
 * load_files: loads the seeds and earlier inputs of a campaign. Loading begins
 * when the first worker is ready. Then the global coverage map has its modules,
 * and the target's parameter types and built-in seeds are known.
 */
#include "engine/corpus/load_files.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <event2/event.h>

#include "base/dir.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "control/libraries.h"
#include "control/settings.h"
#include "corpus/auto_dictionary.h"
#include "corpus/corpus.h"
#include "corpus/seeds.h"
#include "engine/corpus/entries.h"
#include "engine/corpus/load.h"
#include "engine/corpus/load_private.h"
#include "engine/corpus/warmup.h"
#include "engine/engine_end.h"
#include "engine/engine_over_state.h"
#include "engine/log/messages.h"
#include "engine/parts.h"
#include "engine/pool/pool.h"
#include "engine/program.h"
#include "engine/schedule/schedule.h"
#include "engine/statistics/counts.h"
#include "engine/statistics/earlier_runs.h"
#include "engine/statistics/statistics.h"
#include "engine/triage/findings_list.h"
#include "engine/triage/triage.h"
#include "engine/unused.h"
#include "findings/finding.h"
#include "shared/values/tuple.h"
#include "store/lineage.h"
#include "store/store.h"
#include "worker/inputs/mutation_log.h"
#include "worker/inputs/type_names.h"
#include "worker/memory/campaign_memory.h"
#include "worker/worker.h"

#define LOAD_PER_TURN 64
#define LOAD_BYTES_PER_TURN (8u << 20)
#define SMALLER_MAX 64u /* the most names that one input had */

/* Sorts parents before children. Unknown inputs may be parents. */
static uint32_t
load_rank(void *arg, const char *name)
{
	const struct engine *e = arg;
	const struct lineage_birth *birth =
		lineage_find(engine_load(e)->lineage, store_name_number(name));

	return birth != NULL ? birth->rank : 0;
}

/* The dictionary of a program that another fuzzer has built. */
static void
load_add_words(struct engine *e, const struct input_sequence *words)
{
	uint32_t n = 0;

	for (size_t i = 0; i < words->n && n < AUTO_DICTIONARY_MAX; i++)
		n += auto_dictionary_add(engine_memory(e),
			words->inputs[i].data, words->inputs[i].len);
	if (n == 0)
		return;
	counts_add_words(e, n);
	message_event(e, "words", json_pack("{s:i}", "words", (int)n),
		"%u words of the target's own dictionary", n);
}

enum status
load_begin(struct engine *e, struct worker *w, const struct rpc_reply *ping,
	struct error *err)
{
	struct load *load = engine_load(e);
	struct input_sequence own = { .n = 0 }, words = { .n = 0 };
	bool news = !type_names_same(worker_types(w), program_types(e));

	if (store_set_types(engine_store(e), worker_types(w),
		    engine_campaign_s(e), err) != OK)
		return err->code;
	program_set_types(e, worker_types(w), ping->function);
	if (news)
		triage_on_types(e);
	engine_memory(e)->tuples = program_types(e)->n > 0;
	corpus_set_types(engine_corpus(e), program_types(e));
	seeds_set_types(load->seeds, program_types(e));
	if (!worker_copy_seeds(w, &own, &words) || ping->seeds_lost > 0)
		message_warn(e, "seeds",
			"some seeds of the target do not fit into its memory: "
			"give them as files");
	if (ping->custom_unused)
		message_warn(e, "mutator",
			"the target is typed: its mutators are not used");
	seeds_set_own(load->seeds, &own);
	load_add_words(e, &words);
	load->lineage = lineage_read(engine_output_path(e));
	seeds_sort_corpus(load->seeds, load_rank, e);
	input_sequence_clear(&own);
	input_sequence_clear(&words);
	event_active(engine_load_event(e), EV_TIMEOUT, 0);
	return OK;
}

void
load_begin_past(struct engine *e)
{
	const struct tuple_types *types = program_types(e);
	struct load *load = engine_load(e);

	engine_memory(e)->tuples = types->n > 0;
	corpus_set_types(engine_corpus(e), types);
	seeds_set_types(load->seeds, types);
	load->lineage = lineage_read(engine_output_path(e));
	seeds_sort_corpus(load->seeds, load_rank, e);
	load_expect(e);
	event_active(engine_load_event(e), EV_TIMEOUT, 0);
}

static void
load_add_path(struct engine *e, const struct corpus_entry *entry,
	const struct seed *seed)
{
	struct load *l = engine_load(e);
	const char *folder =
		seed->directory[0] != '\0' ? seed->directory : program_name(e);
	size_t len = strlen(folder);
	char *path;

	while (len > 0 && folder[len - 1] == '/')
		len--;
	path = xasprintf("%.*s/%s", (int)len, folder, seed->name);
	l->paths = xreallocarray(l->paths, entry->index + 1, sizeof(*l->paths));
	while (l->paths_n < entry->index)
		l->paths[l->paths_n++] = NULL;
	l->paths[l->paths_n++] = text_clean_dup(path, strlen(path));
	free(path);
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
		entry = corpus_find_exact(engine_corpus(e), digits);
		name = lineage_smaller(engine_load(e)->lineage, name);
	}
	return entry;
}

/* The mutation log as far as the output directory can tell. */
static struct mutation_log *
load_mutation_log(struct engine *e, struct corpus_entry *parent,
	const uint8_t *data, size_t len)
{
	const struct mutation_log *before;
	const uint8_t *from;
	struct mutation_log *log;

	if (corpus_load(engine_corpus(e), parent, &from, NULL) != OK)
		return mutation_log_unknown();
	log = mutation_log_difference(from, parent->len, data, len);
	before = mutation_logs_find(engine_mutation_logs(e), parent->index);
	log->parent_n = before != NULL ? before->n : 0;
	return log;
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

	for (i = 0; i < findings_count(e); i++) {
		struct finding *f = findings_at(e, i);
		struct corpus_entry *parent =
			load_parent(e, load_finding_parent(f));

		if (parent == NULL || f->parent != CORPUS_NONE ||
			f->input == NULL)
			continue;
		f->parent = parent->index;
		f->log = load_mutation_log(e, parent, f->input, f->len);
	}
}

/* The entry can be read from this file from now on, if the file has its name: a
 * user may have put it there, under another one. */
static void
load_note_file(struct engine *e, struct corpus_entry *entry,
	const struct seed *seed)
{
	if (entry != NULL && strcmp(entry->name, seed->name) == 0)
		corpus_set_on_disk(engine_corpus(e), entry);
}

static struct corpus_entry *
load_earlier(struct engine *e, const struct seed *seed)
{
	const struct lineage_birth *birth =
		lineage_find(engine_load(e)->lineage,
			store_name_number(seed->name));
	struct corpus_entry *parent =
		birth != NULL ? load_parent(e, birth->parent) : NULL;
	struct corpus_entry *entry =
		entries_add(e, seed->data, seed->len, parent, false);

	if (entry == NULL) {
		/* It was there already, such as a seed. */
		load_note_file(e,
			corpus_find(engine_corpus(e), seed->data, seed->len),
			seed);
		return NULL;
	}
	entry->is_resumed = true;
	load_note_file(e, entry, seed);
	if (birth == NULL)
		return entry;
	if (parent != NULL)
		mutation_logs_put(engine_mutation_logs(e), entry->index,
			load_mutation_log(e, parent, seed->data, seed->len));
	else if (birth->parent == 0)
		mutation_logs_put(engine_mutation_logs(e), entry->index,
			mutation_log_none());
	entry->new_bits = birth->bits;
	entry->unstable = birth->unstable;
	if (parent == NULL)
		entry->generation = birth->generation;
	if (birth->at_s >= 0)
		entry->found_at_s = birth->at_s - earlier_runs_elapsed_s(e);
	if (entry->found_at_s > 0 && !engine_over(e))
		entry->found_at_s = 0;
	if (parent != NULL && over_stats(e) != NULL)
		parent->finds++;
	return entry;
}

static void
load_seed(struct engine *e, const struct seed *seed)
{
	struct corpus_entry *entry = seed->from_corpus
		? load_earlier(e, seed)
		: entries_add(e, seed->data, seed->len, NULL, false);

	if (entry == NULL)
		return; /* a duplicate */
	/* Unknown birth: at the beginning of the campaign, like most seeds. */
	if (entry->found_at_s == 0)
		entry->found_at_s -= earlier_runs_elapsed_s(e);
	entry->is_seed = !seed->from_corpus;
	if (!seed->from_corpus)
		load_add_path(e, entry, seed);
	if (engine_over(e))
		return;
	schedule_add_input(e, entry);
	engine_load(e)->warmup_total++;
	engine_load(e)->warmup_left++;
}

/* The first parent: empty, or a zero of each type. False: it is too long. */
static bool
load_add_first(struct engine *e)
{
	uint8_t zeros[TUPLE_ZERO_MAX];
	size_t len = tuple_zero(program_types(e), zeros);

	if (len > engine_settings(e)->max_len) {
		engine_fail(e, EXIT_SETUP,
			"an input of this target has at least %zu bytes: raise "
			"--max-len",
			len);
		return false;
	}
	message_warn(e, "seeds", "starting with empty corpus");
	entries_add(e, zeros, len, NULL, false);
	return true;
}

static void
load_end_files(struct engine *e)
{
	struct load *load = engine_load(e);

	seeds_close(load->seeds);
	load->seeds = NULL;
	load_origins(e);
	lineage_destroy(load->lineage);
	load->lineage = NULL;
	load->under_way = false;
}

static bool
load_is_archive(const char *path)
{
	static const char *const endings[] = { ".zip", ".tar", ".tgz",
		".tar.gz", ".tar.xz" };
	size_t len = strlen(path), n;

	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		n = strlen(endings[i]);
		if (len > n && strcmp(path + len - n, endings[i]) == 0)
			return !dir_exists(path);
	}
	return false;
}

/* Only of files that the user names: in a folder of seeds, archives may be what
 * the target reads. */
static void
load_warn_of_archives(struct engine *e)
{
	const struct texts *seeds = &engine_settings(e)->seeds;
	char text[512], shown[256];

	for (size_t i = 0; i < seeds->n; i++) {
		if (!load_is_archive(seeds->items[i]))
			continue;
		text_clean_string(seeds->items[i], shown, sizeof(shown));
		snprintf(text, sizeof(text),
			"the seed %s is an archive and counts as one input: "
			"unpack it, and give the folder to --seeds",
			shown);
		message_warn(e, "seeds", text);
	}
}

static void
load_finish_loading(struct engine *e)
{
	struct load *load = engine_load(e);
	char text[512];
	int why;

	if (engine_over(e)) {
		load_end_files(e);
		return;
	}
	unused_warn(e);
	load_warn_of_archives(e);
	for (why = 0; why < SEEDS_SKIP_COUNT; why++)
		if (seeds_message(load->seeds, (enum seeds_skip)why, text,
			    sizeof(text)))
			message_warn(e, "seeds", text);
	load_end_files(e);
	if (corpus_len(engine_corpus(e)) == 0 && !load_add_first(e))
		return;
	statistics_line(e);
	if (load->warmup_left == 0)
		warmup_finish(e);
}

/* Loads a few files per turn, or one that is large, so that the loop stays
 * responsive. */
static void
load_some(struct engine *e)
{
	struct seeds *seeds = engine_load(e)->seeds;
	uint64_t end = seeds_bytes_read(seeds) + LOAD_BYTES_PER_TURN;
	struct seed seed;
	int i;

	for (i = 0; i < LOAD_PER_TURN && engine_load(e)->seeds != NULL &&
		seeds_bytes_read(seeds) < end;
		i++) {
		switch (seeds_next(seeds, &seed)) {
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

	if (engine_stopping(e) && !engine_over(e))
		return;
	load_some(e);
	/* An event that its own callback activates would run again before all
	 * others. */
	if (engine_load(e)->seeds != NULL)
		libraries_set_timer(engine_load_event(e), 0);
}

void
load_go_on(struct engine *e)
{
	if (load_is_reading(e))
		libraries_set_timer(engine_load_event(e), 0);
}

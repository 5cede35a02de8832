/*
 * test_load: the names of seeds, and how much is loaded at once.
 */
#include "engine/corpus/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xmalloc.h"
#include "control/command.h"
#include "control/libraries.h"
#include "corpus/corpus.h"
#include "corpus/seeds.h"
#include "engine/corpus/entries.h"
#include "engine/corpus/load_files.h"
#include "engine/front/commands.h"
#include "engine/parts.h"
#include "engine/program.h"
#include "engine/schedule/schedule.h"
#include "engine/schedule/schedule_next.h"
#include "lib/fake_helper.h"
#include "lib/idle_engine.h"
#include "lib/own_note.h"
#include "store/lineage.h"

static const char *const plain[] = { "parallel", "1", NULL };

/* A seed has the name of its file, entries before and after it their own. */
static void
test_labels(void **state)
{
	static const char *const labels[] = { NULL, "file", NULL };
	struct idle idle;
	struct load *load;

	idle_open(&idle, *state, plain);
	load = &idle.engine->load;
	load->paths_n = 2;
	load->paths = xcalloc(load->paths_n, sizeof(*load->paths));
	load->paths[1] = xstrdup("folder/file");
	for (size_t i = 0; i < 3; i++) {
		const struct corpus_entry *entry = entries_add(idle.engine,
			(const uint8_t *)"abc", i + 1, NULL, false);

		assert_int_equal(entry->index, i);
		assert_string_equal(load_label(idle.engine, entry),
			labels[i] != NULL ? labels[i] : entry->name);
		assert_string_equal(load_path(idle.engine, entry),
			labels[i] != NULL ? "folder/file" : entry->name);
	}
	idle_close(&idle);
}

/* The bytes of a turn are limited, also those of files that are no seeds. */
static void
test_turns(void **state)
{
	static const struct {
		const char *types;
		size_t seeds[2]; /* after each turn */
		uint64_t skipped[2];
	} rows[] = {
		{ "plain bytes", { 3, 6 }, { 0, 0 } },
		{ "a string", { 0, 0 }, { 3, 6 } },
	};
	const struct tuple_types types = { .n = 1, .types = { VALUE_STRING } };
	const struct tree *tree = *state;
	char name[16], folder[80];
	const char *options[] = { "parallel", "1", "max-len", "4M", "seeds",
		folder, NULL };

	snprintf(folder, sizeof(folder), "%s/s", tree->path);
	tree_folder(tree, "s");
	for (int i = 0; i < 7; i++) {
		snprintf(name, sizeof(name), "s/%d", i);
		tree_text(tree, name, "");
		assert_int_equal(truncate(tree_path(tree, name), (3 << 20) + i),
			0);
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct idle idle;
		struct seeds *seeds;

		idle_open(&idle, tree, options);
		seeds = idle.engine->load.seeds;
		if (i > 0)
			seeds_set_types(seeds, &types);
		for (size_t turn = 0; turn < 2; turn++) {
			load_on_turn(-1, 0, idle.engine);
			row_check(corpus_len(idle.engine->campaign.corpus) ==
					rows[i].seeds[turn],
				"%s: turn %zu: %zu", rows[i].types, turn,
				corpus_len(idle.engine->campaign.corpus));
			row_check(seeds_skipped(seeds, SEEDS_SKIP_MALFORMED) ==
					rows[i].skipped[turn],
				"%s: turn %zu", rows[i].types, turn);
		}
		idle_close(&idle);
	}
}

static unsigned others;

static void
on_other(evutil_socket_t fd, short what, void *arg)
{
	others++;
	libraries_set_timer(arg, 0);
}

/* Nothing depends on how far the reading is. */
static void
check_meanwhile(struct engine *e)
{
	const struct corpus_entry *first = corpus_get(engine_corpus(e), 0);
	struct command command;
	struct error err = { 0 };
	char line[96], answer[64] = "";
	struct job job;

	if (!load_is_reading(e))
		return;
	assert_false(schedule_next(e, &e->pool.slots[0], &job));
	snprintf(line, sizeof(line), "minimize %s", first->name);
	assert_int_equal(command_parse(line, &command, &err), OK);
	assert_int_equal(command_minimize(e, &command, answer, sizeof(answer),
				 &err),
		E_STATE);
	assert_string_equal(err.text, "wait until all inputs are read");
}

/* What else is due runs between two turns. */
static void
test_others_run_between_turns(void **state)
{
	const struct tree *tree = *state;
	char name[32], folder[80];
	const char *options[] = { "parallel", "1", "deterministic", "on",
		"seeds", folder, NULL };
	struct idle idle;
	struct event *other;
	struct job job;

	snprintf(folder, sizeof(folder), "%s/many", tree->path);
	tree_folder(tree, "many");
	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "many/%d", i);
		tree_text(tree, name, name);
	}
	idle_open(&idle, tree, options);
	idle.engine->load.lineage = lineage_read(tree_path(tree, "out"));
	other = event_new(idle.engine->base, -1, 0, on_other,
		event_self_cbarg());
	libraries_set_timer(other, 0);
	event_active(engine_load_event(idle.engine), EV_TIMEOUT, 0);
	while (corpus_len(idle.engine->campaign.corpus) < 1000) {
		event_base_loop(idle.engine->base, EVLOOP_ONCE);
		check_meanwhile(idle.engine);
	}
	assert_true(others >= 5);
	while (load_is_reading(idle.engine))
		event_base_loop(idle.engine->base, EVLOOP_ONCE);
	assert_true(
		schedule_next(idle.engine, &idle.engine->pool.slots[0], &job));
	assert_int_equal(job.kind, JOB_WARMUP);
	event_free(other);
	idle_close(&idle);
}

/*
 * An entry can be read again from a file of the corpus if the file has its name,
 * also if it is a seed of the user. What a user has copied there under another
 * name is loaded, and its bytes stay in memory.
 */
static void
test_files_of_the_corpus(void **state)
{
	static const struct {
		const char *file;
		bool is_seed; /* of the user, as well */
		bool on_disk;
	} rows[] = {
		{ "ba7816bf8f01cfea", false, true },
		{ "ba7816bf8f01cfea", true, true },
		{ "ba7816bf8f01cfeb", false, false },
		{ "id:000001", false, false },
		{ "id:000001", true, false },
	};
	const struct tree *tree = *state;
	char folder[80], file[80];

	tree_folder(tree, "s");
	snprintf(folder, sizeof(folder), "%s/s", tree->path);
	tree_text(tree, "s/file", "abc");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const char *options[] = { "parallel", "1",
			rows[i].is_seed ? "seeds" : NULL, folder, NULL };
		const struct corpus_entry *entry;
		struct idle idle;

		idle_open(&idle, tree, options);
		idle_close(&idle);
		snprintf(file, sizeof(file), "out/corpus/%s", rows[i].file);
		tree_text(tree, file, "abc");
		idle_open(&idle, tree, options);
		idle.engine->load.lineage =
			lineage_read(idle.engine->output_path);
		load_on_turn(-1, 0, idle.engine);
		row_check(corpus_len(idle.engine->campaign.corpus) == 1,
			"row %zu", i);
		entry = corpus_get(idle.engine->campaign.corpus, 0);
		row_check(strcmp(load_label(idle.engine, entry),
				  rows[i].is_seed ? "file" : entry->name) == 0,
			"row %zu", i);
		row_check(entry->on_disk == rows[i].on_disk, "row %zu", i);
		row_check(entry->is_resumed == !rows[i].is_seed, "row %zu", i);
		idle_close(&idle);
		assert_int_equal(unlink(tree_path(tree, file)), 0);
	}
}

/*
 * The arena has what the user's seeds are as well, so they do not stay in memory
 * twice beyond the budget.
 */
static void
test_seeds_over_budget(void **state)
{
	const struct tree *tree = *state;
	const char *options[] = { "parallel", "1", "corpus-mem", "96",
		"max-len", "16M", NULL };
	struct corpus *corpus;
	struct corpus_entry *entry;
	struct idle idle;
	size_t resident = 0, len = 12 << 20;
	uint8_t *bytes = xcalloc(1, len);
	const uint8_t *data;

	idle_open(&idle, tree, options);
	corpus = idle.engine->campaign.corpus;
	for (uint8_t i = 0; i < 9; i++) {
		bytes[0] = i;
		assert_non_null(
			entries_add(idle.engine, bytes, len, NULL, false));
	}
	for (uint32_t i = 0; i < 9; i++) {
		entry = corpus_get(corpus, i);
		assert_false(entry->on_disk);
		resident += entry->data != NULL ? entry->len : 0;
	}
	assert_true(resident <= 64 << 20);
	/* The arena had no room for the last one. */
	assert_int_equal(entry->arena, MEMORY_NO_ENTRY);
	for (uint32_t i = 0; i < 9; i++) {
		assert_int_equal(corpus_load(corpus, corpus_get(corpus, i),
					 &data, NULL),
			OK);
		assert_int_equal(data[0], i);
	}
	assert_non_null(entry->data);
	free(bytes);
	idle_close(&idle);
}

/* The hash is that of the text, also of a copy that is a tuple. */
static void
test_typed_over_budget(void **state)
{
	const struct tuple_types types = { .n = 1, .types = { VALUE_STRING } };
	const struct tree *tree = *state;
	const char *options[] = { "parallel", "1", "max-len", "40M", NULL };
	const size_t len = 34 << 20;
	struct value value = { .type = VALUE_STRING, .len = len };
	uint8_t *bytes = xcalloc(1, len), *tuple;
	struct corpus *corpus;
	struct idle idle;
	const uint8_t *data;
	size_t size;

	idle_open(&idle, tree, options);
	corpus = idle.engine->campaign.corpus;
	program_set_types(idle.engine, &types, "");
	corpus_set_types(corpus, &types);
	memset(bytes, 'a', len);
	value.data = bytes;
	size = tuple_size(&value, 1);
	tuple = xmalloc(size);
	for (uint8_t i = 0; i < 2; i++) {
		bytes[0] = 'a' + i;
		tuple_pack(&value, 1, tuple);
		assert_non_null(
			entries_add(idle.engine, tuple, size, NULL, false));
	}
	assert_null(corpus_get(corpus, 0)->data);
	assert_int_equal(corpus_load(corpus, corpus_get(corpus, 0), &data,
				 NULL),
		OK);
	tuple[size - len] = 'a';
	assert_int_equal(memcmp(data, tuple, size), 0);
	free(tuple);
	free(bytes);
	idle_close(&idle);
}

/* The entry's bytes are in a file that is gone. */
static void
lose(struct corpus_entry *entry)
{
	entry->arena = MEMORY_NO_ENTRY;
	entry->on_disk = true;
	free(entry->data);
	entry->data = NULL;
}

/* Somebody removes the files of entries that are in no memory: each is named
 * once, and the others have their turns. */
static void
test_lost_files(void **state)
{
	static const char *const schedules[] = { "energy", "even", "fifo" };
	const struct tree *tree = *state;
	const char *options[] = { "parallel", "1", "schedule", NULL, NULL };
	struct corpus_entry *entries[4];
	struct idle idle;
	struct slot *slot;
	struct job job;

	for (size_t row = 0; row < ROWS(schedules); row++) {
		options[3] = schedules[row];
		idle_open(&idle, tree, options);
		slot = &idle.engine->pool.slots[0];
		for (size_t i = 0; i < ROWS(entries); i++) {
			entries[i] = entries_add(idle.engine,
				(const uint8_t *)"abcd", i + 1, NULL, false);
			if (i != 2)
				lose(entries[i]);
		}
		for (unsigned i = 0; i < 40; i++) {
			schedule_refresh(idle.engine);
			row_check(schedule_next(idle.engine, slot, &job),
				"%s, job %u", schedules[row], i);
			row_check(job_owner_entry(&job) == entries[2],
				"%s, job %u", schedules[row], i);
			schedule_taken(idle.engine, slot, &job);
			schedule_end_job(idle.engine, &job);
		}
		row_check(idle_events(&idle, "worker") == 3, "%s: %zu",
			schedules[row], idle_events(&idle, "worker"));
		lose(entries[2]);
		for (unsigned i = 0; i < 2; i++)
			row_check(!schedule_next(idle.engine, slot, &job), "%s",
				schedules[row]);
		row_check(idle_events(&idle, "worker") == 4, "%s: %zu",
			schedules[row], idle_events(&idle, "worker"));
		idle_close(&idle);
	}
}

/* What the disk refuses now, it may give later. */
static void
test_disk_trouble(void **state)
{
	static const char *const options[] = { "parallel", "1", NULL };
	const struct tree *tree = *state;
	struct corpus_entry *entry;
	struct idle idle;
	struct slot *slot;
	struct job job;
	char name[128], folder[128], away[128];

	idle_open(&idle, tree, options);
	slot = &idle.engine->pool.slots[0];
	entry = entries_add(idle.engine, (const uint8_t *)"x", 1, NULL, false);
	lose(entry);
	snprintf(name, sizeof(name), "out/corpus/%s", entry->name);
	tree_text(tree, name, "x");
	snprintf(folder, sizeof(folder), "%s/out/corpus", tree->path);
	snprintf(away, sizeof(away), "%s/away", tree->path);
	assert_int_equal(rename(folder, away), 0);
	assert_int_equal(symlink(away, folder), 0);
	schedule_refresh(idle.engine);
	assert_false(schedule_next(idle.engine, slot, &job));
	assert_int_equal(idle_events(&idle, "worker"), 1);
	assert_int_equal(unlink(folder), 0);
	assert_int_equal(rename(away, folder), 0);
	assert_true(schedule_next(idle.engine, slot, &job));
	assert_ptr_equal(job_owner_entry(&job), entry);
	schedule_taken(idle.engine, slot, &job);
	schedule_end_job(idle.engine, &job);
	idle_close(&idle);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_labels, tree_open,
			tree_close),
		cmocka_unit_test_setup_teardown(test_others_run_between_turns,
			tree_open, tree_close),
		cmocka_unit_test_setup_teardown(test_turns, tree_open,
			tree_close),
		cmocka_unit_test_setup_teardown(test_files_of_the_corpus,
			tree_open, tree_close),
		cmocka_unit_test_setup_teardown(test_seeds_over_budget,
			tree_open, tree_close),
		cmocka_unit_test_setup_teardown(test_typed_over_budget,
			tree_open, tree_close),
		cmocka_unit_test_setup_teardown(test_lost_files, tree_open,
			tree_close),
		cmocka_unit_test_setup_teardown(test_disk_trouble, tree_open,
			tree_close),
	};

	fake_helper_main(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

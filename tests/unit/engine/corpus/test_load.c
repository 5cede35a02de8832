/*
 * test_load: the names of seeds.
 */
#include "engine/corpus/load.h"

#include <stdlib.h>

#include "base/xmalloc.h"
#include "engine/corpus/entries.h"
#include "lib/fake_helper.h"
#include "lib/idle_engine.h"
#include "lib/own_note.h"

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
	load->labels_n = 2;
	load->labels = xcalloc(load->labels_n, sizeof(*load->labels));
	load->labels[1] = xstrdup(labels[1]);
	for (size_t i = 0; i < 3; i++) {
		const struct corpus_entry *entry = entries_add(idle.engine,
			(const uint8_t *)"abc", i + 1, NULL, false);

		assert_int_equal(entry->index, i);
		assert_string_equal(load_label(idle.engine, entry),
			labels[i] != NULL ? labels[i] : entry->name);
	}
	idle_close(&idle);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_labels, tree_open,
			tree_close),
	};

	fake_helper_main(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}

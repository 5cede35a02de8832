#include <string.h>

#include "engine/engine.h"
#include "lib/tree.h"
#include "tools/archive_config.h"

/* The campaign's limits and arguments, except for those of the user. */
static void
test_config(void **state)
{
	const struct tree *tree = *state;
	struct settings settings;
	struct engine_config from = { .settings = &settings };
	struct archive_config a;
	char text[64];

	settings_init(&settings);
	tree_text(tree, "journal.jsonl",
		"{\"event\":\"campaign\",\"target\":\"/t\",\"build_id\":\"\","
		"\"args\":[\"a b\"]}\n");
	tree_text(tree, "stats.json",
		"{\"limits\":{\"timeout\":{\"value\":\"123ms\"},"
		"\"rss-limit\":{\"value\":\"much\"},\"verify\":{\"value\":\"9\""
		"}}}");
	archive_config_init(&a, &from, tree->path);
	assert_int_equal(a.config.settings->timeout_ms, 123);
	assert_int_equal(a.config.settings->rss_limit_mb, 2048);
	assert_int_equal(a.config.settings->verify, 5);
	assert_string_equal(a.config.target, "/t");
	archive_config_tell(&a, text, sizeof(text));
	assert_string_equal(text, "with the campaign's arguments: 'a b'");
	archive_config_tell(&a, text, 10);
	assert_string_equal(text, "with the ");
	archive_config_clear(&a);

	assert_int_equal(settings_set(&settings, "timeout", "7ms", ORIGIN_FLAG,
				 NULL),
		OK);
	from.target = "mine";
	archive_config_init(&a, &from, tree->path);
	assert_int_equal(a.config.settings->timeout_ms, 7);
	assert_string_equal(a.config.target, "mine");
	archive_config_clear(&a);
	archive_config_init(&a, &from, NULL);
	archive_config_tell(&a, text, sizeof(text));
	assert_string_equal(text, "");
	archive_config_clear(&a);
	settings_clear(&settings);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_config, tree_open,
			tree_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

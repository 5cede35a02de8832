/*
 * test_module_paths: the files of modules, among mapped files and others.
 */
#include "findings/module_paths.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/rows.h"
#include "worker/pc_table.h"

static const char MAPS[] =
	"1000-2000 r-xp 00000000 00:00 1  /usr/bin/prog\n"
	"3000-4000 r-xp 00000000 00:00 2  /lib/my libs/liba.so.1\n"
	"5000-6000 rw-p 00000000 00:00 0\n"
	"7000-8000 rw-p 00000000 00:00 0  [heap]\n"
	"9000-a000 r-xp 00000000 00:00 3  /opt/odd\xffname.so\n"
	"b000-c000 r-xp 00000000 00:00 4  /lib/libc.so (deleted)\n"
	"d000-e000 r-xp 00000000 00:00 5  /lib/libb.so";

static const struct {
	const char *name, *module, *path; /* NULL: not found */
} PLACES[] = {
	{ "the program", "prog", "/usr/bin/prog" },
	{ "in a folder with a blank", "liba.so.1", "/lib/my libs/liba.so.1" },
	{ "not printable", "odd?name.so", "/opt/odd\xffname.so" },
	{ "the last line", "libb.so", "/lib/libb.so" },
	{ "a part of a name", "libb", NULL },
	{ "no file", "[heap]", NULL },
	{ "nothing", "", NULL },
	{ "only in the table", "late.so", "/tmp/late.so" },
	{ "in both", "prog", "/usr/bin/prog" },
	{ "a relative path", "near.so", NULL },
};

static void
test_places(void **state)
{
	char late[] = "/tmp/late.so", prog[] = "/tmp/prog", near[] = "near.so";
	struct pc_table *others = calloc(1, sizeof(*others));

	others->n = 4;
	others->modules[1].path = late;
	others->modules[2].path = prog;
	others->modules[3].path = near;
	for (size_t i = 0; i < ROWS(PLACES); i++) {
		char *path = module_paths_find(MAPS, others, PLACES[i].module);

		row_check(PLACES[i].path == NULL ? path == NULL
						 : path != NULL &&
					strcmp(path, PLACES[i].path) == 0,
			"%s: %s", PLACES[i].name, path != NULL ? path : "none");
		free(path);
	}
	assert_null(module_paths_find(MAPS, NULL, "late.so"));
	assert_null(module_paths_id(NULL, late));
	assert_null(module_paths_id(others, late));
	others->modules[0] = others->modules[1]; /* of an older run: no id */
	strcpy(others->modules[1].id, "ab");
	others->modules[3] = others->modules[1]; /* built again */
	strcpy(others->modules[3].id, "cd");
	assert_string_equal(module_paths_id(others, late), "ab");
	assert_null(module_paths_id(others, prog));
	free(others);
}

/* The loader's path of a file is a link, and that in the maps is none. */
static void
test_link(void **state)
{
	char link[] = "/proc/self/exe", *real = realpath(link, NULL);
	struct pc_table *others = calloc(1, sizeof(*others));

	others->n = 2;
	others->modules[1].path = link;
	strcpy(others->modules[1].id, "ab");
	assert_non_null(real);
	assert_string_equal(module_paths_id(others, real), "ab");
	assert_string_equal(module_paths_id(others, link), "ab");
	assert_null(module_paths_id(others, "/proc/self"));
	free(others);
	free(real);
}

static void
test_deleted(void **state)
{
	assert_true(module_paths_is_deleted(MAPS, "/lib/libc.so"));
	assert_false(module_paths_is_deleted(MAPS, "/lib/libb.so"));
	assert_false(module_paths_is_deleted(MAPS, "/lib/libc.so.1"));
}

static void
test_process(void **state)
{
	char *maps = module_paths_read(getpid()), *none = module_paths_read(0);
	char *path = module_paths_find(maps, NULL, "test_module_paths");

	assert_non_null(path);
	assert_true(path[0] == '/');
	assert_string_equal(none, "");
	free(path);
	free(maps);
	free(none);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_link),
		cmocka_unit_test(test_deleted),
		cmocka_unit_test(test_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

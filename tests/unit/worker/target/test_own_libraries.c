/*
 * test_own_libraries: which libraries a build stands for, found as ld.so finds
 * them; and damaged ones.
 */
#include "worker/target/own_libraries.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "lib/tree.h"

#define ID "0011"

static const char *
id_of(const struct tree *tree, const char *program, const char *library_path)
{
	static char id[ELF_FILE_ID_SIZE];
	struct elf_file f;
	struct stat st;

	f.fd = fd_open_regular(tree_path(tree, program), &st);
	assert_true(f.fd >= 0);
	f.size = (uint64_t)st.st_size;
	strcpy(id, ID);
	own_libraries_add(&f, tree_path(tree, program), library_path, id);
	fd_close(&f.fd);
	return id;
}

static void
write_sources(const struct tree *tree)
{
	tree_folder(tree, "lib");
	tree_folder(tree, "other");
	tree_text(tree, "l.c", "int l(void) { return V; }\n");
	tree_text(tree, "m.c", "int l(void); int m(void) { return l(); }\n");
	tree_text(tree, "p.c", "int f(void); int main(void) { return f(); }\n");
}

#define LIBRARY "gcc -shared -fPIC -o lib/libl.so l.c -DV="
#define PROGRAM "gcc -o p p.c -Df=l -Llib -ll -Wl,"

/* clang-format off */
static const struct build_row {
	const char *name, *build;
	const char *library_path; /* in the tree; NULL: not set */
	bool counts;
} BUILDS[] = {
	{ "a folder beside the program", PROGRAM "-rpath,'$ORIGIN/lib'", NULL, true },
	{ "the old kind of entry", PROGRAM "--disable-new-dtags,-rpath,'${ORIGIN}/lib'", NULL, true },
	{ "the second folder", PROGRAM "-rpath,'/nowhere:'$PWD/lib", NULL, true },
	{ "a folder of the machine", PROGRAM "-rpath,'$ORIGIN/$LIB:/nowhere'", NULL, false },
	{ "a path as name", "gcc -o p p.c -Df=l $PWD/lib/libl.so", NULL, true },
	{ "nobody names the folder", PROGRAM "-O1", NULL, false },
	{ "LD_LIBRARY_PATH", PROGRAM "-O1", "lib", true },
	{ "LD_LIBRARY_PATH of something else", PROGRAM "-O1", "other", false },
	{ "LD_LIBRARY_PATH goes before", "cp lib/libl.so other && " PROGRAM "-rpath,'$ORIGIN/lib'", "other", false },
	{ "... but not before the old kind", "cp lib/libl.so other && " PROGRAM "--disable-new-dtags,-rpath,'$ORIGIN/lib'", "other", true },
	{ "a library of a library",
		"gcc -shared -fPIC -o other/libm1.so m.c -Llib -ll -Wl,-rpath,'$ORIGIN/../lib' && "
		"gcc -o p p.c -Df=m $PWD/other/libm1.so -Wl,-rpath-link,lib", NULL, true },
	{ "... of the old kind: the program names the folder of both",
		"gcc -shared -fPIC -o lib/libm1.so m.c -Llib -ll && "
		"gcc -o p p.c -Df=m -Llib -lm1 -Wl,--disable-new-dtags,-rpath,$PWD/lib,-rpath-link,lib", NULL, true },
	{ "... not of the new kind",
		"gcc -shared -fPIC -o lib/libm1.so m.c -Llib -ll && "
		"gcc -o p p.c -Df=m -Llib -lm1 -Wl,-rpath,$PWD/lib,-rpath-link,lib", NULL, false },
	{ "a program that is static", "gcc -static -o p p.c l.c -DV=1 -Df=l", "lib", false },
};
/* clang-format on */

/* A library that counts is another one after a build with another value. */
static void
test_builds(void **state)
{
	const struct tree *tree = *state;
	char path[PATH_MAX], before[ELF_FILE_ID_SIZE];
	const struct build_row *row;

	write_sources(tree);
	for (row = BUILDS; row < BUILDS + ROWS(BUILDS); row++) {
		const char *set = row->library_path;

		snprintf(path, sizeof(path), "%s/%s", tree->path,
			set != NULL ? set : "");
		tree_shell(tree, "rm -f lib/* other/* && " LIBRARY "1");
		tree_shell(tree, row->build);
		strcpy(before, id_of(tree, "p", set != NULL ? path : NULL));
		tree_shell(tree, LIBRARY "2");
		row_check((strcmp(before,
				   id_of(tree, "p",
					   set != NULL ? path : NULL)) != 0) ==
				row->counts,
			"%s: %s", row->name, before);
		tree_shell(tree, LIBRARY "1");
		row_check(strcmp(before,
				  id_of(tree, "p",
					  set != NULL ? path : NULL)) == 0,
			"%s: as before", row->name);
	}
}

/* What is the same build: debug information gone, another folder, a link. */
static void
test_same(void **state)
{
	const struct tree *tree = *state;
	char before[ELF_FILE_ID_SIZE];

	write_sources(tree);
	tree_shell(tree, LIBRARY "1 -g && " PROGRAM "-rpath,'$ORIGIN/lib'");
	strcpy(before, id_of(tree, "p", NULL));
	assert_string_not_equal(before, ID);
	tree_shell(tree, "strip lib/libl.so && touch lib/libl.so");
	assert_string_equal(before, id_of(tree, "p", NULL));
	tree_shell(tree, "ln -s ../p other/link");
	assert_string_equal(before, id_of(tree, "other/link", NULL));
	tree_shell(tree, "mkdir moved && mv p lib moved");
	assert_string_equal(before, id_of(tree, "moved/p", NULL));
	tree_shell(tree, "rm moved/lib/libl.so");
	assert_string_equal(ID, id_of(tree, "moved/p", NULL));
	tree_shell(tree, "mkfifo moved/lib/libl.so");
	assert_string_equal(ID, id_of(tree, "moved/p", NULL));
}

/* Without a build-id the content counts. */
static void
test_no_build_id(void **state)
{
	const struct tree *tree = *state;
	char before[ELF_FILE_ID_SIZE];

	write_sources(tree);
	tree_shell(tree,
		LIBRARY "1 -Wl,--build-id=none && " PROGRAM
			"-rpath,'$ORIGIN/lib'");
	strcpy(before, id_of(tree, "p", NULL));
	tree_shell(tree, LIBRARY "2 -Wl,--build-id=none");
	assert_string_not_equal(before, id_of(tree, "p", NULL));
}

/* Cut off or with wrong bytes anywhere in its headers, a file does no harm. */
static void
test_damaged(void **state)
{
	const struct tree *tree = *state;
	char *data, *damaged;
	size_t len, i;

	write_sources(tree);
	tree_shell(tree,
		LIBRARY "1 && " PROGRAM "-rpath,'$ORIGIN/lib' && cp p q");
	data = tree_read(tree, "p", &len);
	damaged = tree_read(tree, "p", NULL);
	for (i = 0; i < len; i += 1 + len / 300) {
		tree_write(tree, "q", data, i);
		(void)id_of(tree, "q", NULL);
		memcpy(damaged, data, len);
		memset(damaged + i, 0xff, len - i < 16 ? len - i : 16);
		tree_write(tree, "lib/libl.so", damaged, len);
		tree_write(tree, "q", damaged, len);
		(void)id_of(tree, "q", NULL);
		(void)id_of(tree, "p", NULL);
	}
	free(damaged);
	free(data);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_builds, tree_open,
			tree_close),
		cmocka_unit_test_setup_teardown(test_same, tree_open,
			tree_close),
		cmocka_unit_test_setup_teardown(test_no_build_id, tree_open,
			tree_close),
		cmocka_unit_test_setup_teardown(test_damaged, tree_open,
			tree_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

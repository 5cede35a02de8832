/*
 * test_seeds: the order of seeds, and all odd things in a directory.
 */
#include "corpus/seeds.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/xmalloc.h"
#include "lib/tree.h"

#define MAX_LEN 100u
#define MANY 64

/* "name=content " of each seed, in order; corpus entries have a star. */
static void
read_all(struct seeds *seeds, char *buf, size_t size)
{
	struct seed seed;
	enum seeds_step step;

	buf[0] = 0;
	while ((step = seeds_next(seeds, &seed)) != SEEDS_END) {
		if (step != SEEDS_ONE)
			continue;
		snprintf(buf + strlen(buf), size - strlen(buf), "%s%s=%s ",
			seed.from_corpus ? "*" : "", seed.name,
			(char *)seed.data);
		free(seed.data);
	}
	assert_int_equal(seeds_next(seeds, &seed), SEEDS_END);
}

static void
test_order(void **state)
{
	const struct tree *tree = *state;
	char *places[3], text[512];
	struct seeds *seeds;
	int fd;

	tree_folder(tree, "one");
	tree_folder(tree, "two");
	tree_folder(tree, "corpus");
	tree_text(tree, "one/b", "1b");
	tree_text(tree, "one/B", "1B");
	tree_text(tree, "one/\xff", "1ff");
	tree_text(tree, "one/-rf", "dash");
	tree_text(tree, "one/a\n\x1b[2J", "1a");
	tree_text(tree, "one/empty", "");
	tree_text(tree, "two/a", "2a");
	tree_text(tree, "single", "s");
	assert_int_equal(symlinkat("single", tree->fd, "link"), 0);
	tree_text(tree, "corpus/0123456789abcdef", "c");
	tree_text(tree, "corpus/.tmp-0000", "half");
	places[0] = (char *)(uintptr_t)tree_path(tree, "two");
	places[1] = (char *)(uintptr_t)tree_path(tree, "one");
	places[2] = (char *)(uintptr_t)tree_path(tree, "link");
	fd = openat(tree->fd, "corpus", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(seeds_open(&seeds, places, 3, fd, MAX_LEN, NULL), OK);
	read_all(seeds, text, sizeof(text));
	assert_string_equal(text,
		"a=2a -rf=dash B=1B a\n\x1b[2J=1a b=1b empty= \xff=1ff "
		"single=s *0123456789abcdef=c ");
	seeds_close(seeds);
	assert_true(fcntl(fd, F_GETFD) >= 0); /* borrowed */
	fd_close(&fd);
	seeds_close(NULL);
}

static void
make_socket(const struct tree *tree, const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s/%s",
		tree->path, name);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)),
		0);
	close(fd);
}

static void
make_file_of(const struct tree *tree, const char *name, off_t len)
{
	tree_text(tree, name, "");
	assert_int_equal(truncate(tree_path(tree, name), len), 0);
}

static void
test_odd_entries(void **state)
{
	static const char *const links[][2] = { { "nowhere", "d/l-dangling" },
		{ "l-self", "d/l-self" }, { "fifo", "d/l-fifo" },
		{ "/dev/zero", "d/l-zero" }, { "good", "d/l-good" },
		{ "sub", "d/l-folder" } };
	static const struct {
		enum seeds_skip why;
		unsigned n;
		const char *message;
	} rows[] = {
		{ SEEDS_SKIP_FOLDER, 1,
			"1 seed skipped, it is a folder (name it as well): sub" },
		{ SEEDS_SKIP_LINK, 6,
			"6 seeds skipped, each is a symbolic link (not "
			"followed): l-dangling, l-fifo, l-folder …" },
		{ SEEDS_SKIP_SPECIAL, 2,
			"2 seeds skipped, each is a FIFO, a socket or a "
			"device: fifo, socket" },
		{ SEEDS_SKIP_LARGE, 2,
			"2 seeds skipped, each is over --max-len: cap-1, "
			"sparse" },
		{ SEEDS_SKIP_UNREADABLE, 0, NULL },
	};
	const struct tree *tree = *state;
	char *places[1], text[1024], message[512];
	struct seeds *seeds;
	size_t i;

	tree_folder(tree, "d");
	tree_folder(tree, "d/sub");
	tree_text(tree, "d/sub/inside", "never");
	tree_text(tree, "d/good", "g");
	assert_int_equal(mkfifoat(tree->fd, "d/fifo", 0600), 0);
	make_socket(tree, "d/socket");
	for (i = 0; i < sizeof(links) / sizeof(*links); i++)
		assert_int_equal(symlinkat(links[i][0], tree->fd, links[i][1]),
			0);
	make_file_of(tree, "d/sparse", (off_t)10 << 30);
	make_file_of(tree, "d/cap", MAX_LEN);
	make_file_of(tree, "d/cap-1", MAX_LEN + 1);
	places[0] = (char *)(uintptr_t)tree_path(tree, "d");
	assert_int_equal(seeds_open(&seeds, places, 1, -1, MAX_LEN, NULL), OK);
	read_all(seeds, text, sizeof(text));
	assert_string_equal(text, "cap= good=g ");
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		assert_int_equal(seeds_skipped(seeds, rows[i].why), rows[i].n);
		assert_int_equal(seeds_message(seeds, rows[i].why, message,
					 sizeof(message)),
			rows[i].n > 0);
		if (rows[i].n > 0)
			assert_string_equal(message, rows[i].message);
	}
	seeds_close(seeds);
}

/* Removed between listing and reading; not readable. */
static void
test_unreadable(void **state)
{
	const struct tree *tree = *state;
	char *places[1], text[64], message[256];
	struct seeds *seeds;

	tree_folder(tree, "d");
	tree_text(tree, "d/a", "a");
	tree_text(tree, "d/g\x1bne", "g");
	places[0] = (char *)(uintptr_t)tree_path(tree, "d");
	assert_int_equal(seeds_open(&seeds, places, 1, -1, MAX_LEN, NULL), OK);
	assert_int_equal(unlinkat(tree->fd, "d/g\x1bne", 0), 0);
	read_all(seeds, text, sizeof(text));
	assert_string_equal(text, "a=a ");
	assert_int_equal(seeds_skipped(seeds, SEEDS_SKIP_UNREADABLE), 1);
	assert_true(seeds_message(seeds, SEEDS_SKIP_UNREADABLE, message,
		sizeof(message)));
	assert_string_equal(message,
		"1 seed skipped, it is not readable: g\\x1bne");
	seeds_close(seeds);
}

static void
test_bad_places(void **state)
{
	static const char *const rows[][2] = {
		{ "missing", "No such file" },
		{ "fifo", "neither a folder nor a file" },
		{ "dangling", "No such file" },
		{ "self", "symbolic links" },
		{ "good/under", "Not a directory" },
	};
	const struct tree *tree = *state;
	struct seeds *seeds;
	struct error err;
	char *places[2];
	size_t i;

	tree_text(tree, "good", "x");
	assert_int_equal(mkfifoat(tree->fd, "fifo", 0600), 0);
	assert_int_equal(symlinkat("nowhere", tree->fd, "dangling"), 0);
	assert_int_equal(symlinkat("self", tree->fd, "self"), 0);
	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		error_clear(&err);
		places[0] = (char *)(uintptr_t)tree_path(tree, "good");
		places[1] = (char *)(uintptr_t)tree_path(tree, rows[i][0]);
		row_check(seeds_open(&seeds, places, 2, -1, MAX_LEN, &err) ==
				E_USAGE,
			"%s", rows[i][0]);
		row_check(seeds == NULL, "%s", rows[i][0]);
		row_check(strstr(err.text, rows[i][1]), "%s", rows[i][0]);
		row_check(strstr(err.text, places[1]), "%s", rows[i][0]);
	}
}

/* More files and folders are named than may be open at a time. */
static void
test_many_places(void **state)
{
	const struct tree *tree = *state;
	char *places[MANY], name[32], text[8 * MANY] = "", want[8 * MANY] = "";
	struct rlimit old, few = { .rlim_cur = MANY / 2 };
	struct seeds *seeds;

	for (int i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "d%02d", i);
		tree_folder(tree, name);
		snprintf(name, sizeof(name), "d%02d/%02d", i, i);
		tree_text(tree, name, "x");
		if (i % 2 == 0)
			name[strlen("d00")] = '\0';
		places[i] = xstrdup(tree_path(tree, name));
		snprintf(want + strlen(want), sizeof(want) - strlen(want),
			"%02d=x ", i);
	}
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	few.rlim_max = old.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	if (seeds_open(&seeds, places, MANY, -1, MAX_LEN, NULL) == OK)
		read_all(seeds, text, sizeof(text));
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
	assert_string_equal(text, want);
	seeds_close(seeds);
	for (int i = 0; i < MANY; i++)
		free(places[i]);
}

static void
test_nothing(void **state)
{
	struct seeds *seeds;
	struct seed seed;

	assert_int_equal(seeds_open(&seeds, NULL, 0, -1, MAX_LEN, NULL), OK);
	assert_int_equal(seeds_next(seeds, &seed), SEEDS_END);
	seeds_close(seeds);
}

#define TEXT(line) "go test fuzz v1\n" line "\n"
#define HEX8 "\\x61\\x62\\x63\\x64\\x65\\x66\\x67\\x68"
#define HEX32 HEX8 HEX8 HEX8 HEX8

/*
 * For a target known to take plain bytes, a text of one value of bytes becomes
 * these bytes. Their length counts, not that of the text.
 */
static void
test_corpus_files(void **state)
{
	const struct tuple_types bytes = { .n = 0 };
	const struct tree *tree = *state;
	char *place = (char *)(uintptr_t)tree_path(tree, "mixed"), text[512];
	struct seeds *seeds;
	int fd;

	tree_folder(tree, "mixed");
	tree_folder(tree, "corpus");
	tree_text(tree, "mixed/a", "go test fuzz v1\n[]byte(\"\\x41b\")\n");
	tree_text(tree, "mixed/b", "go test fuzz v1\nint(5)\n");
	tree_text(tree, "mixed/c", "go test fuzz v1\n[]byte(\"cut");
	tree_text(tree, "mixed/d", "go test fuzz v12");
	tree_text(tree, "mixed/e", "plain");
	tree_text(tree, "mixed/g", "go test fuzz v1\r\n[]byte(\"cr\")\r\n");
	tree_text(tree, "mixed/h", TEXT("[]byte(\"" HEX32 HEX32 "\")"));
	tree_text(tree, "mixed/i",
		TEXT("[]byte(\"" HEX32 HEX32 HEX32 HEX32 "\")"));
	make_file_of(tree, "mixed/j", MAX_LEN + 1);
	tree_text(tree, "corpus/f", "go test fuzz v1\n[]byte(\"x\")\n");
	fd = openat(tree->fd, "corpus", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(seeds_open(&seeds, &place, 1, fd, MAX_LEN, NULL), OK);
	seeds_set_types(seeds, &bytes);
	read_all(seeds, text, sizeof(text));
	assert_string_equal(text,
		"a=Ab d=go test fuzz v12 e=plain g=cr "
		"h=abcdefghabcdefghabcdefghabcdefgh"
		"abcdefghabcdefghabcdefghabcdefgh "
		"*f=go test fuzz v1\n[]byte(\"x\")\n ");
	assert_int_equal(seeds_skipped(seeds, SEEDS_SKIP_MALFORMED), 2);
	assert_true(
		seeds_message(seeds, SEEDS_SKIP_MALFORMED, text, sizeof(text)));
	assert_non_null(strstr(text, "2 seeds skipped"));
	assert_non_null(strstr(text, "b, c"));
	assert_true(seeds_message(seeds, SEEDS_SKIP_LARGE, text, sizeof(text)));
	assert_string_equal(text,
		"2 seeds skipped, each is over --max-len: i, j");
	seeds_close(seeds);
	close(fd);
}

/* For a typed target, files that are no text of its types are skipped with a
 * message. */
static void
test_typed(void **state)
{
	static const uint8_t large[] = { VALUE_STRING, 200, 0, 0, 0 };
	static const uint8_t good[] = { VALUE_STRING, 1, 0, 0, 0, '!' };
	const struct tuple_types types = { .n = 1, .types = { VALUE_STRING } };
	const struct tree *tree = *state;
	struct input_sequence own = { .n = 0 };
	char *places[1], text[512];
	uint8_t data[205] = { 0 };
	struct seeds *seeds;
	struct seed seed;
	int fd;

	tree_folder(tree, "s");
	tree_folder(tree, "corpus");
	tree_text(tree, "s/README", "These are seeds.\n");
	tree_text(tree, "s/a", TEXT("string(\"x\")"));
	tree_text(tree, "s/other", TEXT("int(5)"));
	tree_text(tree, "corpus/0123456789abcdef", TEXT("int(5)"));
	places[0] = (char *)(uintptr_t)tree_path(tree, "s");
	fd = openat(tree->fd, "corpus", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(seeds_open(&seeds, places, 1, fd, MAX_LEN, NULL), OK);
	seeds_set_types(seeds, &types);
	memcpy(data, large, sizeof(large));
	input_sequence_push(&own, memcpy(malloc(6), good, 6), 6);
	input_sequence_push(&own, memcpy(malloc(5), good, 5), 5);
	input_sequence_push(&own, memcpy(malloc(205), data, 205), 205);
	seeds_set_own(seeds, &own);
	input_sequence_clear(&own);
	assert_int_equal(seeds_next(seeds, &seed), SEEDS_ONE);
	assert_string_equal(seed.name, "seed#0");
	assert_string_equal(seed.directory, "");
	assert_int_equal(seed.len, 6);
	assert_memory_equal(seed.data, good, 6);
	free(seed.data);
	assert_int_equal(seeds_next(seeds, &seed), SEEDS_SKIPPED);
	assert_int_equal(seeds_next(seeds, &seed), SEEDS_SKIPPED);
	assert_int_equal(seeds_next(seeds, &seed), SEEDS_SKIPPED); /* README */
	assert_int_equal(seeds_next(seeds, &seed), SEEDS_ONE);
	assert_string_equal(seed.name, "a");
	assert_int_equal(seed.len, 6);
	assert_int_equal(seed.data[5], 'x');
	free(seed.data);
	assert_int_equal(seeds_next(seeds, &seed), SEEDS_SKIPPED);
	assert_int_equal(seeds_next(seeds, &seed), SEEDS_SKIPPED);
	assert_int_equal(seeds_next(seeds, &seed), SEEDS_END);
	assert_int_equal(seeds_skipped(seeds, SEEDS_SKIP_LARGE), 1);
	assert_int_equal(seeds_skipped(seeds, SEEDS_SKIP_MALFORMED), 4);
	assert_true(
		seeds_message(seeds, SEEDS_SKIP_MALFORMED, text, sizeof(text)));
	assert_string_equal(text,
		"4 seeds skipped, each is of other types than the "
		"target takes: seed#1, README, other …; README: "
		"unknown encoding version: These are seeds.");
	seeds_close(seeds);
	fd_close(&fd);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_open, tree_close)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_order),
		TEST(test_odd_entries),
		TEST(test_unreadable),
		TEST(test_bad_places),
		TEST(test_many_places),
		TEST(test_nothing),
		TEST(test_corpus_files),
		TEST(test_typed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

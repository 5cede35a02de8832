/* cfuzz show and cfuzz findings: a directory as JSON. */
#include "engine/engine.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "control/json_text.h"
#include "lib/tree.h"
#include "tools/show_private.h"

#define A "aaaaaaaaaaaaaaaa"
#define B "abbbbbbbbbbbbbbb"
#define JOURNAL \
	"{\"event\":\"campaign\",\"target\":\"/my/target\"," \
	"\"build_id\":\"b1\",\"args\":[\"a b\",\"c\\u001b\"]}\n" \
	"{\"at_s\":1,\"event\":\"types\",\"types\":[\"string\"]}\n" \
	"{\"at_s\":1.5,\"event\":\"find\",\"input\":\"" A "\",\"parent\":\"" B \
	"\",\"len\":4,\"bits\":2,\"generation\":1,\"unstable\":true}\n" \
	"{\"event\":\"lineage\",\"finding\":\"00f1\",\"trail\":[" \
	"{\"op\":\"flip\",\"offset\":3,\"len\":1},{\"offset\":-3}]}\n"
#define CRASH \
	"{\"id\":\"00f1\",\"kind\":\"signal\",\"what\":\"SIGSEGV\"," \
	"\"where\":\"f t.c:3\",\"text\":\"bad\\u0007\"," \
	"\"state\":\"confirmed\",\"count\":7,\"first_s\":1.5," \
	"\"last_s\":9.5,\"replays\":5,\"reproduced\":4," \
	"\"note\":\"look\\u001b\",\"call\":\"Parse(1)\"," \
	"\"frames\":[{\"module\":\"t\",\"offset\":16,\"function\":\"f\"}]}"

/* ---- reading ------------------------------------------------------------- */

/* A member as text; paths of objects and arrays: "files/0/name". */
static const char *
get(const json_t *json, const char *path)
{
	static char buf[256];
	const char *slash;

	for (; json != NULL && path != NULL;
		path = slash != NULL ? slash + 1 : NULL) {
		slash = strchr(path, '/');
		snprintf(buf, sizeof(buf), "%.*s",
			slash != NULL ? (int)(slash - path) : 200, path);
		json = json_is_array(json)
			? json_array_get(json, strtoul(buf, NULL, 10))
			: json_object_get(json, buf);
	}
	if (json_is_string(json))
		return json_string_value(json);
	snprintf(buf, sizeof(buf), "-");
	if (json_is_integer(json))
		snprintf(buf, sizeof(buf), "%lld",
			(long long)json_integer_value(json));
	if (json_is_real(json))
		snprintf(buf, sizeof(buf), "%.1f", json_real_value(json));
	if (json_is_boolean(json))
		snprintf(buf, sizeof(buf), "%s",
			json_is_true(json) ? "yes" : "no");
	if (json_is_array(json))
		snprintf(buf, sizeof(buf), "[%zu]", json_array_size(json));
	return buf;
}

struct member {
	const char *path, *want; /* "-": it is not there */
};

static void
check_members(const json_t *json, const struct member *members)
{
	for (; members->path != NULL; members++)
		row_check(strcmp(get(json, members->path), members->want) == 0,
			"%s: %s", members->path, get(json, members->path));
}

/* ---- the directory ------------------------------------------------------- */

static void
make_output(const struct tree *tree)
{
	tree_folder(tree, "out");
	tree_folder(tree, "out/corpus");
	tree_folder(tree, "out/crashes");
	tree_folder(tree, "out/crashes/x");
	tree_folder(tree, "out/hangs");
	tree_folder(tree, "out/hangs/y");
	tree_folder(tree, "out/suspects");
	tree_text(tree, "out/journal.jsonl", JOURNAL);
	tree_text(tree, "out/corpus/" A, "1234");
	tree_text(tree, "out/corpus/" B, "12345");
	tree_text(tree, "out/corpus/.tmp", "");
	tree_text(tree, "out/suspects/1", "s");
	tree_text(tree, "out/crashes/x/crash.json", CRASH);
	tree_text(tree, "out/crashes/x/input", "\x01\xff z");
	tree_text(tree, "out/crashes/x/minimized", "z");
	tree_text(tree, "out/crashes/x/report.txt", "first\nsecond\033\nlast");
	tree_text(tree, "out/hangs/y/crash.json",
		"{\"id\":\"00f2\",\"kind\":\"hang\",\"what\":\"hang\","
		"\"state\":\"confirmed\",\"last_s\":3,\"sequence\":2}");
	tree_folder(tree, "out/hangs/y/sequence");
	tree_text(tree, "out/hangs/y/sequence/000001", "one");
	tree_text(tree, "out/hangs/y/sequence/000002", "two");
	tree_text(tree, "out/hangs/y/sequence/note", "no input");
	assert_int_equal(chdir(tree->path), 0);
}

static int
leave(void **state)
{
	return chdir("/") != 0 || tree_close(state) != 0 ? -1 : 0;
}

/* clang-format off */
static const struct member CAMPAIGN[] = {
	{ "type", "campaign" }, { "path", "out" },
	{ "target", "/my/target" }, { "args", "[2]" }, { "args/0", "a b" },
	{ "args/1", "c\\x1b" }, { "corpus", "2" }, { "findings", "2" },
	{ "suspects", "1" }, { "types/0", "string" }, { NULL, NULL },
};

static const struct member FINDING[] = {
	{ "type", "finding" }, { "id", "00f1" }, { "folder", "crashes/x" },
	{ "path", "out/crashes/x" }, { "class", "crash" },
	{ "kind", "signal" }, { "what", "SIGSEGV" }, { "where", "f t.c:3" },
	{ "text", "bad\\x07" }, { "state", "confirmed" }, { "count", "7" },
	{ "first_s", "1.5" }, { "last_s", "9.5" }, { "len", "4" },
	{ "minimized_len", "1" }, { "replays", "5" }, { "reproduced", "4" },
	{ "more", "0" }, { "note", "look\\x1b" }, { "call", "Parse(1)" },
	{ "command", "cfuzz repro /my/target out/crashes/x/minimized" },
	{ "frames", "[1]" }, { "frames/0/function", "f" },
	{ "trail", "[2]" }, { "trail/0/op", "flip" },
	{ "trail/0/offset", "3" }, { "trail/1/op", "?" },
	{ "trail/1/offset", "0" }, { "files", "[4]" },
	{ "files/0/name", "crash.json" }, { "files/1/name", "input" },
	{ "files/1/len", "4" }, { "report", "[3]" },
	{ "report/0", "first" }, { "report/1", "second\\x1b" },
	{ "report/2", "last" }, { "data_of", "minimized" }, { "data", "7a" },
	{ "data_cut", "no" }, { "inputs", "-" }, { NULL, NULL },
};

static const struct member SEQUENCE[] = {
	{ "type", "finding" }, { "id", "00f2" }, { "class", "hang" },
	{ "command", "cfuzz repro /my/target out/hangs/y" },
	{ "note", "" }, { "call", "-" }, { "trail", "[0]" },
	{ "data", "-" }, { "report", "[0]" }, { "files", "[1]" },
	{ "inputs", "[2]" }, { "inputs/0/name", "000001" },
	{ "inputs/0/len", "3" }, { "inputs/0/data", "6f6e65" },
	{ "inputs/0/data_cut", "no" }, { "inputs/1/data", "74776f" },
	{ NULL, NULL },
};

static const struct member ENTRY[] = {
	{ "type", "input" }, { "path", "out/corpus/" A }, { "name", A },
	{ "len", "4" }, { "data", "31323334" }, { "data_cut", "no" },
	{ "lineage", "[2]" }, { "lineage/0/name", A },
	{ "lineage/0/bits", "2" }, { "lineage/0/generation", "1" },
	{ "lineage/0/unstable", "yes" }, { "lineage/0/at_s", "1.5" },
	{ "lineage/0/minimized", "no" }, { "lineage/1/name", B },
	{ "lineage_cut", "no" }, { NULL, NULL },
};

static const struct member OTHER[] = {
	{ "type", "input" }, { "path", "other" }, { "name", "" },
	{ "len", "1" }, { "data", "7a" }, { "lineage", "[0]" },
	{ "known", "[1]" }, { "known/0/output", "out" },
	{ "known/0/as", "finding" }, { "known/0/name", "00f1" },
	{ "sha256", "594e519ae499312b29433b7dd8a97ff0"
		    "68defcba9755b6d5d00e84c524d67b06" }, { NULL, NULL },
};

static const struct member INPUT[] = {
	{ "type", "input" }, { "path", "out/crashes/x/input" },
	{ "name", "" }, { "data", "01ff207a" }, { "known/0/name", "00f1" },
	{ NULL, NULL },
};

static const struct show_row {
	const char *name, *path, *id;
	const struct member *members;
	enum status status;
	const char *says;
} SHOW[] = {
	{ "a campaign", "out", NULL, CAMPAIGN, OK, "" },
	{ "a finding by its id", "out", "00f1", FINDING, OK, "" },
	{ "a sequence", "out", "00f2", SEQUENCE, OK, "" },
	{ "by its folder", "out", "crashes/x", FINDING, OK, "" },
	{ "by the name of its folder", "out", "x", FINDING, OK, "" },
	{ "an input by its name", "out", A, ENTRY, OK, "" },
	{ "an input by digits", "out", "aa", ENTRY, OK, "" },
	{ "too few digits", "out", "a", NULL, E_USAGE,
		"a: several inputs or findings begin with this" },
	{ "too few digits of findings", "out", "00f", NULL, E_USAGE,
		"00f: several" },
	{ "no such id", "out", "99", NULL, E_NOT_FOUND,
		"there is no input or finding 99 in out" },
	{ "an id that is none", "out", "../x", NULL, E_NOT_FOUND, "../x" },
	{ "any file", "other", NULL, OTHER, OK, "" },
	{ "an id in a file", "other", "00f1", NULL, E_USAGE,
		"other is not an output directory" },
	{ "no file", "gone", NULL, NULL, E_NOT_FOUND, "gone" },
	{ "any folder", ".", NULL, NULL, E_USAGE, "" },
	{ "a folder with an id", ".", "00f1", NULL, E_USAGE, "" },
	{ "no finding", "out/crashes", NULL, NULL, E_NOT_FOUND,
		"or finding crashes" },
};
/* clang-format on */

static void
test_show(void **state)
{
	const struct tree *tree = *state;
	size_t i;

	make_output(tree);
	tree_text(tree, "other", "z");
	for (i = 0; i < ROWS(SHOW); i++) {
		const struct show_row *row = &SHOW[i];
		struct error err = { 0 };
		json_t *json = engine_show(row->path, row->id, &err);

		row_check(err.code == row->status, "%s: %d %s", row->name,
			err.code, err.text);
		row_check(strstr(err.text, row->says) != NULL, "%s: %s",
			row->name, err.text);
		row_check((json != NULL) == (row->members != NULL), "%s",
			row->name);
		if (row->members != NULL)
			check_members(json, row->members);
		json_decref(json);
	}
}

/* Paths inside of an output directory say what they are. */
static void
test_below(void **state)
{
	const struct tree *tree = *state;
	struct error err = { 0 };
	json_t *json;

	make_output(tree);
	json = engine_show("out/crashes/x", NULL, &err);
	assert_string_equal(get(json, "id"), "00f1");
	json_decref(json);
	json = engine_show("out/corpus/" A, NULL, &err);
	assert_string_equal(get(json, "name"), A);
	assert_string_equal(get(json, "lineage"), "[2]");
	json_decref(json);
	json = engine_show("out/crashes/x/input", NULL, &err);
	check_members(json, INPUT);
	json_decref(json);
}

/* clang-format off */
static const struct known_row {
	const char *name, *content, *as; /* NULL: unknown */
} KNOWN[] = {
	{ "an input of the corpus", "in the corpus", "corpus" },
	{ "a suspect", "a suspect", "suspect" },
	{ "an input of a finding", "\x01\xff z", "finding" },
	{ "a minimized one", "z", "finding" },
	{ "one of more", "and more", "finding" },
	{ "as long as another", "y", NULL },
	{ "none of them", "something else", NULL },
	{ "nothing", "", NULL },
};
/* clang-format on */

/* A file under the name of its hash. */
static void
add_hashed(const struct tree *tree, const char *folder, const char *content)
{
	char hash[SHA256_HEX_SIZE], name[128];

	sha256_name(content, strlen(content), hash);
	snprintf(name, sizeof(name), "%s/%.16s", folder, hash);
	tree_text(tree, name, content);
}

/* Bytes that a campaign beside the file knows. */
static void
test_known(void **state)
{
	const struct tree *tree = *state;
	size_t i;

	make_output(tree);
	tree_folder(tree, "out/crashes/x/more");
	add_hashed(tree, "out/corpus", "in the corpus");
	add_hashed(tree, "out/suspects", "a suspect");
	add_hashed(tree, "out/crashes/x/more", "and more");
	for (i = 0; i < ROWS(KNOWN); i++) {
		struct error err = { 0 };
		json_t *json;

		tree_text(tree, "file", KNOWN[i].content);
		json = engine_show("file", NULL, &err);
		row_check(strcmp(get(json, "known/0/as"),
				  KNOWN[i].as != NULL ? KNOWN[i].as : "-") == 0,
			"%s: %s", KNOWN[i].name, get(json, "known/0/as"));
		row_check(KNOWN[i].as == NULL ||
				strcmp(get(json, "known/0/output"), "out") == 0,
			"%s", KNOWN[i].name);
		json_decref(json);
	}
}

/* By state, the last seen first; with the command to run it again. */
static void
test_findings(void **state)
{
	static const struct member members[] = {
		{ "0/id", "00f1" },
		{ "0/folder", "crashes/x" },
		{ "0/command",
			"cfuzz repro /my/target out/crashes/x/minimized" },
		{ "0/types/0", "string" },
		{ "0/frames", "-" },
		{ "1/id", "00f2" },
		{ "1/class", "hang" },
		{ "2/id", "-" },
		{ NULL, NULL },
	};
	const struct tree *tree = *state;
	struct error err = { 0 };
	json_t *list;

	make_output(tree);
	list = engine_findings("out", &err);
	assert_non_null(list);
	check_members(list, members);
	json_decref(list);
	assert_null(engine_findings("out/corpus", &err));
	assert_int_equal(err.code, E_USAGE);
}

/* A command for a shell, whatever the names are. */
static void
test_command(void **state)
{
	const struct tree *tree = *state;
	struct error err = { 0 };
	json_t *json;

	tree_folder(tree, "my out");
	tree_folder(tree, "my out/crashes");
	tree_folder(tree, "my out/crashes/x");
	tree_text(tree, "my out/crashes/x/input", "i");
	tree_text(tree, "my out/journal.jsonl", "");
	assert_int_equal(chdir(tree->path), 0);
	json = engine_show("my out", "x", &err);
	assert_string_equal(get(json, "command"),
		"cfuzz repro TARGET 'my out/crashes/x/input'");
	assert_string_equal(get(json, "state"), "damaged");
	assert_string_equal(get(json, "types"), "-");
	json_decref(json);
}

/* Large data is cut, and says so; large numbers stay numbers. */
static void
test_bounds(void **state)
{
	static uint8_t data[SHOW_BYTES_MAX + 1];
	json_t *object = json_object(), *number;

	show_put_data(object, data, SHOW_BYTES_MAX);
	assert_string_equal(get(object, "data_cut"), "no");
	show_put_data(object, data, SHOW_BYTES_MAX + 1);
	assert_string_equal(get(object, "data_cut"), "yes");
	assert_int_equal(json_string_length(json_object_get(object, "data")),
		2 * SHOW_BYTES_MAX);
	json_decref(object);
	number = json_count_new(UINT64_MAX);
	assert_true(json_integer_value(number) == INT64_MAX);
	json_decref(number);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, tree_open, leave)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_show),
		TEST(test_below),
		TEST(test_known),
		TEST(test_findings),
		TEST(test_command),
		cmocka_unit_test(test_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

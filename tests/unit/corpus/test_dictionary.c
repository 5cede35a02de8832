#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "corpus/dictionary.h"
#include "lib/rows.h"

struct row {
	const char *line;
	const char *word; /* NULL: an error at `number` */
	size_t number;    /* column, or level */
};

/* clang-format off */
static const struct row rows[] = {
	{ "", "", 0 },
	{ "   # a comment", "", 0 },
	{ "\"word\"", "word", 0 },
	{ "  name = \"word\"  \r", "word", 0 },
	{ "name@12=\"w\"", "w", 12 },
	{ "\"\\x41\\\\\\\"\\xfF\"", "A\\\"\xff", 0 },
	{ "a-b.c_1=\"#\"", "#", 0 },
	{ "word", NULL, 5 },
	{ "name@=\"w\"", NULL, 6 },
	{ "\"word", NULL, 6 },
	{ "\"\"", NULL, 2 },
	{ "\"a\" b", NULL, 5 },
	{ "\"\\n\"", NULL, 2 },
	{ "\"\\x4\"", NULL, 2 },
	{ "\"\\x4g\"", NULL, 2 },
	{ "\"tab\t\"", NULL, 5 },
	{ "\"\xc3\xa9\"", NULL, 2 },
	{ "name=word", NULL, 6 },
	{ "\"say \"no\" \"", "say \"no\" ", 0 },
	{ "\"a\\\"", NULL, 3 },
	{ "a b=\"c\"", NULL, 3 },
	{ "k\xc3\xa9y=\"c\"", NULL, 2 },
	{ "x/y:z[0]=\"c\"", "c", 0 },
	{ "n@2147483648=\"c\"", "c", 1000 },
};
/* clang-format on */

static void
test_line(void **state)
{
	const struct row *row = *state;
	uint8_t word[MEMORY_WORD_LEN_MAX];
	size_t len, column = 0;
	struct error err = { 0 };
	unsigned level;
	enum status status = dictionary_parse_line(row->line, strlen(row->line),
		word, &len, &level, &column, &err);

	if (row->word == NULL) {
		assert_int_equal(status, E_FORMAT);
		assert_int_equal(column, row->number);
		assert_true(err.text[0] != '\0');
		return;
	}
	assert_int_equal(status, OK);
	assert_int_equal(level, row->number);
	assert_int_equal(len, strlen(row->word));
	assert_memory_equal(word, row->word, len);
}

static void
test_longest(void **state)
{
	char line[2 + MEMORY_WORD_LEN_MAX + 2];
	uint8_t word[MEMORY_WORD_LEN_MAX];
	size_t len, column;
	unsigned level;
	int extra;

	for (extra = 0; extra < 2; extra++) {
		memset(line, 'a', sizeof(line));
		line[0] = line[1 + MEMORY_WORD_LEN_MAX + extra] = '"';
		assert_int_equal(dictionary_parse_line(line,
					 2u + MEMORY_WORD_LEN_MAX +
						 (size_t)extra,
					 word, &len, &level, &column, NULL),
			extra ? E_FORMAT : OK);
	}
}

/* ---- loading: what is added, and what is said --------------------------- */

#define LONG_64 \
	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

/* clang-format off */
static const struct load {
	const char *name;
	const char *text;
	const char *suffix; /* behind the path */
	const char *words;  /* added, each followed by a space */
	const char *said;   /* all messages; %s: the path */
	const char *refused; /* part of the error; NULL: it is loaded */
} LOADS[] = {
	{ "plain", "# words\n\"one\"\nkey=\"two\"\r\n\n\"three\"", "",
		"one two three ", "", NULL },
	{ "no level", "\"one\"\nkey@1=\"two\"\n", "", "one ", "", NULL },
	{ "a level", "\"0\"\na@1=\"1\"\nb@2=\"2\"\nc@3=\"3\"\n", "@2",
		"0 1 2 ", "", NULL },
	{ "twice", "\"a\"\n\"b\"\nx=\"a\"\n\"\\x61\"\n", "", "a b ", "", NULL },
	{ "bad lines", "\"a\"\n  oops\n\"b\"\n\"c\nn=\"\\q\"\n\"d\"", "",
		"a b d ",
		"dictionary %s, line 2, column 7: = is missing after the name\n"
		"dictionary %s, line 4, column 3: the closing \" is missing\n"
		"dictionary %s, line 5, column 4: after a backslash comes \\, "
		"\" or x and two hex digits\n", NULL },
	{ "too long", "\"" LONG_64 LONG_64 "a\"\n\"ok\"\n", "", "ok ",
		"dictionary %s, line 1, column 130: a word has at most 128 "
		"bytes\n", NULL },
	{ "bad above the level", "x@9=\"\n\"ok\"\n", "", "ok ",
		"dictionary %s, line 1, column 6: the closing \" is missing\n",
		NULL },
	{ "no good line", "one\ntwo\n", "", "",
		"dictionary %s, line 1, column 4: = is missing after the name\n"
		"dictionary %s, line 2, column 4: = is missing after the name\n",
		"line 1, column 4: = is missing" },
	{ "empty", "", "", "", "", "has no word" },
	{ "comments only", "# one\n\n", "", "", "", "has no word" },
	{ "all above the level", "x@3=\"a\"\n", "@1", "", "",
		"has no word of level 1 or below" },
	{ "eleven bad", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\n\"ok\"\n", "", "ok ",
		"dictionary %s, line 1, column 2: = is missing after the name\n"
		"dictionary %s, line 2, column 2: = is missing after the name\n"
		"dictionary %s, line 3, column 2: = is missing after the name\n"
		"dictionary %s, line 4, column 2: = is missing after the name\n"
		"dictionary %s, line 5, column 2: = is missing after the name\n"
		"dictionary %s, line 6, column 2: = is missing after the name\n"
		"dictionary %s, line 7, column 2: = is missing after the name\n"
		"dictionary %s, line 8, column 2: = is missing after the name\n"
		"dictionary %s, line 9, column 2: = is missing after the name\n"
		"dictionary %s, line 10, column 2: = is missing after the name\n"
		"dictionary %s: and 1 more\n", NULL },
};
/* clang-format on */

static char said[8192];

static void
say(void *arg, const char *text)
{
	size_t n = strlen(said);

	assert_ptr_equal(arg, said);
	snprintf(said + n, sizeof(said) - n, "%s\n", text);
}

/* Creates a file with this content; path is a template. */
static void
make_file(char *path, const char *text)
{
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

/* Checks the messages, with the path put in. */
static void
expect_said(const char *format, const char *path)
{
	char text[sizeof(said)];
	size_t n = 0;

	for (; *format != '\0'; format++) {
		if (format[0] == '%' && format[1] == 's') {
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s",
				path);
			format++;
		} else {
			text[n++] = *format;
		}
	}
	text[n] = '\0';
	assert_string_equal(said, text);
}

static void
expect_words(const struct campaign_memory *m, const char *expected)
{
	struct tokens words = campaign_memory_words(m);
	char text[256] = "";
	size_t n = 0;
	uint32_t i;

	for (i = 0; i < words.n; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%.*s ",
			words.items[i].len, (const char *)words.items[i].bytes);
	assert_string_equal(text, expected);
}

static void
test_load(void **state)
{
	const struct load *load = *state;
	char path[] = "/tmp/test_dictionary.XXXXXX", name[64];
	struct campaign_memory m;
	struct error err = { 0 };
	enum status status;

	make_file(path, load->text);
	snprintf(name, sizeof(name), "%s%s", path, load->suffix);
	assert_int_equal(campaign_memory_open(&m, 64, 4096, NULL), OK);
	said[0] = '\0';
	status = dictionary_load(name, &m, say, said, &err);
	assert_int_equal(status, load->refused == NULL ? OK : E_USAGE);
	if (load->refused != NULL)
		assert_non_null(strstr(err.text, load->refused));
	expect_words(&m, load->words);
	expect_said(load->said, path);
	campaign_memory_close(&m);
	unlink(path);
}

/* Words of several dictionaries add up; a common word is there once. */
static void
test_several(void **state)
{
	char a[] = "/tmp/test_dictionary.XXXXXX";
	char b[] = "/tmp/test_dictionary.XXXXXX";
	struct campaign_memory m;
	struct error err = { 0 };

	make_file(a, "\"one\"\n\"two\"\n");
	make_file(b, "\"two\"\n\"three\"\n");
	assert_int_equal(campaign_memory_open(&m, 64, 4096, NULL), OK);
	said[0] = '\0';
	assert_int_equal(dictionary_load(a, &m, say, said, NULL), OK);
	assert_int_equal(dictionary_load(b, &m, say, said, NULL), OK);
	assert_int_equal(dictionary_load(b, &m, say, said, NULL), OK);
	assert_int_not_equal(dictionary_load("/nowhere/x", &m, say, said, &err),
		OK);
	assert_non_null(strstr(err.text, "/nowhere/x"));
	expect_words(&m, "one two three ");
	assert_string_equal(said, "");
	campaign_memory_close(&m);
	unlink(a);
	unlink(b);
}

/* With more words than room, the first ones are taken. */
static void
test_full(void **state)
{
	char path[] = "/tmp/test_dictionary.XXXXXX";
	struct campaign_memory m;
	FILE *file;
	unsigned i;

	make_file(path, "");
	file = fopen(path, "w");
	assert_non_null(file);
	for (i = 0; i < 2 * MEMORY_WORDS_MAX; i++)
		fprintf(file, "\"w%u\"\n\"w0\"\n", i);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(campaign_memory_open(&m, 64, 4096, NULL), OK);
	said[0] = '\0';
	assert_int_equal(dictionary_load(path, &m, say, said, NULL), OK);
	assert_int_equal(campaign_memory_words(&m).n, MEMORY_WORDS_MAX);
	assert_non_null(strstr(said, "line 8193, column 1: too many words"));
	assert_non_null(strstr(said, ": and 4086 more\n"));
	/* Words that are there already need no room. */
	said[0] = '\0';
	assert_int_equal(dictionary_load(path, &m, say, said, NULL), OK);
	assert_non_null(strstr(said, ": and 4086 more\n"));
	campaign_memory_close(&m);
	unlink(path);
}

/* ---- a folder: a word in each file --------------------------------------- */

static void
write_token(const char *folder, const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static void
remove_tokens(const char *folder)
{
	static const char *const NAMES[] = { "a", "b", "c", "d", ".hidden" };
	char path[256];
	size_t i;

	for (i = 0; i < sizeof(NAMES) / sizeof(NAMES[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, NAMES[i]);
		unlink(path);
	}
	snprintf(path, sizeof(path), "%s/sub", folder);
	rmdir(path);
	assert_int_equal(rmdir(folder), 0);
}

static void
test_folder(void **state)
{
	char folder[] = "/tmp/test_dictionary.XXXXXX", name[64];
	struct campaign_memory m;
	struct error err = { 0 };

	assert_non_null(mkdtemp(folder));
	assert_int_equal(campaign_memory_open(&m, 64, 4096, NULL), OK);
	said[0] = '\0';
	assert_int_equal(dictionary_load(folder, &m, say, said, &err), E_USAGE);
	assert_non_null(strstr(err.text, "has no word"));
	error_clear(&err);
	write_token(folder, "a", "\"raw\"");
	write_token(folder, "b", LONG_64 LONG_64 "a");
	write_token(folder, "c", "");
	write_token(folder, "d", "last");
	write_token(folder, ".hidden", "first");
	snprintf(name, sizeof(name), "%s/sub", folder);
	assert_int_equal(mkdir(name, 0700), 0);
	assert_int_equal(dictionary_load(folder, &m, say, said, NULL), OK);
	expect_words(&m, "first \"raw\" last ");
	expect_said("dictionary %s/b: a word has at most 128 bytes\n"
		    "dictionary %s: cannot read sub: it is a folder\n",
		folder);
	snprintf(name, sizeof(name), "%s@1", folder);
	assert_int_equal(dictionary_load(name, &m, say, said, &err), E_USAGE);
	assert_non_null(strstr(err.text, "no levels"));
	campaign_memory_close(&m);
	remove_tokens(folder);
}

/* The word is at the offset of the mutation. */
static void
test_mutate(void **state)
{
	struct campaign_memory m;
	uint8_t buf[1024];
	struct mutable value = { buf, 0, 512 };
	struct mutation step;
	struct prng prng;
	struct tokens words;
	int i, inserted = 0, overwritten = 0;

	assert_int_equal(campaign_memory_open(&m, 64, 4096, NULL), OK);
	assert_true(campaign_memory_add_word(&m, (const uint8_t *)"WORD", 4));
	words = campaign_memory_words(&m);
	prng_init(&prng, 1, 1);
	for (i = 0; i < 1000; i++) {
		if (value.len > 256)
			value.len = 0;
		if (!tokens_apply(i % 2 == 0 ? MUTATE_INSERT_WORD
					     : MUTATE_OVERWRITE_WORD,
			    &words, &value, &prng, &step))
			continue;
		inserted += step.op == MUTATE_INSERT_WORD;
		overwritten += step.op == MUTATE_OVERWRITE_WORD;
		assert_true(step.offset + step.len <= value.len);
		assert_memory_equal(buf + step.offset, "WORD", 4);
	}
	assert_true(inserted > 50 && overwritten > 50);
	words.n = 0;
	assert_false(
		tokens_apply(MUTATE_INSERT_WORD, &words, &value, &prng, &step));
	campaign_memory_close(&m);
}

int
main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(test_longest),
		cmocka_unit_test(test_several),
		cmocka_unit_test(test_full),
		cmocka_unit_test(test_folder),
		cmocka_unit_test(test_mutate),
	};

	int failed;

	failed = rows_run("lines", ROWS_OF(rows, line, test_line));
	failed += rows_run("loads", ROWS_OF(LOADS, name, test_load));
	return failed +
		cmocka_run_group_tests_name("others", others, NULL, NULL);
}

/*
 * test_recall: saves the prompt's history between sessions.
 */
#include "ui/console/recall.h"

#include <sys/stat.h>
#include <unistd.h>

#include "lib/check.h"

static char folder[] = "/tmp/test_recall-XXXXXX";
static char path[256];

static void
write_file(const char *data, size_t len)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, len, file), len);
	assert_int_equal(fclose(file), 0);
}

/* All lines, joined by `|`. */
static void
text_lines(char *text, size_t size)
{
	struct prompt_history history = { 0 };
	size_t len = 0;

	recall_load(&history);
	text[0] = '\0';
	for (size_t i = 0; i < history.n; i++)
		len += (size_t)snprintf(text + len, size - len, "%s%s",
			i > 0 ? "|" : "", history.lines[i]);
	assert_int_equal(history.fresh, 0);
	prompt_history_clear(&history);
}

static void
test_sessions(void **state)
{
	struct prompt_history one = { 0 }, other = { 0 };
	char text[1024];
	struct stat st;

	recall_load(&one);
	assert_int_equal(one.n, 0);
	prompt_history_add(&one, "theme light");
	recall_save(&one);
	recall_load(&other);
	prompt_history_add(&other, "stop");
	recall_save(&other);
	/* Two consoles at the same time: no line is lost. */
	prompt_history_add(&one, "pause");
	recall_save(&one);
	text_lines(text, sizeof(text));
	assert_string_equal(text, "theme light|stop|pause");
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	prompt_history_clear(&one);
	prompt_history_clear(&other);
}

static void
test_bounded(void **state)
{
	struct prompt_history history = { 0 };
	char line[TEXT_FIELD_SIZE];

	for (int i = 0; i < 3 * PROMPT_HISTORY; i++) {
		snprintf(line, sizeof(line), "%0511d", i);
		prompt_history_add(&history, line);
	}
	recall_save(&history);
	prompt_history_clear(&history);
	recall_load(&history);
	assert_int_equal(history.n, PROMPT_HISTORY);
	assert_string_equal(history.lines[PROMPT_HISTORY - 1], line);
	prompt_history_clear(&history);
}

/* clang-format off */
static const struct {
	const char *name, *data;
	size_t len;
	const char *want;
} garbage[] = {
#define DATA(text) text, sizeof(text) - 1
	{ "nothing", DATA(""), "" },
	{ "no end", DATA("a\nb"), "a|b" },
	{ "empty lines", DATA("\n\n\na\n\n"), "a" },
	{ "control characters", DATA("a\033[2Jb\x07\n\x9b"), "a[2Jb" },
	{ "zeros", DATA("a\0b\nc\0\n"), "ab|c" },
	{ "no UTF-8", DATA("\xff\xfe" "a\n\xed\xa0\x80\n"), "a" },
	{ "the same again", DATA("a\na\nb\na\n"), "a|b|a" },
};
/* clang-format on */

static void
test_garbage(void **state)
{
	char text[1024], *large;

	for (size_t i = 0; i < ROWS(garbage); i++) {
		write_file(garbage[i].data, garbage[i].len);
		text_lines(text, sizeof(text));
		check_text(text, garbage[i].want, garbage[i].name);
	}
	/*
	 * A file that is too large is not read, and is replaced when a line is
	 * added.
	 */
	large = calloc(1, 1 << 20);
	memset(large, 'x', 1 << 20);
	write_file(large, 1 << 20);
	free(large);
	text_lines(text, sizeof(text));
	assert_string_equal(text, "");
}

/* Without a usable folder there is no history and no error. */
static void
test_nowhere(void **state)
{
	struct prompt_history history = { 0 };

	prompt_history_add(&history, "stop");
	setenv("XDG_STATE_HOME", "/dev/null", 1);
	recall_load(&history);
	recall_save(&history);
	unsetenv("XDG_STATE_HOME");
	unsetenv("HOME");
	recall_load(&history);
	recall_save(&history);
	assert_int_equal(history.n, 1);
	prompt_history_clear(&history);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sessions),
		cmocka_unit_test(test_bounded),
		cmocka_unit_test(test_garbage),
		cmocka_unit_test(test_nowhere),
	};
	int status;

	if (mkdtemp(folder) == NULL)
		return 1;
	setenv("XDG_STATE_HOME", folder, 1);
	snprintf(path, sizeof(path), "%s/cfuzz/history", folder);
	status = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	*strrchr(path, '/') = '\0';
	rmdir(path);
	rmdir(folder);
	return status;
}

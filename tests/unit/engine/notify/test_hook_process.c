/*
 * Commands of the user: their words, the facts they are told, and how they end.
 *
 * FLAGS: -Wl,--wrap=kill -Wl,--wrap=pipe2
 */
#include "engine/notify/hook_process.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/xmalloc.h"
#include "lib/rows.h"

#define SHOWN_SIZE ERROR_TEXT_MAX

/* clang-format off */
static const struct words_row {
	const char *line, *words; /* each in brackets; or the error */
} WORDS[] = {
	{ "notify", "[notify]" },
	{ "  notify \t -x  y ", "[notify][-x][y]" },
	{ "sh -c 'echo \"a  b\"'", "[sh][-c][echo \"a  b\"]" },
	{ "a \"b 'c' d\"e", "[a][b 'c' d" "e]" },
	{ "a\\ b 'c\\d' \"e\\\"f\"", "[a b][c\\d][e\"f]" },
	{ "a ''", "[a][]" },
	{ "a\\", "[a\\]" },
	{ "", "the command is empty" },
	{ " \t ", "the command is empty" },
	{ "a 'b", "a quote is not closed" },
	{ "a \"b", "a quote is not closed" },
};

static const struct end_row {
	const char *name;
	const char *command;
	uint64_t ms;
	const char *why;
	bool told;
} ENDS[] = {
	{ "well", "true", 60000, "", false },
	{ "badly", "exit 7", 60000, "ended with status 7", false },
	{ "by a signal", "kill -TERM $$", 60000, "ended by signal 15", false },
	{ "late", "sleep 1000 & sleep 1000", 50,
		"was killed when its time was up", false },
	{ "told to end", "kill -TERM $PPID; exec sleep 1000", 3600000,
		"was killed because cfuzz was told to end", true },
	{ "told by another signal", "kill -USR1 $PPID", 60000, "", false },
	{ "with all facts", "read -r line; test \"$line\" = "
		"'{\"path\":\"a b\",\"len\":7}' && test \"$CFUZZ_PATH\" = "
		"'a b' && test \"$CFUZZ_LEN\" = 7", 60000, "", false },
	{ "without a terminal", "test ! -t 0 && test ! -t 1 && test ! -t 2 && "
		"set -- $(cat /proc/$$/stat) && test $6 = $$", 60000, "", false },
};
/* clang-format on */

/* A group is signalled while its leader is ours: else the number may be of
 * another group. */
static bool strayed;

int __real_kill(pid_t pid, int signo);
int __wrap_kill(pid_t pid, int signo);

int
__wrap_kill(pid_t pid, int signo)
{
	siginfo_t info;

	if (pid < -1 &&
		waitid(P_PID, (id_t)-pid, &info, WEXITED | WNOHANG | WNOWAIT) !=
			0)
		strayed = true;
	return __real_kill(pid, signo);
}

/* As the system gives them to a user who has very many. */
static bool small_pipes;

int __real_pipe2(int ends[2], int flags);
int __wrap_pipe2(int ends[2], int flags);

int
__wrap_pipe2(int ends[2], int flags)
{
	int made = __real_pipe2(ends, flags);

	if (made == 0 && small_pipes)
		assert_true(fcntl(ends[1], F_SETPIPE_SZ, 4096) >= 0);
	return made;
}

static void
test_words(void **state)
{
	const struct words_row *row;

	for (row = WORDS; row < WORDS + ROWS(WORDS); row++) {
		char shown[SHOWN_SIZE] = "", **words;
		struct error err = { 0 };

		if (hook_argv_parse(row->line, &words, &err) != OK)
			snprintf(shown, sizeof(shown), "%s", err.text);
		for (char **word = words; word != NULL && *word != NULL; word++)
			strcat(strcat(strcat(shown, "["), *word), "]");
		row_check(strcmp(shown, row->words) == 0, "%s: %s", row->line,
			shown);
		xfree_list(words);
	}
}

static void
test_ends(void **state)
{
	json_t *facts = json_pack("{s:s, s:i}", "path", "a b", "len", 7);
	const struct end_row *row;
	sigset_t leave;

	(void)signal(SIGUSR1, SIG_IGN);
	sigemptyset(&leave);
	sigaddset(&leave, SIGTERM);
	sigprocmask(SIG_BLOCK, &leave, NULL);

	for (row = ENDS; row < ENDS + ROWS(ENDS); row++) {
		char *words[] = { (char[]){ "sh" }, (char[]){ "-c" },
			strdup(row->command), NULL };
		struct hook_process hook = { 0 };
		struct error err = { 0 };
		char why[HOOK_WHY_SIZE];

		row_check(hook_start(&hook, words, facts,
				  row->ms * CLOCK_NS_PER_MS, &err) == OK,
			"%s: %s", row->name, err.text);
		row_check(hook_wait(&hook, &leave, why) == !row->told, "%s",
			row->name);
		row_check(strncmp(why, row->why, strlen(row->why)) == 0 &&
				(why[0] == '\0') == (row->why[0] == '\0'),
			"%s: %s", row->name, why);
		row_check(!hook_check(&hook, why), "%s", row->name);
		row_check(!strayed, "%s", row->name);
		free(words[2]);
	}
	json_decref(facts);
}

static void
test_missing(void **state)
{
	char *words[] = { (char[]){ "/nowhere/program" }, NULL };
	json_t *facts = json_object();
	struct hook_process hook = { 0 };
	struct error err = { 0 };
	char why[HOOK_WHY_SIZE];

	assert_int_equal(hook_start(&hook, words, facts, 1, &err), E_NOT_FOUND);
	assert_non_null(strstr(err.text, "cannot be started: No such file"));
	assert_false(hook_check(&hook, why));
	json_decref(facts);
}

/* Facts that do not fit into the pipe are no reason to wait for ever. */
static void
test_small_pipe(void **state)
{
	static const size_t LENGTHS[] = { 100, 20000, 40000 };
	char *words[] = { (char[]){ "true" }, NULL };
	char why[HOOK_WHY_SIZE];
	sigset_t none;

	sigemptyset(&none);
	small_pipes = true;
	for (size_t i = 0; i < ROWS(LENGTHS); i++) {
		char *text = calloc(1, LENGTHS[i] + 1);
		json_t *facts;
		struct hook_process hook = { 0 };
		struct error err = { 0 };
		bool fits = i == 0;

		memset(text, 'x', LENGTHS[i]);
		facts = json_pack("{s:s}", "text", text);
		row_check((hook_start(&hook, words, facts, CLOCK_NS_PER_S,
				   &err) == OK) == fits,
			"%zu", LENGTHS[i]);
		(void)hook_wait(&hook, &none, why);
		row_check((err.text[0] == '\0') == fits, "%s", err.text);
		json_decref(facts);
		free(text);
	}
	small_pipes = false;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_ends),
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_small_pipe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * test_hints: which build hints a user gets, for a target as it answers first
 * and for a program whose inputs all have the same coverage.
 *
 * FLAGS: -Wl,--wrap=own_code_read -Wl,--wrap=worker_pid
 * FLAGS: -Wl,--wrap=input_watch_open -Wl,--wrap=input_watch_has_seen
 * FLAGS: -Wl,--wrap=input_watch_close -Wl,--wrap=geteuid
 */
#include "lib/idle_engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/xmalloc.h"
#include "engine/hints.h"
#include "engine/log/messages.h"
#include "engine/program.h"
#include "findings/own_code.h"
#include "lib/fake_worker.h"
#include "lib/own_note.h"

static const char *const plain[] = { "parallel", "1", NULL };

/* ---- doubles ---------------------------------------------------------------
 */

static struct own_code code;
static pid_t pid;
static bool can_watch, is_read;

void __wrap_own_code_read(int fd, struct own_code *to);
pid_t __wrap_worker_pid(const struct worker *worker);
bool __wrap_input_watch_open(struct input_watch *watch,
	const struct worker *worker);
bool __wrap_input_watch_has_seen(const struct input_watch *watch);
void __wrap_input_watch_close(struct input_watch *watch);
uid_t __real_geteuid(void);
uid_t __wrap_geteuid(void);

void
__wrap_own_code_read(int fd, struct own_code *to)
{
	*to = code;
}

pid_t
__wrap_worker_pid(const struct worker *worker)
{
	return pid;
}

bool
__wrap_input_watch_open(struct input_watch *watch, const struct worker *worker)
{
	watch->fd = can_watch;
	return can_watch;
}

bool
__wrap_input_watch_has_seen(const struct input_watch *watch)
{
	assert_int_equal(watch->fd, 1);
	return is_read;
}

void
__wrap_input_watch_close(struct input_watch *watch)
{
	watch->fd = 0;
}

/* ---- the first answer ------------------------------------------------------
 */

#define PROFILE MEMORY_VALUE_PROFILE_KEY

/* clang-format off */
static const struct first_row {
	const char *name;
	const char *kind, *sanitizer;
	struct counter_module modules[2];
	uint64_t code_bytes;
	const char *library;
	uint32_t runs;
	const char *hint; /* NULL: none */
} FIRST[] = {
	{ "no sanitizer", "function", "", { { 1, 100, 0 } }, 0, "", 1, "no sanitizer: build with -fsanitize=address" },
	{ "with a sanitizer", "function", "address", { { 1, 100, 0 } }, 0, "", 1, NULL },
	{ "the second run", "function", "", { { 1, 1, 0 } }, 1u << 20, "", 2, NULL },
	{ "a binary", "binary", "", { { 0 } }, 1u << 20, "", 1, "200 times faster with cfuzz-cc and cfuzz_loop(), see " },
	{ "a binary of the second run", "binary", "", { { 0 } }, 0, "", 2, NULL },
	{ "much code, few edges", "function", "address", { { 1, 10, 0 } }, 100000, "", 1, "only 10 places in 100 kB of code are counted" },
	{ "little code", "function", "address", { { 1, 10, 0 } }, 16383, "", 1, NULL },
	{ "just enough code", "function", "address", { { 1, 10, 0 } }, 16384, "", 1, "only 10 places in 16 kB" },
	{ "edges for all code", "function", "address", { { 1, 10, 0 }, { 2, 90, 0 } }, 102400, "", 1, NULL },
	{ "edges for all code but a byte", "function", "address", { { 1, 10, 0 }, { 2, 90, 0 } }, 102401, "", 1, "only 100 places in 102 kB" },
	{ "edges of comparisons are none", "function", "address", { { 1, 10, 0 }, { PROFILE, 9000, 0 } }, 100000, "", 1, "only 10 places in 100 kB" },
	{ "a library", "function", "address", { { 1, 31, 0 } }, 0, "libx.so", 1, "compile libx.so with cfuzz-cc, too, if it is" },
	{ "a library that is counted", "function", "address", { { 1, 5, 0 }, { 2, 5, 0 } }, 0, "libx.so", 1, NULL },
	{ "a library beside comparisons", "function", "address", { { 1, 31, 0 }, { PROFILE, 5, 0 } }, 0, "libx.so", 1, "compile libx.so" },
	{ "a library of a large program", "function", "address", { { 1, 32, 0 } }, 0, "libx.so", 1, NULL },
};
/* clang-format on */

static void
check_first(const struct first_row *row, const struct tree *tree)
{
	struct rpc_reply *ping = xcalloc(1, sizeof(*ping));
	struct idle idle;
	const char *text;

	idle_open(&idle, tree, plain);
	program_set_kind(idle.engine, row->kind);
	idle.engine->earlier.runs = row->runs;
	code = (struct own_code){ .bytes = row->code_bytes };
	snprintf(code.library, sizeof(code.library), "%s", row->library);
	snprintf(ping->sanitizer, sizeof(ping->sanitizer), "%s",
		row->sanitizer);
	while (ping->modules_n < 2 && row->modules[ping->modules_n].n > 0) {
		ping->modules[ping->modules_n] = row->modules[ping->modules_n];
		ping->modules_n++;
	}
	hints_say(idle.engine, ping);
	text = idle_event_text(&idle, "hint", "text");
	row_check(idle_events(&idle, "hint") == (row->hint != NULL),
		"%s: %zu hints: %s", row->name, idle_events(&idle, "hint"),
		text);
	row_check(row->hint == NULL || strstr(text, row->hint) != NULL,
		"%s: %s", row->name, text);
	row_check(row->hint == NULL || strstr(idle.lines, "hint: ") != NULL,
		"%s: %s", row->name, idle.lines);
	idle_close(&idle);
	free(ping);
}

static void
test_first_answer(void **state)
{
	const struct first_row *row;
	void *tree;

	for (row = FIRST; row < FIRST + ROWS(FIRST); row++) {
		assert_int_equal(tree_open(&tree), 0);
		check_first(row, tree);
		tree_close(&tree);
	}
}

/* ---- a program that does not read ------------------------------------------
 */

/* What differs from a program that runs for a while and reads nothing. */
enum but {
	NOTHING,
	NO_PROCESS,
	NO_MAIN,
	NO_EDGES,
	A_SECOND_RUN,
	A_WARMUP,
	A_SHORT_TIME,
	FEW_EXECUTIONS,
	TWO_INPUTS,
	NO_INPUT,
	NO_WATCH,
	IT_READS,
	FEW_SINCE,
	AS_ROOT,
	AS_A_USER
};

static enum but user; /* NOTHING: whoever runs the test */

uid_t
__wrap_geteuid(void)
{
	return user == NOTHING ? __real_geteuid() : user == AS_A_USER;
}

/* clang-format off */
static const struct deaf_row {
	const char *name;
	enum but but;
	const char *kind, *input_file;
	const char *hint; /* NULL: none */
} DEAF[] = {
	{ "reads neither input nor file", NOTHING, "main()", "", "write @@ where the arguments name a file" },
	{ "does not read its file", NOTHING, "main()", "in.txt", "check the arguments of the program: it does not read the input file" },
	{ "a program of root does not", AS_ROOT, "main()", "in.txt", "does not read the input file (or may not, if it gives up the rights of root), and every" },
	{ "a program of a user does not", AS_A_USER, "main()", "in.txt", "does not read the input file, and every" },
	{ "a binary that checks its code", NOTHING, "binary", "", "write @@" },
	{ "it does not run", NO_PROCESS, "main()", "", NULL },
	{ "a function", NO_MAIN, "function", "", NULL },
	{ "unknown yet", NO_MAIN, "", "", NULL },
	{ "no coverage at all", NO_EDGES, "main()", "", NULL },
	{ "the second run", A_SECOND_RUN, "main()", "", NULL },
	{ "the warm-up goes on", A_WARMUP, "main()", "", NULL },
	{ "it has just begun", A_SHORT_TIME, "main()", "", NULL },
	{ "it is slow", FEW_EXECUTIONS, "main()", "", NULL },
	{ "a second input was new", TWO_INPUTS, "main()", "", NULL },
	{ "no input was new", NO_INPUT, "main()", "", NULL },
	{ "nobody can say", NO_WATCH, "main()", "", NULL },
	{ "it reads", IT_READS, "main()", "", NULL },
	{ "too early to say", FEW_SINCE, "main()", "", NULL },
};
/* clang-format on */

static void
add_entry(struct engine *e, const char *text)
{
	corpus_add(e->campaign.corpus, text, strlen(text), CORPUS_NONE, NULL)
		->new_bits = 1;
}

static void
open_deaf(struct idle *idle, const struct deaf_row *row,
	const struct tree *tree)
{
	struct engine *e;

	idle_open(idle, tree, plain);
	e = idle->engine;
	program_set_kind(e, row->kind);
	program_set_build(e, "", row->but != NO_EDGES);
	e->target.input.name = row->input_file;
	pid = row->but == NO_PROCESS ? 0 : 1;
	can_watch = row->but != NO_WATCH;
	is_read = row->but == IT_READS;
	e->earlier.runs = row->but == A_SECOND_RUN ? 2 : 1;
	e->load.under_way = row->but == A_WARMUP;
	e->clock.start_ns = clock_now_ns() -
		(row->but == A_SHORT_TIME ? 0 : 1000 * CLOCK_NS_PER_S);
	e->counts.executions = row->but == FEW_EXECUTIONS ? 0 : 200;
	if (row->but != NO_INPUT)
		add_entry(e, "first");
	if (row->but == TWO_INPUTS)
		add_entry(e, "second");
}

static void
check_deaf(const struct deaf_row *row, const struct tree *tree)
{
	struct idle idle;
	const char *text;
	size_t i;

	open_deaf(&idle, row, tree);
	for (i = 0; i < 4; i++) {
		user = row->but >= AS_ROOT ? row->but : NOTHING;
		hints_on_second(idle.engine);
		user = NOTHING;
		/* It needs 100 executions that are watched. */
		row_check(i > 0 || idle_events(&idle, "hint") == 0, "%s",
			row->name);
		if (row->but == FEW_SINCE)
			idle.engine->counts.executions += 33;
		else if (row->but != FEW_EXECUTIONS)
			idle.engine->counts.executions += 100;
	}
	text = idle_event_text(&idle, "hint", "text");
	row_check((idle_events(&idle, "hint") > 0) == (row->hint != NULL),
		"%s: %s", row->name, text);
	row_check(row->hint == NULL || strstr(text, row->hint) != NULL,
		"%s: %s", row->name, text);
	/* Once; a binary may have breakpoints, too. */
	row_check(idle_events(&idle, "hint") <=
			1u + (strcmp(row->kind, "binary") == 0),
		"%s: %zu hints", row->name, idle_events(&idle, "hint"));
	row_check(strcmp(row->kind, "binary") != 0 ||
			strstr(idle.lines, "try --coverage none") != NULL,
		"%s: %s", row->name, idle.lines);
	idle_close(&idle);
}

static void
test_deaf(void **state)
{
	const struct deaf_row *row;
	void *tree;

	for (row = DEAF; row < DEAF + ROWS(DEAF); row++) {
		assert_int_equal(tree_open(&tree), 0);
		check_deaf(row, tree);
		tree_close(&tree);
	}
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first_answer),
		cmocka_unit_test(test_deaf),
	};

	fake_worker_main(argv);
	return cmocka_run_group_tests_name("hints", tests, NULL, NULL);
}

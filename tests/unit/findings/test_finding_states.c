/*
 * test_finding_states: the tables of a finding's states. Each allowed transition
 * is made, and each other one is refused.
 */
#include "findings/finding_states.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "findings/bucket.h"
#include "findings/finding.h"

#define ROWS(rows) (sizeof(rows) / sizeof((rows)[0]))

struct move_row {
	int from, to;
};

/* clang-format off */
static const struct move_row MOVES[] = {
	{ FINDING_NEW, FINDING_SUSPECT },
	{ FINDING_NEW, FINDING_VERIFYING },
	{ FINDING_NEW, FINDING_SEQUENCE },
	{ FINDING_NEW, FINDING_QUEUED },
	{ FINDING_NEW, FINDING_RERUN },
	{ FINDING_NEW, FINDING_DONE },
	{ FINDING_NEW, FINDING_MERGED },
	{ FINDING_SUSPECT, FINDING_NEW },
	{ FINDING_VERIFYING, FINDING_SEQUENCE },
	{ FINDING_VERIFYING, FINDING_QUEUED },
	{ FINDING_VERIFYING, FINDING_DONE },
	{ FINDING_VERIFYING, FINDING_MERGED },
	{ FINDING_SEQUENCE, FINDING_QUEUED },
	{ FINDING_SEQUENCE, FINDING_DONE },
	{ FINDING_SEQUENCE, FINDING_MERGED },
	{ FINDING_QUEUED, FINDING_MINIMIZING },
	{ FINDING_QUEUED, FINDING_FINAL },
	{ FINDING_QUEUED, FINDING_DONE },
	{ FINDING_QUEUED, FINDING_MERGED },
	{ FINDING_MINIMIZING, FINDING_QUEUED },
	{ FINDING_MINIMIZING, FINDING_FINAL },
	{ FINDING_MINIMIZING, FINDING_DONE },
	{ FINDING_MINIMIZING, FINDING_MERGED },
	{ FINDING_FINAL, FINDING_QUEUED },
	{ FINDING_FINAL, FINDING_DONE },
	{ FINDING_FINAL, FINDING_MERGED },
	{ FINDING_RERUN, FINDING_VERIFYING },
	{ FINDING_RERUN, FINDING_SEQUENCE },
	{ FINDING_RERUN, FINDING_QUEUED },
	{ FINDING_RERUN, FINDING_DONE },
	{ FINDING_RERUN, FINDING_MERGED },
	{ FINDING_DONE, FINDING_VERIFYING },
	{ FINDING_DONE, FINDING_SEQUENCE },
	{ FINDING_DONE, FINDING_QUEUED },
	{ FINDING_DONE, FINDING_MERGED },
};

static const struct move_row NAMINGS[] = {
	{ NAMING_WANTED, NAMING_ASKED },
	{ NAMING_WANTED, NAMING_REFUSED },
	{ NAMING_WANTED, NAMING_DONE },
	{ NAMING_ASKED, NAMING_ANSWERED },
	{ NAMING_REFUSED, NAMING_ANSWERED },
	{ NAMING_ANSWERED, NAMING_SOURCE },
	{ NAMING_ANSWERED, NAMING_REPORT },
	{ NAMING_ANSWERED, NAMING_DONE },
	{ NAMING_NEWER, NAMING_ANSWERED },
	{ NAMING_NEWER, NAMING_SOURCE },
	{ NAMING_NEWER, NAMING_REPORT },
	{ NAMING_NEWER, NAMING_DONE },
	{ NAMING_SOURCE, NAMING_REPORT },
	{ NAMING_SOURCE, NAMING_DONE },
	{ NAMING_REPORT, NAMING_REPORT_OLD },
	{ NAMING_REPORT, NAMING_DONE },
	{ NAMING_REPORT_OLD, NAMING_REPORT },
	{ NAMING_REPORT_OLD, NAMING_DONE },
	{ NAMING_DONE, NAMING_NEWER },
	{ NAMING_DONE, NAMING_REPORT },
};

static const struct move_row ANNOUNCEMENTS[] = {
	{ ANNOUNCE_UNSAVED, ANNOUNCE_SAVED },
	{ ANNOUNCE_UNSAVED, ANNOUNCE_DONE },
	{ ANNOUNCE_SAVED, ANNOUNCE_DONE },
};
/* clang-format on */

static bool
has(const struct move_row *rows, size_t n, int from, int to)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (rows[i].from == from && rows[i].to == to)
			return true;
	return false;
}

/* The three kinds of states behind one face. */
struct kind {
	int states;
	const struct move_row *rows;
	size_t n;
	bool (*may)(int from, int to);
	void (*move)(struct finding *f, int to);
	int (*get)(const struct finding *f);
	void (*set)(struct finding *f, int state);
};

static bool
may_move(int from, int to)
{
	return finding_may_move((enum finding_state)from,
		(enum finding_state)to);
}

static void
move(struct finding *f, int to)
{
	finding_move(f, (enum finding_state)to);
}

static int
get_state(const struct finding *f)
{
	return (int)f->state;
}

static void
set_state(struct finding *f, int state)
{
	f->state = (enum finding_state)state;
}

static bool
may_move_naming(int from, int to)
{
	return finding_naming_may_move((enum finding_naming)from,
		(enum finding_naming)to);
}

static void
move_naming(struct finding *f, int to)
{
	finding_move_naming(f, (enum finding_naming)to);
}

static int
get_naming(const struct finding *f)
{
	return (int)f->naming;
}

static void
set_naming(struct finding *f, int state)
{
	f->naming = (enum finding_naming)state;
}

static bool
may_move_announcement(int from, int to)
{
	return finding_announcement_may_move((enum finding_announcement)from,
		(enum finding_announcement)to);
}

static void
move_announcement(struct finding *f, int to)
{
	finding_move_announcement(f, (enum finding_announcement)to);
}

static int
get_announcement(const struct finding *f)
{
	return (int)f->announcement;
}

static void
set_announcement(struct finding *f, int state)
{
	f->announcement = (enum finding_announcement)state;
}

static const struct kind KINDS[] = {
	{ FINDING_STATES, MOVES, ROWS(MOVES), may_move, move, get_state,
		set_state },
	{ NAMING_STATES, NAMINGS, ROWS(NAMINGS), may_move_naming, move_naming,
		get_naming, set_naming },
	{ ANNOUNCE_STATES, ANNOUNCEMENTS, ROWS(ANNOUNCEMENTS),
		may_move_announcement, move_announcement, get_announcement,
		set_announcement },
};

/* Whether a process that makes this transition is ended by an assertion. */
static bool
is_refused(const struct kind *kind, struct finding *f, int to)
{
	const struct rlimit none = { 0, 0 };
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		setrlimit(RLIMIT_CORE, &none);
		signal(SIGABRT, SIG_DFL);
		close(STDERR_FILENO);
		kind->move(f, to);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void
check_move(const struct kind *kind, struct finding *f, int from, int to)
{
	bool allowed = has(kind->rows, kind->n, from, to);

	assert_int_equal(kind->may(from, to), allowed);
	kind->set(f, from);
	if (!allowed) {
		assert_true(is_refused(kind, f, to));
		return;
	}
	kind->move(f, to);
	assert_int_equal(kind->get(f), to);
}

static void
test_moves(void **state)
{
	const struct failure failure = { .kind = FAILURE_SIGNAL };
	struct finding *f = finding_create(&failure, 7);
	const struct kind *kind;
	int from, to;

	for (kind = KINDS; kind < KINDS + ROWS(KINDS); kind++)
		for (from = 0; from < kind->states; from++)
			for (to = 0; to < kind->states; to++)
				check_move(kind, f, from, to);
	finding_destroy(f);
}

/* clang-format off */
static const struct info_row {
	enum finding_state state;
	bool is_public, is_verifying, takes_limit;
	const char *left;
} INFOS[] = {
	{ FINDING_NEW, false, false, false, NULL },
	{ FINDING_SUSPECT, false, true, false, NULL },
	{ FINDING_VERIFYING, true, true, true, "verify" },
	{ FINDING_SEQUENCE, true, true, true, "verify" },
	{ FINDING_QUEUED, true, false, true, "minimize" },
	{ FINDING_MINIMIZING, true, false, true, "minimize" },
	{ FINDING_FINAL, true, true, false, NULL },
	{ FINDING_RERUN, true, false, false, NULL },
	{ FINDING_DONE, true, false, false, NULL },
	{ FINDING_MERGED, false, false, false, NULL },
};
/* clang-format on */

static void
test_infos(void **state)
{
	const struct finding_state_info *info;
	const struct info_row *row;

	assert_int_equal(ROWS(INFOS), FINDING_STATES);
	for (row = INFOS; row < INFOS + ROWS(INFOS); row++) {
		info = finding_state_info(row->state);
		assert_non_null(info->name);
		assert_non_null(info->waits);
		assert_int_equal(info->is_public, row->is_public);
		assert_int_equal(info->is_verifying, row->is_verifying);
		assert_int_equal(info->takes_limit, row->takes_limit);
		assert_int_equal(info->is_idle,
			row->state == FINDING_RERUN ||
				row->state == FINDING_DONE);
		assert_int_equal(info->left == NULL, row->left == NULL);
		if (row->left != NULL)
			assert_string_equal(info->left, row->left);
	}
}

/* Every state but the last is left, and every one but the first is entered. */
static void
test_reachable(void **state)
{
	const struct kind *kind;
	bool left, entered;
	int at, other;

	for (kind = KINDS; kind < KINDS + ROWS(KINDS); kind++)
		for (at = 0; at < kind->states; at++) {
			left = entered = false;
			for (other = 0; other < kind->states; other++) {
				left |= kind->may(at, other);
				entered |= kind->may(other, at);
			}
			assert_true(entered || at == 0);
			assert_true(left ||
				(kind->may == may_move &&
					at == FINDING_MERGED) ||
				(kind->may == may_move_announcement &&
					at == ANNOUNCE_DONE));
		}
}

static void
test_derived(void **state)
{
	const struct failure failure = { .kind = FAILURE_SIGNAL };
	struct finding *f = finding_create(&failure, 7);
	int naming;

	for (naming = 0; naming < NAMING_STATES; naming++) {
		set_naming(f, naming);
		assert_int_equal(finding_is_named(f),
			naming != NAMING_WANTED && naming != NAMING_ASKED &&
				naming != NAMING_REFUSED &&
				naming != NAMING_ANSWERED);
		assert_int_equal(finding_is_asked(f),
			naming == NAMING_ASKED || naming == NAMING_NEWER ||
				naming == NAMING_SOURCE ||
				naming == NAMING_REPORT ||
				naming == NAMING_REPORT_OLD);
	}
	f->naming = NAMING_WANTED;
	assert_false(finding_is_overflow(f));
	f->bucket = bucket_overflow(FAILURE_SIGNAL);
	assert_true(finding_is_overflow(f));
	assert_true(finding_is_named(f));
	assert_false(finding_counts(f));
	f->seen = SEEN_LEFT;
	assert_false(finding_counts(f));
	f->seen = SEEN_NOW;
	assert_true(finding_counts(f));
	f->verdict = VERDICT_ACCEPTED;
	assert_false(finding_counts(f));
	finding_destroy(f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_moves),
		cmocka_unit_test(test_infos),
		cmocka_unit_test(test_reachable),
		cmocka_unit_test(test_derived),
	};

	return cmocka_run_group_tests_name("finding_states", tests, NULL, NULL);
}

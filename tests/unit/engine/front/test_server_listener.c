/*
 * test_server_listener: who is accepted at the socket of a campaign, and who is
 * turned away so that the engine keeps its descriptors.
 *
 * FLAGS: -Wl,--wrap=peer_read -Wl,--wrap=peer_judge
 */
#include "lib/talk.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "engine/front/server.h"
#include "engine/front/server_private.h"
#include "lib/fake_worker.h"
#include "lib/files.h"
#include "lib/guests.h"
#include "lib/own_note.h"

#define ANN 54321
#define EACH_GUEST 8 /* connections of one user */
#define FULL "too many watch it"
#define EACH_NS (CLOCK_NS_PER_S / 2)

static const char *const plain[] = { "parallel", "1", NULL };

static void
open_engine(struct talk *own, const struct tree *tree,
	const char *const *options)
{
	*own = (struct talk){ 0 };
	guests_set(GUESTS_NONE);
	talk_open(own, tree, options);
	talk_greet(own, CONTROL_VERSION);
}

/* The engine accepts it as that user. */
static void
attach(struct talk *talk, const struct talk *own, uid_t uid)
{
	guests_set(GUESTS_NONE);
	talk_attach(talk, own);
	guests_set(uid);
}

/* The user of the last connection; "": nobody but the own console. */
static const char *
last_user(const struct talk *own)
{
	const struct client *c = own->engine->front.server->clients, *last;

	for (last = c; c != NULL; c = c->next)
		last = c;
	return last->own ? "" : last->user;
}

/* ---- who may come ----------------------------------------------------------
 */

/* clang-format off */
static const struct peer_row {
	const char *name;
	uid_t uid;
	const char *hears; /* first member of a message; NULL: it is closed */
	const char *user;  /* NULL: the name of the test's user */
	bool guest;
} PEERS[] = {
	{ "the user", GUESTS_NONE, "hello", NULL, false },
	{ "a member of the group", ANN, "hello", "54321", true },
	{ "somebody else", GUESTS_STRANGER, NULL, "", false },
	{ "nobody knows who", GUESTS_UNKNOWN, NULL, "", false },
};
/* clang-format on */

static void
check_peer(const struct peer_row *row, const struct tree *tree)
{
	struct talk own, talk;
	const struct client *c;
	const char *user;

	open_engine(&own, tree, plain);
	user = own.engine->front.server->user;
	attach(&talk, &own, row->uid);
	if (row->hears != NULL)
		json_decref(talk_hear(&talk, row->hears));
	else
		talk_wait_closed(&talk);
	row_check(strcmp(last_user(&own),
			  row->user != NULL ? row->user : user) == 0,
		"%s: %s", row->name, last_user(&own));
	for (c = own.engine->front.server->clients; c != NULL; c = c->next)
		row_check(c->own || c->guest == row->guest, "%s", row->name);
	talk_leave(&talk);
	talk_close(&own);
}

static void
test_peers(void **state)
{
	const struct peer_row *row;
	void *tree;

	for (row = PEERS; row < PEERS + ROWS(PEERS); row++) {
		assert_int_equal(tree_open(&tree), 0);
		check_peer(row, tree);
		tree_close(&tree);
	}
}

/* ---- how many --------------------------------------------------------------
 */

static void
check_turned_away(struct talk *talk, const char *why)
{
	json_t *bye = talk_hear(talk, "bye");

	assert_int_equal(json_integer_value(json_object_get(bye, "exit")), 2);
	assert_non_null(
		strstr(json_string_value(json_object_get(bye, "text")), why));
	json_decref(bye);
	talk_leave(talk);
}

/* A guest has few connections; the user and other guests are not affected. */
static void
test_connections_of_a_guest(void **state)
{
	struct talk own, guests[EACH_GUEST], talk;
	size_t i;

	open_engine(&own, *state, plain);
	for (i = 0; i < EACH_GUEST; i++) {
		attach(&guests[i], &own, ANN);
		json_decref(talk_hear(&guests[i], "hello"));
	}
	attach(&talk, &own, ANN);
	check_turned_away(&talk, FULL);
	attach(&talk, &own, ANN + 1);
	json_decref(talk_hear(&talk, "hello"));
	talk_leave(&talk);
	attach(&talk, &own, GUESTS_NONE);
	json_decref(talk_hear(&talk, "hello"));
	talk_leave(&talk);
	for (i = 0; i < EACH_GUEST; i++)
		talk_leave(&guests[i]);
	talk_close(&own);
}

/* clang-format off */
static const struct pace_row {
	const char *name;
	uint64_t ahead_s; /* guests came up to their rate until then */
	bool turned_away;
} PACES[] = {
	{ "the first", 0, false },
	{ "a few came", 20, false },
	{ "too many came", 3600, true },
};
/* clang-format on */

/* Guests who come all the time are slowed down, also when they leave again. */
static void
test_pace_of_guests(void **state)
{
	const struct pace_row *row;
	struct talk own, talk;
	uint64_t before;

	open_engine(&own, *state, plain);
	for (row = PACES; row < PACES + ROWS(PACES); row++) {
		uint64_t *until = &own.engine->front.server->guests_ns;

		before = clock_now_ns() + row->ahead_s * CLOCK_NS_PER_S;
		*until = row->ahead_s > 0 ? before : 0;
		attach(&talk, &own, ANN);
		if (row->turned_away) {
			check_turned_away(&talk, FULL);
			assert_int_equal(*until, before);
			continue;
		}
		json_decref(talk_hear(&talk, "hello"));
		row_check(row->ahead_s > 0 ? *until == before + EACH_NS
					   : *until >= before + EACH_NS,
			"%s", row->name);
		talk_leave(&talk);
	}
	talk_close(&own);
}

/* ---- descriptors -----------------------------------------------------------
 */

static void
set_files(rlim_t n)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	limit.rlim_cur = n;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

static rlim_t
files(void)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
	return limit.rlim_cur;
}

/* The least limit with two free numbers, which need not be side by side. */
static rlim_t
files_with_two(void)
{
	int a = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int b = open("/dev/null", O_RDONLY | O_CLOEXEC);

	assert_true(a >= 0 && b >= 0);
	close(a);
	close(b);
	return (rlim_t)(a > b ? a : b) + 1;
}

/* The next tick of the engine, which is not running, has come. */
static void
tick(struct server *s)
{
	s->next_ns = 0;
	server_tick(s, clock_now_ns());
}

static void
on_tick(evutil_socket_t fd, short what, void *arg)
{
	tick(arg);
}

/* Workers need descriptors, too: the last ones are not for consoles. */
static void
test_few_files(void **state)
{
	const struct timeval soon = { 0, 10000 };
	rlim_t all = files();
	struct talk own, talk;
	struct event *ticks;

	open_engine(&own, *state, plain);
	/* If a worker or the writer has both, the engine accepts later. */
	ticks = event_new(own.engine->base, -1, EV_PERSIST, on_tick,
		own.engine->front.server);
	event_add(ticks, &soon);
	attach(&talk, &own, GUESTS_NONE);
	set_files(files_with_two()); /* these are for others */
	check_turned_away(&talk, "Too many open files; `ulimit -n` is ");
	set_files(all);
	assert_string_equal(last_user(&own), "");
	attach(&talk, &own, GUESTS_NONE);
	json_decref(talk_hear(&talk, "hello"));
	event_free(ticks);
	talk_leave(&talk);
	talk_close(&own);
}

/* Without any the engine does not try again and again, but at its next tick. */
static void
test_no_files(void **state)
{
	rlim_t all = files();
	struct talk own, talk;
	bool ok;

	open_engine(&own, *state, plain);
	attach(&talk, &own, GUESTS_NONE);
	set_files(3);                          /* fewer than are open */
	free(talk_command(&own, "ping", &ok)); /* the others are served */
	assert_true(ok);
	set_files(all);
	free(talk_command(&own, "ping", &ok));
	assert_string_equal(last_user(&own), ""); /* it rests */
	tick(own.engine->front.server);
	json_decref(talk_hear(&talk, "hello"));
	talk_leave(&talk);
	talk_close(&own);
}

/* ---- the socket ------------------------------------------------------------
 */

static unsigned
mode_of(const struct tree *tree, const char *name)
{
	struct stat st;

	assert_int_equal(stat(tree_path(tree, name), &st), 0);
	return st.st_mode & 0777;
}

/* Shared with a group, and not: afterwards the directory is as before. */
static void
test_group(void **state)
{
	static const struct {
		bool shared;
		unsigned socket, folder;
	} rows[] = { { false, 0600, 0700 }, { true, 0660, 0710 } };
	char group[32];
	size_t i;
	void *tree;

	for (i = 0; i < ROWS(rows); i++) {
		const char *options[] = { "parallel", "1", "share-group", group,
			NULL };
		struct talk own;

		snprintf(group, sizeof(group), "%u", (unsigned)getegid());
		if (!rows[i].shared)
			group[0] = 0;
		assert_int_equal(tree_open(&tree), 0);
		open_engine(&own, tree, options);
		assert_int_equal(mode_of(tree, "out/control.sock"),
			rows[i].socket);
		assert_int_equal(mode_of(tree, "out"), rows[i].folder);
		assert_int_equal(talk_events(&own, "share"), rows[i].shared);
		talk_close(&own);
		assert_int_equal(mode_of(tree, "out"), 0700);
		assert_false(tree_has(tree, "out/control.sock"));
		tree_close(&tree);
	}
}

/* The socket cannot be made: a warning, and the campaign goes on without. */
static void
test_no_socket(void **state)
{
	const struct tree *tree = *state;
	struct talk own;

	tree_folder(tree, "out");
	assert_int_equal(chmod(tree_path(tree, "out"), 0700), 0);
	open_engine(&own, tree, plain);
	talk_close(&own);
	tree_folder(tree, "out/control.sock");
	tree_text(tree, "out/control.sock/file", "in the way");
	open_engine(&own, tree, plain);
	assert_null(own.engine->front.server->listener);
	talk_close(&own);
	assert_true(tree_has(tree, "out/control.sock/file"));
}

int
main(int argc, char **argv)
{
#define ROW(fn) cmocka_unit_test_setup_teardown(fn, tree_open, tree_close)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_peers),
		ROW(test_connections_of_a_guest),
		ROW(test_pace_of_guests),
		ROW(test_few_files),
		ROW(test_no_files),
		cmocka_unit_test(test_group),
		ROW(test_no_socket),
	};

	fake_worker_main(argv);
	if (!files_allow(256))
		return FILES_SKIP;
	return cmocka_run_group_tests_name("server_listener", tests, NULL,
		NULL);
}

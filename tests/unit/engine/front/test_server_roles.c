/*
 * test_server_roles: one console controls, others watch, guests are other
 * users: who may say what, and who controls afterwards. Each command line is
 * parsed once.
 *
 * FLAGS: -Wl,--wrap=peer_read -Wl,--wrap=peer_judge -Wl,--wrap=command_parse
 */
#include "lib/talk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "control/command.h"
#include "control/snapshot.h"
#include "engine/front/server.h"
#include "engine/front/server_private.h"
#include "lib/fake_worker.h"
#include "lib/guests.h"
#include "lib/own_note.h"

#define ANN 54321
#define BOB 54322
#define HELLO "{\"hello\": {\"version\": 1%s}}"

static const char *const plain[] = { "parallel", "1", NULL };

/* The consoles in the order of their coming; see open_scene(). */
enum who {
	OWN,
	SECOND, /* of the same user */
	GUEST,  /* of Ann */
	OTHER,  /* of Bob */
	CONSOLES
};

struct scene {
	struct talk consoles[CONSOLES];
	struct server *server;
};

static unsigned parsed; /* lines */

enum status __real_command_parse(const char *line, struct command *command,
	struct error *err);
enum status __wrap_command_parse(const char *line, struct command *command,
	struct error *err);

enum status
__wrap_command_parse(const char *line, struct command *command,
	struct error *err)
{
	parsed++;
	return __real_command_parse(line, command, err);
}

/* C: controls, W: watches; in the order of their coming. */
static const char *
roles(const struct scene *scene)
{
	static char text[16];
	const struct client *c;
	size_t n = 0;

	for (c = scene->server->clients; c != NULL; c = c->next)
		if (c->peer != NULL && n < sizeof(text) - 1)
			text[n++] = c->role == CLIENT_CONTROL ? 'C' : 'W';
	text[n] = '\0';
	return text;
}

/* Its role, the caller's. more: members of the greeting. */
static json_t *
greet(struct scene *scene, enum who who, uid_t uid, const char *more)
{
	char hello[128];

	guests_set(GUESTS_NONE);
	talk_attach(&scene->consoles[who], &scene->consoles[OWN]);
	guests_set(uid); /* whom the engine will accept */
	snprintf(hello, sizeof(hello), HELLO, more);
	talk_say(&scene->consoles[who], hello);
	return talk_hear(&scene->consoles[who], "role");
}

static void
attach(struct scene *scene, enum who who, uid_t uid, const char *more)
{
	json_decref(greet(scene, who, uid, more));
}

static void
open_scene(struct scene *scene, const struct tree *tree)
{
	bool ok;

	memset(scene, 0, sizeof(*scene));
	talk_open(&scene->consoles[OWN], tree, plain);
	scene->server = scene->consoles[OWN].engine->front.server;
	talk_greet(&scene->consoles[OWN], CONTROL_VERSION);
	free(talk_command(&scene->consoles[OWN], "ping", &ok));
	assert_true(ok);
}

static void
close_scene(struct scene *scene)
{
	size_t i;

	for (i = OWN + 1; i < CONSOLES; i++)
		if (scene->consoles[i].engine != NULL)
			talk_leave(&scene->consoles[i]);
	talk_close(&scene->consoles[OWN]);
}

/* ---- who may say what ------------------------------------------------------
 */

/* clang-format off */
static const struct step {
	enum who who;
	const char *line;
	bool ok;
	const char *says;
	const char *roles; /* afterwards */
} STEPS[] = {
	{ OWN, "take", false, "you control already", "CWWW" },
	{ OWN, "give nobody-of-that-name", false, "nobody-of-that-name does not watch", "CWWW" },
	{ SECOND, "pause", false, "you only watch this campaign: :take takes control", "CWWW" },
	{ SECOND, "fly", false, "you only watch this campaign: :take takes control", "CWWW" },
	{ SECOND, "give", false, "you only watch this campaign: :take takes control", "CWWW" },
	{ GUEST, "pause", false, "you only watch this campaign, which is another user's", "CWWW" },
	{ GUEST, "take", false, "you watch another user's campaign", "CWWW" },
	{ SECOND, "take", true, "you control the campaign", "WCWW" },
	{ OWN, "resume", false, "you only watch", "WCWW" },
	{ SECOND, "fly", false, "fly", "WCWW" },
	{ SECOND, "give", true, "controls, you watch", "CWWW" },
	{ OWN, "give 54321", true, "54321 controls, you watch", "WWCW" },
	{ GUEST, "pause", true, "paused", "WWCW" },
	{ GUEST, "set dict /etc/passwd", false, "only the user of the campaign may name files", "WWCW" },
	{ GUEST, "export x /tmp", false, "only the user of the campaign may name files", "WWCW" },
	{ GUEST, "export x", false, "x", "WWCW" },
	{ GUEST, "set timeout 2s", true, "timeout is now", "WWCW" },
	{ GUEST, "fly", false, "fly", "WWCW" },
	{ GUEST, "give 54322", false, "only the user of the campaign gives control to another user", "WWCW" },
	{ GUEST, "take", false, "you watch another user's campaign", "WWCW" },
	{ OWN, "take", true, "you control the campaign", "CWWW" },
	{ OWN, "give 54321", true, "", "WWCW" },
	{ GUEST, "give", true, "controls, you watch", "CWWW" },
};
/* clang-format on */

static void
test_steps(void **state)
{
	const struct step *s;
	struct scene scene;

	open_scene(&scene, *state);
	attach(&scene, SECOND, GUESTS_NONE, "");
	attach(&scene, GUEST, ANN, "");
	attach(&scene, OTHER, BOB, ", \"role\": \"watch\"");
	assert_string_equal(roles(&scene), "CWWW");
	for (s = STEPS; s < STEPS + ROWS(STEPS); s++) {
		bool ok;
		char *text;

		parsed = 0;
		text = talk_command(&scene.consoles[s->who], s->line, &ok);
		row_check(ok == s->ok && strstr(text, s->says) != NULL,
			"%zu: %s: %s", (size_t)(s - STEPS), s->line, text);
		row_check(parsed == 1, "%s: parsed %u times", s->line, parsed);
		row_check(strcmp(roles(&scene), s->roles) == 0, "%zu: %s: %s",
			(size_t)(s - STEPS), s->line, roles(&scene));
		free(text);
	}
	close_scene(&scene);
}

/* The one who loses or gets control is told by whom. */
static void
test_words(void **state)
{
	struct scene scene;
	json_t *role;
	bool ok;

	open_scene(&scene, *state);
	attach(&scene, SECOND, GUESTS_NONE, "");
	attach(&scene, GUEST, ANN, "");
	free(talk_command(&scene.consoles[SECOND], "take", &ok));
	role = talk_hear(&scene.consoles[OWN], "role");
	assert_string_equal(json_string_value(json_object_get(role, "role")),
		"watch");
	assert_non_null(strstr(json_string_value(json_object_get(role, "text")),
		"took control: you watch; :take takes it back"));
	json_decref(role);
	free(talk_command(&scene.consoles[SECOND], "give 54321", &ok));
	role = talk_hear(&scene.consoles[GUEST], "role");
	assert_string_equal(json_string_value(json_object_get(role, "role")),
		"control");
	assert_non_null(strstr(json_string_value(json_object_get(role, "text")),
		"gave you control"));
	json_decref(role);
	assert_int_equal(talk_events(&scene.consoles[OWN], "take"), 1);
	assert_int_equal(talk_events(&scene.consoles[OWN], "give"), 1);
	close_scene(&scene);
}

/* ---- nobody to give it to --------------------------------------------------
 */

static void
check_give(struct scene *scene, enum who who, const char *says)
{
	bool ok;
	char *text = talk_command(&scene->consoles[who], "give", &ok);

	assert_false(ok);
	assert_string_equal(text, says);
	free(text);
}

/* Without a name control goes to no guest. */
static void
test_give_to_nobody(void **state)
{
	struct scene scene;

	open_scene(&scene, *state);
	check_give(&scene, OWN, "nobody watches");
	attach(&scene, GUEST, ANN, "");
	check_give(&scene, OWN,
		"only other users watch: name one, as in :give ann");
	close_scene(&scene);
}

/* Who was sent off gets no control, though it has not closed yet. */
static void
test_give_to_detached(void **state)
{
	struct scene scene;

	open_scene(&scene, *state);
	attach(&scene, SECOND, GUESTS_NONE, ", \"alone\": true");
	assert_string_equal(roles(&scene), "WC");
	check_give(&scene, SECOND, "nobody watches");
	assert_string_equal(roles(&scene), "WC");
	close_scene(&scene);
}

/* Commands of clients need a client: the campaign itself gives none. */
static void
test_no_client(void **state)
{
	const struct command none = { .argc = 0 };
	struct error err = { 0 };
	struct engine *e;
	struct scene scene;
	char answer[256];

	open_scene(&scene, *state);
	e = scene.server->engine;
	assert_int_equal(server_take(e, &none, answer, sizeof(answer), &err),
		E_STATE);
	assert_string_equal(err.text, "nobody asks for control");
	error_clear(&err);
	assert_int_equal(server_give(e, &none, answer, sizeof(answer), &err),
		E_NOT_FOUND);
	error_clear(&err);
	assert_int_equal(server_detach(e, &none, answer, sizeof(answer), &err),
		E_STATE);
	assert_string_equal(err.text, "nobody is attached");
	close_scene(&scene);
}

/* ---- who comes and goes ----------------------------------------------------
 */

/* clang-format off */
static const struct greeting_row {
	const char *name;
	uid_t uid;
	const char *more; /* of the greeting */
	const char *roles;
	const char *text;
} GREETINGS[] = {
	{ "one controls already", GUESTS_NONE, "", "CW", "" },
	{ "asks to watch", GUESTS_NONE, ", \"role\": \"watch\"", "CW", "" },
	{ "another user", ANN, "", "CW", "you watch: only" },
	{ "another user asks to watch", ANN, ", \"role\": \"watch\"", "CW", "" },
	{ "another user wants to be alone", ANN, ", \"alone\": true", "CW", "you watch: only" },
	{ "wants to be alone", GUESTS_NONE, ", \"alone\": true", "WC", "" },
	{ "watches alone", GUESTS_NONE, ", \"alone\": true, \"role\": \"watch\"", "CW", "" },
};
/* clang-format on */

static void
check_greeting(const struct greeting_row *row, const struct tree *tree)
{
	struct scene scene;
	json_t *role;
	bool alone = strcmp(row->roles, "WC") == 0;

	open_scene(&scene, tree);
	role = greet(&scene, SECOND, row->uid, row->more);
	row_check(strcmp(roles(&scene), row->roles) == 0, "%s: %s", row->name,
		roles(&scene));
	row_check(strncmp(json_string_value(json_object_get(role, "text")),
			  row->text, strlen(row->text)) == 0,
		"%s", row->name);
	json_decref(role);
	assert_int_equal(talk_events(&scene.consoles[OWN], "attach"), 1);
	if (alone) {
		role = talk_hear(&scene.consoles[OWN], "bye");
		assert_true(json_is_true(json_object_get(role, "detached")));
		assert_non_null(
			strstr(json_string_value(json_object_get(role, "text")),
				"who took the campaign"));
		json_decref(role);
	}
	close_scene(&scene);
}

static void
test_greetings(void **state)
{
	const struct greeting_row *row;
	void *tree;

	for (row = GREETINGS; row < GREETINGS + ROWS(GREETINGS); row++) {
		assert_int_equal(tree_open(&tree), 0);
		check_greeting(row, tree);
		tree_close(&tree);
	}
}

/* The client closes; the snapshot counts it no longer. */
static void
test_detach(void **state)
{
	struct scene scene;
	struct snapshot view = { 0 };
	json_t *bye;
	bool ok;

	open_scene(&scene, *state);
	attach(&scene, SECOND, GUESTS_NONE, "");
	attach(&scene, GUEST, ANN, "");
	server_view(scene.server, &view);
	assert_int_equal(view.watchers, 2);
	assert_string_equal(view.controller, scene.server->user);
	talk_say(&scene.consoles[SECOND],
		"{\"command\": {\"id\": 1, \"line\": \"detach\"}}");
	bye = talk_hear(&scene.consoles[SECOND], "bye");
	assert_true(json_is_true(json_object_get(bye, "detached")));
	assert_non_null(strstr(json_string_value(json_object_get(bye, "text")),
		"the campaign goes on: cfuzz attach"));
	json_decref(bye);
	talk_leave(&scene.consoles[SECOND]);
	while (talk_events(&scene.consoles[OWN], "detach") == 0)
		event_base_loop(scene.server->engine->base, EVLOOP_ONCE);
	memset(&view, 0, sizeof(view));
	server_view(scene.server, &view);
	assert_int_equal(view.watchers, 1);
	free(talk_command(&scene.consoles[OWN], "ping", &ok));
	assert_true(ok);
	close_scene(&scene);
}

/* A campaign that is being stopped does not go on. */
static void
test_leaves_while_it_stops(void **state)
{
	struct scene scene;
	json_t *bye;

	open_scene(&scene, *state);
	attach(&scene, SECOND, GUESTS_NONE, "");
	scene.server->engine->end.stopping = true;
	talk_say(&scene.consoles[SECOND],
		"{\"command\": {\"id\": 1, \"line\": \"detach\"}}");
	bye = talk_hear(&scene.consoles[SECOND], "bye");
	assert_non_null(strstr(json_string_value(json_object_get(bye, "text")),
		"is being stopped"));
	json_decref(bye);
	scene.server->engine->end.stopping = false;
	close_scene(&scene);
}

int
main(int argc, char **argv)
{
#define ROW(fn) cmocka_unit_test_setup_teardown(fn, tree_open, tree_close)
	const struct CMUnitTest tests[] = {
		ROW(test_steps),
		ROW(test_words),
		ROW(test_give_to_nobody),
		ROW(test_give_to_detached),
		ROW(test_no_client),
		cmocka_unit_test(test_greetings),
		ROW(test_detach),
		ROW(test_leaves_while_it_stops),
	};

	fake_worker_main(argv);
	return cmocka_run_group_tests_name("server_roles", tests, NULL, NULL);
}

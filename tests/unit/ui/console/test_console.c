/*
 * test_console: keys, commands and the mouse of a real console: what it sends to
 * the engine, and what the screen shows.
 * FLAGS: -lutil
 */
#include <stdio.h>
#include <unistd.h>

#include "lib/check.h"
#include "lib/watched.h"
#include "symbols/helper.h"

/* Many characters at once are a paste, so a line is pasted. */
#define COMMAND(line) ":\033[200~" line "\033[201~\r"

#define CLICK(x, y) "\033[<0;" x ";" y "M\033[<0;" x ";" y "m"

/* clang-format off */
static const struct watched_step COMMANDS[] = {
	{ "a theme", COMMAND("theme high-contrast"), NULL,
		"theme high-contrast", NULL },
	{ "the next theme", "t", NULL, "theme light", NULL },
	{ "no such theme", COMMAND("theme nosuch"), NULL, "nosuch", NULL },
	{ "no such keys", COMMAND("keys /nowhere/keys"), NULL, "/nowhere/keys",
		NULL },
	{ "own keys", COMMAND("keys"), NULL, "your own keys are loaded", NULL },
	{ "the mouse", COMMAND("mouse perhaps"), NULL, "write: mouse on|off",
		NULL },
	{ "the mouse is off", COMMAND("mouse off"), NULL,
		"the terminal uses the mouse", NULL },
	{ "the mouse is on", COMMAND("mouse on"), NULL,
		"the console uses the mouse", NULL },
	{ "no list", COMMAND("filter x"), NULL,
		"Dashboard has no list to filter", NULL },
	{ "no view", COMMAND("view nothing"), NULL,
		"there is no view `nothing`", NULL },
	{ "for recordings", COMMAND("seek 1"), NULL,
		"seek is for recordings (--play)", NULL },
	{ "a recording's speed", COMMAND("speed 2"), NULL,
		"speed is for recordings", NULL },
	{ "copy nothing", COMMAND("copy"), NULL, "write: copy TEXT", NULL },
	{ "say nothing", COMMAND("say"), NULL, "write: say TEXT", NULL },
	{ "nameless view", COMMAND("view"), NULL, "write: view NAME", NULL },
	{ "nameless worker", COMMAND("select"), NULL, "write: select WORKER",
		NULL },
	{ "no such worker", COMMAND("select 99"), NULL, "there is no worker 99",
		NULL },
	{ "no worker", COMMAND("select x"), NULL, "there is no worker x", NULL },
	{ "copy", COMMAND("copy words"), NULL,
		"sent to the terminal's clipboard", NULL },
	{ "edit nothing", COMMAND("edit"), NULL, "edit COMMAND [= TEXT]",
		NULL },
	{ "edit", COMMAND("edit note 51ab0000 = words") "\r",
		"note 51ab0000 \"words\"\n", NULL, NULL },
	{ "steps of nothing", COMMAND("steps"), NULL, "steps INPUT", NULL },
	{ "no command", COMMAND("nonsense"), NULL,
		"there is no command \"nonsense\"", NULL },
	{ "no arguments", COMMAND("redraw now"), NULL,
		"redraw takes no argument", NULL },
	{ "redraw", "\014", NULL, NULL, "redraw takes no argument" },
	{ "wrong arguments", COMMAND("set"), NULL, "set ", NULL },
	{ "a limit", COMMAND("set timeout 77"), "set timeout 77\n", NULL,
		NULL },
	{ "a message", COMMAND("say hello there"), NULL, "hello there", NULL },
	{ "a key without a use", "n", NULL, "n does nothing here", NULL },
	{ "pasted text", "\033[200~pasted\033[201~", NULL,
		"pasted text is ignored here; the prompt (:) accepts it",
		NULL },
};

static const struct watched_step VIEWS[] = {
	{ "a click on a key", CLICK("3", "24"), "pause\n", NULL, NULL },
	{ "redraw it", "\014", NULL, NULL, NULL },
	{ "one more click", CLICK("3", "24"), "resume\n", NULL, NULL },
	{ "a click on nothing", CLICK("1", "1"), NULL, NULL, NULL },
	{ "a view", COMMAND("view corpus"), NULL, "one exec", NULL },
	{ "a command of a view", COMMAND("view corpus sort"), NULL, NULL,
		NULL },
	{ "the wheel", "\033[<65;9;9M\033[<64;9;9M", NULL, NULL, NULL },
	{ "no command of a view", COMMAND("view corpus nonsense"), NULL,
		"the view Corpus has no command `nonsense`", NULL },
	{ "a filter", COMMAND("filter read_tile"), NULL, "filter: read_tile", NULL },
	{ "no filter", "\033", NULL, NULL, "filter: read_tile" },
	{ "ask for a filter", "/tile\r", NULL, "filter: tile", NULL },
	{ "remove it", "/\003", NULL, NULL, "filter: tile" },
	{ "back", COMMAND("back"), NULL, "k/s average", "one exec" },
	{ "the next view", "\t", NULL, "Enter shows its input", NULL },
	{ "pause a worker", "P", "pause 0\n", NULL, NULL },
	{ "resume it", "P", "resume 0\n", NULL, NULL },
	{ "restart it", "S", "stop 0\n", NULL, NULL },
	{ "another worker", COMMAND("select 1"), NULL, NULL, NULL },
	{ "pause it", "P", "pause 1\n", NULL, NULL },
	{ "one more view", "\t", NULL, "newly reached", NULL },
	{ "the view before", COMMAND("previous-view"), NULL,
		"Enter shows its input", NULL },
	{ "the help", COMMAND("help"), NULL, "keys everywhere", NULL },
	{ "the view before the help", COMMAND("previous-view"), NULL,
		"k/s average", NULL },
	{ "help again", "\033OP", NULL, "keys everywhere", NULL },
	{ "no help", "\033OP", NULL, "k/s average", "keys everywhere" },
	{ "help once more", "\033OP", NULL, "keys everywhere", NULL },
	{ "back from it", "\033", NULL, "k/s average", "keys everywhere" },
	{ "the findings", "5", NULL, "distinct, seen", NULL },
	{ "steps of a finding", COMMAND("steps 12ab34cd"),
		"minimize 12ab34cd held\n", NULL, "distinct, seen" },
	{ "back to the findings", "\033", NULL, "distinct, seen", NULL },
	{ "back from there", "\033", NULL, "k/s average", "distinct, seen" },
	{ "steps", COMMAND("steps 12ab34cd"),
		"minimize 12ab34cd held\n", NULL,
		"k/s average" },
};

static const struct watched_step ABOVE[] = {
	{ "a question", COMMAND("workers 256"), NULL, "Have 256 workers?",
		NULL },
	{ "its answer", "a", "workers 256\n", NULL, "have them" },
	{ "quit", "q\033[B\033[A", NULL, "stop and quit", NULL },
	{ "a paste is no answer", "\033[200~s\033[201~", NULL,
		"pasted text is ignored", NULL },
	{ "a click on the question", CLICK("40", "5"), NULL, NULL, NULL },
	{ "do not", "\033", NULL, NULL, "stop and quit" },
	{ "a field", "?", NULL, "Esc close", NULL },
	{ "another field", "\033[B", NULL, NULL, NULL },
	{ "a click on a field", CLICK("10", "5"), NULL, NULL, NULL },
	{ "a click on a key", CLICK("3", "24"), "pause\n", NULL, NULL },
	{ "all keys", "?", NULL, "keys everywhere", "Esc close" },
	{ "no keys", "\033", NULL, "k/s average", NULL },
	{ "a field, then a key", "?t", NULL, "theme ", NULL },
	{ "a field of another view", "2", NULL, NULL, "k/s average" },
	{ "no field", "\033", NULL, "Enter shows its input", "╭─ state" },
	{ "a field once more", "?", NULL, "╭─ state", NULL },
	{ "a key without a use", "m", NULL, "m does nothing here", "╭─ state" },
	{ "the limits", COMMAND("view dashboard") "l", NULL, "Enter changes", NULL },
	{ "a paste into them", "\033[200~88\033[201~", NULL, "88", NULL },
	{ "accept", "\r", "set parallel 88\n", NULL, NULL },
	{ "change one", "\r7\r", "set parallel 27\n", NULL, NULL },
	{ "a click", CLICK("40", "8"), NULL, NULL, NULL },
	{ "their end", "q", NULL, NULL, "Enter changes" },
	{ "the tour", COMMAND("tour"), NULL, "tour 1 of", NULL },
	{ "the next step", "\r", NULL, "tour 2 of", NULL },
	{ "the step before", "\177", NULL, "tour 1 of", NULL },
	{ "its end", "\033", NULL, NULL, "tour 1 of" },
	{ "complete a command", ":previ\t", NULL, "previous-view", NULL },
	{ "never mind", "\003", NULL, NULL, "previous-view" },
	{ "a paste", ":\033[200~say pasted\033[201~", NULL, ":say pasted",
		NULL },
	{ "a click on the prompt", CLICK("40", "8"), NULL, NULL, NULL },
	{ "say it", "\r", NULL, NULL, ":say" },
	{ "a click on a title", CLICK("4", "10"), NULL, "one exec", NULL },
	{ "back", COMMAND("view dashboard"), NULL, "k/s average", "one exec" },
	{ "a click on the help", CLICK("73", "1"), NULL, "Esc close", NULL },
	{ "its end", "\033", NULL, NULL, "Esc close" },
	{ "these clicks type nothing", ":" CLICK("4", "10") CLICK("73", "1") "x",
		NULL, ":x", NULL },
	{ "no line", "\003", NULL, NULL, ":x" },
	{ "a narrow character", ":é", NULL, ":é", NULL },
	{ "a wide character", "世", NULL, ":é世", NULL },
	{ "a key is no text", "\033[15~.", NULL, ":é世.", NULL },
	{ "nothing", "\003", NULL, NULL, ":é" },
};
/* clang-format on */

static void
steps(struct watched *w, const struct watched_step *rows, size_t n)
{
	for (size_t i = 0; i < n; i++)
		watched_step(w, &rows[i]);
}

static void
end(struct watched *w)
{
	watched_step(w,
		&(struct watched_step){ "quit", COMMAND("quit now"),
			"quit now\n", NULL, NULL });
	watched_say(w,
		json_pack("{s:{s:i, s:s}}", "bye", "exit", 1, "text", ""));
	watched_expect_closed(w);
	assert_int_equal(watched_close(w), 0);
}

static void
test_commands(void **state)
{
	struct watched w;

	watched_open(&w, NULL);
	steps(&w, COMMANDS, ROWS(COMMANDS));
	end(&w);
}

static void
test_views(void **state)
{
	struct watched w;

	watched_open(&w, NULL);
	steps(&w, VIEWS, ROWS(VIEWS));
	end(&w);
}

/* The dialog asks as the prompt does. */
static const struct watched_step MANY_WORKERS[] = {
	{ "the limits", COMMAND("view dashboard") "l", NULL, "Enter changes",
		NULL },
	{ "many workers", "256\r", "", "Have 256 workers?", NULL },
	{ "not so many", "\033", "", NULL, "Have 256 workers?" },
	{ "asked once", "256\r", "set parallel 256\n", NULL, NULL },
	{ "their end", "q", "", NULL, "Enter changes" },
};

static void
test_many_workers(void **state)
{
	struct watched w;

	watched_open(&w, NULL);
	steps(&w, MANY_WORKERS, ROWS(MANY_WORKERS));
	end(&w);
}

static void
test_above(void **state)
{
	struct watched w;

	watched_open(&w, NULL);
	steps(&w, ABOVE, ROWS(ABOVE));
	end(&w);
}

/* A key of the tour, or of the help in place, may have any command, too. */
static void
test_keys_above(void **state)
{
	static const struct watched_step rows[] = {
		{ "own keys", COMMAND("keys own.json"), "",
			"keys loaded from own.json", NULL },
		{ "the tour", COMMAND("tour"), "", "tour 1 of", NULL },
		{ "pause", "\033[15~", "pause\n", NULL, NULL },
		{ "its own command", "\033[17~", "", "tour 2 of", NULL },
		{ "resume", "\033[15~", "resume\n", NULL, NULL },
		{ "its end", "\033", "", NULL, "tour 2 of" },
		{ "a field", COMMAND("view dashboard") "?", "", "╭─ state",
			NULL },
		{ "its own command", "\033[17~", "", NULL, "╭─ state" },
		{ "pause", "\033[15~", "pause\n", NULL, "Esc close" },
	};
	struct watched w;
	char path[128];
	FILE *file;

	watched_open(&w, NULL);
	snprintf(path, sizeof(path), "%s/own.json", w.session.dir);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs("{\"tour\": {\"F5\": \"toggle-pause\", \"F6\": \"next\"},\n"
	      "\"explain\": {\"F5\": \"toggle-pause\", \"F6\": \"next\"}}\n",
		file);
	fclose(file);
	steps(&w, rows, ROWS(rows));
	end(&w);
}

/* Esc goes back view by view, as far as commands have led; a key that shows a
 * view begins anew. */
static void
test_back(void **state)
{
	static const struct watched_step rows[] = {
		{ "the journal", "7", NULL, "─ journal ─", NULL },
		{ "a finding", COMMAND("view findings show 90be77c2"), NULL,
			"▸summary", "─ journal ─" },
		{ "steps of it", "M", "minimize 90be77c2 held\n", NULL,
			"▸summary" },
		{ "back to the finding", "\033", NULL, "▸summary", NULL },
		{ "its mutations", "T", NULL, NULL, "▸summary" },
		{ "back from them", "\033", NULL, "▸summary", NULL },
		{ "no page", "\033", NULL, "distinct, seen", "▸summary" },
		{ "back to the journal", "\033", NULL, "─ journal ─",
			"distinct, seen" },
		{ "back from it", "\033", NULL, "k/s average", "─ journal ─" },
		{ "the journal again", "7", NULL, "─ journal ─", NULL },
		{ "a finding again", COMMAND("view findings show 90be77c2"),
			NULL, "▸summary", "─ journal ─" },
		{ "the corpus", "4", NULL, "one exec", "▸summary" },
		{ "the finding", "5", NULL, "▸summary", "one exec" },
		{ "no page", "\033", NULL, "distinct, seen", "▸summary" },
		{ "the dashboard", "\033", NULL, "k/s average",
			"distinct, seen" },
	};
	struct watched w;

	watched_open(&w, NULL);
	steps(&w, rows, ROWS(rows));
	end(&w);
}

/* A minimization that is refused leaves the view that asked for it. */
static void
test_steps_refused(void **state)
{
	const struct watched_step rows[] = {
		{ "the journal", "7", NULL, "─ journal ─", NULL },
		{ "a view", COMMAND("view corpus sort"), NULL, "one exec",
			NULL },
		{ "steps", COMMAND("steps 12ab34cd"),
			"minimize 12ab34cd held\n", "it is refused", NULL },
		{ "back", COMMAND("back"), NULL, "─ journal ─", "one exec" },
	};
	struct watched w;

	watched_open(&w, NULL);
	w.answer = "!it is refused";
	steps(&w, rows, ROWS(rows));
	w.answer = "";
	end(&w);
}

/* A new note makes the known one old: it must not be edited again. */
static void
test_note(void **state)
{
	static const struct watched_step first[] = {
		{ "a note", COMMAND("view findings") "n", "", "note 90be77c2",
			NULL },
	};
	static const struct watched_step next[] = {
		{ "save it", "new\r", "note 90be77c2 \"new\"\n", NULL,
			"note 90be77c2" },
		{ "too early", "n", "", "waiting for the present note", NULL },
	};
	struct watched w;

	watched_open(&w, NULL);
	steps(&w, first, ROWS(first));
	w.mute = true;
	steps(&w, next, ROWS(next));
	w.mute = false;
	end(&w);
}

/* ---- recordings ---------------------------------------------------------- */

/* A position in a recording of 99 seconds. */
static json_t *
playback(int at_s, double speed, const char *view)
{
	return json_pack("{s:{s:f, s:f, s:f, s:b, s:b, s:b, s:s}}", "playback",
		"at", (double)at_s, "length", 99.0, "speed", speed, "paused",
		speed == 3, "ended", speed == 5, "past", speed == 4, "view",
		view);
}

static void
position(struct watched *w, int at_s, double speed, const char *view,
	const char *shows)
{
	watched_say_expect(w, playback(at_s, speed, view), shows);
}

/* clang-format off */
static const struct watched_step PLAYBACK[] = {
	{ "go on", " ", "resume\n", NULL, NULL },
	{ "go to", COMMAND("seek 7"), "seek 7\n", NULL, NULL },
	{ "no time", COMMAND("seek"), NULL, "seek TIME", NULL },
	{ "debug", COMMAND("debug 90be77c2"), NULL,
		"a recording has no target to run", NULL },
	{ "no question", COMMAND("workers 500"), "workers 500\n", NULL, NULL },
	{ "back in it", "\033[D", "seek -10s\n", NULL, NULL },
	{ "the details of a finding", "5\r", NULL, "Left Right pages", NULL },
	{ "turn the page", "\033[C", "", NULL, "▸summary" },
	{ "quit asks nothing", COMMAND("quit"), "quit\n", NULL, NULL },
};
/* clang-format on */

/* The console has forgotten everything, but draws nothing before the end. */
static void
jump(struct watched *w)
{
	watched_say(w, playback(9, 4, ""));
	do { /* the key draws at once; "pause": the message came before */
		w->commands[0] = '\0';
		session_send(&w->session, " ");
		while (w->commands[0] == '\0')
			event_base_loop(w->base, EVLOOP_ONCE);
	} while (strcmp(w->commands, "pause\n") != 0);
	w->commands[0] = '\0';
	watched_say(w,
		json_pack("{s:o}", "snapshot",
			snapshot_encode_columns(&w->snapshot)));
	watched_say(w, playback(10, 2, ""));
	watched_expect_text(w, "2x 0:10 / 1:39");
	assert_null(memmem(w->session.seen, w->session.len, "Nothing", 7));
}

static void
test_playback(void **state)
{
	struct watched w;

	watched_open(&w, NULL);
	position(&w, 5, 1, "workers", "1x 0:05 / 1:39");
	watched_expect_text(&w, "Enter shows its input");
	position(&w, 6, 0.25, "workers", "1/4x 0:06 / 1:39");
	position(&w, 7, 0, "corpus", "max 0:07 / 1:39");
	watched_expect_text(&w, "one exec");
	position(&w, 8, 3, "corpus", "3x 0:08 / 1:39");
	steps(&w, PLAYBACK, ROWS(PLAYBACK));
	jump(&w);
	watched_say(&w, json_pack("{s:{s:s}}", "playback", "at", "x"));
	position(&w, 3661, 5, "nothing", "the end 1:01:01 / 1:39");
	watched_say(&w, json_pack("{s:{s:i}}", "bye", "exit", 0));
	watched_expect_closed(&w);
	assert_int_equal(watched_close(&w), 0);
}

/* ---- the place of another console ---------------------------------------- */

struct place_case {
	const char *view, *item;
	int page;
	const char *there;               /* on the screen */
	struct watched_step leave, then; /* elsewhere */
};

/* clang-format off */
static const struct place_case PLACES[] = {
	{ "findings", "90be77c2", 1, "▸summary",
		{ "a key", "7", NULL, "─ journal ─", "▸summary" },
		{ "after a key", "e", NULL, "journal: new inputs", NULL } },
	{ "dashboard", "", 0, "k/s average",
		{ "a click", CLICK("4", "10"), NULL, "one exec", NULL },
		{ "after a click", "o", NULL, NULL, "age▾" } },
};
/* clang-format on */

/* A reply that the place may need must not undo what the user did after it. */
static void
test_place(void **state)
{
	struct watched w;

	watched_open(&w, NULL);
	for (size_t i = 0; i < ROWS(PLACES); i++) {
		const struct place_case *c = &PLACES[i];

		watched_say_expect(&w,
			json_pack("{s:{s:s, s:s, s:i}}", "place", "view",
				c->view, "item", c->item, "page", c->page),
			c->there);
		watched_step(&w, &c->leave);
		/* With the first beat the query has come, and its reply is sent
		 * before the second. */
		watched_beat(&w);
		watched_beat(&w);
		watched_step(&w, &c->then);
	}
	end(&w);
}

/* ---- messages and ends --------------------------------------------------- */

static void
test_messages(void **state)
{
	struct watched w;

	watched_open(&w, NULL);
	watched_say_expect(&w, json_pack("{s:{s:i}}", "snapshot", "seq", 1),
		"the engine sent an invalid message");
	w.answer = "the answer";
	watched_step(&w,
		&(struct watched_step){ "an answer", COMMAND("set timeout 5"),
			"set timeout 5\n", "the answer", NULL });
	watched_say_expect(&w, json_pack("{s:{s:i}}", "reply", "id", 1),
		"the engine sent an invalid message");
	w.answer = "!refused";
	watched_step(&w,
		&(struct watched_step){ "a refusal", "l1\r", "set parallel 1\n",
			"refused", NULL });
	watched_step(&w,
		&(struct watched_step){ "no limits", "\003q", NULL, NULL,
			"refused" });
	w.answer = NULL;
	end(&w);
}

/* The end of a campaign is a question; then the console is still there. */
static void
test_ended(void **state)
{
	static const struct watched_step ENDED[] = {
		{ "look around", "l", NULL, NULL, "The campaign has ended" },
		{ "too late", "p", NULL, "the campaign has ended;", NULL },
	};
	struct watched w;

	watched_open(&w, NULL);
	watched_say_expect(&w,
		json_pack("{s:{s:i, s:s}}", "bye", "exit", 1, "text", "over"),
		"The campaign has ended");
	steps(&w, ENDED, ROWS(ENDED));
	session_send(&w.session, COMMAND("quit"));
	watched_expect_closed(&w);
	assert_int_equal(watched_close(&w), 0);
}

/* The question about the end needs no answer then. */
static void
test_ended_while_asked(void **state)
{
	static const struct watched_step QUIT = { "quit", "q", NULL,
		"stop and quit", NULL };
	struct watched w;

	watched_open(&w, NULL);
	watched_step(&w, &QUIT);
	watched_say_expect(&w, json_pack("{s:{s:i}}", "bye", "exit", 1),
		"The campaign has ended");
	assert_false(vt_screen_has(w.screen, "it goes on"));
	session_send(&w.session, "q");
	watched_expect_closed(&w);
	assert_int_equal(watched_close(&w), 0);
}

/* It waits for what is being typed; then Enter stays. */
static void
test_ended_later(void **state)
{
	static const struct {
		struct watched_step before, typed, closed;
	} rows[] = {
		{ { "a prompt", ":say", NULL, ":say", NULL },
			{ "type", " q", NULL, ":say q", NULL },
			{ "say it", "\r", NULL, "The campaign has ended",
				NULL } },
		{ { "a limit", "l\r", NULL, "Enter accept", NULL },
			{ "type", "7q8", NULL, "7q8", NULL },
			{ "no limits", "\003q", NULL, "The campaign has ended",
				NULL } },
		{ { "a question", "s", NULL, "Stop the campaign?", NULL },
			{ "choose", "\033[B", NULL, NULL, NULL },
			{ "do not", "\r", NULL, "The campaign has ended",
				NULL } },
	};
	static const struct watched_step STAY = { "stay", "\r", NULL, NULL,
		"The campaign has ended" };

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct watched w;

		watched_open(&w, NULL);
		watched_step(&w, &rows[i].before);
		watched_say_expect(&w, json_pack("{s:{s:i}}", "bye", "exit", 1),
			"ENDED");
		watched_step(&w, &rows[i].typed);
		watched_step(&w, &rows[i].closed);
		watched_step(&w, &STAY);
		session_send(&w.session, "q");
		watched_expect_closed(&w);
		assert_int_equal(watched_close(&w), 0);
	}
}

/* A failed start stays on the screen until a key is pressed; its last snapshot
 * asks nothing. */
static void
test_failed(void **state)
{
	struct watched w;

	watched_open(&w, NULL);
	w.snapshot.state = RUN_ENDED;
	w.snapshot.exit_status = 2;
	watched_beat(&w);
	watched_say_expect(&w,
		json_pack("{s:{s:i, s:s}}", "bye", "exit", 2, "text",
			"no target\nof that name"),
		"of that name");
	session_send(&w.session, "x");
	watched_expect_closed(&w);
	assert_int_equal(watched_close(&w), 0);
}

/* A command before the engine's greeting waits for it, as the engine would not
 * read it. */
static void
test_early(void **state)
{
	static const struct watched_step rows[] = {
		{ "pause", "p", "", "sent when the engine is ready", NULL },
		{ "stop", "s", "", "Stop the campaign?", NULL },
		{ "do so", "\r", "", NULL, "Stop the campaign?" },
	};
	struct watched w;

	watched_open_silent(&w, NULL);
	steps(&w, rows, ROWS(rows));
	watched_greet(&w);
	watched_expect_commands(&w, "pause\nstop\n");
	end(&w);
}

/* If the engine does not answer, a second quit or detach leaves without it. The
 * first one is sent, also if the engine has not greeted yet. */
static void
test_no_answer(void **state)
{
	static const struct {
		const char *name, *first, *second, *sent;
		bool silent; /* it has not greeted */
		bool stale;  /* there was a snapshot, long ago */
	} rows[] = {
		{ "quit, detach", COMMAND("quit now"), "d", "quit now\n", false,
			false },
		{ "detach, quit", "d", COMMAND("quit now"), "detach\n", false,
			false },
		{ "detach, detach", "d", "d", "detach\n", false, true },
		{ "the keys", "q\r", "\003\003", "quit\n", false, true },
		{ "detach early", "d", "d", "detach\n", true, false },
		{ "quit early", COMMAND("quit now"), COMMAND("quit now"),
			"quit now\n", true, false },
	};

	for (size_t i = 0; i < ROWS(rows); i++) {
		struct watched w;

		print_message("%s\n", rows[i].name);
		watched_open_silent(&w, NULL);
		if (!rows[i].silent)
			watched_greet(&w);
		w.answer = NULL;
		if (rows[i].stale) {
			watched_beat(&w);
			watched_expect_text(&w, "no snapshot for");
		}
		session_send(&w.session, rows[i].first);
		watched_expect_text(&w, "the engine does not answer yet");
		session_send(&w.session, rows[i].second);
		watched_expect_closed(&w);
		assert_string_equal(w.commands, rows[i].sent);
		assert_int_equal(watched_close(&w), 0);
	}
}

/* An engine that has refused to quit is asked again. */
static void
test_quit_refused(void **state)
{
	struct watched w;

	watched_open(&w, NULL);
	for (int i = 0; i < 2; i++) {
		w.answer = i == 0 ? "!at work" : "!still at work";
		session_send(&w.session, COMMAND("quit now"));
		watched_expect_commands(&w, "quit now\n");
		watched_expect_text(&w, w.answer + 1);
	}
	w.answer = "";
	end(&w);
}

/* The engine dies: the console ends, for the launcher says why. */
static void
test_lost(void **state)
{
	struct watched w;

	watched_open(&w, NULL);
	watched_beat(&w);
	watched_hang_up(&w);
	assert_int_equal(watched_close(&w), 0);
}

/* ---- terminals ----------------------------------------------------------- */

/* clang-format off */
static const struct watched_step PLAIN[] = {
	{ "no colours", COMMAND("theme light"), NULL,
		"theme light; this terminal shows no colours", NULL },
	{ "no mouse", COMMAND("mouse on"), NULL, "this terminal has no mouse",
		NULL },
	{ "no clipboard", COMMAND("copy it"), NULL,
		"this terminal has no clipboard", NULL },
};
/* clang-format on */

static void
test_plain_terminal(void **state)
{
	static const char *const env[] = { "TERM=vt220", NULL };
	struct watched w;

	watched_open(&w, env);
	steps(&w, PLAIN, ROWS(PLAIN));
	end(&w);
}

/* ---- the debugger -------------------------------------------------------- */

/* clang-format off */
static const struct watched_step DEBUG[] = {
	{ "debug nothing", COMMAND("debug nothing"), NULL,
		"there is no finding nothing", NULL },
	{ "debug a program's sequence", COMMAND("debug 90be"), NULL,
		"of a program with a main() gdb runs one", NULL },
};
/* clang-format on */

static void
debugger_install(const struct watched *w)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/gdb", w->session.dir);
	assert_int_equal(symlink("/bin/true", path), 0);
}

/* There is no cfuzz beside this program, and an installed one finds no target: the
 * debugger fails. */
static void
test_debug(void **state)
{
	static const char *const env[] = { "PATH=/nowhere", NULL };
	static const char *const home[] = { "PATH=.", NULL };
	struct watched w;
	char line[64];

	watched_open(&w, env);
	w.snapshot.findings[0].sequence = 3;
	snprintf(w.snapshot.kind, sizeof(w.snapshot.kind), "main()");
	steps(&w, DEBUG, ROWS(DEBUG));
	snprintf(line, sizeof(line), COMMAND("debug %s"),
		w.snapshot.findings[1].id);
	watched_step(&w,
		&(struct watched_step){ "no debugger", line, NULL,
			"gdb is not installed", NULL });
	end(&w);
	watched_open(&w, home);
	debugger_install(&w);
	watched_step(&w,
		&(struct watched_step){ "debug", line, NULL,
			"any key goes back to cfuzz", NULL });
	session_send(&w.session, "x");
	watched_expect_text(&w, "the debugger ended with status ");
	end(&w);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_views),
		cmocka_unit_test(test_above),
		cmocka_unit_test(test_many_workers),
		cmocka_unit_test(test_keys_above),
		cmocka_unit_test(test_back),
		cmocka_unit_test(test_steps_refused),
		cmocka_unit_test(test_note),
		cmocka_unit_test(test_playback),
		cmocka_unit_test(test_place),
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_ended),
		cmocka_unit_test(test_ended_while_asked),
		cmocka_unit_test(test_ended_later),
		cmocka_unit_test(test_failed),
		cmocka_unit_test(test_early),
		cmocka_unit_test(test_no_answer),
		cmocka_unit_test(test_quit_refused),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_plain_terminal),
		cmocka_unit_test(test_debug),
	};
	int status;

	/* The console starts this program again, as it would itself. */
	if (symbols_helper_main(argc, argv, &status))
		return status;
	return cmocka_run_group_tests(tests, NULL, NULL);
}

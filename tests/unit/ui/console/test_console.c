/*
 * test_console: keys, commands and the mouse on a pseudo-terminal, with a fake
 * engine: what each of them shows.
 * FLAGS: -lutil
 */
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/check.h"
#include "lib/play.h"
#include "lib/session.h"

/* Many characters at once are a paste, so a line is pasted. */
#define COMMAND(line) ":\033[200~" line "\033[201~\r"

#define CLICK(x, y) "\033[<0;" x ";" y "M\033[<0;" x ";" y "m"

/* clang-format off */
static const struct keys_row {
	const char *name, *keys, *shows;
} KEYS[] = {
	{ "a theme", COMMAND("theme high-contrast"), "theme high-contrast" },
	{ "the next theme", "t", "theme light" },
	{ "no such theme", COMMAND("theme nosuch"), "nosuch" },
	{ "no such keys", COMMAND("keys /nowhere/keys"), "/nowhere/keys" },
	{ "own keys", COMMAND("keys"), "your own keys are loaded" },
	{ "the mouse", COMMAND("mouse perhaps"), "write: mouse on|off" },
	{ "the mouse is off", COMMAND("mouse off"),
		"the terminal uses the mouse" },
	{ "the mouse is on", COMMAND("mouse on"),
		"the console uses the mouse" },
	{ "a click on a key", CLICK("3", "24"), "PAUSED" },
	{ "one more", CLICK("3", "24"), "going on" },
	{ "a click on nothing", CLICK("1", "1"), "FUZZING" },
	{ "no list", COMMAND("filter x"), "has no list to filter" },
	{ "no view", COMMAND("view nothing"), "there is no view `nothing`" },
	{ "a view", COMMAND("view corpus"), "one exec" },
	{ "a command of a view", COMMAND("view corpus sort"), "one exec" },
	{ "the wheel", "\033[<65;9;9M\033[<64;9;9M", "one exec" },
	{ "no command of a view", COMMAND("view corpus nonsense"),
		"the view Corpus has no command `nonsense`" },
	{ "a filter", COMMAND("filter read_tile"), "read_tile" },
	{ "ask for a filter", "/", "read_tile" },
	{ "no filter", "\003", "one exec" },
	{ "back", COMMAND("back") COMMAND("back"), "on average" },
	{ "the next view", "\t", "Enter shows its input" },
	{ "one more view", "\t", "last minute" },
	{ "the view before", COMMAND("previous-view"),
		"Enter shows its input" },
	{ "a worker", COMMAND("select 1"), "Enter shows its input" },
	{ "pause a worker", "P", "paused" },
	{ "resume it", COMMAND("resume 1"), "going on" },
	{ "restart it", "S", "stopping" },
	{ "a key without a use", "n", "n does nothing here" },
	{ "a question", COMMAND("workers 5"), "add it" },
	{ "its answer", "a", "the number of workers changed" },
	{ "a question without an answer", "q\033[B\033[A", "stop and quit" },
	{ "do nothing", "\033", "restart it" },
	{ "pause", "p", "PAUSED" },
	{ "resume", "p", "FUZZING" },
	{ "for recordings", COMMAND("seek 1"),
		"seek is for recordings (--play)" },
	{ "a recording's speed", COMMAND("speed 2"),
		"speed is for recordings" },
	{ "copy nothing", COMMAND("copy"), "copy TEXT" },
	{ "copy", COMMAND("copy words"), "sent to the terminal's clipboard" },
	{ "edit nothing", COMMAND("edit"), "edit COMMAND [= TEXT]" },
	{ "edit", COMMAND("edit note 51ab0000 = words") "\r", "done" },
	{ "debug nothing", COMMAND("debug nothing"),
		"there is no finding nothing" },
	{ "steps of nothing", COMMAND("steps"), "steps INPUT" },
	{ "steps", COMMAND("steps 12ab34cd"), "done" },
	{ "no command", COMMAND("nonsense"),
		"there is no command \"nonsense\"" },
	{ "no arguments", COMMAND("redraw now"), "redraw takes no argument" },
	{ "wrong arguments", COMMAND("set"), "set " },
	{ "a limit", COMMAND("set timeout 77"), "from the next call on" },
	{ "no such limit", COMMAND("set nothing 1"), "that is not possible" },
	{ "the help", COMMAND("help"), "keys everywhere" },
	{ "no help", COMMAND("help") COMMAND("view dashboard"), "on average" },
	{ "a field", "?", "executions" },
	{ "another field", "\033[B", "FUZZING" },
	{ "a click on a field", CLICK("70", "4"), "FUZZING" },
	{ "all keys", "?", "keys everywhere" },
	{ "the limits", COMMAND("view dashboard") "l", "timeout" },
	{ "change one", "\r77\r", "FUZZING" },
	{ "their end", "q", "views" },
	{ "the tour", COMMAND("tour"), "1 of " },
	{ "the next step", "\r", "2 of " },
	{ "the step before", "\177", "1 of " },
	{ "its end", "\033", "views" },
	{ "pasted text", "\033[200~pasted\033[201~",
		"pasted text is ignored here; the prompt (:) accepts it" },
	{ "a message", COMMAND("say hello there"), "hello there" },
};
/* clang-format on */

static const char *const busy[] = { "busy", NULL };

static void
begin(struct session *s, const char *const *args)
{
	session_start(s, play_main, NULL, args);
	session_expect(s, "FUZZING");
}

static void
end(struct session *s)
{
	session_send(s, COMMAND("quit now"));
	assert_int_equal(session_wait(s), 1);
	session_check_restored(s);
	session_close(s);
}

static void
test_keys(void **state)
{
	struct session s;

	(void)state;
	begin(&s, busy);
	for (size_t i = 0; i < ROWS(KEYS); i++) {
		session_read(&s, 0);
		print_message("%s\n", KEYS[i].name);
		s.mark = s.len;
		session_send(&s, KEYS[i].keys);
		session_repaint(&s, KEYS[i].shows);
	}
	end(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

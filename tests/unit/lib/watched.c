/* watched: see watched.h. */
#include "lib/watched.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "control/libraries.h"
#include "control/settings.h"
#include "lib/check.h"
#include "lib/made_reply.h"
#include "ui/console/console.h"

#define PATIENCE_S 240
#define PIECE 256           /* bytes, less than a frame */
#define FIRST_BEAT_S 360000 /* no other text has such a time */

/* ---- the console's process ---- */

/* Home is the folder of the output. */
static void
watched_home(const char *output)
{
	char home[128];

	snprintf(home, sizeof(home), "%.*s",
		(int)(strrchr(output, '/') - output), output);
	if (chdir(home) != 0)
		_exit(97);
	setenv("HOME", home, 1);
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("XDG_STATE_HOME");
}

/* The operands are the descriptors of the console and of the engine. */
static int
watched_console(int argc, char **argv)
{
	struct settings settings;
	struct error err;
	int operand, status = 0;
	struct console_config config = {
		.settings = &settings,
		.target = "./png_reader",
		.owner = "",
		.report_fd = open("/dev/null", O_WRONLY),
	};

	error_clear(&err);
	libraries_prepare();
	settings_init(&settings);
	if (settings_parse_args(&settings, argc, argv, OPTION_CONSOLE, &operand,
		    &err) != OK ||
		operand != argc - 2)
		return 99;
	watched_home(settings.output);
	config.output = settings.output;
	config.control_fd = atoi(argv[operand]);
	close(atoi(argv[operand + 1]));
	if (console_run(&config, &(struct console_end){ 0 }, &err) != OK) {
		fprintf(stderr, "%s\n", err.text);
		status = 3;
	}
	settings_clear(&settings);
	return status;
}

/* ---- the engine ---- */

void
watched_say(struct watched *w, json_t *take_message)
{
	assert_non_null(take_message);
	assert_non_null(w->engine);
	assert_int_equal(frame_send(w->engine, take_message, NULL), OK);
	json_decref(take_message);
}

/* What a command changes and the next key asks for. */
static void
watched_obey(struct watched *w, const char *line)
{
	if (strcmp(line, "pause") == 0 || strcmp(line, "resume") == 0)
		w->snapshot.paused = line[0] == 'p';
	else if (strcmp(line, "pause 0") == 0 || strcmp(line, "resume 0") == 0)
		w->snapshot.workers[0].paused = line[0] == 'p';
	else
		return;
	w->snapshot.state = w->snapshot.paused ? RUN_PAUSED : RUN_FUZZING;
}

static void
watched_command(struct watched *w, const json_t *command)
{
	const char *line = json_string_value(json_object_get(command, "line"));
	const char *answer = w->answer;
	size_t len = strlen(w->commands);

	assert_true(w->greeted); /* or an engine would not read it */
	snprintf(w->commands + len, sizeof(w->commands) - len, "%s\n", line);
	watched_obey(w, line);
	if (answer == NULL)
		return;
	watched_say(w,
		json_pack("{s:{s:O, s:b, s:s}}", "answer", "id",
			json_object_get(command, "id"), "ok", answer[0] != '!',
			"text", answer + (answer[0] == '!')));
}

static void
watched_query(struct watched *w, const json_t *json)
{
	struct query query;
	uint64_t id;

	assert_int_equal(query_decode(&query, &id, json, NULL), OK);
	if (w->mute)
		return;
	watched_say(w,
		json_pack("{s:o}", "reply",
			made_reply_json(&query, id, MADE_PLAIN)));
}

static void
watched_on_message(void *arg, json_t *message)
{
	struct watched *w = arg;
	const json_t *json;

	if (json_object_get(message, "hello") != NULL)
		w->greeted = true;
	else if ((json = json_object_get(message, "command")) != NULL)
		watched_command(w, json);
	else if ((json = json_object_get(message, "query")) != NULL)
		watched_query(w, json);
}

static void
watched_on_closed(void *arg, const char *why)
{
	struct watched *w = arg;

	frame_peer_destroy(w->engine);
	w->engine = NULL;
}

static void
watched_load(struct watched *w)
{
	struct error err = { 0 };
	json_t *json =
		json_load_file(TEST_DATA "/snapshots/busy.json", 0, NULL);

	assert_non_null(json);
	snapshot_init(&w->snapshot);
	assert_int_equal(snapshot_decode(&w->snapshot, json, &err), OK);
	json_decref(json);
}

/* ---- the terminal ---- */

/* The screen is too long for the messages of cmocka. */
static void __attribute__((noreturn))
watched_fail(struct watched *w, const char *why, const char *text)
{
	fprintf(stderr, "%s `%s`\ncommands: %s\nthe screen:\n%s", why,
		text != NULL ? text : "", w->commands,
		vt_screen_text(w->screen));
	kill(w->session.pid, SIGKILL);
	fail();
	abort();
}

/* In pieces: the next frame may already remove the text. */
static void
watched_on_output(evutil_socket_t fd, short what, void *arg)
{
	struct watched *w = arg;
	struct session *s = &w->session;

	session_read(s, 0);
	while (w->fed < s->len) {
		size_t n = s->len - w->fed;

		n = n < PIECE ? n : PIECE;
		vt_screen_write(w->screen, s->seen + w->fed, n);
		w->fed += n;
		if (w->wanted != NULL && vt_screen_has(w->screen, w->wanted))
			w->wanted = NULL;
	}
}

static void
watched_on_patience(evutil_socket_t fd, short what, void *arg)
{
	struct watched *w = arg;

	if (w->unwanted != NULL)
		watched_fail(w, "still on the screen:", w->unwanted);
	watched_fail(w, "waited in vain for", w->wanted);
}

/* ---- waits ---- */

static void
watched_turn(struct watched *w)
{
	struct timeval patience = { .tv_sec = PATIENCE_S };

	if (!evtimer_pending(w->patience, NULL))
		event_add(w->patience, &patience);
	event_base_loop(w->base, EVLOOP_ONCE);
}

static void
watched_wait_wanted(struct watched *w)
{
	while (w->wanted != NULL)
		watched_turn(w);
	event_del(w->patience);
}

void
watched_expect_text(struct watched *w, const char *text)
{
	w->wanted = vt_screen_has(w->screen, text) ? NULL : text;
	watched_wait_wanted(w);
}

void
watched_expect_commands(struct watched *w, const char *lines)
{
	while (strcmp(w->commands, lines) != 0) {
		if (strncmp(w->commands, lines, strlen(w->commands)) != 0)
			watched_fail(w, "other commands than", lines);
		watched_turn(w);
	}
	event_del(w->patience);
	w->commands[0] = '\0';
}

void
watched_beat(struct watched *w)
{
	unsigned at_s = FIRST_BEAT_S + ++w->beats;
	char clock[TEXT_NUMBER_SIZE];

	w->snapshot.seq++;
	w->snapshot.elapsed_s = at_s;
	text_clock(at_s, clock);
	watched_say(w,
		json_pack("{s:o}", "snapshot",
			snapshot_encode_columns(&w->snapshot)));
	watched_expect_text(w, clock);
}

/* Not NULL: waits until it is no longer on the screen. */
static void
watched_expect_no_text(struct watched *w, const char *text)
{
	w->unwanted = text;
	while (text != NULL && vt_screen_has(w->screen, text))
		watched_turn(w);
	event_del(w->patience);
	w->unwanted = NULL;
}

void
watched_step(struct watched *w, const struct watched_step *step)
{
	print_message("%s\n", step->name);
	watched_beat(w);
	watched_expect_no_text(w, step->shows);
	if (step->gone != NULL)
		watched_expect_text(w, step->gone);
	w->wanted = step->shows;
	session_send(&w->session, step->keys);
	watched_expect_commands(w,
		step->commands != NULL ? step->commands : "");
	watched_wait_wanted(w);
	watched_expect_no_text(w, step->gone);
}

void
watched_say_expect(struct watched *w, json_t *take_message, const char *text)
{
	watched_beat(w);
	watched_expect_no_text(w, text);
	w->wanted = text;
	watched_say(w, take_message);
	watched_wait_wanted(w);
}

void
watched_expect_closed(struct watched *w)
{
	while (w->engine != NULL)
		watched_turn(w);
	event_del(w->patience);
}

void
watched_hang_up(struct watched *w)
{
	frame_peer_destroy(w->engine);
	w->engine = NULL;
	event_base_loop(w->base, EVLOOP_NONBLOCK); /* closes the socket */
}

/* ---- life ---- */

void
watched_greet(struct watched *w)
{
	watched_say(w,
		json_pack("{s:{s:i, s:s}}", "hello", "version", CONTROL_VERSION,
			"target", "png_reader"));
}

void
watched_open(struct watched *w, const char *const *env)
{
	watched_open_silent(w, env);
	watched_greet(w);
}

void
watched_open_silent(struct watched *w, const char *const *env)
{
	static const struct frame_handlers handlers = {
		.on_message = watched_on_message,
		.on_closed = watched_on_closed,
	};
	/* No `rep`, which libvterm 0.1 does not know. */
	const char *all[SESSION_WORDS] = { "TERM=tmux-256color", NULL };
	const char *args[3] = { NULL };
	char fds[2][16];
	int sockets[2];

	signal(SIGPIPE, SIG_IGN);
	memset(w, 0, sizeof(*w));
	w->answer = "";
	watched_load(w);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
	for (int i = 0; env != NULL && env[i] != NULL; i++)
		all[i + 1] = env[i];
	for (int i = 0; i < 2; i++) {
		snprintf(fds[i], sizeof(fds[i]), "%d", sockets[i]);
		args[i] = fds[i];
	}
	w->screen = vt_screen_create(24, 80);
	session_start(&w->session, watched_console, all, args);
	close(sockets[0]);
	w->base = libraries_base_new();
	w->engine = frame_peer_create(w->base, sockets[1], FRAME_TO_ENGINE_MAX,
		&handlers, w);
	w->output = event_new(w->base, w->session.master, EV_READ | EV_PERSIST,
		watched_on_output, w);
	event_add(w->output, NULL);
	w->patience = evtimer_new(w->base, watched_on_patience, w);
}

int
watched_close(struct watched *w)
{
	int status;

	event_free(w->output);
	event_free(w->patience);
	status = session_wait(&w->session);
	frame_peer_destroy(w->engine);
	event_base_free(w->base);
	vt_screen_destroy(w->screen);
	snapshot_clear(&w->snapshot);
	session_close(&w->session);
	return status;
}

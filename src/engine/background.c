/* background: an engine in a process of its own. */
#include "engine/engine.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/log.h"
#include "base/spawn.h"
#include "base/text.h"
#include "base/xmalloc.h"
#include "control/frame.h"
#include "control/json_text.h"
#include "control/libraries.h"

#define BACKGROUND_NOTE 4096
#define BACKGROUND_LINE \
	1024 /* of the system's log, which may cut longer ones */
#define BACKGROUND_STATS_MAX (8u << 20)

/* The starter is a console that leaves when fuzzing begins. */
struct starter {
	struct event_base *base;
	struct frame_peer *peer;
	struct event *stops[2]; /* SIGINT, SIGTERM; NULL: it is ignored */
	bool asked;             /* to detach, or to end */
	bool stopped;           /* by the user */
	bool detached;
	char text[ERROR_TEXT_MAX]; /* of the goodbye */
};

/* ---- the engine's process ---- */

/* Says goodbye for an engine that failed before it opened its socket. */
static void
background_say_bye(int fd, int status, const char *text)
{
	char clean[ERROR_TEXT_MAX];
	json_t *bye;
	char *line;

	/* The text may name files, and file names may hold any bytes. */
	text_clean_string(text, clean, sizeof(clean));
	bye = json_pack("{s:{s:i, s:s}}", "bye", "exit", status, "text", clean);
	line = bye != NULL ? json_dumps(bye, JSON_COMPACT) : NULL;
	/* If the front end is gone, a failed write is fine. */
	if (line == NULL || fd_write_all(fd, line, strlen(line), NULL) != OK ||
		fd_write_all(fd, "\n", 1, NULL) != OK)
		log_debug("cannot send the end: %s", clean);
	free(line);
	json_decref(bye);
}

/* A long line continues on the next one. */
static void
background_log(const char *target, const char *text)
{
	char name[ERROR_TEXT_MAX], line[4 * BACKGROUND_LINE + 1];
	size_t n;

	openlog("cfuzz", LOG_PID, LOG_USER);
	text_clean_string(target, name, sizeof(name));
	for (; *text != '\0'; text += n) {
		text += strspn(text, "\n");
		n = strcspn(text, "\n");
		n = n < BACKGROUND_LINE ? n : BACKGROUND_LINE;
		text_clean(text, n, line, sizeof(line));
		if (n > 0)
			syslog(LOG_ERR, "%s: %s", name, line);
	}
}

/* Nobody may read it before this process has ended, so it does not wait for
 * room. Whoever started the engine has left if it is detached: the system's log
 * is all that is left to tell then. */
static void
background_note(int fd, const char *target, const char *text)
{
	(void)fcntl(fd, F_SETFL, O_NONBLOCK);
	if (fd_write_all(fd, text, strlen(text), NULL) == OK)
		return;
	log_debug("nobody reads it: %s", text);
	background_log(target, text);
}

int
engine_serve(const struct engine_config *config, int control_fd, int note_fd)
{
	struct engine_config own = *config;
	enum exit_status status = EXIT_SETUP;
	struct engine *engine;
	struct error err = { 0 };

	signal(SIGPIPE, SIG_IGN);
	own.control_fd = control_fd;
	engine = engine_create(&own, &status, &err);
	if (engine == NULL)
		background_say_bye(control_fd, (int)status, err.text);
	else
		status = engine_run(engine, &err);
	if (err.code != OK)
		background_note(note_fd, config->target, err.text);
	if (engine != NULL && engine_last_words(engine)[0] != '\0') {
		background_note(note_fd, config->target,
			err.code != OK ? "\n" : "");
		background_note(note_fd, config->target,
			engine_last_words(engine));
	}
	engine_destroy(engine);
	return (int)status;
}

/* ---- the starter ---- */

static void
starter_send(struct starter *s, json_t *take_message)
{
	if (frame_send(s->peer, take_message, NULL) != OK)
		event_base_loopbreak(s->base);
	json_decref(take_message);
}

/* stats.json of this run is there: scripts that go on read it with `cfuzz ls` or
 * `cfuzz show`. It is not awaited if the disk refuses files, nor in a folder whose
 * name the snapshot cannot hold. */
static bool
starter_has_stats(const json_t *snapshot)
{
	const char *output = json_text_of(snapshot, "output");
	char *path = xasprintf("%s/stats.json", output);
	json_t *stats = NULL;
	uint8_t *data;
	size_t len;
	bool has;

	if (file_read(path, BACKGROUND_STATS_MAX, &data, &len, NULL) == OK) {
		stats = json_loadb((const char *)data, len, 0, NULL);
		free(data);
	}
	has = json_count_of(snapshot, "unsaved") > 0 || !dir_exists(output) ||
		json_count_of(stats, "runs") == json_count_of(snapshot, "runs");
	json_decref(stats);
	free(path);
	return has;
}

static void
starter_on_message(void *arg, json_t *message)
{
	struct starter *s = arg;
	const json_t *snapshot = json_object_get(message, "snapshot");
	const char *state = json_text_get(snapshot, "state");
	const json_t *bye = json_object_get(message, "bye");
	const char *text = json_text_get(bye, "text");

	if (bye != NULL) {
		s->detached = json_is_true(json_object_get(bye, "detached"));
		snprintf(s->text, sizeof(s->text), "%s",
			text != NULL ? text : "");
		event_base_loopbreak(s->base);
	} else if (state != NULL && strcmp(state, "starting") != 0 &&
		!s->asked && starter_has_stats(snapshot)) {
		s->asked = true;
		starter_send(s,
			json_pack("{s:{s:i, s:s}}", "command", "id", 1, "line",
				"detach"));
	}
}

static void
starter_on_closed(void *arg, const char *why)
{
	struct starter *s = arg;

	log_debug("the engine is gone: %s", why);
	event_base_loopbreak(s->base);
}

/* The engine has left our terminal: ^C is only for us. */
static void
starter_on_stop(evutil_socket_t signo, short what, void *arg)
{
	struct starter *s = arg;

	s->asked = s->stopped = true;
	starter_send(s,
		json_pack("{s:{s:i, s:s}}", "command", "id", 2, "line",
			"quit now"));
}

/* Takes fd. */
static void
starter_wait(struct starter *s, int fd)
{
	static const struct frame_handlers handlers = {
		.on_message = starter_on_message,
		.on_closed = starter_on_closed,
	};
	static const int stops[] = { SIGINT, SIGTERM };

	signal(SIGPIPE, SIG_IGN);
	s->base = libraries_base_new();
	s->peer = frame_peer_create(s->base, fd, FRAME_TO_CONSOLE_MAX,
		&handlers, s);
	for (size_t i = 0; i < sizeof(stops) / sizeof(*stops); i++)
		s->stops[i] = libraries_watch_end(s->base, stops[i],
			starter_on_stop, s);
	starter_send(s,
		json_pack("{s:{s:i}}", "hello", "version", CONTROL_VERSION));
	event_base_dispatch(s->base);
	for (size_t i = 0; i < sizeof(stops) / sizeof(*stops); i++)
		if (s->stops[i] != NULL)
			event_free(s->stops[i]);
	frame_peer_destroy(s->peer);
	event_base_free(s->base);
}

/* The engine's own words say more than its goodbye. */
static int
background_fail(const struct starter *s, pid_t pid, int note_fd)
{
	char note[BACKGROUND_NOTE + 1];
	size_t len = 0;
	ssize_t n;
	int status = 0;

	while (len < BACKGROUND_NOTE &&
		(n = read(note_fd, note + len, BACKGROUND_NOTE - len)) > 0)
		len += (size_t)n;
	note[len] = '\0';
	waitpid(pid, &status, 0);
	if (len > 0 || s->text[0] != '\0')
		fprintf(stderr, "cfuzz: %s\n", len > 0 ? note : s->text);
	else if (s->stopped)
		fputs("cfuzz: stopped: no campaign runs\n", stderr);
	return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_LOST;
}

static int
background_wait(pid_t pid, int *control, int *note)
{
	struct starter starter = { 0 };
	int status = 0;

	fd_close(&control[1]);
	fd_close(&note[1]);
	starter_wait(&starter, control[0]);
	control[0] = -1;
	if (starter.detached)
		puts(starter.text);
	else
		status = background_fail(&starter, pid, note[0]);
	fd_close(&note[0]);
	return status;
}

int
engine_start_detached(const struct engine_config *config)
{
	int control[2], note[2];
	struct error err = { 0 };
	pid_t pid;

	if (fd_socketpair(control, &err) != OK || fd_pipe(note, &err) != OK) {
		fprintf(stderr, "cfuzz: %s\n", err.text);
		return EXIT_SETUP;
	}
	fflush(NULL);
	pid = fork();
	if (pid < 0) {
		perror("cfuzz: cannot start a process");
		return EXIT_SETUP;
	}
	if (pid == 0) {
		fd_close(&control[0]);
		fd_close(&note[0]);
		spawn_leave_terminal();
		_exit(engine_serve(config, control[1], note[1]));
	}
	return background_wait(pid, control, note);
}

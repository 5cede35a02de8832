/*
 * session: a program in a child process on a pseudo-terminal.
 *
 * A test that wants it says `FLAGS: -lutil`.
 */
#ifndef CFUZZ_TESTS_SESSION_H
#define CFUZZ_TESTS_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

#define SESSION_PATIENCE_MS 240000
#define SESSION_WORDS 12 /* of a command line, with a NULL */

struct session {
	int master;
	int keep; /* the other side, kept open to read its modes */
	pid_t pid;
	char *seen; /* all output so far */
	size_t len, mark;
	struct termios before;
	char dir[64];
};

/* In the child; returns the exit status. */
typedef int session_main_fn(int argc, char **argv);

/*
 * Runs it with "-o FOLDER/out" and the other arguments, with 80x24 characters.
 * env, args: NULL-ended; env may be NULL.
 */
void session_start(struct session *s, session_main_fn *run,
	const char *const *env, const char *const *args);
void session_close(struct session *s);

void session_send(struct session *s, const char *bytes);
/* Waits until all that was sent was read; reads nothing. */
void session_wait_taken(const struct session *s);
/* Reads what is there; waits for it at most so long. */
void session_read(struct session *s, int wait_ms);
/* Waits for the text in the output after the last match. */
void session_expect(struct session *s, const char *text);
bool session_has(const struct session *s, const char *text);
/*
 * Redraws until the screen shows the text: after an Escape a key may be read as
 * part of a sequence.
 */
void session_redraw(struct session *s, const char *text);
/* The same for a message, which the next key would remove. */
void session_repaint(struct session *s, const char *text);
/* Waits for the end; returns the exit status. */
int session_wait(struct session *s);
/* Fails unless the terminal has its modes of before, and its screen. */
void session_check_restored(struct session *s);
/* The pid of the console (0) or of the engine (1). */
pid_t session_child_pid(const struct session *s, int which);

#endif

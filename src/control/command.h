/*
 * command: requests of a front end, as lines of text.
 *
 * Keys, the `:` prompt, scripts and the control socket all send these lines,
 * and the table lists all of them. Blanks separate the words. A word in double
 * quotes may contain blanks, and "" in it is one quote. The text of `note`
 * needs no quotes. The parser checks the name and the number of arguments. The
 * engine checks the arguments themselves and answers with one sentence.
 */
#ifndef CFUZZ_CONTROL_COMMAND_H
#define CFUZZ_CONTROL_COMMAND_H

#include <stddef.h>

#include "shared/status.h"

#define COMMAND_ARGS_MAX 4
#define COMMAND_DIGITS_MIN 4   /* that an abbreviated id needs */
#define COMMAND_LINE_MAX 1024u /* bytes, with the zero byte */

/* The N of `replay` and `fuzz` if none is given; ten calls take about a second
 * of one worker. */
#define COMMAND_REPLAYS 5
#define COMMAND_FUZZ_CALLS 10

/* The actions of the command `step`, which controls a minimization. */
#define COMMAND_STEPS \
	"hold|go|next|accepted|back|undo|skip|accept|slower|faster"

enum command_id {
	COMMAND_PAUSE,    /* pause [WORKER] */
	COMMAND_RESUME,   /* resume [WORKER] */
	COMMAND_WORKERS,  /* workers N | +1 | -1 */
	COMMAND_SET,      /* set OPTION VALUE */
	COMMAND_STOP,     /* stop [WORKER]: go to the next stop step */
	COMMAND_QUIT,     /* quit [now|minimized] */
	COMMAND_MINIMIZE, /* minimize INPUT [held] */
	COMMAND_STEP,     /* step ACTION [INPUT] */
	COMMAND_REPLAY,   /* replay FINDING [N] */
	COMMAND_ACCEPT,   /* accept FINDING */
	COMMAND_MARK,     /* mark FINDING STATE */
	COMMAND_NOTE,     /* note FINDING [TEXT] */
	COMMAND_EXPORT,   /* export FINDING [FOLDER] */
	COMMAND_FUZZ,     /* fuzz INPUT [N] */
	COMMAND_TAKE,     /* take: control instead of watch */
	COMMAND_GIVE,     /* give [USER]: pass control on */
	COMMAND_DETACH,   /* detach: the campaign goes on */
	COMMAND_PING,     /* ping: does the engine answer? */
	COMMAND_COUNT
};

struct command_row {
	enum command_id id;
	const char *name;
	int min_args, max_args;
	const char *usage; /* "set OPTION VALUE" */
	const char *help;  /* one sentence */
};

/* A parsed line; it points into itself, so it must not be copied. */
struct command {
	enum command_id id;
	int argc;                     /* without the name */
	char *argv[COMMAND_ARGS_MAX]; /* into `line` */
	char line[COMMAND_LINE_MAX];
};

const struct command_row *command_row(enum command_id id);
const struct command_row *command_find(const char *name); /* NULL: unknown */

/*
 * E_RANGE: the line is too long; E_FORMAT: it is empty; E_NOT_FOUND: no such
 * command; E_USAGE: too few or too many arguments.
 */
enum status command_parse(const char *line, struct command *command,
	struct error *err) MUST_CHECK;

/*
 * Writes a word in double quotes, for a line; it may contain spaces or be
 * empty. size: at least 4. A word that does not fit is cut, but its closing
 * quote is there.
 */
void command_quote(const char *word, char *buf, size_t size);

#endif

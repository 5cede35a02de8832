/*
 * command: the table of the engine's commands and the parser, see command.h.
 */

#include "control/command.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define COMMAND_TEXT_OF(n) #n
#define COMMAND_TEXT(n) COMMAND_TEXT_OF(n) /* of a number with a name */
#define COMMAND_SHOWN 64 /* bytes of a bad name quoted in a message */

/* clang-format off */
static const struct command_row COMMAND_TABLE[COMMAND_COUNT] = {
	[COMMAND_PAUSE] = { COMMAND_PAUSE, "pause", 0, 1,
		"pause [WORKER]",
		"Pause all workers, or one." },
	[COMMAND_RESUME] = { COMMAND_RESUME, "resume", 0, 1,
		"resume [WORKER]",
		"Resume all workers, or one." },
	[COMMAND_WORKERS] = { COMMAND_WORKERS, "workers", 1, 1,
		"workers N|+1|-1",
		"Change the number of workers." },
	[COMMAND_SET] = { COMMAND_SET, "set", 2, 2,
		"set OPTION VALUE",
		"Change an option; it applies from the next call on." },
	[COMMAND_STOP] = { COMMAND_STOP, "stop", 0, 1,
		"stop [WORKER]",
		"Stop the campaign, or restart one worker; again: "
		"interrupt, then kill." },
	[COMMAND_QUIT] = { COMMAND_QUIT, "quit", 0, 1,
		"quit [now|minimized]",
		"End the campaign, at once or after the minimization." },
	[COMMAND_MINIMIZE] = { COMMAND_MINIMIZE, "minimize", 1, 2,
		"minimize INPUT [held]",
		"Minimize the input of a finding, or a corpus entry; "
		"held: step by step." },
	[COMMAND_STEP] = { COMMAND_STEP, "step", 1, 2,
		"step " COMMAND_STEPS " [INPUT]",
		"Step through a minimization, try by try." },
	[COMMAND_REPLAY] = { COMMAND_REPLAY, "replay", 1, 2,
		"replay FINDING [N]",
		"Run a finding N more times, " COMMAND_TEXT(COMMAND_REPLAYS)
		" if none is given, each in a fresh process." },
	[COMMAND_ACCEPT] = { COMMAND_ACCEPT, "accept", 1, 1,
		"accept FINDING",
		"Mark a finding as accepted: no failure, but in all reports." },
	[COMMAND_MARK] = { COMMAND_MARK, "mark", 2, 2,
		"mark FINDING new|known|accepted",
		"Set the state of a finding; only an accepted one is no failure." },
	[COMMAND_NOTE] = { COMMAND_NOTE, "note", 1, 2,
		"note FINDING [TEXT]",
		"Set or delete the note of a finding." },
	[COMMAND_EXPORT] = { COMMAND_EXPORT, "export", 1, 2,
		"export FINDING [FOLDER]",
		"Write a folder with everything for a bug report." },
	[COMMAND_FUZZ] = { COMMAND_FUZZ, "fuzz", 1, 2,
		"fuzz INPUT [N]",
		"Mutate only this input in the next N calls, "
		COMMAND_TEXT(COMMAND_FUZZ_CALLS) " if none is given." },
	[COMMAND_TAKE] = { COMMAND_TAKE, "take", 0, 0,
		"take",
		"Take control of a campaign that you watch." },
	[COMMAND_GIVE] = { COMMAND_GIVE, "give", 0, 1,
		"give [USER]",
		"Pass control on to one who watches." },
	[COMMAND_DETACH] = { COMMAND_DETACH, "detach", 0, 0,
		"detach",
		"Leave the console; the campaign goes on." },
	[COMMAND_PING] = { COMMAND_PING, "ping", 0, 0,
		"ping",
		"Check that the engine responds." },
};
/* clang-format on */

const struct command_row *
command_row(enum command_id id)
{
	return &COMMAND_TABLE[id];
}

const struct command_row *
command_find(const char *name)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		if (strcmp(COMMAND_TABLE[i].name, name) == 0)
			return &COMMAND_TABLE[i];
	return NULL;
}

/* Finds the closing quote; NULL: there is none. */
static char *
command_quoted(char *word)
{
	char *end = strchr(word, '"');

	while (end && end[1] == '"')
		end = strchr(end + 2, '"');
	return end;
}

static char *
command_unquote(char *word, char *end, char **next)
{
	char *to = word;

	for (const char *from = word; from < end; from++) {
		*to++ = *from;
		from += *from == '"';
	}
	*to = '\0';
	*next = end + 1;
	return word;
}

/*
 * Takes the next word of the line and terminates it in place; NULL: no word is
 * left. Spaces separate words. A word that begins with a double quote extends
 * to the next one, so that it may contain spaces. Within it, "" stands for one
 * double quote.
 */
static char *
command_word(char **next)
{
	char *word = *next + strspn(*next, " \t");
	char *end;

	if (*word == '\0')
		return NULL;
	if (*word == '"' && (end = command_quoted(word + 1)))
		return command_unquote(word + 1, end, next);
	end = word + strcspn(word, " \t");
	*next = *end ? end + 1 : end;
	*end = '\0';
	return word;
}

/*
 * Takes the rest of the line as one text, without blanks around it; NULL: there
 * is none. Only if all of it is in double quotes, it is unquoted like a word.
 */
static char *
command_text(char **next)
{
	char *text = *next + strspn(*next, " \t"), *quote;
	size_t len = strlen(text);

	while (len > 0 && strchr(" \t", text[len - 1]) != NULL)
		len--;
	*next = text + len;
	**next = '\0';
	quote = *text == '"' ? command_quoted(text + 1) : NULL;
	if (quote != NULL && quote + 1 == *next)
		return command_unquote(text + 1, quote, next);
	return len > 0 ? text : NULL;
}

void
command_quote(const char *word, char *buf, size_t size)
{
	size_t n = 0;

	buf[n++] = '"';
	for (; *word != '\0' && n + 4 < size; word++) {
		buf[n++] = *word;
		if (*word == '"')
			buf[n++] = '"';
	}
	buf[n++] = '"';
	buf[n] = '\0';
}

static enum status
command_unknown(const char *name, struct error *err)
{
	char shown[COMMAND_SHOWN], names[256] = "";
	size_t len = 0;

	for (size_t i = 0; i < COMMAND_COUNT && len < sizeof(names); i++)
		len += (size_t)snprintf(names + len, sizeof(names) - len,
			"%s%s", i ? ", " : "", COMMAND_TABLE[i].name);
	text_clean_string(name, shown, sizeof(shown));
	return error_set(err, E_NOT_FOUND,
		"there is no command \"%s\", only %s", shown, names);
}

enum status
command_parse(const char *line, struct command *command, struct error *err)
{
	const struct command_row *row;
	size_t len = strlen(line);
	char *next, *word;
	int argc = 0;

	if (len >= COMMAND_LINE_MAX)
		return error_set(err, E_RANGE,
			"a command has at most %u characters",
			COMMAND_LINE_MAX - 1);
	*command = (struct command){ 0 };
	memcpy(command->line, line, len + 1);
	next = command->line;
	word = command_word(&next);
	if (!word)
		return error_set(err, E_FORMAT, "the command is empty");
	row = command_find(word);
	if (!row)
		return command_unknown(word, err);
	for (;; argc++) {
		bool is_text =
			row->id == COMMAND_NOTE && argc + 1 == row->max_args;

		word = is_text ? command_text(&next) : command_word(&next);
		if (word == NULL)
			break;
		if (argc < row->max_args)
			command->argv[argc] = word;
	}
	if (argc < row->min_args || argc > row->max_args)
		return error_set(err, E_USAGE, "write: %s", row->usage);
	command->id = row->id;
	command->argc = argc;
	return OK;
}

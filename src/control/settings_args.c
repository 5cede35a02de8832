/*
 * settings_args: the command line and its help, see settings.h.
 *
 * Accepts `--opt value`, `--opt=value`, `-j value` and `-jvalue`; a flag is
 * `--opt`, `--no-opt` or `--opt=off`. An optional argument needs the `=`. Not
 * getopt_long(): each tool takes some rows of one table, names cannot be
 * shortened, and an unknown one is answered with the nearest.
 */

#include "control/settings.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define ARGS_SHOWN 64    /* bytes of a bad argument quoted in a message */
#define ARGS_NAME_MAX 32 /* no option has a longer name */
#define ARGS_HELP_COLUMN 28
#define ARGS_WIDTH 80

struct args {
	int argc;
	char **argv;
	int next; /* index of the next argument */
	unsigned front_end;
	const enum option_id *options; /* see settings_parse_some() */
};

/* One option on the command line. */
struct arg {
	const char *text; /* the whole argument, for messages */
	const struct option *row;
	const char *value; /* after `=` or the letter, or NULL */
	bool negated;      /* --no-… */
};

/* Whether the row is an option of this front end (0: of all). */
static bool
option_belongs(const struct option *row, unsigned front_end)
{
	unsigned owners = row->flags & (OPTION_CONSOLE | OPTION_RUN);

	return owners == 0 || front_end == 0 || owners & front_end;
}

/* ---- the nearest name --------------------------------------------------- */

static size_t
args_min3(size_t a, size_t b, size_t c)
{
	size_t least = a < b ? a : b;

	return least < c ? least : c;
}

/* The Levenshtein distance of a and b. */
static size_t
args_distance(const char *a, const char *b)
{
	size_t row[ARGS_NAME_MAX + 1], n = strlen(b);

	for (size_t j = 0; j <= n; j++)
		row[j] = j;
	for (size_t i = 0; a[i]; i++) {
		size_t diagonal = row[0];

		row[0] = i + 1;
		for (size_t j = 0; j < n; j++) {
			size_t up = row[j + 1];

			row[j + 1] = args_min3(up + 1, row[j] + 1,
				diagonal + (a[i] != b[j]));
			diagonal = up;
		}
	}
	return row[n];
}

/* The distance to an option; SIZE_MAX: too far. */
static size_t
args_away(const char *name, const char *option)
{
	size_t len = strlen(name), distance;

	if (len == 0 || len > ARGS_NAME_MAX || strlen(option) > ARGS_NAME_MAX)
		return SIZE_MAX;
	/* a prefix is near, however much is missing */
	if (len >= 3 && strncmp(option, name, len) == 0)
		return 0;
	distance = args_distance(name, option);
	return distance < len / 3 + 2 && 2 * distance < len ? distance
							    : SIZE_MAX;
}

bool
settings_is_near(const char *name, const char *option)
{
	return args_away(name, option) != SIZE_MAX;
}

const char *
settings_nearest(const char *name, unsigned front_end,
	const enum option_id *options)
{
	size_t best = SIZE_MAX;
	const char *nearest = NULL;

	for (int id = 0; id < OPT_COUNT_; id++) {
		const struct option *row = settings_option((enum option_id)id);
		size_t distance = args_away(name, row->name);

		if (distance < best && option_belongs(row, front_end) &&
			settings_takes(options, (enum option_id)id)) {
			best = distance;
			nearest = row->name;
		}
	}
	return nearest;
}

/* The name that afl-fuzz or libFuzzer has for one of these options. */
struct foreign {
	const char *name;
	enum option_id ours;
	const char *hint; /* how the value is written here, or "" */
};

/* NULL: nothing. */
static const struct foreign *
args_foreign(const char *name)
{
	static const struct foreign rows[] = {
		{ "i", OPT_SEEDS, "" },
		{ "m", OPT_RSS_LIMIT, "" },
		{ "t", OPT_TIMEOUT, "" },
		{ "V", OPT_FUZZTIME, ", such as 60s" },
		{ "x", OPT_DICT, "" },
		{ "artifact_prefix", OPT_OUTPUT, "" },
		{ "fork", OPT_PARALLEL, "" },
		{ "jobs", OPT_PARALLEL, "" },
		{ "max_total_time", OPT_FUZZTIME, ", such as 60s" },
		{ "runs", OPT_FUZZTIME, ", such as 1000x" },
		{ "timeout", OPT_TIMEOUT, ", in milliseconds" },
		{ "workers", OPT_PARALLEL, "" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

/* ---- one argument ------------------------------------------------------- */

static enum status
args_unknown(const struct args *args, const struct arg *arg, const char *name,
	struct error *err)
{
	const struct foreign *foreign = args_foreign(name);
	bool known = foreign && settings_takes(args->options, foreign->ours);
	const char *near = known
		? settings_option(foreign->ours)->name
		: settings_nearest(name, args->front_end, args->options);
	const char *hint = known ? foreign->hint : "";
	char shown[ARGS_SHOWN];

	text_clean(arg->text, strcspn(arg->text, "="), shown, sizeof(shown));
	if (near)
		error_set(err, E_USAGE,
			"unknown option %s; did you mean --%s%s?", shown, near,
			hint);
	else
		error_set(err, E_USAGE,
			"unknown option %s; --help lists all of them", shown);
	return E_USAGE;
}

static const struct option *
args_find_letter(char letter)
{
	for (int id = 0; id < OPT_COUNT_; id++) {
		const struct option *row = settings_option((enum option_id)id);

		if (row->letter && row->letter == letter)
			return row;
	}
	return NULL;
}

/* Finds `x` for `no-x`, and `no-x` for `x`. */
static const struct option *
args_find_opposite(const char *name)
{
	char opposite[ARGS_NAME_MAX + 4];

	if (strncmp(name, "no-", 3) == 0)
		return settings_find(name + 3);
	snprintf(opposite, sizeof(opposite), "no-%s", name);
	return settings_find(opposite);
}

/* `--name`, `--name=value`, `--no-name` */
static enum status
args_take_long(const struct args *args, struct arg *arg, struct error *err)
{
	const char *start = arg->text + 2;
	size_t len = strcspn(start, "=");
	char name[ARGS_NAME_MAX + 1];

	snprintf(name, sizeof(name), "%.*s", (int)len, start);
	if (start[len] == '=')
		arg->value = start + len + 1;
	if (len > ARGS_NAME_MAX)
		return args_unknown(args, arg, "", err);
	arg->row = settings_find(name);
	if (arg->row)
		return OK;
	arg->row = args_find_opposite(name);
	arg->negated = true;
	if (!arg->row || arg->row->type != OPTION_FLAG || arg->value)
		return args_unknown(args, arg, name, err);
	return OK;
}

/* `-only_ascii=1`, `-jobs 2`, as for libFuzzer: not the value of a letter. */
static bool
args_is_name(const char *text)
{
	size_t len = strspn(text, "-abcdefghijklmnopqrstuvwxyz_");

	return len > 2 && (text[len] == '=' || args_foreign(text + 1));
}

/* `-j`, `-j4`, `-j=4`. If the letter is unknown, a long name is suggested. */
static enum status
args_take_letter(const struct args *args, struct arg *arg, struct error *err)
{
	const char *text = arg->text;
	char name[ARGS_NAME_MAX + 1];
	size_t len = strcspn(text + 1, "=");

	arg->row = args_find_letter(text[1]);
	if (arg->row && text[2] && arg->row->type != OPTION_FLAG &&
		!args_is_name(text))
		arg->value = text + (text[2] == '=' ? 3 : 2);
	if (arg->row && (!text[2] || arg->value))
		return OK;
	snprintf(name, sizeof(name), "%.*s", (int)len, text + 1);
	return args_unknown(args, arg, name, err);
}

static enum status
args_take(struct args *args, struct arg *arg, struct error *err)
{
	enum status status;

	*arg = (struct arg){ .text = args->argv[args->next++] };
	if (arg->text[1] == '-')
		status = args_take_long(args, arg, err);
	else
		status = args_take_letter(args, arg, err);
	if (status != OK || arg->row == NULL)
		return E_USAGE;
	if (!option_belongs(arg->row, args->front_end))
		return error_set(err, E_USAGE, "--%s is an option of %s only",
			arg->row->name,
			arg->row->flags & OPTION_CONSOLE ? "cfuzz-tui"
							 : "cfuzz run");
	return OK;
}

/* The value is part of the option, implied, or the next argument. */
static enum status
args_value(struct args *args, struct arg *arg, struct error *err)
{
	if (arg->negated)
		arg->value = "off";
	else if (!arg->value && arg->row->bare)
		arg->value = arg->row->bare;
	else if (!arg->value && args->next < args->argc)
		arg->value = args->argv[args->next++];
	if (!arg->value)
		return error_set(err, E_USAGE,
			"--%s needs an argument: --%s %s", arg->row->name,
			arg->row->name, arg->row->arg);
	if (!*arg->value && arg->row->type == OPTION_TEXT)
		return error_set(err, E_USAGE,
			"--%s needs an argument, but it is empty",
			arg->row->name);
	return OK;
}

enum status
settings_parse_args(struct settings *settings, int argc, char **argv,
	unsigned front_end, int *operand, struct error *err)
{
	return settings_parse_some(settings, argc, argv, front_end, NULL,
		operand, err);
}

enum status
settings_parse_some(struct settings *settings, int argc, char **argv,
	unsigned front_end, const enum option_id *options, int *operand,
	struct error *err)
{
	struct args args = { .argc = argc,
		.argv = argv,
		.next = 1,
		.front_end = front_end,
		.options = options };
	enum status status;
	struct arg arg;

	for (*operand = argc; args.next < argc;) {
		const char *text = argv[args.next];

		if (text[0] != '-' || text[1] == '\0')
			break;
		if (strcmp(text, "--") == 0) {
			settings->separated = true;
			args.next++;
			break;
		}
		status = args_take(&args, &arg, err);
		if (status == OK)
			status = args_value(&args, &arg, err);
		if (status == OK)
			status = settings_set(settings, arg.row->name,
				arg.value, ORIGIN_FLAG, err);
		if (status != OK)
			return status;
	}
	*operand = args.next;
	return OK;
}

/* ---- behind the target -------------------------------------------------- */

/* Only letters that another program is unlikely to use: "-j", "-j4". */
static bool
args_is_letter(const char *text)
{
	const struct option *row = args_find_letter(text[1]);

	return row != NULL &&
		(text[2] == '\0' ||
			(row->type == OPTION_COUNT &&
				strspn(text + 2, "0123456789") ==
					strlen(text + 2)));
}

static bool
args_is_ours(char *text)
{
	struct args args = { .argc = 1, .argv = &text };
	struct error unused = { 0 };
	struct arg arg;

	if (text[0] != '-' || text[1] == '\0')
		return false;
	return text[1] == '-' ? args_take(&args, &arg, &unused) == OK
			      : args_is_letter(text);
}

enum status
settings_check_arguments(const struct settings *settings, char *const *argv,
	int operand, struct error *err)
{
	char target[ARGS_SHOWN], shown[ARGS_SHOWN];

	if (settings->separated || argv[operand] == NULL)
		return OK;
	for (char *const *at = argv + operand + 1; *at != NULL; at++) {
		if (strcmp(*at, "--") == 0)
			return OK;
		if (!args_is_ours(*at))
			continue;
		text_clean(*at, strcspn(*at, "="), shown, sizeof(shown));
		text_clean_string(argv[operand], target, sizeof(target));
		return error_set(err, E_USAGE,
			"%s stands behind the target %s, which would get it as "
			"an argument: write it before the target, or write -- "
			"before the target if the target is to get it",
			shown, target);
	}
	return OK;
}

char **
settings_target_arguments(struct settings *settings, char **argv, int operand)
{
	char **args = argv + operand + 1;

	if (settings->separated || *args == NULL || strcmp(*args, "--") != 0)
		return args;
	settings->separated = true;
	return args + 1;
}

/* ---- help --------------------------------------------------------------- */

/* A text under construction; text that does not fit is cut. */
struct help {
	char *buf;
	size_t size, len;
	size_t column;
};

static void
help_add(struct help *help, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (help->len + 1 < help->size)
			help->buf[help->len++] = text[i];
		help->column = text[i] == '\n' ? 0 : help->column + 1;
	}
}

static void
help_indent(struct help *help)
{
	if (help->column >= ARGS_HELP_COLUMN)
		help_add(help, "\n", 1);
	while (help->column < ARGS_HELP_COLUMN)
		help_add(help, " ", 1);
}

/* Adds a sentence, with line breaks between words. */
static void
help_sentence(struct help *help, const char *text)
{
	help_indent(help);
	while (*text) {
		size_t len = strcspn(text, " ");

		if (help->column + len + 1 > ARGS_WIDTH)
			help_indent(help);
		if (help->column > ARGS_HELP_COLUMN)
			help_add(help, " ", 1);
		help_add(help, text, len);
		text += len + (text[len] == ' ');
	}
	help_add(help, "\n", 1);
}

/* `  -j, --parallel N`, `      --debug[=FILE]` */
static void
help_name(struct help *help, const struct option *row)
{
	char text[128];
	int len;

	if (row->letter)
		len = snprintf(text, sizeof(text), "  -%c, ", row->letter);
	else
		len = snprintf(text, sizeof(text), "      ");
	help_add(help, text, (size_t)len);
	if (row->type == OPTION_FLAG)
		len = snprintf(text, sizeof(text), "--%s", row->name);
	else if (row->bare)
		len = snprintf(text, sizeof(text), "--%s[=%s]", row->name,
			row->arg);
	else
		len = snprintf(text, sizeof(text), "--%s %s", row->name,
			row->arg);
	help_add(help, text, (size_t)len);
}

static void
help_option(struct help *help, const struct option *row)
{
	char text[256];

	help_name(help, row);
	if (!*row->def || row->type == OPTION_FLAG || row->type == OPTION_SEED)
		snprintf(text, sizeof(text), "%s", row->help);
	else
		snprintf(text, sizeof(text), "%.*s (default: %s).",
			(int)strlen(row->help) - 1, row->help, row->def);
	help_sentence(help, text);
	if (row->words && strchr(row->words, '|'))
		help_sentence(help, row->words);
}

void
settings_help(unsigned front_end, char *buf, size_t size)
{
	struct help help = { .buf = buf, .size = size };

	if (size == 0)
		return;
	for (int id = 0; id < OPT_COUNT_; id++) {
		const struct option *row = settings_option((enum option_id)id);

		if (option_belongs(row, front_end))
			help_option(&help, row);
	}
	buf[help.len] = '\0';
}

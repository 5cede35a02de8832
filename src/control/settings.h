/*
 * settings: all options in one table, for all front ends.
 *
 * Command line, limits dialog, `set` command, snapshot and manual read the same
 * rows. A row has type, range, default, help, and whether the value may change
 * while a campaign runs.
 */
#ifndef CFUZZ_CONTROL_SETTINGS_H
#define CFUZZ_CONTROL_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control/budget.h"
#include "control/option.h"
#include "shared/status.h"

#define SETTINGS_MAX_LEN_MAX (100u << 20) /* of --max-len; of an input's file */

struct texts {
	char **items; /* owned */
	size_t n;
};

enum option_origin {
	ORIGIN_DEFAULT,
	ORIGIN_FLAG, /* the command line */
	ORIGIN_KEY   /* a key or a command during the campaign */
};

struct settings {
	uint64_t parallel; /* workers, 1 … 256 */
	struct budget fuzztime, minimizetime;
	uint64_t timeout_ms; /* per input */
	/* RssAnon and swap of a worker, MiB; 0 = no limit */
	uint64_t rss_limit_mb;
	uint64_t max_len;    /* bytes */
	uint64_t chain;      /* mutations before the input is reset */
	uint64_t verify;     /* replays of each new finding, 0 = off */
	char *schedule;      /* "energy" … */
	char *minimize_rule; /* "same-bucket", "same-kind", "any-failure" */
	uint64_t start_timeout_ms, stop_step_ms, finish_time_ms;
	uint64_t seed; /* 0 = the engine chooses one */
	struct texts dict, seeds;
	struct texts readable;  /* paths that isolated targets may read */
	char *output;           /* "" = <base name of target>.cfuzz */
	uint64_t corpus_mem_mb; /* MiB of inputs that stay in memory */
	uint64_t file_limit_mb; /* MiB of a file of the target, 0 = no limit */
	char *input_file;       /* file from which a program reads, "" = none */
	char *cmplog; /* program of AFL++ built with CmpLog, "" = none */
	bool fail_on_exit;
	bool minimize_blank;
	bool stop_on_crash, deterministic, clean_env, no_leaks;
	bool isolate;
	bool stop_on_hangup, detach;
	uint64_t stop_after_idle_ms; /* without anything new, 0 = no limit */
	char *on_finding, *on_end;   /* command lines, "" = none */
	uint64_t hook_time_ms;       /* for one such command */
	char *http;                  /* "[ADDR:]PORT", "" = none */
	char *share_group;           /* the group that may watch, "" = none */
	char *coverage; /* "auto", "none": if the target is not instrumented */
	char *record, *play; /* files, "" = none */
	bool tour;
	bool json;
	uint64_t control_fd; /* inherited socket, 0 = none */
	char *debug;         /* file, "" = off */
	char *theme;         /* name or file, "" = default */
	char *keys;          /* file, "" = the user's own */
	bool no_color, ascii, no_mouse;
	bool help, version; /* were given */
	bool separated;     /* "--" precedes the operands or arguments */
	/* `cfuzz ci`: fuzztime counts from the start, only new findings make
	 * exit status 1. */
	bool ci;
	uint8_t origin[OPT_COUNT_]; /* enum option_origin */
};

/* The row of an option; a name is without dashes. */
const struct option *settings_option(enum option_id id);
const struct option *settings_find(const char *name); /* NULL: unknown */

/* The number of processors that this process may use, 1 … 256. */
uint64_t settings_processors(void);

void settings_init(struct settings *settings); /* the defaults */
void settings_clear(struct settings *settings);
/* `to` must be initialised; its old content is freed. */
void settings_copy(struct settings *to, const struct settings *from);

/*
 * Sets one option from text; a repeatable option gets one more item. On failure
 * nothing changes, and the message names the option, the text, and the expected
 * range or form. E_NOT_FOUND: no such option; E_FORMAT, E_RANGE: the value;
 * E_STATE: ORIGIN_KEY, and the option is not OPTION_LIVE.
 */
enum status settings_set(struct settings *settings, const char *name,
	const char *value, enum option_origin origin, struct error *err)
	MUST_CHECK;

/*
 * The current value as text that settings_set() accepts, cut at size - 1 bytes.
 * A repeatable option gives a list that is only for display.
 */
void settings_format(const struct settings *settings, enum option_id id,
	char *buf, size_t size);

/*
 * Parses options from argv[1] up to the first operand or "--". *operand is the
 * index of the first operand (argc: none). `front_end` is 0 or the OPTION_…
 * flag of the front end. E_USAGE: an unknown option, one of another front end,
 * or a missing value; other errors: see settings_set().
 */
enum status settings_parse_args(struct settings *settings, int argc,
	char **argv, unsigned front_end, int *operand, struct error *err)
	MUST_CHECK;
/* The same for a command that takes these options alone, ended by OPT_COUNT_;
 * NULL: all. No other is suggested; that none is given is for the caller to
 * check, with settings_takes(). */
enum status settings_parse_some(struct settings *settings, int argc,
	char **argv, unsigned front_end, const enum option_id *options,
	int *operand, struct error *err) MUST_CHECK;
/* Is it one of these options? --help and --version always are. */
bool settings_takes(const enum option_id *options, enum option_id id);

/*
 * Arguments after TARGET, argv[operand], belong to the target. An option of
 * cfuzz there is probably a mistake (E_USAGE), unless "--" precedes it. argv
 * ends with NULL.
 */
enum status settings_check_arguments(const struct settings *settings,
	char *const *argv, int operand, struct error *err) MUST_CHECK;

/* The arguments of TARGET, argv[operand]. A "--" right behind it, as in other
 * commands of cfuzz, is not one of them, unless a "--" stands before it. */
char **settings_target_arguments(struct settings *settings, char **argv,
	int operand);

/* The output directory of a campaign: --output without slashes at its end, or
 * else TARGET.cfuzz in the present folder. The caller frees it. */
char *settings_output(const struct settings *settings, const char *target);

/*
 * The output directory that a user names: path, or TARGET.cfuzz in the present
 * folder if path is the file of a target and there is such a folder. The caller
 * frees it.
 */
char *settings_named_output(const char *path);

/* The help for the options of a front end, 80 columns wide; cut at size - 1
 * bytes. */
void settings_help(unsigned front_end, char *buf, size_t size);

/* Is `name` a prefix or probably a misspelling of `option`? Both are without
 * dashes. */
bool settings_is_near(const char *name, const char *option);

/* The option nearest to a misspelled name, of these: see settings_parse_some().
 * NULL: none is near. */
const char *settings_nearest(const char *name, unsigned front_end,
	const enum option_id *options);

#endif

/*
 * option: a row of the table of options, see settings.h.
 */
#ifndef CFUZZ_CONTROL_OPTION_H
#define CFUZZ_CONTROL_OPTION_H

#include <stddef.h>
#include <stdint.h>

enum option_type {
	OPTION_FLAG,     /* no argument */
	OPTION_COUNT,    /* whole number */
	OPTION_SEED,     /* 64-bit number, decimal or 0x… */
	OPTION_MS,       /* milliseconds: `1000`, `1s`, `250ms` */
	OPTION_MEGABYTE, /* in units of 2^20 bytes: `2048`, `2G`, `512M` */
	OPTION_BYTES,    /* `4096`, `1M` */
	OPTION_BUDGET, /* `30s`, `1h30m`, `10000x`, `none`; see budget_parse */
	OPTION_WORD,   /* one of a list */
	OPTION_TEXT,   /* a path or name */
	OPTION_TEXTS,  /* repeatable */
};

enum option_id {
	OPT_PARALLEL,
	OPT_FUZZTIME,
	OPT_MINIMIZETIME,
	OPT_TIMEOUT,
	OPT_RSS_LIMIT,
	OPT_MAX_LEN,
	OPT_CHAIN,
	OPT_VERIFY,
	OPT_SCHEDULE,
	OPT_MINIMIZE_RULE,
	OPT_MINIMIZE_BLANK,
	OPT_START_TIMEOUT,
	OPT_STOP_STEP,
	OPT_FINISH_TIME,
	OPT_SEED,
	OPT_DICT,
	OPT_SEEDS,
	OPT_OUTPUT,
	OPT_CORPUS_MEM,
	OPT_FILE_LIMIT,
	OPT_INPUT_FILE,
	OPT_CMPLOG,
	OPT_FAIL_ON_EXIT,
	OPT_COVERAGE,
	OPT_STOP_ON_CRASH,
	OPT_STOP_AFTER_IDLE,
	OPT_ON_FINDING,
	OPT_ON_END,
	OPT_HOOK_TIME,
	OPT_HTTP,
	OPT_SHARE_GROUP,
	OPT_DETERMINISTIC,
	OPT_CLEAN_ENV,
	OPT_ISOLATE,
	OPT_READABLE,
	OPT_NO_LEAKS,
	OPT_STOP_ON_HANGUP,
	OPT_DETACH,
	OPT_RECORD,
	OPT_PLAY,
	OPT_TOUR,
	OPT_JSON,
	OPT_CONTROL_FD,
	OPT_DEBUG,
	OPT_THEME,
	OPT_KEYS,
	OPT_NO_MOUSE,
	OPT_NO_COLOR,
	OPT_ASCII,
	OPT_HELP,
	OPT_VERSION,
	OPT_COUNT_ /* number of options */
};

#define OPTION_LIVE 1u    /* may change while a campaign runs */
#define OPTION_CONSOLE 2u /* cfuzz-tui only */
#define OPTION_RUN 4u     /* cfuzz run only */
/* An input may fail with one value and not with another: stats.json keeps it,
 * and whatever runs inputs of a campaign again takes it from there. */
#define OPTION_TARGET 8u

struct option {
	enum option_id id;
	const char *name; /* without the dashes */
	char letter;      /* 'j', or 0 */
	enum option_type type;
	size_t offset; /* of the member of struct settings */
	/* Limits of the number in the member. OPTION_BUDGET: min 1: 0 must be
	 * written as none; max: milliseconds of a duration. */
	uint64_t min, max;
	const char *def;  /* the default, as text */
	const char *arg;  /* "N", "FILE" …; NULL for a flag */
	const char *bare; /* the value if none is given; NULL: it is required */
	const char *words; /* OPTION_WORD: "energy|fifo" */
	unsigned flags;
	const char *help; /* one sentence */
};

#endif

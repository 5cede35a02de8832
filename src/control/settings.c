/*
 * settings: the table of options, and the life of a struct settings, see
 * settings.h.
 *
 * A new option needs an id, a field and a row in this table; command line,
 * help, limits dialog and `set` command read the table. settings_value.c parses
 * values, settings_args.c the command line.
 */

#include "control/settings.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "control/settings_value.h"
#include "shared/wire/memory.h"

#define SETTINGS_WORKERS_MAX 256
#define SETTINGS_HOUR_MS 3600000
#define SETTINGS_TERABYTE_MB (1u << 20)
#define SETTINGS_FD_MAX (1u << 20)
#define SETTINGS_LEN_MAX (100u << 20)
/* Budgets: the range of a signed number of nanoseconds, 292 years. */
#define SETTINGS_TIME_MAX_MS (INT64_MAX / 1000000)

#define FIELD(name) offsetof(struct settings, name)

/* clang-format off */
static const struct option SETTINGS_TABLE[OPT_COUNT_] = {
	[OPT_PARALLEL] = {
		.id = OPT_PARALLEL, .name = "parallel", .letter = 'j',
		.type = OPTION_COUNT, .offset = FIELD(parallel),
		.min = 1, .max = SETTINGS_WORKERS_MAX,
		.def = "the number of CPUs", .arg = "N", .flags = OPTION_LIVE,
		.help = "Number of worker processes.",
	},
	[OPT_FUZZTIME] = {
		.id = OPT_FUZZTIME, .name = "fuzztime",
		.type = OPTION_BUDGET, .offset = FIELD(fuzztime),
		.min = 1, .max = SETTINGS_TIME_MAX_MS,
		.def = "none", .arg = "TIME|Nx", .flags = OPTION_LIVE,
		.help = "Fuzzing time (30s, 1h30m) or number of executions "
			"(10000x) after which to stop.",
	},
	[OPT_MINIMIZETIME] = {
		.id = OPT_MINIMIZETIME, .name = "minimizetime",
		.type = OPTION_BUDGET, .offset = FIELD(minimizetime),
		.min = 0, .max = SETTINGS_TIME_MAX_MS,
		.def = "60s", .arg = "TIME|Nx", .flags = OPTION_LIVE,
		.help = "Time limit, or number of executions, for minimizing "
			"one input; 0 turns minimization off.",
	},
	[OPT_TIMEOUT] = {
		.id = OPT_TIMEOUT, .name = "timeout",
		.type = OPTION_MS, .offset = FIELD(timeout_ms),
		.min = 1, .max = SETTINGS_HOUR_MS,
		.def = "1000", .arg = "MS", .flags = OPTION_LIVE,
		.help = "Time limit of one execution; an input that exceeds "
			"it is a hang.",
	},
	[OPT_RSS_LIMIT] = {
		.id = OPT_RSS_LIMIT, .name = "rss-limit",
		.type = OPTION_MEGABYTE, .offset = FIELD(rss_limit_mb),
		.min = 0, .max = SETTINGS_TERABYTE_MB,
		.def = "2048", .arg = "MB", .flags = OPTION_LIVE,
		.help = "Memory limit of the target; an input that exceeds "
			"it is a finding; 0 means no limit.",
	},
	[OPT_MAX_LEN] = {
		.id = OPT_MAX_LEN, .name = "max-len",
		.type = OPTION_BYTES, .offset = FIELD(max_len),
		.min = 1, .max = SETTINGS_LEN_MAX,
		.def = "1048576", .arg = "N", .flags = OPTION_LIVE,
		.help = "Maximum length of generated inputs, in bytes.",
	},
	[OPT_CHAIN] = {
		.id = OPT_CHAIN, .name = "chain",
		.type = OPTION_COUNT, .offset = FIELD(chain),
		.min = 1, .max = MEMORY_MUTATIONS_MAX,
		.def = "5", .arg = "N", .flags = OPTION_LIVE,
		.help = "Maximum number of mutations in a row, each "
			"executed, before a worker starts again from the "
			"corpus entry.",
	},
	[OPT_VERIFY] = {
		.id = OPT_VERIFY, .name = "verify",
		.type = OPTION_COUNT, .offset = FIELD(verify),
		.min = 0, .max = 1000,
		.def = "5", .arg = "N", .flags = OPTION_LIVE,
		.help = "Replays of each new finding, in fresh processes; 0 "
			"turns verification off.",
	},
	[OPT_SCHEDULE] = {
		.id = OPT_SCHEDULE, .name = "schedule",
		.type = OPTION_WORD, .offset = FIELD(schedule),
		.def = "energy", .arg = "NAME",
		.words = "energy|fast|even|fifo",
		.flags = OPTION_LIVE,
		.help = "Selection of the corpus entries to mutate: by "
			"energy, by speed, all with equal probability, or in "
			"order.",
	},
	[OPT_MINIMIZE_RULE] = {
		.id = OPT_MINIMIZE_RULE, .name = "minimize-rule",
		.type = OPTION_WORD, .offset = FIELD(minimize_rule),
		.def = "same-bucket", .arg = "RULE",
		.words = "same-bucket|same-kind|any-failure",
		.flags = OPTION_LIVE,
		.help = "The failure that a smaller input must still show.",
	},
	[OPT_MINIMIZE_BLANK] = {
		.id = OPT_MINIMIZE_BLANK, .name = "minimize-blank",
		.type = OPTION_FLAG, .offset = FIELD(minimize_blank),
		.def = "off", .bare = "on", .flags = OPTION_LIVE,
		.help = "Also replace bytes that the failure does not need "
			"by spaces.",
	},
	[OPT_START_TIMEOUT] = {
		.id = OPT_START_TIMEOUT, .name = "start-timeout",
		.type = OPTION_MS, .offset = FIELD(start_timeout_ms),
		.min = 100, .max = SETTINGS_HOUR_MS,
		.def = "10s", .arg = "MS", .flags = OPTION_LIVE,
		.help = "Time limit for the start of the target.",
	},
	[OPT_STOP_STEP] = {
		.id = OPT_STOP_STEP, .name = "stop-step",
		.type = OPTION_MS, .offset = FIELD(stop_step_ms),
		.min = 50, .max = 60000,
		.def = "1000", .arg = "MS", .flags = OPTION_LIVE,
		.help = "Time between the steps of a stop: request, "
			"interrupt, kill.",
	},
	[OPT_FINISH_TIME] = {
		.id = OPT_FINISH_TIME, .name = "finish-time",
		.type = OPTION_MS, .offset = FIELD(finish_time_ms),
		.min = 0, .max = SETTINGS_HOUR_MS,
		.def = "1000", .arg = "MS", .flags = OPTION_LIVE,
		.help = "Time for verifying pending findings when a limit "
			"ends the campaign; the next start verifies the rest.",
	},
	[OPT_SEED] = {
		.id = OPT_SEED, .name = "seed",
		.type = OPTION_SEED, .offset = FIELD(seed),
		.min = 0, .max = UINT64_MAX,
		.def = "0", .arg = "N",
		.help = "Seed of the random number generator; 0 chooses one.",
	},
	[OPT_DICT] = {
		.id = OPT_DICT, .name = "dict",
		.type = OPTION_TEXTS, .offset = FIELD(dict),
		.def = "", .arg = "FILE", .flags = OPTION_LIVE,
		.help = "Dictionary file; may be given more than once.",
	},
	[OPT_SEEDS] = {
		.id = OPT_SEEDS, .name = "seeds",
		.type = OPTION_TEXTS, .offset = FIELD(seeds),
		.def = "", .arg = "DIR",
		.help = "Directory of seed inputs, which is only read; may "
			"be given more than once.",
	},
	[OPT_OUTPUT] = {
		.id = OPT_OUTPUT, .name = "output", .letter = 'o',
		.type = OPTION_TEXT, .offset = FIELD(output),
		.def = "", .arg = "DIR",
		.help = "Output directory; an existing one is resumed "
			"(default: TARGET.cfuzz).",
	},
	[OPT_CORPUS_MEM] = {
		.id = OPT_CORPUS_MEM, .name = "corpus-mem",
		.type = OPTION_MEGABYTE, .offset = FIELD(corpus_mem_mb),
		.min = 16, .max = SETTINGS_TERABYTE_MB,
		.def = "512", .arg = "MB",
		.help = "Memory for the corpus; entries beyond it stay on "
			"disk.",
	},
	[OPT_FILE_LIMIT] = {
		.id = OPT_FILE_LIMIT, .name = "file-limit",
		.type = OPTION_MEGABYTE, .offset = FIELD(file_limit_mb),
		.min = 0, .max = SETTINGS_TERABYTE_MB,
		.def = "1024", .arg = "MB",
		.help = "Size limit of files that the target writes; SIGXFSZ "
			"ends a target that exceeds it; 0 means no limit.",
	},
	[OPT_STOP_ON_CRASH] = {
		.id = OPT_STOP_ON_CRASH, .name = "stop-on-crash",
		.type = OPTION_FLAG, .offset = FIELD(stop_on_crash),
		.def = "off", .bare = "on", .flags = OPTION_LIVE,
		.help = "Stop at the first finding.",
	},
	[OPT_DETERMINISTIC] = {
		.id = OPT_DETERMINISTIC, .name = "deterministic",
		.type = OPTION_FLAG, .offset = FIELD(deterministic),
		.def = "off", .bare = "on",
		.help = "Count executions instead of time, so that runs with "
			"the same seed are identical.",
	},
	[OPT_CLEAN_ENV] = {
		.id = OPT_CLEAN_ENV, .name = "clean-env",
		.type = OPTION_FLAG, .offset = FIELD(clean_env),
		.def = "off", .bare = "on",
		.help = "Pass only a few necessary environment variables to "
			"the target.",
	},
	[OPT_ISOLATE] = {
		.id = OPT_ISOLATE, .name = "isolate",
		.type = OPTION_FLAG, .offset = FIELD(isolate),
		.def = "off", .bare = "on",
		.help = "Sandbox for untrusted targets: no network, few "
			"files, all read-only, no other processes.",
	},
	[OPT_READABLE] = {
		.id = OPT_READABLE, .name = "readable",
		.type = OPTION_TEXTS, .offset = FIELD(readable),
		.def = "", .arg = "PATH",
		.help = "Directory or file that an isolated target may also "
			"read; may be given more than once.",
	},
	[OPT_NO_LEAKS] = {
		.id = OPT_NO_LEAKS, .name = "no-leaks",
		.type = OPTION_FLAG, .offset = FIELD(no_leaks),
		.def = "off", .bare = "on",
		.help = "Do not check for memory leaks; the check needs a "
			"sanitizer (ASan, LSan).",
	},
	[OPT_KEEP_RUNNING] = {
		.id = OPT_KEEP_RUNNING, .name = "keep-running",
		.type = OPTION_FLAG, .offset = FIELD(keep_running),
		.def = "off", .bare = "on", .flags = OPTION_CONSOLE,
		.help = "Continue the campaign if the console is lost.",
	},
	[OPT_RECORD] = {
		.id = OPT_RECORD, .name = "record",
		.type = OPTION_TEXT, .offset = FIELD(record),
		.def = "", .arg = "FILE", .flags = OPTION_CONSOLE,
		.help = "Record the console session to a new file.",
	},
	[OPT_PLAY] = {
		.id = OPT_PLAY, .name = "play",
		.type = OPTION_TEXT, .offset = FIELD(play),
		.def = "", .arg = "FILE", .flags = OPTION_CONSOLE,
		.help = "Play a recording; no TARGET is given.",
	},
	[OPT_TOUR] = {
		.id = OPT_TOUR, .name = "tour",
		.type = OPTION_FLAG, .offset = FIELD(tour),
		.def = "off", .bare = "on", .flags = OPTION_CONSOLE,
		.help = "Give first-time users a guided tour.",
	},
	[OPT_JSON] = {
		.id = OPT_JSON, .name = "json",
		.type = OPTION_FLAG, .offset = FIELD(json),
		.def = "off", .bare = "on", .flags = OPTION_RUN,
		.help = "Print events as JSON lines.",
	},
	[OPT_CONTROL_FD] = {
		.id = OPT_CONTROL_FD, .name = "control-fd",
		.type = OPTION_COUNT, .offset = FIELD(control_fd),
		.min = 0, .max = SETTINGS_FD_MAX,
		.def = "0", .arg = "N", .flags = OPTION_RUN,
		.help = "Inherited socket for commands and queries as JSON "
			"lines; 0 means none.",
	},
	[OPT_DEBUG] = {
		.id = OPT_DEBUG, .name = "debug",
		.type = OPTION_TEXT, .offset = FIELD(debug),
		.def = "", .arg = "FILE", .bare = "cfuzz.debug",
		.help = "Write a debug log to a file (default: cfuzz.debug).",
	},
	[OPT_THEME] = {
		.id = OPT_THEME, .name = "theme",
		.type = OPTION_TEXT, .offset = FIELD(theme),
		.def = "", .arg = "NAME",
		.help = "Colour theme of the console: a name or a file.",
	},
	[OPT_KEYS] = {
		.id = OPT_KEYS, .name = "keys",
		.type = OPTION_TEXT, .offset = FIELD(keys),
		.def = "", .arg = "FILE", .flags = OPTION_CONSOLE,
		.help = "Key bindings of the console, instead of those in "
			"~/.config/cfuzz/keys.json.",
	},
	[OPT_NO_MOUSE] = {
		.id = OPT_NO_MOUSE, .name = "no-mouse",
		.type = OPTION_FLAG, .offset = FIELD(no_mouse),
		.def = "off", .bare = "on", .flags = OPTION_CONSOLE,
		.help = "Leave the mouse to the terminal.",
	},
	[OPT_NO_COLOR] = {
		.id = OPT_NO_COLOR, .name = "no-color",
		.type = OPTION_FLAG, .offset = FIELD(no_color),
		.def = "off", .bare = "on",
		.help = "Use no colours.",
	},
	[OPT_ASCII] = {
		.id = OPT_ASCII, .name = "ascii",
		.type = OPTION_FLAG, .offset = FIELD(ascii),
		.def = "off", .bare = "on", .flags = OPTION_CONSOLE,
		.help = "Draw with ASCII characters only.",
	},
	[OPT_HELP] = {
		.id = OPT_HELP, .name = "help", .letter = 'h',
		.type = OPTION_FLAG, .offset = FIELD(help),
		.def = "off", .bare = "on",
		.help = "Show this help.",
	},
	[OPT_VERSION] = {
		.id = OPT_VERSION, .name = "version",
		.type = OPTION_FLAG, .offset = FIELD(version),
		.def = "off", .bare = "on",
		.help = "Show the version.",
	},
};
/* clang-format on */

const struct option *
settings_option(enum option_id id)
{
	return &SETTINGS_TABLE[id];
}

const struct option *
settings_find(const char *name)
{
	for (size_t i = 0; i < OPT_COUNT_; i++)
		if (strcmp(SETTINGS_TABLE[i].name, name) == 0)
			return &SETTINGS_TABLE[i];
	return NULL;
}

/* ---- the life of a struct settings -------------------------------------- */

uint64_t
settings_processors(void)
{
	cpu_set_t set;
	int n = 1;

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		n = CPU_COUNT(&set);
	if (n < 1)
		n = 1;
	return n < SETTINGS_WORKERS_MAX ? (uint64_t)n : SETTINGS_WORKERS_MAX;
}

void
settings_init(struct settings *settings)
{
	*settings = (struct settings){ 0 };
	for (size_t i = 0; i < OPT_COUNT_; i++)
		option_set_default(settings, &SETTINGS_TABLE[i]);
	settings->parallel = settings_processors();
}

void
settings_clear(struct settings *settings)
{
	for (size_t i = 0; i < OPT_COUNT_; i++)
		option_release(settings, &SETTINGS_TABLE[i]);
	*settings = (struct settings){ 0 };
}

void
settings_copy(struct settings *to, const struct settings *from)
{
	if (to == from)
		return;
	settings_clear(to);
	*to = *from;
	for (size_t i = 0; i < OPT_COUNT_; i++)
		option_own(to, &SETTINGS_TABLE[i]);
}

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
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/dir.h"
#include "base/xmalloc.h"
#include "control/settings_value.h"
#include "shared/wire/memory.h"

#define SETTINGS_WORKERS_MAX 256
#define SETTINGS_HOUR_MS 3600000
#define SETTINGS_YEAR_MS (365ull * 24 * SETTINGS_HOUR_MS)
#define SETTINGS_TERABYTE_MB (1u << 20)
#define SETTINGS_FD_MAX (1u << 20)
/* Budgets: the range of a signed number of nanoseconds, 292 years. */
#define SETTINGS_TIME_MAX_MS (INT64_MAX / 1000000)

#define OPTION(ID, NAME, TYPE, field, ...) \
	[OPT_##ID] = { .id = OPT_##ID, \
		.name = (NAME), \
		.type = OPTION_##TYPE, \
		.offset = offsetof(struct settings, field), \
		__VA_ARGS__ }
#define SWITCH(ID, NAME, field, ...) \
	OPTION(ID, NAME, FLAG, field, .def = "off", .bare = "on", __VA_ARGS__)

/* clang-format off */
static const struct option SETTINGS_TABLE[OPT_COUNT_] = {
	OPTION(PARALLEL, "parallel", COUNT, parallel,
		.letter = 'j', .min = 1, .max = SETTINGS_WORKERS_MAX,
		.def = "the number of CPUs", .arg = "N", .flags = OPTION_LIVE,
		.help = "Number of worker processes."),
	OPTION(FUZZTIME, "fuzztime", BUDGET, fuzztime,
		.min = 1, .max = SETTINGS_TIME_MAX_MS,
		.def = "none", .arg = "TIME|Nx", .flags = OPTION_LIVE,
		.help = "Fuzzing time (30s, 1h30m) or number of executions "
			"(10000x) after which to stop."),
	OPTION(MINIMIZETIME, "minimizetime", BUDGET, minimizetime,
		.min = 0, .max = SETTINGS_TIME_MAX_MS,
		.def = "60s", .arg = "TIME|Nx", .flags = OPTION_LIVE,
		.help = "Time limit, or number of executions, for minimizing "
			"one input; 0 turns minimization off."),
	OPTION(TIMEOUT, "timeout", MS, timeout_ms,
		.min = 1, .max = SETTINGS_HOUR_MS,
		.def = "1000", .arg = "MS", .flags = OPTION_LIVE | OPTION_TARGET,
		.help = "Time limit of one execution; an input that exceeds "
			"it is a hang."),
	OPTION(RSS_LIMIT, "rss-limit", MEGABYTE, rss_limit_mb,
		.min = 0, .max = SETTINGS_TERABYTE_MB,
		.def = "2048", .arg = "MB", .flags = OPTION_LIVE | OPTION_TARGET,
		.help = "Memory limit of the target; an input that exceeds "
			"it is a finding; 0 means no limit."),
	OPTION(MAX_LEN, "max-len", BYTES, max_len,
		.min = 1, .max = SETTINGS_MAX_LEN_MAX,
		.def = "1048576", .arg = "N", .flags = OPTION_LIVE,
		.help = "Maximum length of generated inputs, in bytes."),
	OPTION(CHAIN, "chain", COUNT, chain,
		.min = 1, .max = MEMORY_MUTATIONS_MAX,
		.def = "5", .arg = "N", .flags = OPTION_LIVE,
		.help = "Maximum number of mutations in a row, each "
			"executed, before a worker starts again from the "
			"corpus entry."),
	OPTION(VERIFY, "verify", COUNT, verify,
		.min = 0, .max = 1000,
		.def = "5", .arg = "N", .flags = OPTION_LIVE,
		.help = "Replays of each new finding, in fresh processes; 0 "
			"turns verification off."),
	OPTION(SCHEDULE, "schedule", WORD, schedule,
		.def = "energy", .arg = "NAME", .flags = OPTION_LIVE,
		.words = "energy|fast|even|fifo",
		.help = "Selection of the corpus entries to mutate: by "
			"energy, by speed, all with equal probability, or in "
			"order."),
	OPTION(MINIMIZE_RULE, "minimize-rule", WORD, minimize_rule,
		.def = "same-bucket", .arg = "RULE", .flags = OPTION_LIVE,
		.words = "same-bucket|same-kind|any-failure",
		.help = "The failure that a smaller input must still show."),
	SWITCH(MINIMIZE_BLANK, "minimize-blank", minimize_blank,
		.flags = OPTION_LIVE,
		.help = "Also replace bytes that the failure does not need "
			"by spaces."),
	OPTION(START_TIMEOUT, "start-timeout", MS, start_timeout_ms,
		.min = 100, .max = SETTINGS_HOUR_MS,
		.def = "10s", .arg = "MS", .flags = OPTION_LIVE | OPTION_TARGET,
		.help = "Time limit for the start of the target."),
	OPTION(STOP_STEP, "stop-step", MS, stop_step_ms,
		.min = 50, .max = 60000,
		.def = "1000", .arg = "MS", .flags = OPTION_LIVE,
		.help = "Time between the steps of a stop: request, "
			"interrupt, kill."),
	OPTION(FINISH_TIME, "finish-time", MS, finish_time_ms,
		.min = 0, .max = SETTINGS_HOUR_MS,
		.def = "1000", .arg = "MS", .flags = OPTION_LIVE,
		.help = "Time for verifying pending findings when a limit "
			"ends the campaign; the next start verifies the rest."),
	OPTION(SEED, "seed", SEED, seed,
		.min = 0, .max = UINT64_MAX,
		.def = "0", .arg = "N",
		.help = "Seed of the random number generator; 0 chooses one."),
	OPTION(DICT, "dict", TEXTS, dict,
		.def = "", .arg = "FILE", .flags = OPTION_LIVE,
		.help = "Dictionary file; may be given more than once."),
	OPTION(SEEDS, "seeds", TEXTS, seeds,
		.def = "", .arg = "DIR",
		.help = "Directory of seed inputs, which is only read; may "
			"be given more than once."),
	OPTION(OUTPUT, "output", TEXT, output,
		.letter = 'o',
		.def = "", .arg = "DIR",
		.help = "Output directory; an existing one is resumed "
			"(default: TARGET.cfuzz)."),
	OPTION(CORPUS_MEM, "corpus-mem", MEGABYTE, corpus_mem_mb,
		.min = 16, .max = SETTINGS_TERABYTE_MB,
		.def = "512", .arg = "MB",
		.help = "Memory for the corpus; entries beyond it stay on "
			"disk."),
	OPTION(FILE_LIMIT, "file-limit", MEGABYTE, file_limit_mb,
		.min = 0, .max = SETTINGS_TERABYTE_MB,
		.def = "1024", .arg = "MB",
		.flags = OPTION_TARGET,
		.help = "Size limit of files that the target writes; SIGXFSZ "
			"ends a target that exceeds it; 0 means no limit."),
	OPTION(INPUT_FILE, "input-file", TEXT, input_file,
		.def = "", .arg = "NAME",
		.flags = OPTION_TARGET,
		.help = "File from which a program with a main() reads its "
			"input; without it, @@ in an argument stands for a "
			"file, or else the input is on standard input."),
	OPTION(CMPLOG, "cmplog", TEXT, cmplog,
		.def = "", .arg = "FILE",
		.help = "For a program of AFL++: the same program built with "
			"AFL_LLVM_CMPLOG=1, which records comparisons."),
	SWITCH(FAIL_ON_EXIT, "fail-on-exit", fail_on_exit,
		.flags = OPTION_TARGET,
		.help = "An exit status other than 0 of a program with a "
			"main() is a finding."),
	OPTION(COVERAGE, "coverage", WORD, coverage,
		.def = "auto", .arg = "HOW",
		.words = "auto|none",
		.flags = OPTION_TARGET,
		.help = "Coverage of a program without instrumentation: by "
			"breakpoints, or none."),
	SWITCH(STOP_ON_CRASH, "stop-on-crash", stop_on_crash,
		.flags = OPTION_LIVE,
		.help = "Stop at the first finding."),
	OPTION(STOP_AFTER_IDLE, "stop-after-idle", MS, stop_after_idle_ms,
		.min = 0, .max = SETTINGS_YEAR_MS,
		.def = "0", .arg = "DURATION", .flags = OPTION_LIVE,
		.help = "Stop when no new input and no new finding came for "
			"that long; 0 means never."),
	OPTION(ON_FINDING, "on-finding", TEXT, on_finding,
		.def = "", .arg = "COMMAND",
		.help = "Run a command at each new finding, with facts as "
			"JSON on standard input and as CFUZZ_... variables."),
	OPTION(ON_END, "on-end", TEXT, on_end,
		.def = "", .arg = "COMMAND",
		.help = "Run a command when the campaign has ended."),
	OPTION(HOOK_TIME, "hook-time", MS, hook_time_ms,
		.min = 100, .max = SETTINGS_HOUR_MS,
		.def = "60000", .arg = "MS",
		.help = "Time for one such command, which is killed then."),
	OPTION(HTTP, "http", TEXT, http,
		.def = "", .arg = "PORT",
		.help = "Show the campaign by HTTP, to browsers and to "
			"Prometheus, on PORT of this machine or ADDRESS:PORT."),
	OPTION(SHARE_GROUP, "share-group", TEXT, share_group,
		.def = "", .arg = "GROUP",
		.help = "Let other users of a group watch the campaign; one "
			"controls it only if you give control."),
	SWITCH(DETERMINISTIC, "deterministic", deterministic,
		.help = "Count executions instead of time, so that runs with "
			"the same seed are identical."),
	SWITCH(CLEAN_ENV, "clean-env", clean_env,
		.flags = OPTION_TARGET,
		.help = "Pass only a few necessary environment variables to "
			"the target."),
	SWITCH(ISOLATE, "isolate", isolate,
		.help = "Sandbox for untrusted targets: no network, few "
			"files, no other processes."),
	OPTION(READABLE, "readable", TEXTS, readable,
		.def = "", .arg = "PATH",
		.help = "Directory or file that an isolated target may also "
			"read; may be given more than once."),
	SWITCH(NO_LEAKS, "no-leaks", no_leaks,
		.flags = OPTION_TARGET,
		.help = "Do not check for memory leaks; the check needs a "
			"sanitizer (ASan, LSan)."),
	SWITCH(STOP_ON_HANGUP, "stop-on-hangup", stop_on_hangup,
		.flags = OPTION_CONSOLE,
		.help = "Stop the campaign if the console or its terminal is "
			"lost, instead of detaching it."),
	SWITCH(DETACH, "detach", detach,
		.help = "Start the campaign in the background, and print the "
			"line to come back by."),
	OPTION(RECORD, "record", TEXT, record,
		.def = "", .arg = "FILE", .flags = OPTION_CONSOLE,
		.help = "Record the console session to a new file."),
	OPTION(PLAY, "play", TEXT, play,
		.def = "", .arg = "FILE", .flags = OPTION_CONSOLE,
		.help = "Play a recording; no TARGET is given."),
	SWITCH(TOUR, "tour", tour,
		.flags = OPTION_CONSOLE,
		.help = "Give first-time users a guided tour."),
	SWITCH(JSON, "json", json,
		.flags = OPTION_RUN,
		.help = "Print events as JSON lines."),
	OPTION(CONTROL_FD, "control-fd", COUNT, control_fd,
		.min = 0, .max = SETTINGS_FD_MAX,
		.def = "0", .arg = "N", .flags = OPTION_RUN,
		.help = "Inherited socket for commands and queries as JSON "
			"lines; 0 means none."),
	OPTION(DEBUG, "debug", TEXT, debug,
		.def = "", .arg = "FILE", .bare = "cfuzz.debug",
		.help = "Write a debug log to a file (default: cfuzz.debug)."),
	OPTION(THEME, "theme", TEXT, theme,
		.def = "", .arg = "NAME",
		.help = "Colour theme of the console: a name or a file."),
	OPTION(KEYS, "keys", TEXT, keys,
		.def = "", .arg = "FILE", .flags = OPTION_CONSOLE,
		.help = "Key bindings of the console, instead of those in "
			"~/.config/cfuzz/keys.json."),
	SWITCH(NO_MOUSE, "no-mouse", no_mouse,
		.flags = OPTION_CONSOLE,
		.help = "Leave the mouse to the terminal."),
	SWITCH(NO_COLOR, "no-color", no_color,
		.help = "Use no colours."),
	SWITCH(ASCII, "ascii", ascii,
		.flags = OPTION_CONSOLE,
		.help = "Draw with ASCII characters only."),
	SWITCH(HELP, "help", help,
		.letter = 'h',
		.help = "Show this help."),
	SWITCH(VERSION, "version", version,
		.help = "Show the version."),
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

bool
settings_takes(const enum option_id *options, enum option_id id)
{
	if (options == NULL || id == OPT_HELP || id == OPT_VERSION)
		return true;
	while (*options != OPT_COUNT_ && *options != id)
		options++;
	return *options == id;
}

/* ---- the life of a struct settings -------------------------------------- */

uint64_t
settings_processors(void)
{
	/* One has room for 1024 processors, and the kernel fills none that has
	 * no room for all that the machine may ever have. */
	cpu_set_t sets[32];
	int n = 1;

	if (sched_getaffinity(0, sizeof(sets), sets) == 0)
		n = CPU_COUNT_S(sizeof(sets), sets);
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

char *
settings_output(const struct settings *settings, const char *target)
{
	char *output;

	if (settings->output == NULL || settings->output[0] == '\0')
		return xasprintf("%s.cfuzz", basename(target));
	output = xstrdup(settings->output);
	for (size_t n = strlen(output); n > 1 && output[n - 1] == '/'; n--)
		output[n - 1] = '\0';
	return output;
}

char *
settings_named_output(const char *path)
{
	char *output = xasprintf("%s.cfuzz", basename(path));
	struct stat st;

	if (stat(path, &st) == 0 && S_ISREG(st.st_mode) && dir_exists(output))
		return output;
	free(output);
	return xstrdup(path);
}

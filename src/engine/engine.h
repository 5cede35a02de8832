/*
 * engine: the interface of the engine for its front ends.
 *
 * A front end passes the settings and a target, then runs the loop. The engine
 * reports events as they happen, and serves a control socket if there is one.
 * It does not depend on any screen.
 */
#ifndef CFUZZ_ENGINE_ENGINE_H
#define CFUZZ_ENGINE_ENGINE_H

#include <stdbool.h>

#include "control/settings.h"
#include "engine/log/engine_report.h"
#include "shared/status.h"

struct dir_names;
struct engine;

struct engine_config {
	const struct settings *settings; /* copied */
	const char *target;              /* path */
	char **args;                     /* of the target, NULL-ended */
	/* The working directory of the target, unless isolated; NULL: ours. */
	const char *folder;
	bool keep_input; /* as of struct input_file_spec */
	int control_fd;  /* socket to a console, -1: none; engine_create() takes
			   it if it succeeds */
	bool together;   /* repro: all files in one process */
	/* INT, TERM, HUP stop the campaign, see libraries_watch_end() */
	bool watch_signals;
	bool past; /* nothing runs: the output directory is shown */
	/* Tools: the output directories of campaigns, NULL-ended, which an
	 * isolated target does not see, either; NULL: none. A campaign hides
	 * its own. */
	char **hidden;
	engine_report_fn *report; /* NULL: no reports */
	void *arg;                /* for report */
};

/* Checks target, seeds and output directory, and opens them. config is needed
 * for the call only, but `arg` must stay valid as long as the engine. NULL:
 * *status and err have the reason. */
struct engine *engine_create(const struct engine_config *config,
	enum exit_status *status, struct error *err);
/* Runs the campaign to its end; err describes a failure. */
enum exit_status engine_run(struct engine *engine, struct error *err);
/* After engine_run(), if config->report is NULL: lines, at most 48 KiB, about
 * inputs of findings that are not on the disk; "": all are. Borrowed until
 * engine_destroy(). */
const char *engine_last_words(const struct engine *engine);
void engine_destroy(struct engine *engine); /* NULL is fine */

/*
 * Runs the engine in this process, which was started for that, with the front
 * end at the socket control_fd. A failure is reported to the front end and, as
 * plain text, to note_fd, with the engine's last words; these go to the system's
 * log if nobody has the other end. Returns the exit status.
 */
int engine_serve(const struct engine_config *config, int control_fd,
	int note_fd);

/*
 * The same for a campaign that is over: shows its output directory, which is
 * not changed unless the user orders work on a finding. The target comes from
 * there.
 */
int engine_serve_past(const struct engine_config *config, const char *output,
	int control_fd, int note_fd);
/* OK: the directory has a campaign that is over, on which another cfuzz may be
 * at work. E_USAGE: err says what it has instead. E_BUSY: another cfuzz is at
 * work there, and the last run has not ended. */
enum status engine_check_past(const char *output, struct error *err) MUST_CHECK;

/*
 * --detach: starts a process that calls engine_serve(), waits until it fuzzes
 * and its stats.json is there, and prints how to attach to it. 0: it runs; else
 * the exit status of a campaign that is over already, after its reason on
 * standard error. Call it before any thread and any event base exists.
 */
int engine_start_detached(const struct engine_config *config);

/*
 * The tools, which run beside a campaign. They report lines for people and, as
 * REPORT_EVENT, the same for programs. err describes a failure.
 */

/*
 * Minimizes a failing input. The path is a file, or the folder of a finding.
 * Without an output the result is "minimized" in that folder. EXIT_SETUP: the
 * input does not fail. EXIT_LOST: nothing was written.
 */
enum exit_status engine_min(const struct engine_config *config,
	const char *path, const char *output, struct error *err);

/*
 * Reads an output directory; nothing is changed. The result is a new reference.
 * All its members are present, all texts clean and all numbers bounded. NULL:
 * see err.
 *
 * Findings: an array of objects, sorted by state, then the last seen first.
 * Show: one object. Its "type" is "campaign" (without an id), "finding" (id or
 * folder), or "input" (the first digits of a name, or any file).
 */
json_t *engine_findings(const char *output, struct error *err);
json_t *engine_show(const char *path, const char *id, struct error *err);

/*
 * All that a report needs, a new reference: "campaign" and "findings" (at most
 * ENGINE_REPORT_FINDINGS) as from engine_show(), "stats" (an object of numbers
 * and texts from stats.json, maybe empty), and "curve": [seconds, bits] of at
 * most ENGINE_REPORT_POINTS times. "ci": the latest run was of `cfuzz ci`; then
 * "passed_over" of a finding says that it did not fail the step, as stats.json
 * of that run has it. "trouble", if there is any: why the report may be wrong or
 * incomplete, as a sentence without a full stop. NULL: see err.
 */
#define ENGINE_REPORT_FINDINGS 1000u
#define ENGINE_REPORT_POINTS 512u
json_t *engine_report(const char *output, struct error *err);

/*
 * Runs the corpus of a campaign with its target and reports which source lines
 * it reaches: {"inputs": those that ran, "failed": n, "stopped": by the user,
 * "cut": more than ENGINE_SOURCES_LINES, "troubles": [sentence], "files":
 * [{"path": …, "hit": lines, "known": lines hit or missed, "frontiers": n,
 * "functions": [[line, name, hits]], "lines": [[line, "hit" | "partly" |
 * "missed" | "unknown", hits]]}]}. Files are sorted by path, lines by number.
 * Hits are the least number that the counter's bucket allows. The result is a
 * new reference; NULL: see err.
 */
#define ENGINE_SOURCES_LINES 500000u
json_t *engine_report_sources(const struct engine_config *config,
	const char *output, struct error *err);

/*
 * All campaigns in the index of this user, the newest start first: an array of
 * objects as from engine_show(), a new reference. "attached" counts front ends.
 * NULL: see err.
 */
json_t *engine_campaigns(struct error *err);

/*
 * Copies a few files of these folders to a new one. Together they have all
 * features of the folders. Nothing is removed. Inputs on which the target fails
 * are left out. EXIT_SETUP: see err. EXIT_LOST: an input could not be run, or a
 * file not be written.
 */
enum exit_status engine_cmin(const struct engine_config *config, char **folders,
	const char *output, struct error *err);

/*
 * Keeps a folder of inputs small: copies to it the inputs of an output
 * directory's corpus that add coverage, and removes superfluous files, but only
 * those that earlier calls have made. From the output directory it removes
 * superfluous inputs that are not in `kept`. An input on which the target fails
 * is left where it is. EXIT_SETUP: there are no inputs. EXIT_LOST: an input
 * could not be run, or a folder not be read or changed.
 */
enum exit_status engine_update_corpus(const struct engine_config *config,
	const char *folder, const char *output, const struct dir_names *kept,
	struct error *err);

/*
 * Runs the findings of an output directory again with a new build of the
 * target, and reports for each whether it still fails. Without a target in
 * config, that of the campaign is used. EXIT_NOTHING: none fails. EXIT_FOUND:
 * one fails, perhaps in another way. EXIT_LOST: one could not run.
 */
enum exit_status engine_check(const struct engine_config *config,
	const char *output, struct error *err);

/* Replays files, each in a fresh child, and reports a line for each.
 * EXIT_FOUND: one of them fails. EXIT_LOST: one could not run. */
enum exit_status engine_repro(const struct engine_config *config, char **files,
	struct error *err);

/* Becomes gdb with the target running this file; an output directory as the
 * target stands for the program of the file's campaign. Returns only on
 * failure, with EXIT_SETUP. */
enum exit_status engine_debug(const struct engine_config *config,
	const char *path, struct error *err);

#endif

/* cli: the commands of `cfuzz`. */
#ifndef CFUZZ_CLI_CLI_H
#define CFUZZ_CLI_CLI_H

#include <stdbool.h>

/* argv[0] is the command; returns the exit status. */
int cli_run(int argc, char **argv);
int cli_attach(int argc, char **argv);
extern const struct tool_command cli_repro, cli_min, cli_cmin, cli_findings,
	cli_show, cli_check, cli_convert, cli_ls, cli_report, cli_ci;

struct settings;

/* Runs a campaign, with lines on standard output; args: of the target,
 * NULL-ended. Returns the exit status. *begun: the output directory is that of
 * this campaign, and has a new run. */
int cli_run_campaign(struct settings *settings, const char *target, char **args,
	bool *begun);

int cli_print_version(void); /* returns 0 */

/* After the last line: returns `status`, or reports that lines are lost. */
int cli_end(int status);

/* Prints one sentence, cleaned and cut at 4095 bytes, to stderr. Returns
 * `status`. */
int cli_fail(int status, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif

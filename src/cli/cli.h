/* cli: the commands of `cfuzz`, one function each; argv[0] is the command. */
#ifndef CFUZZ_CLI_CLI_H
#define CFUZZ_CLI_CLI_H

int cli_run(int argc, char **argv);
int cli_repro(int argc, char **argv);
int cli_min(int argc, char **argv);
int cli_cmin(int argc, char **argv);
int cli_findings(int argc, char **argv);
int cli_show(int argc, char **argv);
int cli_check(int argc, char **argv);
int cli_convert(int argc, char **argv);

int cli_print_version(void); /* returns 0 */

/* Prints one sentence, cleaned, to stderr; returns `status`. */
int cli_fail(int status, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

#endif

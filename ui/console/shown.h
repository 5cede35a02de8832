/*
 * shown: the command line of a console that shows an output directory, whose
 * campaign may run or be over. The campaign has its limits already, so options
 * for its start are refused.
 */
#ifndef CFUZZ_UI_CONSOLE_SHOWN_H
#define CFUZZ_UI_CONSOLE_SHOWN_H

#include "shared/status.h"

struct settings;

/* E_USAGE: an option other than those of the console was given. */
enum status shown_check_options(const struct settings *settings,
	struct error *err) MUST_CHECK;
/* operands: the directory or nothing, NULL-ended. program: for the message. */
enum status shown_check_operands(char **operands, const char *program,
	struct error *err) MUST_CHECK;

#endif

/* cli: see cli.h. */
#include "cli/cli.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/fd.h"
#include "base/text.h"
#include "engine/engine.h"

int
cli_fail(int status, const char *fmt, ...)
{
	char text[4096], clean[4096];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	text_clean_string(text, clean, sizeof(clean));
	fflush(stdout);
	fprintf(stderr, "cfuzz: %s\n", clean);
	return status;
}

int
cli_print_version(void)
{
	puts("cfuzz " CFUZZ_VERSION);
	return 0;
}

int
cli_end(int status)
{
	struct error err = { 0 };

	return status == EXIT_SETUP || fd_check_output(&err) == OK
		? status
		: cli_fail(EXIT_LOST, "%s", err.text);
}

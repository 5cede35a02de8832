/*
 * rows: checks that name their row, see rows.h.
 */

#include "lib/rows.h"

#include <stdio.h>
#include <stdlib.h>

void
row_fail(const char *file, int line, const char *condition, const char *fmt,
	...)
{
	char row[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(row, sizeof(row), fmt, ap);
	va_end(ap);
	print_error("%s: not %s\n", row, condition);
	_fail(file, line);
	abort();
}

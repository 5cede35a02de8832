/*
 * status: error codes and messages, see status.h.
 *
 * Messages are cut to their room and always terminated. Nothing allocates, so
 * an error can be reported when memory is gone.
 */

#include "shared/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void
error_clear(struct error *err)
{
	if (!err)
		return;
	err->code = OK;
	err->text[0] = '\0';
}

enum status
error_set(struct error *err, enum status code, const char *fmt, ...)
{
	va_list ap;

	if (!err || err->code != OK)
		return code;
	err->code = code;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	return code;
}

enum status
error_wrap(struct error *err, const char *fmt, ...)
{
	char old[ERROR_TEXT_MAX];
	va_list ap;
	size_t len;

	if (!err)
		return E_INTERNAL;
	memcpy(old, err->text, sizeof(old));
	old[sizeof(old) - 1] = '\0';
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	va_end(ap);
	len = strlen(err->text);
	snprintf(err->text + len, sizeof(err->text) - len, ": %s", old);
	return err->code != OK ? err->code : E_INTERNAL;
}

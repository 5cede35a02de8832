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

/* clang-format off */
static const char *const STATUS_NAMES[] = {
	[OK]          = "ok",
	[E_USAGE]     = "usage",
	[E_TARGET]    = "target",
	[E_IO]        = "io",
	[E_FULL]      = "full",
	[E_FORMAT]    = "format",
	[E_RANGE]     = "range",
	[E_NOMEM]     = "no memory",
	[E_PROTOCOL]  = "protocol",
	[E_STATE]     = "state",
	[E_NOT_FOUND] = "not found",
	[E_EXISTS]    = "exists",
	[E_BUSY]      = "busy",
	[E_INTERNAL]  = "internal",
};
/* clang-format on */

const char *
status_name(enum status code)
{
	size_t i = (size_t)code;

	if (i >= sizeof(STATUS_NAMES) / sizeof(STATUS_NAMES[0]))
		return "unknown";
	return STATUS_NAMES[i];
}

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

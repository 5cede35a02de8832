/*
 * decode: the lines of a corpus file, see decode.h. decode_value.c parses a
 * line.
 */

#include "shared/values/decode.h"

#include <string.h>

#include "shared/utf8.h"
#include "shared/values/encode.h"
#include "shared/values/quote.h"

/* A message quotes this much of a bad line. */
#define DECODE_QUOTED_MAX 120

/* White space around a line, ASCII and beyond. */
static bool
decode_is_space(uint32_t code)
{
	static const uint32_t wide[] = { 0x85, 0xa0, 0x1680, 0x2028, 0x2029,
		0x202f, 0x205f, 0x3000 };

	if (code == ' ' || (code >= '\t' && code <= '\r'))
		return true;
	if (code >= 0x2000 && code <= 0x200a)
		return true;
	for (size_t i = 0; i < sizeof(wide) / sizeof(wide[0]); i++) {
		if (code == wide[i])
			return true;
	}
	return false;
}

/* The length of the white space character that ends a line; 0: none. */
static size_t
decode_last_space(const uint8_t *line, size_t len)
{
	size_t n = 1;
	uint32_t code;

	while (n < len && n < UTF8_LEN_MAX && (line[len - n] & 0xc0) == 0x80)
		n++;
	if (utf8_decode(line + len - n, n, &code) != n)
		return 0;
	return decode_is_space(code) ? n : 0;
}

static void
decode_trim(const char **line, size_t *len)
{
	const uint8_t *bytes = (const uint8_t *)*line;
	uint32_t code;
	size_t n;

	while ((n = utf8_decode(bytes, *len, &code)) > 0 &&
		decode_is_space(code)) {
		bytes += n;
		*len -= n;
	}
	while (*len > 0 && (n = decode_last_space(bytes, *len)) > 0)
		*len -= n;
	*line = (const char *)bytes;
}

/* Puts the line, or its start, in front of the message. */
static enum status
decode_malformed(const char *line, size_t len, struct error *err)
{
	char text[4 * DECODE_QUOTED_MAX + 8];
	struct sink sink = { .data = text, .cap = sizeof(text) };
	size_t shown = len;

	if (shown > DECODE_QUOTED_MAX) {
		shown = DECODE_QUOTED_MAX;
		while (shown > 0 && (line[shown] & 0xc0) == 0x80)
			shown--;
	}
	quote_bytes(&sink, (const uint8_t *)line, shown);
	if (shown < len)
		sink_text(&sink, "...");
	error_wrap(err, "malformed line %.*s", (int)sink.len, text);
	return E_FORMAT;
}

/* The next line without its newline. Returns false after the last one. */
static bool
decode_next_line(const char **at, const char *end, const char **line,
	size_t *len)
{
	const char *stop;

	if (!*at)
		return false;
	*line = *at;
	stop = memchr(*at, '\n', (size_t)(end - *at));
	*len = (size_t)((stop ? stop : end) - *at);
	*at = stop ? stop + 1 : NULL;
	return true;
}

static enum status
decode_version(const char **at, const char *end, struct error *err)
{
	const char *line;
	size_t len;

	if (*at == end)
		return error_set(err, E_FORMAT,
			"cannot unmarshal empty string");
	decode_next_line(at, end, &line, &len);
	if (!*at)
		return error_set(err, E_FORMAT,
			"must include version and at least one value");
	if (len > 0 && line[len - 1] == '\r')
		len--;
	if (len != strlen(ENCODE_VERSION) ||
		memcmp(line, ENCODE_VERSION, len) != 0)
		return error_set(err, E_FORMAT,
			"unknown encoding version: %.*s",
			(int)(len < DECODE_QUOTED_MAX ? len
						      : DECODE_QUOTED_MAX),
			line);
	return OK;
}

bool
decode_is_text(const void *data, size_t len)
{
	const char *at = data;

	return decode_version(&at, at + len, NULL) == OK;
}

enum status
decode_values(const char *text, size_t len, struct value *values, size_t max,
	size_t *n, uint8_t *room, struct error *err)
{
	const char *at = text, *end = text + len, *line;
	enum status status = decode_version(&at, end, err);
	size_t line_len;

	*n = 0;
	if (status != OK)
		return status;
	while (decode_next_line(&at, end, &line, &line_len)) {
		decode_trim(&line, &line_len);
		if (line_len == 0)
			continue;
		if (*n == max)
			return error_set(err, E_RANGE,
				"more than %zu values in corpus entry", max);
		status = decode_value(line, line_len, &values[*n],
			room + (line - text), err);
		if (status != OK)
			return decode_malformed(line, line_len, err);
		(*n)++;
	}
	return OK;
}

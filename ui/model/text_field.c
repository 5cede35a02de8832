/*
 * text_field: one line of text that the user edits.
 *
 * A character with its combining marks is one step of the cursor.
 */
#include "ui/model/text_field.h"

#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8_width.h"

void
text_field_set(struct text_field *field, const char *text)
{
	memset(field, 0, sizeof(*field));
	text_field_insert(field, text, strlen(text));
}

/* Inserts len clean bytes at the cursor, or nothing if they do not fit. */
static void
text_field_put(struct text_field *field, const char *text, size_t len)
{
	if (field->len + len >= sizeof(field->text))
		return;
	memmove(field->text + field->cursor + len, field->text + field->cursor,
		field->len - field->cursor + 1);
	memcpy(field->text + field->cursor, text, len);
	field->len += len;
	field->cursor += len;
}

void
text_field_insert(struct text_field *field, const char *text, size_t len)
{
	for (size_t at = 0; at < len;) {
		uint32_t code;
		size_t n = utf8_decode(text + at, len - at, &code);

		if (n == 0) {
			at++;
			continue;
		}
		if (code == '\t' || code == '\n' || code == '\r')
			text_field_put(field, " ", 1);
		else if (utf8_width(code) >= 0)
			text_field_put(field, text + at, n);
		at += n;
	}
}

static bool
text_field_is_mark(const struct text_field *field, size_t at)
{
	uint32_t code;
	size_t n = utf8_decode(field->text + at, field->len - at, &code);

	return n > 0 && utf8_width(code) == 0;
}

static size_t
text_field_before(const struct text_field *field, size_t at)
{
	while (at > 0) {
		at--;
		if (((uint8_t)field->text[at] & 0xc0) == 0x80)
			continue;
		if (!text_field_is_mark(field, at))
			break;
	}
	return at;
}

static size_t
text_field_after(const struct text_field *field, size_t at)
{
	while (at < field->len) {
		at++;
		if (((uint8_t)field->text[at] & 0xc0) == 0x80)
			continue;
		if (!text_field_is_mark(field, at))
			break;
	}
	return at;
}

static void
text_field_cut(struct text_field *field, size_t from, size_t to)
{
	memmove(field->text + from, field->text + to, field->len - to + 1);
	field->len -= to - from;
	field->cursor = from;
}

static size_t
text_field_word_start(const struct text_field *field)
{
	size_t at = field->cursor;

	while (at > 0 && field->text[at - 1] == ' ')
		at--;
	while (at > 0 && field->text[at - 1] != ' ')
		at--;
	return at;
}

bool
text_field_command(struct text_field *field, const char *command)
{
	size_t cursor = field->cursor;

	if (strcmp(command, "left") == 0)
		field->cursor = text_field_before(field, cursor);
	else if (strcmp(command, "right") == 0)
		field->cursor = text_field_after(field, cursor);
	else if (strcmp(command, "home") == 0)
		field->cursor = 0;
	else if (strcmp(command, "end") == 0)
		field->cursor = field->len;
	else if (strcmp(command, "rubout") == 0)
		text_field_cut(field, text_field_before(field, cursor), cursor);
	else if (strcmp(command, "delete") == 0)
		text_field_cut(field, cursor, text_field_after(field, cursor));
	else if (strcmp(command, "kill-word") == 0)
		text_field_cut(field, text_field_word_start(field), cursor);
	else if (strcmp(command, "kill-line") == 0)
		text_field_cut(field, 0, cursor);
	else if (strcmp(command, "kill-end") == 0)
		text_field_cut(field, cursor, field->len);
	else
		return false;
	return true;
}

int
text_field_cursor_column(const struct text_field *field)
{
	char before[TEXT_FIELD_SIZE];

	memcpy(before, field->text, field->cursor);
	before[field->cursor] = '\0';
	return (int)text_width(before);
}

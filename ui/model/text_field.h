/*
 * text_field: one line of text that the user edits.
 *
 * Text goes in and out as UTF-8; the cursor stands between characters. Tabs and
 * line ends become spaces; other control characters, invalid bytes and
 * characters without room are dropped.
 */
#ifndef CFUZZ_UI_MODEL_TEXT_FIELD_H
#define CFUZZ_UI_MODEL_TEXT_FIELD_H

#include <stdbool.h>
#include <stddef.h>

#define TEXT_FIELD_SIZE 512

struct text_field {
	char text[TEXT_FIELD_SIZE];
	size_t len;    /* bytes */
	size_t cursor; /* byte offset, on a character boundary */
};

void text_field_set(struct text_field *field,
	const char *text); /* cursor at the end */
void text_field_insert(struct text_field *field, const char *text, size_t len);

/* "left", "right", "home", "end", "rubout", "delete", "kill-word", "kill-line",
 * "kill-end"; false: not a command of a field. */
bool text_field_command(struct text_field *field, const char *command);

/* Columns before the cursor. */
int text_field_cursor_column(const struct text_field *field);

#endif

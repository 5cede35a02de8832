/*
 * text_field: one line of text that the user edits.
 *
 * Text goes in and out as UTF-8; the cursor stands between characters. Control
 * characters are dropped. Pasted text is cut at the field's size.
 */
#ifndef CFUZZ_UI_MODEL_TEXT_FIELD_H
#define CFUZZ_UI_MODEL_TEXT_FIELD_H

#include <stdbool.h>
#include <stddef.h>

#define FIELD_SIZE 512

struct field {
	char text[FIELD_SIZE];
	size_t len;    /* bytes */
	size_t cursor; /* byte offset, on a character boundary */
};

void field_set(struct field *field, const char *text); /* cursor at the end */
void field_insert(struct field *field, const char *text, size_t len);

/* "left", "right", "home", "end", "rubout", "delete", "kill-word", "kill-line",
 * "kill-end"; false: not a command of a field. */
bool field_command(struct field *field, const char *command);

/* Columns before the cursor. */
int field_cursor_column(const struct field *field);

#endif

/* report_piece: see report_piece.h. */

#include "shared/wire/report_piece.h"

#include <string.h>

bool
report_starts(struct report_text text, const char *start)
{
	size_t len = strlen(start);

	return text.len >= len && memcmp(text.at, start, len) == 0;
}

bool
report_find(struct report_text text, const char *word, size_t *offset)
{
	const char *found = text.len == 0
		? NULL
		: memmem(text.at, text.len, word, strlen(word));

	if (found == NULL)
		return false;
	*offset = (size_t)(found - text.at);
	return true;
}

struct report_text
report_behind(struct report_text text, size_t offset)
{
	return (struct report_text){ text.at + offset, text.len - offset };
}

bool
report_line(struct report_text *rest, struct report_text *line)
{
	const char *end;

	if (rest->len == 0)
		return false;
	end = memchr(rest->at, '\n', rest->len);
	line->at = rest->at;
	line->len = end != NULL ? (size_t)(end - rest->at) : rest->len;
	*rest = report_behind(*rest, line->len + (end != NULL));
	return true;
}

void
report_append(char *to, size_t size, const char *from, size_t len)
{
	size_t n = strlen(to);

	for (size_t i = 0; i < len && n + 1 < size; i++)
		to[n++] = from[i] >= ' ' && from[i] <= '~' ? from[i] : '?';
	to[n] = '\0';
}

void
report_append_text(char *to, size_t size, const char *text)
{
	report_append(to, size, text, strlen(text));
}

struct report_text
report_word(struct report_text *rest)
{
	struct report_text word;

	while (rest->len > 0 && rest->at[0] == ' ')
		*rest = report_behind(*rest, 1);
	word = *rest;
	word.len = 0;
	while (word.len < rest->len && rest->at[word.len] != ' ')
		word.len++;
	*rest = report_behind(*rest, word.len);
	return word;
}

bool
report_is_number(struct report_text word)
{
	char first = word.len > 0 ? word.at[0] : '\0';

	if ((first == '-' || first == '+') && word.len > 1)
		first = word.at[1];
	return first >= '0' && first <= '9';
}

/* Takes ":12" off the end of a place. */
static bool
report_drop_number(struct report_text *place)
{
	size_t n = place->len;

	while (n > 0 && place->at[n - 1] >= '0' && place->at[n - 1] <= '9')
		n--;
	if (n < 2 || n == place->len || place->at[n - 1] != ':')
		return false;
	place->len = n - 1;
	return true;
}

bool
report_is_line(struct report_text place)
{
	return report_drop_number(&place);
}

bool
report_is_place(struct report_text text)
{
	struct report_text place = text;
	size_t at;

	/* Without a line: "0x55...", "(module+0x12ab)". */
	if (report_starts(text, "0x") ||
		(text.len > 0 && text.at[text.len - 1] == ')' &&
			report_find(text, "(", &at) &&
			report_find(text, "+0x", &at)))
		return true;
	return (text.len == strlen("<unknown>") &&
		       report_starts(text, "<unknown>")) ||
		(report_drop_number(&place) && report_drop_number(&place));
}

/*
 * report_piece: pieces of a sanitizer's report, which is hostile text.
 */
#ifndef CFUZZ_SHARED_WIRE_REPORT_PIECE_H
#define CFUZZ_SHARED_WIRE_REPORT_PIECE_H

#include <stdbool.h>
#include <stddef.h>

/* A piece of a report, not NUL-terminated. */
struct report_text {
	const char *at;
	size_t len;
};

bool report_starts(struct report_text text, const char *start);

/* The offset of a word in the text; false: not found. */
bool report_find(struct report_text text, const char *word, size_t *offset);

/* The rest of the text, from the offset on. */
struct report_text report_behind(struct report_text text, size_t offset);

/* Takes the next line off the text, without its newline. */
bool report_line(struct report_text *rest, struct report_text *line);

/* Takes the next word off the text, with the spaces before it. */
struct report_text report_word(struct report_text *rest);

/* Appends a piece to a C string of this size; '?' if not printable ASCII. */
void report_append(char *to, size_t size, const char *from, size_t len);
void report_append_text(char *to, size_t size, const char *text);

bool report_is_number(struct report_text word);

/* "path/file.c:12", perhaps with a column? */
bool report_is_line(struct report_text text);
/* "path/file.c:12:5", or what stands for an unknown place? */
bool report_is_place(struct report_text text);

#endif

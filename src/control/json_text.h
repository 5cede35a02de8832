/*
 * json_text: text in JSON values, which must be UTF-8, and counts.
 */
#ifndef CFUZZ_CONTROL_JSON_TEXT_H
#define CFUZZ_CONTROL_JSON_TEXT_H

#include <stdint.h>

#include <jansson.h>

/* A new JSON string of text from any origin: of its cleaned form, which is
 * always UTF-8. Never NULL. */
json_t *json_text_new(const char *text);
/* The text of a member, borrowed from the object; NULL: there is no such
 * member, or it is no string. */
const char *json_text_get(const json_t *object, const char *name);
/* The same; "": there is none. */
const char *json_text_of(const json_t *object, const char *name);
/* A whole number; 0: there is none, or it is below 0. */
uint64_t json_count_of(const json_t *object, const char *name);
/* A new JSON number: n, or INT64_MAX if that is less. */
json_t *json_count_new(uint64_t n);

#endif

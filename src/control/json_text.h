/*
 * json_text: text in JSON values, which must be UTF-8.
 */
#ifndef CFUZZ_CONTROL_JSON_TEXT_H
#define CFUZZ_CONTROL_JSON_TEXT_H

#include <jansson.h>

/* A new string, for text of any origin: it is cleaned, never lost. */
json_t *json_text_new(const char *text);
/* The text of a member, borrowed; NULL: there is none. */
const char *json_text_get(const json_t *object, const char *name);

#endif

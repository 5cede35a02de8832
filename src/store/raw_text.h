/*
 * raw_text: stores text of any bytes in JSON, which allows only UTF-8.
 *
 * The member "x" has the cleaned text for people. If it differs from the bytes,
 * "x_hex" has the bytes, because a cleaned path may name no file. For a list,
 * "x_hex" has all texts if one of them differs.
 */
#ifndef CFUZZ_STORE_RAW_TEXT_H
#define CFUZZ_STORE_RAW_TEXT_H

#include <stddef.h>

#include <jansson.h>

#define RAW_TEXT_SUFFIX "_hex"

void raw_text_put(json_t *object, const char *name, const char *text);
void raw_text_put_list(json_t *object, const char *name, char *const *texts,
	size_t n);

/*
 * Returns the bytes as a new string; NULL: no such member. The object is not
 * trusted: if the bytes do not clean to the text for people, that text is
 * returned.
 */
char *raw_text_get(const json_t *object, const char *name);
/* A new list for xfree_list(), never NULL; empty if the member is no list of
 * texts, or has more than max. */
char **raw_text_get_list(const json_t *object, const char *name, size_t max);

#endif

/*
 * raw_text: texts of any bytes in JSON, which has only those that are UTF-8.
 *
 * Beside the member "x", cleaned for people, stands "x_hex" with the bytes, where
 * they differ: a path that people read may name no file. Of a list, "x_hex" has
 * all texts if one differs.
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
 * The bytes as a new string; NULL: there is none. Anybody may have written the
 * object: bytes that people would read in another way do not count, only what
 * they read.
 */
char *raw_text_get(const json_t *object, const char *name);
/* NULL-ended, never NULL; what is no list, or has more than max, is empty. */
char **raw_text_get_list(const json_t *object, const char *name, size_t max);
void raw_text_free_list(char **texts); /* NULL is fine */

#endif

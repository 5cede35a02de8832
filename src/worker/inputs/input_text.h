/*
 * input_text: converts inputs between memory, files and the screen.
 *
 * In memory, an input of a typed target is a tuple (shared/values/tuple.h). In
 * files it is the text of shared/values/encode.h, and its name is the hash of
 * that text. An input of any other target is the same everywhere and costs
 * nothing here.
 */
#ifndef CFUZZ_WORKER_INPUTS_INPUT_TEXT_H
#define CFUZZ_WORKER_INPUTS_INPUT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "shared/status.h"
#include "shared/values/tuple.h"

/* An input in the form of a file. */
struct input_text {
	const uint8_t *data; /* the input itself, or `made` */
	size_t len;
	uint8_t *made; /* owned; NULL: no conversion was needed */
};

/* Borrows the input. Bytes that are no tuple are used unchanged. */
void input_text_init(struct input_text *text, const struct tuple_types *types,
	const void *data, size_t len);
void input_text_clear(struct input_text *text);

/*
 * Moves *offset and *len from bytes of the input to bytes of its text. An
 * offset inside a multi-byte character is not mapped exactly.
 */
void input_text_place(const struct tuple_types *types, const void *data,
	size_t data_len, uint64_t *offset, uint64_t *len);

/* The length of such a text. */
size_t input_text_len(const struct tuple_types *types, const void *data,
	size_t len);
/* Writes all 64 digits of the input's name. */
void input_text_name(const struct tuple_types *types, const void *data,
	size_t len, char name[SHA256_HEX_SIZE]);

/*
 * Writes the values in the first n bytes of an input as text for the screen, as
 * far as they are valid; an untyped target has the bytes themselves. The bytes
 * may be changing, or be no input at all. Writes no more than size bytes.
 * Returns the length of the whole text, which may be more.
 */
size_t input_text_sample(const struct tuple_types *types, const uint8_t *data,
	size_t n, uint8_t *to, size_t size);

/*
 * Writes an input of a typed target as a C call of this function, see
 * shared/values/call.h; "": its name is not known. Returns a text that the caller frees; "" if it is no
 * such input, or longer than 3000 bytes.
 */
#define INPUT_CALL_NAMELESS "function"
char *input_call(const struct tuple_types *types, const char *function,
	const void *data, size_t len);

/* Reads the types of an input of a typed target; n is 0 if it is none. */
void input_types(const void *data, size_t len, struct tuple_types *types);

/* Are these bytes an input of these types? For an untyped target all are. */
bool input_is_sound(const struct tuple_types *types, const void *data,
	size_t len);

/*
 * Replaces the content of a file, *len bytes at *data from malloc(), by the
 * input. E_FORMAT: not a valid text, or other types. E_RANGE: the input has
 * more than max_len bytes. On failure nothing is changed.
 */
enum status input_from_text(const struct tuple_types *types, uint8_t **data,
	size_t *len, size_t max_len, struct error *err) MUST_CHECK;

/*
 * Does the same for a file of foreign origin: for an untyped target it may also
 * be the text of one value of bytes.
 */
enum status input_from_seed(const struct tuple_types *types, uint8_t **data,
	size_t *len, size_t max_len, struct error *err) MUST_CHECK;

/* The maximum length of a file for an input of max_len bytes. */
size_t input_file_max(const struct tuple_types *types, size_t max_len);
/* The same for a file of foreign origin, which may be text for any target. */
size_t input_seed_max(size_t max_len);
/*
 * Memory that a file's content may need as an input, if it is not known yet
 * whether the target is typed.
 */
size_t input_room(const void *text, size_t len);
/* The same for a file; 0: no such file. */
uint64_t input_file_room(const char *path);

/* Reads an input from a file, of foreign origin or of an output directory;
 * *file_len is the size of the file. The caller frees *data. Errors: those of
 * file_read() and input_from_text(). */
enum status input_read(const struct tuple_types *types, const char *path,
	bool is_foreign, size_t max_len, uint8_t **data, size_t *len,
	size_t *file_len, struct error *err) MUST_CHECK;

#endif

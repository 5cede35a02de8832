/*
 * input_text: inputs as they stand in files and on the screen.
 *
 * In memory an input of a typed target is a tuple (shared/values/tuple.h), in files
 * it is the text of shared/values/encode.h, and its name comes from that text. An
 * input of any other target is the same everywhere, and costs nothing here.
 */
#ifndef CFUZZ_WORKER_INPUT_TEXT_H
#define CFUZZ_WORKER_INPUT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "shared/status.h"
#include "shared/values/tuple.h"

/* What an input is in a file. */
struct input_text {
	const uint8_t *data; /* the input itself, or `made` */
	size_t len;
	uint8_t *made; /* owned; NULL: nothing had to be made */
};

/* The input is borrowed. Bytes that are no tuple stay what they are. */
void input_text_init(struct input_text *text, const struct tuple_types *types,
	const void *data, size_t len);
void input_text_clear(struct input_text *text);

/*
 * Where the text stands for these bytes of the input: it moves *offset and
 * *len there. Characters that take several bytes are not taken apart.
 */
void input_text_place(const struct tuple_types *types, const void *data,
	size_t data_len, uint64_t *offset, uint64_t *len);

/* Of such a text. */
size_t input_text_len(const struct tuple_types *types, const void *data,
	size_t len);
/* All 64 digits of its name. */
void input_text_name(const struct tuple_types *types, const void *data,
	size_t len, char name[SHA256_HEX_SIZE]);

/*
 * For the eye, of the first n bytes of an input, which may be changing, or not
 * be one at all: its values in a row, as far as they go. Returns how many bytes
 * there are of that; no more than size are written.
 */
size_t input_text_sample(const struct tuple_types *types, const uint8_t *data,
	size_t n, uint8_t *to, size_t size);

/*
 * The input of a typed target as a call of this function ("": any) in C, see
 * shared/values/call.h. Owned; "" if it is no such input, or too long to be read.
 */
char *input_call(const struct tuple_types *types, const char *function,
	const void *data, size_t len);

/* The types of an input of a typed target; n is 0 if it is none. */
void input_types(const void *data, size_t len, struct tuple_types *types);

/* Can the target be given these bytes? */
bool input_is_sound(const struct tuple_types *types, const void *data,
	size_t len);

/*
 * Puts the input in the place of a file's content, which is owned. E_FORMAT:
 * it is no text, or one of other types. E_RANGE: as an input it has more than
 * max_len bytes. Nothing is changed then.
 */
enum status input_from_text(const struct tuple_types *types, uint8_t **data,
	size_t *len, size_t max_len, struct error *err) MUST_CHECK;

/*
 * The same of a file that somebody else has written: for a target that is not
 * typed it may be the text of one value of bytes, too.
 */
enum status input_from_seed(const struct tuple_types *types, uint8_t **data,
	size_t *len, size_t max_len, struct error *err) MUST_CHECK;

/* How long a file can be that is an input of max_len bytes. */
size_t input_file_max(const struct tuple_types *types, size_t max_len);
/*
 * Room that is enough for a file's content as an input, when nobody knows yet
 * whether the target is typed.
 */
size_t input_room(const void *text, size_t len);
/* The same, of a file; 0: there is none. */
uint64_t input_file_room(const char *path);

/* Reads an input from a file, which has *file_len bytes. */
enum status input_read(const struct tuple_types *types, const char *path,
	size_t max_len, uint8_t **data, size_t *len, size_t *file_len,
	struct error *err) MUST_CHECK;

#endif

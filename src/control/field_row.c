/* field_row: see field_row.h. */

#include "control/field_row.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hex_text.h"
#include "base/text.h"
#include "base/xmalloc.h"

/* ---- encoding ----------------------------------------------------------- */

static json_t *
field_encode_whole(uint64_t value)
{
	return json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value);
}

static json_t *
field_encode_seed(uint64_t seed)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, seed);
	return json_string(text);
}

static json_t *
field_encode_text(const char *text, size_t size)
{
	char *clean = text_clean_dup(text, strnlen(text, size));
	json_t *json = json_string(clean);

	free(clean);
	return json;
}

static json_t *
field_encode_bytes(const uint8_t *bytes, size_t n)
{
	char *hex = xmalloc(2 * n + 1);
	json_t *json;

	hex_encode(bytes, n, hex);
	json = json_stringn(hex, 2 * n);
	free(hex);
	return json;
}

static json_t *
field_encode_word(const struct field_words *words, unsigned i)
{
	return json_string(words->items[i < words->n ? i : 0]);
}

json_t *
field_encode(const struct field_row *field, const void *base)
{
	const void *at = (const char *)base + field->offset;
	const uint32_t *n =
		(const void *)((const char *)base + field->n_offset);
	const struct field_blob *blob;
	double real;

	switch (field->type) {
	case FIELD_U64:
		return field_encode_whole(*(const uint64_t *)at);
	case FIELD_U32:
		return json_integer(*(const uint32_t *)at);
	case FIELD_I64:
		return json_integer(*(const int64_t *)at);
	case FIELD_INT:
		return json_integer(*(const int *)at);
	case FIELD_SEED:
		return field_encode_seed(*(const uint64_t *)at);
	case FIELD_REAL:
		real = *(const double *)at;
		return json_real(isfinite(real) ? real : 0);
	case FIELD_BOOL:
		return json_boolean(*(const bool *)at);
	case FIELD_TEXT:
		return field_encode_text(at, field->size);
	case FIELD_BYTES:
		return field_encode_bytes(at,
			*n < field->size ? *n : field->size);
	case FIELD_BLOB:
		blob = at;
		return field_encode_bytes(blob->data, blob->len);
	case FIELD_WORD:
		return field_encode_word(field->words, *(const unsigned *)at);
	case FIELD_ITEMS: /* by fields.c */
		break;
	}
	return NULL;
}

/* ---- decoding ----------------------------------------------------------- */

static enum status
field_decode_error(struct error *err, const char *expected)
{
	return error_set(err, E_FORMAT, "%s is expected", expected);
}

static enum status
field_decode_whole(const json_t *json, int64_t min, int64_t max, int64_t *value,
	struct error *err)
{
	if (!json_is_integer(json))
		return field_decode_error(err, "a whole number");
	*value = json_integer_value(json);
	if (*value >= min && *value <= max)
		return OK;
	return error_set(err, E_RANGE,
		"a number from %" PRId64 " to %" PRId64 " is expected", min,
		max);
}

static enum status
field_decode_seed(const json_t *json, uint64_t *seed, struct error *err)
{
	const char *text = json_string_value(json);
	char *end;

	if (!text || !isdigit((unsigned char)*text))
		return field_decode_error(err, "a string of digits");
	errno = 0;
	*seed = strtoull(text, &end, 10);
	if (*end || errno)
		return field_decode_error(err, "a 64-bit number");
	return OK;
}

static enum status
field_decode_bytes(const json_t *json, uint8_t *bytes, size_t size, uint32_t *n,
	struct error *err)
{
	const char *hex = json_string_value(json);
	size_t len = json_string_length(json);

	if (!hex || len % 2 || len / 2 > size ||
		!hex_decode(hex, bytes, len / 2))
		return field_decode_error(err, "a string of hex bytes");
	*n = (uint32_t)(len / 2);
	return OK;
}

static enum status
field_decode_blob(const json_t *json, struct field_blob *blob, size_t max,
	struct error *err)
{
	size_t size = json_string_length(json) / 2;
	uint32_t n = 0;
	enum status status;

	if (size > max)
		return field_decode_error(err, "a shorter string");
	free(blob->data);
	*blob = (struct field_blob){ .data = xmalloc(size + 1) };
	status = field_decode_bytes(json, blob->data, size, &n, err);
	blob->len = n;
	return status;
}

static enum status
field_decode_text(const json_t *json, char *text, size_t size,
	struct error *err)
{
	if (!json_is_string(json))
		return field_decode_error(err, "a string");
	text_clean(json_string_value(json), json_string_length(json), text,
		size);
	return OK;
}

static enum status
field_decode_word(const json_t *json, const struct field_words *words,
	unsigned *value, struct error *err)
{
	const char *word = json_string_value(json);

	for (unsigned i = 0; word && i < words->n; i++) {
		if (strcmp(words->items[i], word) == 0) {
			*value = i;
			return OK;
		}
	}
	return field_decode_error(err, "one of the known words");
}

static enum status
field_decode_number(const struct field_row *field, const json_t *json, void *at,
	struct error *err)
{
	enum status status;
	int64_t value = 0;

	switch (field->type) {
	case FIELD_U64:
		status = field_decode_whole(json, 0, INT64_MAX, &value, err);
		if (status == OK)
			*(uint64_t *)at = (uint64_t)value;
		return status;
	case FIELD_U32:
		status = field_decode_whole(json, 0, UINT32_MAX, &value, err);
		if (status == OK)
			*(uint32_t *)at = (uint32_t)value;
		return status;
	case FIELD_I64:
		return field_decode_whole(json, INT64_MIN, INT64_MAX, at, err);
	default:
		status = field_decode_whole(json, INT32_MIN, INT32_MAX, &value,
			err);
		if (status == OK)
			*(int *)at = (int)value;
		return status;
	}
}

enum status
field_decode(const struct field_row *field, const json_t *json, void *base,
	struct error *err)
{
	void *at = (char *)base + field->offset;

	switch (field->type) {
	case FIELD_SEED:
		return field_decode_seed(json, at, err);
	case FIELD_REAL:
		if (!json_is_number(json))
			return field_decode_error(err, "a number");
		*(double *)at = json_number_value(json);
		return OK;
	case FIELD_BOOL:
		if (!json_is_boolean(json))
			return field_decode_error(err, "true or false");
		*(bool *)at = json_is_true(json);
		return OK;
	case FIELD_TEXT:
		return field_decode_text(json, at, field->size, err);
	case FIELD_BYTES:
		return field_decode_bytes(json, at, field->size,
			(void *)((char *)base + field->n_offset), err);
	case FIELD_BLOB:
		return field_decode_blob(json, at, field->max, err);
	case FIELD_WORD:
		return field_decode_word(json, field->words, at, err);
	default:
		return field_decode_number(field, json, at, err);
	}
}

/*
 * cfuzz_value.h: the arguments of a typed target; part of cfuzz.h, see
 * cfuzz(3).
 *
 * A value is made by a function with the name of its type, such as
 * cfuzz_bytes("hello", 5), cfuzz_string("a"), cfuzz_int32(50).
 */
#ifndef CFUZZ_VALUE_H
#define CFUZZ_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Arguments of bytes and text. The target must neither write to them nor keep
 * the pointers. */
struct cfuzz_bytes {
	const uint8_t *data;
	size_t size;
};

struct cfuzz_string {
	const char *text; /* ends with a NUL; may hold others */
	size_t size;      /* without the NUL at the end */
};

/*
 * For unit tests: a target that is run by hand prints its call in C, and the
 * arguments have this form. The results point to the caller's bytes. Floats are
 * given by their bits:
 *
 *	float cfuzz_float32_of(uint32_t bits);
 *	double cfuzz_float64_of(uint64_t bits);
 */
static inline struct cfuzz_bytes
cfuzz_bytes_of(const void *data, size_t size)
{
	const struct cfuzz_bytes bytes = { (const uint8_t *)data, size };

	return bytes;
}

static inline struct cfuzz_string
cfuzz_string_of(const char *text, size_t size)
{
	const struct cfuzz_string string = { text, size };

	return string;
}

/* ---- internals; do not use them by name ---- */

/* clang-format off */
enum cfuzz_tag {
	cfuzz_tag_bytes, cfuzz_tag_string, cfuzz_tag_bool,
	cfuzz_tag_int, cfuzz_tag_int8, cfuzz_tag_int16, cfuzz_tag_int32,
	cfuzz_tag_int64,
	cfuzz_tag_uint, cfuzz_tag_uint8, cfuzz_tag_uint16, cfuzz_tag_uint32,
	cfuzz_tag_uint64,
	cfuzz_tag_float32, cfuzz_tag_float64,
	cfuzz_tag_byte = cfuzz_tag_uint8, cfuzz_tag_rune = cfuzz_tag_int32
};
/* clang-format on */

struct cfuzz_value {
	enum cfuzz_tag tag;
	uint64_t bits;    /* a number; for floats, their bits */
	const void *data; /* bytes or a string */
	size_t size;
};

static inline struct cfuzz_value
cfuzz_value_of(enum cfuzz_tag tag, uint64_t bits, const void *data, size_t size)
{
	const struct cfuzz_value value = { tag, bits, data, size };

	return value;
}

/* clang-format off */
#define CFUZZ_NUMBER(name, number)                                             \
	typedef number cfuzz_type_##name;                                      \
	static inline struct cfuzz_value cfuzz_##name(number value)            \
	{                                                                      \
		return cfuzz_value_of(cfuzz_tag_##name, (uint64_t)value,       \
			NULL, 0);                                              \
	}                                                                      \
	static inline number cfuzz_take_##name(                                \
		const struct cfuzz_value *value)                               \
	{                                                                      \
		return (number)value->bits;                                    \
	}

#define CFUZZ_FLOAT(name, number, integer)                                     \
	typedef number cfuzz_type_##name;                                      \
	static inline number cfuzz_##name##_of(integer bits)                   \
	{                                                                      \
		number value;                                                  \
		memcpy(&value, &bits, sizeof(value));                          \
		return value;                                                  \
	}                                                                      \
	static inline struct cfuzz_value cfuzz_##name(number value)            \
	{                                                                      \
		integer bits;                                                  \
		memcpy(&bits, &value, sizeof(bits));                           \
		return cfuzz_value_of(cfuzz_tag_##name, bits, NULL, 0);        \
	}                                                                      \
	static inline number cfuzz_take_##name(                                \
		const struct cfuzz_value *value)                               \
	{                                                                      \
		return cfuzz_##name##_of((integer)value->bits);                \
	}

CFUZZ_NUMBER(bool, bool)
CFUZZ_NUMBER(byte, uint8_t)
CFUZZ_NUMBER(rune, int32_t)
CFUZZ_NUMBER(int, int64_t)
CFUZZ_NUMBER(int8, int8_t)
CFUZZ_NUMBER(int16, int16_t)
CFUZZ_NUMBER(int32, int32_t)
CFUZZ_NUMBER(int64, int64_t)
CFUZZ_NUMBER(uint, uint64_t)
CFUZZ_NUMBER(uint8, uint8_t)
CFUZZ_NUMBER(uint16, uint16_t)
CFUZZ_NUMBER(uint32, uint32_t)
CFUZZ_NUMBER(uint64, uint64_t)
CFUZZ_FLOAT(float32, float, uint32_t)
CFUZZ_FLOAT(float64, double, uint64_t)
/* clang-format on */

typedef struct cfuzz_bytes cfuzz_type_bytes;
typedef struct cfuzz_string cfuzz_type_string;

static inline struct cfuzz_bytes
cfuzz_take_bytes(const struct cfuzz_value *value)
{
	return cfuzz_bytes_of(value->data, value->size);
}

static inline struct cfuzz_string
cfuzz_take_string(const struct cfuzz_value *value)
{
	return cfuzz_string_of((const char *)value->data, value->size);
}

/* Macros, so that the structs keep their names in C++, too. */
#define cfuzz_bytes(data, size) cfuzz_value_bytes(data, size)
#define cfuzz_string(...) \
	CFUZZ_THIRD(__VA_ARGS__, cfuzz_value_string, cfuzz_value_text, 0) \
	(__VA_ARGS__)
#define CFUZZ_THIRD(one, two, three, ...) three

static inline struct cfuzz_value
cfuzz_value_bytes(const void *data, size_t size)
{
	return cfuzz_value_of(cfuzz_tag_bytes, 0, data, size);
}

static inline struct cfuzz_value
cfuzz_value_string(const char *text, size_t size)
{
	return cfuzz_value_of(cfuzz_tag_string, 0, text, size);
}

static inline struct cfuzz_value
cfuzz_value_text(const char *text)
{
	return cfuzz_value_string(text, strlen(text));
}

/* bool may be a macro itself. */
#define cfuzz_tag__Bool cfuzz_tag_bool
#define cfuzz_type__Bool cfuzz_type_bool
#define cfuzz_take__Bool cfuzz_take_bool

#ifdef __cplusplus
}
#endif

#endif

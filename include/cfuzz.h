/*
 * cfuzz.h: the interface between a fuzz target and cfuzz.
 *
 * A target is linked with cfuzz-cc and defines LLVMFuzzerTestOneInput():
 *
 *	int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
 *	{
 *		struct parsed *p = parse(data, size);
 *
 *		if (p && !is_sound(p))
 *			cfuzz_fail("unsound result of %zu bytes", size);
 *		parsed_free(p);
 *		return 0;
 *	}
 *
 * or names a function with typed arguments:
 *
 *	static void slice(struct cfuzz_bytes text, int32_t from)
 *	{
 *		...
 *	}
 *	CFUZZ_TARGET(slice, bytes, int32)
 *
 * Everything else is optional. See cfuzz(3).
 */
#ifndef CFUZZ_H
#define CFUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) || defined(__clang__)
#define CFUZZ_PRINTF(text, first) __attribute__((format(printf, text, first)))
#define CFUZZ_VISIBLE __attribute__((visibility("default")))
#else
#define CFUZZ_PRINTF(text, first)
#define CFUZZ_VISIBLE
#endif

/* ---- defined by the target ---- */

/*
 * Runs one input. Returns 0, or -1 to keep the input out of the corpus even if
 * it reaches new code. Must neither write to data nor keep the pointer.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Optional: called once, before the first input. Returns 0. */
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* Optional: changes data, which has room for max_size bytes, in place. Returns
 * the new size. The same seed must make the same change. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
	unsigned int seed);

/* Optional: makes one input out of two. Returns its size. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1,
	const uint8_t *data2, size_t size2, uint8_t *out, size_t max_size,
	unsigned int seed);

/*
 * Replaces LLVMFuzzerTestOneInput(). Stands at the end of a file, without a
 * semicolon, and names the function to fuzz and the types of its 1 to 16
 * arguments. The function returns nothing.
 *
 *	bytes		struct cfuzz_bytes
 *	string		struct cfuzz_string
 *	bool		bool
 *	int8 ... int64	int8_t ... int64_t	int	int64_t
 *	uint8 ... uint64 uint8_t ... uint64_t	uint	uint64_t
 *	byte		uint8_t			rune	int32_t
 *	float32		float			float64	double
 */
#define CFUZZ_TARGET(function, ...) \
	static const uint8_t cfuzz_target_tags[] = { CFUZZ_EACH(CFUZZ_TAG, \
		__VA_ARGS__) }; \
	static void cfuzz_target_call(const struct cfuzz_value *cfuzz_values) \
	{ \
		void (*const cfuzz_function)( \
			CFUZZ_EACH(CFUZZ_TYPE, __VA_ARGS__)) = function; \
		cfuzz_function(CFUZZ_EACH(CFUZZ_TAKE, __VA_ARGS__)); \
	} \
	const struct cfuzz_typed cfuzz_target = { \
		CFUZZ_TYPED_VERSION, \
		CFUZZ_COUNT(__VA_ARGS__), \
		cfuzz_target_tags, \
		cfuzz_target_call, \
		#function, \
	};

/*
 * Arguments of bytes and text. The target must neither write to them nor keep
 * the pointers.
 */
struct cfuzz_bytes {
	const uint8_t *data;
	size_t size;
};

struct cfuzz_string {
	const char *text; /* ends with a NUL; may hold others */
	size_t size;      /* without the NUL at the end */
};

/* ---- called by the target ---- */

/*
 * Reports that the present execution has failed, with a reason as for printf().
 * Returns, so that the target can clean up; coverage and result of the
 * execution are ignored. If the target is run by hand, prints the reason and
 * exits with status 1.
 */
void cfuzz_fail(const char *format, ...) CFUZZ_PRINTF(1, 2);

/*
 * For use in LLVMFuzzerCustomMutator(): changes data, which has room for
 * max_size bytes, by a built-in mutator. Returns the new size.
 */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/*
 * For a program with its own main(): takes over and fuzzes callback, or runs
 * callback on the files named in the arguments. Returns an exit status.
 */
int LLVMFuzzerRunDriver(int *argc, char ***argv,
	int (*callback)(const uint8_t *data, size_t size));

/*
 * Adds an input to begin with. Call it in LLVMFuzzerInitialize(), as often as
 * needed, with a typed value for each argument of the target:
 *
 *	CFUZZ_SEED(cfuzz_bytes("hello", 5), cfuzz_int32(50));
 *
 * The values are cfuzz_bytes(data, size), cfuzz_string(text),
 * cfuzz_string(text, size), and for each other type of CFUZZ_TARGET a function
 * of that name with the value. All data is copied.
 */
#define CFUZZ_SEED(...) \
	do { \
		const struct cfuzz_value cfuzz_values[] = { __VA_ARGS__ }; \
		cfuzz_seed(sizeof(cfuzz_values) / sizeof(cfuzz_values[0]), \
			cfuzz_values); \
	} while (0)

/*
 * Bytes, strings, and floats by their bits. A target that is run by hand prints
 * its arguments in this form; tests can call the same function with them.
 */
static inline struct cfuzz_bytes
cfuzz_bytes_of(const void *data, size_t size)
{
	struct cfuzz_bytes bytes;

	bytes.data = (const uint8_t *)data;
	bytes.size = size;
	return bytes;
}

static inline struct cfuzz_string
cfuzz_string_of(const char *text, size_t size)
{
	struct cfuzz_string string;

	string.text = text;
	string.size = size;
	return string;
}

static inline float
cfuzz_float32_of(uint32_t bits)
{
	float number;

	memcpy(&number, &bits, sizeof(number));
	return number;
}

static inline double
cfuzz_float64_of(uint64_t bits)
{
	double number;

	memcpy(&number, &bits, sizeof(number));
	return number;
}

/* ---- internals of the macros; do not use them by name ---- */

enum cfuzz_tag {
	cfuzz_tag_bytes,
	cfuzz_tag_string,
	cfuzz_tag_bool,
	cfuzz_tag_int,
	cfuzz_tag_int8,
	cfuzz_tag_int16,
	cfuzz_tag_int32,
	cfuzz_tag_int64,
	cfuzz_tag_uint,
	cfuzz_tag_uint8,
	cfuzz_tag_uint16,
	cfuzz_tag_uint32,
	cfuzz_tag_uint64,
	cfuzz_tag_float32,
	cfuzz_tag_float64,
	cfuzz_tag_byte = cfuzz_tag_uint8,
	cfuzz_tag_rune = cfuzz_tag_int32
};

struct cfuzz_value {
	enum cfuzz_tag tag;
	uint64_t bits;    /* a number; for floats, their bits */
	const void *data; /* bytes or a string */
	size_t size;
};

#define CFUZZ_TYPED_VERSION 1u

struct cfuzz_typed {
	uint32_t version;
	uint32_t n; /* number of arguments */
	const uint8_t *tags;
	void (*call)(const struct cfuzz_value *values);
	const char *name;
};

extern const struct cfuzz_typed cfuzz_target CFUZZ_VISIBLE;

void cfuzz_seed(size_t n, const struct cfuzz_value *values);

static inline struct cfuzz_value
cfuzz_value_of(enum cfuzz_tag tag, uint64_t bits, const void *data, size_t size)
{
	struct cfuzz_value value;

	value.tag = tag;
	value.bits = bits;
	value.data = data;
	value.size = size;
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
/* clang-format on */

typedef float cfuzz_type_float32;
typedef double cfuzz_type_float64;
typedef struct cfuzz_bytes cfuzz_type_bytes;
typedef struct cfuzz_string cfuzz_type_string;

static inline struct cfuzz_value
cfuzz_float32(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return cfuzz_value_of(cfuzz_tag_float32, bits, NULL, 0);
}

static inline float
cfuzz_take_float32(const struct cfuzz_value *value)
{
	return cfuzz_float32_of((uint32_t)value->bits);
}

static inline struct cfuzz_value
cfuzz_float64(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return cfuzz_value_of(cfuzz_tag_float64, bits, NULL, 0);
}

static inline double
cfuzz_take_float64(const struct cfuzz_value *value)
{
	return cfuzz_float64_of(value->bits);
}

static inline struct cfuzz_value
cfuzz_value_bytes(const void *data, size_t size)
{
	return cfuzz_value_of(cfuzz_tag_bytes, 0, data, size);
}

static inline struct cfuzz_bytes
cfuzz_take_bytes(const struct cfuzz_value *value)
{
	return cfuzz_bytes_of(value->data, value->size);
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

/* bool may be a macro itself. */
#define cfuzz_tag__Bool cfuzz_tag_bool
#define cfuzz_type__Bool cfuzz_type_bool
#define cfuzz_take__Bool cfuzz_take_bool

/* The tag, type and value of the argument at a place. */
#define CFUZZ_TAG(type, place) cfuzz_tag_##type
#define CFUZZ_TYPE(type, place) cfuzz_type_##type
#define CFUZZ_TAKE(type, place) cfuzz_take_##type(&cfuzz_values[place])

/* clang-format off */
#define CFUZZ_COUNT(...) CFUZZ_SEVENTEENTH(__VA_ARGS__, \
	16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define CFUZZ_SEVENTEENTH(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, \
	count, ...) count

/* Expands to macro(type, place), ... for each type. */
#define CFUZZ_EACH(macro, ...) \
	CFUZZ_EACH_OF(CFUZZ_COUNT(__VA_ARGS__), macro, __VA_ARGS__)
#define CFUZZ_EACH_OF(n, ...) CFUZZ_EACH_N(n, __VA_ARGS__)
#define CFUZZ_EACH_N(n, macro, ...) CFUZZ_EACH_##n(n, macro, __VA_ARGS__)
#define CFUZZ_EACH_1(n, macro, type) macro(type, (n) - 1)
#define CFUZZ_EACH_2(n, macro, type, ...) macro(type, (n) - 2), \
	CFUZZ_EACH_1(n, macro, __VA_ARGS__)
#define CFUZZ_EACH_3(n, macro, type, ...) macro(type, (n) - 3), \
	CFUZZ_EACH_2(n, macro, __VA_ARGS__)
#define CFUZZ_EACH_4(n, macro, type, ...) macro(type, (n) - 4), \
	CFUZZ_EACH_3(n, macro, __VA_ARGS__)
#define CFUZZ_EACH_5(n, macro, type, ...) macro(type, (n) - 5), \
	CFUZZ_EACH_4(n, macro, __VA_ARGS__)
#define CFUZZ_EACH_6(n, macro, type, ...) macro(type, (n) - 6), \
	CFUZZ_EACH_5(n, macro, __VA_ARGS__)
#define CFUZZ_EACH_7(n, macro, type, ...) macro(type, (n) - 7), \
	CFUZZ_EACH_6(n, macro, __VA_ARGS__)
#define CFUZZ_EACH_8(n, macro, type, ...) macro(type, (n) - 8), \
	CFUZZ_EACH_7(n, macro, __VA_ARGS__)
#define CFUZZ_EACH_9(n, macro, type, ...) macro(type, (n) - 9), \
	CFUZZ_EACH_8(n, macro, __VA_ARGS__)
#define CFUZZ_EACH_10(n, macro, type, ...) macro(type, (n) - 10), \
	CFUZZ_EACH_9(n, macro, __VA_ARGS__)
#define CFUZZ_EACH_11(n, macro, type, ...) macro(type, (n) - 11), \
	CFUZZ_EACH_10(n, macro, __VA_ARGS__)
#define CFUZZ_EACH_12(n, macro, type, ...) macro(type, (n) - 12), \
	CFUZZ_EACH_11(n, macro, __VA_ARGS__)
#define CFUZZ_EACH_13(n, macro, type, ...) macro(type, (n) - 13), \
	CFUZZ_EACH_12(n, macro, __VA_ARGS__)
#define CFUZZ_EACH_14(n, macro, type, ...) macro(type, (n) - 14), \
	CFUZZ_EACH_13(n, macro, __VA_ARGS__)
#define CFUZZ_EACH_15(n, macro, type, ...) macro(type, (n) - 15), \
	CFUZZ_EACH_14(n, macro, __VA_ARGS__)
#define CFUZZ_EACH_16(n, macro, type, ...) macro(type, (n) - 16), \
	CFUZZ_EACH_15(n, macro, __VA_ARGS__)
/* clang-format on */

#ifdef __cplusplus
}
#endif

#endif

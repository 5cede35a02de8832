/* typed: see typed.h. An execution allocates nothing. */

#include "target/child/typed.h"

#include "cfuzz.h"
#include "target/crash/guard.h"
#include "target/crash/sanitizers.h"

#define TYPED_SAME(name, type) \
	_Static_assert((int)cfuzz_tag_##name == (int)VALUE_##type, "wire")

TYPED_SAME(bytes, BYTES);
TYPED_SAME(string, STRING);
TYPED_SAME(bool, BOOL);
TYPED_SAME(int, INT);
TYPED_SAME(int8, INT8);
TYPED_SAME(int16, INT16);
TYPED_SAME(int32, INT32);
TYPED_SAME(int64, INT64);
TYPED_SAME(uint, UINT);
TYPED_SAME(uint8, UINT8);
TYPED_SAME(uint16, UINT16);
TYPED_SAME(uint32, UINT32);
TYPED_SAME(uint64, UINT64);
TYPED_SAME(float32, FLOAT32);
TYPED_SAME(float64, FLOAT64);

/* Global, because a target function takes no context. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct typed {
	bool open;
	bool track; /* a sanitizer tracks initialised bytes */
	struct tuple_types types;
	size_t size; /* of each guard */
	struct guard guards[TUPLE_MAX];
	struct cfuzz_value values[TUPLE_MAX]; /* the target's arguments */
} typed;

bool
typed_exists(void)
{
	return &cfuzz_target != NULL;
}

enum status
typed_open(struct error *err)
{
	const struct cfuzz_typed *target = &cfuzz_target;

	if (target->version != CFUZZ_TYPED_VERSION)
		return error_set(err, E_PROTOCOL,
			"this target was compiled with a cfuzz.h that does not "
			"fit; build it again");
	if (target->n == 0 || target->n > TUPLE_MAX)
		return error_set(err, E_PROTOCOL,
			"CFUZZ_TARGET() names %u types, not 1 to %u", target->n,
			TUPLE_MAX);
	for (uint32_t i = 0; i < target->n; i++) {
		if (target->tags[i] >= VALUE_TYPE_N)
			return error_set(err, E_PROTOCOL,
				"CFUZZ_TARGET() names an unknown type");
		typed.types.types[i] = (enum value_type)target->tags[i];
		typed.values[i].tag = (enum cfuzz_tag)target->tags[i];
	}
	typed.types.n = target->n;
	if (target->n == 1 && typed.types.types[0] == VALUE_BYTES)
		typed.types.n = 0;
	typed.track = sanitizers_track_bytes();
	typed.open = true;
	return OK;
}

bool
typed_is_open(void)
{
	return typed.open;
}

const struct tuple_types *
typed_types(void)
{
	return &typed.types;
}

const char *
typed_name(void)
{
	return cfuzz_target.name;
}

bool
typed_reserve(size_t size)
{
	if (size <= typed.size)
		return true;
	typed.size = 0;
	for (uint32_t i = 0; i < typed.types.n; i++) {
		if (!value_type_is_bytes(typed.types.types[i]))
			continue;
		guard_clear(&typed.guards[i]);
		if (!guard_init(&typed.guards[i], size))
			return false;
	}
	typed.size = size;
	return true;
}

/* ---- one execution -------------------------------------------------------- */

/* Sets an argument of the target. */
static inline void
typed_put(uint32_t i, const uint8_t *data, const struct tuple_field *field)
{
	struct cfuzz_value *value = &typed.values[i];

	if (!value_type_is_bytes(field->type)) {
		value->bits = tuple_bits(data, field);
		return;
	}
	value->size = field->len;
	value->data = field->type == VALUE_BYTES
		? guard_put(&typed.guards[i], data + field->offset, field->len)
		: guard_put_text(&typed.guards[i], data + field->offset,
			  field->len);
}

/* Marks all arguments as initialised. */
static void
typed_tell_sanitizer(void)
{
	for (uint32_t i = 0; i < typed.types.n; i++) {
		const struct cfuzz_value *value = &typed.values[i];
		size_t nul = typed.types.types[i] == VALUE_STRING;

		if (value->data != NULL)
			sanitizers_pass(value->data, value->size + nul, 0);
	}
	sanitizers_pass((const uint8_t *)typed.values, sizeof(typed.values), 1);
}

/* Is the argument unchanged? */
static inline bool
typed_has(uint32_t i, const uint8_t *data, const struct tuple_field *field)
{
	const uint8_t *now = typed.values[i].data;

	if (!value_type_is_bytes(field->type))
		return true;
	return guard_has(now, data + field->offset, field->len) &&
		(field->type == VALUE_BYTES || now[field->len] == '\0');
}

CALLS_TARGET static int
typed_run(const uint8_t *data, size_t size)
{
	struct tuple tuple;
	bool same = true;

	if (size > typed.size ||
		!tuple_parse_as(data, size, &typed.types, &tuple))
		return -1;
	for (uint32_t i = 0; i < tuple.n; i++)
		typed_put(i, data, &tuple.fields[i]);
	if (__builtin_expect(typed.track, 0))
		typed_tell_sanitizer();
	cfuzz_target.call(typed.values);
	for (uint32_t i = 0; i < tuple.n; i++)
		same &= typed_has(i, data, &tuple.fields[i]);
	if (__builtin_expect(!same, 0))
		((uint8_t *)(uintptr_t)data)[0] ^= 0xff;
	return 0;
}

/* The bytes are the argument; the caller guards them. */
CALLS_TARGET static int
typed_run_bytes(const uint8_t *data, size_t size)
{
	typed.values[0].data = data;
	typed.values[0].size = size;
	if (__builtin_expect(typed.track, 0))
		sanitizers_pass((const uint8_t *)typed.values,
			sizeof(typed.values), 1);
	cfuzz_target.call(typed.values);
	return 0;
}

target_function *
typed_function(void)
{
	return typed.types.n == 0 ? typed_run_bytes : typed_run;
}

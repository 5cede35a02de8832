/*
 * seeds: see seeds.h. Each seed is stored as a tuple, because the target's
 * types may still be unknown.
 */

#include "target/child/seeds.h"

#include <stdbool.h>
#include <string.h>

#include "cfuzz.h"
#include "shared/pages.h"
#include "target/abi.h"

#define SEEDS_ROOM ((size_t)64 << 20) /* mapped page by page */

ABI_EXPORT void cfuzz_seed(size_t n, const struct cfuzz_value *values);

/* Global, because the target calls without a handle. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct seeds {
	uint8_t *data; /* lengths and tuples; NULL: none */
	size_t len;
	uint32_t n, lost;
	bool plain;  /* written as bytes, not as tuples */
	bool closed; /* no more seeds are accepted */
	struct error err;
} seeds;

/* ---- collecting ----------------------------------------------------------- */

static enum status
seeds_convert(struct value *to, const struct cfuzz_value *from)
{
	enum value_type type = (enum value_type)from->tag;

	if ((unsigned)type >= VALUE_TYPE_N)
		return error_set(&seeds.err, E_FORMAT,
			"a value has no type; make it with cfuzz_bytes(), "
			"cfuzz_int() ...");
	value_clear(to, type);
	if (!value_type_is_bytes(type)) {
		value_set_bits(to, from->bits);
		return OK;
	}
	if (from->data == NULL && from->size > 0)
		return error_set(&seeds.err, E_FORMAT,
			"%zu bytes of a value are at no address", from->size);
	to->data = (uint8_t *)(uintptr_t)from->data;
	to->len = from->size;
	return OK;
}

static bool
seeds_open(void)
{
	void *map;

	if (seeds.data != NULL)
		return true;
	map = pages_map(SEEDS_ROOM);
	if (map == NULL) {
		(void)error_set(&seeds.err, E_NOMEM, "there is no memory");
		return false;
	}
	seeds.data = map;
	return true;
}

/* Do the values fit, one by one and together? */
static bool
seeds_have_room(const struct value *values, size_t n)
{
	size_t room = SEEDS_ROOM - seeds.len - sizeof(uint32_t);

	if (SEEDS_ROOM - seeds.len < sizeof(uint32_t))
		return false;
	for (size_t i = 0; i < n; i++)
		if (value_type_is_bytes(values[i].type) && values[i].len > room)
			return false;
	return tuple_size(values, n) <= room;
}

static void
seeds_add(const struct value *values, size_t n)
{
	uint32_t len;

	if (!seeds_have_room(values, n)) {
		seeds.lost++;
		return;
	}
	len = (uint32_t)tuple_size(values, n);
	memcpy(seeds.data + seeds.len, &len, sizeof(len));
	seeds.len += sizeof(len);
	tuple_pack(values, n, seeds.data + seeds.len);
	seeds.len += len;
	seeds.n++;
}

void
cfuzz_seed(size_t n, const struct cfuzz_value *values)
{
	struct value converted[TUPLE_MAX] = { { .u = 0 } };

	if (seeds.closed) {
		cfuzz_fail("CFUZZ_SEED() belongs in LLVMFuzzerInitialize(): "
			   "it is too late for a seed");
		return;
	}
	if (n == 0 || n > TUPLE_MAX) {
		(void)error_set(&seeds.err, E_FORMAT,
			"%zu values; an input has 1 to %u", n, TUPLE_MAX);
		return;
	}
	for (size_t i = 0; i < n; i++)
		if (seeds_convert(&converted[i], &values[i]) != OK)
			return;
	if (seeds_open())
		seeds_add(converted, n);
}

/*
 * ---- returning ------------------------------------------------------------
 */

/* The seed at *offset, which moves on to the next. NULL: no more. */
static const uint8_t *
seeds_next(size_t *offset, uint32_t *len)
{
	const uint8_t *at = seeds.data + *offset;

	if (*offset >= seeds.len)
		return NULL;
	memcpy(len, at, sizeof(*len));
	*offset += sizeof(*len) + *len;
	return at + sizeof(*len);
}

static enum status
seeds_check(const uint8_t *seed, uint32_t len, const struct tuple_types *types)
{
	struct value values[TUPLE_MAX];
	struct tuple tuple;

	if (!tuple_parse(seed, len, &tuple))
		return error_set(&seeds.err, E_INTERNAL, "a seed is damaged");
	for (uint32_t i = 0; i < tuple.n; i++)
		values[i] = tuple_value(seed, &tuple.fields[i]);
	return values_check(values, tuple.n, types->types, types->n,
		&seeds.err);
}

enum status
seeds_close(const struct tuple_types *types, struct error *err)
{
	const struct tuple_types plain = { .n = 1, .types = { VALUE_BYTES } };
	const uint8_t *seed;
	size_t offset = 0;
	uint32_t len;

	seeds.closed = true;
	seeds.plain = types->n == 0;
	while (seeds.err.code == OK &&
		(seed = seeds_next(&offset, &len)) != NULL)
		(void)seeds_check(seed, len, seeds.plain ? &plain : types);
	if (seeds.err.code == OK)
		return OK;
	return error_set(err, seeds.err.code, "CFUZZ_SEED(): %s",
		seeds.err.text);
}

uint32_t
seeds_write(uint8_t *to, size_t room, uint32_t *lost)
{
	/* The head of a tuple with one argument. */
	const uint32_t head = seeds.plain ? 1 + TUPLE_LENGTH_LEN : 0;
	const uint8_t *seed;
	size_t offset = 0;
	uint32_t len, n = 0;

	while ((seed = seeds_next(&offset, &len)) != NULL) {
		len -= head;
		if (room < sizeof(len) || len > room - sizeof(len))
			break;
		memcpy(to, &len, sizeof(len));
		memcpy(to + sizeof(len), seed + head, len);
		to += sizeof(len) + len;
		room -= sizeof(len) + len;
		n++;
	}
	*lost = seeds.lost + seeds.n - n;
	return n;
}

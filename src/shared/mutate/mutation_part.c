/* mutation_part: see mutation_part.h. */

#include "shared/mutate/mutation_part.h"

#include <string.h>

#include "shared/values/scalar.h"

/* ---- out and back ---- */

static size_t
part_longer(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* The other arguments count against the capacity of the whole. */
static size_t
part_cap(const struct mutable *whole, const struct tuple_field *field)
{
	size_t rest = whole->len - field->len;

	if (!value_type_is_bytes(field->type))
		return value_width(field->type);
	return whole->cap > rest ? whole->cap - rest : 0;
}

bool
mutation_part_open(const struct mutable *whole, size_t room, uint32_t draw,
	struct mutation_part *part)
{
	size_t start = part_longer(whole->len, whole->cap), len;
	struct tuple tuple;

	if (!tuple_parse(whole->data, whole->len, &tuple))
		return false;
	part->index = draw % tuple.n;
	part->field = tuple.fields[part->index];
	len = value_type_is_bytes(part->field.type)
		? part->field.len
		: value_width(part->field.type);
	part->m = (struct mutable){ .data = whole->data + start,
		.len = len,
		.cap = part_cap(whole, &part->field) };
	if (start > room || part_longer(len, part->m.cap) > room - start)
		return false;
	memcpy(part->m.data, whole->data + part->field.offset, len);
	return true;
}

/* The copy holds the low bytes; the type decides the others. */
static bool
part_close_scalar(struct mutable *whole, const struct mutation_part *part)
{
	const uint8_t *bytes = part->m.data;
	size_t width = value_width(part->field.type);
	struct value value = { .type = part->field.type };
	uint64_t bits = 0;

	if (part->m.len != width)
		return false;
	for (size_t i = width; i > 0; i--)
		bits = bits << 8 | bytes[i - 1];
	value_set_bits(&value, bits);
	bits = value_get_bits(&value);
	if (bits == tuple_bits(whole->data, &part->field))
		return false;
	tuple_set_bits(whole->data, &part->field, bits);
	return true;
}

/*
 * Puts the argument back. False, with the whole unchanged, if a scalar has
 * another length now, or if it has not changed.
 */
static bool
mutation_part_close(struct mutable *whole, const struct mutation_part *part)
{
	const struct tuple_field *field = &part->field;

	if (!value_type_is_bytes(field->type))
		return part_close_scalar(whole, part);
	return tuple_replace(whole->data, &whole->len, field->offset,
		field->len, part->m.data, part->m.len);
}

size_t
mutation_part_room(size_t len, size_t cap)
{
	return 2 * part_longer(part_longer(len, cap), TUPLE_SCALAR_LEN);
}

/* ---- steps ---- */

/* The same argument of the partner, if both are bytes. */
static void
part_find_partner(const struct mutation_part *part,
	struct mutation_sources *sources)
{
	const uint8_t *data = sources->partner;
	size_t len = sources->partner_len;
	struct tuple_field *field;
	struct tuple tuple;

	sources->partner = NULL;
	sources->partner_len = 0;
	if (data == NULL || !tuple_parse(data, len, &tuple) ||
		part->index >= tuple.n)
		return;
	field = &tuple.fields[part->index];
	if (!value_type_is_bytes(field->type))
		return;
	sources->partner = data + field->offset;
	sources->partner_len = field->len;
}

/* True if the type itself makes the mutation: a bool has one other value. */
static bool
part_is_of_type(const struct mutation_part *part, enum mutate_op op)
{
	return op == MUTATE_NUMBER_STEP || op == MUTATE_NUMBER_SET ||
		op == MUTATE_NUMBER_DIGITS ||
		(part->field.type == VALUE_BOOL && mutate_weight(op) > 0);
}

static bool
part_apply_scalar(struct mutable *whole, const struct mutation_part *part,
	struct prng *prng)
{
	struct value value = tuple_value(whole->data, &part->field);
	uint64_t bits = value_get_bits(&value);
	struct mutation ignored;

	if (value.type == VALUE_BOOL)
		value_set_bits(&value, bits == 0);
	else
		scalar_mutate(&value, prng, &ignored);
	if (value_get_bits(&value) == bits)
		return false;
	tuple_set_bits(whole->data, &part->field, value_get_bits(&value));
	return true;
}

bool
mutation_part_apply(enum mutate_op op, const struct mutation_sources *sources,
	struct mutable *whole, struct prng *prng, struct mutation *done)
{
	struct mutation_sources inner = *sources;
	struct mutation_part part;

	if (!mutation_part_open(whole, sources->room, prng_u32(prng), &part))
		return false;
	if (!value_type_is_bytes(part.field.type) &&
		part_is_of_type(&part, op)) {
		*done = (struct mutation){ .offset =
						   (uint32_t)part.field.offset,
			.len = TUPLE_SCALAR_LEN };
		return part_apply_scalar(whole, &part, prng);
	}
	inner.tuples = false;
	part_find_partner(&part, &inner);
	if (!mutation_in_bytes(op, &inner, &part.m, prng, done) ||
		!mutation_part_close(whole, &part))
		return false;
	done->offset += (uint32_t)part.field.offset;
	return true;
}

static void
mutation_cut_tuple(struct mutable *m, size_t excess)
{
	struct tuple tuple;

	if (!tuple_parse(m->data, m->len, &tuple))
		return;
	for (uint32_t i = tuple.n; i-- > 0 && excess > 0;) {
		const struct tuple_field *field = &tuple.fields[i];
		size_t n = field->len < excess ? field->len : excess;

		if (tuple_replace(m->data, &m->len,
			    field->offset + field->len - n, n, NULL, 0))
			excess -= n;
	}
}

void
mutation_cut(struct mutable *m, bool tuples)
{
	if (m->cap == 0 || m->len < m->cap)
		return;
	if (tuples)
		mutation_cut_tuple(m, m->len - (m->cap - 1));
	else
		m->len = m->cap - 1;
}

/* minimize_order: see minimize_order.h. */
#include "shared/minimize/minimize_order.h"

#include "shared/minimize/minimize_private.h"
#include "shared/values/tuple.h"

static unsigned
order_rank(const struct minimize_order *order, uint8_t byte)
{
	unsigned rank = minimize_character_rank(byte);

	if (order->blank && byte == order->filler)
		return 0;
	if (rank < minimize_characters_n())
		return 1 + rank;
	return minimize_characters_n() + 1 + byte;
}

/* Less than 0: a is simpler; 0: neither is. */
static int
order_bytes(const struct minimize_order *order, const uint8_t *a, size_t a_len,
	const uint8_t *b, size_t b_len)
{
	if (a_len != b_len)
		return a_len < b_len ? -1 : 1;
	for (size_t i = 0; i < a_len; i++)
		if (a[i] != b[i])
			return (int)order_rank(order, a[i]) -
				(int)order_rank(order, b[i]);
	return 0;
}

static int
order_values(const struct minimize_order *order, const struct value *a,
	const struct value *b)
{
	if (value_type_is_bytes(a->type))
		return order_bytes(order, a->data, a->len, b->data, b->len);
	return (int)minimize_value_is_smaller(b, a) -
		(int)minimize_value_is_smaller(a, b);
}

bool
minimize_is_simpler(const struct minimize_order *order, const uint8_t *a,
	const uint8_t *b, size_t len)
{
	struct tuple fields_a, fields_b;
	struct value value_a, value_b;
	int by = 0;

	if (!tuple_parse_as(a, len, order->types, &fields_a) ||
		!tuple_parse_as(b, len, order->types, &fields_b))
		return order_bytes(order, a, len, b, len) < 0;
	for (uint32_t i = 0; i < fields_a.n && by == 0; i++) {
		value_a = tuple_value(a, &fields_a.fields[i]);
		value_b = tuple_value(b, &fields_b.fields[i]);
		by = order_values(order, &value_a, &value_b);
	}
	return by < 0;
}

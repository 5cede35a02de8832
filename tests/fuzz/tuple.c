/* tuple: inputs of typed targets in memory, and as text. */
#include "shared/values/tuple.h"
#include "fuzz/fuzz.h"
#include "worker/inputs/input_text.h"

int fuzz_tuple(const uint8_t *data, size_t size);

int
fuzz_tuple(const uint8_t *data, size_t size)
{
	struct tuple_types types = { 0 };
	struct input_text text;
	struct tuple tuple;

	if (!tuple_parse(data, size, &tuple))
		return 0;
	types.n = tuple.n;
	for (uint32_t i = 0; i < tuple.n; i++) {
		FUZZ_CHECK(
			tuple.fields[i].offset + tuple.fields[i].len <= size);
		types.types[i] = tuple.fields[i].type;
	}
	input_text_init(&text, &types, data, size);
	input_text_clear(&text);
	return 0;
}

FUZZ_TARGET(tuple)

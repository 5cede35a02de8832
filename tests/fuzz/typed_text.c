/* typed_text: corpus files of typed targets, "go test fuzz v1". */
#include "fuzz/fuzz.h"
#include "shared/values/decode.h"
#include "shared/values/encode.h"

#define VALUES_MAX 64

int fuzz_typed_text(const uint8_t *data, size_t size);

/* What was read is written, and read again it is the same. */
static void
typed_text_fuzz_again(const struct value *values, size_t n)
{
	size_t room = encode_bound(values, n), len, m;
	char *text = malloc(room);
	uint8_t *bytes = malloc(room);
	struct value again[VALUES_MAX];
	struct error err = { 0 };

	FUZZ_CHECK(text != NULL && bytes != NULL);
	FUZZ_CHECK(encode_values(values, n, text, room, &len, &err) == OK);
	FUZZ_CHECK(decode_values(text, len, again, VALUES_MAX, &m, bytes,
			   &err) == OK &&
		m == n);
	for (size_t i = 0; i < n; i++)
		FUZZ_CHECK(value_equal(&values[i], &again[i]));
	free(text);
	free(bytes);
}

int
fuzz_typed_text(const uint8_t *data, size_t size)
{
	struct value values[VALUES_MAX];
	uint8_t *room = malloc(size + 1);
	struct error err = { 0 };
	size_t n;

	FUZZ_CHECK(room != NULL);
	if (decode_values((const char *)data, size, values, VALUES_MAX, &n,
		    room, &err) == OK &&
		n > 0)
		typed_text_fuzz_again(values, n);
	free(room);
	return 0;
}

FUZZ_TARGET(typed_text)

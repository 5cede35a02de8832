/*
 * test_hash: known digests, and random bytes that differ.
 */

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#include "lib/scratch.h"

static void
test_sha256(void **state)
{
	static const struct {
		const char *text, *hex;
	} rows[] = {
		{ "",
			"e3b0c44298fc1c149afbf4c8996fb924"
			"27ae41e4649b934ca495991b7852b855" },
		{ "abc",
			"ba7816bf8f01cfea414140de5dae2223"
			"b00361a396177a9cb410ff61f20015ad" },
		{ "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
			"248d6a61d20638b8e5c026930c3e6039"
			"a33ce45964ff2167f6ecedd419db06c1" },
	};
	char hex[SHA256_HEX_SIZE];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		sha256_name(rows[i].text, strlen(rows[i].text), hex);
		assert_string_equal(hex, rows[i].hex);
	}
	sha256_name(NULL, 0, hex);
	assert_string_equal(hex, rows[0].hex);
}

/* Every length of a last block: digests of the first 0 to 299 bytes, hashed. */
static void
test_sha256_lengths(void **state)
{
	static uint8_t digests[300][SHA256_LEN];
	uint8_t data[300];
	char hex[SHA256_HEX_SIZE];

	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (uint8_t)(i % 251);
	for (size_t len = 0; len < sizeof(data); len++)
		sha256(data, len, digests[len]);
	sha256_name(digests, sizeof(digests), hex);
	assert_string_equal(hex,
		"fa70b867db0a30acb7218d62945db0df"
		"52eb393808b30675ea9aac6b058a9a9d");
}

static void
test_sha256_million(void **state)
{
	char *text = malloc(1000000), hex[SHA256_HEX_SIZE];

	assert_non_null(text);
	memset(text, 'a', 1000000);
	sha256_name(text, 1000000, hex);
	free(text);
	assert_string_equal(hex,
		"cdc76e5c9914fb9281a1c7e284d73e67"
		"f1809a48a497200e046d39ccc7112cd0");
}

static void
test_random_bytes(void **state)
{
	static uint8_t a[1 << 16], b[1 << 16];

	random_bytes(a, 0);
	random_bytes(a, sizeof(a));
	random_bytes(b, sizeof(b));
	assert_memory_not_equal(a, b, sizeof(a));
	assert_memory_not_equal(a, a + sizeof(a) / 2, sizeof(a) / 2);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sha256),
		cmocka_unit_test(test_sha256_lengths),
		cmocka_unit_test(test_sha256_million),
		cmocka_unit_test(test_random_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

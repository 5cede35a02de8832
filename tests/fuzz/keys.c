/* keys: keys of a user. */
#include "fuzz/fuzz.h"
#include "ui/model/keys_file.h"

int fuzz_keys(const uint8_t *data, size_t size);

int
fuzz_keys(const uint8_t *data, size_t size)
{
	struct error err = { 0 };
	struct keymap *map =
		keys_file_parse("keys.json", (const char *)data, size, &err);

	FUZZ_CHECK(map != NULL || err.text[0] != '\0');
	keymap_destroy(map);
	return 0;
}

FUZZ_TARGET(keys)

/*
 * source: tables of functions, files and lines from the helper that reads debug
 * information. The input is packets, each behind its length in two bytes.
 */
#include "symbols/source.h"
#include "fuzz/fuzz.h"

#define COUNTERS 64u

int fuzz_source(const uint8_t *data, size_t size);

int
fuzz_source(const uint8_t *data, size_t size)
{
	struct source_table table = { 0 };
	struct error err = { 0 };
	enum status status = OK;
	bool done = false;
	size_t at = 0;

	while (status == OK && !done && size - at >= 2) {
		size_t len = data[at] | (size_t)data[at + 1] << 8;
		uint64_t *packet;

		at += 2;
		if (len > size - at)
			len = size - at;
		packet = malloc(len + 8);
		FUZZ_CHECK(packet != NULL);
		memcpy(packet, data + at, len);
		at += len;
		status = source_table_take(&table, COUNTERS, packet, len, &done,
			&err);
		free(packet);
	}
	source_table_clear(&table);
	return 0;
}

FUZZ_TARGET(source)

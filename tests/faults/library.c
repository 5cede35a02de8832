/* A library that a target loads while it is fuzzed. */
#include <stddef.h>
#include <stdint.h>

int library_run(const uint8_t *data, size_t size);

int
library_run(const uint8_t *data, size_t size)
{
	int found = 0;

	for (size_t i = 0; i < size; i++) {
		if (data[i] == 'l')
			found++;
		else if (data[i] > 128)
			found ^= 2;
	}
	return found;
}

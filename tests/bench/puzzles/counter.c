/*
 * counter: brackets that open twenty times, neither more nor less, and are
 * all closed at the end, and never closed before they open.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define OPENED 20

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned opened = 0, depth = 0;

	for (size_t i = 0; i < size; i++) {
		if (data[i] == '(') {
			opened++;
			depth++;
		} else if (data[i] == ')') {
			if (depth == 0)
				return 0;
			depth--;
		}
	}
	if (opened == OPENED && depth == 0)
		abort();
	return 0;
}

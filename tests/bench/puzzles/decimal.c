/* decimal: `n=` and a number, written in digits, that is one number. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define NUMBER 2871609407u

/* The digits in front; what is too large stays too large. */
static uint64_t
read_number(const uint8_t *data, size_t size)
{
	uint64_t number = 0;

	for (size_t i = 0; i < size; i++) {
		if (data[i] < '0' || data[i] > '9')
			break;
		if (number > UINT32_MAX)
			break;
		number = number * 10 + (data[i] - '0');
	}
	return number;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 3 || data[0] != 'n' || data[1] != '=')
		return 0;
	if (read_number(data + 2, size - 2) == NUMBER)
		abort();
	return 0;
}

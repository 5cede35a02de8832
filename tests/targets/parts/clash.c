/* A target with names that the runtime uses inside. */

#include <stddef.h>
#include <stdint.h>

#include "cfuzz.h"

int json_loadb(void);
int mutate_bytes(void);
int utf8_encode(void);
int child_call(void);
int serve_run(void);

int
json_loadb(void)
{
	return 1;
}

int
mutate_bytes(void)
{
	return 2;
}

int
utf8_encode(void)
{
	return 3;
}

int
child_call(void)
{
	return 4;
}

int
serve_run(void)
{
	return 5;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t copy[64] = { 0 };
	size_t len = size < 32 ? size : 32;

	for (size_t i = 0; i < len; i++)
		copy[i] = data[i];
	if (LLVMFuzzerMutate(copy, len, sizeof(copy)) > sizeof(copy))
		cfuzz_fail("LLVMFuzzerMutate() made too much of it");
	return json_loadb() + mutate_bytes() + utf8_encode() + child_call() +
		serve_run() - 15;
}

/* A campaign with ten thousand inputs and two hundred bugs, within a minute: any
 * change of the input leads to another of 10 200 places. */
#include <stdint.h>
#include <stdlib.h>

#define PLACE(n) \
	case n: \
		__asm__ volatile(""); \
		break;
#define BUG(n) \
	__attribute__((noinline)) static void bug_##n(void) \
	{ \
		abort(); \
	}
#define CALL(n) \
	case n: \
		bug_##n(); \
		break;
/* clang-format off */
#define EACH_10(what, n) \
	what(n##0) what(n##1) what(n##2) what(n##3) what(n##4) \
	what(n##5) what(n##6) what(n##7) what(n##8) what(n##9)
#define EACH_100(what, n) \
	EACH_10(what, n##0) EACH_10(what, n##1) EACH_10(what, n##2) \
	EACH_10(what, n##3) EACH_10(what, n##4) EACH_10(what, n##5) \
	EACH_10(what, n##6) EACH_10(what, n##7) EACH_10(what, n##8) \
	EACH_10(what, n##9)
#define EACH_1000(what, n) \
	EACH_100(what, n##0) EACH_100(what, n##1) EACH_100(what, n##2) \
	EACH_100(what, n##3) EACH_100(what, n##4) EACH_100(what, n##5) \
	EACH_100(what, n##6) EACH_100(what, n##7) EACH_100(what, n##8) \
	EACH_100(what, n##9)
/* clang-format on */

EACH_100(BUG, 201)
EACH_100(BUG, 202)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ data[i]) * 16777619u;
	hash ^= hash >> 15;
	switch (10000 + hash % 12000) {
		EACH_1000(PLACE, 10)
		EACH_1000(PLACE, 11)
		EACH_1000(PLACE, 12)
		EACH_1000(PLACE, 13)
		EACH_1000(PLACE, 14)
		EACH_1000(PLACE, 15)
		EACH_1000(PLACE, 16)
		EACH_1000(PLACE, 17)
		EACH_1000(PLACE, 18)
		EACH_1000(PLACE, 19)
		EACH_100(CALL, 201)
		EACH_100(CALL, 202)
	}
	return 0;
}

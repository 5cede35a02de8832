/* report: what a sanitizer, or a target that plays one, has printed. */
#include "fuzz/fuzz.h"
#include "shared/wire/failure.h"

int fuzz_report(const uint8_t *data, size_t size);

int
fuzz_report(const uint8_t *data, size_t size)
{
	struct failure failure = { 0 };

	if (failure_parse_report(&failure, (const char *)data, size)) {
		FUZZ_CHECK(failure.frames_n <= FAILURE_FRAMES_MAX);
		FUZZ_CHECK(memchr(failure.what, 0, sizeof(failure.what)) &&
			memchr(failure.text, 0, sizeof(failure.text)));
		FUZZ_CHECK(failure_stack_hash(&failure) != 0);
	}
	return 0;
}

FUZZ_TARGET(report)

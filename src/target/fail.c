/* fail: the services of cfuzz.h that a target calls while it runs. */

#include "target/fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cfuzz.h"
#include "shared/mutate.h"
#include "target/abi.h"
#include "target/crash.h"

ABI_EXPORT void cfuzz_fail(const char *format, ...) CFUZZ_PRINTF(1, 2);

/* The target calls us without a handle. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct fail {
	struct worker_head *head; /* NULL: run by hand */
	bool happened;
	struct prng prng;
} fail = { .prng = { .inc = 1 } };

void
fail_reset(struct worker_head *head)
{
	fail.head = head;
	fail.happened = false;
}

bool
fail_happened(void)
{
	return fail.happened;
}

void
fail_seed(const struct prng *prng, uint64_t seq)
{
	prng_mix(&fail.prng, prng->state, prng->inc, seq);
}

/* The first reason of an execution is the one that counts. */
__attribute__((format(printf, 2, 0))) static void
fail_record(struct failure_block *block, const char *format, va_list ap)
{
	int len;

	if (fail.happened)
		return;
	fail.happened = true;
	len = vsnprintf(block->text, sizeof(block->text), format, ap);
	if (len < 0)
		len = 0;
	if ((size_t)len >= sizeof(block->text))
		len = sizeof(block->text) - 1;
	block->text_len = (uint32_t)len;
	block->frames_n = crash_walk(block->frames, FAILURE_FRAMES_MAX,
		__builtin_return_address(0));
	block->kind = FAILURE_ERROR;
}

void
cfuzz_fail(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	if (fail.head != NULL) {
		fail_record(&fail.head->failure, format, ap);
	} else {
		(void)fputs("cfuzz_fail: ", stderr);
		(void)vfprintf(stderr, format, ap);
		(void)fputc('\n', stderr);
	}
	va_end(ap);
	if (fail.head == NULL)
		exit(1);
}

size_t
LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
	struct mutable m = { .data = data, .len = size, .cap = max_size };
	struct mutation done;

	if (size > max_size)
		return max_size;
	(void)mutate_bytes(&m, &fail.prng, &done);
	return m.len;
}

/* fail: services of cfuzz.h for a running target. */

#include "target/child/fail.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cfuzz.h"
#include "shared/mutate/mutate.h"
#include "target/abi.h"
#include "target/crash/crash.h"
#include "target/crash/sanitizers.h"

#define FAIL_SILENT "cfuzz_fail() was called without a message"

ABI_EXPORT void cfuzz_fail(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

/* Global, because the target calls without a handle. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct fail {
	struct worker_head *head; /* NULL: run by hand */
	bool happened;
	struct prng prng; /* seed of the LLVMFuzzerMutate streams */
	uint64_t streams; /* handed out */
	fail_mutator *mutator;
	void *arg;
	pthread_t thread; /* may use the mutator */
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

/* The fork server has cleared the block before the call. */
bool
fail_find(void)
{
	fail.happened |= fail.head->failure.kind == FAILURE_ERROR;
	return fail.happened;
}

void
fail_seed(const struct prng *prng, uint64_t seq)
{
	prng_mix(&fail.prng, prng->state, prng->inc, seq);
	__atomic_store_n(&fail.streams, 0, __ATOMIC_RELAXED);
}

void
fail_lend(fail_mutator *mutator, void *arg)
{
	fail.arg = arg;
	fail.thread = pthread_self();
	__atomic_store_n(&fail.mutator, mutator, __ATOMIC_RELEASE);
}

void
fail_claim(enum failure_kind kind, const char *text)
{
	struct failure_block *block = &fail.head->failure;

	if (fail.happened)
		return;
	fail.happened = true;
	(void)snprintf(block->text, sizeof(block->text), "%s", text);
	block->text_len = (uint32_t)strlen(block->text);
	block->frames_n = 0;
	block->kind = kind;
}

/* White space alone would make a finding without a text. */
static bool
fail_is_blank(const char *text)
{
	return text[strspn(text, " \t\r\n")] == '\0';
}

/* Only the first failure of an execution counts. */
__attribute__((format(printf, 2, 0))) static void
fail_record(struct failure_block *block, const char *format, va_list ap)
{
	if (fail.happened)
		return;
	fail.happened = true;
	if (vsnprintf(block->text, sizeof(block->text), format, ap) < 0 ||
		fail_is_blank(block->text))
		(void)strcpy(block->text, FAIL_SILENT);
	block->text_len = (uint32_t)strlen(block->text);
	block->frames_n = crash_walk(block->frames, FAILURE_FRAMES_MAX,
		__builtin_return_address(0));
	block->kind = FAILURE_ERROR;
}

/* Run by hand: prints the whole message. */
__attribute__((format(printf, 1, 0))) static void
fail_print(const char *format, va_list ap)
{
	char *text = NULL;

	if (vasprintf(&text, format, ap) < 0)
		text = NULL;
	(void)fprintf(stderr, "cfuzz_fail: %s\n",
		text == NULL || fail_is_blank(text) ? FAIL_SILENT : text);
	free(text);
}

void
cfuzz_fail(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	if (fail.head != NULL)
		fail_record(&fail.head->failure, format, ap);
	else
		fail_print(format, ap);
	va_end(ap);
	if (fail.head == NULL)
		exit(1);
}

/* A stream for each call, because several threads may call. */
static void
fail_draw_stream(struct prng *prng)
{
	uint64_t n = __atomic_add_fetch(&fail.streams, 1, __ATOMIC_RELAXED);

	prng_mix(prng, fail.prng.state, fail.prng.inc, n);
}

static bool
fail_take_lent(struct mutable *m, struct prng *prng)
{
	fail_mutator *mutator =
		__atomic_load_n(&fail.mutator, __ATOMIC_ACQUIRE);

	return mutator != NULL && pthread_equal(fail.thread, pthread_self()) &&
		mutator(fail.arg, m, prng);
}

size_t
LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
	struct mutable m = { .data = data,
		.len = size < max_size ? size : max_size,
		/* The mutators stay below their capacity. */
		.cap = max_size < SIZE_MAX ? max_size + 1 : max_size };
	struct mutation done;
	struct prng prng;

	if (max_size == 0)
		return 0;
	fail_draw_stream(&prng);
	if (!fail_take_lent(&m, &prng))
		(void)mutate_bytes(&m, &prng, &done);
	/* Never returns an empty value. */
	if (m.len == 0)
		(void)mutate_bytes(&m, &prng, &done);
	sanitizers_pass(data, m.len, 0);
	return m.len;
}

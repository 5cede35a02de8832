/* scratch: messages do not use the target's malloc(). */

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "shared/wire/rpc.h"
#include "target/server/scratch.h"

/* FLAGS: -Wl,--wrap=malloc */
void *__real_malloc(size_t n);
void *__wrap_malloc(size_t n);

static size_t mallocs;

void *
__wrap_malloc(size_t n)
{
	mallocs++;
	return __real_malloc(n);
}

static struct rpc_request request;
static char line[RPC_LINE_MAX];

/* Encodes and decodes a message. */
static void
exchange(uint64_t seq)
{
	struct error err = { .code = OK };
	struct rpc_request back;
	size_t len;

	request.seq = seq;
	assert_int_equal(rpc_encode_request(&request, line, sizeof(line), &len,
				 &err),
		OK);
	assert_int_equal(rpc_decode_request(line, len - 1, &back, &err), OK);
	assert_int_equal(back.seq, seq);
	assert_string_equal(back.what, request.what);
}

static int
set_up(void **state)
{
	request.kind = RPC_MINIMIZE;
	request.failure_kind = FAILURE_SIGNAL;
	(void)snprintf(request.what, sizeof(request.what), "SIGABRT");
	scratch_init();
	return 0;
}

static void
test_no_malloc(void **state)
{
	mallocs = 0;
	for (uint64_t i = 1; i <= 10000; i++) {
		scratch_reset();
		exchange(i);
	}
	assert_int_equal(mallocs, 0);
}

/* When it is full, malloc() and free() are used. */
static void
test_used_up(void **state)
{
	scratch_reset();
	mallocs = 0;
	for (uint64_t i = 1; i <= 10000; i++)
		exchange(i);
	assert_true(mallocs > 0);
	scratch_reset();
	mallocs = 0;
	exchange(1);
	assert_int_equal(mallocs, 0);
}

/* Children do not inherit the memory. */
static void
test_not_inherited(void **state)
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		(void)signal(SIGSEGV, SIG_DFL);
		exchange(1);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_false(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_malloc),
		cmocka_unit_test(test_used_up),
		cmocka_unit_test(test_not_inherited),
	};

	return cmocka_run_group_tests(tests, set_up, NULL);
}

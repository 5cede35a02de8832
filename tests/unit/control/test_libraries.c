/*
 * test_libraries: lack of memory in libevent or jansson ends the program with
 * its own exit status; signals that the program's parent ignores are not taken.
 *
 * FLAGS: -Wl,--wrap=malloc
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <jansson.h>

#include "base/xmalloc.h"
#include "control/libraries.h"

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);

static bool *
is_full(void)
{
	static bool full;

	return &full;
}

void *
__wrap_malloc(size_t size)
{
	return *is_full() ? NULL : __real_malloc(size);
}

static void
make_value(struct event_base *base)
{
	(void)json_object();
}

static void
make_event(struct event_base *base)
{
	(void)event_new(base, -1, 0, NULL, NULL);
}

static void
make_base(struct event_base *base)
{
	(void)libraries_base_new();
}

static void
test_no_memory(void **state)
{
	void (*const rows[])(
		struct event_base *) = { make_value, make_event, make_base };
	size_t i;
	int status;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		pid_t pid = fork();

		if (pid == 0) {
			struct event_base *base = libraries_base_new();

			*is_full() = true;
			rows[i](base);
			_exit(9);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_true(WIFEXITED(status));
		assert_int_equal(WEXITSTATUS(status), XMALLOC_EXIT_STATUS);
	}
}

static void
on_signal(evutil_socket_t signo, short what, void *arg)
{
	*(int *)arg = (int)signo;
}

static void
test_watch_end(void **state)
{
	static const struct row {
		int signo;
		void (*before)(int);
		bool taken;
	} rows[] = {
		{ SIGINT, SIG_DFL, true },
		{ SIGHUP, SIG_DFL, true },
		{ SIGTERM, SIG_DFL, true },
		{ SIGINT, SIG_IGN, false },
		{ SIGHUP, SIG_IGN, false },
		{ SIGTERM, SIG_IGN, true },
	};
	struct event_base *base = libraries_base_new();
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int signo = rows[i].signo, got = 0;
		struct event *event;

		signal(signo, rows[i].before);
		event = libraries_watch_end(base, signo, on_signal, &got);
		if ((event != NULL) != rows[i].taken)
			fail_msg("row %zu", i);
		if (event != NULL) {
			raise(signo);
			event_base_loop(base, EVLOOP_ONCE);
			assert_int_equal(got, signo);
			event_free(event);
		}
		/* The next one to ask finds what was inherited. */
		assert_ptr_equal(signal(signo, SIG_DFL), rows[i].before);
	}
	event_base_free(base);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_memory),
		cmocka_unit_test(test_watch_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

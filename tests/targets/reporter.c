/*
 * A target that plays a sanitizer whose report comes from a thread which is still
 * at it when the input that started it has returned.
 */

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <unwind.h>

#include "cfuzz.h"

static int report_fd;
static atomic_bool reporter_begun, reporter_may_go_on;
static atomic_bool reporter_unwinds;
/* Links the library of _Unwind_Backtrace(). */
_Unwind_Ptr (*volatile reporter_library)(
	struct _Unwind_Context *) = _Unwind_GetIP;

__attribute__((visibility("default"))) void
__sanitizer_set_report_fd(void *fd)
{
	report_fd = (int)(intptr_t)fd;
}

static void
reporter_wait(const atomic_bool *flag)
{
	while (!atomic_load(flag))
		usleep(1000);
}

/* Has the main thread answered, so that it waits for its next call? */
static void
reporter_wait_for_answer(void)
{
	char path[64], state = 'R';
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", (int)getpid());
	while (state != 'S') {
		usleep(1000);
		file = fopen(path, "re");
		if (file == NULL ||
			fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
			abort();
		fclose(file);
	}
}

/* The crash handler's walk, in the thread that reports. */
__attribute__((visibility("default"))) _Unwind_Reason_Code
_Unwind_Backtrace(_Unwind_Trace_Fn fn, void *arg)
{
	static _Unwind_Reason_Code (*walk)(_Unwind_Trace_Fn, void *);
	_Unwind_Reason_Code code;

	if (walk == NULL)
		walk = (_Unwind_Reason_Code(*)(_Unwind_Trace_Fn,
			void *))dlsym(RTLD_NEXT, "_Unwind_Backtrace");
	code = walk(fn, arg);
	if (atomic_load(&reporter_unwinds)) {
		atomic_store(&reporter_begun, true);
		reporter_wait_for_answer();
	}
	return code;
}

static void
reporter_head(void)
{
	dprintf(report_fd,
		"==%d==ERROR: AddressSanitizer: heap-use-after-free on address "
		"0x602000000010\n",
		(int)getpid());
}

static void __attribute__((noreturn)) reporter_rest(void)
{
	dprintf(report_fd,
		"    #0 0x401234 (reporter+0x1234)\n"
		"    #1 0x401334 (reporter+0x1334)\n");
	abort();
}

/* The next call comes before the header. */
static void *
reporter_early(void *arg)
{
	dprintf(report_fd, "=====\n");
	atomic_store(&reporter_begun, true);
	reporter_wait(&reporter_may_go_on);
	reporter_head();
	reporter_rest();
}

/* The answer comes between header and stack. */
static void *
reporter_late(void *arg)
{
	reporter_head();
	atomic_store(&reporter_begun, true);
	reporter_wait_for_answer();
	reporter_rest();
}

/* The answer comes while the crash handler walks. */
static void *
reporter_walk(void *arg)
{
	atomic_store(&reporter_unwinds, true);
	abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	void *(*run)(void *) = NULL;
	pthread_t thread;

	if (size == 0)
		return 0;
	if (data[0] == 'e')
		run = reporter_early;
	else if (data[0] == 'l')
		run = reporter_late;
	else if (data[0] == 'w')
		run = reporter_walk;
	if (run != NULL && pthread_create(&thread, NULL, run, NULL) == 0)
		reporter_wait(&reporter_begun);
	else if (atomic_load(&reporter_begun)) {
		atomic_store(&reporter_may_go_on, true);
		for (;;)
			pause();
	}
	return 0;
}

/*
 * callgrind: lets any fuzzer run its target under callgrind, and has the
 * instructions counted of BENCH_WINDOWS times BENCH_COUNT executions, the
 * first behind BENCH_WARM others, the rest behind BENCH_SKIP each.
 *
 * Linked into a target with --wrap=LLVMFuzzerTestOneInput. What the fuzzer
 * starts puts valgrind in its own place before anything else of it has run:
 * process, descriptors and environment stay what they are, so the fuzzer
 * notices nothing. Nothing is instrumented between the windows, so that they
 * can lie far apart: neighbours are children of the same few inputs. The
 * counts of each are written to BENCH_CALLGRIND, with a number, and in the
 * end the pipe that BENCH_DONE names is told.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

#define ARGUMENTS_MAX 64

int __real_LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int __wrap_LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct windows {
	unsigned long left;        /* windows */
	unsigned long count, skip; /* executions */
	unsigned long rest;        /* executions until the next border */
	bool ready, open;
} windows;

static const char *
find_variable(char **envp, const char *name)
{
	size_t len = strlen(name);

	for (; *envp != NULL; envp++)
		if (strncmp(*envp, name, len) == 0 && (*envp)[len] == '=')
			return *envp + len + 1;
	return NULL;
}

static void
become_valgrind(int argc, char **argv, char **envp)
{
	static char out[4200], self[4096];
	static char *args[ARGUMENTS_MAX + 1] = { "valgrind", "-q",
		"--tool=callgrind", "--instr-atstart=no", out, self };
	const char *path = find_variable(envp, "BENCH_CALLGRIND");
	const char *valgrind = find_variable(envp, "BENCH_VALGRIND");
	int n = 6;

	if (path == NULL || valgrind == NULL || RUNNING_ON_VALGRIND)
		return;
	snprintf(out, sizeof(out), "--callgrind-out-file=%s", path);
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		_exit(127);
	for (int i = 1; i < argc && n < ARGUMENTS_MAX; i++)
		args[n++] = argv[i];
	execve(valgrind, args, envp);
	_exit(127);
}

/* Before the fuzzer's own, which may take away what it finds. */
typedef void first_function(int argc, char **argv, char **envp);
__attribute__((section(".preinit_array"),
	used)) static first_function *const FIRST = become_valgrind;

static void
tell(void)
{
	const char *path = getenv("BENCH_DONE");
	int fd = path == NULL ? -1 : open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	(void)!write(fd, "x", 1);
	close(fd);
}

static unsigned long
number(const char *name)
{
	const char *text = getenv(name);

	return text == NULL ? 0 : strtoul(text, NULL, 10);
}

static void
windows_init(void)
{
	windows.left = number("BENCH_WINDOWS");
	windows.count = number("BENCH_COUNT");
	windows.skip = number("BENCH_SKIP");
	windows.rest = number("BENCH_WARM");
	windows.ready = true;
}

static void
windows_close(void)
{
	windows.rest = windows.skip;
	CALLGRIND_DUMP_STATS_AT("bench");
	CALLGRIND_STOP_INSTRUMENTATION;
	if (--windows.left == 0)
		tell();
}

/* Between two executions, at a border. */
static void
windows_cross(void)
{
	if (!windows.ready) {
		windows_init();
	} else if (windows.open) {
		windows.open = false;
		windows_close();
	} else if (windows.left > 0) {
		windows.open = true;
		windows.rest = windows.count - 1;
		CALLGRIND_START_INSTRUMENTATION;
	}
}

int
__wrap_LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (windows.rest == 0)
		windows_cross();
	else
		windows.rest--;
	return __real_LLVMFuzzerTestOneInput(data, size);
}

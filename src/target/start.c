/*
 * start: the start of a target, and the ELF note that identifies it.
 *
 * A function that runs before all constructors removes CFUZZ_WORKER from the
 * environment, so that the target never sees it, and checks whether the program
 * can be a worker. main() then serves the engine or, if a person started the
 * program, replays files.
 */

#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shared/wire/memory.h"
#include "shared/wire/note.h"
#include "target/abi.h"
#include "target/child/seeds.h"
#include "target/child/typed.h"
#include "target/crash/sanitizers.h"
#include "target/hooks/counters.h"
#include "target/hooks/modules.h"
#include "target/program/persistent.h"
#include "target/program/program_run.h"
#include "target/replay.h"
#include "target/server/guardian.h"
#include "target/server/serve.h"
#include "target/traps/preload.h"

#define START_NAME WORKER_ENVIRONMENT "="
#define START_INPUT WORKER_INPUT "="
#define START_PLAIN WORKER_PLAIN "="

int main(int argc, char **argv);

/* NULL: the program does not call it, see driver.c. */
ABI_WEAK int LLVMFuzzerRunDriver(int *argc, char ***argv,
	target_function *callback);
/* The same, see program/deferred.c, loop.c, iter.c, testcase.c. */
ABI_WEAK void cfuzz_start(void);
ABI_WEAK int cfuzz_loop(unsigned int n);
ABI_WEAK void HF_ITER(const uint8_t **data, size_t *len);
ABI_WEAK unsigned char *cfuzz_testcase(void);
/* NULL: linked statically. */
ABI_WEAK void *dlsym(void *handle, const char *name);

const uint32_t __cfuzz_runtime = WIRE_VERSION;

/* The linker keeps it together with __cfuzz_runtime. */
struct start_note {
	uint32_t name_len, len, type;
	char name[(sizeof(NOTE_OWNER) + 3) & ~3u];
	struct note note;
};
__attribute__((section(NOTE_SECTION), used,
	aligned(4))) static const struct start_note START_NOTE = {
	.name_len = sizeof(NOTE_OWNER),
	.len = sizeof(struct note),
	.type = NOTE_TYPE,
	.name = NOTE_OWNER,
	.note = { .wire_version = WIRE_VERSION,
		.features = NOTE_FEATURE_FORK_SERVER },
};

/* Set before main(); all zero until start_early() has run. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct start {
	bool looked;
	bool is_worker;
	bool served;
	pid_t process; /* of the worker; others may be forked before it serves */
	int base;      /* first descriptor of the worker */
	const char *input; /* the program's input file; NULL: none */
	bool looped;       /* the program, run by hand, has begun its loop */
	bool plain;        /* no coverage wanted */
} start;

/* preload.c replaces it. */
__attribute__((weak)) const struct preload preload_calls = { .open = NULL };

static int start_main(int argc, char **argv);

/* Weak, so that a program may have its own main(). */
int main(int argc, char **argv)
	__attribute__((weak, alias("start_main"), visibility("default")));

/* Parses a number from 3 to 9999; -1 if the text is no such number. */
static int
start_parse_base(const char *text)
{
	int base = 0;

	for (; *text >= '0' && *text <= '9' && base < 1000; text++)
		base = base * 10 + (*text - '0');
	return *text == '\0' && base >= 3 ? base : -1;
}

/* Not strncmp(): a sanitizer's version does not work this early. */
static const char *
start_match(const char *entry, const char *name)
{
	while (*name != '\0' && *entry == *name) {
		entry++;
		name++;
	}
	return *name == '\0' ? entry : NULL;
}

/*
 * Programs that the target executes must not inherit the descriptors. In a program
 * that has the runtime by LD_PRELOAD, constructors of libraries have run already,
 * and what they have opened must stay open; the engine passes on nothing else.
 */
static void
start_close_others(int base)
{
	unsigned first = (unsigned)base, program = first + WORKER_FD_COUNT;

	for (unsigned fd = first; fd < program; fd++)
		(void)syscall(SYS_fcntl, (int)fd, F_SETFD, FD_CLOEXEC);
	(void)syscall(SYS_close, (int)program);
#ifdef SYS_close_range
	if (preload_calls.open != NULL)
		return;
	if (first > 3)
		(void)syscall(SYS_close_range, 3u, first - 1, 0u);
	(void)syscall(SYS_close_range, program + 1, ~0u, 0u);
#endif
}

/* Does the program ask for its inputs in a loop? */
static bool
start_is_loop(void)
{
	return cfuzz_loop != NULL || HF_ITER != NULL;
}

/*
 * The program's own main(), else the runtime's. This one hides that of a shared
 * library, so the library is asked where there is no function to fuzz.
 */
static program_main *
start_find_main(void)
{
	program_main *own = main;
	void *found = NULL;

	if (main == start_main && LLVMFuzzerTestOneInput == NULL &&
		!typed_exists() && dlsym != NULL)
		found = dlsym(RTLD_NEXT, "main");
	if (found != NULL)
		memcpy(&own, &found, sizeof(own));
	return own;
}

/* Returns why the program cannot be fuzzed; NULL: it can. */
static const char *
start_find_fault(void)
{
	bool plain = LLVMFuzzerTestOneInput != NULL, typed = typed_exists();

	if (preload_calls.open != NULL)
		return NULL; /* a program without instrumentation */
	if (main != start_main && (plain || typed) && !start_is_loop() &&
		LLVMFuzzerRunDriver == NULL)
		return "this program has a main() of its own, which would run "
		       "instead of the fuzz target; leave it out, or call "
		       "LLVMFuzzerRunDriver() in it";
	if (start_find_main() != start_main)
		return NULL; /* it calls the driver, or is a program */
	if (plain && typed)
		return "this program has both LLVMFuzzerTestOneInput() and "
		       "CFUZZ_TARGET(): only one of them can be fuzzed; leave "
		       "the other out";
	if (!plain && !typed)
		return "this program lacks LLVMFuzzerTestOneInput() or "
		       "CFUZZ_TARGET()";
	return NULL;
}

/* Programs that the target executes are not to load the runtime. */
static bool
start_keeps(char *variable)
{
	const char *value = start_match(variable, "LD_PRELOAD=");

	if (start_match(variable, WORKER_BIND_NOW) != NULL)
		return false;
	return preload_calls.remove == NULL || value == NULL ||
		preload_calls.remove(variable + (value - variable));
}

/*
 * Nothing is initialised yet, not even the C library: use only the arguments
 * and plain system calls.
 */
static void
start_early(int argc, char **argv, char **envp)
{
	const char *value, *fault;
	size_t n = 0;

	if (start.looked || envp == NULL)
		return;
	start.looked = true;
	sanitizers_begin(); /* before what the program was given is taken */
	for (size_t i = 0; envp[i] != NULL; i++) {
		value = start_match(envp[i], START_NAME);
		if (value != NULL) {
			start.is_worker = true;
			start.base = start_parse_base(value);
			continue;
		}
		value = start_match(envp[i], START_INPUT);
		if (value != NULL)
			start.input = value;
		else if (start_match(envp[i], START_PLAIN) != NULL)
			start.plain = true;
		else if (start_keeps(envp[i]))
			envp[n++] = envp[i];
	}
	envp[n] = NULL;
	if (!start.is_worker)
		return;
	start.process = (pid_t)syscall(SYS_getpid);
	if (start.base < 0)
		serve_give_up(WORKER_ENVIRONMENT " is not a descriptor");
	start_close_others(start.base);
	guardian_prepare(start.base + WORKER_FD_IN);
	fault = start_find_fault();
	if (fault != NULL)
		serve_give_up(fault);
}

typedef void start_function(int argc, char **argv, char **envp);

__attribute__((section(".preinit_array"),
	used)) static start_function *const START_FIRST = start_early;

/* If there is no such array, the first constructor does it. */
__attribute__((constructor(101))) static void
start_late(void)
{
	start_early(0, NULL, environ);
	if (!start.is_worker)
		return;
	/* Allocations at start are not leaks of an input. */
	sanitizers_watch_leaks(false);
	modules_begin_keeping();
}

/* The program ends. Did it have a main() of its own that never called the
 * runtime? */
__attribute__((destructor)) static void
start_at_end(void)
{
	const char *name = LLVMFuzzerRunDriver != NULL ? "LLVMFuzzerRunDriver"
		: HF_ITER != NULL                      ? "HF_ITER"
		: cfuzz_loop != NULL                   ? "cfuzz_loop"
		: cfuzz_start != NULL                  ? "cfuzz_start"
						       : NULL;
	char text[128];

	if (!start.is_worker || start.served || start.process != getpid())
		return;
	if (name == NULL) {
		dprintf(STDERR_FILENO,
			"cfuzz: the program ended before main()\n");
		return; /* the exit status is its own */
	}
	(void)snprintf(text, sizeof(text),
		"the program ended without calling %s()", name);
	serve_give_up(text);
}

/* After the destructors of the program: they use pages as well. */
__attribute__((destructor(101))) static void
start_at_last(void)
{
	program_on_end();
}

static struct worker *
start_open_worker(void)
{
	static struct worker worker;
	struct error err = { .code = OK };

	start.served = true;
	if (worker_open(&worker, start.base, &err) != OK)
		serve_give_up(err.text);
	worker.input_path = start.input;
	guardian_start(&worker);
	return &worker;
}

static void
start_serve(target_function *target, int *argc, char ***argv)
{
	struct worker *worker = start_open_worker();
	struct error err = { .code = OK };
	char text[128];
	int result;

	worker->target = target;
	worker->types = *typed_types();
	result = LLVMFuzzerInitialize != NULL ? LLVMFuzzerInitialize(argc, argv)
					      : 0;
	if (result != 0) {
		(void)snprintf(text, sizeof(text),
			"LLVMFuzzerInitialize() returned %d", result);
		serve_give_up(text);
	}
	if (seeds_close(&worker->types, &err) != OK)
		serve_give_up(err.text);
	serve_run(worker);
}

/* Counters that the target maintains itself. */
static void
start_add_extra(void)
{
	if (__start___libfuzzer_extra_counters != NULL &&
		__stop___libfuzzer_extra_counters != NULL)
		counters_add(COUNTERS_EXTRA, __start___libfuzzer_extra_counters,
			(size_t)(__stop___libfuzzer_extra_counters -
				__start___libfuzzer_extra_counters),
			__start___libfuzzer_extra_counters);
}

/* Returns at once, unless the program is a worker: then in each run. */
void
__cfuzz_start(void)
{
	struct worker *worker;
	const char *fault;

	/* The loop begins later. */
	if (!start.is_worker || start.served || start_is_loop())
		return;
	start_add_extra();
	worker = start_open_worker();
	worker->kind = PROGRAM_KIND;
	if (preload_calls.open == NULL) {
		program_serve(worker, start_find_main(), start.input);
		return;
	}
	fault = preload_calls.open(worker, start.plain);
	if (fault != NULL)
		serve_give_up(fault);
	program_serve(worker, preload_calls.get_main(), start.input);
}

/* Begins the loop, or asks for the next input. False: there is none. */
static bool
start_next(unsigned int n, enum persistent_input input)
{
	struct worker *worker;

	if (persistent_is_open()) {
		persistent_next();
		return true;
	}
	if (!start.is_worker || start.served) {
		/* By hand: once. */
		bool first = !start.looped;

		start.looped = true;
		return first;
	}
	start_add_extra();
	worker = start_open_worker();
	worker->lives = n;
	persistent_serve(worker, start_find_main(), start.input, input);
	return true;
}

int
__cfuzz_loop(unsigned int n)
{
	return start_next(n,
		cfuzz_testcase != NULL ? PERSISTENT_TESTCASE : PERSISTENT_FILE);
}

/* By hand the input is on standard input, and there is no second one. */
const uint8_t *
__cfuzz_next(size_t *len)
{
	if (!start_next(0, PERSISTENT_POINTER))
		exit(0);
	if (persistent_is_open())
		return persistent_data(len);
	*len = persistent_testcase_len();
	return persistent_testcase();
}

unsigned char *
__cfuzz_testcase(void)
{
	return persistent_testcase();
}

unsigned int
__cfuzz_testcase_len(void)
{
	return (unsigned int)persistent_testcase_len();
}

/*
 * The last constructor, because the runtime is linked last: all others of the
 * program have run, and main() follows.
 */
__attribute__((constructor)) static void
start_program(void)
{
	if (start_find_main() != start_main && LLVMFuzzerRunDriver == NULL &&
		cfuzz_start == NULL && preload_calls.open == NULL)
		__cfuzz_start();
}

int
__cfuzz_drive(int *argc, char ***argv, target_function *callback)
{
	start_add_extra();
	if (start.is_worker)
		start_serve(callback, argc, argv);
	return replay_run(callback, argc, argv);
}

static int
start_main(int argc, char **argv)
{
	program_main *own = start_find_main();
	const char *fault = start_find_fault();
	struct error err = { .code = OK };

	if (own != start_main)
		return own(argc, argv);
	if (fault == NULL && typed_exists() && typed_open(&err) != OK)
		fault = err.text;
	if (fault != NULL && start.is_worker)
		serve_give_up(fault);
	if (fault != NULL) {
		(void)fprintf(stderr, "cfuzz: %s\n", fault);
		return 2;
	}
	return __cfuzz_drive(&argc, &argv,
		typed_is_open() ? typed_function() : LLVMFuzzerTestOneInput);
}

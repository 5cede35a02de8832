/*
 * Targets with builds of their own: each compiler's instrumentation, modules
 * that are loaded late, threads, programs with their own main().
 */

#include <fcntl.h>
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

#include "lib/engine_double.h"

static const char *
from_env(const char *name, const char *otherwise)
{
	const char *value = getenv(name);

	return value ? value : otherwise;
}

/*
 * Runs a shell command in the build folder, with S: the sources, B: the build,
 * CC: the wrapper. Returns the exit status.
 */
static int
shell(const char *command)
{
	static char text[8192];
	char here[4096];
	const char *build = from_env("CFUZZ_BUILD", "build");
	const char *source = from_env("CFUZZ_SRC", ".");
	int status;

	assert_non_null(getcwd(here, sizeof(here)));
	snprintf(text, sizeof(text),
		"S=$(cd '%s' && pwd); B=$(cd '%s' && pwd); CC=$B/cfuzz-cc; "
		"I=-I$S/include; P=$S/tests/targets/parts; "
		"export CFUZZ_QUIET=1; "
		"mkdir -p $B/tests/parts && cd $B/tests/parts && { %s; }",
		source, build, command);
	status = system(text);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static const char *
part(const char *name)
{
	static char path[4096];

	snprintf(path, sizeof(path), "%s/tests/parts/%s",
		from_env("CFUZZ_BUILD", "build"), name);
	return path;
}

/* Builds and starts a target; skips the test if a compiler is missing. */
static void
start(struct engine_double *d, const char *needs, const char *build,
	const char *program, char **env)
{
	char command[200];

	snprintf(command, sizeof(command), "command -v %s >/dev/null", needs);
	if (shell(command) != 0)
		skip();
	assert_int_equal(shell(build), 0);
	double_start(d, part(program), env);
}

/* Fuzzes from the corpus to the last step. */
static void
climb(struct engine_double *d)
{
	uint32_t entry = double_add_entry(d, "cfu", 3);

	for (int i = 0; i < 300; i++) {
		d->request = (struct rpc_request){ .kind = RPC_FUZZ,
			.limit = 100000,
			.parent = entry,
			.cap = 16,
			.stack_max = 5,
			.confirm = true };
		assert_true(double_call(d));
		if (d->reply.died)
			break;
		if (d->reply.finds > 0) {
			const uint8_t *ring =
				d->worker.map + d->layout.ring_offset;
			struct ring_input find;
			size_t offset = 0;
			bool damaged;

			while (ring_next(ring, d->reply.ring_used, &offset,
				DOUBLE_MAX_LEN, &find, &damaged)) {
				if (find.record.len >= 4 &&
					memcmp(find.bytes, "cfuz", 4) == 0)
					entry = double_add_entry(d, find.bytes,
						find.record.len);
			}
		}
		double_merge(d);
	}
	assert_true(d->reply.died);
	assert_string_equal(d->reply.failure.what, "SIGABRT");
	assert_true(d->head->value_len >= 5);
	assert_memory_equal(d->worker.map + d->layout.value_offset, "cfuz!", 5);
}

/* clang-format off */
static const struct instrumentation_case {
	const char *name;
	const char *compiler;
	const char *build;
	const char *program;
	const char *instrumentation;
	uint32_t counters_min, counters_max;
} INSTRUMENTATION_CASES[] = {
	{ "gcc trace-pc", "gcc",
		"CFUZZ_CC=gcc $CC -g -O1 $I -o gcc-steps $S/tests/targets/steps.c",
		"gcc-steps", "trace-pc", 64 + 6, 64 + 30 },
	{ "gcc trace-pc without PIE", "gcc",
		"CFUZZ_CC=gcc $CC -g -O1 -no-pie -fno-pie $I -o gcc-nopie "
		"$S/tests/targets/steps.c",
		"gcc-nopie", "trace-pc", 64 + 6, 64 + 30 },
	{ "clang", "clang",
		"CFUZZ_CC=clang $CC -g -O1 $I -o clang-steps $S/tests/targets/steps.c",
		"clang-steps", "inline-8bit-counters", 6, 40 },
	{ "trace-pc-guard", "clang",
		"clang -g -O1 -fsanitize-coverage=trace-pc-guard $I -c "
		"-o guard.o $S/tests/targets/steps.c && "
		"CFUZZ_CC=clang CFUZZ_NO_INSTRUMENT=1 $CC -o guard-steps guard.o",
		"guard-steps", "trace-pc-guard", 6, 40 },
	{ "inline-bool-flag", "clang",
		"CFUZZ_CC=clang $CC -g -O1 "
		"-fsanitize-coverage=inline-bool-flag,pc-table,trace-cmp $I "
		"-o flag-steps $S/tests/targets/steps.c",
		"flag-steps", "inline-8bit-counters", 6, 40 },
	{ "trace-cmp alone", "clang",
		"CFUZZ_CC=clang $CC -g -O1 -fsanitize-coverage=trace-cmp $I "
		"-o compare-steps $S/tests/targets/steps.c",
		"compare-steps", "inline-8bit-counters", 6, 40 },
	{ "control flow integrity", "ld.lld",
		"CFUZZ_CC=clang $CC -g -O1 -fsanitize=cfi -flto -fuse-ld=lld "
		"-fvisibility=hidden $I -o flow-steps $S/tests/targets/steps.c",
		"flow-steps", "inline-8bit-counters", 6, 40 },
	{ "gold with AddressSanitizer", "ld.gold",
		"CFUZZ_CC=gcc $CC -g -O1 -fsanitize=address -fuse-ld=gold $I "
		"-o gold-steps $S/tests/targets/steps.c 2>/dev/null",
		"gold-steps", "trace-pc", 64 + 6, 64 + 60 },
	{ "data among the code with AddressSanitizer", "gcc",
		"CFUZZ_CC=gcc $CC -g -O0 -fsanitize=address -Wl,-z,noseparate-code "
		"$I -o mixed-steps $S/tests/targets/steps.c",
		"mixed-steps", "trace-pc", 64 + 6, 64 + 60 },
	{ "data among the code of a library with AddressSanitizer", "gcc",
		"export CFUZZ_CC=gcc; A='-g -O0 -fsanitize=address'; "
		"$CC $A -shared -fPIC -Wl,-z,noseparate-code $I "
		"-DLLVMFuzzerTestOneInput=steps -o mixed.so "
		"$S/tests/targets/steps.c && "
		"echo 'int steps(); int LLVMFuzzerTestOneInput(const char *d, "
		"unsigned long n) { return steps(d, n); }' >mixed.c && "
		"gcc -c mixed.c && $CC $A -o mixed-caller mixed.o $PWD/mixed.so",
		"mixed-caller", "trace-pc", 64 + 6, 64 + 60 },
	{ "fuzzer-no-link", "clang",
		"clang -g -O1 -fsanitize=fuzzer-no-link,address $I -c "
		"-o nolink.o $S/tests/targets/steps.c && "
		"clang -fsanitize=address -o nolink-steps nolink.o $B/libcfuzz.a",
		"nolink-steps", "inline-8bit-counters", 6, 40 },
	{ "sections collected, stripped", "clang",
		"CFUZZ_CC=clang $CC -O1 -ffunction-sections -Wl,--gc-sections $I "
		"-o small-steps $S/tests/targets/steps.c && strip small-steps && "
		"readelf -n small-steps | grep -q cfuzz",
		"small-steps", "inline-8bit-counters", 6, 40 },
	{ "static", "gcc",
		"CFUZZ_CC=gcc $CC -O1 -static $I -o static-steps "
		"$S/tests/targets/steps.c 2>/dev/null",
		"static-steps", "trace-pc", 64 + 6, 64 + 30 },
	{ "g++", "g++",
		"cp $S/tests/targets/steps.c steps.cc && "
		"sed -i 's/^int$/extern \"C\" int/' steps.cc && "
		"CFUZZ_CXX=g++ $B/cfuzz-c++ -g -O1 $I -o cxx-steps steps.cc",
		"cxx-steps", "trace-pc", 64 + 6, 64 + 30 },
};
/* clang-format on */

static void
test_instrumentation(void **state)
{
	const struct instrumentation_case *c = *state;
	struct engine_double d;

	start(&d, c->compiler, c->build, c->program, NULL);
	assert_string_equal(d.reply.instrumentation, c->instrumentation);
	assert_int_equal(d.reply.modules_n, 2);
	assert_in_range(d.reply.modules[0].n, c->counters_min, c->counters_max);
	climb(&d);
	assert_int_equal(double_stop(&d), 0);
}

/* gcc's calls have the same numbers in each process. */
static void
test_gcc_is_stable(void **state)
{
	struct engine_double d, e;

	start(&d, "gcc",
		"CFUZZ_CC=gcc $CC -g -O1 $I -o gcc-steps "
		"$S/tests/targets/steps.c",
		"gcc-steps", NULL);
	double_start(&e, part("gcc-steps"), NULL);
	assert_true(d.reply.modules[0].key == e.reply.modules[0].key);
	assert_true(double_run(&d, "cfu", 3));
	assert_true(double_run(&e, "cfu", 3));
	assert_int_equal(d.reply.ring_used, e.reply.ring_used);
	assert_memory_equal(d.worker.map + d.layout.ring_offset +
			sizeof(struct ring_record),
		e.worker.map + e.layout.ring_offset +
			sizeof(struct ring_record),
		d.reply.ring_used - sizeof(struct ring_record));
	assert_int_equal(double_stop(&d), 0);
	assert_int_equal(double_stop(&e), 0);
}

static size_t
run_finds(struct engine_double *d, const char *input)
{
	assert_true(double_run(d, input, strlen(input)));
	assert_int_equal(d->reply.failure.kind, FAILURE_NONE);
	return double_merge(d);
}

/*
 * A child loads the module during a call. Counts of one input must not be
 * reported for the next, where they could not be confirmed.
 */
static void
look_at_module_amid_call(struct engine_double *d)
{
	size_t offset = 0;
	struct ring_input find;
	bool damaged;

	double_set_value(d, "Lab", 3);
	d->request = (struct rpc_request){ .kind = RPC_FUZZ,
		.limit = 2000,
		.parent = MEMORY_NO_ENTRY,
		.cap = 16,
		.stack_max = 1,
		.confirm = true,
		.fresh = true };
	assert_true(double_call(d));
	assert_true(d->reply.finds > 0);
	while (ring_next(d->worker.map + d->layout.ring_offset,
		d->reply.ring_used, &offset, DOUBLE_MAX_LEN, &find, &damaged)) {
		assert_int_equal(find.record.unstable_n, 0);
		assert_int_equal(find.record.flags, 0);
	}
	assert_false(damaged);
	/* If an input crashed, this child has not loaded the module yet. */
	assert_true(double_run(d, "L", 1));
}

/* A minimization loads the module and says nothing of it. */
static void
minimize_with_module(struct engine_double *d)
{
	for (int i = 0; i < 2; i++) {
		double_set_value(d, "L", 1);
		d->request = (struct rpc_request){ .kind = RPC_MINIMIZE,
			.want_coverage = true,
			.parent = MEMORY_NO_ENTRY };
		assert_true(double_call(d));
		assert_true(d->reply.count > 0);
		assert_int_equal(d->reply.late_n, 0);
	}
}

static void
look_at_late_module(struct engine_double *d)
{
	assert_int_equal(run_finds(d, "x"), 1);
	assert_int_equal(run_finds(d, "x"), 0);
	minimize_with_module(d);
	/* Loaded for the first time: the engine is told. */
	assert_true(double_run(d, "L", 1));
	assert_int_equal(d->reply.end, CALL_MODULES);
	assert_int_equal(d->reply.late_n, 1);
	double_merge(d);
	double_add_modules(d, d->reply.late, d->reply.late_n);
	look_at_module_amid_call(d);
	assert_int_equal(run_finds(d, "La"), 1);
	assert_int_equal(run_finds(d, "La"), 0);
	assert_int_equal(run_finds(d, "Lab"), 1);
	/* Loading it again is nothing new, not even in another child. */
	d->request.fresh = true;
	assert_true(double_call(d));
	assert_int_equal(d->reply.end, CALL_DONE);
	assert_int_equal(double_merge(d), 0);
	/* A crash in the module has its frame there. */
	assert_true(double_run(d, "L!", 2));
	assert_true(d->reply.died);
	assert_int_equal(strncmp(d->reply.failure.frames[0].module, "plugin",
				 6),
		0);
	assert_int_equal(double_stop(d), 0);
}

static void
test_late_module(void **state)
{
	char plugin[4096 + 8];
	char *env[] = { plugin, NULL };
	struct engine_double d;

	snprintf(plugin, sizeof(plugin), "PLUGIN=%s", part("plugin-clang.so"));
	start(&d, "clang",
		"CFUZZ_CC=clang $CC -g -O1 -shared -fPIC -o plugin-clang.so "
		"$P/plugin.c && CFUZZ_CC=clang $CC -g -O1 $I -o loader-clang "
		"$P/loader.c",
		"loader-clang", env);
	look_at_late_module(&d);
}

static void
test_late_module_gcc(void **state)
{
	char plugin[4096 + 8];
	char *env[] = { plugin, NULL };
	struct engine_double d;

	snprintf(plugin, sizeof(plugin), "PLUGIN=%s", part("plugin-gcc.so"));
	start(&d, "gcc",
		"CFUZZ_CC=gcc $CC -g -O1 -shared -fPIC -o plugin-gcc.so "
		"$P/plugin.c && CFUZZ_CC=gcc $CC -g -O1 $I -o loader-gcc "
		"$P/loader.c",
		"loader-gcc", env);
	look_at_late_module(&d);
}

/* The list of the child's modules is as long as that of the fork server. */
static void
test_many_modules(void **state)
{
	char plugin[4096 + 8];
	char *env[] = { plugin, NULL };
	struct engine_double d;

	snprintf(plugin, sizeof(plugin), "PLUGIN=%s", part("plugin-many.so"));
	start(&d, "gcc",
		"mkdir -p many && for i in $(seq 40); do "
		"echo \"int many$i;\" | gcc -xc -shared -fPIC "
		"-o many/$i.so - || exit 1; done && "
		"export CFUZZ_CC=gcc && "
		"$CC -g -O1 -shared -fPIC -o plugin-many.so $P/plugin.c && "
		"$CC -g -O1 $I -o loader-many $P/loader.c "
		"-Wl,--no-as-needed $PWD/many/*.so",
		"loader-many", env);
	for (int i = 0; i < 2; i++) {
		assert_true(double_run(&d, "L!", 2));
		assert_true(d.reply.died);
		assert_string_equal(d.reply.failure.frames[0].module,
			"plugin-many.so");
	}
	assert_int_equal(double_stop(&d), 0);
}

/* clang-format off */
static const struct opened_case {
	const char *name;
	const char *flags; /* of the library; large: its place stays empty */
	const char *build, *program;
	bool next; /* another library takes its place */
} OPENED_CASES[] = {
	{ "closed by the initialisation", "-DPLUGIN_ROOM=0x20000000",
		"$CC -g -O1 $I -o opener $P/opener.c", "opener", false },
	{ "closed by a program", "-DPLUGIN_ROOM=0x20000000",
		"$CC -g -O1 $I -DOWN_MAIN -o opener-main $P/opener.c",
		"opener-main", false },
	{ "closed before another", "-DPLUGIN_ROOM=0x8000",
		"clang -g -O1 -shared -fPIC -DNEXT -o next.so $P/opener.c && "
		"$CC -g -O1 $I -o opener $P/opener.c", "opener", true },
};
/* clang-format on */

/* The counters of a library that was closed before the first input. */
static void
test_opened_before(void **state)
{
	const struct opened_case *c = *state;
	char plugin[4096 + 8], next[4096 + 8], build[1000];
	char *env[] = { plugin, c->next ? next : NULL, NULL };
	struct engine_double d;

	snprintf(plugin, sizeof(plugin), "PLUGIN=%s", part("closed.so"));
	snprintf(next, sizeof(next), "NEXT=%s", part("next.so"));
	snprintf(build, sizeof(build),
		"export CFUZZ_CC=clang; $CC -g -O1 -shared -fPIC %s "
		"-o closed.so $P/plugin.c && %s",
		c->flags, c->build);
	start(&d, "clang", build, c->program, env);
	for (int i = 0; i < 3; i++) {
		assert_true(double_run(&d, "Lab", 3));
		if (d.reply.failure.kind != FAILURE_NONE)
			fail_msg("%s", d.reply.failure.text);
		assert_int_equal(d.reply.end, CALL_DONE);
	}
	assert_int_equal(double_stop(&d), 0);
}

/* A target with threads runs in the worker itself, and dies with it. */
static void
test_threads(void **state)
{
	struct engine_double d;
	struct failure failure;
	int status;

	start(&d, "gcc",
		"CFUZZ_CC=gcc $CC -g -O1 $I -o threads $P/threads.c -pthread",
		"threads", NULL);
	assert_true(d.reply.no_fork);
	assert_int_equal(d.reply.threads, 2);
	assert_true(double_run(&d, "x", 1));
	assert_int_equal(d.reply.end, CALL_DONE);
	assert_true(double_run(&d, "e", 1));
	assert_int_equal(d.reply.failure.kind, FAILURE_ERROR);
	assert_string_equal(d.reply.failure.text, "no");
	assert_true(double_fuzz(&d, "far from one byte", 17, 100));
	double_set_value(&d, "c", 1);
	d.request.warmup = true;
	double_send(&d);
	assert_false(double_receive(&d));
	assert_int_equal(d.head->count, 1);
	/* The memory that the dead worker leaves is enough for the engine. */
	failure_describe(&failure, SIGABRT, &d.head->failure, d.head->map,
		d.head->map_n);
	assert_int_equal(failure.kind, FAILURE_SIGNAL);
	assert_string_equal(failure.frames[0].module, "threads");
	/* The callers of the target are left out. */
	assert_int_equal(failure.frames_n, 1);
	status = double_wait(&d);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
}

static void
test_setup(void **state)
{
	struct engine_double d;

	if (!double_has_high_descriptors())
		skip();
	start(&d, "gcc", "CFUZZ_CC=gcc $CC -g -O1 $I -o setup $P/setup.c",
		"setup", NULL);
	for (int i = 0; i < 3; i++) {
		assert_true(double_run(&d, "x", 1));
		if (d.reply.failure.kind != FAILURE_NONE)
			fail_msg("%s", d.reply.failure.text);
		assert_true(double_run(&d, "c", 1));
		assert_true(d.reply.died);
	}
	assert_int_equal(double_stop(&d), 0);
	assert_int_equal(double_count_processes(&d), 0);
}

/* clang-format off */
static const struct refusal_case {
	const char *name;
	const char *build;
	const char *program;
	const char *mode;
	int status;
	const char *says; /* on stderr */
} REFUSAL_CASES[] = {
	{ "initialisation fails", "$CC -g -O1 $I -o setup $P/setup.c", "setup",
		"MODE=fails", 70, "LLVMFuzzerInitialize() returned 1" },
	{ "initialisation exits", "$CC -g -O1 $I -o setup $P/setup.c", "setup",
		"MODE=exits", 0, "" },
	{ "own main", "$CC -g -O1 $I -o own $P/own_main.c", "own",
		"MODE=", 70, "main() of its own" },
	{ "no target function",
		"echo 'int nothing;' >nothing.c && $CC -o nothing nothing.c",
		"nothing", "MODE=", 70, "lacks LLVMFuzzerTestOneInput()" },
	{ "two target functions",
		"printf '#include <cfuzz.h>\\nstatic void f(bool b) "
		"{ (void)b; }\\nCFUZZ_TARGET(f, bool)\\n"
		"int LLVMFuzzerTestOneInput(const uint8_t *d, size_t n) "
		"{ return d && n ? 0 : 0; }\\n' >both.c && "
		"$CC $I -o both both.c",
		"both", "MODE=", 70, "both LLVMFuzzerTestOneInput() and" },
	{ "start never reached",
		"echo 'void cfuzz_start(); int main(int c, char **v) "
		"{ if (c > 9 && v) cfuzz_start(); return 0; }' "
		">bare.c && $CC -w -o bare bare.c $B/libcfuzz.a "
		"-Wl,-u,__cfuzz_runtime",
		"bare", "MODE=", 70, "without calling cfuzz_start()" },
	{ "a constructor exits",
		"echo 'void exit(int); __attribute__((constructor)) static "
		"void f(void) { exit(4); } int main(void) { return 0; }' "
		">soon.c && $CC -w -o soon soon.c $B/libcfuzz.a "
		"-Wl,-u,__cfuzz_runtime",
		"soon", "MODE=", 4, "the program ended before main()" },
	{ "loop never reached",
		"echo 'int cfuzz_loop(); int main(int c, char **v) "
		"{ return c > 9 && v ? cfuzz_loop(1) : 0; }' "
		">aside.c && $CC -w -o aside aside.c $B/libcfuzz.a "
		"-Wl,-u,__cfuzz_runtime",
		"aside", "MODE=", 70, "without calling cfuzz_loop()" },
	{ "driver never called",
		"echo 'int LLVMFuzzerRunDriver(); int main(int c, char **v) "
		"{ return c > 9 ? LLVMFuzzerRunDriver(&c, &v, 0) : 0; }' "
		">never.c && $CC -w -o never never.c $B/libcfuzz.a "
		"-Wl,-u,__cfuzz_runtime",
		"never", "MODE=", 70, "without calling LLVMFuzzerRunDriver()" },
	{ "a process that ends before the start",
		"printf '#include <stdio.h>\n#include <stdlib.h>\n"
		"#include <sys/wait.h>\n#include <unistd.h>\n"
		"void cfuzz_start(); int main(int c, char **v) { int s = 0; "
		"if (c > 9 && v) cfuzz_start(); if (fork() == 0) { "
		"setvbuf(stderr, 0, _IOFBF, 4096); fputs(\"its own end\", "
		"stderr); exit(5); } wait(&s); _exit(WEXITSTATUS(s)); }' "
		">helped.c && $CC -w -o helped helped.c $B/libcfuzz.a "
		"-Wl,-u,__cfuzz_runtime",
		"helped", "MODE=", 5, "its own end" },
};
/* clang-format on */

static void
test_refusal(void **state)
{
	const struct refusal_case *c = *state;
	char *env[] = { (char *)(uintptr_t)c->mode, NULL };
	struct engine_double d;
	char said[1000];
	int status;

	assert_int_equal(shell(c->build), 0);
	double_spawn(&d, part(c->program), env);
	d.request = (struct rpc_request){ .kind = RPC_PING };
	double_send(&d);
	assert_false(double_receive(&d));
	memcpy(said, d.output.map, sizeof(said) - 1);
	said[sizeof(said) - 1] = '\0';
	status = double_wait(&d);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), c->status);
	if (!strstr(said, c->says))
		fail_msg("said: %s", said);
}

static void
test_driver(void **state)
{
	struct engine_double d;

	start(&d, "gcc",
		"CFUZZ_CC=gcc $CC -g -O1 -DOWN_DRIVER $I -o driver "
		"$P/own_main.c",
		"driver", NULL);
	assert_true(double_run(&d, "-", 1));
	assert_int_equal(d.reply.rejected, 1);
	assert_true(double_fuzz(&d, "x", 1, 1000));
	assert_int_equal(d.reply.count, 1000);
	assert_int_equal(double_stop(&d), 0);
	assert_int_equal(shell("./driver driver >/dev/null"), 0);
}

/* gcc's sanitizers are shared libraries. */
static void
test_gcc_sanitizers(void **state)
{
	char *env[] = { (char *)(uintptr_t) "ASAN_OPTIONS=abort_on_error=1:"
					    "symbolize=0:detect_leaks=0",
		(char *)(uintptr_t) "UBSAN_OPTIONS=abort_on_error=1:"
				    "halt_on_error=1:symbolize=0",
		NULL };
	struct engine_double d;

	start(&d, "gcc",
		"CFUZZ_CC=gcc $CC -g -O1 -fsanitize=address,undefined "
		"-fno-sanitize=object-size $I "
		"-o gcc-faults $S/tests/targets/faults.c -pthread",
		"gcc-faults", env);
	assert_string_equal(d.reply.sanitizer, "address");
	assert_true(double_run(&d, "b", 1));
	assert_string_equal(d.reply.failure.what, "heap-buffer-overflow");
	assert_string_equal(d.reply.failure.frames[0].module, "gcc-faults");
	assert_true(double_run(&d, "u", 1));
	assert_string_equal(d.reply.failure.what, "signed-integer-overflow");
	assert_true(double_run(&d, "o", 1));
	assert_string_equal(d.reply.failure.what, "input-buffer-overflow");
	assert_true(double_run(&d, "z", 1));
	assert_int_equal(d.reply.failure.kind, FAILURE_NONE);
	assert_int_equal(double_stop(&d), 0);
}

static void
test_extra_counters(void **state)
{
	struct engine_double d;

	start(&d, "clang", "CFUZZ_CC=clang $CC -g -O1 $I -o extra $P/extra.c",
		"extra", NULL);
	assert_int_equal(d.reply.modules_n, 3);
	assert_int_equal(run_finds(&d, "a"), 1);
	assert_int_equal(run_finds(&d, "a"), 0);
	assert_int_equal(run_finds(&d, "b"), 1);
	assert_int_equal(double_stop(&d), 0);
}

static void
test_clashing_names(void **state)
{
	struct engine_double d;

	start(&d, "gcc", "CFUZZ_CC=gcc $CC -g -O1 $I -o clash $P/clash.c",
		"clash", NULL);
	assert_true(double_fuzz(&d, "x", 1, 100000));
	assert_int_equal(d.reply.count, 100000);
	assert_int_equal(d.reply.failure.kind, FAILURE_NONE);
	assert_false(d.reply.odd_return);
	assert_int_equal(double_stop(&d), 0);
}

/* clang-format off */
static const struct hand_case {
	const char *name;
	const char *command; /* run beside a built "faults" */
	int status;
	const char *pattern; /* for grep -E, in the output */
} HAND_CASES[] = {
	{ "usage", "$F", 2, "cfuzz-tui .*faults" },
	{ "one file", "printf zbc >in; $F in", 0, "^in: 3 bytes, returned 0 in [0-9.]+ ms$" },
	{ "empty file", ": >in; $F in", 0, "^in: 0 bytes, returned 0" },
	{ "two files", "printf zbc >in; $F in in", 0, "^2 files in [0-9.]+ ms, all returned$" },
	{ "folder", "rm -rf d; mkdir -p d; "
		"printf - >d/-; $F d", 0, "^d/-: 1 bytes, returned -1" },
	{ "more than memory", "head -c 32M /dev/zero | tr '\\0' z >in; ulimit -v 262144; "
		"$F $(yes in | head -20)", 0, "^20 files in [0-9.]+ ms, all returned$" },
	{ "smaller and larger", "printf zb >in; printf zbc >more; : >none; "
		"$F more in none more", 0, "^4 files in [0-9.]+ ms, all returned$" },
	{ "overread in a larger one's place", "printf o >in; printf zbc >more; $F more in", 139, "^in: 1 bytes" },
	{ "folder in order", "rm -rf d; mkdir -p d/e; printf 1 >d/1; printf 2 >d/2; "
		"$F d", 0, "^2 files" },
	{ "folder in a folder", "rm -rf d; mkdir -p d/e; printf z >d/1; $F d", 0,
		"^cfuzz: 1 folder in d is skipped: name it as well$" },
	{ "folders alone", "rm -rf d; mkdir -p d/e d/f; printf z >d/e/1; $F d", 2,
		"^cfuzz: 2 folders in d are skipped: name them as well$" },
	{ "empty folder", "rm -rf d; mkdir d; $F d", 2, "^cfuzz: no file was run$" },
	{ "hidden file", "rm -rf d; mkdir d; printf zb >d/.in; $F d", 0, "^d/.in: 2 bytes" },
	{ "missing file", "$F nowhere", 2, "nowhere cannot be read: No such file" },
	{ "missing among others", "printf zbc >in; $F nowhere in", 2, "^in: 3 bytes" },
	{ "missing after another", "printf zbc >in; $F in nowhere in", 2, "^cfuzz: nowhere cannot be read" },
	{ "pipe", "rm -f p; mkfifo p; $F p", 2, "p cannot be read" },
	{ "options", "printf zbc >in; $F -runs=100 in", 0, "option -runs=100 is ignored" },
	{ "no options behind --", "printf zbc >-x; $F -- -x", 0, "^-x: 3 bytes" },
	{ "crash", "printf s >in; $F in", 139, "^in: 1 bytes, " },
	{ "cfuzz_fail", "printf e12 >in; $F in", 1, "input of 3 bytes, first e" },
	{ "no message", "printf E >in; $F in", 1, "cfuzz_fail: .* without a message" },
	{ "modified input", "printf m >in; $F in", 1, "changed its input" },
	{ "overread", "printf o >in; $F in", 139, "^in: 1 bytes" },
};
/* clang-format on */

static void
test_by_hand(void **state)
{
	const struct hand_case *c = *state;
	char command[1000];
	int status;

	if (!double_target("faults"))
		skip();
	snprintf(command, sizeof(command),
		"mkdir -p hand && cd hand && F=$B/targets/faults && "
		"( ulimit -c 0; %s ) >out 2>&1; echo $? >status; "
		"grep -Eq -e '%s' out",
		c->command, c->pattern);
	if (shell(command) != 0) {
		shell("cat hand/out hand/status");
		fail_msg("no line like %s", c->pattern);
	}
	snprintf(command, sizeof(command), "exit $(cat hand/status)");
	status = shell(command);
	assert_int_equal(status, c->status);
}

#define N(array) (sizeof(array) / sizeof((array)[0]))

int
main(void)
{
	struct CMUnitTest tests[N(INSTRUMENTATION_CASES) + N(REFUSAL_CASES) +
		N(OPENED_CASES) + N(HAND_CASES)];
	const struct CMUnitTest others[] = {
		cmocka_unit_test(test_gcc_is_stable),
		cmocka_unit_test(test_late_module),
		cmocka_unit_test(test_late_module_gcc),
		cmocka_unit_test(test_many_modules),
		cmocka_unit_test(test_threads),
		cmocka_unit_test(test_setup),
		cmocka_unit_test(test_driver),
		cmocka_unit_test(test_gcc_sanitizers),
		cmocka_unit_test(test_extra_counters),
		cmocka_unit_test(test_clashing_names),
	};
	size_t n = 0;
	int failed;

	for (size_t i = 0; i < N(INSTRUMENTATION_CASES); i++)
		tests[n++] = (struct CMUnitTest){
			.name = INSTRUMENTATION_CASES[i].name,
			.test_func = test_instrumentation,
			.initial_state =
				(void *)(uintptr_t)&INSTRUMENTATION_CASES[i]
		};
	for (size_t i = 0; i < N(REFUSAL_CASES); i++)
		tests[n++] = (struct CMUnitTest){ .name = REFUSAL_CASES[i].name,
			.test_func = test_refusal,
			.initial_state = (void *)(uintptr_t)&REFUSAL_CASES[i] };
	for (size_t i = 0; i < N(OPENED_CASES); i++)
		tests[n++] = (struct CMUnitTest){ .name = OPENED_CASES[i].name,
			.test_func = test_opened_before,
			.initial_state = (void *)(uintptr_t)&OPENED_CASES[i] };
	for (size_t i = 0; i < N(HAND_CASES); i++)
		tests[n++] = (struct CMUnitTest){ .name = HAND_CASES[i].name,
			.test_func = test_by_hand,
			.initial_state = (void *)(uintptr_t)&HAND_CASES[i] };
	failed = cmocka_run_group_tests_name("builds", tests, NULL, NULL);
	failed += cmocka_run_group_tests_name("runs", others, NULL, NULL);
	return failed;
}

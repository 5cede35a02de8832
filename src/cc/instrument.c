/* instrument: see instrument.h. */
#include "cc/instrument.h"

#include <stddef.h>

#define INSTRUMENT_GCC "-fsanitize-coverage=trace-pc,trace-cmp"
#define INSTRUMENT_CLANG \
	"-fsanitize-coverage=inline-8bit-counters,pc-table,trace-cmp"
/* ThreadSanitizer would report clang's inline counters as races of the target. */
#define INSTRUMENT_THREAD \
	"-fsanitize-coverage=trace-pc-guard,pc-table,trace-cmp"

/*
 * If it can, clang makes one branch of "a && b && c". Then nothing shows that
 * a and b hold. This option of the compiler proper forbids it: each function gets
 * the attribute optforfuzzing (LLVM Language Reference). The driver's option of
 * the same name would also choose the instrumentation.
 */
#define INSTRUMENT_BRANCHES "-fsanitize=fuzzer-no-link"

/*
 * With -fsanitize=cfi, clang's driver drops -fsanitize-coverage= with a warning.
 * The compiler proper can do both.
 */
static const char *const instrument_flow[] = { "-fsanitize-coverage-type=3",
	"-fsanitize-coverage-inline-8bit-counters",
	"-fsanitize-coverage-pc-table", "-fsanitize-coverage-trace-cmp", NULL };

/* An option for clang's compiler proper, which the driver only passes on. */
static void
instrument_add_proper(struct arguments *out, const char *flag)
{
	arguments_add(out, "-Xclang");
	arguments_add(out, flag);
}

void
instrument_add_flags(enum compiler_kind compiler, bool thread, bool flow,
	struct arguments *out)
{
	if (compiler == COMPILER_GCC) {
		arguments_add(out, INSTRUMENT_GCC);
		return;
	}
	instrument_add_proper(out, INSTRUMENT_BRANCHES);
	for (size_t i = 0; flow && instrument_flow[i] != NULL; i++)
		instrument_add_proper(out, instrument_flow[i]);
	if (!flow)
		arguments_add(out,
			thread ? INSTRUMENT_THREAD : INSTRUMENT_CLANG);
}

/* test_jump: jumps between two stacks, here and on arm64. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/call.h"
#include "lib/rows.h"

/* clang-format off */
static const struct jump_case {
	const char *name;
	const char *has;   /* succeeds if all that it needs is installed */
	const char *build; /* makes the program that its name stands for */
	const char *run;
} JUMP_CASES[] = {
	{ "gcc", "gcc --version", "gcc -O2", "" },
	{ "clang", "clang --version", "clang -O2", "" },
	/* clang has no jumps of its own there. */
	{ "clang, arm64", "clang --version && qemu-aarch64-static --version && "
		"test -e /usr/aarch64-linux-gnu/lib/libc.a",
		"clang --target=aarch64-linux-gnu -O2 -static",
		"qemu-aarch64-static" },
	{ "clang, arm64, plain", "clang --version && "
		"qemu-aarch64-static --version && "
		"test -e /usr/aarch64-linux-gnu/lib/libc.a",
		"clang --target=aarch64-linux-gnu -O0 -static",
		"qemu-aarch64-static" },
};
/* clang-format on */

static bool
shell(const char *command)
{
	const char *const words[] = { "sh", "-c", command, NULL };

	return call(words);
}

static void
test_jump(void **state)
{
	const struct jump_case *c = *state;
	const char *source = getenv("CFUZZ_SRC");
	char command[2000];

	if (!shell(c->has))
		skip();
	(void)snprintf(command, sizeof(command),
		"S='%s'; T=$(mktemp) && %s -w -D_GNU_SOURCE= -I\"$S/src\" "
		"-o \"$T\" \"$S/tests/targets/parts/jump.c\" "
		"\"$S/src/target/program/jump.c\" && %s \"$T\"; "
		"R=$?; rm -f \"$T\"; exit $R",
		source != NULL ? source : ".", c->build, c->run);
	assert_true(shell(command));
}

int
main(void)
{
	return rows_run("jump", ROWS_OF(JUMP_CASES, name, test_jump));
}

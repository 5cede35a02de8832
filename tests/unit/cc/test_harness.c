/* test_harness: the entry point is found only in files that define it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "cc/harness.h"
#include "lib/help.h"
#include "lib/rows.h"

#define ENTRY "LLVMFuzzerTestOneInput"
#define TYPED "cfuzz_target"

/* Writes an archive with only an index of these names. */
static void
write_archive(const char *path, const char *magic, int width,
	const char *const *names, size_t n, size_t claimed_n)
{
	char text[1024], size[16];
	size_t len = 0, start;

	memset(text, ' ', sizeof(text));
	memcpy(text, magic, 8);
	memcpy(text + 8, width == 8 ? "/SYM64/" : "/", width == 8 ? 7 : 1);
	memcpy(text + 8 + 58, "`\n", 2);
	start = len = 8 + 60;
	memset(text + len, 0, (size_t)width * (n + 1));
	text[len + (size_t)width - 1] = (char)claimed_n;
	for (size_t i = 0; i < n; i++)
		memset(text + len + (size_t)width * (i + 1), 'x',
			(size_t)width);
	len += (size_t)width * (n + 1);
	for (size_t i = 0; i < n; i++) {
		memcpy(text + len, names[i], strlen(names[i]) + 1);
		len += strlen(names[i]) + 1;
	}
	snprintf(size, sizeof(size), "%zu", len - start);
	memcpy(text + 8 + 48, size, strlen(size));
	help_write(path, text, len);
}

static const struct row {
	const char *given;
	const char *in_archive;
	bool in_command;
} rows[] = {
	{ "other.o", NULL, false },
	{ "target.c", NULL, true },
	{ "-c plain.c target.c", NULL, true },
	{ "typed.c", NULL, true },
	{ "loop.c", NULL, true },
	{ "driven.c", NULL, true },
	{ "-c plain.c", NULL, false },
	{ "other.o target.o", NULL, true },
	{ "first.a", ENTRY, true },
	{ "other.o last.a", ENTRY, true },
	{ "thin.a", ENTRY, true },
	{ "wide.a", ENTRY, true },
	{ "typed.a", TYPED, true },
	{ "longer.a", NULL, false },
	{ "mentioned.a", NULL, false },
	{ "lying.a", NULL, false },
	{ "short.a", NULL, false },
	{ "empty", NULL, false },
	{ "nowhere.o", NULL, false },
	{ ".", NULL, false },
	{ "-o first.a other.o", NULL, false },
	/* A library, in the linker's folders. */
	{ "-lheld", NULL, false },
	{ "-L. -lheld", ENTRY, true },
	{ "-lheld -L .", ENTRY, true },
	{ "-Lnowhere -L. -l held", ENTRY, true },
	{ "-L. -l:first.a", ENTRY, true },
	{ "-L. -lfirst", NULL, false },
	{ "-Wl,-L.,-lheld", ENTRY, true },
	{ "-Wl,-L,.,-l,held", ENTRY, true },
	{ "-Xlinker -L. -Xlinker -lheld", ENTRY, true },
	{ "-Xlinker -L. -Xlinker -L", NULL, false },
	{ "-L. -l", NULL, false },
	/* A shared object is taken in its place, in the same folder or before. */
	{ "-L. -lboth", NULL, false },
	{ "-Lsub -L. -lheld", NULL, false },
	{ "-L. -Lsub -lheld", ENTRY, true },
	{ "-static -L. -lboth", ENTRY, true },
	{ "-L. -lboth -static-pie", ENTRY, true },
	{ "-L. -Wl,-Bstatic -lboth -Wl,-Bdynamic", ENTRY, true },
	{ "-L. -Wl,-Bstatic -Wl,-Bdynamic -lboth", NULL, false },
};

static void
test_harness(void **state)
{
	const struct row *row = *state;
	struct compile_command command;
	const char *entry;

	help_command(&command, row->given);
	entry = harness_in_archive(&command);
	if (row->in_archive == NULL) {
		assert_null(entry);
	} else {
		assert_non_null(entry);
		assert_string_equal(entry, row->in_archive);
	}
	assert_int_equal(harness_in_command(&command), row->in_command);
	assert_int_equal(harness_is_function(&command),
		strstr(row->given, "target.") != NULL);
	compile_command_clear(&command);
}

static int
enter(void **state)
{
	static const char *const names[] = { ENTRY, "other", ENTRY };
	static const char *const longer[] = { "x" ENTRY, ENTRY "2" };
	static const char *const typed[] = { "cfuzz_target_call", TYPED };
	static const char arch[] = "!<arch>\n";

	help_enter_scratch();
	help_write_text("other.o", "nothing of interest");
	help_write_text("plain.c", "int main(void) { return 0; }");
	help_write_text("target.c", "int " ENTRY "(const char *, int);");
	help_write_text("typed.c", "#include <cfuzz.h>\n");
	help_write_text("loop.c", "while (__AFL_LOOP(9))");
	help_write_text("driven.c", "int LLVMFuzzerRunDriver();");
	help_write("target.o", "\0" ENTRY, sizeof(ENTRY) + 1);
	help_write_text("empty", "");
	help_write_text("short.a", arch);
	help_write_text("mentioned.a",
		"!<arch>\nname/           0           0     0     644     "
		"22        `\n" ENTRY);
	write_archive("first.a", arch, 4, names, 2, 2);
	write_archive("libheld.a", arch, 4, names, 2, 2);
	write_archive("libboth.a", arch, 4, names, 2, 2);
	help_write_text("libboth.so", "nothing of interest");
	assert_int_equal(mkdir("sub", 0700), 0);
	help_write_text("sub/libheld.so", "nothing of interest");
	write_archive("last.a", arch, 4, names + 1, 2, 2);
	write_archive("thin.a", "!<thin>\n", 4, names, 2, 2);
	write_archive("wide.a", arch, 8, names, 2, 2);
	write_archive("longer.a", arch, 4, longer, 2, 2);
	write_archive("typed.a", arch, 4, typed, 2, 2);
	write_archive("lying.a", arch, 4, names, 2, 120);
	return 0;
}

static int
leave(void **state)
{
	assert_int_equal(unlink("sub/libheld.so"), 0);
	assert_int_equal(rmdir("sub"), 0);
	help_leave_scratch();
	return 0;
}

int
main(void)
{
	return rows_run_with("cc/harness", ROWS_OF(rows, given, test_harness),
		NULL, 0, enter, leave);
}

/* test_linkword: removed linker options, in all spellings. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "cc/linkword.h"
#include "lib/help.h"
#include "lib/rows.h"

static const struct row {
	const char *given;
	const char *result;
} rows[] = {
	/* shared objects: no option may demand defined symbols */
	{ "-shared -Wl,-z,defs a.o", "-shared a.o" },
	{ "-shared -Wl,-zdefs a.o", "-shared a.o" },
	{ "-shared -Wl,-z -Wl,defs a.o", "-shared a.o" },
	{ "-shared -z defs a.o", "-shared a.o" },
	{ "-shared -Xlinker -z -Xlinker defs a.o", "-shared a.o" },
	{ "-shared -Xlinker -zdefs a.o", "-shared a.o" },
	{ "-shared -Wl,--no-undefined a.o", "-shared a.o" },
	{ "-shared -Wl,-no-undefined a.o", "-shared a.o" },
	{ "-shared -Xlinker --no-undefined a.o", "-shared a.o" },
	{ "-shared -Wl,--no-allow-shlib-undefined a.o", "-shared a.o" },
	{ "-shared -Wl,--unresolved-symbols=report-all a.o", "-shared a.o" },
	{ "-shared -Wl,--unresolved-symbols,report-all a.o", "-shared a.o" },
	{ "-Wl,-shared,-z,defs a.o", "-Wl,-shared a.o" },
	/* ... and the words around them stay */
	{ "-shared -Wl,-z,now,-z,defs,-O1 a.o", "-shared -Wl,-z,now,-O1 a.o" },
	{ "-shared -Wl,-O1 -Wl,-z -Wl,defs -Wl,-s a.o",
		"-shared -Wl,-O1 -Wl,-s a.o" },
	{ "-shared -Wl,-O1,-z -Wl,defs,-s a.o", "-shared -Wl,-O1 -Wl,-s a.o" },
	{ "-shared -Wl,-soname,libz.so,--no-undefined,-x a.o",
		"-shared -Wl,-soname,libz.so,-x a.o" },
	{ "-shared -Wl,-z,relro -z now a.o",
		"-shared -Wl,-z,relro -z now a.o" },
	{ "-shared -Wl,-z,undefs a.o", "-shared -Wl,-z,undefs a.o" },
	{ "-shared -Wl,--unresolved-symbols=ignore-all a.o",
		"-shared -Wl,--unresolved-symbols=ignore-all a.o" },
	{ "-shared -Wl,--exclude-libs,ALL a.o",
		"-shared -Wl,--exclude-libs,ALL a.o" },
	{ "-shared -o -zdefs defs a.o", "-shared -o -zdefs defs a.o" },
	{ "-shared -Wl,-z a.o", "-shared -Wl,-z a.o" },
	{ "-shared -Wl,,--no-undefined a.o", "-shared -Wl, a.o" },
	/* programs: no option may hide the hooks */
	{ "-Wl,--exclude-libs,ALL a.o", "a.o" },
	{ "-Wl,--exclude-libs=ALL a.o", "a.o" },
	{ "-Wl,--exclude-libs -Wl,liba.a:libb.a a.o", "a.o" },
	{ "-Wl,-O1,--exclude-libs,ALL,-s a.o", "-Wl,-O1,-s a.o" },
	{ "-Xlinker --exclude-libs=ALL a.o", "a.o" },
	{ "-Wl,-z,defs,--no-undefined a.o", "-Wl,-z,defs,--no-undefined a.o" },
	/* neither */
	{ "-r -Wl,-z,defs,--exclude-libs,ALL a.o",
		"-r -Wl,-z,defs,--exclude-libs,ALL a.o" },
};

static void
test_remove(void **state)
{
	const struct row *row = *state;
	struct compile_command command;
	struct arguments out = { .n = 0 };
	char *text;

	help_command(&command, row->given);
	linkword_remove(&command);
	compile_command_format(&command, &out);
	text = help_join(&out);
	assert_string_equal(text, row->result);
	free(text);
	arguments_clear(&out);
	compile_command_clear(&command);
}

int
main(void)
{
	return rows_run("cc/linkword", ROWS_OF(rows, given, test_remove));
}

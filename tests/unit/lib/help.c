/* help: what the tests of the compiler wrapper share, see help.h. */
#include "lib/help.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>

#include <cmocka.h>

#include "base/xmalloc.h"

static char help_scratch[64];

void
help_command(struct compile_command *command, const char *text)
{
	struct arguments words = { .n = 0 };

	arguments_add(&words, "cfuzz-cc");
	arguments_parse(&words, text, strlen(text));
	compile_command_init(command, (int)words.n, words.v);
	arguments_clear(&words);
}

char *
help_join(const struct arguments *words)
{
	char *text = xstrdup("");

	for (size_t i = 0; i < words->n; i++) {
		char *more = xasprintf("%s%s%s", text, i == 0 ? "" : " ",
			words->v[i]);

		free(text);
		text = more;
	}
	return text;
}

void
help_enter_scratch(void)
{
	strcpy(help_scratch, "/tmp/cfuzz-test-XXXXXX");
	assert_non_null(mkdtemp(help_scratch));
	assert_int_equal(chdir(help_scratch), 0);
}

void
help_leave_scratch(void)
{
	DIR *dir = opendir(".");
	const struct dirent *entry;

	assert_non_null(dir);
	while ((entry = readdir(dir)) != NULL)
		if (entry->d_name[0] != '.')
			assert_int_equal(unlink(entry->d_name), 0);
	closedir(dir);
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(rmdir(help_scratch), 0);
}

void
help_write(const char *path, const void *bytes, size_t len)
{
	FILE *file = fopen(path, "we");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, len, file), len);
	assert_int_equal(fclose(file), 0);
}

void
help_write_text(const char *path, const char *text)
{
	help_write(path, text, strlen(text));
}

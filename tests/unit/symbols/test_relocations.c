/*
 * test_relocations: the addresses in a module's data, of libraries and programs
 * as linkers write them.
 */
#include "symbols/relocations.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/call.h"
#include "lib/rows.h"

#define POINTERS 200u
#define STEP 3u

/* Each pointer is STEP bytes behind the one before; with a gap among them. */
static const char source[] =
	"static char room[1000];\n"
	"#define P(i) room + 3 * (i)\n"
	"#define TEN(i) P(i), P(i + 1), P(i + 2), P(i + 3), P(i + 4), \\\n"
	"	P(i + 5), P(i + 6), P(i + 7), P(i + 8), P(i + 9)\n"
	"#define FIFTY(i) TEN(i), TEN(i + 10), TEN(i + 20), TEN(i + 30), \\\n"
	"	TEN(i + 40)\n"
	"char *all[] = { FIFTY(0), 0, FIFTY(50), 0, 0, 0, FIFTY(100), \\\n"
	"	FIFTY(150) };\n"
	"int main(void) { return *all[1]; }\n";

struct row {
	const char *name, *option, *link;
	bool some; /* else none */
};

static const struct row rows[] = {
	{ "library", "-shared", "-Wl,-z,now", true },
	{ "program", "-pie", "-Wl,-z,now", true },
	{ "packed", "-shared", "-Wl,-z,pack-relative-relocs", true },
	{ "packed program", "-pie", "-Wl,-z,pack-relative-relocs", true },
	{ "at fixed addresses", "-no-pie", "-Wl,-z,now", false },
};

struct stage {
	char folder[64], source[128], module[128];
	struct code code;
	int fd;
};

/* Builds and opens a module; skips the test without a compiler that can. */
static void
open_module(struct stage *s, const char *option, const char *link)
{
	const char *words[] = { "gcc", option, "-fPIC", link, "-o", s->module,
		s->source, NULL };
	FILE *file;
	bool made;

	snprintf(s->folder, sizeof(s->folder), "/tmp/cfuzz-test-XXXXXX");
	assert_non_null(mkdtemp(s->folder));
	snprintf(s->source, sizeof(s->source), "%s/source.c", s->folder);
	snprintf(s->module, sizeof(s->module), "%s/module", s->folder);
	file = fopen(s->source, "w");
	assert_non_null(file);
	assert_true(fputs(source, file) >= 0);
	assert_int_equal(fclose(file), 0);
	made = call(words);
	s->fd = open(s->module, O_RDONLY | O_CLOEXEC);
	unlink(s->source);
	unlink(s->module);
	assert_int_equal(rmdir(s->folder), 0);
	if (!made)
		skip();
	assert_true(code_open(&s->code, s->fd));
}

static void
close_module(struct stage *s)
{
	code_close(&s->code);
	close(s->fd);
}

/* The length of the longest row of addresses that are STEP bytes apart. */
static size_t
longest(const struct relocations *r)
{
	size_t n = 0, most = 0;

	for (size_t i = 0; i < r->labels_n; i++) {
		n = i > 0 && r->labels[i] - r->labels[i - 1] == STEP ? n + 1
								     : 1;
		most = n > most ? n : most;
	}
	return most;
}

/* No function of interest. */
static unsigned
nothing(const char *name)
{
	return 0;
}

static void
test_labels(void **state)
{
	const struct row *row = *state;
	struct stage s = { 0 };
	struct relocations found;
	size_t n;

	open_module(&s, row->option, row->link);
	relocations_make(&found, &s.code, nothing);
	n = longest(&found);
	assert_false(found.labels_cut);
	row_check(row->some ? n == POINTERS : n < 2, "%s: %zu of %zu",
		row->name, n, found.labels_n);
	relocations_clear(&found);
	close_module(&s);
}

/* What a file says of its tables is not believed. */
static void
test_damaged(void **state)
{
	struct stage s = { 0 };
	struct relocations found;

	open_module(&s, "-shared", "-Wl,-z,pack-relative-relocs");
	for (uint64_t shift = 0; shift < 256; shift += 4) {
		struct code odd = s.code;

		odd.dynamic += shift;
		relocations_make(&found, &odd, nothing);
		relocations_clear(&found);
	}
	close_module(&s);
}

int
main(void)
{
	const struct CMUnitTest others[] = {
		cmocka_unit_test(test_damaged),
	};

	return rows_run_with("symbols/relocations",
		ROWS_OF(rows, name, test_labels), others, ROWS(others), NULL,
		NULL);
}

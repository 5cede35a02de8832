/*
 * The text of coverage.jsonl: what a run wrote is read again, and a damaged one
 * is refused as a whole.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/xmalloc.h"
#include "engine/coverage_file.h"
#include "lib/rows.h"

/* Two modules of code, and the counters of the value profile behind them. */
#define HEAD \
	"{\"version\":1,\"build\":\"b0\",\"modules\":[[\"0a\",3],[\"0b\",2]," \
	"[\"65726170706d6f63\",8]]}\n"
#define MODULES \
	"{\"id\":0,\"kind\":\"modules\",\"error\":\"\",\"modules\":[" \
	"{\"path\":\"/t\",\"id\":\"b0\",\"base\":0,\"n\":3}," \
	"{\"path\":\"\",\"id\":\"\",\"base\":3,\"n\":2}]}\n"
#define PCS(module, first, n, pcs) \
	"{\"id\":0,\"kind\":\"pcs\",\"error\":\"\",\"module\":" module \
	",\"first\":" first ",\"n\":" n ",\"pcs\":\"" pcs "\"}\n"
#define ENTRY_16 "1000000000000080"
#define PC_32 "2000000000000000"
#define NO_PC "00000000000000ff"
#define PIECES PCS("0", "0", "3", ENTRY_16 PC_32) PCS("0", "2", "3", NO_PC)
#define EDGES(counters, first, mask) \
	"{\"id\":0,\"kind\":\"coverage\",\"error\":\"\",\"revision\":3," \
	"\"counters\":" counters ",\"whole\":true,\"first\":" first \
	",\"mask\":\"" mask "\",\"changes\":[],\"reached\":[{\"name\":\"f\"," \
	"\"file\":\"t.c\",\"line\":7,\"entry\":\"\",\"at_s\":1.5," \
	"\"counter\":2}]}\n"
#define ALL EDGES("5", "0", "01ff00") EDGES("5", "3", "0007")

static void
test_whole(void **state)
{
	static const char text[] = HEAD MODULES PIECES ALL;
	struct coverage_file file;
	struct error err = { 0 };

	if (coverage_file_parse(&file, text, strlen(text), &err) != OK)
		fail_msg("%s", err.text);
	assert_string_equal(file.build, "b0");
	assert_int_equal(file.modules_n, 3);
	assert_int_equal(file.counters, 13);
	assert_memory_equal(file.bits, "\1\xff\0\0\7\0\0\0\0\0\0\0\0", 13);
	assert_int_equal(file.table.n, 2);
	assert_string_equal(file.table.modules[0].path, "/t");
	assert_string_equal(file.table.modules[0].id, "b0");
	assert_int_equal(file.table.modules[0].state, PC_TABLE_KNOWN);
	assert_int_equal(file.table.modules[0].functions, 1);
	assert_true(pc_table_number(&file.table, 0) == (TABLE_ENTRY | 16));
	assert_true(pc_table_number(&file.table, 1) == 32);
	/* What is no address is none. */
	assert_true(pc_table_number(&file.table, 2) == 0);
	assert_null(file.table.modules[1].path);
	assert_int_equal(file.table.modules[1].known, 0);
	assert_int_equal(file.functions_n, 1);
	assert_string_equal(file.functions[0].name, "f");
	coverage_file_clear(&file);
	assert_null(file.bits);
}

static void
test_no_code(void **state)
{
	static const char text[] =
		"{\"version\":1,\"build\":\"\",\"modules\":[]}\n"
		"{\"id\":0,\"kind\":\"modules\",\"error\":\"\",\"modules\":[]}"
		"\n" EDGES("0", "0", "");
	struct coverage_file file;

	assert_int_equal(coverage_file_parse(&file, text, strlen(text), NULL),
		OK);
	assert_int_equal(file.counters, 0);
	coverage_file_clear(&file);
}

/* clang-format off */
static const struct damaged_row {
	const char *name, *text;
} DAMAGED[] = {
	{ "empty", "" },
	{ "only an end of line", "\n" },
	{ "no JSON", "\x7f" "ELF\1\2\n" },
	{ "no object", "[1]\n" },
	{ "no version", "{\"build\":\"b0\",\"modules\":[]}\n" },
	{ "another version", "{\"version\":2,\"build\":\"b0\",\"modules\":[]}\n"
		MODULES },
	{ "no build", "{\"version\":1,\"modules\":[]}\n" },
	{ "no modules", "{\"version\":1,\"build\":\"b0\"}\n" },
	{ "a module without a number",
		"{\"version\":1,\"build\":\"b0\",\"modules\":[[\"0a\"]]}\n" },
	{ "a module whose key is no number",
		"{\"version\":1,\"build\":\"b0\",\"modules\":[[\"x\",3]]}\n" },
	{ "a module twice", "{\"version\":1,\"build\":\"b0\",\"modules\":"
		"[[\"0a\",3],[\"0a\",3]]}\n" },
	{ "a module of too many", "{\"version\":1,\"build\":\"b0\","
		"\"modules\":[[\"0a\",16777216],[\"0b\",1]]}\n" },
	{ "cut after the head", HEAD },
	{ "cut after the modules", HEAD MODULES },
	{ "cut after the addresses", HEAD MODULES PIECES },
	{ "cut within the map", HEAD MODULES PIECES EDGES("5", "0", "01ff00") },
	{ "cut within a line", HEAD MODULES PIECES "{\"id\":0,\"kind\":\"cov" },
	{ "a line too many", HEAD MODULES PIECES ALL EDGES("5", "5", "") },
	{ "junk at the end", HEAD MODULES PIECES ALL "\1\2" },
	{ "an unknown line", HEAD MODULES "{\"kind\":\"weather\"}\n" },
	{ "another kind of line", HEAD MODULES
		"{\"id\":0,\"kind\":\"journal\",\"error\":\"\",\"total\":0,"
		"\"first\":0,\"rows\":[]}\n" ALL },
	{ "an error", HEAD MODULES
		"{\"id\":0,\"kind\":\"pcs\",\"error\":\"none\"}\n" ALL },
	{ "the modules twice", HEAD MODULES MODULES ALL },
	{ "no line of modules", HEAD ALL },
	{ "modules of another head",
		"{\"version\":1,\"build\":\"b0\",\"modules\":[[\"0a\",3]]}\n"
		MODULES },
	{ "modules elsewhere",
		"{\"version\":1,\"build\":\"b0\",\"modules\":[[\"0a\",2],"
		"[\"0b\",3]]}\n" MODULES },
	{ "addresses of no module", HEAD MODULES PCS("2", "0", "3", PC_32) },
	{ "addresses before the modules", HEAD PCS("0", "0", "3", PC_32) },
	{ "addresses with a gap", HEAD MODULES PCS("0", "1", "3", PC_32) },
	{ "too many addresses", HEAD MODULES
		PCS("1", "0", "2", PC_32 PC_32 PC_32) },
	{ "a map with a gap", HEAD MODULES EDGES("5", "1", "01ff0001") },
	{ "a map that shrinks", HEAD MODULES EDGES("5", "0", "01ff00")
		EDGES("2", "3", "0707070707070707070707070707070707070707") },
	{ "a map larger than the modules", HEAD MODULES
		EDGES("14", "0", "0102030405060708090a0b0c0d0e") },
	{ "a map larger than it says", HEAD MODULES
		EDGES("5", "0", "010203040506") },
	{ "changes of a map", HEAD MODULES
		"{\"id\":0,\"kind\":\"coverage\",\"error\":\"\",\"revision\":3,"
		"\"counters\":5,\"whole\":false,\"first\":0,\"mask\":\"\","
		"\"changes\":[],\"reached\":[]}\n" },
};
/* clang-format on */

static void
test_damaged(void **state)
{
	struct coverage_file file;
	struct error err;
	size_t i;

	for (i = 0; i < ROWS(DAMAGED); i++) {
		error_clear(&err);
		if (coverage_file_parse(&file, DAMAGED[i].text,
			    strlen(DAMAGED[i].text), &err) != E_FORMAT)
			fail_msg("%s: taken", DAMAGED[i].name);
		assert_true(err.text[0] != '\0');
		assert_null(file.bits);
		assert_int_equal(file.table.n, 0);
		assert_int_equal(file.modules_n, 0);
	}
}

/* Wherever it is cut. */
static void
test_cut(void **state)
{
	static const char text[] = HEAD MODULES PIECES ALL;
	struct coverage_file file;
	size_t len;

	for (len = 0; len < sizeof(text) - 1; len++)
		assert_int_equal(coverage_file_parse(&file, text, len, NULL),
			E_FORMAT);
}

/* No line makes jansson take all memory. */
static void
test_long_line(void **state)
{
	size_t len = (4u << 20) + 3;
	char *text = xmalloc(len);
	struct coverage_file file;

	memset(text, ' ', len);
	text[0] = '{';
	text[len - 2] = '}';
	text[len - 1] = '\n';
	assert_int_equal(coverage_file_parse(&file, text, len, NULL), E_FORMAT);
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_no_code),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_long_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

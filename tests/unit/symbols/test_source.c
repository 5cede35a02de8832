/*
 * test_source: packets of a helper that may be compromised: each is refused or
 * gives a table that is safe to use.
 */
#include "symbols/source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/xmalloc.h"

#define COUNTERS 3u

static enum status
give(struct source_table *table, enum source_kind kind, uint32_t n,
	const void *items, bool *done)
{
	const struct source_packet head = { (uint32_t)kind, n };
	size_t size = n * source_item_size(kind);
	char *packet = xmalloc(sizeof(head) + size);
	enum status status;

	memcpy(packet, &head, sizeof(head));
	memcpy(packet + sizeof(head), items, size);
	status = source_table_take(table, COUNTERS, packet, sizeof(head) + size,
		done, NULL);
	free(packet);
	return status;
}

/* The parts of a valid table that a case changes. */
struct parts {
	struct source_function function;
	struct source_file file;
	struct source_location locations[COUNTERS];
	struct source_row rows[2];
	struct source_block block;
	uint32_t members[2];
	uint32_t locations_n;
	struct source_end end;
};

static void
fill(struct parts *parts)
{
	memset(parts, 0, sizeof(*parts));
	memcpy(parts->function.name, "f\033[2J", 6);
	memset(parts->file.path, 'x', sizeof(parts->file.path));
	for (uint32_t i = 0; i < COUNTERS; i++)
		parts->locations[i] = (struct source_location){ .line = i };
	parts->rows[0] = (struct source_row){ 0, 7, 0, 0 };
	parts->rows[1] = (struct source_row){ 0, 7, COUNTERS, 0 };
	parts->block = (struct source_block){ .hit = { 0, 2 },
		.before = { 1, 1 },
		.after = { 2, 0 } };
	parts->members[1] = COUNTERS - 1;
	parts->locations_n = COUNTERS;
	parts->end.debug = 1;
}

static enum status
give_all(struct source_table *table, const struct parts *parts)
{
	bool done;

	assert_int_equal(give(table, SOURCE_FUNCTIONS, 1, &parts->function,
				 &done),
		OK);
	assert_int_equal(give(table, SOURCE_FILES, 1, &parts->file, &done), OK);
	assert_int_equal(give(table, SOURCE_LOCATIONS, parts->locations_n,
				 parts->locations, &done),
		OK);
	assert_int_equal(give(table, SOURCE_BLOCKS, 1, &parts->block, &done),
		OK);
	assert_int_equal(give(table, SOURCE_MEMBERS, 2, parts->members, &done),
		OK);
	assert_int_equal(give(table, SOURCE_ROWS, 2, parts->rows, &done), OK);
	assert_false(done);
	return give(table, SOURCE_END, 1, &parts->end, &done);
}

static void
test_good(void **state)
{
	struct source_table table = { 0 };
	struct parts parts;

	fill(&parts);
	assert_int_equal(give_all(&table, &parts), OK);
	assert_string_equal(table.functions[0].name, "f\\x1b[2J");
	assert_int_equal(strlen(table.files[0].path), SOURCE_PATH_MAX - 1);
	assert_int_equal(table.rows_n, 2);
	assert_int_equal(table.end.debug, 1);
	source_table_clear(&table);
	assert_null(table.locations);
}

static void
bad_function_file(struct parts *p)
{
	p->function.file = 1;
}

static void
bad_function_line(struct parts *p)
{
	p->function.line = 1u << 31;
}

static void
bad_place(struct parts *p)
{
	p->locations[2].function = 1;
}

static void
bad_place_file(struct parts *p)
{
	p->locations[2].file = 7;
}

static void
bad_place_copy(struct parts *p)
{
	p->locations[2].copy = COUNTERS + 1;
}

static void
bad_block_copy(struct parts *p)
{
	p->block.copy = COUNTERS + 1;
}

static void
bad_few(struct parts *p)
{
	p->locations_n = 2;
}

static void
bad_row_file(struct parts *p)
{
	p->rows[1].file = SOURCE_NONE;
}

static void
bad_row_line(struct parts *p)
{
	p->rows[0].line = 0;
}

static void
bad_row_counter(struct parts *p)
{
	p->rows[1].counter = COUNTERS + 1;
}

static void
bad_row_order(struct parts *p)
{
	p->rows[1].line = 6;
}

static void
bad_row_twice(struct parts *p)
{
	p->rows[1] = p->rows[0];
}

static void
bad_block_function(struct parts *p)
{
	p->block.function = 1;
}

static void
bad_block_set(struct parts *p)
{
	p->block.after.n = 1;
}

static void
bad_block_first(struct parts *p)
{
	p->block.before.first = UINT32_MAX;
}

static void
bad_member(struct parts *p)
{
	p->members[0] = COUNTERS;
}

static void
test_bad_tables(void **state)
{
	static void (*const spoil[])(struct parts *) = { bad_function_file,
		bad_function_line, bad_place, bad_place_file, bad_few,
		bad_row_file, bad_row_line, bad_row_counter, bad_row_order,
		bad_row_twice, bad_block_function, bad_block_set,
		bad_block_first, bad_member, bad_place_copy, bad_block_copy };
	struct source_table table = { 0 };
	struct parts parts;

	for (size_t i = 0; i < sizeof(spoil) / sizeof(spoil[0]); i++) {
		fill(&parts);
		spoil[i](&parts);
		if (give_all(&table, &parts) != E_FORMAT)
			fail_msg("case %zu was taken", i);
		source_table_clear(&table);
	}
}

static void
test_bad_packets(void **state)
{
	static const struct {
		uint32_t kind, n;
		size_t len;
	} rows[] = {
		{ 0, 0, 0 },
		{ 0, 0, 7 },
		{ SOURCE_KIND_COUNT, 0, 8 },
		{ UINT32_MAX, 0, 8 },
		{ SOURCE_ROWS, 1, 8 },
		{ SOURCE_ROWS, 1, 21 },
		{ SOURCE_ROWS, UINT32_MAX, 20 },
		{ SOURCE_END, 0, 8 },
		{ SOURCE_END, 2, 40 },
		{ SOURCE_ROWS, 0, SOURCE_PACKET_MAX + 1 },
	};
	struct source_table table = { 0 };
	char *packet = xcalloc(1, SOURCE_PACKET_MAX + 1);
	bool done;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		memcpy(packet, &rows[i].kind, 4);
		memcpy(packet + 4, &rows[i].n, 4);
		if (source_table_take(&table, 0, packet, rows[i].len, &done,
			    NULL) != E_FORMAT)
			fail_msg("packet %zu was taken", i);
		source_table_clear(&table);
	}
	free(packet);
}

/* A helper that sends without end is refused. */
static void
test_endless(void **state)
{
	enum {
		BATCH = 4000
	};
	struct source_row *rows = xcalloc(BATCH, sizeof(*rows));
	struct source_table table = { 0 };
	uint32_t batches = 0;
	bool done;

	while (give(&table, SOURCE_ROWS, BATCH, rows, &done) == OK)
		batches++;
	assert_int_equal(batches, SOURCE_ROWS_MAX / BATCH);
	source_table_clear(&table);
	free(rows);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_bad_tables),
		cmocka_unit_test(test_bad_packets),
		cmocka_unit_test(test_endless),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_libdw: the library is loaded completely or not at all. */
#include "symbols/libdw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void
test_load(void **state)
{
	static const struct {
		const char *file;
		enum status status;
		const char *word; /* in the message */
	} rows[] = {
		{ LIBDW_FILE, OK, "" },
		{ "libdw-that-nobody-has.so.1", E_NOT_FOUND, "nobody-has" },
		{ "libc.so.6", E_NOT_FOUND, "dwarf_attr" },
		{ "/dev/null", E_NOT_FOUND, "/dev/null" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct libdw dw;
		struct error err = { .code = OK };

		print_message("         %s\n", rows[i].file);
		assert_int_equal(libdw_load(&dw, rows[i].file, &err),
			rows[i].status);
		assert_non_null(strstr(err.text, rows[i].word));
	}
}

static void
test_functions(void **state)
{
	struct libdw dw = { .dwarf_attr = NULL };
	void *functions[sizeof(dw) / sizeof(void *)];

	assert_int_equal(libdw_load(&dw, LIBDW_FILE, NULL), OK);
	memcpy(functions, &dw, sizeof(functions));
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		assert_non_null(functions[i]);
	assert_int_equal(dw.dwarf_tag(&(Dwarf_Die){ 0 }), DW_TAG_invalid);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_load),
		cmocka_unit_test(test_functions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

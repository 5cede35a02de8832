/*
 * test_function_name: all copies of a function have one name.
 */
#include "findings/function_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct row {
	const char *name, *want;
};

static const struct row rows[] = {
	{ "", "" },
	{ "read_tile", "read_tile" },
	{ "f.isra.0", "f" },
	{ "f.part.3.cold", "f" },
	{ "f.cold.1", "f" },
	{ "f.constprop.0.isra.0", "f" },
	{ "f.llvm.123456", "f" },
	{ "f.lto_priv.0", "f" },
	{ "f [clone .isra.0] [clone .cold]", "f" },
	{ "f.partition", "f.partition" },
	{ ".part.0", ".part.0" },
	{ "parse<int>", "parse" },
	{ "parse<std::vector<int, A<int> > >", "parse" },
	{ "a::parse<int>::get<long>", "a::parse::get" },
	{ "parse<int>(char const*, unsigned long)", "parse" },
	{ "(anonymous namespace)::f(int)", "(anonymous namespace)::f" },
	{ "f(int)::{lambda(int)#1}::operator()", "f::{lambda}::operator()" },
	{ "f::{lambda(auto:1)#2}::operator()<int>", "f::{lambda}::operator()" },
	{ "f::<lambda(int)>::operator()", "f::{lambda}::operator()" },
	{ "f::$_0::operator()", "f::{lambda}::operator()" },
	{ "f::$_12", "f::{lambda}" },
	{ "a::operator<", "a::operator<" },
	{ "a::operator<< <char>", "a::operator<<" },
	{ "operator-><int>", "operator->" },
	{ "a::operator()(int)", "a::operator()" },
	{ "a::operator[](unsigned long)", "a::operator[]" },
	{ "a::operator bool", "a::operator bool" },
	{ "my_operator<int>", "my_operator" },
	{ "operators<int>", "operators" },
	{ "name[abi:cxx11](int)", "name" },
	{ "name[abi:", "name" },
	{ "f<", "f" },
	{ "<", "<" },
	{ "(", "(" },
	{ "(int)", "(int)" },
	{ "f>>>", "f>>>" },
};

static void
test_rows(void **state)
{
	char got[192];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		function_name(rows[i].name, got, sizeof(got));
		assert_string_equal(got, rows[i].want);
	}
}

/* Names are not trusted: any bytes, any buffer size, and no overflow. */
static void
test_any(void **state)
{
	static const char bits[] = "<>(){}[]$_.operatorlambdapart0 :";
	char name[64], room[80];
	uint32_t random = 1;
	size_t i, n, size;
	int round;

	for (round = 0; round < 20000; round++) {
		random = random * 1664525u + 1013904223u;
		n = (random >> 8) % (sizeof(name) - 1);
		size = 1 + (random >> 16) % 60;
		for (i = 0; i < n; i++) {
			random = random * 1664525u + 1013904223u;
			name[i] = bits[(random >> 16) % (sizeof(bits) - 1)];
		}
		name[n] = '\0';
		memset(room, '#', sizeof(room));
		function_name(name, room, size);
		assert_true(strlen(room) < size);
		assert_true(room[size] == '#');
		assert_true(size < 2 || n == 0 || room[0] != '\0');
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_any),
	};

	return cmocka_run_group_tests_name("function_name", tests, NULL, NULL);
}

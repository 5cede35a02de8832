#!/bin/sh
# Typed targets with each compiler and language: the macros of cfuzz.h give no
# warning, and the call that is printed before an input is run is a line of C
# and C++ that gives the function exactly the same arguments.

. "$(dirname "$0")/cc_lib.sh"

warnings='-Wall -Wextra -Wpedantic -Wshadow -Werror'

# With every type that has a name, as many as there can be in a target.
write_target()
{
	cat >target.h <<'EOT'
#include <cfuzz.h>
#include <stdio.h>

static void
show(const char *name, const void *data, size_t size)
{
	printf("%s", name);
	for (size_t i = 0; i < size; i++)
		printf(" %02x", ((const unsigned char *)data)[i]);
	printf("\n");
}

#define SHOW(number) show(#number, &number, sizeof(number))

static void
one(struct cfuzz_bytes bytes, struct cfuzz_string string, bool boolean,
	uint8_t byte, int32_t rune, int64_t i, int8_t i8, int16_t i16,
	int32_t i32, int64_t i64, uint64_t u, uint8_t u8, uint16_t u16,
	uint32_t u32, float f32, double f64)
{
	show("bytes", bytes.data, bytes.size);
	show("string", string.text, string.size + 1);
	SHOW(boolean);
	SHOW(byte);
	SHOW(rune);
	SHOW(i);
	SHOW(i8);
	SHOW(i16);
	SHOW(i32);
	SHOW(i64);
	SHOW(u);
	SHOW(u8);
	SHOW(u16);
	SHOW(u32);
	SHOW(f32);
	SHOW(f64);
}
EOT
	cat >target.c <<'EOT'
#include "target.h"
CFUZZ_TARGET(one, bytes, string, bool, byte, rune, int, int8, int16, int32,
	int64, uint, uint8, uint16, uint32, float32, float64)

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	CFUZZ_SEED(cfuzz_bytes("ab", 2), cfuzz_string("text"),
		cfuzz_bool(true), cfuzz_byte(1), cfuzz_rune('r'),
		cfuzz_int(-1), cfuzz_int8(-1), cfuzz_int16(-1),
		cfuzz_int32(-1), cfuzz_int64(-1), cfuzz_uint(1),
		cfuzz_uint8(1), cfuzz_uint16(1), cfuzz_uint32(1),
		cfuzz_float32(1), cfuzz_float64(1));
	return 0;
}
EOT
	cat >few.c <<'EOT'
#include <cfuzz.h>
#ifdef __cplusplus
static void few(cfuzz_string text, std::uint64_t number)
#else
static void few(struct cfuzz_string text, uint64_t number)
#endif
{
	if (text.size == number)
		cfuzz_fail("%s", text.text);
}
CFUZZ_TARGET(few, string, uint64)

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	CFUZZ_SEED(cfuzz_string("a\0b", 3), cfuzz_uint64(4));
	return 0;
}
EOT
}

# input FILE BYTES STRING BOOL UINT8 INT32 INT64 INT8 INT16 INT32 INT64
#	UINT64 UINT8 UINT16 UINT32 FLOAT32 FLOAT64
input()
{
	file=$1
	shift
	echo 'go test fuzz v1' >"$file"
	for type in '[]byte' string bool byte rune int int8 int16 int32 int64 \
		uint uint8 uint16 uint32; do
		printf '%s(%s)\n' "$type" "$1"
		shift
	done >>"$file"
	printf '%s\n%s\n' "$1" "$2" >>"$file"
}

write_inputs()
{
	input zeros '""' '""' false 0 0 0 0 0 0 0 0 0 0 0 \
		'float32(0)' 'float64(0)'
	input small '"\x00\xff1\"\\??=??/\n"' '"\x007\u00e4%s"' true 255 \
		-2147483648 -9223372036854775808 -128 -32768 -2147483648 \
		-9223372036854775808 18446744073709551615 255 65535 \
		4294967295 'float32(-0)' 'float64(-0)'
	input large '"a"' '"b"' true 1 2147483647 9223372036854775807 127 \
		32767 2147483647 9223372036854775807 9223372036854775808 1 \
		32768 2147483648 'float32(3.4028235e+38)' \
		'float64(1.7976931348623157e+308)'
	input tiny '"a"' '"b"' true 1 1 1 1 1 1 1 1 1 1 1 \
		'float32(1e-45)' 'float64(5e-324)'
	input infinite '"a"' '"b"' true 1 1 1 1 1 1 1 1 1 1 1 \
		'float32(+Inf)' 'float64(-Inf)'
	input nan '"a"' '"b"' true 1 1 1 1 1 1 1 1 1 1 1 \
		'math.Float32frombits(0xffc12345)' \
		'math.Float64frombits(0x7ff8000000012345)'
	input usual '"GET / HTTP"' '"0.1"' true 65 66 -7 -8 -9 -10 -11 12 13 \
		14 15 'float32(0.1)' 'float64(-123456.789)'
	input long "\"$(head -c 3000 /dev/zero | tr '\0' x)\"" '"b"' true 1 1 \
		1 1 1 1 1 1 1 1 1 'float32(1)' 'float64(1e+06)'
}

# same FILE: what a test does with the printed call is what the target did.
same()
{
	quiet ./target "$1"
	cp log said
	grep '^one(.*);$' said >call || fail "no call is printed for $1"
	grep -q "^$1: [0-9]* bytes, " said || fail "$1 is not named"
	sed -n "s/^$1: [0-9]* bytes, //; /^bytes/,/^f64/p" said >want
	printf '#include "target.h"\nint main(void)\n{\n\t%s\n}\n' \
		"$(cat call)" >call.c
	for std in c11 gnu11; do
		quiet "$CFUZZ_CC" -std=$std $warnings -I"$src/include" \
			-o call call.c
		./call >got
		cmp want got || fail "$1: other arguments in $std"
	done
	for std in c++11 gnu++17; do
		quiet "$CFUZZ_CXX" -x c++ -std=$std $warnings \
			-I"$src/include" -o call call.c
		./call >got
		cmp want got || fail "$1: other arguments in $std"
	done
}

calls()
{
	write_target
	write_inputs
	quiet cfuzz-cc -g -O1 -std=c11 $warnings -o target target.c
	for file in zeros small large tiny infinite nan usual long; do
		same $file
	done
}

# What the macros become is as clean as a target of one's own.
warns()
{
	write_target
	for std in c11 gnu11 gnu17; do
		quiet cfuzz-cc -std=$std $warnings -Wconversion -O0 -o few few.c
		quiet cfuzz-cc -std=$std $warnings -Wconversion -O2 \
			-o target target.c
	done
	printf '#include <cstdint>\n' | cat - few.c >few.cc
	cp target.c target.cc
	for std in c++11 gnu++17 gnu++20; do
		quiet cfuzz-c++ -std=$std $warnings -O0 -o few few.cc
		quiet cfuzz-c++ -std=$std $warnings -O2 -o target target.cc
	done
	printf 'go test fuzz v1\nstring("abc")\nuint64(3)\n' >three
	refuse ./few three
	grep -q 'cfuzz_fail: abc' log || fail 'does not say what is wrong'
	grep -qxF 'few(cfuzz_string_of("abc", 3), UINT64_C(3));' log ||
		fail 'does not print the call'
}

# A function with other arguments than the types say is no target.
mistakes()
{
	printf '#include <cfuzz.h>\nstatic void f(double d) { (void)d; }\n%s\n' \
		'CFUZZ_TARGET(f, int32)' >other.c
	refuse cfuzz-cc -Werror -c other.c
	refuse cfuzz-c++ -x c++ -c other.c
	printf '#include <cfuzz.h>\nstatic void f(int *p) { (void)p; }\n%s\n' \
		'CFUZZ_TARGET(f, pointer)' >unknown.c
	refuse cfuzz-cc -c unknown.c
	grep -q cfuzz_tag_pointer log || fail 'does not name the unknown type'
}

# The target is in a library: nothing else asks for it.
archives()
{
	write_target
	quiet cfuzz-cc -g -c few.c
	rm -f libfew.a
	quiet ar rcs libfew.a few.o
	quiet cfuzz-cc -o few libfew.a
	printf 'go test fuzz v1\nstring("abc")\nuint64(4)\n' >four
	quiet ./few four
	quiet cfuzz-cc -o few -Wl,--gc-sections -fdata-sections few.c
	quiet ./few four
}

# The program says what is wrong with its seeds, and runs nothing.
wrong_seeds()
{
	cat >seeds.c <<'EOT'
#include <cfuzz.h>
static void f(struct cfuzz_bytes bytes, int8_t number)
{
	(void)bytes;
	(void)number;
}
CFUZZ_TARGET(f, bytes, int8)

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	CFUZZ_SEED(cfuzz_string("hello"), cfuzz_int(50));
	return 0;
}
EOT
	quiet cfuzz-cc -g -o seeds seeds.c
	printf 'go test fuzz v1\n[]byte("abc")\nint8(4)\n' >good
	status=0
	./seeds good >log 2>&1 || status=$?
	[ $status -eq 2 ] || fail "status $status for wrong seeds"
	grep -qF '[string int], want [[]uint8 int8]' log ||
		fail 'types of seeds are not named'
	! grep -q '^good' log || fail 'runs all the same'
}

# Files that are none of the target's are named, and the rest is run.
wrong_files()
{
	write_target
	quiet cfuzz-cc -g -o few few.c
	printf 'go test fuzz v1\nstring("abc")\nuint64(4)\n' >good
	printf 'go test fuzz v1\nstring("abc")\nint64(4)\n' >types
	printf 'go test fuzz v1\nstring("abc")\n' >number
	printf 'go test fuzz v1\nstring("abc"\nuint64(4)\n' >broken
	printf 'abc' >raw
	: >empty
	status=0
	./few types number broken raw empty good >log 2>&1 || status=$?
	[ $status -eq 2 ] || fail "status $status for wrong files"
	grep -q '^cfuzz: types cannot be read: .*\[string int64\], want \[string uint64\]' \
		log || fail 'types are not named'
	for file in number broken raw empty; do
		grep -q "^cfuzz: $file cannot be read: " log ||
			fail "$file is not refused"
	done
	grep -q '^good: 40 bytes, returned 0' log || fail 'the rest is not run'
}

each calls
each warns
each mistakes
each archives
each wrong_seeds
each wrong_files

#!/bin/sh
# cfuzz-cc and comparisons of memory and strings: memcmp(), strcmp() and their
# like reach the runtime's hooks with and without sanitizers, at each level of
# optimization, from the program and from the modules in its process; and they
# still do their work where the C library is not there to do it. BEGUN FIRST

. "$(dirname "$0")/cc_lib.sh"

targets=$src/tests/targets
parts=$targets/parts

# Inputs by the way of comparing, which is their first byte in octal.
c_inputs='00 01 02 03 04 05 06 07 10 11 12 13 14 15 16 17 20'
cxx_inputs="$c_inputs 21 22"
write_inputs()
{
	for way in $cxx_inputs; do
		printf "\\0${way}xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" >"$way"
	done
}

# build PROGRAM SOURCE OPTION ...: with hooks that print what they are told.
build()
{
	output=$1
	from=$2
	shift 2
	case $from in
	*.cc) wrapper='cfuzz-c++ -std=c++17' ;;
	*) wrapper='cfuzz-cc -D_GNU_SOURCE' ;;
	esac
	CFUZZ_NO_INSTRUMENT=1 quiet cfuzz-cc -I"$src/src" "$@" -c \
		-o recorder.o "$parts/recorder.c"
	# shellcheck disable=SC2086 # a list of words
	quiet $wrapper -Wl,-z,muldefs -I"$src/include" -o "$output" "$from" \
		recorder.o "$@"
}

# hooks PROGRAM INPUT ...: what they are told while the inputs run.
hooks()
{
	quiet "$@"
	sed -n '/^hook/p' log
}

# tells_c PROGRAM OPTIONS: all that compares.c does, and nothing that the
# runtime does for itself.
tells_c()
{
	# shellcheck disable=SC2086 # a list of words
	hooks "$1" $c_inputs >told
	diff told - >&2 <<'EXPECTED' || fail "$2: does not tell what it compares"
hook memcmp [xxxx] [mem4]
hook memcmp [xxxxxxxxxxxx] [memcmp-equal]
hook memcmp [memcmp-order] [xxxxxxxxxxxx]
hook memcmp [xxxxxxxxxxx] [memcmp-late]
hook memcmp [xxxxxxxxxxxxxx] [memcmp-pointer]
hook memcmp [xxxxxxxxxxxxxx] [memcmp-builtin]
hook memcmp [xxxxxxxxxxxxxxxx] [memcmp..struct..]
hook memcmp [xxxxxxxxxx] [bcmp-equal]
hook strcmp [xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx] [st]
hook strcmp [xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx] [strcmp-equal]
hook strcmp [strcmp-late] [xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx]
hook strncmp [xxxxxxxxxxxxx] [strncmp-equal]
hook strcasecmp [xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx] [strcasecmp-equal]
hook strncasecmp [xxxxxxxxxxxxxxxxx] [strncasecmp-equal]
hook strstr [xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx] [strstr-found]
hook strcasestr [xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx] [strcasestr-found]
hook memmem [xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...............................] [memmem-found]
EXPECTED
}

# tells_cxx PROGRAM OPTIONS: how often and which way round is a matter of the C++ library.
tells_cxx()
{
	# shellcheck disable=SC2086 # a list of words
	hooks "$1" $cxx_inputs >told
	for word in string-literal string-literal-first string-differs \
		string-string string-compare string-order string-starts \
		string-find map-find set-count equal-chars equal-pointers \
		vector-vector array--8 traits-compare std-strcmp vie4 \
		view-literal view-view; do
		grep -q "^hook .*\[$word\]" told || {
			cat told >&2
			fail "$2: does not tell that it compares with $word"
		}
	done
}

# tell_c OPTION ...: the program in C, built with these; the one in C++.
tell_c()
{
	build c "$targets/compares.c" "$@"
	tells_c ./c "$*"
}

tell_cxx()
{
	build cxx "$targets/compares_cxx.cc" "$@"
	tells_cxx ./cxx "$*"
}

works()
{
	echo 'int main(void) { return 0; }' >probe.c
	"$CFUZZ_CC" "$@" -o probe probe.c >/dev/null 2>&1 &&
		./probe >/dev/null 2>&1
}

optimized()
{
	write_inputs
	for level in -O0 -O1 -O2 -O3; do
		tell_c $level
	done
	tell_cxx -O0
	tell_cxx -O2
}

sanitized()
{
	write_inputs
	for how in -fsanitize=address -fsanitize=undefined -fsanitize=leak \
		-fsanitize=thread -fsanitize=memory \
		'-fsanitize=address -shared-libasan' \
		'-fsanitize=address -static-libasan'; do
		# shellcheck disable=SC2086 # a list of words
		if works $how; then
			tell_c $how
		else
			skip "$CFUZZ_CC $how does not work here"
		fi
	done
	for how in -fsanitize=address -fsanitize=undefined; do
		! works $how || tell_cxx $how
	done
}

linked()
{
	write_inputs
	for how in -no-pie '-pie -fPIE' -Wl,-z,now -Wl,--gc-sections -flto \
		-static -static-pie -fuse-ld=gold -fuse-ld=lld; do
		# shellcheck disable=SC2086 # a list of words
		if works $how; then
			tell_c $how
		else
			skip "$CFUZZ_CC $how does not work here"
		fi
	done
	for how in -flto -static '-static-libstdc++ -static-libgcc'; do
		# shellcheck disable=SC2086 # a list of words
		! works $how || tell_cxx $how
	done
}

# Sources that are compiled for a module, in a program that compares nothing.
modules()
{
	write_inputs
	cat >empty.c <<'EOF'
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int (*run)(const uint8_t *, size_t);

	if (run == NULL)
		*(void **)&run = dlsym(dlopen("./module.so", RTLD_NOW),
			"LLVMFuzzerTestOneInput_module");
	return run(data, size);
}
EOF
	cat >linked.c <<'EOF'
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput_module(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return LLVMFuzzerTestOneInput_module(data, size);
}
EOF
	for wrapper in 'cfuzz-cc -D_GNU_SOURCE compares.c c' \
		'cfuzz-c++ -std=c++17 compares_cxx.cc cxx'; do
		# shellcheck disable=SC2086 # a list of words
		set -- $wrapper
		quiet "$1" "$2" -O2 -shared -fPIC -I"$src/include" \
			-DLLVMFuzzerTestOneInput=LLVMFuzzerTestOneInput_module \
			-o module.so "$targets/$3"
		build program empty.c -ldl
		"tells_$4" ./program "a module, loaded"
		build program linked.c ./module.so
		"tells_$4" ./program "a module, linked"
	done
}

# A target's own functions stay its own, wherever they are.
own_functions()
{
	write_inputs
	write_source target.c lib.h
	cat >lib.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
#include "lib.h"

int memcmp(const void *a, const void *b, size_t n);
int strcmp(const char *a, const char *b);

#ifdef OWN
int
memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *x = a, *y = b;

	fputs("own memcmp\n", stderr);
	for (; n > 0; n--)
		if (*x++ != *y++)
			return x[-1] - y[-1];
	return 0;
}
#endif

#ifdef USE
void
lib_check(const uint8_t *data, size_t size)
{
	if (size >= 4 && memcmp(data, "BUG!", 4) == 0)
		abort();
}
#endif
EOF
	quiet cfuzz-cc -c -DOWN -o own.o lib.c
	quiet cfuzz-cc -c -DUSE -o use.o lib.c
	quiet cfuzz-cc -c -Dmemcmp='__attribute__((weak))memcmp' -DOWN \
		-o weak.o lib.c
	ar rc libown.a own.o
	for how in 'own.o use.o' 'use.o weak.o' 'use.o libown.a' \
		'use.o own.o -static' 'use.o libown.a -static' \
		'use.o own.o -fsanitize=undefined'; do
		# shellcheck disable=SC2086 # a list of words
		quiet cfuzz-cc -o target target.c $how
		replays ./target
		grep -q 'own memcmp' log || fail "$how: not the target's memcmp()"
	done
	# What is in an archive and not asked for is not taken out.
	write_source lib.c
	quiet cfuzz-cc -o target target.c lib.c libown.a
	replays ./target
	! grep -q 'own memcmp' log || fail 'took memcmp() out of an archive'
}

# No C library, so no next function either.
bare()
{
	cat >bare.c <<'EOF'
#include <stddef.h>

int memcmp(const void *a, const void *b, size_t n);
int bare(const char *text, size_t n);

int
bare(const char *text, size_t n)
{
	return n == 4 && memcmp(text, "bare", n) == 0;
}

__asm__(".globl _start\n_start: and $-16, %rsp\n\tcall bare_main\n");
void bare_main(void);

void
bare_main(void)
{
	long status = bare("bare", 4) - 1;

	__asm__ volatile("syscall" : : "a"(60), "D"(status));
}
EOF
	case $(uname -m) in
	x86_64) ;;
	*) skip "a program without C library for $(uname -m)"; return ;;
	esac
	for how in -nostdlib '-nostdlib -static' '-nodefaultlibs -nostartfiles'; do
		# shellcheck disable=SC2086 # a list of words
		CFUZZ_NO_INSTRUMENT=1 quiet cfuzz-cc -fno-stack-protector \
			$how -o bare bare.c
		quiet ./bare
		! has_symbol bare __cfuzz_runtime ||
			fail "$how: a runtime that nobody asked for"
	done
}

# Called while the process starts: by resolvers, and before any constructor.
early()
{
	write_inputs
	cat >early.c <<'EOF'
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int early(void);

static const char *volatile word = "early";
static int results[2] = { -1, -1 };

static int
equal(void)
{
	return memcmp(word, "early", 5) == 0 && strcmp(word, "late") < 0 &&
		strstr(word, "rl") == word + 2;
}

static int
resolved(void)
{
	return 1;
}

static int
unresolved(void)
{
	return 0;
}

static int (*resolve(void))(void)
{
	return strncmp("early", "ear", 3) == 0 ? resolved : unresolved;
}

int early(void) __attribute__((ifunc("resolve")));

static void
first(void)
{
	results[0] = equal();
}

__attribute__((section(".preinit_array"), used)) static void (*pointer)(void) =
	first;

__attribute__((constructor(101))) static void
second(void)
{
	results[1] = equal();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	(void)data;
	(void)size;
	if (results[0] != 1 || results[1] != 1 || early() != 1)
		__builtin_trap();
	return 0;
}
EOF
	for how in -pie -no-pie -Wl,-z,now -static -static-pie; do
		# The coverage of a resolver would be called before it can.
		CFUZZ_NO_INSTRUMENT=1 quiet cfuzz-cc -fno-builtin $how \
			-o early early.c
		quiet ./early 00
	done
}

each optimized
each sanitized
each linked
each modules
each own_functions
each bare
each early

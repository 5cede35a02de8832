#!/bin/sh
# cfuzz-cc in plain make projects: several objects, a static library, response
# files, static linking, a part that is not instrumented, a program with its
# own main, and C++.

. "$(dirname "$0")/cc_lib.sh"

project()
{
	write_source target.c lib.c lib.h main.c
	cat >Makefile <<'EOF'
CFLAGS = -O1 -Wall -Wextra -Werror -MMD -MP
all: target program
target: target.o liblib.a
	$(CC) $(LDFLAGS) -o $@ $^
program: main.o liblib.a
	$(CC) $(LDFLAGS) -o $@ $^
liblib.a: lib.o
	$(AR) rcs $@ $^
-include target.d lib.d main.d
EOF
	quiet make CC=cfuzz-cc
	instrumented target.o
	instrumented lib.o
	exports target
	replays ./target
	status=0
	./program >log || status=$?
	[ $status -eq 7 ] || fail "own main: status $status"
	grep -q 'own main, 1' log || fail 'own main did not run'
	grep -q 'target.o: target.c' target.d || fail 'no dependencies'
	rm -f target
	quiet make CC=cfuzz-cc LDFLAGS=-static
	replays ./target
	rm -f target
	quiet make CC=cfuzz-cc LDFLAGS=-static-pie CFLAGS=-fPIE
	replays ./target
}

one_step()
{
	write_source target.c lib.c lib.h
	quiet cfuzz-cc -o target target.c lib.c
	exports target
	replays ./target
	! has_symbol target __ubsan_handle_add_overflow || fail 'a second runtime'
	readelf -n target | grep -q 'cfuzz' || fail 'the note is missing'
}

harness_in_archive()
{
	write_source target.c lib.c lib.h
	quiet cfuzz-cc -c target.c lib.c
	ar rcs liball.a target.o lib.o
	quiet cfuzz-cc -o target liball.a
	replays ./target
	quiet cfuzz-cc -o named -L. -lall
	replays ./named
}

not_instrumented()
{
	write_source target.c lib.c lib.h
	CFUZZ_NO_INSTRUMENT=1 quiet cfuzz-cc -c lib.c
	plain lib.o
	quiet cfuzz-cc -c -fno-sanitize=fuzzer target.c
	plain target.o
	quiet cfuzz-cc -o target target.o lib.o
	exports target
	replays ./target
}

response_files()
{
	write_source target.c lib.c lib.h
	mkdir -p 'a folder'
	cp lib.h 'a folder'
	sed 's/"lib.h"/<lib.h>/' target.c >'a folder/a target.c'
	echo "-I 'a folder' -DX=\\\"x\\ y\\\" @objects" >compile
	echo '-c "a folder/a target.c" lib.c' >objects
	quiet cfuzz-cc @compile
	instrumented 'a target.o'
	instrumented lib.o
	echo '"a target.o" @more.rsp' >link.rsp
	echo '-fsanitize=fuzzer lib.o -o target' >more.rsp
	quiet cfuzz-cc @link.rsp
	replays ./target
	echo '-shared -Wl,-z,defs,-O1 lib.o -o lib.so' >shared
	quiet cfuzz-cc -fPIC -c lib.c
	quiet cfuzz-cc @shared
}

link_time_optimized()
{
	write_source target.c lib.c lib.h
	if ! "$CFUZZ_CC" -flto -o lto -xc - <<'EOF' >/dev/null 2>&1
int main(void) { return 0; }
EOF
	then
		skip "$CFUZZ_CC -flto does not link here"
		return
	fi
	quiet cfuzz-cc -O2 -flto -c target.c lib.c
	quiet cfuzz-cc -O2 -flto -o target target.o lib.o
	has_symbol target 'lib_check.*\|LLVMFuzzerTestOneInput' ||
		fail 'no target'
	replays ./target
	[ "$CFUZZ_CC" = clang ] && return
	objdump -d --no-show-raw-insn target >log
	sed -n '/<LLVMFuzzerTestOneInput>:/,/^$/p' log |
		grep -q '__sanitizer_cov_trace_pc' ||
		fail '-flto lost the instrumentation'
}

cxx()
{
	write_source target.cc
	quiet cfuzz-c++ -std=c++11 -o target target.cc
	exports target
	replays ./target
	quiet cfuzz-c++ -x c++ -O2 -o target target.cc -lm
	replays ./target
	quiet cfuzz-c++ -x c++ -o target - <target.cc
	replays ./target
	quiet cfuzz-c++ -fPIC -c target.cc -o t.o
	quiet cfuzz-c++ -static -o target t.o
	replays ./target
}

# The header is found without a word, from C and from C++.
header()
{
	cat >target.c <<'EOF'
#include <cfuzz.h>
#include <stdio.h>
#include <string.h>

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fprintf(stderr, "target: %zu bytes\n", size);
	if (size == 4 && memcmp(data, "BUG!", size) == 0)
		cfuzz_fail("a bug of %zu bytes", size);
	return 0;
}
EOF
	quiet cfuzz-cc -Wall -Wextra -Werror -o target target.c
	replays ./target
	cp target.c target.cc
	quiet cfuzz-c++ -Wall -Wextra -Werror -o target target.cc
	replays ./target
	quiet cfuzz-cc -E target.c -o target.i
	quiet cfuzz-cc -MM target.c
}

# The note on gcc stands on targets only: configure reads warnings as a no.
gcc_note()
{
	write_source target.c lib.c lib.h main.c
	cfuzz-cc -c target.c lib.c main.c 2>log
	cfuzz-cc -o program main.o lib.o 2>>log
	[ ! -s log ] || fail "said something: $(cat log)"
	cfuzz-cc -o target target.o lib.o 2>log
	CFUZZ_QUIET=1 cfuzz-cc -o target target.o lib.o 2>quiet
	[ ! -s quiet ] || fail 'CFUZZ_QUIET is not quiet'
	if [ "$CFUZZ_CC" = gcc ]; then
		[ "$(grep -c 'note: built by gcc' log)" -eq 1 ] || fail 'no note'
	else
		[ ! -s log ] || fail "said something: $(cat log)"
	fi
}

# On a terminal somebody is told that a function is faster than a program; a build is not.
nothing_to_fuzz()
{
	write_source target.c lib.c lib.h main.c
	on_terminal='import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))'
	cfuzz-cc -c target.c lib.c main.c
	quiet cfuzz-cc -o program main.o lib.o
	python3 -c "$on_terminal" cfuzz-cc -o program main.o lib.o >log ||
		fail 'the program does not link'
	grep -q 'whole program' log || fail 'nothing is said'
	CFUZZ_QUIET=1 python3 -c "$on_terminal" cfuzz-cc -o program main.o \
		lib.o >log
	[ ! -s log ] || fail "CFUZZ_QUIET is not quiet: $(cat log)"
	python3 -c "$on_terminal" cfuzz-cc -o target target.o lib.o >log
	! grep -q 'whole program' log || fail 'said of a target'
}

each project
each one_step
each harness_in_archive
each not_instrumented
each response_files
each link_time_optimized
each cxx
each header
each gcc_note
each nothing_to_fuzz

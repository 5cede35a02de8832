#!/bin/sh
# cfuzz-cc where nothing is linked: questions to the compiler are answered as
# by the compiler itself, preprocessing and assembly work as they should,
# and what goes wrong is said in one sentence.

. "$(dirname "$0")/cc_lib.sh"

# same OPTION ...: the compiler's own answer.
same()
{
	status=0
	own_status=0
	cfuzz-cc "$@" >ours 2>ours.err </dev/null || status=$?
	"$CFUZZ_CC" "$@" >own 2>own.err </dev/null || own_status=$?
	[ $status -eq $own_status ] || fail "$*: status $status"
	cmp ours own || fail "$*: another answer"
	sed '/^cfuzz-cc [0-9]/d' ours.err | sed 's,/tmp/[^ "]*,,g' >ours.msg
	sed 's,/tmp/[^ "]*,,g' own.err >own.msg
	diff ours.msg own.msg || fail "$*: another message"
}

queries()
{
	same
	same --version
	same -v
	same -dumpversion
	same -dumpmachine
	same -print-search-dirs
	same -print-prog-name=ld
	same -print-file-name=libc.a
	same --print-multi-lib
	same -Wl,--version
	same -m64 -O2 -print-libgcc-file-name
	same --no-such-option
	same -dM -E -x c --version
	cfuzz-cc --version 2>&1 >/dev/null | grep -q '^cfuzz-cc [0-9]' ||
		fail 'does not say its own version'
}

preprocess()
{
	cat >a.c <<'EOF'
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
int fuzzing_build = FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION;
#endif
#include "a.h"
EOF
	echo 'int header;' >a.h
	quiet cfuzz-cc -E a.c -o a.i
	grep -q 'int fuzzing_build = 1;' a.i || fail 'build mode not defined'
	! grep -q sanitizer a.i || fail '-E instruments'
	cfuzz-cc -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION=7 -E a.c >a.i
	grep -q 'int fuzzing_build = 7;' a.i || fail 'build mode overwritten'
	cfuzz-cc -UFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION -E a.c >a.i
	! grep -q fuzzing_build a.i || fail 'build mode comes back'
	cfuzz-cc -M a.c >log
	grep -q '^a.o: a.c' log || fail '-M'
	cfuzz-cc -MM a.c >log
	[ "$(cat log)" = 'a.o: a.c a.h' ] || fail '-MM'
	quiet cfuzz-cc -fsyntax-only -Wall -Werror a.c
	echo 'int x = ;' | refuse cfuzz-cc -fsyntax-only -x c -
	cfuzz-cc -E -x c - <a.c | grep -q 'int fuzzing_build = 1;' ||
		fail '-E of stdin'
}

assembly()
{
	cat >a.c <<'EOF'
int f(int n);
int f(int n) { return n > 5 ? f(n - 1) : n; }
EOF
	quiet cfuzz-cc -S -Wall -Werror a.c
	grep -q "$(hook)" a.s || fail '-S does not instrument'
	quiet cfuzz-cc -c -Werror a.s
	instrumented a.o
	printf '.globl x\nx:\n\tnop\n#ifdef FUZZING_BUILD_MODE%s\n' \
		_UNSAFE_FOR_PRODUCTION >b.S
	printf '.globl y\ny:\n\tnop\n#endif\n' >>b.S
	printf '.section .note.GNU-stack,"",@progbits\n' >>b.S
	quiet cfuzz-cc -c -Werror b.S
	has_symbol b.o y || fail 'build mode not defined in assembly'
	plain b.o
	printf '.globl z\nz:\n\tnop\n' | quiet cfuzz-cc -Werror -c -o c.o \
		-x assembler -
	has_symbol c.o z || fail 'assembly from stdin'
	quiet cfuzz-cc -E -o a.i a.c
	quiet cfuzz-cc -Werror -c -o d.o a.i
	instrumented d.o
	quiet cfuzz-cc -Werror -c -o e.o -x c - <a.c
	instrumented e.o
	quiet cfuzz-cc -r -nostdlib -o all.o a.o b.o
	has_symbol all.o f || fail '-r'
	! has_symbol all.o main || fail '-r links the runtime'
}

# No warning of ours: projects with -Werror and strict checks have to build.
silent()
{
	write_source target.c lib.c lib.h main.c target.cc
	{
		cfuzz-cc -Wall -Wextra -Werror -c target.c lib.c main.c
		cfuzz-cc -Werror -o main main.o lib.o
		cfuzz-cc -Wall -Werror -o main main.c lib.c
		cfuzz-cc -Werror -fPIC -shared -o lib.so lib.c
		cfuzz-c++ -Wall -Wextra -Werror -c target.cc
	} >log 2>&1
	[ ! -s log ] || fail "said something: $(cat log)"
}

statuses()
{
	write_source lib.h target.c
	echo 'int x = ;' >bad.c
	refuse cfuzz-cc -c bad.c
	[ ! -e bad.o ] || fail 'an object from bad source'
	status=0
	cfuzz-cc -o target target.c >log 2>&1 || status=$?
	[ $status -ne 0 ] || fail 'linked without lib_check'
	grep -q lib_check log || fail 'lost what the linker says'
	cfuzz-cc --features >log
	grep -q 'compared numbers *yes' log || fail '--features'
	CFUZZ_RUNTIME=$PWD/none.a refuse cfuzz-cc -o target target.c
	grep -q 'CFUZZ_RUNTIME' log || fail 'missing runtime is not said'
	CFUZZ_RUNTIME=$PWD/none.a quiet cfuzz-cc -c target.c
}

# Without any compiler's help: messages and our own options.
messages()
{
	cfuzz-cc --help | grep -q '^usage: cfuzz-cc' || fail '--help'
	[ -r "$(cfuzz-cc --print-runtime)" ] || fail '--print-runtime'
	status=0
	CFUZZ_CC=nosuchcc cfuzz-cc -c a.c 2>log || status=$?
	[ $status -eq 2 ] || fail "missing compiler: status $status"
	[ "$(grep -c . log)" -eq 1 ] || fail 'not one sentence'
	grep -q 'nosuchcc.*CFUZZ_CC' log || fail 'does not name the compiler'
	status=0
	PATH=/nowhere "$build/cfuzz-cc" -c a.c 2>log || status=$?
	[ $status -eq 2 ] || fail "no compiler: status $status"
	grep -q 'install clang' log || fail 'does not say what to do'
	status=0
	CFUZZ_CC=$build/cfuzz-cc timeout 300 cfuzz-cc -c a.c 2>log || status=$?
	[ $status -eq 2 ] || fail "itself: status $status"
}

each queries
each preprocess
each assembly
each silent
each statuses
messages

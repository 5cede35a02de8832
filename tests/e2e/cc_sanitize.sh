#!/bin/sh
# cfuzz-cc with sanitizers, and with what is written for libFuzzer.

. "$(dirname "$0")/cc_lib.sh"

# Small programs with each sanitizer that works on this machine.
works()
{
	echo 'int main(void) { return 0; }' >probe.c
	"$CFUZZ_CC" "$@" -o probe probe.c >/dev/null 2>&1 &&
		./probe >/dev/null 2>&1
}

sanitizers()
{
	write_source target.c lib.c lib.h target.cc
	for list in address undefined address,undefined leak thread memory; do
		if ! works -fsanitize=$list; then
			skip "$CFUZZ_CC -fsanitize=$list does not work here"
			continue
		fi
		quiet cfuzz-cc -fsanitize=$list -c target.c lib.c
		instrumented target.o
		quiet cfuzz-cc -fsanitize=$list -o target target.o lib.o
		exports target
		replays ./target
		quiet cfuzz-cc -fsanitize=$list -o target target.c lib.c
		replays ./target
	done
	if works -fsanitize=address; then
		quiet cfuzz-c++ -fsanitize=address -o target target.cc
		replays ./target
	fi
}

# -fsanitize=fuzzer is us, whatever the compiler.
fuzzer()
{
	write_source target.c lib.c lib.h
	quiet cfuzz-cc -fsanitize=fuzzer -o target target.c lib.c
	exports target
	replays ./target
	quiet cfuzz-cc -fsanitize=fuzzer-no-link -c lib.c
	instrumented lib.o
	quiet cfuzz-cc -fsanitize=fuzzer,address -c lib.c target.c
	has_symbol lib.o '__asan_init' || fail 'lost -fsanitize=address'
	quiet cfuzz-cc -fsanitize=address,fuzzer lib.o target.o -o target
	replays ./target
	quiet cfuzz-cc -shared -fPIC -fsanitize=fuzzer,address -o lib.so lib.c
}

# With one coverage of the user's own there is no other.
own_coverage()
{
	write_source target.c lib.c lib.h
	case $CFUZZ_CC in
	clang) own=trace-pc-guard ;;
	*) own=trace-pc ;;
	esac
	quiet cfuzz-cc -fsanitize-coverage=$own -c lib.c
	has_symbol lib.o "__sanitizer_cov_$(echo $own | tr - _)" ||
		fail "lost $own"
	for ours in __sanitizer_cov_8bit_counters_init \
		__sanitizer_cov_trace_const_cmp4; do
		! has_symbol lib.o $ours || fail "$ours with own coverage"
	done
	quiet cfuzz-cc -fsanitize-coverage=$own -o target target.c lib.c
	replays ./target
	! has_symbol target __ubsan_handle_add_overflow || fail 'a second runtime'
}

# Objects that were built without us, as OSS-Fuzz builds are.
foreign_objects()
{
	write_source target.c lib.c lib.h
	if ! has clang; then
		skip 'clang, for objects with -fsanitize=fuzzer-no-link'
		return
	fi
	quiet clang -g -O1 -fsanitize=fuzzer-no-link -c target.c lib.c
	quiet cfuzz-cc -o target target.o lib.o
	CFUZZ_CC=clang instrumented target
	replays ./target
	quiet clang -g -O1 -fsanitize=fuzzer-no-link,address -c target.c lib.c
	CFUZZ_CC=clang quiet cfuzz-cc -fsanitize=address -o target target.o \
		lib.o
	replays ./target
	quiet clang -fsanitize=address -o target target.o lib.o \
		"$(cfuzz-cc --print-runtime)" -rdynamic -lpthread -ldl -lm
	replays ./target
}

# Parts from both compilers in one program.
mixed()
{
	write_source target.c lib.c lib.h
	if ! has clang || ! has gcc; then
		skip 'clang and gcc in one program: one is not installed'
		return
	fi
	CFUZZ_CC=clang quiet cfuzz-cc -c lib.c
	CFUZZ_CC=gcc quiet cfuzz-cc -c target.c
	quiet cfuzz-cc -o target target.o lib.o
	replays ./target
}

# What the linker would say of our archive, we say of the command.
other_machine()
{
	write_source target.c
	[ "$(uname -m)" = x86_64 ] || { skip 'not x86-64'; return; }
	! cfuzz-cc -m32 -o target target.c 2>log || fail '-m32 links'
	grep -q '^cfuzz-cc: -m32 .*only for 64-bit x86' log ||
		fail "says: $(cat log)"
	[ "$(wc -l <log)" -eq 1 ] || fail "says more: $(cat log)"
	# A cross compiler, which says so when it is asked.
	write_source lib.c lib.h
	for machine in aarch64 x86_64; do
		cat >$machine-linux-gnu-"$CFUZZ_CC" <<EOF
#!/bin/sh
[ "\$1" != -dumpmachine ] || { echo $machine-linux-gnu; exit; }
exec $CFUZZ_CC "\$@"
EOF
		chmod +x $machine-linux-gnu-"$CFUZZ_CC"
	done
	cross=./aarch64-linux-gnu-$CFUZZ_CC
	CFUZZ_CC=$cross refuse cfuzz-cc -o target target.c lib.c
	grep -q "^cfuzz-cc: $cross .*only for 64-bit x86" log ||
		fail "says: $(cat log)"
	[ "$(wc -l <log)" -eq 1 ] || fail "says more: $(cat log)"
	CFUZZ_CC=./x86_64-linux-gnu-$CFUZZ_CC quiet cfuzz-cc -o target \
		target.c lib.c
}

each sanitizers
each fuzzer
each own_coverage
each foreign_objects
each mixed
each other_machine

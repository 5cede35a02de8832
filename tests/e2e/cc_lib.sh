# shellcheck shell=sh
# What the tests of the compiler wrapper share; read in by each of them. They
# build real programs in a folder of their own, with each compiler there is.

set -eu
src=${CFUZZ_SRC:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${CFUZZ_BUILD:-$src/build}
PATH=$build:$PATH
test_name=$(basename "$0" .sh)
unset CFUZZ_CC CFUZZ_CXX CFUZZ_NO_INSTRUMENT CFUZZ_QUIET
unset CC CXX CFLAGS CXXFLAGS CPPFLAGS LDFLAGS MAKEFLAGS MFLAGS
export LC_ALL=C

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail()
{
	echo "$test_name (${CFUZZ_CC:-no compiler}): $*" >&2
	exit 1
}

# skip WHY: a part that cannot run here.
skip()
{
	echo "SKIP: $*"
}

has()
{
	command -v "$1" >/dev/null 2>&1
}

# quiet COMMAND ...: shows what it prints only if it fails.
quiet()
{
	"$@" >log 2>&1 || {
		cat log >&2
		fail "failed: $*"
	}
}

# refuse COMMAND ...: it must fail.
refuse()
{
	if "$@" >log 2>&1; then
		cat log >&2
		fail "should have failed: $*"
	fi
}

# Run with each compiler in turn, in a folder of its own: each FUNCTION.
each()
{
	n_compilers=0
	for pair in clang:clang++ gcc:g++; do
		CFUZZ_CC=${pair%:*}
		CFUZZ_CXX=${pair#*:}
		if ! has "$CFUZZ_CC" || ! has "$CFUZZ_CXX"; then
			skip "$CFUZZ_CC and $CFUZZ_CXX are not installed"
			continue
		fi
		export CFUZZ_CC CFUZZ_CXX
		n_compilers=$((n_compilers + 1))
		mkdir -p "$1-$CFUZZ_CC"
		cd "$1-$CFUZZ_CC"
		"$1"
		cd ..
	done
	unset CFUZZ_CC CFUZZ_CXX
	[ "$n_compilers" -gt 0 ] || fail "there is no compiler at all"
}

# A hook that each compiler's instrumentation calls.
hook()
{
	case $CFUZZ_CC in
	# Beside ThreadSanitizer guards take the place of counters.
	clang) echo "__sanitizer_cov_\\(8bit_counters\\|trace_pc_guard\\)_init" ;;
	*) echo __sanitizer_cov_trace_pc ;;
	esac
}

# nm and grep -q in one pipe would end nm early.
has_symbol()
{
	nm "$1" 2>/dev/null >symbols || return 1
	grep -q "[ @]$2\$" symbols
}

# Beside ThreadSanitizer clang's counters are guards.
instrumented()
{
	has_symbol "$1" "$(hook)" ||
		has_symbol "$1" __sanitizer_cov_trace_pc_guard_init ||
		fail "$1 is not instrumented"
}

plain()
{
	! has_symbol "$1" "$(hook)" || fail "$1 is instrumented"
}

# exports FILE: modules that are loaded later find the hooks in it.
exports()
{
	nm -D "$1" >symbols
	for name in "$(hook)" __sanitizer_cov_trace_cmp8 LLVMFuzzerMutate; do
		grep -q " [TWVBD] $name\$" symbols ||
			fail "$1 does not show $name"
	done
}

# replays TARGET: it runs the file that it is given, and dies of a bad one.
replays()
{
	printf 'harmless' >good
	printf 'BUG!' >bad
	"$@" good >log 2>&1 || {
		cat log >&2
		fail "$* did not run a harmless file"
	}
	grep -q 'target: 8 bytes' log || {
		cat log >&2
		fail "$* did not call its entry point"
	}
	refuse "$@" bad
}

# A target and a library for it: source NAME ...
write_source()
{
	for file; do
		case $file in
		target.c) cat >target.c <<'EOF' ;;
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "lib.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fprintf(stderr, "target: %zu bytes\n", size);
	lib_check(data, size);
	return 0;
}
EOF
		target.cc) cat >target.cc <<'EOF' ;;
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

static void
check(const std::string &text)
{
	if (text.substr(0, 4) == "BUG!")
		throw std::runtime_error(text);
}

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	std::string text(reinterpret_cast<const char *>(data), size);

	std::fprintf(stderr, "target: %zu bytes\n", text.size());
	try {
		check(text);
	} catch (const std::exception &) {
		std::abort();
	}
	return 0;
}
EOF
		lib.h) cat >lib.h <<'EOF' ;;
#include <stddef.h>
#include <stdint.h>
void lib_check(const uint8_t *data, size_t size);
EOF
		lib.c) cat >lib.c <<'EOF' ;;
#include <stdlib.h>
#include "lib.h"

static unsigned int
number(const uint8_t *data)
{
	return (unsigned int)data[0] << 24 | data[1] << 16 | data[2] << 8 |
		data[3];
}

void
lib_check(const uint8_t *data, size_t size)
{
	if (size >= 4 && number(data) == 0x42554721)
		abort();
}
EOF
		main.c) cat >main.c <<'EOF' ;;
#include <stdio.h>
#include "lib.h"

int
main(int argc, char **argv)
{
	(void)argv;
	lib_check((const uint8_t *)"", 0);
	printf("own main, %d\n", argc);
	return 7;
}
EOF
		esac
	done
}

# shellcheck shell=bash
# common: where what lies, and an environment that changes nothing. Read in by
# run.sh and bugs.sh here.

src=${CFUZZ_SRC:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${CFUZZ_BUILD:-$src/build}
here=$src/tests/real
dir=$build/real
PATH=$build:$PATH
unset CFUZZ_CC CFUZZ_CXX CFUZZ_NO_INSTRUMENT CC CXX CFLAGS CXXFLAGS CPPFLAGS \
	LDFLAGS MAKEFLAGS MFLAGS MAKELEVEL
export LC_ALL=C CFUZZ_QUIET=1
. "$here/fetch.sh"

fail()
{
	echo "check-real: $*" >&2
	exit 1
}

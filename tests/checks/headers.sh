#!/bin/sh
# Every header compiles alone, with each compiler that is there, and bears
# being included twice. An installed header also compiles as C99 and as C++.

set -u
cd "$(dirname "$0")/../.." || exit 1
bad=0

# compile HEADER COMPILER FLAGS...: an empty file that includes it twice
compile()
{
	header=$1
	shift
	printf '#include "%s"\n#include "%s"\nextern int nothing;\n' \
		"$header" "$header" |
		"$@" -fsyntax-only -Wall -Wextra -Wshadow -Wundef -Werror \
			-I. -Isrc -Iinclude - || {
		echo "$header:1: does not compile alone with $*"
		bad=1
	}
}

headers=$(find include src ui -name '*.h' | sort)
for cc in gcc clang; do
	command -v $cc >/dev/null || continue
	for header in $headers; do
		compile "$header" $cc -x c -std=gnu11 -D_GNU_SOURCE= \
			-Wstrict-prototypes
	done
	cxx=$(echo $cc | sed 's/gcc/g++/; s/clang/clang++/')
	for header in $(find include -name "*.h"); do
		compile "$header" $cc -x c -std=c99 -pedantic
		command -v $cxx >/dev/null &&
			compile "$header" $cxx -x c++ -std=c++11 -pedantic
	done
done
exit $bad

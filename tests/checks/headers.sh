#!/bin/sh
# Every header compiles alone, with each compiler that is there, and bears
# being included twice. An installed header also compiles as C99 and as C++.
# A header that a source file includes before all others has compiled alone with
# that file, also with clang in check-tidy; the others are compiled here.

set -u
cd "$(dirname "$0")/../.." || exit 1
bad=0

# includes HEADER...: the lines that include them.
includes()
{
	printf '#include "%s"\n' "$@"
}

# compile WHAT COMPILER FLAGS...: the standard input; fails as that does.
compile()
{
	what=$1
	shift
	"$@" -fsyntax-only -Wall -Wextra -Wshadow -Wundef -Werror \
		-I. -Isrc -Iinclude - && return
	echo "$what with $*"
	return 1
}

# alone HEADER COMPILER FLAGS...: an empty file that includes it twice
alone()
{
	header=$1
	shift
	{
		includes "$header" "$header"
		echo 'extern int nothing;'
	} | compile "$header:1: does not compile alone" "$@" || bad=1
}

# Headers that are the first include of a source file, by their whole names.
begun=$(find src ui -name '*.c' -exec grep -m 1 -h '^# *include' {} + |
	sed -n 's/^# *include "\(.*\)"$/\1/p' | sort -u |
	while read -r name; do
		for header in "$name" "src/$name" "include/$name"; do
			[ ! -f "$header" ] || echo "$header"
		done
	done)
rest=$(find include src ui -name '*.h' | sort |
	grep -vxF -e "$begun")
for cc in gcc clang; do
	command -v $cc >/dev/null || continue
	own="$cc -x c -std=gnu11 -D_GNU_SOURCE= -Wstrict-prototypes"
	# shellcheck disable=SC2086 # lists of words
	for header in $rest; do
		alone "$header" $own
	done
	# Folders have names of their own, so one after the other.
	for folder in include src/* ui/*; do
		headers=$(find "$folder" -name '*.h' | sort)
		[ -n "$headers" ] || continue
		# shellcheck disable=SC2086 # lists of words
		{
			includes $headers $headers
			echo 'extern int nothing;'
		} | compile "$folder: a header cannot be included twice" $own ||
			bad=1
	done
	cxx=$(echo $cc | sed 's/gcc/g++/; s/clang/clang++/')
	for header in $(find include -name "*.h"); do
		alone "$header" $cc -x c -std=c99 -pedantic
		command -v $cxx >/dev/null &&
			alone "$header" $cxx -x c++ -std=c++11 -pedantic
	done
done
exit $bad

#!/bin/sh
# Every source file looks as clang-format leaves it. Versions differ in
# taste, so only the one that .clang-format was written for counts.

set -u
cd "$(dirname "$0")/../.." || exit 1
for format in clang-format-14 clang-format; do
	"$format" --version 2>/dev/null | grep -q 'version 14\.' && break
	format=
done
[ -n "$format" ] || { echo "no clang-format 14"; exit 77; }
find include src ui tests -name '*.[ch]' -o -name '*.cc' | sort |
	xargs "$format" --dry-run -Werror 2>&1 |
	awk -F : '
	/^[^ ]+:[0-9]+:[0-9]+: error/ {
		if (!($1 in n)) first[$1] = $2
		n[$1]++
	}
	END {
		for (f in n) {
			printf "%s:%d: %d places differ; clang-format -i %s\n",
				f, first[f], n[f], f | "sort"
			bad = 1
		}
		close("sort")
		exit bad
	}'

#!/bin/sh
# usage: coverage.sh BUILD: per source file the share of lines that ran, from
# the counters that a build with --coverage left in BUILD.

set -u
cd "$(dirname "$0")/../.." || exit 1
find "$1" -name '*.gcda' ! -path '*/tests/*' | sort | xargs gcov -n 2>/dev/null |
	awk '
	/^File/ { split($0, q, "\x27"); file = q[2] }
	/^Lines executed/ {
		if (file !~ /^(src|ui)\/.*\.c$/) next
		split($2, part, /[:%]/)
		ran = part[2] * $4 / 100
		if (!(file in of) || ran > best[file]) best[file] = ran
		of[file] = $4
		file = ""
	}
	END {
		for (f in of) {
			printf "%6.1f %%  %5d lines  %s\n", \
				100 * best[f] / of[f], of[f], f | "sort -k 5"
			all += of[f]
			hit += best[f]
		}
		close("sort -k 5")
		if (all) printf "%6.1f %%  %5d lines  all\n", 100 * hit / all, all
	}'

#!/bin/sh
# usage: coverage.sh BUILD: the share of lines that ran, per source file and then
# per folder, from the counters that a build with --coverage left in BUILD. A
# file that no program ran counts with all of its lines.

set -u
cd "$(dirname "$0")/../.." || exit 1
find "$1" -name '*.gcno' ! -path '*/tests/*' | sort | xargs gcov -n 2>/dev/null |
	awk '
	function row(covered, lines, name, sorted) {
		printf "%6.1f %%  %6d of %6d lines  %s\n", \
			100 * covered / lines, covered, lines, name | sorted
	}
	/^File/ { split($0, q, "\x27"); file = q[2] }
	/^Lines executed/ {
		if (file !~ /^(src|ui)\/.*\.c$/) next
		split($2, part, /[:%]/)
		ran = int(part[2] * $4 / 100 + 0.5)
		if (!(file in of) || ran > best[file]) best[file] = ran
		of[file] = $4
		file = ""
	}
	END {
		by_name = "sort -k 7"
		for (f in of) {
			row(best[f], of[f], f, by_name)
			folder = f
			sub(/[^\/]*$/, "", folder)
			folder_of[folder] += of[f]
			folder_best[folder] += best[f]
			all += of[f]
			hit += best[f]
		}
		close(by_name)
		print ""
		for (f in folder_of)
			row(folder_best[f], folder_of[f], f, by_name)
		close(by_name)
		if (all) row(hit, all, "all", by_name)
	}'

#!/bin/sh
# Files and functions are short enough to be read in one go: a .c file has at
# most 500 lines, a header 200, a function 60 between its braces.
#
# The table holds what is longer today, and how long it may be: rows go, none
# come. A row that is no longer needed is named, too.

set -u
cd "$(dirname "$0")/../.." || exit 1

# file, or file:function | lines at most
table()
{
	cat <<'TABLE'
include/cfuzz.h | 322
TABLE
}

table | awk '
function check(what, n, most,    limit) {
	limit = what in longer ? longer[what] : most
	if (n > limit) {
		printf "%s has %d lines, more than %d\n", what, n, limit
		bad = 1
	}
	if (limit != most && n > most)
		needed[what]
}
function finish() {
	if (file != "")
		check(file, lines, file ~ /\.h$/ ? 200 : 500)
}
FILENAME == "-" {
	split($0, column, "[ \t]*[|][ \t]*")
	longer[column[1]] = column[2]
	next
}
FNR == 1 {
	finish()
	file = FILENAME
	start = 0
}
{ lines = FNR }
/^[a-z_].*\(/ {
	name = $0
	sub(/\(.*/, "", name)
	sub(/.*[ *]/, "", name)
}
/^\{/ { start = FNR }
/^\}/ {
	if (start > 0)
		check(file ":" name, FNR - start - 1, 60)
	start = 0
}
END {
	finish()
	for (what in longer)
		if (!(what in needed))
			print what " needs no row in tests/checks/sizes.sh"
	exit bad
}' - $(find include src ui -name '*.[ch]' -o -name '*.cc' | sort)

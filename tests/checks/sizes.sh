#!/bin/sh
# Files and functions are short enough to be read in one go: a .c file has at
# most 500 lines, a header 200, a function 60 between its braces.

set -u
cd "$(dirname "$0")/../.." || exit 1

awk '
function check(what, n, most) {
	if (n > most) {
		printf "%s has %d lines, more than %d\n", what, n, most
		bad = 1
	}
}
function finish() {
	if (file != "")
		check(file, lines, file ~ /\.h$/ ? 200 : 500)
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
	exit bad
}' $(find include src ui -name '*.[ch]' -o -name '*.cc' | sort)

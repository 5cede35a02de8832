#!/bin/sh
# Files and functions are short enough to be read in one go: a .c file has at
# most 500 lines, a header 200, a function 60 between its braces. A folder has at
# most 45 files, so that it is one subject.

set -u
cd "$(dirname "$0")/../.." || exit 1

bad=0
for folder in $(find src ui tests/unit -type d ! -path tests/unit/lib); do
	files=$(find "$folder" -maxdepth 1 -type f | wc -l)
	[ "$files" -le 45 ] || {
		echo "$folder has $files files, more than 45"
		bad=1
	}
done

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
}' $(find include src ui -name '*.[ch]' -o -name '*.cc' | sort) || bad=1
exit $bad

#!/bin/sh
# Each statement of tests/acceptance.md has one row, and each test that a row
# names is there: the file, and in it the name of the case.

set -u
cd "$(dirname "$0")/../.." || exit 1
page=tests/acceptance.md
awk -F '|' '
/^\| B[0-9]+ / {
	name = $2
	gsub(/[ B]/, "", name)
	if (name != ++n) {
		printf "%s:%d: B%s stands where B%d should\n", FILENAME, FNR, name, n
		exit bad = 1
	}
	if (NF != 5 || $3 ~ /^ *$/ || $4 ~ /^ *$/) {
		printf "%s:%d: B%s is no whole row\n", FILENAME, FNR, name
		bad = 1
	}
}
END {
	if (!bad && n != 118) {
		printf "%s: %d rows, not 118\n", FILENAME, n
		bad = 1
	}
	exit bad
}' $page || exit 1

problems=$(grep '^| [BS]' $page | grep -o '`tests/[^`]*`' | tr -d '`' | sort -u |
	while IFS= read -r test; do
		file=${test%%::*}
		name=${test#"$file"}
		name=${name#::}
		if [ ! -f "$file" ]; then
			echo "$page: there is no $file"
		elif ! grep -qF -e "$name" "$file"; then
			echo "$page: $file has no case $name"
		fi
	done)
[ -z "$problems" ] || { echo "$problems"; exit 1; }

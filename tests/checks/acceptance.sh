#!/bin/sh
# Each statement of tests/acceptance.md has one row, and each test that a row
# names is run by the suite: the file, and in it the case, which is not only named
# but registered. A case of Python has @case or @each before it, or is a row's first
# word; one of C stands in a list of cmocka, or begins a row.

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

is_registered()
{
	case $1 in
	*.py) awk -v name="$2" '
		/^@(case|each)/ { marked = 1 }
		/^def / { found += marked && $2 ~ "^" name "\\("; marked = 0 }
		index($0, "(" name ", ") || index($0, "(\047" name "\047, ") {
			found++ }
		END { exit !found }' "$1" ;;
	*.c) tr '\n' ' ' <"$1" | grep -qE \
		"(cmocka_unit_test[a-z_]*\([[:space:]]*$2\\>|test_func = $2\\>|ROWS_OF\([^()]*[[:space:]]$2\\)|\{[[:space:]]*\"$2\")" ;;
	*) grep -qF -e "$2" "$1" ;;
	esac
}

problems=$(grep '^| [BS]' $page | grep -o '`tests/[^`]*`' | tr -d '`' | sort -u |
	while IFS= read -r test; do
		file=${test%%::*}
		name=${test#"$file"}
		name=${name#::}
		if [ ! -f "$file" ]; then
			echo "$page: there is no $file"
		elif [ -n "$name" ] && ! is_registered "$file" "$name"; then
			echo "$page: $file has no case $name"
		fi
	done)
[ -z "$problems" ] || { echo "$problems"; exit 1; }

#!/bin/sh
# No shell runs in the product: a name of a file or target must never be read
# as a command. Comments may speak of it, code may not, but for the first line
# of a script that is written for people.

set -u
cd "$(dirname "$0")/../.." || exit 1
files=$(find include src ui -name '*.[ch]' -o -name '*.cc' | sort)
[ -n "$files" ] || exit 0
awk '
FNR == 1 { inside = 0 }
{
	line = $0
	code = ""
	text = 0
	for (i = 1; i <= length(line); i++) {
		c = substr(line, i, 1)
		two = substr(line, i, 2)
		if (inside) {
			if (two == "*/") { inside = 0; i++ }
			continue
		}
		if (c == "\\") { code = code two; i++; continue }
		if (c == "\"") text = !text
		if (!text && two == "/*") { inside = 1; i++; continue }
		if (!text && two == "//") break
		code = code c
	}
	if (code ~ /(^|[^a-zA-Z0-9_])(system|popen|wordexp)[ \t]*\(/ ||
		code ~ /(^|[^!])\/bin\/(ba|da)?sh/) {
		printf "%s:%d: a shell in the product:%s\n", FILENAME, FNR, line
		bad = 1
	}
}
END { exit bad }' $files

#!/bin/sh
# The layers: which folder may include which. The table is the architecture;
# a line that breaks it is an error, not a matter of taste.

set -u
cd "$(dirname "$0")/../.." || exit 1

# folder | folders it may include | libraries it may include
table()
{
	cat <<'TABLE'
include     |                                                                     |
src/shared  | shared                                                              | jansson:rpc*
src/target  | shared target cfuzz.h                                               |
src/base    | shared base                                                         | crypto
src/control | shared base control                                                 | event jansson
src/engine  | shared base control engine symbols/symbol.h symbols/process.h isolate/isolate.h | event jansson
src/symbols | shared base symbols                                                 | dw
src/isolate | shared base isolate                                                 |
src/cli     | shared base control cli engine/engine.h symbols/helper.h isolate/isolate.h |
src/cc      | shared base control cc engine/engine.h                              |
src/demo    | cfuzz.h                                                             |
ui          | shared base control ui engine/engine.h:main* symbols/helper.h:main* isolate/isolate.h:main* symbols/source.h symbols/process.h:sources* | event jansson curses
TABLE
}

files=$(find include src ui -name '*.[ch]' -o -name '*.cc' | sort)
[ -n "$files" ] || exit 0
table | awk '
function trim(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }
function complain(text) {
	printf "%s:%d: %s\n", file, FNR, text
	bad = 1
}
# Does the list of "name" and "name:files" allow this name in this file?
function allowed(list, name,    n, i, word, part, base, pattern) {
	n = split(list, word, " ")
	base = file
	sub(/.*\//, "", base)
	for (i = 1; i <= n; i++) {
		split(word[i], part, ":")
		if (part[1] != name)
			continue
		if (word[i] !~ /:/)
			return 1
		pattern = part[2]
		gsub(/\*/, ".*", pattern)
		if (base ~ ("^" pattern "$"))
			return 1
	}
	return 0
}
function library(header) {
	if (header ~ /^(event2\/|event\.h|evutil\.h|evdns\.h|evhttp\.h)/)
		return "event"
	if (header ~ /^jansson/)
		return "jansson"
	if (header ~ /^openssl\//)
		return "crypto"
	if (header ~ /^(elfutils\/|dwarf\.h|libelf\.h|gelf\.h|libdw)/)
		return "dw"
	if (header ~ /(^|\/)(n?curses|term|panel|menu|form|unctrl)\.h$/)
		return "curses"
	return ""
}
FILENAME == "-" {
	split($0, column, "|")
	layers[trim(column[1])] = trim(column[2])
	libraries[trim(column[1])] = trim(column[3])
	next
}
FNR == 1 {
	file = FILENAME
	folder = file
	sub(/\/[^\/]*$/, "", folder)
	if (!(folder in layers))
		complain("folder " folder " is no layer; the table of" \
			" tests/checks/layers.sh does not know it")
}
/^[ \t]*#[ \t]*include[ \t]*"/ {
	split($0, quoted, "\"")
	name = quoted[2]
	layer = name
	sub(/\/.*/, "", layer)
	if (name !~ /\// && name != "cfuzz.h")
		complain("\"" name "\" does not name its layer")
	else if (!allowed(layers[folder], layer) &&
		!allowed(layers[folder], name))
		complain(folder " must not include \"" name "\"")
}
/^[ \t]*#[ \t]*include[ \t]*</ {
	name = $0
	sub(/^[^<]*</, "", name)
	sub(/>.*/, "", name)
	lib = library(name)
	if (lib != "" && !allowed(libraries[folder], lib))
		complain(folder " must not include <" name ">")
	if (lib == "curses" && index(curses, file) == 0)
		curses = curses (curses == "" ? "" : " ") file
	if (name ~ /^(shared|target|base|control|engine|symbols|cli|cc|ui)\//)
		complain("write \"" name "\" for a header of ours")
}
END {
	if (curses ~ / /) {
		print curses ": curses is for one file alone"
		bad = 1
	}
	exit bad
}' - $files

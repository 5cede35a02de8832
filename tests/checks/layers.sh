#!/bin/sh
# The layers: which folder may include which. The table is the architecture;
# a line that breaks it is an error, not a matter of taste.

set -u
cd "$(dirname "$0")/../.." || exit 1

# folder | folders (F/* is F and all below) and headers it may include | libraries.
# "X:a*" allows X to files whose names begin with "a" alone.
table()
{
	cat <<'TABLE'
include              | cfuzz_value.h                                         |
include/cfuzz/libhfuzz |                                                      |
src/shared           | shared                                                |
src/shared/values    | shared shared/values shared/mutate/mutate.h           |
src/shared/minimize  | shared shared/values shared/minimize                  |
src/shared/wire      | shared shared/values shared/minimize shared/wire shared/mutate/mutate.h | jansson:rpc*
src/shared/mutate    | shared shared/values shared/wire shared/mutate        |
src/target           | shared/* target/* cfuzz.h                             |
src/target/crash     | shared/* target/crash target/traps/traps.h target/abi.h |
src/target/hooks     | shared/* target/hooks target/abi.h                    |
src/target/traps     | shared/* target/hooks target/traps target/child/worker.h target/abi.h |
src/target/child     | shared/* target/crash target/hooks target/traps/traps.h target/child target/abi.h cfuzz.h |
src/target/server    | shared/* target/crash target/hooks target/child target/server target/abi.h |
src/target/program   | shared/* target/crash target/hooks target/child target/server target/program target/abi.h |
src/base             | shared/* base                                         | crypto
src/control          | shared/* base control                                 | event jansson
src/symbols          | shared/* base symbols                                 | dw
src/coverage         | shared/* base control symbols/source.h symbols/helper_process.h coverage | event
src/isolate          | shared/* base isolate                                 |
src/preload          | shared/* target/crash target/hooks target/program/hot_pages.h target/server/traced.h target/abi.h preload |
src/adapter          | shared/* target/* adapter                             |
src/worker/memory    | shared shared/wire shared/mutate/mutation.h base worker/memory |
src/worker/inputs    | shared/* base worker/memory worker/inputs             | jansson:type_names*
src/worker/target    | shared/* base control/settings.h isolate/isolate.h adapter/afl_binary.h worker/target |
src/worker           | shared/* base control isolate/isolate.h worker/*       | event jansson
src/corpus           | shared/* base control worker/* corpus                 | event jansson
src/store            | shared/* base control worker/* store                  | event jansson
src/findings         | shared/* base control symbols/symbol.h symbols/helper_process.h worker/* corpus store findings | event jansson
src/engine           | shared/* base control symbols/symbol.h isolate/isolate.h worker/* corpus store findings engine engine/corpus engine/functions engine/log engine/notify engine/pool engine/schedule engine/statistics engine/triage engine/web engine/front:engine* | event jansson
src/engine/triage    | shared/* base control worker/* corpus store findings engine engine/corpus engine/log engine/notify engine/pool engine/schedule engine/statistics engine/triage | event jansson
src/engine/corpus    | shared/* base control worker/* corpus store findings engine engine/corpus engine/functions engine/log engine/pool engine/schedule engine/statistics engine/triage | event
src/engine/schedule  | shared/* base control worker/* corpus findings engine engine/corpus engine/functions engine/log engine/pool engine/schedule engine/statistics engine/triage |
src/engine/pool      | shared/* base control worker/* corpus findings engine engine/corpus engine/functions engine/log engine/pool engine/schedule engine/statistics |
src/engine/notify    | shared base control worker/target/command_path.h engine/parts.h engine/program.h engine/log engine/notify | jansson
src/engine/log       | base control engine/parts.h engine/log store | jansson
src/engine/statistics | shared/mutate base control corpus store findings engine engine/corpus/load.h engine/log engine/pool/pool.h engine/statistics engine/triage | jansson
src/engine/web       | shared base control engine/parts.h engine/log engine/triage/triage.h findings/finding.h engine/front/snapshot_view.h engine/front/server.h engine/front/engine_stats.h engine/web | event jansson
src/engine/functions | shared base control worker/* corpus store findings engine engine/corpus/load.h engine/log engine/pool/pool.h engine/functions | event jansson
src/engine/front     | shared/* base control worker/* corpus store findings engine/* | event jansson
src/tools            | shared/* base control coverage symbols/source.h worker/* corpus store findings engine/engine.h tools | event jansson
src/cli              | shared/* base control cli cli/report engine/engine.h symbols/helper.h isolate/isolate.h |
src/cli/report       | shared base cli/tool.h cli/report | jansson
src/cc               | shared/* base cc                                      |
src/demo             | cfuzz.h                                               |
ui                   | shared/* base control ui/* engine/engine.h isolate/isolate.h symbols/helper.h | jansson
ui/term              | shared/* base ui/term                                 | event jansson curses
ui/model             | shared/* base control ui/term ui/model                | jansson
ui/widgets           | shared/* base control ui/term ui/model ui/widgets     |
ui/views             | shared/* base control ui/term ui/model ui/widgets ui/views | jansson
ui/views/workers     | shared/* base control ui/term ui/model ui/widgets ui/views ui/views/workers |
ui/views/corpus      | shared/* base control ui/term ui/model ui/widgets ui/views ui/views/corpus |
ui/views/coverage    | shared/* base control coverage symbols/source.h ui/term ui/model ui/widgets ui/views ui/views/coverage | event
ui/views/findings    | shared/* base control ui/term ui/model ui/widgets ui/views ui/views/findings |
ui/views/minimization | shared/* base control ui/term ui/model ui/widgets ui/views ui/views/findings ui/views/minimization |
ui/views/dashboard   | shared/* base control ui/term ui/model ui/widgets ui/views ui/views/findings ui/views/workers ui/views/dashboard |
ui/console           | shared/* base control ui/term ui/model ui/widgets ui/views ui/console ui/console/recording | event jansson
ui/console/recording | shared/* base control ui/console/recording           | event jansson
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
		if (part[1] != name && !(sub(/\/\*$/, "", part[1]) &&
			(name == part[1] || index(name, part[1] "/") == 1)))
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
	sub(/\/[^\/]*$/, "", layer)
	if (name !~ /\// && name !~ /^cfuzz(_value)?\.h$/)
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

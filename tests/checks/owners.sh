#!/bin/sh
# The inside of a module, NAME_private.h, is seen by the module's own files
# alone; all others call functions. struct engine is seen by few files, and has
# few members.

set -u
cd "$(dirname "$0")/../.." || exit 1
SEEN_BY=12
MEMBERS=40
bad=0

complain()
{
	echo "$*"
	bad=1
}

# A header NAME_private.h is for files of its folder: for NAME.c and NAME_*.c,
# and if the folder is called NAME too, for all of them. Such a folder's own
# header may include those of the parts in and below it, as engine_private.h
# does.
grep -rn '^[ 	]*#[ 	]*include[ 	]*".*_private\.h"' include src ui |
	awk -F '[:"]' '
function folder(path) {
	sub(/\/[^\/]*$/, "", path)
	return path
}
function base(path) {
	sub(/.*\//, "", path)
	return path
}
function stem(path) {
	path = base(path)
	sub(/(_private)?\.[a-z]+$/, "", path)
	return path
}
{
	header = ($4 ~ /^ui\// ? "" : "src/") $4
	part = stem(header)
	own = folder(header)
	file = stem($1)
	from = folder($1)
	if (from == own && (file == part || index(file, part "_") == 1 ||
		part == base(own)))
		next
	if ($1 ~ /_private\.h$/ && file == base(from) &&
		index(own "/", from "/") == 1)
		next
	printf "%s:%d: %s is for the files of %s\n", $1, $2, $4, part
	bad = 1
}
END { exit bad }' || bad=1

seen=$(grep -rl '^#include "engine/engine_private\.h"' src | wc -l)
[ "$seen" -le $SEEN_BY ] ||
	complain "engine_private.h is seen by $seen files; $SEEN_BY are the most"

members=$(awk '/^struct engine \{/ { inside = 1; next }
	/^\};/ { inside = 0 }
	inside && /;/ { n++ }
	END { print n + 0 }' src/engine/engine_private.h)
[ "$members" -gt 0 ] || complain "engine_private.h: no struct engine"
[ "$members" -le $MEMBERS ] ||
	complain "struct engine has $members members; $MEMBERS are the most"
exit $bad

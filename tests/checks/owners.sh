#!/bin/sh
# struct engine: few files see it, it has few members, and the struct of a part
# is seen by the part's own files alone. All others call functions.

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

# X_private.h is for X.c, X_*.c and engine_private.h.
grep -rn '^#include "engine/.*_private\.h"' src | awk -F '[:"]' '
function stem(path) {
	sub(/.*\//, "", path)
	sub(/(_private)?\.[ch]$/, "", path)
	return path
}
{
	part = stem($4)
	file = stem($1)
	if (part == "engine" || $1 == "src/engine/engine_private.h" ||
		file == part || index(file, part "_") == 1)
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

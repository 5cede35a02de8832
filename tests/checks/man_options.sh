#!/bin/sh
# Every option that `cfuzz run --help` lists stands in cfuzz(1), and none
# that it does not know.

set -u
cd "$(dirname "$0")/../.." || exit 1
cfuzz=${CFUZZ_BUILD:-build}/cfuzz
[ -x "$cfuzz" ] || { echo "$cfuzz is not built"; exit 77; }
bad=0

# One --name a line: of the help, and of the manual's list of options.
listed=$("$cfuzz" run --help |
	sed -n 's/^ *\(-[a-zA-Z], \)\{0,1\}--\([a-z-]*\).*/\2/p' | sort -u)
told=$(sed -n '/^\.Sh OPTIONS/,/^\.Sh ENV/p' man/cfuzz.1 |
	grep '^\.It F' | grep -o 'Fl Fl [a-z-]*' | sed 's/Fl Fl //' | sort -u)
[ -n "$listed" ] || { echo "$cfuzz run --help lists no option"; exit 1; }
for name in $listed; do
	printf '%s\n' "$told" | grep -qx -- "$name" || {
		echo "man/cfuzz.1 lacks --$name"
		bad=1
	}
done
for name in $told; do
	printf '%s\n' "$listed" | grep -qx -- "$name" || {
		echo "man/cfuzz.1 has --$name, which cfuzz run does not know"
		bad=1
	}
done
exit $bad

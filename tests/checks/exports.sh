#!/bin/sh
# The names that libcfuzz.a shows to a target are those of exports.txt, no
# more (they would clash with a target's own) and no fewer.

set -u
cd "$(dirname "$0")/../.." || exit 1
lib=${CFUZZ_BUILD:-build}/libcfuzz.a
list=src/target/exports.txt
[ -e "$lib" ] || { echo "no $lib"; exit 77; }

shown=$(nm --defined-only --extern-only "$lib" |
	awk 'NF == 3 { print $3 }' | sort -u)
listed=$(sed 's/#.*//; s/[[:space:]]//g; /^$/d' $list)
bad=0
for name in $(echo "$listed" | sort | uniq -d); do
	echo "$list: $name stands twice"
	bad=1
done
for name in $shown; do
	echo "$listed" | grep -qx "$name" || {
		echo "$lib: shows $name, which is not in $list"
		bad=1
	}
done
for name in $listed; do
	echo "$shown" | grep -qx "$name" || {
		echo "$list:$(grep -nx "$name" $list | cut -d : -f 1): the" \
			"runtime does not define $name"
		bad=1
	}
done
exit $bad

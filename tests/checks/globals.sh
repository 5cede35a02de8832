#!/bin/sh
# No variable is shared between files: what can change belongs to a struct
# that is passed, or is static. Those that a target must see by name
# (exports.txt) are not ours to choose.

set -u
cd "$(dirname "$0")/../.." || exit 1
build=${CFUZZ_BUILD:-build}
objects=$(find "$build/obj/src" "$build/obj/ui" "$build/runtime/target" \
	-name '*.o' 2>/dev/null | sort)
[ -n "$objects" ] || { echo "nothing built in $build"; exit 77; }
for object in $objects; do
	objdump -t "$object" | awk -v "object=${object#"$build"/}" '
		NR == FNR { exported[$1]; next }
		/^[0-9a-f]+ g/ && / O / {
			for (i = 2; i <= NF; i++)
				if ($i ~ /^(\.data|\.bss|\*COM\*)/ &&
					$i !~ /rel\.ro/ && !($NF in exported))
					print object ": " $NF " is a variable" \
						" that other files can change"
		}' src/target/exports.txt -
done | awk '{ print } END { exit NR > 0 }'

#!/bin/sh
# clang-tidy with the list of .clang-tidy, as errors, and clang's warnings for the
# same flags as the build. A file that passed is looked at again when it, a header
# or the list changed.
#
# The analyzer takes nearly all of the time, so it ends a function after NODES
# states of it: 25 000. Its own bound is 225 000, which takes five times as long.

set -u
cd "$(dirname "$0")/../.." || exit 1
command -v clang-tidy >/dev/null || { echo "no clang-tidy"; exit 77; }
nodes=${NODES:-25000}
stamps=${CFUZZ_BUILD:-build}/tidy/$nodes
warnings=$(sed -n '/^WARNINGS *=/,/[^\\]$/p' Makefile | tr -d '\\\n' |
	sed 's/^WARNINGS *= *//; s/\$(.*//')
export stamps nodes warnings
mkdir -p "$stamps"
newest=$(ls -t .clang-tidy $(find include src ui -name '*.h') | head -n 1)

find src ui -name '*.c' ! -path 'src/demo/*' | sort | while read -r file; do
	stamp=$stamps/$(echo "$file" | tr / -)
	[ -n "$(find "$file" "$newest" -newer "$stamp" 2>/dev/null)" ] ||
		[ ! -e "$stamp" ] && echo "$file"
done | xargs -P "${JOBS:-$(nproc)}" -I{} sh -c '
	stamp=$stamps/$(echo "{}" | tr / -)
	start=$stamp.start
	touch "$start"
	except=
	# They say what libc declares, whose names of parameters are reserved.
	[ {} = src/target/hooks/strings.c ] || [ {} = src/target/server/examine.c ] &&
		except=-readability-inconsistent-declaration-parameter-name
	if clang-tidy --quiet --checks="$except" {} -- -std=gnu11 $warnings -D_GNU_SOURCE= -Isrc -Iinclude \
		-I. -DCFUZZ_VERSION="\"0\"" -DCFUZZ_LIBDIR="\"/\"" \
		-DCFUZZ_INCLUDEDIR="\"/\"" -DCFUZZ_DATADIR="\"/\"" \
		-DCFUZZ_BINDIR="\"/\"" -Xclang -analyzer-config \
		-Xclang "max-nodes=$nodes" >"$stamp.log" 2>/dev/null
	then
		mv "$start" "$stamp"
		rm "$stamp.log"
	else
		cat "$stamp.log"
		exit 1
	fi'

#!/bin/bash
# Fuzzes real libraries for a while, each built by its own build system with
# cfuzz-cc, with and without AddressSanitizer.
#
# usage: run.sh [TARGET ...], of: cjson cjson-asan yaml yaml-asan
#   REAL_SECONDS  how long each is fuzzed (60)
#   REAL_SOURCES  a folder with cjson/ and libyaml/, instead of a download
#
# Everything lies in $CFUZZ_BUILD/real/. A finding in a library fails nothing;
# a build, an engine or a coverage that does not do its work does.

set -u
. "$(dirname "$0")/common.sh"
sources=$dir/sources
seconds=${REAL_SECONDS:-60}

# build_cjson OUT FLAGS
build_cjson()
{
	cmake -S "$sources/cjson" -B "$1" -DCMAKE_C_COMPILER=cfuzz-cc \
		-DCMAKE_C_FLAGS="$2" -DBUILD_SHARED_LIBS=Off \
		-DENABLE_CJSON_TEST=Off &&
		cmake --build "$1" -j 2 &&
		cfuzz-cc $2 -I"$sources/cjson" -o "$1/target" "$here/cjson.c" \
			"$1/libcjson.a"
}

build_yaml()
{
	if [ ! -x "$sources/libyaml/configure" ]; then
		(cd "$sources/libyaml" && ./bootstrap) || return 1
	fi
	mkdir -p "$1" &&
		(cd "$1" && "$sources/libyaml/configure" CC=cfuzz-cc CFLAGS="$2" \
			--disable-shared && make -j 2) &&
		cfuzz-cc $2 -I"$sources/libyaml/include" -o "$1/target" \
			"$here/yaml.c" "$1/src/.libs/libyaml.a"
}

# one NAME
one()
{
	local name=$1 library=${1%-asan} flags='-O2 -g' out=$dir/$1 status=0

	[ "$name" = "$library" ] || flags='-O1 -g -fsanitize=address'
	rm -rf "$out" && mkdir -p "$out" || return 1
	"build_$library" "$out/build" "$flags" >"$out/build.log" 2>&1 || {
		tail -n 20 "$out/build.log" >&2
		echo "$name: the build failed; all of it: $out/build.log" >&2
		return 1
	}
	timeout -k 10 $((seconds + 60)) cfuzz run --parallel 2 --no-color \
		--fuzztime "${seconds}s" --seeds "$here/seeds/$library" \
		--output "$out/output" "$out/build/target" \
		>"$out/run.log" 2>&1 || status=$?
	python3 "$here/report.py" "$name" "$out/output" "$status" || {
		tail -n 20 "$out/run.log" >&2
		return 1
	}
}

fetch_need dpkg-dev:dpkg-source cmake:cmake autoconf:autoconf \
	automake:automake libtool:libtoolize patch:patch make:make \
	python3:python3 || exit 1
mkdir -p "$sources" || exit 1
dir=$(cd "$dir" && pwd)
sources=$dir/sources
fetch_package "$sources" cjson 1.7.15 || fail 'cJSON cannot be fetched'
fetch_package "$sources" libyaml 0.2.5 || fail 'libyaml cannot be fetched'

failed=0
[ $# -gt 0 ] || set -- cjson cjson-asan yaml yaml-asan
for word in "$@"; do
	case $word in
	cjson | cjson-asan | yaml | yaml-asan) ;;
	*) fail "there is no target $word" ;;
	esac
done
echo "$seconds s each, two workers, one seed:" \
	"cJSON $(cat "$sources/cjson.version" 2>/dev/null)," \
	"libyaml $(cat "$sources/libyaml.version" 2>/dev/null)"
python3 "$here/report.py" --head
for word in "$@"; do
	one "$word" || failed=$((failed + 1))
done
[ "$failed" -eq 0 ] || fail "$failed of $# failed"

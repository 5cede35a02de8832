#!/bin/bash
# Measures speed, memory and overhead; prints a table and writes bench.json.
#
# usage: run.sh [FIGURE ...], of: empty cjson start memory console deaths
#                                 compare-cjson compare-yaml
#   BENCH_SECONDS  how long the longest figures take (30)
#   BENCH_ROUNDS   rounds of the comparisons, tools taking turns (3)
#   BENCH_CORE     the core to measure on (the one that is idle most)
#
# Everything lies in $CFUZZ_BUILD/bench/, except bench.json.

set -u
src=${CFUZZ_SRC:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${CFUZZ_BUILD:-$src/build}
dir=$build/bench
unset CFUZZ_CC CFUZZ_CXX CFUZZ_NO_INSTRUMENT CC CXX CFLAGS CXXFLAGS CPPFLAGS \
	LDFLAGS MAKEFLAGS MFLAGS
export LC_ALL=C.UTF-8 CFUZZ_QUIET=1
. "$src/tests/real/fetch.sh"

fetch_need python3:python3 clang:clang dpkg-dev:dpkg-source tmux:tmux || exit 1
mkdir -p "$dir" "$build/real/sources" || exit 1
dir=$(cd "$dir" && pwd)
sources=$(cd "$build/real/sources" && pwd)
fetch_package "$sources" cjson 1.7.15 && fetch_package "$sources" libyaml 0.2.5 ||
	echo 'bench: real libraries cannot be fetched, their figures are left out'
exec env CFUZZ_SRC="$src" CFUZZ_BUILD="$(cd "$build" && pwd)" \
	BENCH_DIR="$dir" BENCH_SOURCES="$sources" \
	python3 "$src/tests/bench/bench.py" "$@"

#!/bin/bash
# Measures speed, coverage and overhead, beside libFuzzer and AFL++ where they
# are installed; see usage below.

usage()
{
	cat <<'TEXT'
usage: make bench, make bench-min, or tests/bench/run.sh [FIGURE ...]

Prints each figure with its goal, and writes build/bench.json. Figures, and
the goals they have:

  empty           the empty target: executions/s, of all three tools
  cjson           cJSON for a while: executions/s
  start           from the start of the tool to the first execution
  memory          of the engine, with 10 000 inputs
  console         what the console takes of a core
  first-paint     from the start of the console to its first frame
  key             from a key to the screen, on a machine that has much to do
  console-many    the console with 64 workers and 100 000 inputs, each view
  console-week    its memory over 50 000 snapshots
  terminal-stuck  what a terminal that is not read costs in executions
  idle-bytes      bytes that are written to the terminal for a frame
  ends            how late a campaign ends, by its limit and by a signal, while
                  the target dies, hangs, or loses memory
  reports         with 10 000 inputs and 200 findings: /metrics while the
                  campaign runs; the page of cfuzz report, its time and size
  deaths          a target that dies each time: deaths/s, cost of a new child
  minimize        a failing input of 4 KiB, ASan: size and time, beside afl-tmin
                  and libFuzzer; candidates that die, per second
  encoding        texts of typed inputs: time per byte does not grow
  mutate          a mutation of bytes and scalars, and that the capacity is free
  call            a call of one execution, from engine to child and back
  workers         two workers, against one
  many            64 workers on two cores: what the engine takes of a core
  callgrind       share of the target in a fuzzing process's instructions
  compare-cjson   cfuzz, libFuzzer and AFL++ side by side on cJSON 1.7.15,
  compare-yaml    libyaml 0.2.5,
  compare-expat   expat 2.5.0
  compare-lua     and the parser of Lua 5.4.4: executions/s and edges
  programs        xmllint, tiffinfo and file as their packages build them, with
                  cfuzz-cc and afl-clang-fast, and as Debian ships them,
                  beside afl-fuzz: executions/s, edges, findings
  puzzles         time to the solution of each of tests/bench/puzzles/

  BENCH_SECONDS   how long a comparison runs, and the most that a puzzle may
                  take, at most 60; other figures take a part of it (60)
  BENCH_ROUNDS    rounds of a comparison, tools taking turns (3)
  BENCH_SEEDS     random seeds that each puzzle is solved with (5)
  BENCH_JSON      name of the file with all numbers in the build folder
                  (bench.json)
  BENCH_PUZZLES   the puzzles, by their names (all of them)
  BENCH_PROGRAMS  the programs, by their names (all of them)
  BENCH_TOOLS     who takes part beside cfuzz: libfuzzer, afl (both)
  BENCH_CORE      the core to measure on (the one that is idle most)
  REAL_SOURCES    a folder with cjson/ libyaml/ expat/ lua5.4/ libxml2/ tiff/
                  file/, instead of a download of Debian's source packages

A whole round takes an hour or two, because what a peer cannot solve takes
its time. For a quick look at all of it:

  BENCH_SECONDS=3 BENCH_ROUNDS=1 BENCH_SEEDS=1 make bench

The comparisons want afl++, clang and its libclang-rt-dev, callgrind wants
valgrind. What is missing is installed if we are root, else left out.
Everything lies in build/bench/, except bench.json.
TEXT
}

set -u
src=${CFUZZ_SRC:-$(cd "$(dirname "$0")/../.." && pwd)}
build=${CFUZZ_BUILD:-$src/build}
dir=$build/bench
unset CFUZZ_CC CFUZZ_CXX CFUZZ_NO_INSTRUMENT CC CXX CFLAGS CXXFLAGS CPPFLAGS \
	LDFLAGS MAKEFLAGS MFLAGS
export LC_ALL=C.UTF-8 CFUZZ_QUIET=1 PYTHONDONTWRITEBYTECODE=1
. "$src/tests/real/fetch.sh"

case ${1:-} in
-h | --help)
	usage
	exit 0
	;;
-*)
	usage >&2
	exit 2
	;;
esac
fetch_need python3:python3 clang:clang dpkg-dev:dpkg-source || exit 1
has_libfuzzer()
{
	echo 'int LLVMFuzzerTestOneInput(void *p, long n) { return !p && n; }' |
		clang -fsanitize=fuzzer -x c - -o /dev/null 2>/dev/null
}

for wish in tmux:tmux valgrind:valgrind afl++:afl-fuzz make:make cmake:cmake \
	libxml2-utils:xmllint libtiff-tools:tiffinfo file:file; do
	fetch_need "$wish" || echo "bench: without ${wish%:*}"
done
has_libfuzzer || fetch_install "libclang-rt-$(clang -dumpversion |
	cut -d . -f 1)-dev" || echo 'bench: without libFuzzer'
mkdir -p "$dir" "$build/real/sources" || exit 1
dir=$(cd "$dir" && pwd)
sources=$(cd "$build/real/sources" && pwd)
[ "$*" = minimize ] || while read -r name version; do
	fetch_package "$sources" "$name" "$version" </dev/null ||
		echo "bench: $name cannot be fetched and is left out"
done <<'LIST'
cjson 1.7.15
libyaml 0.2.5
expat 2.5.0
lua5.4 5.4.4
libxml2 2.9.14
tiff 4.5.0
file 5.44
LIST
exec env CFUZZ_SRC="$src" CFUZZ_BUILD="$(cd "$build" && pwd)" \
	BENCH_DIR="$dir" BENCH_SOURCES="$sources" \
	python3 "$src/tests/bench/bench.py" "$@"

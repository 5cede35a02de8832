#!/bin/sh
# Runs tests side by side and counts them.
#
# usage: run.sh KIND:NAME ...
#   check:NAME   tests/checks/NAME.sh
#   unit:NAME    the program $CFUZZ_BUILD/tests/NAME
#   e2e:PATH     an executable script
#
# Prints one line for each test (V: and its log). Logs stay in
# $CFUZZ_BUILD/tests/log. A script that exits with 77 is skipped.
# $CFUZZ_BUILD/tests/times has a line for each test: the seconds of the processor
# that it and its children took, the seconds that passed, its name.
# At the end each failed test has a block: its name, the last 40 lines of its
# log, and the command that repeats it ($REPEAT is that command's beginning).
# $FAILED, if set, is a file that gets these blocks as well.
# The last line is `N passed, N failed`; the exit status is 1 if one failed.

set -u
log=$CFUZZ_BUILD/tests/log

# Sets `out` to the log of a test.
log_of()
{
	out=$log/${1%%:*}-$(echo "${1#*:}" | tr / -)
}

one()
{
	kind=${1%%:*}
	name=${1#*:}
	log_of "$1"
	start=$(date +%s)
	limit=14400 # of what hangs: what is slow has all the time it needs
	case $kind in
	check) set -- sh "tests/checks/$name.sh" ;;
	unit) set -- "$CFUZZ_BUILD/tests/$name" ;;
	*) set -- "./$name" ;;
	esac
	timeout -k 10 "$limit" "$@" >"$out" 2>&1 </dev/null
	status=$?
	took=$(($(date +%s) - start))
	times >"$out.times" # in this shell: the test was its only large child
	case $status in
	0) verdict=ok ;;
	77) verdict=skip ;;
	124 | 137) verdict=FAIL; echo "(ended after $limit seconds)" >>"$out" ;;
	*) verdict=FAIL; echo "(exit status $status)" >>"$out" ;;
	esac
	note=
	[ "$took" -gt 9 ] && note=" (${took} s)"
	[ $verdict = skip ] && note=": $(tail -n 1 "$out")"
	{
		flock 9 # one at a time, so that lines do not mix
		printf '%-5s %s %s%s\n' "$verdict" "$kind" "$name" "$note"
		[ -z "${V:-}" ] || sed 's/^/      /' "$out"
		echo "$verdict $kind:$name" >>"$CFUZZ_BUILD/tests/results"
		awk -F '[ms ]+' -v took="$took" -v name="$kind:$name" 'NR == 2 {
			printf "%.1f %d %s\n", 60 * ($1 + $3) + $2 + $4, took,
				name
		}' "$out.times" >>"$CFUZZ_BUILD/tests/times"
		rm -f "$out.times"
	} 9>"$log/lock"
}

# What somebody who sees only the end of the output needs to know.
explain()
{
	kind=${1%%:*}
	name=${1#*:}
	log_of "$1"
	case $kind in
	check) again="check-$name" ;;
	unit) again="test-unit T=$name" ;;
	*) again=${name##*/}; again="test-e2e E=${again%.*}" ;;
	esac
	printf '\nFAIL  %s %s, the last lines of its log:\n' "$kind" "$name"
	# Not the cases that passed: they may be many.
	sed '/^ok  /d' "$out" | tail -n 40 | sed 's/^/      /'
	printf 'again: %s %s\n' "${REPEAT:-make}" "$again"
}

if [ "${1:-}" = --one ]; then
	one "$2"
	exit 0
fi

mkdir -p "$log"
: >"$CFUZZ_BUILD/tests/results"
: >"$CFUZZ_BUILD/tests/times"
export PATH="$CFUZZ_BUILD:$PATH"
export XDG_RUNTIME_DIR="$CFUZZ_BUILD/tests/none" # no list of campaigns
[ $# -eq 0 ] || printf '%s\n' "$@" | xargs -P "${JOBS:-2}" -n 1 sh "$0" --one
passed=$(grep -c '^ok' "$CFUZZ_BUILD/tests/results")
failed=$(($# - passed - $(grep -c '^skip' "$CFUZZ_BUILD/tests/results")))
sed -n 's/^FAIL //p' "$CFUZZ_BUILD/tests/results" | while read -r test; do
	explain "$test"
done | tee -a "${FAILED:-/dev/null}"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]

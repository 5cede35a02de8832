#!/bin/sh
# Runs tests side by side and counts them.
#
# usage: run.sh KIND:NAME ...
#   check:NAME   tests/checks/NAME.sh
#   unit:NAME    the program $CFUZZ_BUILD/tests/NAME
#   e2e:PATH     an executable script
#
# One line for each; the log of one that failed follows its line (V: of each).
# Logs stay in $CFUZZ_BUILD/tests/log. A script that exits with 77 is skipped.
# The last line is `N passed, N failed`; the exit status is 1 if one failed.

set -u
log=$CFUZZ_BUILD/tests/log

one()
{
	kind=${1%%:*}
	name=${1#*:}
	out=$log/$kind-$(echo "$name" | tr / -)
	start=$(date +%s)
	limit=1800 # of what hangs: what is slow has all the time it needs
	case $kind in
	check) set -- sh "tests/checks/$name.sh" ;;
	unit) set -- "$CFUZZ_BUILD/tests/$name" ;;
	*) set -- "./$name" ;;
	esac
	timeout -k 10 "$limit" "$@" >"$out" 2>&1 </dev/null
	status=$?
	took=$(($(date +%s) - start))
	case $status in
	0) verdict=ok ;;
	77) verdict=skip ;;
	124 | 137) verdict=FAIL; echo "(ended after $limit seconds)" >>"$out" ;;
	*) verdict=FAIL; echo "(exit status $status)" >>"$out" ;;
	esac
	note=
	[ "$took" -gt 9 ] && note=" (${took} s)"
	[ $verdict = skip ] && note=": $(tail -n 1 "$out")"
	text=$(printf '%-5s %s %s%s' "$verdict" "$kind" "$name" "$note")
	if [ $verdict = FAIL ] || [ -n "${V:-}" ]; then
		text=$(printf '%s\n' "$text"; sed 's/^/      /' "$out")
	fi
	{
		flock 9 # one at a time, so that logs do not mix
		printf '%s\n' "$text"
		echo "$verdict $kind:$name" >>"$CFUZZ_BUILD/tests/results"
	} 9>"$log/lock"
}

if [ "${1:-}" = --one ]; then
	one "$2"
	exit 0
fi

mkdir -p "$log"
: >"$CFUZZ_BUILD/tests/results"
export PATH="$CFUZZ_BUILD:$PATH"
[ $# -eq 0 ] || printf '%s\n' "$@" | xargs -P "${JOBS:-2}" -n 1 sh "$0" --one
passed=$(grep -c '^ok' "$CFUZZ_BUILD/tests/results")
failed=$(($# - passed - $(grep -c '^skip' "$CFUZZ_BUILD/tests/results")))
sed -n 's/^FAIL /failed: /p' "$CFUZZ_BUILD/tests/results"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]

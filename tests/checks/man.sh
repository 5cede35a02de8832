#!/bin/sh
# The manual pages are clean mdoc, name the options and the members of JSON that
# there are, and look right on a terminal of 80 columns, whichever of mandoc and
# groff draws them.

set -u
cd "$(dirname "$0")/../.." || exit 1
set -- man/*.[1-9]
[ -e "$1" ] || { echo "no manual pages"; exit 77; }
sh tests/checks/man_options.sh
[ $? -ne 1 ] || exit 1
sh tests/checks/man_members.sh || exit 1

faults=$(mktemp) || exit 1
trap 'rm -f "$faults"' EXIT

# A quote that begins an argument of a macro ends it too: it is not printed,
# and what stands behind it is another argument.
grep -nE '^[.].* "[^"]*"[^ ]' "$@" |
	sed 's/$/: write \\(dq for a quote that is to be seen/' >>"$faults"

# What a reader sees of a page on stdin, without bold and underlined letters.
plain() {
	sed 's/\x1b\[[0-9;]*m//g; s/.\x08//g'
}

# wide PAGE PROGRAM: the lines on stdin that do not fit.
wide() {
	plain | LC_ALL=C.UTF-8 grep -E '^.{81}' | sed "s|^|$1, drawn by $2: |"
}

drawers=
if command -v mandoc >/dev/null; then
	drawers=mandoc
	mandoc -T lint -W warning "$@" | sed 's/^mandoc: //' >>"$faults"
	for page in "$@"; do
		mandoc -T ascii -O width=80 "$page" | wide "$page" mandoc
	done >>"$faults"
fi
if command -v groff >/dev/null; then
	drawers="$drawers groff"
	# 78 is what man(1) takes for 80 columns.
	for page in "$@"; do
		groff -mandoc -T ascii -ww -rLL=78n "$page" 2>&1 >/dev/null |
			sed "s|^|$page: |"
		groff -mandoc -T ascii -rLL=78n "$page" 2>/dev/null |
			wide "$page" groff
	done >>"$faults"
fi
cat "$faults"
[ ! -s "$faults" ] || exit 1
[ -n "$drawers" ] || { echo "neither mandoc nor groff"; exit 77; }

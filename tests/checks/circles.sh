#!/bin/sh
# Circles of include lines. A module is X.h with its X.c and each X_*.c that has
# no header of its own. Where modules include one another, only an owner and its
# parts may: one of them is X, and the names of all others begin with X_ in the
# same folder (store.h, store_private.h).

set -u
cd "$(dirname "$0")/../.." || exit 1

find include src ui \( -name '*.[ch]' -o -name '*.cc' \) -print0 | sort -z |
	xargs -0 grep -HE '^[ 	]*#[ 	]*include[ 	]*"' | awk '
# The circle that holds module m: all that it reaches and that reaches it.
function circle(m,    queue, n, i, to, targets, k, c) {
	for (k in reached)
		delete reached[k]
	queue[n = 1] = m
	for (i = 1; i <= n; i++) {
		c = split(uses[queue[i]], targets, " ")
		for (k = 1; k <= c; k++) {
			to = targets[k]
			if (!(to in reached)) {
				reached[to]
				queue[++n] = to
			}
		}
	}
}
# Do the names of all members begin with the name of one of them?
function owned(n,    i, k, fit) {
	for (i = 1; i <= n; i++) {
		fit = 0
		for (k = 1; k <= n; k++)
			fit += k == i || index(member[k], member[i] "_") == 1
		if (fit == n)
			return 1
	}
	return 0
}
{
	from = $0
	sub(/:.*/, "", from)
	sub(/\.[a-z]+$/, "", from)
	split($0, quoted, "\"")
	to = quoted[2]
	sub(/\.[a-z]+$/, "", to)
	to = (to ~ /\// ? (to ~ /^ui\// ? "" : "src/") : "include/") to
	header[to]
	file[NR] = from
	includes[NR] = to
}
# The header whose functions a file has; without one, the file itself.
function module(name,    x) {
	for (x = name; !(x in header); )
		if (!sub(/_[^_\/]*$/, "", x))
			return name
	return x
}
END {
	for (i = 1; i <= NR; i++) {
		from = module(file[i])
		to = includes[i]
		if (from == to || (from, to) in seen)
			continue
		seen[from, to]
		uses[from] = uses[from] " " to
		order[++modules] = from
	}
	for (i = 1; i <= modules; i++) {
		m = order[i]
		if (m in done)
			continue
		circle(m)
		if (!(m in reached))
			continue
		n = 0
		for (k in reached)
			may[k]
		member[n = 1] = m
		done[m]
		for (k in may) {
			circle(k)
			if (k != m && (m in reached)) {
				member[++n] = k
				done[k]
			}
			delete may[k]
		}
		if (owned(n))
			continue
		bad = 1
		printf "%d modules include one another:", n
		for (k = 1; k <= n; k++)
			printf " %s", member[k]
		print ""
	}
	exit bad
}'

#!/bin/sh
# Circles of include lines. A module is X.h with its X.c; where modules include
# one another, only an owner and its parts may: one of them is X, and the names
# of all others begin with X_ in the same folder (store.h, store_private.h).
# Whatever else goes round needs a row in the table, with a reason; a circle may
# have fewer modules than its row, never more.

set -u
cd "$(dirname "$0")/../.." || exit 1

# reason | modules
table()
{
	cat <<'TABLE'
one struct, until its parts are modules | src/engine/coordinator src/engine/engine_end src/engine/engine_end_private src/engine/entries src/engine/finding_budget src/engine/first_answer src/engine/front/answers src/engine/front/commands src/engine/front/server src/engine/front/snapshot_view src/engine/grow_memory src/engine/load src/engine/functions/new_functions src/engine/new_inputs src/engine/functions/pc_table_calls src/engine/pool src/engine/pool_private src/engine/schedule src/engine/statistics/statistics src/engine/triage/dedup src/engine/triage/finding_details src/engine/triage/minimize_tasks src/engine/triage/naming src/engine/triage/record src/engine/triage/suspect src/engine/triage/triage src/engine/triage/triage_sequence src/engine/trim
TABLE
}

{
	table | sed 's/^/row /'
	find include src ui \( -name '*.[ch]' -o -name '*.cc' \) -print0 |
		sort -z | xargs -0 grep -HE '^[ 	]*#[ 	]*include[ 	]*"'
} | awk '
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
function listed(n,    r, i, fit) {
	for (r = 1; r <= rows; r++) {
		fit = 0
		for (i = 1; i <= n; i++)
			fit += index(" " row[r] " ", " " member[i] " ") > 0
		if (fit == n)
			return 1
	}
	return 0
}
/^row / {
	sub(/^row /, "")
	sub(/^[^|]*\| */, "")
	row[++rows] = $0
	next
}
{
	from = $0
	sub(/:.*/, "", from)
	sub(/\.[a-z]+$/, "", from)
	split($0, quoted, "\"")
	to = quoted[2]
	sub(/\.[a-z]+$/, "", to)
	to = (to ~ /\// ? (to ~ /^ui\// ? "" : "src/") : "include/") to
	if (from != to && !((from, to) in seen)) {
		seen[from, to]
		uses[from] = uses[from] " " to
		order[++modules] = from
	}
}
END {
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
		if (owned(n) || listed(n))
			continue
		bad = 1
		printf "%d modules include one another:", n
		for (k = 1; k <= n; k++)
			printf " %s", member[k]
		print ""
	}
	exit bad
}'

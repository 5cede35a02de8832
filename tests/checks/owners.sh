#!/bin/sh
# The parts of struct engine: which files may reach into which part. All others
# call functions of the part's owner. A file that is added here needs a reason.
#
# The parts that are missing (settings, target, campaign, clock, end, pool) are
# read by many files so far.

set -u
cd "$(dirname "$0")/../.." || exit 1

# part | owner | files that also reach into it
table()
{
	cat <<'TABLE'
timers     | engine             | load
counts     | coordinator        | engine engine_end earlier_runs limit_effects pool schedule trim messages snapshot_view answer_corpus
load       | load               | engine engine_end set_up coordinator new_functions messages snapshot_view
earlier    | triage_resume      | engine coordinator load finding_budget hints messages earlier_runs snapshot_view
schedule   | schedule           | engine coordinator load commands snapshot_view snapshot_search answer_corpus
trims      | trim               | engine coordinator snapshot_view
pc_tables  | pc_table_calls     | engine new_functions answer_coverage
new_functions | new_functions   | engine
findings   | triage             | engine coordinator load schedule messages snapshot_view dedup naming triage_sequence triage_verify triage_minimize
dedup      | dedup              | triage finding_details
naming     | naming             | engine new_functions dedup
suspects   | suspect            | engine snapshot_view triage triage_resume
minimize   | minimize_tasks     | minimize_tasks_results minimize_tasks_steps earlier_runs snapshot_view
mutator    | mutator            |
messages   | messages           | engine coordinator schedule record snapshot_view answer_journal
effects    | limit_effects      |
front      | server             | engine snapshot_view answers export pc_table_calls
TABLE
}

table | awk '
function trim(s) { gsub(/^[ \t]+|[ \t]+$/, "", s); return s }
FILENAME == "-" {
	split($0, column, "|")
	part = trim(column[1])
	parts[part]
	n = split(column[2] " " column[3], file, " ")
	for (i = 1; i <= n; i++)
		may[part, file[i]]
	next
}
FNR == 1 {
	base = FILENAME
	sub(/.*\//, "", base)
	sub(/\.c$/, "", base)
}
{
	for (part in parts) {
		if ($0 ~ ("(^|[^a-z_])e->" part "[^a-z_(]") &&
			!((part, base) in may)) {
			printf "%s:%d: e->%s belongs to another file\n", \
				FILENAME, FNR, part
			bad = 1
		}
	}
}
END { exit bad }' - $(find src/engine -name '*.c' | sort)

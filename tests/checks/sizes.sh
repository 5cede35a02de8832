#!/bin/sh
# Files and functions are short enough to be read in one go: a .c file has at
# most 500 lines, a header 200, a function 60 between its braces.
#
# The table holds what is longer today, and how long it may be: rows go, none
# come. A row that is no longer needed is named, too.

set -u
cd "$(dirname "$0")/../.." || exit 1

# file, or file:function | lines at most
table()
{
	cat <<'TABLE'
include/cfuzz.h | 407
src/control/query.h | 348
src/control/snapshot.h | 274
src/engine/coordinator.c:coordinator_on_find | 61
src/engine/coordinator.c | 641
src/engine/pool.c | 508
src/engine/schedule.c | 535
src/engine/triage/triage.c | 551
src/shared/minimize/minimize.h | 205
src/shared/minimize/minimize_stage.c | 504
src/shared/wire/failure.c | 599
src/shared/wire/failure.h | 210
src/shared/wire/memory.h | 401
src/store/store.c | 631
src/store/store.h | 232
src/store/store_open.c | 554
src/store/writer.c | 694
src/store/writer_thread.c | 508
src/symbols/flow.c | 518
src/symbols/source_blocks.c | 522
src/symbols/source_reader.c | 526
src/target/child/child.h | 213
src/worker/worker.c | 553
src/worker/worker.h | 233
src/worker/worker_result.c | 548
ui/console/console_actions.c:console_act | 71
ui/console/player.c | 559
ui/console/prompt.c | 510
ui/console/recording.c | 536
ui/console/screen_frame.c | 585
ui/views/minimization/view_minimization.c | 540
ui/views/view_journal.c | 506
TABLE
}

table | awk '
function check(what, n, most,    limit) {
	limit = what in longer ? longer[what] : most
	if (n > limit) {
		printf "%s has %d lines, more than %d\n", what, n, limit
		bad = 1
	}
	if (what in longer && n <= most)
		printf "%s needs no row in %s\n", what, "tests/checks/sizes.sh"
}
function finish() {
	if (file != "")
		check(file, lines, file ~ /\.h$/ ? 200 : 500)
}
FILENAME == "-" {
	split($0, column, "[ \t]*[|][ \t]*")
	longer[column[1]] = column[2]
	next
}
FNR == 1 {
	finish()
	file = FILENAME
	start = 0
}
{ lines = FNR }
/^[a-z_].*\(/ {
	name = $0
	sub(/\(.*/, "", name)
	sub(/.*[ *]/, "", name)
}
/^\{/ { start = FNR }
/^\}/ {
	if (start > 0)
		check(file ":" name, FNR - start - 1, 60)
	start = 0
}
END {
	finish()
	exit bad
}' - $(find include src ui -name '*.[ch]' -o -name '*.cc' | sort)

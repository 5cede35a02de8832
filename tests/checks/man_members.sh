#!/bin/sh
# The manual names each event of the journal, and each member of the JSON that
# commands print and of crash.json, that the code has a literal for. The members
# that stand in tables are compared by tests/unit/ui/test_manual.c.

set -u
cd "$(dirname "$0")/../.." || exit 1
bad=0

# part PAGE FROM...: the requests of these sections, with a blank for a quote,
# a comma and the like.
part() {
	page=$1
	shift
	for from in "$@"; do
		awk -v from="$from" '
			/^[.]S[hs] / { on = $0 == from }
			/^[.]Sh / && from ~ /^[.]Sh / { on = $0 == from }
			on && /^[.]/' "$page"
	done | tr -c 'A-Za-z0-9_\n' ' '
}

# told WHAT TEXT: complains of each word on stdin that the text lacks.
told() {
	sort -u | while read -r name; do
		printf '%s\n' "$2" | grep -qE "(^| )$name( |\$)" ||
			echo "man/ lacks $name of $1"
	done
}

# members WHAT TEXT FILE...: of the literals in the files.
members() {
	what=$1 text=$2
	shift 2
	for file in "$@"; do
		[ -e "$file" ] || echo "there is no $file"
	done
	sed 's/^#include.*//' "$@" | grep -oE '"[a-z][a-z0-9_]+"' |
		tr -d '"' | told "$what" "$text"
}

output=man/cfuzz-output.5
faults=$(
	grep -rhoE --include='*.c' \
		'(message_(event|warn|keep_warning)|journal_event|server_note)\([^"]*"[a-z]+"' \
		src | sed 's/.*"\(.*\)"/\1/' |
		told 'the events' "$(part $output '.Sh JOURNAL.JSONL' |
			grep '^ It ')"
	members 'crash.json' \
		"$(part $output '.Sh CRASH.JSON' '.Sh JOURNAL.JSONL')" \
		src/engine/triage/record.c src/engine/triage/finding_details.c
	members 'cfuzz show --json' \
		"$(part man/cfuzz.1 '.Ss cfuzz findings' '.Ss cfuzz show')" \
		src/tools/show.c src/tools/show_finding.c \
		src/tools/show_input.c
	members 'cfuzz min --json' "$(part man/cfuzz.1 '.Ss cfuzz min')" \
		src/tools/min_say.c
	members 'cfuzz cmin --json' "$(part man/cfuzz.1 '.Ss cfuzz cmin')" \
		src/tools/cmin_say.c
	members 'cfuzz check --json' "$(part man/cfuzz.1 '.Ss cfuzz check')" \
		src/tools/check_say.c
)
[ -z "$faults" ] || { printf '%s\n' "$faults"; bad=1; }
exit $bad

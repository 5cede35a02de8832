#!/bin/sh
# A file name means one thing: no two files of the product have the same one.

set -u
cd "$(dirname "$0")/../.." || exit 1

# name | why there are two
table()
{
	cat <<'TABLE'
main     | one in each program
seeds    | the target's list of seeds: src/target/child makes it, src/corpus takes it
worker   | the two sides of a worker: src/target/child and src/worker
pc_table | the table of PCs: src/target/hooks writes it, src/worker reads it
TABLE
}

table | awk '
FILENAME == "-" {
	allowed[$1]
	next
}
{
	name = $0
	sub(/.*\//, "", name)
	module = name
	sub(/\.[a-z]+$/, "", module)
	if (name in path && !(module in allowed)) {
		print path[name] " and " $0 " have the same name"
		bad = 1
	}
	path[name] = $0
}
END { exit bad }' - /dev/fd/3 3<<FILES
$(find include src ui -name '*.[ch]' -o -name '*.cc' | sort)
FILES

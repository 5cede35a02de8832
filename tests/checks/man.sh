#!/bin/sh
# The manual pages are clean mdoc, and name the options that there are.

set -u
cd "$(dirname "$0")/../.." || exit 1
set -- man/*.[1-9]
[ -e "$1" ] || { echo "no manual pages"; exit 77; }
sh tests/checks/man_options.sh
[ $? -ne 1 ] || exit 1
command -v mandoc >/dev/null || { echo "no mandoc"; exit 77; }
mandoc -T lint -W warning "$@" | sed 's/^mandoc: //'
mandoc -T lint -W warning "$@" >/dev/null

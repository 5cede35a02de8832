#!/bin/sh
# The manual pages are clean mdoc.

set -u
cd "$(dirname "$0")/../.." || exit 1
set -- man/*.[1-9]
[ -e "$1" ] || { echo "no manual pages"; exit 77; }
command -v mandoc >/dev/null || { echo "no mandoc"; exit 77; }
mandoc -T lint -W warning "$@" | sed 's/^mandoc: //'
mandoc -T lint -W warning "$@" >/dev/null

#!/bin/sh
# Fuzzes a checkout each night. cron sends mail when a program prints something,
# so this prints only if there is news. Two lines for `crontab -e`:
#
#	PATH=/usr/local/bin:/usr/bin:/bin
#	0 3 * * *  sh /home/ann/cron.sh /home/ann/project 1h

cd "${1:?the folder of the checkout}" || exit 2
time=${2:-60s}

{
	git pull --quiet --ff-only &&
	cfuzz-cc -g -O1 -fsanitize=address fuzz.c -o fuzz
} >fuzz.log 2>&1 || {
	cat fuzz.log
	exit 2
}
cfuzz ci ./fuzz -o fuzz.out --corpus fuzz.inputs --report fuzz.report \
	--time "$time" >fuzz.log 2>&1
status=$?
if [ "$status" -ne 0 ]; then
	cat fuzz.log
fi
exit "$status"

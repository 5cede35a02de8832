#!/usr/bin/env python3
"""What holds whatever the target does: the campaign ends in time, workers
have their time for fuzzing, and none is started all the time."""

# BEGUN FIRST
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403

LATE = 50    # s; no machine is as slow, and what did not end took longer

LEAK = '''
	char *piece = malloc(1 << 20);

	probe_count();
	memset(piece, 1, 1 << 20);
	__asm__ volatile("" : : "r"(piece) : "memory");'''

COUNTS = '''
	static int calls;

	probe_count();
	if (++calls == 400)
		abort();'''

SLOW = '''
	probe_count();
	if (size > 0 && data[0] % 4 == 1)
		for (;;)
			usleep(1000);
	if (size > 0 && data[0] % 4 == 3)
		abort();'''


@each(('leaks', LEAK, ['--rss-limit', 96, '--timeout', 500]),
      ('hangs_for_long', SLOW, ['--timeout', '60s']))
def ends_in_time(body, options):
    target = build(one_input(body))
    began = time.monotonic()
    r = start(target, '-j', 1, '--fuzztime', '3s', '--finish-time', '1000',
              '--max-len', 256, '--seeds', seeds([b'x' * 128]), *options)
    r.wait(LATE)
    took = time.monotonic() - began
    r.end()
    check(r.status in (0, 1), 'exit status %d:%s', r.status, r.describe())
    check(took < LATE, 'it took %.1f s', took)


@each(('leaks', LEAK, ['--rss-limit', 96]),
      ('fails_and_hangs', SLOW, ['--timeout', 50]))
def workers_fuzz(body, options):
    # Findings have a quarter of the time, and what was under way at the end.
    r = run(build(one_input(body)), '-j', 1, '--fuzztime', '6s',
            '--finish-time', 0, '--max-len', 256, '--seeds',
            seeds([b'x' * 128]), *options, status=1)
    s = r.stats
    check(s['triage_time_s'] > 0, 'findings had no time')
    # They would have all of it; a machine may stand still at any moment.
    check(s['triage_time_s'] < 3 / 4 * s['elapsed_s'],
          'findings had %.1f s of %.1f', s['triage_time_s'], s['elapsed_s'])


@case
def verified_by_the_next():
    # It fails at the very end: alone it does not, and there is no time left.
    target = build(one_input(COUNTS.replace('400', '40')))
    r = run(target, '-j', 1, '--fuzztime', '40x', '--finish-time', 0,
            '--verify', 2, '--seeds', seeds([b'x', b'yz']), status=1)
    left = [e['text'] for e in r.events('left')]
    equal(left, ['1 finding to verify, 0 to make smaller, 0 suspects to run '
                 'again'], 'the journal')
    check(r.said('left for the next start: ' + left[0]),
          'that is not told:%s', r.describe())
    bucket = r.bucket()
    equal(bucket.info.get('left'), 'verify', 'what is left')
    check(bucket.has('before'), 'what ran before it is not kept')
    r = run(target, '-j', 1, '--fuzztime', '20x', '--verify', 2, status=1)
    info = r.bucket().info
    equal((info['state'], info.get('sequence'), info.get('left')),
          ('confirmed', 40, None), 'state, inputs in a row, what is left')
    check(not bucket.has('before'), 'what ran before it is still kept')
    check(not r.said('left for'), 'something is left:%s', r.describe())


@case
def minimized_by_the_next():
    body = '''
	for (size_t i = 0; i < size; i++)
		if (data[i] == '!')
			abort();'''
    target = build(one_input(body))
    r = run(target, '-j', 1, '--fuzztime', '1x', '--finish-time', 0,
            '--verify', 0, '--seeds', seeds([b'some words!']), status=1)
    check(r.said('1 to make smaller'), 'that is not told:%s', r.describe())
    equal(r.bucket().info.get('left'), 'minimize', 'what is left')
    r = start(target, '-j', 1, '--verify', 0, '--seeds',
              seeds([b'harmless'], 'others'))
    r.end_at('minimized: ')
    equal(r.bucket().minimized, b'!', 'the minimized input')
    equal(r.bucket().info.get('left'), None, 'what is left')


@case
def suspects_of_the_last():
    target = build(one_input('''
	if (size == 4 && memcmp(data, "kill", 4) == 0)
		raise(SIGKILL);''', '#include <signal.h>\n'))
    r = run(target, '-j', 1, '--fuzztime', '1x', '--finish-time', 0,
            '--seeds', seeds([b'kill']), status=0)
    check(r.said('1 suspect to run again'), 'that is not told:%s',
          r.describe())
    equal(r.suspects(), [b'kill'], 'suspects')
    r = run(target, '-j', 1, '--fuzztime', '20x', '--seeds',
            seeds([b'harmless'], 'others'), status=1)
    equal(r.bucket().input, b'kill', 'the finding')
    equal(r.suspects(), [], 'suspects')


@case
def a_hang_of_the_last():
    # Found by the run that believes it: counted, dated, and its exit status.
    # On a busy machine others may be slow, but nothing else hangs.
    target = build(one_input('''
	if (size == 4 && memcmp(data, "hang", 4) == 0)
		probe_wait_for_ever();'''))
    r = run(target, '-j', 1, '--fuzztime', '1x', '--finish-time', 0,
            '--timeout', 200, '--seeds', seeds([b'hang']), status=0)
    check(r.said('1 suspect to run again'), 'that is not told:%s',
          r.describe())
    # One execution is the seed's: nothing else is made that hangs.
    r = run(target, '-j', 1, '--fuzztime', '1x', '--timeout', 1500, '--seeds',
            seeds([b'harmless'], 'others'), status=1)
    found = r.bucket('hangs')
    info = found.info
    equal(found.input, b'hang', 'the finding')
    equal((info['count'], info['state']), (1, 'confirmed'), 'what is said')
    check(info['first_at'] and info['first_at'] == info['last_at'],
          'when it was seen: %r', info)
    check(b'hang' not in r.suspects(), 'it is a suspect as well')


def so_far(path):
    return read(path).decode() if os.path.exists(path) else ''


def starts():
    """How often the only worker was started."""
    return so_far('debug.log').count('DEBUG worker 0: down --spawn')


@each(('by_its_input', THREAD, 'abort();', 1),
      ('its_parent', '#include <signal.h>\n',
       'kill(getppid(), SIGKILL); for (;;) pause();', None))
def starts_are_few(head, body, status):
    # Each execution ends the worker itself. A machine that stands still only
    # makes them fewer in all of the time.
    target = build(one_input('\tprobe_count();\n\t' + body, head))
    begin = time.monotonic()
    r = start(target, '-j', 1, '--verify', 2, '--minimizetime', 0,
              '--debug=debug.log', '--seeds', seeds([b'a', b'b', b'c']))
    # Where starts are slow by themselves, nobody says why they wait.
    wait_for(lambda: starts() > 200 or starts() > 15 and '5 times a second' in
             r.stdout + so_far(r.path('journal.jsonl')),
             lambda: 'starts, and why it waits:%s' % r.describe())
    r.signal(signal.SIGINT)
    r.end(status)
    took = time.monotonic() - begin
    n = starts()
    check(n <= 5 * took + 6, '%d starts in %.2f s', n, took)


main()

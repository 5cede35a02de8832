#!/usr/bin/env python3
"""Memory that an input makes the target lose is a finding."""

import os
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403

WAYS = (('clang-address', 'clang', 'address'), ('gcc-address', 'gcc', 'address'),
        ('gcc-leak', 'gcc', 'leak'))


def leaky(compiler=None, sanitizer='address'):
    if compiler and not shutil.which(compiler):
        raise Skip(compiler + ' is not installed')
    return build('leaks.c', flags=['-fsanitize=' + sanitizer],
                 compiler=compiler)


@each(*[(w[0],) + w[1:] for w in WAYS])
def found(compiler, sanitizer):
    # On one branch only: one finding, true, and made as small as can be.
    target = leaky(compiler, sanitizer)
    r = start(target, '-j', 2, '--seeds', seeds([b'lo and a tail']))
    r.wait_line('minimized: ')
    r.wait_named()
    r.signal(signal.SIGINT)
    r.end(1)
    bucket = r.bucket('leaks')
    equal(len(r.buckets()), 1, 'findings')
    info = bucket.info
    equal((info['kind'], info['what']), ('leak', 'leak'), 'kind and what')
    equal(info['where'].split()[0], 'leaks_copy', 'where')
    equal(info['state'], 'confirmed', 'the state of the finding')
    equal((info['reproduced'], info['replays']), (5, 5), 'replays')
    equal(bucket.minimized, b'lo', 'the minimized input')
    check('LeakSanitizer' in bucket.report, 'no report: %s', bucket.report)
    check(r.events('leak'), 'the journal tells of no leak')
    status, out = repro(target, bucket.path)
    equal(status, 1, 'status of cfuzz repro')
    check('leak in leaks_copy' in out, 'cfuzz repro does not tell: %s', out)
    equal(repro(target, bucket.path, options=['--no-leaks'])[0], 0,
          'status of cfuzz repro --no-leaks')
    equal(repro(target, write('fine', 'la'))[0], 0, 'status for another input')


@each(('once', {}), ('growing', {'LEAKS_CACHE': '1'}))
def kept_is_no_leak(env):
    # Inputs that are none of the leaking: their length alone sees to that.
    r = run(leaky(), '-j', 2, '--fuzztime', '20000x', '--max-len', 1, '--seeds',
            seeds([b'c']), env=env, status=0)
    equal(r.stats['execs'], 20000, 'executions')
    r.no_findings()


@each(('option', ['--no-leaks'], {}),
      ('asan', [], {'ASAN_OPTIONS': 'detect_leaks=0'}))
def not_wanted(options, env):
    # Each execution loses something, and nobody minds.
    r = run(leaky(), '-j', 2, '--fuzztime', '5000x', *options, '--seeds',
            seeds([b'lost']), env=dict(env, LEAKS_ALWAYS='1'), status=0)
    equal(r.stats['execs'], 5000, 'executions')
    r.no_findings()
    check('leaks' not in r.stdout, 'leaks are spoken of:%s', r.describe())


@each(('forbidden', 'LEAKS_FORBID', 'ptrace'),
      ('early', 'LEAKS_EARLY', 'before its first input'))
def not_possible(name, why):
    # Said once; the rest goes on.
    r = run(leaky(), '-j', 2, '--fuzztime', '5000x', '--seeds',
            seeds([b'lost']), env={name: '1', 'LEAKS_ALWAYS': '1'}, status=0)
    equal(r.stats['execs'], 5000, 'executions')
    equal(r.stdout.count('leak detection is off'), 1, 'times it is said')
    check(why in r.stdout, 'it does not say why:%s', r.describe())
    r.no_findings()


@case
def exact_limit():
    # What is run for leaks' sake is an execution like any other.
    head = '#include <stdlib.h>\nstatic void *volatile kept[1 << 20];\n'
    target = build(one_input('''
	static int n;

	probe_count();
	kept[n++ % (1 << 20)] = malloc(1);''', head),
                   flags=['-fsanitize=address'])
    r = run(target, '-j', 2, '--fuzztime', '3000x', '--minimizetime', 0,
            '--seeds', seeds([b'seed']), status=0)
    equal(r.stats['execs'], 3000, 'executions')
    equal(r.calls, 3000, 'calls of the target')


main()

#!/usr/bin/env python3
"""--on-finding, --on-end and --stop-after-idle: commands that are told what was
found, commands that hang, flood or are missing, and a campaign without news."""

import json
import os
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403

# Six places that fail, each for another letter.
FAILS = one_input('\n'.join('''
	if (size > 0 && data[0] == '%c')
		cfuzz_fail("a %c\\x1b[31m'$(touch evil)'");''' % (c, c)
                            for c in 'abcdef'))
SEEDS = [b'a', b'b', b'c', b'd', b'e', b'f']


def hook(name, text):
    path = write(name, '#!/bin/sh\n' + text)
    os.chmod(path, 0o755)
    return path


def campaign(*options, source=FAILS, seeds_of=None, status=1):
    r = start(build(source), '-j', 1, '--verify', 0, '--minimizetime', 0,
              *options, *(['--seeds', seeds(seeds_of)] if seeds_of else []))
    r.end(status)
    return r


def told(folder):
    """What each command was told, by time."""
    files = sorted(os.listdir(folder))
    return [json.loads(read(os.path.join(folder, f))) for f in files]


@case
def findings_and_end():
    os.mkdir('told')
    script = hook('tell.sh', '''
n=$(ls "$1" | wc -l)
cat >"$1/$n.part" && mv "$1/$n.part" "$1/$n"
[ -e "$CFUZZ_OUTPUT" ] || touch wrong
[ "$CFUZZ_EVENT" = end ] || [ -s "$CFUZZ_PATH/input" ] || touch wrong
''')
    command = "%s 'told'" % script
    r = campaign('--on-finding', command, '--on-end', command, '--fuzztime',
                 '3s', seeds_of=SEEDS[:2])
    facts = told('told')
    ends = [f for f in facts if f['event'] == 'end']
    found = [f for f in facts if f['event'] == 'finding']
    equal(len(ends), 1, 'ends')
    equal(facts[-1]['event'], 'end', 'the last one')
    equal(len(found), len(r.buckets()), 'findings')
    equal(ends[0]['findings'], len(r.buckets()), 'findings at the end')
    equal(ends[0]['exit'], 1, 'exit status')
    for f in found:
        check(os.path.exists(os.path.join(f['path'], 'input')), 'path: %s', f)
        check(f['text'].isprintable(), 'control characters: %r', f)
        equal(f['output'], os.path.abspath('out'), 'output')
    check(not os.path.exists('wrong'), 'a variable is wrong')
    check(not os.path.exists('evil'), 'a shell ran what the target said')
    check(not [e for e in r.journal if e['event'] == 'hook'], 'it complains')
    nobody_left()


@each(('hangs', 'sleep 1000 & sleep 1000', 'killed when its time was up'),
      ('fails', 'exit 3', 'ended with status 3'),
      ('floods', 'yes', 'killed when its time was up'),
      ('crashes', 'kill -SEGV $$', 'ended by signal 11'))
def bad_hook(text, why):
    # Said once; the campaign goes on, and nobody is left. Who ends by himself
    # has the time for that on a busy machine, too.
    script = hook('bad.sh', text)
    r = campaign('--on-finding', script, '--on-end', script, '--hook-time',
                 '300' if 'time' in why else '60000', '--fuzztime',
                 '3s', seeds_of=SEEDS)
    said = [e['text'] for e in r.journal if e['event'] == 'hook']
    check(len(said) <= 1, 'said often: %s', said)
    for option in '--on-finding: ', '--on-end: ':
        lines = [n for n in (r.stdout + r.stderr).splitlines()
                 if option + script in n]
        equal(len(lines), 1, 'times that it is said')
        check(why in lines[0], 'said: %s', lines)
    equal(len(r.buckets()), 6, 'findings')
    nobody_left()


@each(('run', [], signal.SIGINT, 0),
      ('ci', ['--corpus', 'inputs'], signal.SIGTERM, 0))
def left_by_a_signal(options, signo, status):
    # Who does not want to wait for the commands need not.
    script = hook('long.sh', 'touch begun\nexec sleep 1000')
    seeds([b'x'], 'inputs')
    command = 'ci' if options else 'run'
    r = Run(build(CALM), ['-j', 1, '--on-end', script, '--hook-time', 900000,
                          '--time' if options else '--fuzztime', '100x',
                          *options], command=command)
    r.wait_for(lambda: os.path.exists('begun'), 'the command')
    r.signal(signo)
    r.end(status)
    said = r.stdout + r.stderr
    check('--on-end: %s was killed because cfuzz was told to end' % script in
          said, 'says:%s', r.describe())
    equal(os.path.exists('out/report/report.xml'), command == 'ci', 'reports')


@case
def left_before_the_last():
    # Those that wait are counted, and none of them is started.
    script = hook('long.sh', 'echo $CFUZZ_EVENT >>begun\nexec sleep 1000')
    r = start(build(FAILS), '-j', 1, '--verify', 0, '--minimizetime', 0,
              '--on-finding', script, '--on-end', script, '--hook-time', 900000,
              '--seeds', seeds(SEEDS), '--fuzztime', '2000x')
    r.wait_line('FAIL: 6 distinct findings')
    r.wait_for(lambda: os.path.exists('begun') and read('begun'), 'the command')
    r.signal(signal.SIGHUP)
    r.end(1)
    equal(read('begun'), b'finding\n', 'commands')
    said = r.stdout + r.stderr
    for line in ('--on-finding: the campaign ends before the command has taken '
                 'all findings; 5 are left out',
                 '--on-end: left out, because cfuzz was told to end'):
        equal(said.count('warning: ' + line), 1, line)


@each(('missing', './nothing', './nothing is not a program'),
      ('no_program', './text', './text is not a program'),
      ('folder', '/', '/ is not a program'),
      ('quote', "sh 'x", 'a quote is not closed'),
      ('empty', '  ', 'the command is empty'))
def refused(command, why):
    write('text', 'text')
    r = start(build(QUIET), '--on-finding', command)
    r.end(2)
    check('--on-finding: ' + why in r.stderr, 'said: %s', r.stderr)


@case
def idle():
    # First it is told, then it ends. A machine that stands still may skip the
    # first, which a unit test shows for certain.
    r = campaign('--stop-after-idle', '8s', source=CALM, status=0)
    said = [e['text'] for e in r.journal if e['event'] == 'idle']
    texts = [re.sub('for [^:]*', 'for T', n) for n in said]
    both = ['nothing new for T: the campaign ends after 8s',
            'nothing new for T: the campaign ends']
    check(texts in (both, both[1:]), 'the journal: %s', texts)
    lines = [n for n in r.stdout.splitlines() if 'nothing new for' in n]
    equal([n.replace('fuzz: ', '', 1) for n in lines], said, 'the run lines')
    check(r.stats['elapsed_s'] >= 8, 'too early: %s', r.stats['elapsed_s'])
    nobody_left()


if __name__ == '__main__':
    main()

#!/usr/bin/env python3
"""cfuzz cmin: few files that reach what all of them reach."""

import os
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403

# Each letter is a place of its own; some end badly.
LETTERS = one_input('''
	static volatile int sink;

	probe_count();
	if (size > 0 && data[0] == '-')
		return -1;
	for (size_t i = 0; i < size; i++) {
		switch (data[i]) {
%s
		case '!':
			abort();
		case '.':
			probe_wait_for_ever();
		}
	}''' % '\n'.join("\t\tcase '%s':\n\t\t\tsink += %d;\n\t\t\tbreak;" %
                         (c, i + 3) for i, c in enumerate('abcdefgh')))


def minimize(*words, status=0, env=None):
    """cfuzz cmin: what it says; the error's text when that is wanted."""
    got, out, err = tool(CFUZZ, 'cmin', '--timeout', '10000', *words, env=env)
    equal(got, status, 'status:\n%s%s' % (out, err))
    return err if status == 2 else out


def content(folder):
    return sorted(read(os.path.join(folder, n)) for n in os.listdir(folder))


def snapshot(folder):
    return {n: (os.stat(os.path.join(folder, n)).st_mtime_ns,
                read(os.path.join(folder, n)))
            for n in sorted(os.listdir(folder))}


@each(('smaller-first', [b'a', b'aa', b'abc', b'c'], [b'aa', b'abc']),
      ('twice-is-not-once', [b'a', b'b', b'ab', b'abab'], [b'ab', b'abab']),
      ('copies', [b'abc', b'abc', b'abc'], [b'abc']),
      ('alike', [b'cba', b'abc', b'bac'], None),
      ('all', [b'a', b'b', b'c'], [b'a', b'b', b'c']),
      ('alone', [b''], [b'']))
def chosen(files, want):
    # Buckets count: twice the same place is another one than once.
    place = seeds(files)
    before = snapshot(place)
    out = minimize(build(LETTERS), place, '-o', 'new')
    got = content('new')
    if want is None:
        equal(len(got), 1, 'files')
    else:
        equal(got, sorted(want), 'files')
    check(re.search(r'^%d -> %d files, .* (\d+) of \1 bits$' % (
        len(files), len(got)), out, re.M), 'says\n%s', out)
    for name in os.listdir('new'):
        equal(name, sha(read('new/' + name))[:16], 'its name')
    check_mode('new')
    equal(snapshot(place), before, 'the folder that was given')


@each(('one-worker', 1), ('four-workers', 4))
def same_coverage(workers):
    # Of many files: all bits, by fewer; and the choice is always the same.
    files = []
    state = 7
    for i in range(300):
        state = (state * 1103515245 + 12345) % (1 << 31)
        files.append(bytes(b'abcdefgh'[(state >> k) % 8] for k in
                           range(8, 8 + state // 65536 % 12)))
    place = seeds(files)
    target = build(LETTERS)
    first = json.loads(minimize('--json', '-j', workers, target, place, '-o',
                                'new'))
    equal(first['files'], 300, 'files')
    equal(first['bits_kept'], first['bits'], 'bits')
    check(first['kept'] < first['files'] - first['same'], 'nothing went: %s',
          first)
    equal(first['kept'], len(os.listdir('new')), 'files that are written')
    equal(first['bytes_kept'], sum(len(d) for d in content('new')), 'bytes')
    # None of those is superfluous, and none of the others would add a bit.
    again = json.loads(minimize('--json', target, 'new', '-o', 'again'))
    equal((again['kept'], again['bits']), (first['kept'], first['bits']),
          'minimized again')
    both = json.loads(minimize('--json', target, place, 'new', '-o', 'both'))
    equal(both['bits'], first['bits'], 'bits of both')
    equal(content('both'), content('new'), 'of both')


@case
def failing_files():
    # Left out, named, and not lost.
    place = seeds({'good': b'ab', 'crash': b'abc!', 'hang': b'd.',
                   'rejected': b'-e'})
    out = minimize('--timeout', '2s', build(LETTERS), place, '-o', 'new')
    equal(content('new'), [b'ab'], 'files')
    check('2 files left out, the target fails on them:' in out, 'says\n%s',
          out)
    check('seeds/crash\n' in out and 'seeds/hang\n' in out, 'says\n%s', out)
    check('1 file left out, the target rejects them:' in out, 'says\n%s', out)
    equal(len(os.listdir(place)), 4, 'files that were given')
    got = json.loads(minimize('--json', '--timeout', '2s', build(LETTERS),
                              place, '-o', 'new2'))
    equal((got['failed'], got['rejected'], got['not_run']), (2, 1, 0),
          'counts')


@case
def only_failing_files():
    err = minimize(build(LETTERS), seeds([b'!', b'a!']), '-o', 'new',
                   status=2)
    check('no usable file is left' in err, 'says %s', err)
    check(not os.path.exists('new'), 'it was made')


@case
def of_a_campaign():
    # An output directory stands for its corpus.
    target = build(LETTERS.replace('probe_wait_for_ever()', 'break'))
    run(target, '-j', 1, '--fuzztime', '3000x', '--minimizetime', 0,
        '--seeds', seeds([b'a']), out='out')
    files = os.listdir('out/corpus')
    check(len(files) > 2, 'too few files: %s', files)
    got = json.loads(minimize('--json', target, 'out', 'seeds', '-o', 'new'))
    equal(got['files'], len(files) + 1, 'files')
    equal(got['bits_kept'], got['bits'], 'bits')


@case
def of_two_campaigns():
    # A folder from elsewhere runs as those of the campaign.
    target = build(LETTERS.replace('probe_wait_for_ever()', 'break'))
    for out, args in (('out', ()), ('out2', ('-x',))):
        run(target, '-j', 1, '--fuzztime', '50x', '--seeds', seeds([b'a']),
            out=out, args=args)
    minimize(target, 'seeds', 'out2', '-o', 'new')
    _, out, err = tool(CFUZZ, 'cmin', target, 'out', 'out2', '-o', 'newer')
    check('out2 do not run with the same arguments: use cfuzz cmin once for '
          'each' in err, 'said: %s', err)
    minimize(target, 'out', 'out2', '-o', 'newer', '--', '-y')


@case
def modules_that_come_late():
    # The counters of a library that only an input loads count, too.
    target, library = build_with_late_library()
    minimize(target, seeds([b'a', b'zz', b'xx', b'yy', b'xxx']), '-o', 'new',
             env={'LIBRARY': library})
    got = content('new')
    check(b'xx' in got and b'yy' in got, 'its branches do not count: %r', got)


@case
def state_that_stays():
    # Each file has a child of its own: none does the others' warming up.
    target = build(one_input('''
	static int warm;

	if (!warm++)
		probe_count();'''))
    minimize(target, seeds([b'a', b'b', b'c', b'dd']), '-o', 'new')
    equal([len(d) for d in content('new')], [1], 'lengths')


@case
def unstable_coverage():
    # What does not come back is said.
    target = build(one_input('''
	static volatile int sink;

	if (probe_count() == 1)
		sink++;'''))
    os.mkdir('probe')
    out = minimize('-j', 1, target, seeds([b'a']), '-o', 'new',
                   env={'PROBE': os.path.abspath('probe')})
    check('bits were missing' in out, 'says\n%s', out)
    equal(content('new'), [b'a'], 'files')


@case
def no_instrumentation():
    plain = build(one_input(''), env={'CFUZZ_NO_INSTRUMENT': '1'})
    err = minimize(plain, seeds([b'a']), '-o', 'new', status=2)
    check('instrumentation' in err, 'says %s', err)


@case
def stopped():
    # Nothing half done is left.
    target = build(one_input('\tprobe_count();\n\tprobe_wait_for_ever();'))
    os.mkdir('probe')
    place = seeds([b'a', b'b'])
    process = subprocess.Popen(
        [CFUZZ, 'cmin', '-j', '1', '--timeout', '60s', '--stop-step', '100',
         target, place, '-o', 'new'], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
        env=dict(os.environ, PROBE=os.path.abspath('probe')))
    wait_for(lambda: os.path.exists('probe/calls'), 'the first run')
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    equal(process.returncode, 3, 'status of\n%s%s' % (out, err))
    check('stopped: nothing was written' in err, 'says %s', err)
    check(not os.path.exists('new'), 'it was made')


@each(('no-output', ['{t}', 'seeds'], '-o DIR'),
      ('not-empty', ['{t}', 'seeds', '-o', 'full'], 'not empty'),
      ('itself', ['{t}', 'seeds', '-o', 'seeds'], 'not empty'),
      ('a-file', ['{t}', 'seeds', '-o', 'full/x'], 'full/x'),
      ('no-folder', ['{t}', 'nowhere', '-o', 'new'], 'nowhere'),
      ('empty', ['{t}', 'hollow', '-o', 'new'], 'no file to choose from'),
      ('option', ['{t}', 'seeds', '-o', 'new', '--dict', 'x'], '--dict'),
      ('nothing', ['{t}', '-o', 'new'], 'name a target and a folder'),
      ('no-target', ['./seeds/a', 'seeds', '-o', 'new'], 'seeds/a'))
def refused(words, want):
    seeds({'a': b'a'})
    write('full/x', b'x')
    os.mkdir('hollow')
    err = minimize(*[w.replace('{t}', build(LETTERS)) for w in words],
                   status=2)
    check(want in err, 'does not say %s: %s', want, err)
    check(not os.path.exists('new'), 'it was made')
    equal(os.listdir('full'), ['x'], 'what was there')


main()

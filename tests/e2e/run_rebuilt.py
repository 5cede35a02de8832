#!/usr/bin/env python3
"""What becomes of findings when the target is rebuilt: each is run again, is
fixed by itself, is new when it comes back; all reports agree on it."""

import os
import shutil
import signal
import sys
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403
import control    # noqa: E402


def target(fails, head='', body=''):
    """A target that fails with these letters; each has a line of its own."""
    lines = ''.join('''
	if (size > 1 && data[0] == '%c' && data[1] == '!')
		cfuzz_fail("letter %c");''' % (c, c) if c in fails else '\n\n'
                    for c in 'abcdefgh')
    # The body stands in one line, so that those below it stay where they are.
    body = ' '.join(body.split())
    shutil.copy(build(one_input(body + lines, head)), 'target.new')
    os.rename('target.new', 'target')
    return './target'


def campaign(fails, *options, status=None, files=(b'x',), **more):
    return run(target(fails), '-j', 1, '--verify', 3, '--minimizetime', 0,
               '--seeds', seeds(list(files)), *options, status=status, **more)


def first(fails, **more):
    """It has found them all."""
    r = campaign(fails, '--fuzztime', '50x', status=1,
                 files=[b'x'] + [b'%c!' % ord(c) for c in fails], **more)
    equal(len(r.buckets()), len(fails), 'findings')
    return r


def rows():
    status, out, err = tool(CFUZZ, 'findings', '--json', 'out')
    equal((status, err), (0, ''), 'cfuzz findings')
    return {f['text'][-1]: f for f in json.loads(out)}


def resumed(*options):
    return control.start('./target', '-j', 1, '--verify', 3, '--minimizetime',
                         0, *options)


def standings(s):
    return {f['text'][-1]: f['standing'] for f in s['findings']}


def until(r, wanted, what):
    """A finding that waits for its names may be the twin of another."""
    return r.control.until(lambda s: standings(s) == wanted and
                           len(s['findings']) == len(wanted) and s, what)


@case
def many_are_run_again():
    # Most are mended; each has a verdict of its own, and no more is wrong.
    first('abcdefgh')
    target('c')
    r = resumed()
    wanted = {c: 'open' if c == 'c' else 'fixed' for c in 'abcdefgh'}
    s = until(r, wanted, 'verdicts')
    equal((s['crashes'], s['findings_not_seen'], s['exit_status']), (8, 7, 1),
          'counts')
    r.stop(1)
    for c, f in rows().items():
        equal(f['again'], '3/3 before, %d/3 with this build' %
              (3 if c == 'c' else 0), c)
        equal(f['state'], 'known', 'state of %s' % c)
    check(r.said('FAIL: 1 distinct finding (exit status 1)'), 'says\n%s',
          r.stdout)
    equal(len([n for n in r.stdout.splitlines()
               if n.startswith('fuzz: fixed: ')]), 7, 'lines')


# No mutation finds this input.
FAILING = b'a!' + bytes(range(0x80, 0xa0))


def only_this():
    """The body of a target that runs on for no other input."""
    total = 0
    for byte in FAILING:
        total = (31 * total + byte) % 2**32
    return '''uint32_t total = 0;
        for (size_t i = 0; i < size; i++) total = 31 * total + data[i];
        if (size < 30 || total != %d) return 0;''' % total


@case
def fuzzing_goes_first():
    # After the corpus comes an input that nobody knows, then the finding.
    out = campaign('a', '--fuzztime', '50x', status=1, files=[b'x', FAILING])
    target('a', '''
#include <fcntl.h>
#include <unistd.h>
#include <stdio.h>
static void note(const uint8_t *data, size_t size) {
	int fd = open("order", O_WRONLY | O_APPEND | O_CREAT, 0600);
	char line[64];
	int n = 0;
	for (size_t i = 0; i < size && i < 16; i++)
		n += sprintf(line + n, "%02x", data[i]);
	line[n++] = 10;
	if (write(fd, line, n) != n) abort();
	close(fd);
}
''', 'note(data, size);' + only_this())
    known = [data[:16].hex() for data in out.corpus().values()]
    r = resumed()
    until(r, {'a': 'open'}, 'the verdict')
    r.stop(1)
    order = read('order').decode().split('\n')
    before = order[:order.index(FAILING[:16].hex())]
    check([n for n in before if n not in known], 'in this order: %s', order[:9])


@case
def the_run_ends_at_it():
    # Under --stop-on-crash, by its replays.
    campaign('a', '--fuzztime', '50x', status=1, files=[b'x', FAILING])
    target('a', body=only_this())
    r = resumed('--stop-on-crash')
    r.control.wait(lambda: r.control.bye, 'the end')
    r.end(1)
    equal(rows()['a']['again'], '3/3 before, 3/3 with this build', 'replays')
    # Nothing has changed since: it only lies there.
    r = resumed('--stop-on-crash', '--fuzztime', '1x')
    r.control.wait(lambda: r.control.bye, 'the end')
    r.end(0)


@case
def it_fails_in_another_way():
    # That is another finding, and none is fixed until the input runs to its end.
    campaign('a', '--fuzztime', '50x', status=1, files=[b'x', FAILING])
    target('', body=only_this() + 'abort();')
    for state in ('confirmed', 'known'):
        r = resumed()
        s = r.control.until(lambda s: r.said('no verdict') and
                            [f for f in s['findings'] if f['replays'] == 3
                             and f['what'] == 'SIGABRT'] and s, 'replays')
        equal({f['what']: (f['standing'], f['state']) for f in s['findings']},
              {'error': ('not seen', 'known'), 'SIGABRT': ('open', state)},
              'findings')
        r.stop(1)
    target('')
    r = resumed()
    r.control.until(lambda s: [f['standing'] for f in s['findings']] ==
                    ['fixed'] * 2, 'verdicts')
    r.stop(0)


FUNCTIONS = '''
static %s void first(void) { %s; }
static %s void second(void) { %s; }
'''


def fails_in(name, fault='abort()', inlined=False, flags=()):
    """A target that fails in this function, with one input alone."""
    form = '__attribute__((%s))' % ('always_inline' if inlined else 'noinline')
    head = FUNCTIONS % (form, fault, form, fault)
    put(build(one_input(' '.join(only_this().split()) + name + '();', head),
              flags=flags))


# What fails in the newer build, and where the finding of the older one is then.
@each(('another-report', ('second', '__builtin_trap()'), 'not seen'),
      ('another-function', ('second',), 'not seen'),
      ('inlined', ('first', 'abort()', True, ['-O2']), 'open'),
      ('no-lines', ('second', 'abort()', False, ['-g0']), 'open'))
def it_fails_elsewhere(newer, standing):
    # Names tell. Without debug information they tell how a compiler inlines.
    fails_in('first')
    run('./target', '-j', 1, '--verify', 3, '--minimizetime', 0, '--fuzztime',
        '50x', '--seeds', seeds([b'x', FAILING]), status=1)
    known = findings()[0]['id']
    fails_in(*newer)
    r = resumed()

    def of(s):
        return {f['id'] == known: f for f in s['findings']}
    r.control.until(lambda s: s['findings'] and (
        r.said('no verdict') or of(s)[True]['standing'] == 'open'), 'replays')
    f = of(r.control.next_snapshot())[True]
    equal((f['standing'], f['where'].split()[0]), (standing, 'first'), 'known')
    if standing == 'not seen':
        r.control.until(lambda s: False in of(s) and of(s)[False]['replays'] ==
                        3 and of(s)[False]['where'].startswith('second '),
                        'the other one')
    r.stop(1)


@case
def what_had_no_time_is_kept():
    # A hang takes longer than findings may have of so short a campaign.
    hang = one_input('''
	if (size > 0 && data[0] == 'h')
		for (;;)
			pause();''', '#include <unistd.h>\n')
    shutil.copy(build(hang), 'target')
    limit = ['-j', 1, '--verify', 1, '--minimizetime', 0, '--timeout']
    r = run('./target', *limit, '2s', '--fuzztime', '2x', '--seeds',
            seeds([b'h', b'x']), status=1)
    equal(r.bucket('hangs').info['reproduced'], 1, 'replays')
    shutil.copy(build(one_input('probe_count();')), 'new')
    os.rename('new', 'target')
    shutil.rmtree('seeds')
    r = run('./target', *limit, '60s', '--fuzztime', '100ms', status=0)
    check(r.said('1 of other builds to replay'), 'says\n%s', r.stdout)
    equal([e['rerun'] for e in r.events('left')], [1], 'the journal')
    equal(r.bucket('hangs').info.get('replays_before'), None, 'no replay')
    # A longer limit would not tell that the hang is mended.
    r = control.start('./target', *limit, '2s')
    r.control.until(lambda s: s['findings'] and s['findings'][0]['standing'] ==
                    'fixed', 'the verdict of the next start')
    r.stop(0)


@case
def interrupted():
    # The replays that were made do not count; those before them still do.
    r = first('a')
    path = os.path.join(r.bucket().path, 'crash.json')
    info = r.bucket().info
    info.update(left='verify', replays=1, reproduced=0, replays_before=3,
                reproduced_before=2)
    del info['replays_build']
    write(path, json.dumps(info))
    target('')
    equal(rows()['a']['again'], '2/3', 'unchanged')
    r = resumed()
    until(r, {'a': 'fixed'}, 'the verdict')
    r.stop(0)
    equal(rows()['a']['again'], '2/3 before, 0/3 with this build', 'later')


@case
def nobody_would_see_it():
    # An earlier run had no time for them. In a build without a sanitizer none
    # fails, and it is not fixed.
    def use(flags):
        shutil.copy(build(one_input('''
	char *volatile text = malloc(size + 1);

	if (size > 1)
		text[0] = text[size + 1];
	free(text);'''), flags=flags), 'new')
        os.rename('new', 'target')
        return ['./target', '-j', 1, '--verify', 3, '--minimizetime', 0,
                '--fuzztime', '9x', '--finish-time', '120000']

    def left():
        info = Output('out').bucket().info
        return info.get('left'), info.get('replays_build'), info['state']

    r = run(*use(['-fsanitize=address']), '--seeds', seeds([b'lost']), status=1)
    path, info = os.path.join(r.bucket().path, 'crash.json'), r.bucket().info
    del info['replays_build']
    info.update(left='verify', state='new', replays=0, reproduced=0)
    write(path, json.dumps(info))
    r = run(*use([]), status=0)
    check(r.said('fuzz: no verdict: '), 'says\n%s', r.stdout)
    equal((left(), r.stats['findings'][0]['standing']),
          (('verify', None, 'new'), 'not seen'), 'the finding')
    run(*use(['-fsanitize=address']), status=1)
    equal(left()[::2], (None, 'confirmed'), 'where a sanitizer looks')


@case
def back_with_another_input():
    # It looked fixed: the input that was known fails no more, a longer one does.
    source = one_input('''
	if (size > %d && data[0] == 'a' && data[1] == '!' && access("go", 0) == 0)
		abort();''', '#include <unistd.h>\n')
    write('go', b'')
    shutil.copy(build(source % 1), 'target')
    run('./target', '-j', 1, '--verify', 3, '--minimizetime', 0, '--fuzztime',
        '2x', '--seeds', seeds([b'a!', b'x']), status=1)
    os.remove('go')
    shutil.copy(build(source % 3), 'new')
    os.rename('new', 'target')
    r = resumed('--seeds', seeds([b'a!', b'x']))
    r.control.until(lambda s: s['findings'] and s['findings'][0]['standing'] ==
                    'fixed', 'the verdict')
    write('go', b'')
    s = r.control.until(lambda s: s['findings'][0]['standing'] == 'open' and
                        s['findings'][0]['replays'] == 3 and s, 'replays')
    f = s['findings'][0]
    equal((f['reproduced'], f['state'], s['crashes']), (3, 'confirmed', 1),
          'what is back')
    r.stop(1)
    check(len(r.bucket().input) > 3, 'the input: %s', r.bucket().input)


# Only one input has this hash, which no comparison tells.
HASHED = b'X, mended now'
PART = one_input('''
	uint32_t hash = 1;

	for (size_t i = 0; i < size; i++)
		hash = hash * 16777619u ^ data[i];
	use(hash * 31u == %uu, size == 2 && data[0] == 'X' && data[1] == 'B');''',
                 '''
#include <fcntl.h>
static __attribute__((noinline)) void
use(int first, int second)
{
	if (%s)
		abort();
}
''')


def part(fails, head=''):
    hashed = 1
    for byte in HASHED:
        hashed = (hashed * 16777619 ^ byte) % (1 << 32)
    put(build(head + PART % (fails, hashed * 31 % (1 << 32)), 'part'))


@case
def mended_in_part():
    # Another input meets the bug while its own one, which no longer does, is
    # replayed.
    options = ['-j', 2, '--verify', 3, '--minimizetime', 0, '--timeout', 9000]
    part('first')
    r = run('./target', *options, '--fuzztime', '50x', '--seeds',
            seeds([b'x', HASHED]), status=1)
    equal(r.bucket().input, HASHED, 'the input')
    flag = os.path.abspath('replayed')
    part('first ? (close(open("%s", O_CREAT | O_RDWR, 0600)), usleep(500000), '
         '0) : second && access("%s", F_OK) == 0' % (flag, flag))
    r = control.start('./target', *options, '--seeds',
                      seeds([b'x', b'XC'], 'more'))
    r.control.until(lambda s: any(f['reproduced_before'] == f['reproduced'] == 3
                                  for f in s['findings']), 'its replays')
    r.stop(1)
    equal(r.bucket().input, b'XB', 'the input')
    equal(tool(CFUZZ, 'check', 'out')[0], 1, 'check')


LIBRARY = '''#include <stdlib.h>
int check(int c) { if (c == %d) abort(); return c; }
'''


def library(byte):
    """The library that fails with this byte, in its place; its path."""
    made = build(LIBRARY % byte, 'checked.so', ['-shared', '-fPIC'])
    shutil.copy(made, 'new')
    os.rename('new', 'checked.so')
    return made


@case
def a_library_is_rebuilt():
    # The program beside it stays as it is.
    flags = ['-L' + os.path.dirname(library(97)), '-l:checked.so',
             '-Wl,-rpath,$ORIGIN']
    put(build(one_input('if (size > 0) check(data[0]);', 'int check(int c);\n'),
              flags=flags))
    run('./target', '-j', 1, '--verify', 3, '--minimizetime', 0, '--fuzztime',
        '50x', '--seeds', seeds([b'x', b'a']), status=1)
    for byte, status, says in ((256, 0, 'fuzz: fixed: SIGABRT'),
                               (97, 1, 'was fixed and fails again: SIGABRT')):
        library(byte)
        equal(tool(CFUZZ, 'check', 'out')[0], status, 'check')
        r = resumed()
        r.control.wait(lambda: r.said(says), says)
        r.stop(status)


@case
def another_bug_at_the_same_address():
    # It is a finding of its own, with an id of its own.
    first('a')
    campaign('b', '--fuzztime', '50x', files=[b'b!', b'x'], status=1)
    found = rows()
    equal((sorted(found), found['b']['standing']), (['a', 'b'], 'open'),
          'findings')
    check(found['a']['id'] != found['b']['id'], 'one id: %s', found)


# The failure waits for a file, so that it comes when the test wants it.
WAITS = one_input('''
	if (size > 0 && access("go", F_OK) == 0)
		%s;''', '''#include <unistd.h>
static volatile char few[8];
static volatile int behind = 8;
''')
FAULTS = {'abort': ('abort()', ()),
          'asan': ('few[behind] = 1', ['-fsanitize=address'])}


def put(path):
    """Puts a copy of the file in the target's place, as a linker does."""
    shutil.copy(path, 'new')
    os.rename('new', 'target')


def failures(s):
    return sum(f['count'] for f in s['findings'])


@each(('same', 'abort', 'same'), ('other', 'abort', 'other'),
      ('deleted', 'abort', 'deleted'), ('same-asan', 'asan', 'same'))
def behind_a_campaign(fault, becomes):
    # A worker that starts later runs a file without a name; what fails there is
    # the finding that was known.
    fault, flags = FAULTS[fault]
    source = WAITS % fault
    target = build(source, 'waits', flags=flags)
    put(target)
    r = resumed('--seeds', seeds([b'x']))
    c = r.control
    c.until(lambda s: s['execs'] > 10, 'executions')
    write('go', b'')
    s = c.until(lambda s: s['findings'] and
                s['findings'][0]['replays'] == 3 and
                re.search(r':\d+$', s['findings'][0]['where']) and s,
                'the finding and its place')
    os.remove('go')
    first, pid = s['findings'][0], s['workers'][0]['pid']
    if becomes == 'same':
        put(target)
    elif becomes == 'other':
        put(build('/* new */\n' + source, 'waits', flags=flags))
    else:
        os.remove('target')
    os.kill(pid, signal.SIGKILL)
    c.until(lambda s: s['workers'][0]['pid'] not in (0, pid), 'a new worker')
    before = failures(c.next_snapshot())
    write('go', b'')
    c.until(lambda s: failures(s) > before + 3, 'failures of the new worker')
    s = c.next_snapshot()
    equal([f['where'] for f in s['findings']], [first['where']], 'findings')
    check(re.search(r'waits\.c:\d+$', first['where']), 'where: %s', first)
    os.remove('go')
    r.stop(1)


def line_of(f):
    return int(f['where'].rsplit(':', 1)[1])


def findings():
    return json.loads(tool(CFUZZ, 'findings', '--json', 'out')[1])


def until_moved(r, before):
    """A stop waits for names a second only."""
    def moved(f):
        place = ':%d' % (line_of(f) + 7)
        folder = 'out/%s/' % f['folder']
        return json.loads(read(folder + 'crash.json'))['where'].endswith(
            place) and '.c%s\n' % place in read(
                folder + 'report.txt').decode()
    r.control.wait(lambda: all(map(moved, before)), 'the new places')


def met_again(*options):
    first('ab')
    before = findings()
    target('ab', head='\n' * 7)
    run('./target', '-j', 1, '--minimizetime', 0, '--fuzztime', '300x',
        '--seeds', seeds([b'x', b'a!', b'b!']), *options, status=1)
    return before


def replayed():
    part('first')
    run('./target', '-j', 1, '--verify', 3, '--minimizetime', 0, '--fuzztime',
        '50x', '--seeds', seeds([b'x', HASHED]), status=1)
    before = findings()
    part('first', '\n' * 7)
    r = resumed()
    r.control.until(lambda s: [f['replays'] for f in s['findings']] == [3] and
                    s['findings'][0]['standing'] == 'open', 'the replays')
    until_moved(r, before)
    r.stop(1)
    return before


@each(('replayed', replayed), ('met', met_again, '--verify', 0),
      ('at-once', met_again, '--deterministic', '--seed', 1))
def lines_move(fails, *options):
    # The places are those of the build that failed last.
    before = {f['id']: f for f in fails(*options)}
    after = findings()
    equal(len(after), len(before), 'findings')
    for new in after:
        line = line_of(before[new['id']]) + 7
        equal(line_of(new), line, 'the line')
        folder = 'out/%s/' % new['folder']
        frames = json.loads(read(folder + 'crash.json'))['frames']
        check(line in [n.get('line') for n in frames], 'frames: %s', frames)
        report = read(folder + 'report.txt').decode()
        check('.c:%d\n' % line in report, 'report.txt:\n%s', report)


@case
def accepted_ones():
    # They are fixed as others are, and stay accepted when they are back.
    r = first('a')
    r = resumed()
    s = until(r, {'a': 'open'}, 'the finding')
    r.control.command('accept %s' % s['findings'][0]['id'])
    r.stop(0)
    target('')
    r = resumed()
    s = until(r, {'a': 'fixed'}, 'the verdict')
    equal((s['findings'][0]['state'], s['findings_ignored']), ('accepted', 1),
          'its state')
    r.stop(0)
    r = campaign('a', '--fuzztime', '3x', files=[b'a!', b'x'], status=0)
    equal(r.bucket().info['state'], 'accepted', 'back')
    check(not r.said('fails again') and not r.said('letter'), 'says\n%s',
          r.stdout)


@case
def a_sequence():
    pair = '''
	static int armed;
	if (size > 1 && data[0] == 'B' && data[1] == 'b' && armed)
		%s;
	armed |= size > 1 && data[0] == 'A' && data[1] == 'a';'''
    shutil.copy(build(one_input(pair % 'abort()')), 'target')
    r = control.start('./target', '-j', 1, '--verify', 2, '--minimizetime', 0,
                      '--seeds', seeds([b'Aa', b'Bb']))
    r.control.until(lambda s: s['findings'] and
                    s['findings'][0]['sequence'] == 2 and
                    s['findings'][0]['state'] == 'confirmed', 'a sequence')
    r.stop(1)
    for mended, standing in ('probe_count()', 'fixed'), ('abort()', 'open'):
        shutil.copy(build(one_input(pair % mended, '/* new */ int unused;')),
                    'new')
        os.rename('new', 'target')
        r = control.start('./target', '-j', 1, '--verify', 2, '--seeds',
                          seeds([b'x'], 'others'))
        r.control.until(lambda s: s['findings'] and s['findings'][0]
                        ['standing'] == standing and s['findings'][0]
                        ['replays'] == 2, standing)
        r.stop(0 if standing == 'fixed' else 1)
    equal([e['event'] for e in r.events('regressed')], ['regressed'], 'back')


@case
def reports_agree():
    # a is open, b accepted, c fixed.
    first('abc')
    target('ab')
    r = resumed()
    s = until(r, {'a': 'open', 'b': 'open', 'c': 'fixed'}, 'verdicts')
    accepted = [f['id'] for f in s['findings'] if f['text'][-1] == 'b'][0]
    r.control.command('accept ' + accepted)
    r.stop(1)
    check(r.said('FAIL: 1 distinct finding (exit status 1)'), 'cfuzz run\n%s',
          r.stdout)
    equal({c: (f['state'], f['standing']) for c, f in rows().items()},
          {'a': ('known', 'open'), 'b': ('accepted', 'open'),
           'c': ('known', 'fixed')}, 'cfuzz findings')
    status, out, err = tool(CFUZZ, 'report', 'out', '-o', 'report', '--github')
    equal((status, err.count('\n'), err[:8]), (0, 1, 'running '),
          'cfuzz report: %s' % err)
    equal((out.count('::error '), out.count('::notice ')), (1, 2), 'GitHub')
    suite = ElementTree.parse('report/report.xml').getroot()[0]
    equal((suite.get('failures'), suite.get('skipped')), ('1', '2'), 'JUnit')
    equal(sorted(n.get('message') for n in suite.iter('skipped')),
          ['accepted', 'fixed'], 'JUnit: why')
    results = json.loads(read('report/report.sarif'))['runs'][0]['results']
    equal(sorted((n['kind'], n['level'], 'suppressions' in n) for n in results),
          [('fail', 'error', False), ('fail', 'error', True),
           ('pass', 'none', False)], 'SARIF')
    page = read('report/report.html').decode()
    equal((page.count('<summary><b class=bad>'),
           page.count('<summary><b class=dim>')), (1, 2),
          'HTML')
    for text in page, read('report/report.md').decode():
        check('3/3 before, 0/3 with this build' in text, 'replays\n%s', text)
        check('accepted' in text and ', fixed' in text, 'states\n%s', text)


if __name__ == '__main__':
    main()

#!/usr/bin/env python3
"""What is one finding: told by names, however late these come, and whatever
number of them."""

# BEGUN FIRST
import os
import shutil
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403
from planted import *    # noqa: E402,F401,F403


# ---- names that come late, or never ----------------------------------------

# Fails by three ways, as soon as the test allows it.
GATED = one_input('''
	probe_count();
	if (size > 1 && data[0] == 'A' && probe_allowed())
		data[1] % 3 == 0 ? way_one() : data[1] % 3 == 1 ? way_two() :
			way_three();''', head='''
static volatile int sink;

PROBE bool
probe_allowed(void)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/go", getenv("PROBE"));
	return access(path, F_OK) == 0;
}

__attribute__((noinline)) static void leaf(void) { abort(); }
__attribute__((noinline)) static void inner(void) { leaf(); sink = 1; }
__attribute__((noinline)) static void outer(void) { inner(); sink = 2; }
__attribute__((noinline)) static void way_one(void) { outer(); sink = 3; }
__attribute__((noinline)) static void way_two(void) { outer(); sink = 4; }
__attribute__((noinline)) static void way_three(void) { outer(); sink = 5; }
''')
WAYS = [b'A' + bytes([v]) for v in range(3)]


def helpers(r):
    return [p for p, _, name in descendants(r.pid) if name == 'cfuzz-symbols']


def tell_helper(helper, signo):
    """Whether it is there: it may have been ended, for being slow or idle."""
    try:
        os.kill(helper, signo)
        return True
    except ProcessLookupError:
        return False


def start_gated(**more):
    """A campaign whose helper for names is stopped when failures begin."""
    r = start(build(GATED, 'gated', flags=['-O0']), '-j', 1, '--verify', 0,
              '--minimizetime', 0, '--fuzztime', '600s', '--seeds',
              seeds(WAYS + [b'harmless']), **more)
    helper = r.wait_for(lambda: helpers(r), 'a helper')[0]
    tell_helper(helper, signal.SIGSTOP)
    write(os.path.join(r.probe, 'go'), '')
    return r, helper


def wait_folders(r, n):
    """Inputs that are kept, whatever they are called later."""
    r.wait_for(lambda: sum(b.has('input') and b.has('crash.json')
                           for b in r.buckets()) >= n, 'folders')


@case
def late_names():
    # Announced without names, each for itself; one finding when these are
    # there, and nothing is lost. Nothing waits: inputs are run all the time.
    r, _ = start_gated()

    def announced():    # a helper that is slow has a successor
        for h in helpers(r):
            tell_helper(h, signal.SIGSTOP)
        return r.stdout.count('crash: SIGABRT in ') >= 2

    r.wait_for(announced, 'announcements')
    before = r.calls
    r.wait_for(lambda: r.calls > before + 100, 'executions')
    for h in helpers(r):
        tell_helper(h, signal.SIGCONT)    # or another one answers
    r.wait_for(lambda: r.events('merged'), 'two that are one')
    r.wait_for(lambda: len(r.buckets()) == 1, 'one folder')
    r.signal(signal.SIGINT)
    r.end(1)
    info = r.bucket().info
    equal(info['where'].split()[0], 'leaf', 'where')
    check(info['named'] and len(info['signatures']) >= 2, 'the signatures: %s',
          info)
    for event in r.events('merged'):
        equal(event['into'], info['id'], 'into which')
    kept = set(inputs(r.bucket()).values())
    check(len(kept) >= 2, 'inputs that were kept: %s', kept)


def kill_before_the_names():
    """Another helper may answer before, or the third way be under way to the
    disk, its crash.json last; then once more."""
    for _ in range(5):
        r, _ = start_gated()
        wait_folders(r, 2)
        r.wait_for(lambda: all(b.has('crash.json') for b in r.buckets()),
                   'what is known of them')
        r.signal(signal.SIGKILL)
        r.wait()
        nobody_left()
        if all(b.has('crash.json') and not b.info['named']
               for b in r.buckets()):
            return r
        shutil.rmtree(r.out)
        shutil.rmtree(r.probe)
    fail('they have names, or are not whole')


@case
def killed_before_the_names():
    # All is on the disk; the next run finds out what is the same.
    r = kill_before_the_names()
    folders = r.buckets()
    data = {b.input for b in folders}
    counts = sum(b.info['count'] for b in folders)
    again = start(r.target, '-j', 1, '--verify', 0, '--minimizetime', 0,
                  '--fuzztime', '600s')
    again.wait_for(lambda: len(again.buckets()) == 1 and
                   again.buckets()[0].has('crash.json') and
                   again.buckets()[0].info['named'], 'one folder')
    again.signal(signal.SIGINT)
    again.end()
    bucket = again.bucket()
    equal(set(inputs(bucket).values()) & data, data, 'the inputs')
    check(bucket.info['count'] >= counts, 'its count: %s', bucket.info)


@case
def known_ways():
    # What is the same stays the same in the next run, without a question.
    target = build_planted('-O0', [])
    ways = {str(v): b'A!' + bytes([v]) for v in range(6)}
    options = ['-j', 1, '--fuzztime', '6x', '--minimizetime', 0, '--verify', 0]
    r = run(target, '--seeds', seeds(ways), *options, status=1)
    first = r.bucket().info
    merged = len(r.events('merged'))
    check(merged == len(first['signatures']) - 1 > 0, '%d mergers: %s', merged,
          first)
    r = run(target, '--seeds', seeds(ways), *options, status=1)
    again = r.bucket().info
    equal(len(r.events('merged')), merged, 'mergers')
    equal(again['signatures'], first['signatures'], 'the signatures')
    equal(again['count'], 2 * first['count'], 'its count')
    for name in ('bucket', 'identity', 'where', 'first_at', 'lineage'):
        equal(again.get(name), first.get(name), name)


@case
def rebuilt():
    # Another build of the same source, with something before all functions:
    # the same finding.
    target = build_planted('-O0', [])
    shutil.copy(target, 'target')
    options = ['-j', 1, '--fuzztime', '3x', '--minimizetime', 0, '--verify',
               0, '--seeds', seeds([b'A!0', b'H!0', b'R!2'])]
    r = run(os.path.abspath('target'), *options, status=1)
    before = {b.folder: b.info for b in r.buckets()}
    equal(len(before), 3, 'findings')
    other = build('\n\n\nint added(int x);\nint added(int x) { return x; }\n' +
                  SOURCE, 'planted', flags=['-O0'], tool='cfuzz-c++')
    shutil.copy(other, 'target')
    r = run(os.path.abspath('target'), *options, status=1)
    after = {b.folder: b.info for b in r.buckets()}
    equal(sorted(after), sorted(before), 'the folders')
    for folder, info in after.items():
        equal(info['bucket'], before[folder]['bucket'], folder)
        equal(info['count'], 2 * before[folder]['count'], folder)


# ---- stacks that were written over -----------------------------------------

SMASHED = one_input('''
	if (size > 1 && data[0] == 'x')
		sink += fill(data, size);
''', head='''
static volatile int sink;

__attribute__((noinline)) static void
put(volatile char *to, const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < size; i++)
		to[i] = data[i];
}

__attribute__((noinline)) static int
fill(const uint8_t *data, size_t size)
{
	volatile char name[16];

	put(name, data, size);
	return name[3];
}
''')


@each(('O0', '-O0', '-fno-stack-protector', 'stack-smashed'),
      ('O1', '-O1', '-fno-stack-protector', 'stack-smashed'),
      ('canary', '-O1', '-fstack-protector-all', 'SIGABRT'))
def smashed(optimize, protect, what):
    # Wherever it goes from there, one overflow is one finding.
    target = build(SMASHED, 'smashed', flags=[optimize, protect])
    # No such address can be.
    data = [b'x' * n + bytes([v]) * 8 for n in (24, 32, 40, 56)
            for v in (0x10, 0x41, 0x83, 0xf0)]
    r = run(target, '-j', 1, '--fuzztime', '%dx' % len(data), '--verify', 0,
            '--minimizetime', 0, '--seeds', seeds(data), status=1)
    equal([b.info['what'] for b in r.buckets()], [what],
          'what fails: %s' % [b.info['identity'] for b in r.buckets()])
    check('child_' not in r.bucket().info['identity'], 'the runtime is named')
    check(what == 'SIGABRT' or 'stack smashed' in r.bucket().info['text'],
          'the words: %s', r.bucket().info['text'])


@case
def smashed_registers():
    # It returns as it should, but what it has kept for its caller is gone.
    target = build(one_input('''
	char *line = strndup((const char *)data, size);
	char name[16];

	fill(line, name);
	free(line);
''', head='''
__attribute__((noinline)) static void
fill(const char *line, char *name)
{
	int n = 0;

	for (; *line != '\\0'; line++)
		name[n++] = *line;
	name[n] = '\\0';
}
'''), 'smashed-registers', flags=['-O1', '-fno-stack-protector'])
    # Where a part of an address leads is chance.
    data = [bytes([v]) * n for n in range(16, 40) if n % 8 > 2
            for v in (0x41, 0xf0)]
    r = run(target, '-j', 1, '--fuzztime', '%dx' % len(data), '--verify', 0,
            '--minimizetime', 0, '--seeds', seeds(data), status=1)
    equal([b.info['what'] for b in r.buckets()], ['stack-smashed'],
          'what fails: %s' % [b.info['identity'] for b in r.buckets()])


@case
def functions_of_the_runtime():
    # It is the target that has called them: they are no part of its identity.
    target = build(one_input('\tif (size > 2)\n\t\town_check();', '''
__attribute__((noinline)) static void
own_check(void)
{
	cfuzz_fail("%s", (const char *)8);
	__asm__ volatile("");
}
'''), flags=['-Wno-format'])
    r = run(target, '-j', 1, '--fuzztime', '10x', '--verify', 0,
            '--minimizetime', 0, '--seeds', seeds([b'long']), status=1)
    info = r.bucket().info
    equal([info['what'], info['where'].split()[0]], ['SIGSEGV', 'own_check'],
          'the finding')
    check('own_check' in info['identity'] and 'fail' not in info['identity'],
          'its identity: %s', info['identity'])


# ---- what an older version has written --------------------------------------

def told_as_before(info):
    """cfuzz_fail() was told by what comes behind the call."""
    info['frames'][0]['offset'] += 1
    info['frames'][0]['line'] += 1


@each(('error', b'f', told_as_before))
def older_format(data, change):
    target = build(one_input('''
	if (size > 0 && data[0] == 'f')
		cfuzz_fail("bad");
'''), 'older', flags=['-O0'])
    options = ['-j', 1, '--fuzztime', '1x', '--minimizetime', 0, '--verify', 0,
               '--seeds', seeds([data])]
    bucket = run(target, *options, status=1).bucket()
    before = bucket.info
    info = bucket.info
    check(info.pop('format') > 1, 'the format: %s', info)
    change(info)
    # The addresses were others, so were their hashes.
    info['signatures'] = []
    info['id'] = '%016x' % (int(info['id'], 16) ^ 1)
    write(os.path.join(bucket.path, 'crash.json'), json.dumps(info))
    after = run(target, *options, status=1).bucket()
    equal(after.folder, bucket.folder, 'the folder')
    equal(after.info['count'], 2 * before['count'], 'its count')
    for name in ('frames', 'identity', 'where', 'format', 'bucket'):
        equal(after.info[name], before[name], name)


@case
def stripped():
    # Without a name, the places say what is the same.
    status, _, err = tool('objcopy', '--strip-all', build_planted('-O0', []),
                          'stripped')
    equal(status, 0, err)
    r = run(os.path.abspath('stripped'), '-j', 1, '--fuzztime', '8x',
            '--minimizetime', 0, '--verify', 0, '--seeds',
            seeds([b'A!' + bytes([v]) for v in range(6)] + [b'B!0', b'C!0']),
            status=1)
    equal(len(r.buckets()), 3, 'findings: %s' % [b.info['identity'] for b in
                                                 r.buckets()])


@case
def deterministic():
    # The same journal, however long the names take.
    target = build_planted('-O0', ['-DONLY="ARFJ"'])
    options = ['-j', 1, '--deterministic', '--seed', 3, '--fuzztime', '3000x',
               '--verify', 1, '--seeds',
               seeds([l + b'!' + bytes([v]) for l in (b'A', b'R', b'F', b'J')
                      for v in range(4)] + [b'harmless'])]
    one = run(target, *options, out='one')
    two = start(target, *options, out='two')
    stopped = 0
    for _ in range(3):
        wait_for(lambda: helpers(two) or two.process.poll() is not None,
                 'a helper')
        for helper in helpers(two):
            stopped += tell_helper(helper, signal.SIGSTOP)
            time.sleep(0.4)    # in which nothing may change what is told
            tell_helper(helper, signal.SIGCONT)
        if two.process.poll() is not None:
            break
        time.sleep(0.05)
    two.end()
    check(stopped, 'no helper was ever stopped')
    for a, b in zip(journal_without_times(one), journal_without_times(two)):
        equal(b, a, 'a line of the journal')
    equal(len(two.journal), len(one.journal), 'lines of the journal')
    check(one.events('merged'), 'nothing is merged')


# ---- too many ---------------------------------------------------------------

@case
def fails_differently_each_time():
    # More ways than there is room for: said once, the rest is kept together.
    n = 1100
    source = one_input('\tif (size > 2 && data[0] == \'F\')\n'
                       '\t\tfunctions[(data[1] * 256 + data[2]) %% %d]();' % n,
                       head=''.join(
        '__attribute__((noinline)) static void f%d(void) '
        '{ __builtin_trap(); }\n' % i for i in range(n)) +
        'static void (*const volatile functions[])(void) = { %s };\n' %
        ', '.join('f%d' % i for i in range(n)))
    target = build(source, 'many', flags=['-O0'])
    r = run(target, '-j', 2, '--fuzztime', '%dx' % n, '--verify', 0,
            '--minimizetime', 0, '--seeds',
            seeds([b'F' + bytes([i // 256, i % 256]) for i in range(n)]),
            status=1, patience=4 * PATIENCE)
    told = [l for l in r.stdout.splitlines() if 'too many findings' in l]
    equal(len(told), 1, 'lines about it')
    buckets = r.buckets()
    equal(len(buckets), 1001, 'folders')
    others = [b for b in buckets if '/others-' in b.folder]
    equal(len(others), 1, 'folders of others')
    equal(others[0].info['count'], n - 1000, 'what is kept together')
    check(2 < len(inputs(others[0])) <= 10, 'inputs of others: %d',
          len(inputs(others[0])))
    # The next run knows all of them.
    r = run(target, '-j', 2, '--fuzztime', '5x', '--verify', 0,
            '--minimizetime', 0, '--seeds',
            seeds([b'F\0' + bytes([i]) for i in range(5)], 'again'),
            status=1, patience=4 * PATIENCE)
    equal(len(r.buckets()), 1001, 'folders of the next run')


main()

#!/usr/bin/env python3
"""cfuzz check: do the findings of a campaign still fail in a new build?"""

import os
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
import control             # noqa: E402
from cfuzztest import *    # noqa: E402,F401,F403

# Three bugs, in functions of their own: MEND=1 mends the first, and so on.
BUGS = '''
static int mend;

__attribute__((noinline)) static void
first(const uint8_t *data)
{
	if (!(mend & 1) && data[1] == '!')
		abort();
}

__attribute__((noinline)) static void
second(const uint8_t *data)
{
	if (!(mend & 2) && data[1] == '?')
		cfuzz_fail("what is %02x?", data[0]);
	if (mend & 8 && data[1] == '?')
		abort();
}

__attribute__((noinline)) static void
third(const uint8_t *data)
{
	if (!(mend & 4) && data[1] == '.')
		probe_wait_for_ever();
}'''
BODY = '''
	mend = %d;
	if (size < 2)
		return 0;
	first(data);
	second(data);
	third(data);'''
SEEDS = [b'a!aa', b'a?aa', b'a.aa']


def bugs(mend=0, lines=0):
    """A build in which some bugs are mended; lines move the others."""
    return build(one_input(BODY % mend, '\n' * lines + BUGS))


def campaign(target, **more):
    # What hangs comes first and alone: it takes five limits, and with a limit
    # as short the others would hang, too, on a busy machine.
    options = ['-j', 1, '--verify', 2, '--minimizetime', 0]
    run(target, *options, '--fuzztime', '1x', '--timeout', 300, '--seeds',
        seeds(SEEDS[2:], 'hanging'), status=1, **more)
    return run(target, *options, '--fuzztime', '2x', '--timeout', 2500,
               '--seeds', seeds(SEEDS[:2]), status=1, **more)


def check_again(*words, status):
    got, out, err = tool(CFUZZ, 'check', *words)
    equal(got, status, 'status:\n%s%s' % (out, err))
    return out if status != 2 else err


@case
def the_same_build():
    # All of them, each with where; the target is the journal's.
    r = campaign(bugs())
    before = {b.folder: b.info for b in r.buckets()}
    out = check_again('out', status=1)
    for folder, info in before.items():
        check('%s: still fails: %s' % (folder, info['what']) in out,
              'no line for %s:\n%s', folder, out)
    check(' in first target.c:' in out and ' in second target.c' in out,
          'no names:\n%s', out)
    check(out.endswith('3 findings: 3 still fail, 0 differently, 0 fixed, '
                       '0 not run\n'), 'the last line:\n%s', out)
    equal({b.folder: b.info for b in r.buckets()}, before, 'the findings')


@each(('one', 1, 1, (2, 0, 1, 0)), ('all', 7, 3, (0, 0, 2, 1)),
      ('another', 10, 1, (2, 1, 0, 0)))
def a_build_with_mended_bugs(mend, status, counts):
    # Other addresses and lines: what is the same is told by function. With
    # more time than it had, a run without the hang says nothing.
    campaign(bugs())
    target = bugs(mend, lines=7)
    out = check_again('out', target, '--json', status=status)
    equal(len(out.splitlines()), 1, 'lines')
    got = json.loads(out)
    equal((got['still_fails'], got['fails_differently'], got['fixed'],
           got['not_run']), counts, 'counts of %s' % out)
    verdicts = {f['was_what']: f['verdict'] for f in got['findings']}
    if mend & 1:
        equal(verdicts['SIGABRT'], 'fixed', 'the first')
    if mend & 4:
        equal([f['why'] for f in got['findings'] if f['was_what'] == 'hang'],
              ['no run failed, but it failed with --timeout 300ms'], 'why')
    if mend & 8:
        equal(verdicts['error'], 'fails-differently', 'the second')
        out = check_again('out', target, status=status)
        check(re.search(r': fails differently: SIGABRT in second \S+ \(it '
                        r'was error in second \S+\)\n', out), 'says\n%s', out)


LEAK = (b'lost', lambda new, sanitizer: build(
    'leaks.c', flags=['-DNEW'] * new + sanitizer))
OVERFLOW = (b'lost', lambda new, sanitizer: build(one_input('''
	char *volatile text = malloc(size + 1);

	if (size > 1)
		text[0] = text[size + 1];
	free(text);''', '\n' * new), flags=sanitizer))
ASAN = ['-fsanitize=address']


@each(('leak-option', LEAK, ASAN, ['--no-leaks'], {}),
      ('leak-forbidden', LEAK, ASAN, [], {'LEAKS_FORBID': '1'}),
      ('leak-plain', LEAK, [], [], {}), ('overflow-plain', OVERFLOW, [], [], {}),
      ('overflow-other', OVERFLOW, ['-fsanitize=undefined'], [], {}))
def what_nobody_would_see(bug, sanitizer, options, env):
    # A failure that only a sanitizer sees is not mended where none looks.
    data, make = bug

    def use(*how):
        shutil.copy(make(*how), 'new')
        os.rename('new', 'target')

    use(False, ASAN)
    run('./target', '-j', 1, '--fuzztime', '1x', '--minimizetime', 0,
        '--seeds', seeds([data]), status=1)
    use(True, sanitizer)
    status, out, err = tool(CFUZZ, 'check', *options, 'out', './target',
                            env=env)
    equal(status, 3, 'status:\n%s%s' % (out, err))
    why = re.search(': not run: no run failed, but (.*)', out)
    check(why, 'says\n%s', out)
    r = control.start('./target', '-j', 1, *options, env=env)
    s = r.control.until(lambda s: s['execs'] > 100, 'executions')
    r.control.refuses('replay %s 3' % s['findings'][0]['id'], why.group(1))
    r.wait_line('no verdict: ')
    r.stop(0)
    check('no verdict: ' in r.stdout and why.group(1) in r.stdout,
          'says\n%s', r.stdout)
    equal(r.stats['findings'][0]['standing'], 'not seen', 'the standing')
    use(True, ASAN)
    r = control.start('./target', '-j', 1, '--verify', 3)
    r.control.until(lambda s: s['findings'][0]['reproduced'] == 3, 'replays')
    r.stop(1)


@case
def report_of_another_program():
    # The target's own build has no sanitizer, and never needed one: what it
    # starts has.
    child = build(HEAD + '''
int main(void)
{
	char *volatile text = malloc(2);

	return text[2];
}''', name='child', flags=ASAN)

    def use(starts):
        shutil.copy(build(one_input('''
	int status = 0;

	if (!%d || size < 4 || memcmp(data, "lost", 4) != 0)
		return 0;
	if (fork() == 0) {
		execl("%s", "child", (char *)NULL);
		_exit(99);
	}
	wait(&status);
	if (status != 0)
		_exit(3);''' % (starts, os.path.abspath(child)),
                                    '#include <sys/wait.h>\n'),
                          flags=['-fno-sanitize=all']), 'new')
        os.rename('new', 'target')

    use(1)
    r = run('./target', '-j', 1, '--fuzztime', '1x', '--minimizetime', 0,
            '--seeds', seeds([b'lost']), status=1)
    equal(r.bucket().info['kind'], 'sanitizer', 'the kind')
    r = control.start('./target', '-j', 1)
    s = r.control.until(lambda s: s['execs'] > 100, 'executions')
    r.control.command('replay %s 3' % s['findings'][0]['id'])
    r.control.until(lambda s: s['findings'][0]['reproduced'] == 3, 'replays')
    r.stop(1)
    use(0)
    check_again('out', status=0)


@case
def debug_information_comes_later():
    # The same code has the name of an inlined function then.
    target = build(one_input('outer(data, size);', '''
static inline __attribute__((always_inline)) void
inner(const uint8_t *data, size_t size)
{
	if (size > 1 && data[1] == '!')
		abort();
}
__attribute__((noinline)) void
outer(const uint8_t *data, size_t size)
{
	inner(data, size);
	probe_count();
}'''), flags=['-rdynamic'])
    equal(tool('strip', '-o', 'target', target)[0], 0, 'strip')
    r = run('./target', '-j', 1, '--fuzztime', '1x', '--minimizetime', 0,
            '--seeds', seeds([b'a!']), status=1)
    check(r.bucket().info['where'].startswith('outer '), 'where: %s',
          r.bucket().info)
    shutil.copy(target, 'new')
    os.rename('new', 'target')
    out = check_again('out', status=1)
    check(': still fails: SIGABRT in inner target.c:' in out, 'says\n%s', out)


@case
def another_program():
    # Nothing fails in it, but nothing is fixed. The file name tells, as it
    # does for `cfuzz run`; a copy is the same build.
    r = campaign(bugs())
    other = build(one_input(''), name='other')
    err = check_again('out', other, status=2)
    check('out belongs to another target, %s, not to %s' % (bugs(), other)
          in err, 'says\n%s', err)
    equal(len(r.buckets()), 3, 'the findings')
    shutil.rmtree(r.bucket('hangs').path)    # not to be seen with more time
    os.mkdir('there')
    shutil.copy(other, 'there/target')
    shutil.copy(bugs(), 'there/copy')
    check_again('out', 'there/target', status=0)
    check_again('out', 'there/copy', status=1)


@case
def arguments_and_limits_of_the_campaign():
    # Without them nothing would fail.
    target = build(one_input('''
	if (armed && size > 1)
		usleep(3000000);''', '''
static bool armed;

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	armed = *argc > 1 && strcmp((*argv)[1], "two words") == 0;
	return 0;
}'''))
    r = run(target, '-j', 1, '--fuzztime', '1x', '--timeout', 300,
            '--minimizetime', 0, '--verify', 1, '--seeds', seeds([b'aa']),
            args=['two words'], status=1)
    equal(r.bucket('hangs').info['kind'], 'hang', 'kind')
    out = check_again('out', status=1)
    check("with the campaign's arguments: 'two words'\n" in out,
          'says\n%s', out)
    # A higher limit is no mend.
    out = check_again('out', '--timeout', '60s', status=3)
    check(': not run: no run failed, but it failed with --timeout 300ms\n' in out,
          'says\n%s', out)
    status, out, err = tool(CFUZZ, 'repro', target, r.bucket('hangs').path)
    equal(status, 1, 'status of cfuzz repro: %s%s' % (out, err))


@each(('clean-env', ('--clean-env',), 'if (getenv("DIRTY") == NULL)\nabort();'),
      ('file-limit', ('--file-limit', 1), '''
	static char block[2 << 20];
	int fd = open("big", O_CREAT | O_WRONLY | O_TRUNC, 0600);
	(void)!write(fd, block, sizeof(block));
	(void)!write(fd, block, sizeof(block));
	close(fd);'''))
def options_that_make_it_fail(options, body):
    # A new build with the same bug: not fixed.
    os.environ['DIRTY'] = '1'
    r = run(build(one_input(body)), '-j', 1, '--fuzztime', '1x',
            '--minimizetime', 0, '--verify', 1, '--seeds', seeds([b'aa']),
            *options, status=1)
    target = build(one_input(body, head='\n'))
    out = check_again('out', target, status=1)
    check(': still fails: ' in out, 'says\n%s', out)
    equal(repro(target, r.bucket().path)[0], 1, 'status of cfuzz repro')


@case
def names_that_are_no_text():
    # Neither the path nor the argument is UTF-8; without it nothing would fail.
    def odd(folder, lines):
        os.mkdir(folder)
        name = os.path.abspath(os.path.join(folder, b'target\xff'))
        shutil.copy(build(one_input('''
	if (armed && size > 1)
		abort();''', '\n' * lines + '''
static bool armed;

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	armed = *argc > 1 && strcmp((*argv)[1], "\\xfe") == 0;
	return 0;
}''')), name)
        return os.fsdecode(name)

    target, options = odd(b'here', 0), ['-j', 1, '--fuzztime', '1x',
                                        '--minimizetime', 0, '--verify', 1]
    r = run(target, *options, '--seeds', seeds([b'aa']),
            args=[os.fsdecode(b'\xfe')], status=1)
    bucket = r.bucket()
    equal(bytes.fromhex(bucket.info['target_hex']), os.fsencode(target),
          'the target in crash.json')
    check(': still fails: SIGABRT' in check_again('out', status=1), 'it is gone')
    status, out = repro(target, bucket.path)
    equal(status, 1, 'status of cfuzz repro: %s' % out)
    # Another build of it, in another place.
    os.remove(target)
    run(odd(b'there', 3), *options)


@case
def flaky():
    # One that failed now and then has several runs to do it again.
    target = build(one_input('''
	if (size > 1 && probe_count() % 4 == 3)
		abort();'''))
    write('out/journal.jsonl', json.dumps(
        {'t': '', 'at_s': 0, 'event': 'campaign', 'target': target,
         'build_id': '', 'args': []}) + '\n')
    for name, reproduced in (('a', 1), ('b', 3)):
        write('out/crashes/%s/input' % name, b'aa')
        write('out/crashes/%s/crash.json' % name, json.dumps(
            {'id': 'a' * 16, 'kind': 'signal', 'what': 'SIGABRT',
             'replays': 3, 'reproduced': reproduced}))
    probe = os.path.abspath('probe')
    os.mkdir('probe')
    status, out, _ = tool(CFUZZ, 'check', '-j', 1, '--timeout', '10000',
                          'out', '--json',
                          env={'PROBE': probe})
    equal(status, 1, 'status')
    got = {f['folder']: (f['verdict'], f['runs'])
           for f in json.loads(out)['findings']}
    equal(got, {'crashes/a': ('still-fails', 3), 'crashes/b': ('fixed', 1)},
          'verdicts')


@case
def not_run():
    # What cannot be run is said, and the others are run all the same.
    target = bugs()
    write('out/journal.jsonl', b'')
    write('out/crashes/a/crash.json', b'{}')
    os.makedirs('out/crashes/b')
    os.mkfifo('out/crashes/b/input')
    write('out/crashes/c/input', b'a!')
    write('out/crashes/c/crash.json', json.dumps(
        {'kind': 'signal', 'what': 'SIGABRT\x1b[2J'}))
    out = check_again('out', target, status=3)
    check('crashes/a: not run: the finding has no input\n' in out, 'says\n%s', out)
    check('crashes/b: not run: the finding has no input\n' in out, 'says\n%s', out)
    check('crashes/c: fails differently: SIGABRT in first' in out,
          'says\n%s', out)
    check('\x1b' not in out, 'an escape: %r', out)


@case
def nothing_to_check():
    run(build(one_input('')), '-j', 1, '--fuzztime', '10x', '--seeds',
        seeds([b'a']), status=0)
    check('nothing to check' in check_again('out', status=0), 'not said')


@case
def many_at_a_time():
    # Lines come in the order of the list, whoever is done first.
    target = build(one_input('''
	if (size > 1 && data[0] % 2)
		usleep(20000);
	abort();'''))
    write('out/journal.jsonl', b'')
    for i in range(40):
        write('out/crashes/f%02d/input' % i, bytes([i, i]))
    out = check_again('-j', 4, 'out', target, status=1)
    equal(re.findall(r'^crashes/f(\d\d): fails', out, re.M),
          ['%02d' % i for i in range(40)], 'order')


@case
def interrupted():
    # What was not run is said.
    target = build(one_input('\tprobe_count();\n\tprobe_wait_for_ever();'))
    write('out/journal.jsonl', b'')
    for name in 'ab':
        write('out/crashes/%s/input' % name, b'x')
    os.mkdir('probe')
    process = subprocess.Popen(
        [CFUZZ, 'check', '-j', '1', '--timeout', '60s', '--stop-step', '100',
         'out', target], stdout=subprocess.PIPE, text=True,
        env=dict(os.environ, PROBE=os.path.abspath('probe')))
    wait_for(lambda: os.path.exists('probe/calls'), 'the first run')
    process.send_signal(signal.SIGINT)
    out = process.communicate(timeout=PATIENCE)[0]
    equal(process.returncode, 3, 'status of\n%s' % out)
    check('crashes/b: not run: stopped\n' in out, 'says\n%s', out)
    check('2 not run' in out, 'says\n%s', out)


@each(('nothing', [], 'name an output directory'),
      ('no-output', ['.', '{t}'], 'not an output directory'),
      ('no-target', ['out'], 'does not name its target'),
      ('gone', ['other'], 'nowhere'),
      ('not-ours', ['out', '{s}'], 'static'),
      ('option', ['--seeds', 'x', 'out'], '--seeds'),
      ('three', ['out', '{t}', 'x'], 'x'))
def refused(words, want):
    write('out/journal.jsonl', b'')
    write('other/journal.jsonl', json.dumps(
        {'event': 'campaign', 'target': '/nowhere/t', 'build_id': ''}) + '\n')
    err = check_again(*[w.replace('{t}', bugs()).replace('{s}', no_target())
                        for w in words], status=2)
    check(want in err, 'does not say %s: %s', want, err)


main()

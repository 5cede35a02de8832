#!/usr/bin/env python3
"""cfuzz min: one failing input made smaller, and what may go wrong."""

import os
import pty
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403

CRASH = one_input('''
	if (memmem(data, size, "BUG", 3) != NULL)
		abort();
	if (memmem(data, size, "NOT", 3) != NULL)
		cfuzz_fail("not that");''')
INPUT = b'x' * 200 + b'BUG' + b'y' * 100

# So slow that nobody gets to the end of it.
SLOW = one_input('''
	usleep(3000);
	if (size >= 2500 && data[0] == 'B')
		abort();''')


def minimize(target, *words, status=0, env=None):
    """cfuzz min: (stdout, stderr)."""
    got, out, err = tool(CFUZZ, 'min', '--timeout', '10000', target, *words,
                         env=env)
    check(got == status, 'exit status %d, not %d:\n%s%s', got, status, out,
          err)
    return out, err


def nothing_left(*names):
    """The folder holds these files and no other, nor a temporary one."""
    left = [n for n in os.listdir('.') if n not in ('config', 'state')]
    equal(sorted(left), sorted(names), 'files')


# The inputs of the reference's own tests of its minimizer.
CLASSIC = one_input('''
	size_t ones = 0, chars = 0;

	for (size_t i = 0; i < size; i++) {
		ones += data[i] == 1;
		chars += data[i] == '1';
	}
	if ((probe_is("ones") && ones == 3) ||
		(probe_is("ones-text") && chars == 3) ||
		(probe_is("single") && size >= 2 &&
			!(size == 2 && data[0] == 1 && data[1] == 2)) ||
		(probe_is("set") && ((size == 6 &&
			memcmp(data, "\\0\\1\\2\\3\\4\\5", 6) == 0) ||
			(size == 3 && memcmp(data, "\\0\\4\\5", 3) == 0))) ||
		(probe_is("three") && size == 3) ||
		(probe_is("five") && size == 5) ||
		(probe_is("letter") && size > 0 && ((data[0] | 32) >= 'a' &&
			(data[0] | 32) <= 'z')))
		abort();''')


@each(('ones', b'\0\0\1\0\1' + b'\0' * 3 + b'\1' + b'\0' * 18, b'\1\1\1'),
      ('single', b'\1\2\3\4\5', b'00'),
      ('set', b'\0\1\2\3\4\5', b'\0\4\5'),
      ('three', b'\xe0\xb8\x97', b'000'),
      ('ones-text', b'001010001' + b'0' * 18, b'111'),
      ('five', b'zzzzz', b'00000'), ('letter', b'ZZZZZ', b'A'))
def classic(given, smallest):
    # B8 to B14, through the whole tool.
    write('input', given)
    out, _ = minimize(build(CLASSIC), 'input', '-o', 'small',
                      env={'MODE': CURRENT[0]})
    equal(read('small'), smallest, 'the smaller input')


@case
def one_file():
    # The smallest that fails in the same way; the input stays as it was.
    write('input', INPUT)
    out, err = minimize(build(CRASH), 'input', '-o', 'small')
    equal(read('small'), b'BUG', 'the smaller input')
    equal(read('input'), INPUT, 'the input')
    check(re.search(r'SIGABRT in LLVMFuzzerTestOneInput target.c:\d+\n', out),
          'what and where:\n%s', out)
    check(re.search(r'minimized: 303 -> 3 bytes, \d+ tries, \d+ accepted, '
                    r'[\d.]+ s, reproduced 5 of 5\n', out), 'numbers:\n%s',
          out)
    check(out.endswith('written to small\n'), 'the output:\n%s', out)
    check('\r' not in out and '\x1b' not in out, 'progress on a pipe: %r', out)
    equal(err, '', 'standard error')
    check_mode('small')
    nothing_left('input', 'small')


@case
def json_object():
    write('input', INPUT)
    out, _ = minimize(build(CRASH), '--json', '-o', 'small', 'input',
                      '--verify', 2)
    equal(len(out.splitlines()), 1, 'lines')
    got = json.loads(out)
    for name, want in (('start_len', 303), ('len', 3), ('kind', 'signal'),
                       ('what', 'SIGABRT'), ('rule', 'same-bucket'),
                       ('input', 'input'), ('output', 'small'),
                       ('end', 'done'), ('reproduced', 2), ('runs', 2)):
        equal(got.get(name), want, name)
    check(got['tries'] >= got['accepted'] > 0, 'tries: %s', out)
    check(got['seconds'] > 0, 'seconds: %s', out)
    check(got['where'].startswith('LLVMFuzzerTestOneInput'), 'where: %s', out)


@case
def a_finding_s_folder():
    # Its input is taken, "minimized" is made; the target's arguments are
    # those of the campaign.
    target = build(one_input('''
	if (strcmp(mode, "armed") == 0 && size > 3 && data[1] == '!')
		abort();''', '''
static const char *mode = "";

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	mode = *argc > 1 ? (*argv)[1] : "";
	return 0;
}'''))
    r = run(target, '-j', 1, '--fuzztime', '50x', '--minimizetime', 0,
            '--seeds', seeds([b'a!' + b'a' * 98]), args=['armed'], status=1)
    bucket = r.bucket()
    before, info = bucket.input, bucket.info
    check(not bucket.has('minimized'), 'it is minimized already')
    minimize(target, bucket.path)
    equal(bucket.info, dict(info, minimized_len=4,
                            minimize_rule='same-bucket',
                            minimized_build=info['build_id']), 'crash.json')
    equal(bucket.input, before, 'the input')
    equal(len(bucket.minimized), 4, 'length')
    # A longer one never takes its place.
    small = bucket.minimized
    minimize(target, bucket.path, '--minimizetime', '1x')
    equal(bucket.minimized, small, 'minimized again')
    # Elsewhere, and the folder is left alone.
    minimize(target, bucket.path, '-o', 'elsewhere')
    equal(len(read('elsewhere')), 4, 'length elsewhere')
    for name in os.listdir(bucket.path):
        check(not name.startswith('.tmp'), 'left behind: %s', name)


@case
def while_an_engine_is_at_work():
    # Its folders are its own.
    target = build(CRASH)
    r = start(target, '-j', 1, '--minimizetime', 0, '--seeds', seeds([INPUT]))
    r.wait_line('to re-run')
    bucket = r.buckets()[0]
    status, out, err = command(CFUZZ, 'min', target, bucket.path)
    equal(status, 2, 'status')
    equal(err, 'cfuzz: %s is in use by another cfuzz: stop that one first, or '
          'write elsewhere: -o FILE\n' % r.path(), 'says')
    check(not bucket.has('minimized'), 'it was written all the same')
    equal(command(CFUZZ, 'min', target, bucket.path, '-o', 'small')[0], 0,
          'with -o')
    r.signal(signal.SIGINT)
    r.end(1)


def command(*words):
    """As tool(), while others run."""
    done = subprocess.run([str(w) for w in words], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=PATIENCE, text=True)
    return done.returncode, done.stdout, done.stderr


@each(('same-bucket', b'NOT'), ('any-failure', b'N'))
def the_rule(want):
    # Without the other two letters it still fails, in another way.
    source = one_input('''
	if (memmem(data, size, "NOT", 3) != NULL)
		abort();
	if (memchr(data, 'N', size) != NULL)
		cfuzz_fail("not that");''')
    write('input', b'xxNOTxx')
    minimize(build(source), 'input', '-o', 'small', '--minimize-rule',
             CURRENT[0])
    equal(read('small'), want, 'the smaller input')


@case
def without_a_fork():
    # The fork server dies with each candidate: the engine tries them itself.
    target = build(one_input('''
	if (size > 4 && data[0] == 'B')
		abort();''', THREAD))
    write('input', b'B' + b'x' * 60)
    minimize(target, 'input', '-o', 'small')
    equal(len(read('small')), 5, 'length')


@each(('hang', 'probe_wait_for_ever();'),
      ('memory', '''for (;;) {
			volatile char *p = malloc(1 << 20);

			for (int i = 0; p != NULL && i < 1 << 20; i += 4096)
				p[i] = 1;
		}'''))
def slow_failures(body):
    # What each try of it costs a whole limit is made smaller as well.
    target = build(one_input('''
	if (size > 3 && data[0] == 'B')
		%s''' % body))
    write('input', b'B' + b'x' * 11)
    out, _ = minimize(target, 'input', '-o', 'small', '--timeout',
                      '2500' if CURRENT[0] == 'hang' else '20s', '--rss-limit',
                      '60', '--minimizetime', '15x')
    check('%s' % ('hang' if CURRENT[0] == 'hang' else 'oom') in out,
          'says\n%s', out)
    check(4 <= len(read('small')) < 12, '%d bytes:\n%s',
          len(read('small')), out)


@each(('time', '200ms'), ('executions', '40x'))
def the_budget_is_used_up(budget):
    # The smallest so far is kept.
    write('input', b'B' * 3000)
    out, _ = minimize(build(SLOW), 'input', '-o', 'small', '--minimizetime',
                      budget)
    check('the budget is used up' in out, 'says:\n%s', out)
    check(2500 <= len(read('small')) <= 3000, '%d bytes',
          len(read('small')))


def until_progress(target, *words):
    """cfuzz min on a terminal: (process, what it wrote so far, master)."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [CFUZZ, 'min', '--timeout', '10000', target, *words],
        stdin=subprocess.DEVNULL, stdout=slave, stderr=slave,
        start_new_session=True)
    os.close(slave)
    said = b''
    while not re.search(rb'minimizing: \d+ -> (?!30000 )\d+ bytes', said):
        got = os.read(master, 4096)
        check(got, 'it ended: %r', said)
        said += got
    return process, said, master


def rest(master):
    said = b''
    while True:
        try:
            got = os.read(master, 4096)
        except OSError:
            return said
        if not got:
            return said
        said += got


@case
def progress_and_an_interrupt():
    # A line each second on a terminal; ^C keeps the smallest so far.
    write('input', b'B' * 30000)
    process, said, master = until_progress(build(SLOW), 'input', '-o', 'small')
    os.kill(process.pid, signal.SIGINT)
    said += rest(master)
    equal(process.wait(PATIENCE), 0, 'status')
    check(re.search(rb'\rminimizing: 30000 -> \d+ bytes, [a-z]+, \d+ tries, '
                    rb'\d+ s', said), 'progress: %r', said)
    check(b'stopped: this is the smallest so far' in said, 'says %r', said)
    check(b'\x1b' not in said, 'an escape: %r', said)
    check(2500 <= len(read('small')) < 30000, '%d bytes',
          len(read('small')))


@case
def does_not_fail():
    write('input', b'fine')
    _, err = minimize(build(CRASH), 'input', '-o', 'small', status=2)
    check('input does not fail, in 5 runs' in err, 'says %r', err)
    nothing_left('input')


@case
def fails_only_once():
    # Nothing is believed that did not fail again: none of it is written.
    target = build(one_input('''
	if (probe_count() == 1)
		abort();'''))
    write('input', b'a')
    os.mkdir('probe')
    minimize(target, 'input', '-o', 'small', status=3,
             env={'PROBE': os.path.abspath('probe')})
    nothing_left('input', 'probe')


@each(('no-output', ['{t}', 'input'], '-o FILE'),
      ('itself', ['{t}', 'input', '-o', './input'], 'the input file itself'),
      ('its-link', ['{t}', 'input', '-o', 'link'], 'the input file itself'),
      ('a-device', ['{t}', 'input', '-o', '/dev/null'], 'not a regular file'),
      ('a-folder', ['{t}', 'input', '-o', '.'], 'not a regular file'),
      ('no-such-folder', ['{t}', 'input', '-o', 'nowhere/x'], 'nowhere/x'),
      ('not-there', ['{t}', 'nowhere', '-o', 'x'], 'nowhere'),
      ('no-finding', ['{t}', '.', '-o', 'x'], '. is a folder'),
      ('odd-name', ['{t}', 'a\x1b[2Jb', '-o', 'x'], 'a\\x1b[2Jb'),
      ('no-time', ['--minimizetime', '0', '{t}', 'input', '-o', 'x'],
       'no time'),
      ('option', ['--dict', 'x', '{t}', 'input', '-o', 'x'], '--dict'),
      ('two-files', ['{t}', 'input', 'more', '-o', 'x'], 'more'),
      ('no-file', ['{t}'], 'name a target and a failing input'),
      ('no-target', ['./input', 'input', '-o', 'x'], 'input'))
def refused(words, want):
    # Said, and nothing is touched.
    target = build(CRASH)
    write('input' if CURRENT[0] != 'no-finding' else 'other', INPUT)
    if CURRENT[0] == 'its-link':
        os.symlink('input', 'link')
    before = sorted(os.listdir('.'))
    status, out, err = tool(CFUZZ, 'min',
                            *[w.replace('{t}', target) for w in words])
    equal(status, 2, 'status of %s' % err)
    equal(out, '', 'standard output')
    check(want in err and '\x1b' not in err, 'says %r', err)
    equal(sorted(os.listdir('.')), before, 'files')


@case
def cannot_be_written():
    # The folder goes away meanwhile: said, and nothing else is touched.
    target = build(one_input('''
	rmdir(getenv("FOLDER"));
	abort();'''))
    write('input', INPUT)
    os.mkdir('folder')
    _, err = minimize(target, 'input', '-o', 'folder/small', status=3,
                      env={'FOLDER': os.path.abspath('folder')})
    check('cannot write folder/small' in err, 'says %r', err)
    nothing_left('input')


main()

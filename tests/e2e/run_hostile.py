#!/usr/bin/env python3
"""Targets that do what no target should: nothing false is kept, nobody stays,
and the campaign goes on."""

# BEGUN FIRST
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403
import sandbox             # noqa: E402

# Each input that ends with a byte that is no ASCII.
BAD = '\tprobe_count();\n\tif (size == 0 || data[size - 1] < 128)\n' \
    '\t\treturn 0;\n%s'


def is_bad(data):
    return data[-1:] >= b'\x80'


def bad(body, head='', **more):
    return build(one_input(BAD % body, head), **more)


def went_on(r, limit):
    """The whole limit was used, and calls without harm were among them."""
    equal(r.stats['execs'], limit, 'executions')
    check(r.calls >= limit / 2, 'only %d calls', r.calls)


@each(('SIGTERM', 'terminated'), ('SIGKILL', 'killed'), ('SIGHUP', 'hangup'),
      ('SIGINT', 'interrupt'), ('SIGUSR1', ''), ('SIGQUIT', 'quit'),
      ('SIGALRM', ''))
def other_signals(text):
    # B92, B93: no crash as long as nobody has seen it again; the input is a
    # suspect, and the campaign goes on.
    name = CURRENT[0]
    r = run(bad('\traise(%s);' % name, '#include <signal.h>'), '-j', 2,
            '--fuzztime', '800x', '--seeds', seeds([b'seed', b'another']),
            '--verify', 0, status=0)
    check(r.said('no crash will be recorded: signal: ' + text),
          'it is not told:%s', r.describe())
    r.no_findings()
    suspects = r.suspects()
    check(suspects, 'there are no suspects')
    check(all(map(is_bad, suspects)), 'a wrong suspect: %r',
          suspects)
    equal(r.stats['suspects'], len(suspects), 'stats.json: "suspects"')
    check(len(suspects) <= 50, 'they are not limited: %d', len(suspects))
    check(re.search('left in out/suspects(: |, most often )%s$' % name,
                    r.stdout.splitlines()[-1]),
          'the last line does not name them:%s', r.describe())
    check(r.events('suspect'), 'the journal tells of no suspect')
    went_on(r, 800)


@each(('SIGKILL',), ('SIGTERM',), ('SIGUSR1',))
def kills_itself():
    # It does so each time, in fresh processes too: that is the target's own.
    name = CURRENT[0]
    r = run(bad('\traise(%s);' % name, '#include <signal.h>'), '-j', 2,
            '--fuzztime', '800x', '--seeds', seeds([b'seed', b'another']),
            status=1)
    bucket = r.bucket()
    equal(bucket.info['what'], name, 'the kind')
    equal(bucket.info['state'], 'confirmed', 'the state')
    check(is_bad(bucket.input), 'a wrong input: %r', bucket.input)
    check(bucket.input not in r.suspects(), 'it is a suspect, too')
    status, out = repro(r.target, bucket.path)
    equal(status, 1, 'status of cfuzz repro: %s' % out)
    went_on(r, 800)


@case
def kills_itself_twice():
    # Its input ran twice when it was killed, and lives through the next run:
    # that may have been anybody.
    r = run(bad('''
	if (probe_add(probe_number("deaths")) < 3)
		raise(SIGTERM);''', '#include <signal.h>'), '-j', 1, '--fuzztime',
            '1x', '--seeds', seeds([b'kill\xff']), status=0)
    equal(r.number('deaths'), 3, 'tries')
    r.no_findings()
    equal(r.suspects(), [b'kill\xff'], 'suspects')


@case
def stopped_from_outside():
    # As a batch system or a user does: the input does not do it again.
    r = start(build(one_input('\tprobe_count();\n\tusleep(3000000);',
                              '#include <unistd.h>')), '-j', 1, '--seeds',
              seeds([b'seed']))
    r.wait_fuzzing()
    calls = r.calls    # one that has just begun lasts
    r.wait_for(lambda: r.calls > calls, 'an execution')
    for pid in r.children():
        os.kill(pid, signal.SIGSTOP)
    r.end_at('the process was stopped (SIGSTOP); the input is run again', 0)
    r.no_findings()
    equal(len(r.suspects()), 1, 'suspects')


@case
def suspect_that_fails_by_itself():
    # Killed from outside, as it seems; run once more it fails: a finding.
    r = run(bad('''
	uint8_t first[4096];
	int fd = probe_open("first", O_RDONLY);
	ssize_t len = read(fd, first, sizeof(first));

	close(fd);
	if (len == 0) {
		probe_save("first", data, size);
		raise(SIGTERM);
	}
	if ((size_t)len == size && memcmp(first, data, size) == 0)
		abort();''', '#include <signal.h>'), '-j', 1, '--fuzztime', '800x',
            '--minimizetime', 0, '--verify', 2, '--seeds', seeds([b'seed']),
            status=1)
    bucket = r.bucket()
    equal(bucket.input, r.saved('first'), 'the input')
    equal(bucket.info['what'], 'SIGABRT', 'the kind')
    equal(bucket.info['state'], 'confirmed', 'the state')


@each(('SIGILL', 'illegal instruction'), ('SIGTRAP', 'trap'),
      ('SIGSYS', 'bad system call'), ('SIGPIPE', 'broken pipe'))
def crash_signals(text):
    # B94
    name = CURRENT[0]
    r = run(bad('\traise(%s);' % name, '#include <signal.h>'), '-j', 1,
            '--fuzztime', '3000x', '--verify', 1, '--minimizetime', 0,
            '--seeds', seeds([b'seed']), status=1)
    bucket = r.bucket()
    equal(bucket.info['what'], name, 'the kind')
    check(is_bad(bucket.input), 'a wrong input: %r', bucket.input)
    check(text in r.stdout, 'no "%s":%s', text, r.describe())
    check(not r.suspects(), 'there are suspects')


@case
def link_is_scribbled_on():
    # B72: nonsense on whatever is open, then a hang: nothing in crashes/.
    r = run(bad('''
	int fd;

	for (fd = 3; fd < 65536; fd++)
		if (write(fd, "!!", 2) != 2)
			continue;
	probe_wait_for_ever();'''), '-j', 1, '--fuzztime', '400x',
            '--seeds', seeds([b'seed']), '--stop-on-crash')
    equal(r.buckets('crashes'), [], 'crashes')
    suspects = r.suspects()
    check(suspects and all(map(is_bad, suspects)), 'suspects: %r', suspects)
    went_on(r, 400)


@each(('close', 'for (int fd = 3; fd < 65536; fd++)\n\t\tclose(fd);'),
      ('close-range', 'syscall(SYS_close_range, 3, ~0u, 0);'))
def all_descriptors_are_closed(body):
    # It lives, but nobody hears of it any more: what ran when that was seen
    # is a suspect, and does it again.
    r = run(bad('\t' + body, '#include <sys/syscall.h>'), '-j', 1,
            '--fuzztime', '60x', '--seeds', seeds([b'seed', b'bad\xff']),
            status=1)
    check(r.events('suspect'), 'there was no suspect:%s', r.describe())
    equal(r.bucket().info['what'], 'link', 'the kind')
    went_on(r, 60)


@case
def forks():
    # A process that stays, for many inputs: none is left.
    r = run(bad('''
	if (fork() == 0)
		probe_wait_for_ever();'''), '-j', 2, '--fuzztime', '300x',
            '--seeds', seeds([b'seed\xff', b'other']), status=0)
    went_on(r, 300)


@case
def double_forks():
    # … in a session of its own, with all signals ignored.
    r = run(bad('''
	if (fork() == 0) {
		setsid();
		if (fork() == 0) {
			for (int signo = 1; signo < 65; signo++)
				signal(signo, SIG_IGN);
			for (int fd = 0; fd < 1100; fd++)
				close(fd);
			probe_wait_for_ever();
		}
		_exit(0);
	}''', '#include <signal.h>'), '-j', 2, '--fuzztime', '300x', '--seeds',
            seeds([b'seed\xff', b'other']), status=0)
    went_on(r, 300)


@case
def forks_then_crashes():
    # A stray that holds everything open does not hide the crash.
    r = run(bad('''
	if (fork() == 0)
		probe_wait_for_ever();
	abort();'''), '-j', 1, '--fuzztime', '500x', '--verify', 1,
            '--minimizetime', 0, '--seeds', seeds([b'seed']), status=1)
    equal(r.bucket().info['what'], 'SIGABRT', 'the kind')


VFORKS = '''
	if (vfork() == 0)
		raise(SIGSEGV);
	wait(NULL);
	%s;
'''
VFORKS_HEAD = '''#include <signal.h>
#include <sys/wait.h>
'''
VFORKS_PROGRAM = VFORKS_HEAD + '''#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int
main(void)
{
	if (getchar() != 0xff)
		return 0;
%s}
'''


@each(('crash', bad, 'abort()', 'SIGABRT'),
      ('exit', bad, 'exit(3)', 'exit 3'),
      ('program', lambda body, head: build(VFORKS_PROGRAM % body), 'abort()',
       'SIGABRT'))
def crashes_after_vfork(make, end, what):
    # The crash of a process that shared all memory is not this one.
    r = run(make(VFORKS % end, VFORKS_HEAD), '-j', 1, '--fuzztime', '100x',
            '--verify', 1, '--minimizetime', 0, '--seeds',
            seeds([b'seed', b'\xff']), status=1)
    info = r.bucket().info
    equal(info['what'], what, 'the kind')
    check(info['frames'], 'no stack')


@case
def daemon():
    # The process replaces itself: an exit, and the copy is ended.
    r = run(bad('''
	if (daemon(1, 1) == 0)
		probe_add(probe_number("daemons"));
	probe_wait_for_ever();'''), '-j', 1, '--fuzztime', '500x', '--verify', 0,
            '--minimizetime', 0, '--stop-on-crash', '--seeds',
            seeds([b'seed']), status=1)
    equal(r.bucket().info['what'], 'exit 0', 'the kind')


@case
def kills_its_parent():
    # The fork server is hit, each time: the worker is started again.
    r = run(bad('\tkill(getppid(), SIGKILL);\n\tprobe_wait_for_ever();',
                '#include <signal.h>'), '-j', 1, '--fuzztime', '60x',
            '--seeds', seeds([b'seed', b'bad\xff']), status=1)
    equal(r.bucket().info['what'], 'SIGKILL', 'the kind')
    check(r.stats['workers'][0]['restarts'] > 0, 'no restart is counted')


@case
def kills_its_group():
    # Its group is its own: neither fork server nor engine is hit.
    r = run(bad('\tkill(0, SIGTERM);\n\tprobe_wait_for_ever();',
                '#include <signal.h>'), '-j', 1, '--fuzztime', '300x',
            '--seeds', seeds([b'seed']), status=1)
    equal(r.bucket().info['what'], 'SIGTERM', 'the kind')
    equal(r.stats['workers'][0]['restarts'], 0, 'restarts')


FIND_MEMORY = '''
#include <sys/mman.h>

/* The memory that the worker shares with the engine. */
static uint8_t *
memory(size_t *size)
{
	uint8_t *at = probe_memory("cfuzz-worker", size);

	if (at == NULL)
		abort();
	return at;
}

/* And what it may only read, made writable if that can be. */
static void
campaign(void)
{
	size_t size;
	uint8_t *at = probe_memory("cfuzz-campaign", &size);

	if (at != NULL && mprotect(at, size, PROT_READ | PROT_WRITE) == 0)
		probe_add(probe_number("written"));
}
'''

SCRIBBLES = (
    ('count', 'memset(at, 0xff, 8);'),
    ('length', 'memset(at + 8, 0xff, 8);'),
    ('random-state', 'memset(at + 16, 0x55, 16);'),
    ('header', 'memset(at, 0xff, 4096);'),
    ('outcome', 'memset(at, 0xee, 65536);'),
    ('everything', 'memset(at, 0x5a, size_of_it);'),
    ('zeros', 'memset(at, 0, size_of_it);'),
)


@each(*SCRIBBLES)
def shared_memory_is_scribbled_on(body):
    # It returns after that: numbers stay true, nothing false is kept.
    r = run(bad('''
	size_t size_of_it;
	uint8_t *at = memory(&size_of_it);

	%s''' % body, FIND_MEMORY), '-j', 1, '--fuzztime', '400ms', '--verify', 1,
            '--timeout', '10s', '--minimizetime', 0, '--seeds',
            seeds([b'seed']))
    check(r.status in (0, 1), 'exit status %d:%s', r.status, r.describe())
    check(r.stats['execs'] < 100 * max(r.calls, 1000), 'it believes %d '
          'executions, there were %d', r.stats['execs'], r.calls)
    for bucket in r.buckets():
        check(bucket.info['state'] != 'confirmed' or is_bad(bucket.input),
              'a false finding: %s', bucket.folder)


@each(*SCRIBBLES)
def scribbles_and_crashes(body):
    # What is kept then is what failed, or it is not called reproducible.
    r = run(bad('''
	size_t size_of_it;
	uint8_t *at = memory(&size_of_it);

	%s
	abort();''' % body, FIND_MEMORY), '-j', 1, '--fuzztime', '400ms',
            '--verify', 1, '--minimizetime', 0, '--seeds', seeds([b'seed']))
    check(r.status in (0, 1), 'exit status %d:%s', r.status, r.describe())
    for bucket in r.buckets():
        check(bucket.info['state'] != 'confirmed' or is_bad(bucket.input),
              'a false finding: %s: %r', bucket.folder, bucket.input)
    # A length that cannot be is not believed: the input is found elsewhere.
    if CURRENT[0] in ('length', 'header', 'outcome', 'everything'):
        check(all(is_bad(b.input) for b in r.buckets()),
              'not what failed: %r', [b.input for b in r.buckets()])


@case
def memory_keeps_its_size():
    # Sealed: neither cut nor, the campaign's, written to.
    r = run(bad('''
	char path[64];
	int fd;

	campaign();
	for (fd = 3; fd < 4096; fd++) {
		if (ftruncate(fd, 0) == 0)
			probe_add(probe_number("cut"));
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}''', FIND_MEMORY), '-j', 1, '--fuzztime', '300x', '--seeds',
            seeds([b'seed']), status=0)
    equal(r.number('written'), 0, 'times that campaign memory was writable')
    equal(r.number('cut'), 0, 'files that were cut')
    went_on(r, 300)


@case
def much_output():
    # Megabytes per call go nowhere; control characters are not passed on.
    r = run(bad('''
	char line[4096];

	memset(line, 'x', sizeof(line));
	memcpy(line, "\\033]0;title\\007\\033[2J", 14);
	for (int i = 0; i < 64; i++) {
		if (write(2, line, sizeof(line)) < 0)
			break;
		if (write(1, line, sizeof(line)) < 0)
			break;
	}
	abort();'''), '-j', 1, '--fuzztime', '500x', '--verify', 1,
            '--minimizetime', 0, '--seeds', seeds([b'seed']), status=1)
    check('\033' not in r.stdout + r.stderr, 'an escape reaches the terminal')
    check(len(r.stdout) < 65536, '%d bytes of output', len(r.stdout))
    check(len(r.bucket().report) < 1 << 20, 'a report of %d bytes',
          len(r.bucket().report))


MAY_PRINT = sandbox.only('read', 'write', 'lseek', 'exit_group')


@each(('killed', sandbox.KILL, 1), ('refused', sandbox.REFUSE, 0))
def much_output_in_a_sandbox(action, status):
    # 100 megabytes of each input, from a process that may do nothing else.
    r = run(bad('''
	static char line[1 << 16];
	static int shut;

	if (!shut++)
		sandbox(%s);
	for (int i = 0; i < 800; i++) {
		if (write(2, line, sizeof(line)) < 0)
			continue;
		if (write(1, line, sizeof(line)) < 0)
			continue;
	}
	(void)getuid();''' % action, MAY_PRINT), '-j', 2, '--fuzztime', '100x',
            '--verify', 1, '--minimizetime', 0, '--timeout', 20000, '--seeds',
            seeds([b'seed\xff']), status=status)
    equal([b.info['what'] for b in r.buckets()], ['SIGSYS'] * status, 'what')
    equal(r.stats['execs'], 100, 'executions')


@case
def reads_input():
    # Standard input is empty, there is no terminal.
    r = run(bad('''
	char c;

	if (read(0, &c, 1) != 0 || open("/dev/tty", O_RDWR) >= 0)
		abort();'''), '-j', 1, '--fuzztime', '300x', '--seeds',
            seeds([b'seed\xff']), status=0)
    went_on(r, 300)


@case
def threads_stay():
    # Threads that the target leaves running end with the worker.
    r = run(bad('''
	pthread_t thread;

	pthread_create(&thread, NULL, stay, NULL);''', '''
#include <pthread.h>

static void *
stay(void *arg)
{
	probe_wait_for_ever();
	return arg;
}
''', flags=['-pthread']), '-j', 1, '--fuzztime', '500x', '--seeds',
            seeds([b'seed']), status=0)
    went_on(r, 500)


@case
def threads_from_the_start():
    # It cannot be forked: each death costs a new start, all else holds.
    target = bad('''
	probe_save("last", data, size);
	abort();''', THREAD)
    r = run(target, '-j', 1, '--fuzztime', '20000x', '--verify', 2,
            '--stop-on-crash', '--minimizetime', '30x', '--seeds',
            seeds([b'seed']), status=1)
    check(r.said('cannot be forked'), 'it is not told:%s', r.describe())
    bucket = r.bucket()
    equal(bucket.info['what'], 'SIGABRT', 'the kind')
    check(is_bad(bucket.input), 'a wrong input: %r', bucket.input)


@case
def everything_fails():
    # Each input of all: told once, counted, and the end comes.
    target = build(one_input('\tprobe_count();\n\tabort();'))
    r = run(target, '-j', 2, '--fuzztime', '200x', '--verify', 1,
            '--minimizetime', '5x', '--seeds', seeds([b'a', b'b', b'c']),
            status=1)
    check(r.bucket().info['count'] > 10, 'seen %d times',
          r.bucket().info['count'])


main()

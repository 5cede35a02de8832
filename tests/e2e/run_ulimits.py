#!/usr/bin/env python3
"""Limits of the system (ulimit): each has a sentence that names it, or the
campaign gets by with what there is."""

import os
import random
import re
import resource
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403
import control             # noqa: E402

FAILS = one_input('''
	probe_count();
	if (size > 2 && data[0] == 'f')
		abort();''')


def run_limited(what, value, target, *options, words=('run',)):
    """A command under a limit: (status, stdout, stderr)."""
    hard = resource.getrlimit(what)[1]
    if hard != resource.RLIM_INFINITY and value > hard:
        raise Skip('the limit is lower already')
    done = subprocess.run(
        [CFUZZ, *words, *[str(o) for o in options], target],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, timeout=PATIENCE, start_new_session=True,
        env=dict(os.environ, PROBE=os.getcwd()),
        preexec_fn=lambda: resource.setrlimit(what, (value, value)))
    nobody_left()
    return (done.returncode, done.stdout.decode(errors='replace'),
            done.stderr.decode(errors='replace'))


def one_sentence(err, names):
    check(err.startswith('cfuzz: ') and err.count('\n') == 1 and names in err,
          'not one sentence that names %s: %r', names, err)


@case
def few_descriptors():
    # Set-up fails with a sentence, or it runs with the workers that it can.
    target, folder = build(QUIET), seeds([b'seed'])
    workers = []
    for n in range(4, 65, 3):
        status, out, err = run_limited(
            resource.RLIMIT_NOFILE, n, target, '-j', 8, '--fuzztime', '50x',
            '--seeds', folder, '-o', 'out')
        if status == 2:
            one_sentence(err, '`ulimit -n` is %d' % n)
            check(not workers, 'less is enough, but not %d: %s', n, err)
            continue
        equal(status, 0, 'status with %d descriptors: %s' % (n, err))
        told = re.search('(.*) of 8 workers are started.*`ulimit -n` is %d' %
                         n, out)
        check(told, 'fewer workers are not told: %s', out)
        workers.append(int(told.group(1).split()[-1]))
        equal(workers, sorted(workers), 'workers')
        shutil.rmtree('out')
    check(workers and workers[0] == 1 and workers[-1] > 1, 'workers: %s',
          workers)


@case
def more_workers_than_descriptors():
    # Only those are added that can start, and the answer speaks of these.
    needs_files(128)
    r = control.start(build(QUIET), '-j', 1)
    r.control.until(lambda s: s['state'] == 'fuzzing', 'fuzzing')
    first = len(open_files(r.pid)) + 60
    resource.prlimit(r.pid, resource.RLIMIT_NOFILE, (first, first))
    answer = r.control.command('workers 30')
    n = int(re.search('[0-9]+', answer).group())
    check(1 < n < 30, 'the answer: %s', answer)
    s = r.control.until(lambda s: len(s['workers']) > 1 and
                        all(w['execs'] > 0 for w in s['workers']),
                        'executions of all workers')
    equal(len(s['workers']), n, 'workers')
    r.stop(0)
    told = [e['text'] for e in r.events('worker')]
    check(len(told) == 1 and '%d of 30 workers' % n in told[0] and
          '`ulimit -n` is %d' % first in told[0], 'told: %s', told)


# From a moment on it leaves processes behind and ends its fork server.
LEAVES = one_input('''
	int go;

	probe_count();
	go = probe_open("go", O_RDONLY);
	if (lseek(go, 0, SEEK_END) > 0) {
		if (fork() == 0) {
			setsid();
			if (fork() == 0)
				for (;;)
					pause();
			_exit(0);
		}
		kill(getppid(), SIGKILL);
		/* A second one would be for the engine. */
		probe_wait_for_ever();
	}
	close(go);''', '''
#include <signal.h>
''')


@each(('a worker', []), ('a worker and a web server', ['--http']))
def no_descriptor_is_left(options):
    # The engine still finds whom its dead workers leave, and comes to its end.
    if options:
        options = options + [str(free_port())]
    # It must not end before it has lost its descriptors.
    r = start(build(LEAVES), '-j', 1, '--fuzztime', '6s', '--finish-time',
              '1s', *options)
    r.wait_fuzzing()
    used = open_files(r.pid)
    first = min(set(range(len(used) + 1)) - used)
    resource.prlimit(r.pid, resource.RLIMIT_NOFILE, (first, first))
    write(os.path.join(r.probe, 'go'), b'x')
    # A status first: whoever is killed cannot kill others. It is 3 if a file
    # could not be written without a descriptor.
    r.wait()
    check(r.status in (0, 3), 'status %s, with %s', r.status, r.describe())
    nobody_left()


# Before any of our own code runs in it.
LINKS = one_input('', '''
__attribute__((constructor)) static void
note_links(void)
{
	char path[32], link[256];

	for (int fd = 0; fd <= 2; fd++) {
		ssize_t len;

		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		len = readlink(path, link, sizeof(link) - 1);
		link[len > 0 ? len : 0] = 0;
		probe_log("links", link);
	}
}
''')


@case
def workers_never_have_our_terminal():
    # Be it that a descriptor is missing for what they are to have instead.
    target, folder = build(LINKS), seeds([b'seed'])
    status, n = 2, 3
    while status == 2 and n < 64:    # until there are enough
        n += 1
        with open('terminal', 'wb') as terminal:
            done = subprocess.run(
                [CFUZZ, 'run', '-j', '1', '--fuzztime', '1x', '--seeds',
                 folder, '-o', 'out', target],
                stdin=terminal, stdout=terminal, stderr=terminal,
                timeout=PATIENCE, start_new_session=True,
                env=dict(os.environ, PROBE=os.getcwd()),
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE,
                                                      (n, n)))
        nobody_left()
        status, said = done.returncode, read('terminal').decode()
        links = read('links').decode() if os.path.exists('links') else ''
        check(os.path.abspath('terminal') not in links,
              'with %d descriptors a worker has our terminal: %s', n, links)
        check(status in (0, 2), 'status %d with %d descriptors: %s', status,
              n, said)
        shutil.rmtree('out', ignore_errors=True)
    check(links, 'no worker has noted what it has')


@case
def tools_with_few_descriptors():
    target = build(QUIET)
    path = write('input', b'x')
    for n in range(4, 61, 4):
        status, out, err = run_limited(
            resource.RLIMIT_NOFILE, n, path, '--timeout', '20s', target,
            words=('repro',))
        if status != 0:
            equal(status, 2, 'status with %d descriptors' % n)
            one_sentence(err, '`ulimit -n` is %d' % n)
    equal(status, 0, 'status with 60 descriptors')


@each(('nothing', 0), ('kilobytes', 4096), ('most', 16 << 20))
def small_files(size):
    # No signal ends it; shared memory is no file where that may be said.
    status, out, err = run_limited(
        resource.RLIMIT_FSIZE, size, build(QUIET), '-j', 2, '--fuzztime',
        '50x', '--seeds', seeds([b'seed']), '-o', 'out')
    if status == 3 and not out:
        one_sentence(err, '`ulimit -f` is')
    else:
        check(status in (0, 3), 'status %d: %s', status, out + err)


@case
def files_get_too_large():
    # A soft limit alone: it is a full disk, and the campaign goes on.
    target = build(FAILS)
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    if hard != resource.RLIM_INFINITY:
        raise Skip('the limit is lower already')
    done = subprocess.run(
        [CFUZZ, 'run', '-j', '1', '--fuzztime', '3000x', '--minimizetime',
         '0', '--seeds', seeds([b'f' * 5000]), '-o', 'out', target],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, timeout=PATIENCE, start_new_session=True,
        env=dict(os.environ, PROBE=os.getcwd()),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE,
                                              (4096, hard)))
    out = done.stdout.decode(errors='replace')
    equal(done.returncode, 3, 'the status: ' + out)
    check('not saved: crashes/' in out, 'it is not told: %s', out)


@case
def little_address_space():
    # The corpus has less room; what is small runs as ever.
    status, out, err = run_limited(
        resource.RLIMIT_AS, 300 << 20, build(FAILS), '-j', 2, '--fuzztime',
        '3000x', '--seeds', seeds([b'seed']), '-o', 'out')
    check(status in (0, 1), 'status %d: %s', status, out + err)
    check('`ulimit -v` is' in out and '--corpus-mem' in out,
          'it is not told: %s', out)


@case
def no_address_space():
    status, out, err = run_limited(
        resource.RLIMIT_AS, 60 << 20, build(QUIET), '-j', 2, '--fuzztime',
        '50x', '--seeds', seeds([b'seed']), '-o', 'out')
    equal(status, 3, 'status: ' + out + err)
    one_sentence(err, '`ulimit -v` is')


PROGRAM = '''#include <stdio.h>

int
main(void)
{
	return getchar() == 'x';
}
'''


@each(('usual', 1000), ('short', 100))
def no_process_for_a_program(timeout):
    # Engine, its thread that writes, fork server and child: the program would
    # be the fifth. That is no hang, and no campaign either.
    user = random.randrange(100000, 1 << 31)
    if os.getuid() != 0:
        raise Skip('only root can be other users')
    for name, path in (('mine', CFUZZ), ('target', build(PROGRAM))):
        shutil.copy(path, name)
        os.chmod(name, 0o755)
    os.mkdir('place')
    os.chown('place', user, user)
    for path in ('.', '..'):
        os.chmod(path, 0o777)

    def few():
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
        resource.setrlimit(resource.RLIMIT_NPROC, (4, 4))
    try:
        done = subprocess.run(
            [os.path.abspath('mine'), 'run', '-j', '1', '--fuzztime', '20x',
             '--timeout', str(timeout), '-o', 'place/out', './target'],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=PATIENCE, start_new_session=True,
            env=dict(os.environ, HOME=os.path.abspath('place')),
            preexec_fn=few)
    except PermissionError:
        raise Skip('an ordinary user may not use this folder')
    out = done.stdout.decode(errors='replace')
    nobody_left()
    equal(done.returncode, 3, 'status: ' + out)
    check('no process for an input: Resource temporarily unavailable; '
          '`ulimit -u` is 4: raise it, or run fewer workers' in out,
          'the limit is not named: %s', out)
    for word in ('hang', 'suspect', 'slow'):
        check(word not in out, 'it says %s: %s', word, out)


@case
def small_stack():
    # All of it: failures, names, minimization.
    target = build(FAILS)
    status, out, err = run_limited(
        resource.RLIMIT_STACK, 128 << 10, target, '-j', 1, '--fuzztime',
        '500x', '--minimizetime', '200x', '--seeds', seeds([b'fffff']), '-o',
        'out')
    equal(status, 1, 'status: ' + out + err)
    check('LLVMFuzzerTestOneInput' in out, 'no names: %s', out)


@each(('thread', 'thread', False), ('memory', 'memory', False),
      ('isolated', 'thread', True), ('isolated-memory', 'memory', True))
def stack_without_limit(sanitizer, isolated):
    # The sanitizer has the program executed once more, with other addresses.
    target = build(FAILS, flags=['-fsanitize=' + sanitizer], compiler='clang')
    if resource.getrlimit(resource.RLIMIT_STACK)[1] != resource.RLIM_INFINITY:
        raise Skip('the limit of the stack is fixed')
    status, out, err = run_limited(
        resource.RLIMIT_STACK, resource.RLIM_INFINITY, target, '-j', 1,
        '--fuzztime', '20x', '--minimizetime', 0, '--seeds', seeds([b'fffff']),
        '-o', 'out', *['--isolate'] * isolated)
    if isolated and status == 2 and '--isolate: ' in err:
        raise Skip(err.strip())
    equal(status, 1, 'status: ' + out + err)


main()

#!/usr/bin/env python3
"""How a target starts, or fails to: nothing ran, status 2, one sentence."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403

INITIALIZE = '''#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include "probe.h"
int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
%s
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	probe_count();
	return 0;
}
'''

BAD_STARTS = (
    ('returns', '\treturn 1;', 'LLVMFuzzerInitialize() returned 1'),
    ('exits-0', '\texit(0);', 'exit status 0'),
    ('exits-99', '\texit(99);', 'exit status 99'),
    ('says-why', '\tfputs("no licence\\n", stderr);\n\texit(1);',
     'no licence'),
    ('aborts', '\tabort();', 'aborted'),
    ('null', '\t*(volatile int *)NULL = 1;', 'segmentation fault'),
    ('thread-exit', '\tpthread_exit(NULL);', 'exit status 0'),
    ('killed', '\traise(SIGKILL);', 'killed'),
    ('fails', '\tcfuzz_fail("not before the first input");',
     'not before the first input'),
)


def refused(r, want, calls=0):
    """Status 2, one line that says what, nothing called."""
    lines = r.stderr.splitlines()
    equal(len(lines), 1, 'lines on standard error (%s)' % r.stderr)
    check(want in lines[0], 'no "%s": %s', want, lines[0])
    equal(r.calls, calls, 'calls of the target')
    for folder in FOLDERS:
        equal(r.buckets(folder), [], folder)


# A library that was compiled without counters, in the program itself.
BIG = '''
#ifdef __clang__
#define PLAIN __attribute__((no_sanitize("coverage"), noinline))
#else
#define PLAIN __attribute__((no_sanitize_coverage, noinline))
#endif
static volatile int sink;
%s
''' % ''.join('''PLAIN static void work_%d(const uint8_t *d, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sink += d[i] > %d ? d[i] * sink : d[i] == %d ? sink / 3 : 5;
	if (n > %d)
		sink ^= d[%d];
}
''' % (i, i, i, i, i) for i in range(250))
CALLS = ''.join('\twork_%d(data, size);\n' % i for i in range(250))


def hints(r):
    told = [n[6:] for n in r.stdout.splitlines() if n.startswith('hint: ')]
    equal([v['text'] for v in r.events('hint')][-len(told):] if told else [],
          told, 'hints in the journal')
    return told


@each(('nothing', '', '', ['asan'], []),
      ('sanitizer', BIG.replace('PLAIN static', 'static'), CALLS, [],
       ['no sanitizer']),
      ('counters', BIG, CALLS, [],
       ['no sanitizer', 'compile the tested library with cfuzz-cc']),
      ('library', 'int bar(void);', '\tbar();', ['asan', 'bar'],
       ['compile libbar.so with cfuzz-cc']))
def what_was_forgotten(head, body, flags, wants):
    # One sentence each that says what to do, when a campaign begins.
    if 'bar' in flags:
        write('bar.c', 'int bar(void) { return 7; }\n')
        subprocess.run(['cc', '-shared', '-fPIC', '-o', 'libbar.so', 'bar.c'],
                       check=True)
    options = {'asan': ['-fsanitize=address'],
               'bar': ['-L' + os.getcwd(), '-lbar',
                       '-Wl,-rpath,' + os.getcwd()]}
    target = build(one_input(body, head=head),
                   flags=[o for f in flags for o in options[f]])
    r = run(target, '-j', 2, '--fuzztime', '20x')
    told = hints(r)
    equal(len(told), len(wants), 'hints (%s)' % told)
    for text, want in zip(told, wants):
        check(want in text, 'no "%s": %s', want, text)
    r = run(target, '-j', 1, '--fuzztime', '20x')
    check('hint: ' not in r.stdout, 'told once more:%s', r.describe())


@each(*BAD_STARTS)
def bad_start(body, want):
    # B44, B45, B48, B49, B88: no crash of an input; the run fails.
    target = build(INITIALIZE % body, flags=['-pthread'])
    r = run(target, '-j', 2, '--fuzztime', '10x', status=2)
    refused(r, 'fuzzing process terminated without fuzzing')
    check(want in r.stderr, 'no "%s": %s', want, r.stderr)
    check(r.said('nothing ran'), 'the last line:%s', r.describe())
    write('input', 'x')
    status, out, err = tool(CFUZZ, 'repro', target, 'input')
    equal(status, 2, 'status of cfuzz repro')
    check(want in err, 'cfuzz repro does not say "%s": %s', want, err)


@case
def bad_start_without_a_terminal():
    # The console's lines say it once, and whole.
    target = build(INITIALIZE % ('\tfputs("%s.\\n", stderr);\n\t_exit(3);' %
                   (150 * 'x')))
    status, out, err = tool(os.path.join(BUILD, 'cfuzz-tui'), '-o', 'out',
                            target)
    equal(status, 2, 'status of cfuzz-tui')
    equal((out + err).count('terminated without fuzzing'), 1, 'sentences')
    check('x.' in err, 'it is cut: %s', err)


@each(*BAD_STARTS)
def bad_start_by_hand(body, want):
    # The same without an engine: it does not end well.
    target = build(INITIALIZE % body, flags=['-pthread'])
    write('input', 'x')
    status, out, err = tool(target, 'input')
    if CURRENT[0] not in ('exits-0', 'thread-exit'):
        check(status != 0, 'status 0')
    check('returned' not in out, 'it called the target: %s', out)


@case
def never_ready():
    # --start-timeout ends a start that hangs.
    r = run(build(INITIALIZE % '\tprobe_wait_for_ever();'), '-j', 1,
            '--start-timeout', '300', status=2)
    refused(r, 'did not start in time')
    check('--start-timeout' in r.stderr, 'the option is not named')


# A timer that ends whoever has it, after the first execution.
TIMED = '''#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int *runs;

static void
on_timer(int signo)
{
	if (*runs > 0)
		_exit(1);
}

/* As long as the timer takes: in a hundred executions it ends. */
static void
work(void)
{
	struct timespec length = { .tv_nsec = 2000000 };

	++*runs;
	nanosleep(&length, NULL);
}

static void
begin(void)
{
	struct itimerval often = { { 0, 2000 }, { 0, 2000 } };

	runs = mmap(NULL, sizeof(*runs), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	signal(SIGALRM, on_timer);
	setitimer(ITIMER_REAL, &often, NULL);
}
'''
TIMED_TARGET = TIMED + '''
int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	begin();
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	work();
	return 0;
}
'''
TIMED_PROGRAM = TIMED.replace('static void\nbegin', '''
__attribute__((constructor)) static void
begin''') + '''
int
main(void)
{
	work();
	return getchar() == 'x';
}
'''


@each(('target', TIMED_TARGET, 'cfuzz-cc'),
      ('program', TIMED_PROGRAM, 'cfuzz-cc'),
      ('plain', TIMED_PROGRAM, None))
def timer_from_the_start(source, compiler):
    # Children have no such timer, so none ends the fork server either.
    if compiler is None:
        write('plain.c', source)
        subprocess.run(['cc', '-o', 'plain', 'plain.c'], check=True)
    target = build(source) if compiler else os.path.abspath('plain')
    r = run(target, '-j', 1, '--fuzztime', '100x', '--seeds', seeds([b'xx']),
            status=0)
    r.no_findings()
    check(not r.suspects(), 'there are suspects')
    equal(r.stats['workers'][0]['restarts'], 0, 'restarts')


@each(('forked', ''), ('threads', '\tprobe_start_thread();'))
def gives_up_root(body):
    # Few signals go from the worker to what it has started as root.
    if os.getuid() != 0:
        raise Skip('only root can become another user')
    target = build((INITIALIZE % (body + """
	if (setuid(65534) != 0)
		return 1;""")).replace('probe_count();', """
	if (size == 1)
		abort();"""))
    r = run(target, '-j', 1, '--fuzztime', '100x', '--minimizetime', 0,
            '--verify', 0, '--seeds', seeds([b'xx', b'x']), status=1)
    equal(r.bucket().info['what'], 'SIGABRT', 'what')


@case
def stopped_at_start():
    r = run(build(INITIALIZE % '\traise(SIGSTOP);'), '-j', 1,
            '--start-timeout', '300', status=2)
    refused(r, 'did not start in time')


@case
def garbage_before_serving():
    # B71: nonsense on the link before the first answer, then a hang.
    r = run(build(INITIALIZE % '''
	int wrote = 0;

	for (int fd = 3; fd < 65536; fd++)
		wrote += write(fd, "!!\\n", 3) == 3;
	if (wrote > 0)
		probe_wait_for_ever();'''), '-j', 1, '--fuzztime', '10x', status=2)
    refused(r, 'fuzzing process terminated without fuzzing')
    check('communicating' not in r.stderr, 'it was not fuzzing yet: %s',
          r.stderr)
    check(not r.suspects(), 'there are suspects')


@each(('none', 'cfuzz-cc', 'int nothing;', 'LLVMFuzzerTestOneInput'),
      ('both', 'cfuzz-cc', one_input('') + '#include <unistd.h>\n'
       'int main(void)\n{\n\trmdir("mine");\n\tpause();\n'
       '\treturn 0;\n}\n', 'main()'))
def no_target_in_it(tool_name, source, want):
    # B44, B52: a program that lacks the entry point, or runs its own.
    target = build(source)
    os.mkdir('mine')
    r = run(target, '-j', 1, '--fuzztime', '1x', status=2)
    refused(r, want)
    check(os.path.isdir('mine'), 'the program\'s own main() has run')


@each(('a name of its own', 'one'), ('the usual name', 'LLVMFuzzerTestOneInput'))
def own_main(callback):
    # B51: it calls LLVMFuzzerRunDriver(), and goes on after that by hand.
    target = build('''#include "probe.h"
int
CALLBACK(const uint8_t *data, size_t size)
{
	probe_count();
	if (size > 2 && data[1] == '!')
		abort();
	return 0;
}

int
main(int argc, char **argv)
{
	int status = LLVMFuzzerRunDriver(&argc, &argv, CALLBACK);

	return status == 0 ? 42 : status;
}
'''.replace('CALLBACK', callback))
    write('input', 'fine')
    status, out, err = tool(target, 'input')
    equal(status, 42, 'its status, run by hand')
    r = run(target, '-j', 1, '--fuzztime', '5000x', '--minimizetime', 0,
            '--verify', 1, '--seeds', seeds([b'a-b']), status=1)
    check(r.bucket().input[1:2] == b'!', 'the input: %r', r.bucket().input)


@case
def starts_once_for_each_worker():
    # B62, B89: set-up runs once in each worker; the engine runs nothing of
    # the target, and a new child costs no new start.
    # None is done with all of the executions before the others have started.
    target = build('''#include "probe.h"
int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	char text[32];

	snprintf(text, sizeof(text), "%d", (int)getpid());
	probe_log("started", text);
	probe_add(probe_number("starts"));
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool told;
	char text[64];

	if (!told) {
		uint64_t *starts = probe_number("starts");

		while (__atomic_load_n(starts, __ATOMIC_RELAXED) < 3)
			usleep(1000);
		snprintf(text, sizeof(text), "%d %d", (int)getppid(),
			(int)getpid());
		probe_log("ran", text);
		told = true;
	}
	if (size == 2)
		abort();
	return 0;
}
''')
    r = run(target, '-j', 3, '--fuzztime', '3000x', '--verify', 2,
            '--seeds', seeds([b'a', b'abc']))
    started = r.logged('started')
    equal(len(started), 3, 'starts')
    equal(len(set(started)), 3, 'different processes that started')
    for line in r.logged('ran'):
        parent, pid = line.split()
        check(parent in started, 'run in %s, whose parent %s is no fork server',
              pid, parent)
        check(int(pid) != r.pid and int(parent) != r.pid,
              'the engine ran an input')
    check(len(r.logged('ran')) > 3, 'only %d children', len(r.logged('ran')))


@case
def environment():
    # B107: what set-up puts into the environment is there for each input,
    # was not there before, and is gone when the worker starts again. What
    # is ours is not seen.
    target = build('''#include <signal.h>
#include "probe.h"
extern char **environ;

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	if (getenv("MARK") != NULL)
		exit(98);
	for (char **e = environ; *e != NULL; e++)
		if (strncmp(*e, "CFUZZ_", 6) == 0)
			exit(97);
	if (getenv("USER_WORD") == NULL)
		exit(96);
	setenv("MARK", "1", 1);
	probe_add(probe_number("starts"));
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (getenv("MARK") == NULL)
		cfuzz_fail("the mark is gone");
	if (probe_count() == 50)
		kill(getppid(), SIGKILL);
	return 0;
}
''')
    r = run(target, '-j', 1, '--fuzztime', '2000x', '--seeds', seeds([b'a']),
            env={'USER_WORD': 'kept', 'CFUZZ_WORD': 'not'}, status=0)
    equal(r.number('starts'), 2, 'starts')


@case
def no_thread_of_asan():
    # A target with threads cannot be forked. Beside it, by hand, the options
    # have their effect.
    target = build(one_input('''
	DIR *tasks = opendir("/proc/self/task");
	int n = -2;

	while (readdir(tasks) != NULL)
		n++;
	closedir(tasks);
	if (n > 1)
		cfuzz_fail("%d threads", n);
	if (strstr(getenv("ASAN_OPTIONS"), "allocator_may_return_null=1") == NULL)
		cfuzz_fail("another option is lost");''', '#include <dirent.h>'),
                   flags=['-fsanitize=address'])
    write('in', 'x')
    for name in ('hard_rss_limit_mb', 'soft_rss_limit_mb'):
        env = {'ASAN_OPTIONS': name + '=4000:allocator_may_return_null=1'}
        status, _, err = tool(target, 'in', env=env)
        if status == 0 or '2 threads' not in err:
            raise Skip('this AddressSanitizer starts no thread')
        run(target, '-j', 1, '--fuzztime', '10x', status=0, env=env, out=name)
        status, out = repro(target, 'in', env=env)
        equal(status, 0, 'repro: ' + out)


@each(('target', one_input('''
	if (size == 3 && data[0] == 'm')
		missing();
	if (size == 4 && data[0] == 'a')
		abort();''', 'int missing(void);')),
      ('program', '''
#include <stdlib.h>
#include <unistd.h>

int missing(void);

int
main(void)
{
	char b[8];
	ssize_t n = read(0, b, sizeof(b));

	if (n == 3 && b[0] == 'm')
		missing();
	if (n == 4 && b[0] == 'a')
		abort();
	return 0;
}
'''))
def functions_that_no_library_has(source):
    # All are looked for at the start, unless the user says that some are
    # nowhere: then only an input that calls one comes to know it.
    library = build('__attribute__((visibility("default"))) int missing(void)'
                    ' { return 0; }', name='libmissing.so',
                    flags=['-shared', '-fPIC', '-Wl,-soname,libmissing.so'])
    target = build(source, flags=['-Wl,-z,lazy', library])
    subprocess.run(['cc', '-shared', '-fPIC', '-o', 'libmissing.so', '-x', 'c',
                    '-'], input=b'int other;', check=True)
    env = {'LD_LIBRARY_PATH': os.getcwd()}
    r = run(target, '--fuzztime', '1x', status=2, env=env)
    lines = r.stderr.splitlines()
    check(len(lines) == 1 and 'undefined symbol: missing' in lines[0],
          'says:%s', r.describe())
    r = run(target, '-j', 1, '--fuzztime', '10x', '--seeds',
            seeds([b'abcd', b'mmm', b'x']), '--minimizetime', 0, status=1,
            env=dict(env, LD_BIND_LAZY='1'))
    found = sorted((b.info['what'], b.info['text']) for b in r.buckets())
    check('SIGABRT' in [f[0] for f in found], 'found: %s', found)


@case
def arguments():
    # What follows the target is the target's.
    target = build('''#include "probe.h"
int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	for (int i = 1; i < *argc; i++)
		probe_log("arguments", (*argv)[i]);
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return 0;
}
''')
    r = run(target, '-j', 1, '--fuzztime', '10x', '--', status=0,
            args=['--fuzztime', 'two words', '$(touch x)', '-j'])
    equal(r.logged('arguments'), ['--fuzztime', 'two words', '$(touch x)',
                                  '-j'], 'the target\'s arguments')
    equal(r.journal[0]['args'], r.logged('arguments'), 'in the journal')


FOLDER = 'did you mean --seeds'
OPTION = '-runs=5 is an argument of the target, not an option'


@each(('folder', (), ['inputs'], [FOLDER]),
      ('file', (), ['inputs/one'], []),
      ('seeds-given', ('--seeds', 'inputs'), ['inputs'], []),
      ('meant', ('--',), ['inputs', '-runs=5'], []),
      ('working-folder', (), ['.', '..'], []),
      ('meant-behind', (), ['--', 'inputs', '-runs=5'], []),
      ('option', ('--seeds', 'inputs'), ['-runs=5'], [OPTION]),
      ('both', (), ['inputs', '-runs=5'], [FOLDER, OPTION]),
      ('others-options', (), ['--verbose', 'always', '-output'], []))
def meant_for_libfuzzer(options, args, named):
    # It would read inputs from the folder, and take the option.
    seeds(['one'], name='inputs')
    write('inputs/one', 'a')
    r = run(build(one_input('')), '--fuzztime', '10x', *options, status=0,
            args=args)
    for text in (FOLDER, OPTION):
        said = [line for line in r.stdout.splitlines() if text in line]
        equal(len(said), named.count(text), 'warnings in\n' + r.stdout)
    equal(len(r.events('arguments')), len(named), 'events')
    equal(r.journal[0]['args'], [arg for arg in args if arg != '--'],
          'the arguments of the target')


@case
def for_a_program_alone():
    r = run(build(one_input('')), '--fuzztime', '10x', '--input-file', 'input',
            '--fail-on-exit', '--coverage', 'none', status=0)
    for name, why in (('--input-file', 'the target is a function'),
                      ('--fail-on-exit', 'the target is a function'),
                      ('--coverage none', 'it is for programs without')):
        check(r.said('warning: %s has no effect: %s' % (name, why)),
              'no warning:%s', r.describe())
    equal(len(r.events('arguments')), 3, 'events')


AFL_VARIABLES = {
    'AFL_EXIT_ON_TIME': '60', 'AFL_TMPDIR': '/tmp', 'AFL_PRELOAD': '',
    'AFL_SKIP_CPUFREQ': '1', 'AFL_LLVM_CMPLOG': '1', 'AFL_MAP_SIZE': '65536'}


@each(('all', AFL_VARIABLES, 1),
      ('read-elsewhere', {'AFL_QUIET': '1', 'AFL_DEBUG': ''}, 0))
def variables_of_afl_fuzz(env, n):
    # Those that compilers and programs of AFL++ read, and those that ask for
    # what cfuzz never does, are no news.
    r = run(build(one_input('')), '--fuzztime', '10x', status=0, env=env)
    equal(len(r.events('arguments')), n, 'events')
    lines = [line for line in r.stdout.splitlines() if 'AFL_' in line]
    equal(len(lines), n, 'warnings in\n' + r.stdout)
    if not n:
        return
    head, _, names = lines[0].partition('have no effect: ')
    check(head.endswith('warning: variables of afl-fuzz '), 'says: %s', head)
    equal(sorted(names.split(', ')),
          ['AFL_EXIT_ON_TIME (use --stop-after-idle)', 'AFL_TMPDIR'], 'names')


@case
def odd_return_value():
    # B99: said once, and taken as 0; -1 keeps an input out of the corpus.
    target = build('''#include "probe.h"
static volatile int sink;

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (data[i] & 1)
			sink++;
	return probe_is("odd") ? 7 : -1;
}
''')
    r = run(target, '-j', 2, '--fuzztime', '3000x', '--seeds', seeds([b'a']),
            env={'MODE': 'odd'}, status=0)
    equal(r.stdout.count('returned a value other than 0 and -1'), 1,
          'times that it is told')
    check(r.stats['interesting'] > 0, 'nothing is kept')
    r = run(target, '-j', 2, '--fuzztime', '3000x', out='out2', status=0)
    equal(r.stats['interesting'], 0, 'inputs kept')
    equal(r.stats['rejected'], 3000, 'inputs rejected')
    equal(r.corpus(), {}, 'corpus')


# What it registers for its end is done by hand, and in no worker.
CLEANS_UP = HEAD + '''
static void
of_initialize(void)
{
	probe_log("cleaned", "initialize");
	if (probe_is("fails"))
		_exit(9);
}

static void
of_input(void)
{
	probe_log("cleaned", "input");
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	return atexit(of_initialize);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	probe_count();
	if (size > 0 && data[0] == 'e')
		cfuzz_fail("error here");
	return atexit(of_input);
}
'''


@each(('well', 'good', 0), ('error', 'e', 1), ('fails', 'good', 9))
def clean_up(content, want):
    # B53, B63, B64: the input's before that of the initialization; one that
    # fails is told by the exit status.
    target = build(CLEANS_UP)
    os.mkdir('probe')
    env = {'MODE': CURRENT[0], 'PROBE': os.path.abspath('probe')}
    status, _, err = tool(target, write('input', content), env=env)
    equal(status, want, 'status by hand')
    equal(read('probe/cleaned').decode().split(),
          ['input', 'initialize'][content == 'e':], 'what was cleaned up')
    os.remove('probe/cleaned')
    r = run(target, '-j', 2, '--fuzztime', '100x', '--verify', 0,
            '--minimizetime', 0, env={'MODE': CURRENT[0]})
    check(r.calls >= 100, 'the campaign has not run')
    equal(r.logged('cleaned'), [], 'what workers have cleaned up')


@each(*[(c, c) for c in ('clang', 'gcc') if shutil.which(c)])
def no_races_by_hand(compiler):
    # B100: a hundred files, four threads each, under ThreadSanitizer: the
    # runtime's own bookkeeping is free of races.
    target = build(one_input('''
	struct work work = { data, size };
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, look, &work);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);''', '''
#include <pthread.h>

struct work {
	const uint8_t *data;
	size_t size;
};

static void *
look(void *arg)
{
	struct work *work = arg;
	volatile unsigned sum = 0;

	for (size_t i = 0; i < work->size; i++)
		if (work->data[i] == '7')
			sum++;
	return NULL;
}'''), flags=['-fsanitize=thread', '-pthread'], compiler=compiler)
    seeds([b'%d' % i for i in range(100)], 'many')
    status, out, err = tool(target, 'many')
    check('100 files' in out, 'not all of them: %s', out[-200:])
    check('WARNING: ThreadSanitizer' not in err, 'a race: %s', err)
    equal(status, 0, 'status')


@case
def by_hand():
    # B46, B47, B56, B100: files and folders, no engine, no traces.
    target = build(one_input('''
	if (size > 0 && data[0] == 'e')
		cfuzz_fail("error here");
	if (size > 0 && data[0] == 'f')
		abort();'''))
    for name, data in (('good', 'good'), ('error', 'e'), ('fatal', 'f')):
        write('inputs/' + name, data)
    status, out, err = tool(target, 'inputs/good')
    equal(status, 0, 'status with a harmless file')
    status, out, err = tool(target, 'inputs/error')
    equal(status, 1, 'status with a failing file')
    check('error here' in err, 'the message is not shown: %s', err)
    status, out, err = tool(target, 'inputs/fatal')
    equal(status, -6, 'status with a fatal file')
    check('inputs/fatal' in out, 'the file is not named: %s', out)
    seeds([b'%d' % i for i in range(100)], 'many')
    status, out, err = tool(target, 'many')
    equal(status, 0, 'status with a folder')
    check('100 files' in out, 'not all of them: %s', out[-200:])
    equal(sorted(os.listdir('.')), ['inputs', 'many'], 'what is left')
    status, out, err = tool(target, 'nowhere')
    equal(status, 2, 'status with a file that is not there')
    check('nowhere' in err, 'it is not named: %s', err)
    check('returned' not in out, 'it called the target: %s', out)
    status, out, err = tool(target)
    equal(status, 2, 'status without a file')
    check('cfuzz run' in err, 'it does not say how to fuzz: %s', err)


main()

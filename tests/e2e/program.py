#!/usr/bin/env python3
"""Programs with a main() of their own: each input runs the whole program."""

# BEGUN FIRST
import os
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403
from ways import FREAD, OPENED, WAYS, source  # noqa: E402
import control             # noqa: E402
import sandbox             # noqa: E402

# Inputs that are a byte away from the failure.
NEARLY = [b'xx', b'B?rest']


def program(body, fault='abort()', head='', **more):
    """A program that judges its input."""
    return build(source(body, fault, head), name='prog', **more)


def fuzz(target, *options, args=(), found=1, time='900s', **more):
    """Till the first finding, or without one."""
    stop = ('--stop-on-crash',) if found else ()
    return run(target, '-j', 1, '--fuzztime', time, *stop,
               '--seeds', seeds(NEARLY), *options, args=args, status=found,
               patience=1000, **more)


@each(*WAYS)
def input_is_read(body, args):
    # However the program reads: found, minimized, repeated, and nothing left.
    target = program(body)
    r = fuzz(target, args=args)
    equal(r.stats['kind'], 'main()', 'kind')
    bucket = r.bucket()
    equal(bucket.minimized[:2], b'B!', 'the minimized input')
    equal(bucket.info['reproduced'], 5, 'replays')
    check(not [n for n in os.listdir('out') if n.startswith('.input')],
          'the input file is left')
    status, out = repro(target, os.path.join(bucket.path, 'minimized'))
    equal(status, 1, 'repro:\n%s' % out)


@each(('gold', 'gold'), ('lld', 'lld'))
def linked_by(linker):
    if shutil.which('ld.' + linker) is None:
        raise Skip('%s is not installed' % linker)
    r = fuzz(program(FREAD, flags=['-fuse-ld=' + linker]))
    equal(r.stats['kind'], 'main()', 'kind')


@case
def input_from_elsewhere():
    # No campaign tells the arguments; the words after -- do.
    target = program(OPENED + '\tjudge(b, n);')
    write('found', b'B!' + b'a' * 20)
    write('folder/one', b'B?')
    write('folder/two', b'x')
    status, out = repro(target, 'found')
    equal(status, 0, 'without arguments:\n%s' % out)
    status, out = repro(target, 'found', '--', '@@')
    equal(status, 1, 'with a file:\n%s' % out)
    status, out, err = tool(CFUZZ, 'min', '--timeout', '20s', target,
                            'found', '-o', 'small', '--', '@@')
    equal((status, err), (0, ''), 'min:\n%s' % out)
    equal(read('small'), b'B!', 'the minimized input')
    status, out, err = tool(CFUZZ, 'cmin', '--timeout', '20s', target,
                            'folder', '-o', 'new', '--', '@@')
    equal((status, err), (0, ''), 'cmin:\n%s' % out)
    equal(len(os.listdir('new')), 2, 'files with the same coverage')


# Tells the name of its file, and stays, if the environment says where.
STAYS = OPENED + '''
	if (getenv("SEEN") != NULL && n > 1 && b[0] == 'B') {
		FILE *seen = fopen("part", "w");

		fputs(name, seen);
		fclose(seen);
		rename("part", getenv("SEEN"));
		for (;;)
			pause();
	}
	judge(b, n);'''


@each(('repro', lambda target: ['repro', target, 'found', '--', '@@']),
      ('min', lambda target: ['min', target, 'found', '-o', 'small', '--',
                              '@@']),
      ('cmin', lambda target: ['cmin', target, 'folder', '-o', 'new', '--',
                               '@@']),
      ('check', lambda target: ['check', 'out']))
def file_of_a_tool(words):
    # It is in $TMPDIR, in a folder of its own, which goes with the tool. Of a
    # tool that is killed it stays.
    target = program(STAYS)
    write('found', b'B!' + b'a' * 20)
    write('folder/one', b'B!' + b'a' * 20)
    fuzz(target, args=['@@'])
    temporary = os.path.abspath('temporary')
    os.mkdir(temporary)
    words = words(target)
    for signo in (signal.SIGINT, signal.SIGKILL):
        seen = os.path.abspath('seen-%d' % signo)
        log = open('log', 'w+')
        tool_ = subprocess.Popen(
            [CFUZZ, words[0], '--timeout', '1000000', *words[1:]],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            env=dict(os.environ, TMPDIR=temporary, SEEN=seen))
        wait_for(lambda: os.path.exists(seen) or tool_.poll() is not None,
                 'the program')
        check(tool_.poll() is None, 'it ended: %s', read('log'))
        path = read(seen).decode()
        folder = os.path.dirname(path)
        equal(os.path.dirname(folder), temporary, 'the folder above')
        equal('%o' % (os.stat(folder).st_mode & 0o777), '700', 'the mode')
        equal(read(path)[:1], b'B', 'the file')
        os.kill(tool_.pid, signo)
        wait_for(lambda: tool_.poll() is not None, 'the end')
        nobody_left()
        if signo == signal.SIGINT:
            equal(os.listdir(temporary), [], 'what is left')
        else:
            equal(os.listdir(temporary), [os.path.basename(folder)],
                  'what is left')


@each(('gcc', {'compiler': 'gcc'}), ('no-pie', {'flags': ['-no-pie']}),
      ('static', {'flags': ['-static']}),
      ('asan', {'flags': ['-fsanitize=address']}))
def builds(more):
    r = fuzz(program(FREAD, **more))
    equal(r.bucket().info['reproduced'], 5, 'replays')
    check(r.bucket().info['where'].startswith('judge'), 'where: %s',
          r.bucket().info['where'])


# The compiler could test all bytes of a buffer of the function at once.
KEY = '''	char b[64];

	if (fread(b, 1, sizeof(b), stdin) > 6 && b[0] == 'K' && b[1] == 'E' &&
		b[2] == 'Y' && b[3] == 'P' && b[4] == 'A' && b[5] == 'D' &&
		b[6] == '=')
		judge("B!", 2);'''


@each(('-O1', '-O1'), ('-O3', '-O3'))
def conditions_one_by_one(optimization):
    # Each condition is a step of its own: this is solved in about four thousand
    # executions, now and then in more than twenty thousand.
    r = run(program(KEY, flags=[optimization]), '-j', 1, '--stop-on-crash',
            '--fuzztime', '200000x', '--seeds', seeds(NEARLY), status=1,
            patience=900)
    equal(r.bucket().minimized, b'KEYPAD=', 'the minimized input')


# Programs that handle the signal: by dying of it after all, and by an exit
# status, which is a failure if the user says so.
@each(('dies', 'signal(s, SIG_DFL); raise(s)', (), 'SIGSEGV'),
      ('exits', '_exit(1)', ('--fail-on-exit',), 'exit'))
def own_handler(body, options, what):
    target = program('\tsignal(SIGSEGV, end);\n' + FREAD,
                     '*(volatile int *)8 = 1', head='''#include <signal.h>
static void
end(int s)
{
	%s;
}
''' % body)
    r = fuzz(target, *options)
    check(what in (r.bucket().info['what'], r.bucket().info['kind']),
          'what: %s', r.bucket().info['what'])


# What a program does at the ends of its own children hides no run from us.
@each(('ignores', 'SIG_IGN'), ('waits', 'reap'))
def own_sigchld(action):
    target = program('''	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	while (kill(pid, 0) == 0)    /* till it is reaped */
		usleep(1000);
	if (wait(NULL) >= 0)
		return 0;
''' + FREAD, head='''#include <signal.h>
static void
reap(int s)
{
	while (waitpid(-1, NULL, WNOHANG) > 0)
		continue;
}
static void __attribute__((constructor))
begin(void)
{
	signal(SIGCHLD, %s);
}
''' % action)
    r = fuzz(target)
    equal(len(r.stats['findings']), 1, 'findings')
    equal(r.bucket().info['what'], 'SIGABRT', 'what')


@each(('process', '', ''),
      ('loop', '\twhile (cfuzz_loop(1000)) {\n', '\n\t}'))
def no_place_for_the_input(begin, end):
    # That is our trouble: no input is blamed for it.
    r = run(program(begin + OPENED + '''	if (n > 0 && b[0] == 'm') {
		unlink(name);
		mkdir(name, 0700);
		if (chdir(name) == 0)
			mkdir("keep", 0700);
	}''' + end, head='#include <cfuzz.h>\n'), '-j', 1,
            '--fuzztime', '20x', '--seeds', seeds([b'xx', b'm']), args=['@@'],
            status=0)
    r.no_findings()
    check('the input cannot be written: File exists' in r.stderr + r.stdout,
          'said: %s', r.stderr)


FULL = 'the input cannot be written: No space left on device'


@each(('repro', ['repro', '{target}', 'seeds/a', '--', '@@'], False,
       'not run: ' + FULL),
      ('cmin', ['cmin', '{target}', 'seeds', '-o', 'new', '--', '@@'], False,
       '2 files left out, they could not be run: ' + FULL),
      ('report', ['report', '--html', 'page', '--lcov', 'lines', 'out'], True,
       'could not be run: ' + FULL),
      ('check', ['check', 'out'], True, 'not run: ' + FULL))
def tool_on_a_full_disk(words, campaign, says):
    # That is no failure of the input, and no coverage of it either.
    target = program(OPENED + '\tjudge(b, n);')
    seeds({'a': b'xx', 'b': b'B?rest'})
    if campaign:
        fuzz(target, args=['@@'])
    with Disk('size=64k') as disk:
        disk.fill()
        status, out, err = tool(
            CFUZZ, *[w.format(target=target) for w in words],
            env={'TMPDIR': os.path.abspath('disk')})
    equal(status, 3, 'status: ' + out + err)
    check(says in out + err, 'said: %s', out + err)
    check('fails' not in out, 'blamed: %s', out)
    check(not os.path.exists('lines'), 'a tracefile without coverage')


@case
def only_a_large_input_has_no_room():
    # The small one is kept, and the status tells that something is lost.
    target = program(OPENED + '\tjudge(b, n);')
    seeds({'small': b'xx', 'large': b'B?' + b'a' * 9000})
    with Disk('size=64k') as disk:
        disk.fill()
        os.truncate('disk/filler', os.path.getsize('disk/filler') - 4096)
        status, out, err = tool(
            CFUZZ, 'cmin', target, 'seeds', '-o', 'new', '--', '@@',
            env={'TMPDIR': os.path.abspath('disk')})
    equal(status, 3, 'status: ' + out + err)
    check('1 file left out, they could not be run: ' + FULL in out,
          'said: %s', out)
    equal(len(os.listdir('new')), 1, 'files')


@case
def campaign_on_a_full_disk():
    target = program(OPENED + '\tjudge(b, n);')
    with Disk('size=64k') as disk:
        disk.fill()
        r = run(target, '-j', 1, '--fuzztime', '20x', '--input-file',
                'disk/input', '--seeds', seeds([b'xx']), args=['disk/input'],
                status=3)
        r.no_findings()
        check(FULL in r.stdout, 'said: %s', r.describe())
        equal(r.stats['execs'], 0, 'executions')


# The program may read and exit, nothing else.
SANDBOX = sandbox.only('read', 'exit_group')
IN_SANDBOX = '''	char b[256];
	ssize_t n;

	sandbox(%s);
	n = read(0, b, sizeof(b));
	if (n > 1 && b[1] == '!')
		judge(b, n);
	_exit(0);'''
KILL, TRAP = sandbox.KILL, sandbox.TRAP
BREAK = '__asm__ volatile("%s")' % (
    'int3' if os.uname().machine == 'x86_64' else 'brk #0')


# Failures keep their names, although nothing may be asked of the system.
@each(('crash', KILL, '*(volatile int *)16 = 1', 'crashes', 'SIGSEGV'),
      ('crash-trap', TRAP, '__builtin_trap()', 'crashes', 'SIGILL'),
      ('crash-break', TRAP, BREAK, 'crashes', 'SIGTRAP'),
      ('own-trap', TRAP, 'getuid()', 'crashes', 'SIGSYS'),
      ('hang', KILL, 'for (;;) n = n * 3 + 1', 'hangs', 'hang'),
      ('hang-trap', TRAP, 'for (;;) n = n * 3 + 1', 'hangs', 'hang'))
def sandboxed(action, fault, bucket, what):
    target = program(IN_SANDBOX % action, fault, head=SANDBOX)
    r = fuzz(target, '--timeout', 1000, '--minimizetime', '5s')
    equal([b.info['what'] for b in r.buckets(bucket)], [what], 'what')
    info = r.bucket(bucket).info
    frame = 'getuid' if what == 'SIGSYS' else 'judge'
    check(frame in [f.get('function') for f in info['frames']] or
          info['where'].startswith('judge'), 'where: %s', info['where'])


# What the runtime does at the end of a run must not be held against the input.
@each(('returns', KILL, 'return 0', ()), ('returns-trap', TRAP, 'return 0', ()),
      ('exits', KILL, 'exit(3)', ()), ('exits-trap', TRAP, 'exit(3)', ()),
      ('counts', TRAP, 'exit(0)', ('--fail-on-exit',)))
def sandboxed_till_the_end(action, end, options):
    body = (IN_SANDBOX % action).replace('_exit(0)', end)
    body = body.replace('judge(b, n)', 'b[0] = 0')
    target = program(body, '(void)0', head=SANDBOX)
    r = run(target, '-j', 1, '--fuzztime', '40x',
            '--seeds', seeds([b'xx']), *options, status=0)
    r.no_findings()
    equal(r.stats['execs'], 40, 'executions')


@each(('aborts', 'abort()'), ('faults', '*(volatile int *)16 = 1'),
      ('unseen', 'signal(SIGABRT, SIG_DFL); abort()'))
def sandboxed_by_a_handler(crash):
    # A sandbox that crashes by itself, as that of Chromium does. No file may be
    # opened, and all else is allowed.
    body = (IN_SANDBOX % TRAP).replace('_exit(0)', 'return 0')
    body = body.replace('judge(b, n)', 'b[0] = 0')
    target = program('\tsignal(SIGSYS, on_call);\n' + body, '(void)0',
                     head=sandbox.without('openat') + '''#include <signal.h>
static void
on_call(int s)
{
	%s;
}
''' % crash)
    r = run(target, '-j', 1, '--fuzztime', '40x', '--seeds', seeds([b'xx']),
            status=0)
    r.no_findings()
    equal(r.stats['execs'], 40, 'executions')


@each(('kill', KILL), ('trap', TRAP))
def sandboxed_child(action):
    # What becomes of a child of the run is no reason to repeat the run.
    target = program(FREAD.replace('judge(b, n);', """
	if (write(open("runs", O_WRONLY | O_CREAT | O_APPEND, 0600), ".", 1) != 1)
		return 6;
	if (fork() == 0)
		exit(jailed());
	wait(NULL);
	_exit(0);"""), '(void)0', head=SANDBOX + """
#include <fcntl.h>
#include <sys/wait.h>

static int
jailed(void)
{
""" + (IN_SANDBOX % action).replace('judge(b, n)', 'b[0] = 0').replace(
        '_exit(0)', 'return 0') + '}\n')
    r = run(target, '-j', 1, '--fuzztime', '40x', '--seeds', seeds([b'xx']),
            status=0)
    r.no_findings()
    equal(len(read('runs')), r.stats['execs'], 'runs')


@case
def reads_all_its_data():
    # As a collector of garbage does. A compiler may put its tables in there.
    target = program(FREAD + '''

	dl_iterate_phdr(add, NULL);
	switch (b[0] * 256 + b[1]) {
%s
	}''' % '\n'.join('\tcase %d: sum *= %d; break;' % (i, i + 3)
                     for i in range(1500)), '(void)0', '''#include <link.h>

static volatile unsigned long sum;

static int
add(struct dl_phdr_info *info, size_t size, void *arg)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &info->dlpi_phdr[i];
		const unsigned long *word =
			(void *)((info->dlpi_addr + p->p_vaddr + 7) & -8);

		if (p->p_type != PT_LOAD || (p->p_flags & PF_W) == 0)
			continue;
		for (size_t k = 0; k < p->p_memsz / 8 - 1; k++)
			sum += word[k];
	}
	return 1;
}
''', flags=['-D_GNU_SOURCE'])
    r = fuzz(target, found=0, time='40x')
    r.no_findings()
    check(r.stats['counters_total'] > 1500, 'counters: %d',
          r.stats['counters_total'])


# What a run forks has variables of its own, wherever the counters lie.
MARKS = '''
static char marks[8192] = { 1 };

static int
forks(void)
{
	pid_t pid = fork();
	int status = 0;

	if (pid != 0) {
		waitpid(pid, &status, 0);
		return status;
	}
	memset(marks + 1, 2, sizeof(marks) - 1);
	%s;
	_exit(0);
}
'''


@each(('one', '', []), ('asan', '', ['-fsanitize=address']),
      ('tsan', '', ['-fsanitize=thread']),
      ('two', 'if (fork() == 0) memset(marks + 1, 3, 8191), _exit(0); '
       'wait(NULL); for (int i = 1; i < 8192; i++) if (marks[i] != 2) abort()',
       []))
def variables_of_a_child(then, flags):
    target = program(FREAD + '''

	if (forks() != 0)
		abort();
	for (int i = 1; i < sizeof(marks); i++)
		if (marks[i] != 0)
			abort();''', '(void)0', MARKS % then,
                     flags=flags)
    r = fuzz(target, found=0, time='40x')
    r.no_findings()


@case
def edges_of_a_child():
    # Each condition is a step of its own, as in KEY.
    target = program(KEY.replace('char b[64];', '''char b[64];
	int status;

	if (fork() != 0) {
		wait(&status);
		if (status != 0)
			abort();
		return 0;
	}'''))
    r = run(target, '-j', 1, '--stop-on-crash', '--fuzztime', '200000x',
            '--seeds', seeds(NEARLY), status=1, patience=900)
    equal(r.bucket().minimized, b'KEYPAD=', 'the minimized input')


@case
def slow_start():
    # What takes its time before main() takes it once.
    r = fuzz(program(FREAD, head='''static void __attribute__((constructor))
take_time(void)
{
	sleep(2);
}
'''))
    equal(r.bucket().info['reproduced'], 5, 'replays')


@case
def sanitizer_report():
    r = fuzz(program(FREAD, 'char *p = kept = malloc(2); p[n] = 1',
                     flags=['-fsanitize=address']))
    equal(r.bucket().info['what'], 'heap-buffer-overflow', 'what')


# A warning is no report: the exit status of such a run means nothing, nor that
# of others.
@each(('stack', '''	static char stack[65536];
	static ucontext_t here, there;

	getcontext(&there);
	there.uc_stack = (stack_t){ stack, 0, sizeof(stack) };
	there.uc_link = &here;
	makecontext(&there, (void (*)(void))getpid, 0);
	swapcontext(&here, &there);
	return 3;''', ''),
      ('allocator', FREAD + '''

	if (b[0] == 'm')
		return (kept = malloc(3UL << 30)) != NULL;
	return 3;''', 'allocator_may_return_null=1'))
def sanitizer_warning(body, options):
    target = program(body, '(void)0', '#include <ucontext.h>\n',
                     flags=['-fsanitize=address'])
    r = fuzz(target, found=0, time='400x', env={'ASAN_OPTIONS': options})
    r.no_findings()


@case
def sanitizer_goes_on():
    # A report is one of its input, whatever comes of the run.
    target = program(FREAD + '''

	if (b[0] == 'L') {
		__lsan_enable();
		kept = malloc(20);
		kept = NULL;
		__lsan_do_recoverable_leak_check();
	}''', '(void)0', '#include <sanitizer/lsan_interface.h>\n',
                     flags=['-fsanitize=address'])
    r = run(target, '-j', 1, '--fuzztime', '400x', '--seeds',
            seeds([b'Lxx', b'xx', b'yy']), status=1, patience=900,
            env={'ASAN_OPTIONS': 'detect_leaks=1'})
    equal(r.bucket('leaks').minimized, b'L', 'the minimized input')


@case
def leaks():
    # They go with the process of the input, and that is said.
    target = program(FREAD, '(void)0', flags=['-fsanitize=address'])
    for options, times in ((), 1), (('--no-leaks',), 0):
        r = run(target, '-j', 2, '--fuzztime', '20x', *options, status=0,
                out='out%d' % times)
        equal(r.stdout.count('leak detection is off: each input runs in a '
                             'process of its own'), times, 'times')


@case
def pages_of_redzones():
    # The child touches pages that begin between two constants.
    tables = range(64)
    head = ''.join('static const char t%d[3001] = { %d };\n' % (i, i + 1)
                   for i in tables)
    target = program(FREAD, '(void)0', flags=['-fsanitize=address'],
                     head=head + '''static const char *const tables[] = { %s };
static void __attribute__((constructor)) use(void);
static volatile int sum;
static void __attribute__((destructor))
use(void)
{
	for (unsigned i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		for (unsigned k = 0; k < 3001; k += 100)
			sum += tables[i][k];
}
''' % ', '.join('t%d' % i for i in tables))
    r = run(target, '-j', 1, '--fuzztime', '400x', '--seeds', seeds([b'xx']),
            status=0)
    r.no_findings()


@case
def constructors_run_once():
    # What constructors made is there in each run, unchanged.
    target = build('''#include <cstdio>
#include <cstdlib>
#include <string>
struct state {
	std::string text = "fresh";
	int runs = 0;
} state;
int
main()
{
	if (state.text != "fresh" || state.runs++ != 0)
		abort();
	state.text = "used";
	return getchar() == 'B';
}
''', name='prog', tool='cfuzz-c++', flags=['-x', 'c++'])
    r = run(target, '-j', 1, '--fuzztime', '300x', '--seeds',
            seeds([b'xx']), status=0)
    equal(r.no_findings(), None, 'findings')


@case
def exit_status():
    # Fine by itself, a finding if the user says so.
    target = program(FREAD, 'exit(3)')
    run(target, '-j', 1, '--fuzztime', '300x', '--seeds',
        seeds([b'B!', b'xx']), status=0)
    r = fuzz(target, '--fail-on-exit', out='other')
    equal(r.bucket().info['kind'], 'exit', 'kind')
    check('judge' in json.dumps(r.bucket().info), 'no stack')
    status, out = repro(target, os.path.join(r.bucket().path,
                                             'minimized'))
    equal(status, 1, 'the option is known to repro')


@case
def exit_status_after_others():
    # The runs before it have ended by quick_exit(0), elsewhere.
    target = program(FREAD + '\n\tquick_exit(0);', '_exit(3)')
    r = fuzz(target, '--fail-on-exit', '--verify', 0)
    equal(r.bucket().info['frames'], [], 'the stack of an _exit()')


@case
def own_check():
    # cfuzz_fail() is called in a process of its own.
    status, out = repro(program(FREAD, 'void cfuzz_fail(const char *, ...);'
                                'cfuzz_fail("it is %d", 7)'),
                        write('found', b'B!'))
    equal(status, 1, 'repro:\n%s' % out)
    check('error in judge' in out and 'it is 7' in out, 'said: %s', out)


# main() has returned when these run.
LATE = """
static int wanted;

static void late(void)
{
	if (wanted == 'A')
		abort();
}

__attribute__((destructor)) static void later(void)
{
	if (wanted == 'D')
		abort();
}
"""


@each(('atexit', b'A', 'late'), ('destructor', b'D', 'later'))
def after_main(given, where):
    target = program('\tatexit(late);\n\twanted = getchar();', head=LATE)
    status, out = repro(target, write('found', given))
    equal(status, 1, 'repro:\n%s' % out)
    check('fails: SIGABRT in %s' % where in out, 'said: %s', out)


@case
def kills_itself():
    # What the campaign has confirmed in fresh processes, check believes.
    target = program(FREAD, 'int kill(int, int); kill(getpid(), 9)')
    r = fuzz(target, '--verify', 3)
    equal(r.bucket().info['what'], 'SIGKILL', 'what')
    status, out, _ = tool(CFUZZ, 'check', 'out')
    check(status == 1 and '1 still fails' in out, 'check: %d: %s', status, out)
    status, _, err = tool(CFUZZ, 'min', '--timeout', '20s', target,
                          r.bucket().path + '/input', '-o', 'small')
    check(status == 2 and 'is not minimized' in err, 'min: %d: %s', status, err)


@case
def own_urgent_signal():
    # The signal by which the engine asks for a stack is the program's as well,
    # even where no signal can be queued.
    target = program('''	struct rlimit none = { 0, 0 };
	char b[256];
	ssize_t n = read(0, b, sizeof(b));

	setrlimit(RLIMIT_SIGPENDING, &none);
	kill(getpid(), SIGURG);
	judge(b, n > 0 ? n : 0);''', '(void)0', '''#include <signal.h>
#include <sys/resource.h>
''')
    r = fuzz(target, '--timeout', 1000, found=0, time='20x')
    r.no_findings()


@case
def named_file():
    # --input-file: the program knows the name, and nobody else.
    name = 'settings' * 12 + '.cfg'
    body = OPENED.replace('argv[argc - 1]', '"%s"' % name)
    target = program(body + '\tjudge(b, n);')
    r = run(target, '--fuzztime', '900s', '--stop-on-crash', '--seeds',
            seeds(NEARLY), '--input-file', name, status=1, patience=1000)
    equal(len(r.stats['workers']), 1, 'workers')
    equal(r.stats['limits']['input-file']['value'], name, 'the limit')
    check(not os.path.exists(name), 'the file is left')
    r = run(target, '-j', 2, '--fuzztime', '1x', '--input-file',
            name, out='more', status=2)
    check('only one worker' in r.stderr, 'said: %s', r.stderr)
    # Two processes of a tool would mix their inputs as well.
    status, _, err = tool(CFUZZ, 'cmin', '-j', 2, '--input-file',
                          name, target, 'seeds', '-o', 'kept')
    equal(status, 2, 'status of cmin -j 2')
    check('only one worker' in err, 'cmin said: %s', err)
    status, _, err = tool(CFUZZ, 'check', '-j', 2, 'out')
    equal(status, 2, 'status of check -j 2')
    status, out, err = tool(CFUZZ, 'check', 'out')
    check('1 still fails' in out, 'check said: %s%s', out, err)


@case
def file_of_another():
    # The file of --input-file is that of one cfuzz: another one is told so,
    # and neither reads inputs of the other.
    target = program(OPENED.replace('argv[argc - 1]', '"name"') +
                     '\tjudge(b, n);')
    r = run(target, '--fuzztime', '900s', '--stop-on-crash', '--seeds',
            seeds(NEARLY), '--input-file', 'name', status=1, patience=1000)
    found = os.path.join(r.bucket().path, 'input')
    shutil.copytree('out', 'past')
    own = ['--input-file', 'name', target]
    tools = (['run', '-o', 'new', '--fuzztime', '1x', *own],
             ['repro', *own, found],
             ['repro', '--gdb', *own, found],
             ['min', '-o', 'small', '--input-file', './name', target, found],
             ['cmin', '-o', 'few', *own, 'seeds'],
             ['check', 'past'],
             ['report', '--lcov', '-', 'past'])
    r = start(target, '--input-file', 'name', out='other')
    r.wait_line('starting with')
    file = 'name is the file of another cfuzz'
    # The same campaign: another file is no remedy.
    rows = [(words, file) for words in tools] + [
        (['run', '-o', 'other', *own],
         'other is in use by another cfuzz (process %d)' % r.pid)]
    for words, why in rows:
        done = subprocess.run([CFUZZ, *words], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        said = done.stderr.decode()
        equal(done.returncode, 2, 'status of %s: %s' % (words, said))
        check(why in said, '%s said: %s', words, said)
    for name in ('new', 'small', 'few'):
        check(not os.path.exists(name), 'there is %s', name)
    # A file of its own, and one of the same name in another folder.
    os.mkdir('elsewhere')
    for name in ('other-name', 'elsewhere/name'):
        done = subprocess.run([CFUZZ, 'repro', '--input-file', name, target,
                               found], stdout=subprocess.PIPE)
        check(done.returncode != 2, 'with %s: %d', name, done.returncode)
    # The runtime makes it anew for each child.
    wait_for(lambda: os.path.exists('name'), 'the file')
    os.kill(r.pid, signal.SIGKILL)
    r.wait()
    nobody_left()
    status, out = repro(target, found, options=['--input-file', 'name'])
    equal(status, 1, 'after the end:\n%s' % out)


@case
def no_file():
    # --input-file replaces and removes the file: never another kind of file.
    target = program(FREAD)
    os.mkfifo('fifo')
    os.symlink('elsewhere', 'link')
    os.mkdir('folder')
    write('in', b'x')
    for name, kind in (('fifo', 'a FIFO'), ('link', 'a symbolic link'),
                       ('folder', 'a folder')):
        r = run(target, '--input-file', name, '--fuzztime', '1x', status=2)
        check('%s is %s' % (name, kind) in r.stderr, 'said: %s', r.stderr)
        for words in (['repro'], ['min', '-o', 'small']):
            status, _, err = tool(CFUZZ, *words, '--input-file', name, target,
                                  'in')
            equal(status, 2, 'status of %s' % words)
            check('%s is %s' % (name, kind) in err, 'said: %s', err)
        check(os.path.lexists(name), '%s is gone', name)
        check(not os.path.exists('out'), 'there is an output directory')


@case
def hang():
    target = program(FREAD, 'for (;;) n = n * 3 + 1')
    r = fuzz(target, '--timeout', 1000, '--minimizetime', '20s')
    bucket = r.bucket('hangs')
    check('judge' in bucket.info['where'], 'where: %s', bucket.info['where'])


@case
def memory():
    target = program(FREAD, 'for (;;) memset(kept = malloc(1 << 20), 1, 1 << 20)')
    r = fuzz(target, '--rss-limit', 64, '--timeout', '20s',
             '--minimizetime', 0)
    check(r.bucket('ooms'), 'no finding')


@each(('child', 'if (fork() == 0) for (;;) pause()'),
      ('daemon', 'if (daemon(1, 1) == 0) for (;;) pause()'),
      ('thread', '''pthread_t t;

	if (pthread_create(&t, NULL, end, NULL) == 0)
		for (;;)
			pause()'''))
def nothing_is_left(body):
    # Children, daemons and threads end with their run.
    target = program(FREAD + '\n\t' + body + ';', '(void)0', head='''#include <pthread.h>
static void *
end(void *arg)
{
	_exit(0);
}
''', flags=['-pthread'])
    run(target, '-j', 1, '--fuzztime', '50x', '--seeds', seeds([b'xx']),
        status=0)
    nobody_left()


@case
def deferred():
    # What comes before cfuzz_start() runs once.
    target = program('''	FILE *f = fopen(getenv("COUNT"), "a");

	fputs("x", f);
	fclose(f);
	cfuzz_start();
''' + FREAD.replace('\tchar', '\t{ char') + ' }',
                     head='#include <cfuzz.h>\n')
    r = fuzz(target, env={'COUNT': os.path.abspath('count')})
    equal(r.bucket().minimized[:2], b'B!', 'the minimized input')
    check(len(read('count')) < 20, 'before the start: %d times',
          len(read('count')))


@each(('on disk', '.'), ('in memory', '/dev/shm'))
def own_log(folder):
    # No run rewinds what the program has in place of standard error.
    target = program('''
	freopen(getenv("LOG"), "w", stderr);
	cfuzz_start();
	fputs("run\\n", stderr);
	getchar();
''', head='#include <cfuzz.h>\n')
    with tempfile.NamedTemporaryFile(dir=folder) as log:
        r = run(target, '-j', 1, '--fuzztime', '50x', '--seeds',
                seeds([b'xx']), env={'LOG': os.path.abspath(log.name)},
                status=0)
        lines = read(log.name).count(b'run\n')
    r.no_findings()
    check(lines >= 50, '%d runs in the log', lines)


# Each condition has an edge of its own, as in KEY.
PLUGIN = '''#include <stdlib.h>
%s
void
plugged(const char *b, unsigned long n)
{
	if (n > 3 && b[0] == 'K' && b[1] == 'E' && b[2] == 'Y' && b[3] == '=')
		%s;
}
'''
# Its constructor works in the program only.
MOODY = '''
__attribute__((constructor)) static void
begin(void)
{
	if (getenv("READY") == NULL)
		abort();
}
'''
LOADER = '''#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int
main(void)
{
	char b[64];
	unsigned long n;
	void (*plugged)(const char *, unsigned long), *file;

	setenv("READY", "1", 1);
	file = dlopen(getenv("LIBRARY"), RTLD_NOW);
	if (file == NULL)
		return 1;
	plugged = dlsym(file, "plugged");
	n = fread(b, 1, sizeof(b), stdin);
	plugged(b, n);
	return 0;
}
'''


def with_plugin(head, flags, *options, fault='abort()', **more):
    library = build(PLUGIN % (head, fault), name='plugin.so',
                    flags=['-shared', '-fPIC', *flags])
    target = build(LOADER, name='prog', flags=['-ldl', *flags])
    return run(target, '-j', 1, '--seeds', seeds(NEARLY), *options,
               env={'LIBRARY': library}, **more)


@each(('plain', []), ('asan', ['-fsanitize=address']))
def plugin(flags):
    # What main() loads counts as what the program was linked with.
    r = with_plugin('', flags, '--stop-on-crash', '--fuzztime', '200000x',
                    status=1, patience=900)
    equal(r.bucket().minimized, b'KEY=', 'the minimized input')
    check('plugin.so' in read('out/coverage.jsonl').decode(), 'its edges')
    check(r.bucket().info['where'].startswith('plugged plugin.so.c:'),
          'where: %s', r.bucket().info['where'])


@case
def variables_of_a_child_in_a_plugin():
    # As variables_of_a_child, where a run finds the counters itself.
    r = with_plugin('''#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
%s
__attribute__((constructor)) static void
begin(void)
{
	if (forks() != 0)
		abort();
	for (int i = 1; i < sizeof(marks); i++)
		if (marks[i] != 0)
			abort();
}
''' % MARKS % '', [], '--fuzztime', '40x', fault='return', status=0)
    r.no_findings()


@case
def moody_plugin():
    # It is loaded by main() alone.
    r = with_plugin(MOODY, [], '--fuzztime', '300x')
    check(r.status in (0, 1), 'exit status: %s', r.describe())
    for bucket in r.buckets():
        check(bucket.info['where'].startswith('plugged'), 'where: %s',
              bucket.info['where'])


@each(('stdin', '', (), '@@'), ('file', '', ('@@',), 'arguments'),
      ('usage', 'if (argc < 2) return 2;\n' + OPENED + '\tjudge(b, n);', (),
       '--input-file'),
      ('fifo', '''	struct stat st;

	if (fstat(0, &st) != 0 || !S_ISFIFO(st.st_mode))
		return 1;
''' + FREAD.replace('\tchar', '\t{ char') + ' }', (), 'standard input'),
      ('terminal', '\tif (!isatty(0)) return 1;\n' +
       FREAD.replace('\tchar', '\t{ char') + ' }', (), 'standard input'))
def reads_nothing(body, args, advice):
    target = program(body or '\tjudge("none", 4);')
    r = start(target, '-j', 1, args=args).end_at('same coverage', 0)
    hints = [e['text'] for e in r.events('hint')]
    check(any('same coverage' in h and advice in h for h in hints),
          'hints: %s', hints)


@each(('stdin', FREAD, (), ()),
      ('file', OPENED + '\tjudge(b, n);', ('--in', '@@'), ()),
      ('named', OPENED.replace('argv[argc - 1]', '"the file"') +
       '\tjudge(b, n);', (), ('--input-file', 'the file')))
def exported(body, args, options):
    # reproduce.sh needs no cfuzz.
    target = program(body)
    r = control.start(target, '-j', 1, '--verify', 2, '--seeds',
                      seeds(NEARLY), *options, args=args)
    f = r.control.until(
        lambda s: s['findings'] and s['findings'][0]['minimized_len'] and
        s['findings'][0]['state'] != 'new' and s, 'a finding')['findings'][0]
    r.control.command('export %s "%s"' % (f['id'], os.path.abspath('sent')))
    r.stop(1)
    check('input.c' not in os.listdir('sent'), 'a function is exported')
    done = subprocess.run(['./sent/reproduce.sh'], stdin=subprocess.DEVNULL,
                          env=dict(os.environ, PATH='/usr/bin:/bin'))
    equal(done.returncode, -signal.SIGABRT, 'status of the script')


@case
def by_hand():
    # The program itself is as it was: it runs once, with its own main().
    done = subprocess.run([program(FREAD)], input=b'B!')
    equal(done.returncode, -signal.SIGABRT, 'status')


@case
def main_in_library():
    # main() of a shared library runs as without cfuzz, and is fuzzed.
    library = build(source(FREAD, 'abort()'), name='libprog.so',
                    flags=['-shared', '-fPIC'])
    target = build('int unused;', name='prog', flags=[library])
    done = subprocess.run([target], input=b'B!')
    equal(done.returncode, -signal.SIGABRT, 'status')
    r = fuzz(target)
    equal(r.stats['kind'], 'main()', 'kind')


main()

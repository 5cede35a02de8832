#!/usr/bin/env python3
"""Programs without instrumentation: the plain compiler's, stripped, packed."""

# BEGUN FIRST
import fcntl
import os
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403
import control             # noqa: E402
import sandbox             # noqa: E402

SOURCE = '''#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

%s
__attribute__((noinline)) static void
judge(const char *b, size_t n)
{
	if (n > 1 && b[0] == 'B')
		if (!(b[1] & 0x10)) {
			%s;
		}
}

int
main(int argc, char **argv)
{
	char b[256];
	FILE *f = argc > 1 ? fopen(argv[argc - 1], "rb") : stdin;
	size_t n;

	if (f == NULL)
		return 4;
	%s;
	n = fread(b, 1, sizeof(b), f);
	judge(b, n);
	if (argc > 1)
		fclose(f);
	return 0;
}
'''
# Inputs that are a bit away from the failure, and one bit more.
NEARLY = [b'xx', b'B?rest']
FAR = [b'xx', b'C?rest']


def plain(fault='abort()', head='', first='', flags=(), name='prog',
          compiler='cc'):
    """A program that only the plain compiler has seen."""
    needs_x86()
    write(name + '.c', SOURCE % (head, fault, first))
    done = subprocess.run([compiler, '-g', '-O1', '-w', '-o', name,
                           name + '.c', *flags], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True)
    if done.returncode != 0:
        raise Skip('the program does not build:\n%s' % done.stdout)
    return os.path.abspath(name)


def fuzz(target, *options, args=(), found=1, time='900s', near=NEARLY, **more):
    stop = ('--stop-on-crash',) if found else ()
    return run(target, '-j', 1, '--fuzztime', time, *stop, '--seeds',
               seeds(near), *options, args=args, status=found, patience=1000,
               **more)


def is_minimal(bucket):
    equal((len(bucket.minimized), bucket.minimized[:1]), (2, b'B'),
          'the minimized input')


def refused(target, *words, args=(), options=()):
    """The start fails with a sentence that has these words."""
    r = run(target, '-j', 1, '--fuzztime', '1x', *options, args=args,
            status=2, out='refused')
    for word in words:
        check(word in r.stderr, 'no %r in: %s', word, r.stderr)
    nobody_left()


@each(('stdin', ()), ('file', ('@@',)))
def planted(args):
    # Coverage leads to the failure, which is handled as any other.
    target = plain()
    r = fuzz(target, args=args, near=FAR)
    equal(r.stats['kind'], 'binary', 'kind')
    check(r.stats['instrumented'], 'no coverage')
    check(r.stats['counters_hit'] > 5, 'edges: %s', r.stats['counters_hit'])
    bucket = r.bucket()
    is_minimal(bucket)
    equal(bucket.info['reproduced'], 5, 'replays')
    check('judge' in bucket.info['where'], 'where: %s', bucket.info['where'])
    equal([f['function'] for f in bucket.info['frames']][-2:],
          ['judge', 'main'], 'the last frames')
    check('prog.c' in json.dumps(bucket.info), 'no line of the source')
    check(any('cfuzz-cc' in e['text'] and '200 times faster' in e['text']
              for e in r.events('hint')), 'no hint: %s', r.events('hint'))
    status, out = repro(target, os.path.join(bucket.path, 'minimized'))
    equal(status, 1, 'repro:\n%s' % out)
    check('judge' in out, 'repro:\n%s', out)
    nobody_left()


@each(('no-pie', ['-no-pie'], False), ('pie', ['-pie', '-fPIE'], False),
      ('stripped', ['-s'], False), ('bind-now', ['-Wl,-z,now'], False),
      ('O3', ['-O3'], False), ('no-cet', ['-fcf-protection=none'], False),
      ('asan', ['-fsanitize=address'], False))
def builds(flags, _):
    r = fuzz(plain(flags=flags))
    check(r.stats['counters_hit'] > 5, 'edges: %s', r.stats['counters_hit'])
    is_minimal(r.bucket())
    equal(r.bucket().info['reproduced'], 5, 'replays')


@each(('pie', []), ('no-pie', ['-no-pie']))
def bad_access(flags):
    # An intact stack, which ends at main().
    r = fuzz(plain('*(volatile int *)8 = 1', flags=flags), near=[b'B?'])
    equal(r.bucket().info['what'], 'SIGSEGV', 'what')
    equal([f['function'] for f in r.bucket().info['frames']],
          ['judge', 'main'], 'frames')


@case
def without_coverage():
    r = fuzz(plain(), '--coverage', 'none', near=[b'B?'])
    check(not r.stats['instrumented'], 'there is coverage')
    equal(r.events('arguments'), [], 'warnings')
    equal(r.bucket().info['reproduced'], 5, 'replays')


@case
def without_coverage_again():
    # It fails only without breakpoints, and so it runs again.
    target = plain('if (sum() == first_sum) abort()', head=CHECKSUM)
    r = fuzz(target, '--coverage', 'none', near=[b'B?'])
    status, out, err = tool(CFUZZ, 'check', 'out')
    equal(status, 1, 'cfuzz check: %s%s' % (out, err))
    equal(repro(target, r.bucket().path)[0], 1, 'cfuzz repro')
    equal(repro(target, r.bucket().path, options=['--coverage', 'auto'])[0], 0,
          'cfuzz repro with breakpoints')


@each(('standard input', ()), ('file', ('@@',)))
def isolated(args):
    # The program loads the library, and nothing that starts it does.
    target = plain()
    write('in', b'xx')
    status, _, err = tool(CFUZZ, 'repro', '--isolate', '--timeout', '20s',
                          target, 'in')
    if '--isolate: ' in err:
        raise Skip(err.strip())
    equal(status, 0, 'repro: ' + err)
    r = fuzz(target, '--isolate', args=args)
    check(r.stats['counters_hit'] > 5, 'edges: %s', r.stats['counters_hit'])
    is_minimal(r.bucket())
    check('judge' in r.bucket().info['where'], 'where: %s', r.bucket().info)
    write('in', b'B!')
    status, out = repro(target, 'in', options=['--isolate'])
    equal(status, 1, 'repro: ' + out)


@case
def library():
    # The code may be in a shared library that the program is linked with.
    write('part.c', '''#include <stdlib.h>
int
part(const char *b, unsigned long n)
{
	if (n > 1 && b[0] == 'L')
		if (b[1] == '!')
			abort();
	return 0;
}
''')
    subprocess.run(['cc', '-g', '-O1', '-shared', '-fPIC', '-o', 'libpart.so',
                    'part.c'], check=True)
    r = fuzz(plain(head='int part(const char *b, unsigned long n);',
                   first='n = fread(b, 1, sizeof(b), f); part(b, n)',
                   flags=['-L.', '-lpart', '-Wl,-rpath,' + os.getcwd()]),
             near=[b'L '])    # a bit away
    equal(r.bucket().minimized[:2], b'L!', 'the minimized input')
    check('part' in r.bucket().info['where'], 'where: %s',
          r.bucket().info['where'])


@case
def open_before_the_runtime():
    # What constructors of libraries have opened stays open.
    write('held.c', '''#include <fcntl.h>
#include <stdlib.h>

static int fd;

__attribute__((constructor)) static void
begin(void)
{
	fd = open("/dev/null", O_RDONLY);
}

void
held(void)
{
	if (fcntl(fd, F_GETFD) < 0)
		abort();
}
''')
    subprocess.run(['cc', '-g', '-O1', '-shared', '-fPIC', '-o', 'libheld.so',
                    'held.c'], check=True)
    target = plain('(void)0', 'void held(void);', 'held()',
                   ['-L.', '-lheld', '-Wl,-rpath,' + os.getcwd()])
    r = fuzz(target, found=0, time='40x')
    r.no_findings()


@each(('default', 'int3', ''),
      ('handler', 'raise', 'signal(SIGTRAP, own)'),
      ('action', 'raise', 'sigaction(SIGTRAP, &(struct sigaction)'
       '{ .sa_handler = own }, NULL)'),
      ('blocked', 'block', ''))
def own_sigtrap(how, first):
    # A program that uses SIGTRAP itself runs as it does alone.
    faults = {'int3': '__asm__ volatile("int3")',
              'raise': 'raise(SIGTRAP); if (trapped) abort()',
              'block': 'sigset_t s; sigfillset(&s); '
              'sigprocmask(SIG_SETMASK, &s, NULL); last(n)'}
    r = fuzz(plain(faults[how], first=first, head='''
static volatile int trapped;

__attribute__((noinline)) static void
last(size_t n)
{
	if (n > 1)
		abort();
}

static void
own(int signo)
{
	trapped = 1;
}
'''))
    is_minimal(r.bucket())
    equal(r.bucket().info['reproduced'], 5, 'replays')


@case
def sees_no_descriptor_of_others():
    # Whoever starts cfuzz may have left some open.
    fd = fcntl.fcntl(os.open('/dev/null', os.O_RDONLY), fcntl.F_DUPFD, 50)
    r = fuzz(plain('(void)0',
                   first='if (fcntl(%d, F_GETFD) >= 0) abort()' % fd),
             found=0, time='40x', inherit=(fd,))
    r.no_findings()


@case
def traced_by_its_parent():
    # Against debuggers: each signal, a breakpoint's as well, stops it.
    may_be_traced()
    target = plain(first='if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0) return 5; '
                   'raise(SIGSTOP)', head='#include <sys/ptrace.h>\n')
    r = fuzz(target, near=FAR)
    is_minimal(r.bucket())
    equal(r.bucket().info['what'], 'SIGABRT', 'what')
    equal(r.bucket().info['reproduced'], 5, 'replays')
    check(r.stats['counters_hit'] > 0, 'no coverage')


@case
def traced_program_executes_another():
    # The kernel's signal about that is for who traces.
    may_be_traced()
    target = plain('(void)0', first='''if (getenv("AGAIN") == NULL) {
		if (ptrace(PTRACE_TRACEME, 0, 0, 0) != 0)
			return 5;
		setenv("AGAIN", "1", 1);
		execv("/proc/self/exe", argv);
	}''', head='#include <sys/ptrace.h>\n')
    fuzz(target, found=0, time='40x', near=FAR).no_findings()


@each(('counted', ()), ('plain', ('--coverage', 'none')))
def fault_with_all_blocked(options):
    # The place of a fault is seen all the same.
    r = fuzz(plain('sigset_t s; sigfillset(&s); '
                   'sigprocmask(SIG_SETMASK, &s, NULL); '
                   '*(volatile int *)8 = 1'), *options)
    check(r.bucket().info['frames'], 'no place: %s', r.bucket().info)


# Ways to let a handler run while all other signals are blocked.
BLOCKING = [
    ('sigsuspend', 'sigsuspend(&most)'),
    ('ppoll', 'ppoll(NULL, 0, NULL, &most)'),
    ('ppoll-fortified', 'ppoll(fds, n > 100, NULL, &most)'),
    ('pselect', 'pselect(0, NULL, NULL, NULL, NULL, &most)'),
    ('epoll_pwait', 'epoll_pwait(epoll_create1(0), events, 1, -1, &most)'),
    ('epoll_pwait2',
     'epoll_pwait2(epoll_create1(0), events, 1, NULL, &most)'),
    ('thread', '''pthread_attr_init(&attr);
			pthread_attr_setsigmask_np(&attr, &most);
			pthread_create(&thread, &attr, lone, NULL);
			pthread_join(thread, NULL)'''),
    ('constructor', 'raise(SIGUSR2)')]


@each(*BLOCKING)
def trap_is_never_blocked(way):
    # A breakpoint in such a handler or thread ends no process.
    r = fuzz(plain('''sigset_t usr1, most;
			struct pollfd fds[1];
			struct epoll_event events[1];
			pthread_attr_t attr;
			pthread_t thread;

			sigfillset(&most);
			sigdelset(&most, SIGUSR1);
			sigemptyset(&usr1);
			sigaddset(&usr1, SIGUSR1);
			sigprocmask(SIG_BLOCK, &usr1, NULL);
			signal(SIGUSR1, handle);
			raise(SIGUSR1);
			%s;
			if (handled)
				abort()''' % way, flags=['-pthread', '-D_GNU_SOURCE',
                                         '-D_FORTIFY_SOURCE=2'], head='''
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/select.h>

static volatile int handled;

static void
handle(int signo)
{
	handled = 1;
}

static void *
lone(void *arg)
{
	handled = 1;
	return arg;
}

__attribute__((constructor)) static void
early(void)
{
	struct sigaction action = { .sa_handler = handle };

	sigfillset(&action.sa_mask);
	sigaction(SIGUSR2, &action, NULL);
}
'''))
    equal(r.bucket().info['what'], 'SIGABRT', 'what')
    is_minimal(r.bucket())
    equal(r.bucket().info['reproduced'], 5, 'replays')


@each(('error', 'sandbox(%s)' % sandbox.REFUSE),
      ('killed', 'sandbox(%s)' % sandbox.KILL),
      ('no-new-code', 'prctl(65, 1, 0, 0, 0)'))    # PR_SET_MDWE
def sandboxed(first):
    # The breakpoints vanish in a program that gives up the right to that.
    r = fuzz(plain(first=first, head=sandbox.no_new_code()), near=FAR)
    equal(r.bucket().info['what'], 'SIGABRT', 'what')
    is_minimal(r.bucket())


@each(('killed', sandbox.KILL), ('trapped', sandbox.TRAP))
def sandboxed_till_the_end(action):
    # What the runtime does at the end of a run is not held against the input.
    # No file can be opened for it.
    target = plain('(void)0', first='sandbox(%s)' % action,
                   head=sandbox.without('openat'))
    r = run(target, '-j', 1, '--fuzztime', '40x', '--seeds', seeds([b'xx']),
            status=0)
    r.no_findings()


CHECKSUM = '''
extern const unsigned char __executable_start, etext;

__attribute__((noinline)) static unsigned
sum(void)
{
	const volatile unsigned char *p = &__executable_start;
	unsigned n = 0;

	for (p += 4096; p < &etext; p++)
		n = n * 31 + *p;
	return n;
}

static unsigned first_sum;

__attribute__((constructor)) static void
take_sum(void)
{
	first_sum = sum();
}
'''


@case
def checksum():
    # A program that checks its own code sees the breakpoints: said, and
    # --coverage none helps.
    target = plain(head=CHECKSUM, first='if (sum() != first_sum) _exit(9)')
    equal(subprocess.run([target], input=b'x').returncode, 0, 'alone')
    r = start(target, '-j', 1, '--seeds', seeds([b'B?'])).end_at(
        'same coverage', 0)
    hints = [e['text'] for e in r.events('hint')]
    check(any('--coverage none' in h for h in hints), 'hints: %s', hints)
    r = fuzz(target, '--coverage', 'none', near=[b'B?'], out='other')
    equal(r.bucket().info['reproduced'], 5, 'replays')


PLUGIN = '''
static int *volatile nowhere;

__attribute__((noinline)) static void
way_one(int n)
{
	*nowhere = n;
}

__attribute__((noinline)) static void
way_two(int n)
{
	*nowhere = n + 1;
}

void
plugged(int which)
{
	if (which == '1')
		way_one(which);
	if (which == '2')
		way_two(which);
}
'''


def library(name, text):
    write(name + '.c', text)
    subprocess.run(['cc', '-g', '-O1', '-w', '-shared', '-fPIC', '-o',
                    name + '.so', name + '.c'], check=True)
    return os.path.abspath(name + '.so')


def plugged(opened, head='', flags=()):
    """The findings of a program whose runs open a library: K1, K2 fail."""
    target = plain(head='#include <dlfcn.h>\nstatic void (*plugged)(int);\n' +
                   head, first=opened, fault='(void)0', flags=['-ldl'])
    write('prog.c', read('prog.c').replace(
        b'judge(b, n);', b"if (n > 1 && b[0] == 'K')\n\t\tplugged(b[1]);"))
    subprocess.run(['cc', '-g', '-O1', '-w', '-o', 'prog', 'prog.c', *flags,
                    '-ldl'], check=True)
    r = run(target, '-j', 1, '--fuzztime', '20x', '--seeds',
            seeds([b'K1', b'K2']), status=1)
    equal(sorted(b.info['where'].split()[0] for b in r.buckets('crashes')),
          ['way_one', 'way_two'], 'the places')


PLUG = 'plugged = dlsym(dlopen("%s", RTLD_NOW), "plugged")'


@each(('absolute', '%s/plugin.so'), ('relative', './plugin.so'))
def plugin_has_places(name):
    # A library that only the run loads: two bugs in it are two findings.
    library('plugin', PLUGIN)
    plugged(PLUG % (name % os.getcwd() if '%' in name else name))


@case
def plugin_beside_many():
    # The list of modules is full before the run opens the library.
    many = [library('many%d' % i, 'int many%d;' % i) for i in range(64)]
    plugged(PLUG % library('plugin', PLUGIN),
            flags=['-Wl,--no-as-needed', *many])


@case
def plugin_takes_a_place():
    # The program has closed the library that lay there at its start.
    old = library('old', PLUGIN.replace('way_', 'old_'))
    plugged('dlclose(old); ' + PLUG % library('plugin', PLUGIN),
            head='''static void *old;

__attribute__((constructor)) static void
open_old(void)
{
	old = dlopen("%s", RTLD_NOW);
}
''' % old)


@each(('stdin', ()), ('file', ('@@',)))
def reads_in_vain(args):
    # Every input has the same coverage, but the program does read it.
    target = plain(first='fread(b, 1, sizeof(b), f); exit(0)')
    r = start(target, '-j', 1, '--seeds', seeds([b'B?']), args=args)
    # A program that reads nothing is told after 300 executions and 4 s at most.
    r.wait_for(lambda: [n for s, n in re.findall(
        r'elapsed: (\w+), execs: (\d+)', r.stdout)
        if s not in ('0s', '3s') and int(n) >= 1000], 'enough executions')
    r.signal(signal.SIGINT)
    r.end(0)
    hints = [e['text'] for e in r.events('hint')]
    check(hints and not any('same coverage' in h for h in hints),
          'hints: %s', hints)


@case
def packed():
    # The packer's name stands behind the program headers.
    target = plain(flags=['-static', '-s'])
    with open(target, 'r+b') as f:
        f.seek(64 + 56 * read(target)[56] + 4)
        f.write(b'UPX!')
    refused(target, 'packed by UPX', 'upx -d')


@case
def statically_linked():
    refused(plain(flags=['-static']), '-static', 'cfuzz-cc')


@case
def static_pie():
    refused(plain(flags=['-static-pie']), '-static', 'cfuzz-cc')


@case
def shared_library():
    refused(plain(flags=['-shared', '-fPIC'], name='libx.so'),
            'shared library')


@case
def other_rights():
    target = plain()
    os.chmod(target, 0o4755)
    refused(target, 'setuid', 'fuzz a copy')


@each(('32-bit', 4, 1), ('arm64', 18, 183), ('riscv', 18, 243))
def other_machine(place, value):
    target = plain()
    with open(target, 'r+b') as f:
        f.seek(place)
        f.write(bytes([value]))
    refused(target, 'build it for this machine')


@each(('python', '#!/usr/bin/env python3\n', 'python3'),
      ('shell', '#!/bin/sh -e\n', 'sh'))
def script(head, interpreter):
    write('prog.script', head + 'exit\n')
    os.chmod('prog.script', 0o755)
    refused('./prog.script', 'is a script',
            'first argument: %s ./prog.script' % interpreter)


@case
def interpreter():
    # The way out that a refused script names.
    if shutil.which('perl') is None:
        raise Skip('no perl')
    write('prog.pl', 'open F, $ARGV[0]; $_ = <F>; '
          'kill "ABRT", $$ if /^B!/;\n')
    r = run('perl', '-j', 1, '--fuzztime', '300s', '--stop-on-crash',
            '--coverage', 'none', '--minimizetime', 0, '--timeout', '10s',
            '--seeds', seeds([b'B!']), args=('prog.pl', '@@'), status=1)
    equal(r.stats['kind'], 'binary', 'kind')


@case
def children_know_nothing():
    # Programs that the target starts run without the runtime. Only what they
    # say may fail: judge() has no fault, which 50 executions may find.
    target = plain('exit(0)', first='''if (system(
	    "test -z \\"$LD_PRELOAD$CFUZZ_WORKER\\"") != 0) abort()''')
    r = run(target, '-j', 1, '--fuzztime', '50x', '--seeds', seeds([b'x']),
            status=0)
    r.no_findings()
    nobody_left()


@case
def hang():
    r = fuzz(plain('for (;;) n = n * 3 + 1'), '--timeout', 1000,
             '--minimizetime', 0, near=[b'B?'])
    check('judge' in r.bucket('hangs').info['where'], 'where: %s',
          r.bucket('hangs').info['where'])


@each(('exit', 'exit(3)'), ('thread', '''pthread_t t;

	if (pthread_create(&t, NULL, end, NULL) == 0)
		for (;;)
			pause()'''), ('daemon', 'daemon(1, 1); pause()'),
      ('child', 'if (fork() == 0) for (;;) pause()'))
def nothing_is_left(body):
    target = plain(body, head='''#include <pthread.h>
static void *
end(void *arg)
{
	_exit(0);
}
''', flags=['-pthread'])
    r = run(target, '-j', 1, '--fuzztime', '100x', '--seeds',
            seeds([b'B!', b'xx']), status=0)
    equal(r.no_findings(), None, 'findings')
    nobody_left()


def cfuzz(*words):
    status, out, err = tool(CFUZZ, words[0], '--timeout', '20s', *words[1:])
    equal(status, 0, '%s:\n%s%s' % (words[0], out, err))
    return out


@case
def tools():
    # The commands without a campaign know such programs, too.
    target = plain()
    r = fuzz(target)
    found = os.path.join(r.bucket().path, 'input')
    write('long', b'B!' + b'x' * 100)
    cfuzz('min', '-o', 'small', target, 'long')
    equal((len(read('small')), read('small')[:1]), (2, b'B'), 'min')
    for name, data in (('a', b'xx'), ('b', b'xy'), ('c', b'B?')):
        write('many/' + name, data)
    cfuzz('cmin', '-o', 'kept', target, 'many')
    equal([read('kept/' + n) for n in os.listdir('kept')], [b'B?'], 'cmin keeps')
    status, out, _ = tool(CFUZZ, 'check', 'out')
    equal(status, 1, 'check:\n%s' % out)
    check('still fails' in out, 'check:\n%s', out)
    status, out = repro(target, found)
    equal(status, 1, 'repro:\n%s' % out)


@case
def exported():
    # reproduce.sh runs the program itself, without cfuzz.
    r = control.start(plain(), '-j', 1, '--verify', 2, '--seeds',
                      seeds(NEARLY), args=('@@',))
    f = r.control.until(
        lambda s: s['findings'] and s['findings'][0]['minimized_len'] and
        s['findings'][0]['state'] != 'new' and s, 'a finding')['findings'][0]
    r.control.command('export %s "%s"' % (f['id'], os.path.abspath('sent')))
    r.stop(1)
    text = read('sent/reproduce.sh').decode()
    check('PRELOAD' not in text, 'the script: %s', text)
    done = subprocess.run(['./sent/reproduce.sh'], stdin=subprocess.DEVNULL,
                          env=dict(os.environ, PATH='/usr/bin:/bin'))
    equal(done.returncode, -signal.SIGABRT, 'status of the script')


if __name__ == '__main__':
    sys.exit(main())

#!/usr/bin/env python3
"""What fails is told by function, file and line, whatever becomes of the
helper that knows them."""

import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403

DEMO = os.path.join(BUILD, 'demo')
COMMENT = b'TILE\x01\x01C\x04abcd'
RUN = b'TILE\x01\x01P\x03\x00\x00\x00T\x06\x00\x00\x01\x01\xff\x00'

CRASHES = (
    ('comment', COMMENT, 'read_comment'),
    ('run', RUN, 'fill_run'),
)

# A crash in an inlined function, called through a pointer.
PLAIN = one_input('''
	if (size > 3 && data[0] == 'x')
		(*volatile_hook)(data);
''', head='''
static inline __attribute__((always_inline)) void
poke(volatile int *where)
{
	*where = 1;
}

static __attribute__((noinline)) void
hook(const uint8_t *data)
{
	poke((volatile int *)(uintptr_t)(data[3] & 0));
}

static void (*volatile volatile_hook)(const uint8_t *) = hook;
''')


def strip(target, *options, name='stripped'):
    """A copy of the target with less in it."""
    status, _, err = tool('objcopy', *options, target, name)
    check(status == 0, 'objcopy: %s', err)
    return os.path.abspath(name)


def fuzz(target, data, *options, **more):
    # The seed alone: what mutants would find is another matter.
    return run(target, '-j', 1, '--fuzztime', '1x', '--minimizetime', 0,
               '--seeds', seeds([data]), *options, status=1, **more)


def first_frame(bucket):
    return bucket.info['frames'][0]


@each(*CRASHES)
def demonstration(data, function):
    # The line that is printed, the files and cfuzz repro all say its name.
    r = fuzz(DEMO, data, '--deterministic')    # names are waited for
    bucket = r.bucket()
    where = bucket.info['where']
    check(re.fullmatch(function + r' tiles\.c:\d+', where), 'where: %s', where)
    check(r.said(': heap-buffer-overflow in %s\n' % where),
          'it is announced without its name:%s', r.describe())
    frame = first_frame(bucket)
    equal(frame['function'], function, 'the first frame')
    equal(where, '%s %s:%d' % (function, frame['file'], frame['line']),
          'the first frame')
    check('module' in frame and 'offset' in frame, 'no address: %r', frame)
    found = [e for e in r.journal if e.get('where') == where]
    check(found, 'the journal does not name it')
    # The folder needs no symbols, so it is what it is without them.
    check('demo' in bucket.folder and function not in bucket.folder,
          'the folder: %s', bucket.folder)
    check('#0 %s\n' % where in bucket.report, 'the report:\n%s',
          bucket.report[-2000:])
    check(re.search(r'\n%s:%d:\n(    +\d+  .*\n){3}  > +%d  .*\n' % (
        frame['file'], frame['line'], frame['line']), bucket.report),
          'no source in the report:\n%s', bucket.report[-1000:])
    check('\nrun with:\n    ASAN_OPTIONS=' in bucket.report, 'no options')
    for name, want in (('sanitizer', 'address'), ('named', True)):
        equal(bucket.info[name], want, name)
    check(bucket.info['identity'].startswith(
        'sanitizer, heap-buffer-overflow, READ, %s tiles.c +' % function) or
        bucket.info['identity'].startswith(
        'sanitizer, heap-buffer-overflow, WRITE, %s tiles.c +' % function),
          'the identity: %s', bucket.info['identity'])
    equal(bucket.info['lineage']['seed'], 'seed000', 'the seed')
    status, out = repro(DEMO, bucket.path)
    check(status == 1 and 'fails: heap-buffer-overflow in %s\n' % where in out,
          'cfuzz repro:\n%s', out)


FREED = one_input('''
	char *where;

	if (size < 2 || data[0] != 'x')
		return 0;
	where = make();
	drop(where);
	sink = *where;
''', head='''
static volatile int sink;
__attribute__((noinline)) static char *make(void) { return malloc(7); }
__attribute__((noinline)) static void drop(char *where) { free(where); }
''')


@each(*[(compiler + o, compiler, o) for compiler in ('clang', 'gcc')
        for o in ('-O1', '-O2')])
def stacks_of_a_report(compiler, optimization):
    # Who freed it, though that was its last act, and who had allocated it,
    # wherever the report is read.
    target = build(FREED, 'freed', flags=['-fsanitize=address', optimization],
                   compiler=compiler)
    r = run(target, '-j', 1, '--fuzztime', '1x', '--seeds', seeds([b'x' * 9]),
            status=1)
    bucket = r.bucket()
    for name, words in (
            ('report.txt', bucket.report),
            ('cfuzz show', tool(os.path.join(BUILD, 'cfuzz'), 'show',
                                r.out, bucket.info['id'])[1]),
            ('cfuzz repro', repro(target, bucket.path)[1])):
        for stack, function in (('READ of size 1', 'LLVMFuzzerTestOneInput'),
                                ('freed by', 'drop'),
                                ('allocated by', 'make')):
            found = re.search(
                stack + r'.*\n(?: +#\d+ 0x.*\n)*? +#\d 0x[0-9a-f]+ in ' +
                function + r' freed\.c:\d+ \(/.*/freed\+0x[0-9a-f]+\)', words)
            check(found, '%s does not name %s:\n%s', name, function, words)
        # What called the target is the same in each.
        for function in ('child_execute', 'start_main', '__libc_start_main'):
            check(function not in words, '%s tells of %s:\n%s', name, function,
                  words)


THREADS = one_input('''
	pthread_t thread;

	if (size > 1 && data[0] == 'x' && begin(&thread) == 0)
		pthread_join(thread, NULL);
''', head='''
static volatile int sink;

static void *
overrun(void *arg)
{
	char *where = malloc(7);

	sink = where[7];
	free(where);
	return arg;
}

__attribute__((noinline)) static int
begin(pthread_t *thread)
{
	int failed = pthread_create(thread, NULL, overrun, NULL);

	sink = failed;
	return failed;
}
''')


@case
def who_created_a_thread():
    # It is told in a stack of its own.
    target = build(THREADS, 'threads', flags=['-fsanitize=address'])
    report = fuzz(target, b'x' * 9).bucket().report
    for stack, functions in (
            ('READ of size 1', ('overrun',)),
            (r'Thread T\d+ created by', ('begin', 'LLVMFuzzerTestOneInput'))):
        for function in functions:
            check(re.search(
                stack + r'.*\n(?: +#\d+ 0x.*\n)*? +#\d 0x[0-9a-f]+ in ' +
                function + r' threads\.c:\d+ \(/.*/threads\+0x[0-9a-f]+\)',
                report), '"%s" does not name %s:\n%s', stack, function,
                report)


@case
def several_files():
    # One after the other, each with its own name, in order.
    for name, data, _ in CRASHES:
        write(name, data)
    write('fine', b'TILE')
    status, out = repro(DEMO, 'run', 'fine', 'comment', 'run')
    told = [l for l in out.splitlines() if ' bytes: ' in l]
    equal(status, 1, 'the status')
    for line, words in zip(told, (
            'run: .* in fill_run tiles.c:', 'fine: .* ok,',
            'comment: .* in read_comment tiles.c:',
            'run: .* in fill_run tiles.c:')):
        check(re.match(words, line), '%s: not %s', line, words)
    equal(len(told), 4, 'the files told of')


SECTIONS = ('-ffunction-sections', '-fdata-sections', '-Wl,--gc-sections')


@each(('as-ever', None, ()), ('gcc-sections-collected', 'gcc', SECTIONS))
def plain_signal(compiler, flags):
    # Without a sanitizer the frames come from our own walk.
    r = fuzz(build(PLAIN, 'plain', flags=flags, compiler=compiler), b'xxxxxx')
    bucket = r.bucket()
    check(re.fullmatch(r'poke plain\.c:\d+', bucket.info['where']),
          'where: %s', bucket.info['where'])
    frame = first_frame(bucket)
    equal([s['function'] for s in frame['inlined_into']], ['hook'],
          'what it is inlined into')


@each(('static', 'static'), ('static-pie', 'static-pie'))
def linked_statically(how):
    # What fails is the caller of the C library, though it has no file.
    target = build(one_input('''
	if (size > 0 && data[0] == 'a')
		abort();
	if (size > 0 && data[0] == 'm')
		memset(nowhere, 0, size * 1000);
	if (size > 0 && data[0] == 'f')
		free(&nowhere);
''', head='static char *volatile nowhere;\n'), how, flags=['-' + how])
    for name in 'amf':
        write(name, name)
    for line in [l for l in repro(target, *'amf')[1].splitlines()
                 if ' fails: ' in l]:
        check(' in LLVMFuzzerTestOneInput static' in line, '%s', line)


# The line of the call, not of what comes behind it.
CALLS = one_input('''
	if (size > 0 && data[0] == 'f')
		cfuzz_fail("bad"); /* said */
	if (size > 0 && data[0] == 't')
		TRAP; /* trapped */
	sink = 1;
''', head='''
static volatile int sink;
#if defined(__x86_64__)
#define TRAP __asm__ volatile("int3")
#else
#define TRAP __builtin_trap()
#endif
''')


def line_of(source, mark):
    return 1 + source[:source.index(mark)].count('\n')


@each(('fail', b'ff', '/* said */'), ('trap', b'tt', '/* trapped */'))
def line_of_the_call(data, mark):
    target = build(CALLS, 'calls', flags=['-O0'])
    equal(first_frame(fuzz(target, data).bucket())['line'],
          line_of(read(target + '.c').decode(), mark), 'the line')


@each(('clang', 'clang'), ('gcc', 'gcc'))
def fails_at_its_end(compiler):
    # The call is the last of a function, which stays on the stack.
    check_of = """
__attribute__((noinline)) static void
check_%c(const uint8_t *data)
{
	if (data[0] == '%c')
		cfuzz_fail("wrong");
}
"""
    target = build(one_input('''
	if (size == 0)
		return 0;
	check_a(data);
	check_b(data);''', '#include <cfuzz.h>\n' + check_of % ('a', 'a') +
                             check_of % ('b', 'b')), flags=['-O2'],
                   compiler=compiler)
    r = run(target, '-j', 1, '--fuzztime', '2x', '--minimizetime', 0,
            '--seeds', seeds([b'a', b'b']), status=1)
    equal({first_frame(b)['function'] for b in r.buckets()},
          {'check_a', 'check_b'}, 'the functions')


@each(('symbols', '--strip-debug', 'hook stripped'),
      ('nothing', '--strip-all', 'stripped'))
def stripped(option, where):
    r = fuzz(strip(build(PLAIN, 'plain'), option), b'xxxxxx',
             '--deterministic')
    bucket = r.bucket()
    check(re.fullmatch(re.escape(where) + r'\+0x[0-9a-f]+',
                       bucket.info['where']),
          'where: %s', bucket.info['where'])
    check(r.said(' in %s\n' % bucket.info['where']), 'not told:%s',
          r.describe())
    status, out = repro(r.target, bucket.path)
    check(status == 1 and ' in %s\n' % bucket.info['where'] in out,
          'cfuzz repro:\n%s', out)


CPLUSPLUS = '''
#include <stdexcept>
#include <stdint.h>
#include <stdlib.h>
#include <thread>

static __attribute__((noinline)) void
does_not_throw(int number) noexcept
{
	throw number;
}

static __attribute__((noinline)) void
forgets_a_thread()
{
	std::thread thread([] {});
}

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 0 && data[0] == 'n')
		does_not_throw(3);
	if (size > 0 && data[0] == 'f')
		forgets_a_thread();
	return 0;
}
'''


@each(('noexcept', 'n', 'does_not_throw', ()),
      ('thread', 'f', 'forgets_a_thread', ()),
      ('noexcept-static', 'n', 'does_not_throw', ('-static-libstdc++',)))
def ended_by_cplusplus(data, function, flags):
    # What the compiler and the library add is not the target's own.
    target = build(CPLUSPLUS, 'cplusplus', tool='cfuzz-c++', flags=flags)
    where = fuzz(target, data.encode()).bucket().info['where']
    check(re.fullmatch(function + r' cplusplus\.c:\d+', where), 'where: %s',
          where)


NAMESPACE = '''
#include <stdint.h>
#include <stdlib.h>

namespace outer { namespace inner {
static inline __attribute__((always_inline)) void
check(int number)
{
	if (number == 'x')
		abort();
}

__attribute__((noinline)) void
parse(int number)
{
	check(number);
}
} }

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 0)
		outer::inner::parse(data[0]);
	return 0;
}
'''


@each(('clang', 'clang++', ()), ('gcc', 'g++', ()),
      ('clang-lto', 'clang++', ('-O2', '-flto')),
      ('gcc-lto', 'g++', ('-O2', '-flto')))
def inlined_in_a_namespace(compiler, flags):
    # In a unit of its own with the last one, as any function of another file.
    target = build(NAMESPACE, 'namespace', tool='cfuzz-c++', flags=flags,
                   env={'CFUZZ_CXX': compiler})
    frame = first_frame(fuzz(target, b'x').bucket())
    equal([frame.get('function'), frame.get('line')],
          ['outer::inner::check', line_of(NAMESPACE, 'abort()')], 'the frame')
    equal([f['function'] for f in frame.get('inlined_into', [])],
          ['outer::inner::parse'], 'what it is inlined into')


LIBRARY = '''
#include <string.h>

__attribute__((noinline)) static void
hidden(char *to, const char *from, unsigned long n)
{
	memcpy(to, from, n);
	__asm__ volatile("");
}

void
library_copy(char *to, const char *from, unsigned long n)
{
	hidden(to, from, n);
	__asm__ volatile("");
}
'''

CALLS_LIBRARY = one_input('''
	char *where = malloc(4);

	library_copy(where, (const char *)data, size);
	free(where);
''', head='void library_copy(char *, const char *, unsigned long);\n')


@case
def stripped_library():
    # Its frames keep their places in the stack, and give the exported names.
    # It is loaded by a link, as libraries of a system are.
    write('lib.c', LIBRARY)
    status, _, err = tool('gcc', '-O1', '-shared', '-fPIC', '-s',
                          '-Wl,-soname,libcopy.so.1', '-o',
                          'libcopy.so.1.2.3', 'lib.c')
    check(status == 0, 'gcc: %s', err)
    os.symlink('libcopy.so.1.2.3', 'libcopy.so.1')
    target = build(CALLS_LIBRARY, 'calls', flags=[
        '-fsanitize=address', os.path.abspath('libcopy.so.1'),
        '-Wl,-rpath,' + os.getcwd()])
    bucket = fuzz(target, b'x' * 100).bucket()
    where = bucket.info['where']
    check(re.fullmatch(r'libcopy\.so\.1\+0x[0-9a-f]+', where), 'where: %s',
          where)
    write('z', b'x' * 100)
    for name, words in (('report.txt', bucket.report),
                        ('cfuzz repro', repro(target, 'z')[1])):
        check(re.search(r'where, by name:\n    #0 \S*memcpy .*\n'
                        r'    #1 %s\n    #2 library_copy libcopy\.so\.1\+'
                        r'.*\n    #3 LLVMFuzzerTestOneInput calls\.c' %
                        re.escape(where), words), '%s:\n%s', name, words)


# Only an input loads it, and the first one that does fails.
LATE = '''
void
plugged(const char *data, unsigned long n)
{
	if (n > 2 && data[0] == 'x')
		*(volatile int *)(unsigned long)(data[1] & 0) = 1;
}
'''
LOADS = one_input('''
	void (*plugged)(const char *, unsigned long);

	if (size < 2)
		return 0;
	plugged = dlsym(dlopen(getenv("LIBRARY"), RTLD_NOW), "plugged");
	plugged((const char *)data, size);''', '#include <dlfcn.h>\n')


@case
def late_library():
    # The process that had it is gone before anybody asks for names.
    library = build(LATE, 'late.so', flags=['-shared', '-fPIC'])
    env = {'LIBRARY': library}
    target = build(LOADS, 'loads', flags=['-ldl'])
    place = r'plugged late\.so\.c:\d+'
    r = fuzz(target, b'xxxxxx', env=env)
    check(re.fullmatch(place, r.bucket().info['where']), 'where: %s',
          r.bucket().info['where'])
    write('z', b'xxxxxx')
    for words in (('repro', target, 'z'), ('min', target, 'z', '-o', 'less'),
                  ('check', r.out, target)):
        _, out, err = tool(CFUZZ, *words, env=env)
        check(re.search(r'\b' + place, out + err), 'cfuzz %s:\n%s%s',
              words[0], out, err)


@each(('build-id', ()), ('no-build-id', ('-Wl,--build-id=none',)))
def another_file(flags):
    # Built again while it is fuzzed: no name is better than a wrong one.
    source = PLAIN.replace("data[0] == 'x'",
                           "data[0] == 'x' && access(\"go\", F_OK) == 0")
    target = strip(build(source, 'plain', flags=flags), '--strip-unneeded',
                   name='target')
    other = strip(build(source.replace('\nstatic inline', """
int another(int a) { return a > 3 ? -a : a; }
static inline"""), 'other', flags=flags), '--strip-debug', name='new')
    r = Run(target, ['-j', 1, '--fuzztime', '900s', '--stop-on-crash',
                     '--minimizetime', 0, '--seeds', seeds([b'abc', b'xyzt'])],
            env={'MODE': ''})
    r.wait_line('now fuzzing with')
    os.rename(other, target)
    write('go', '')
    r.end(1, 1000)
    check(re.fullmatch(r'[\w.-]+\+0x[0-9a-f]+', r.bucket().info['where']),
          'where: %s', r.bucket().info['where'])


REBUILT = '''
#include <stdlib.h>
#include <unistd.h>
%s
int check(int c) { if (c == 'x' && access("go", F_OK) == 0) abort(); return c; }
'''
INNOCENT = 'void innocent(void) { __asm__ volatile(".skip 8192, 0x90"); }'
LINKED = 'if (size > 0) check(data[0]);', 'int check(int c);\n'
LOADED = '''
	static int (*check)(int);

	if (check == NULL)
		check = (int (*)(int))dlsym(dlopen("./libfirst.so", RTLD_NOW), "check");
	if (size > 0)
		check(data[0]);''', '#include <dlfcn.h>\n'


@each(('build-id', 'sha1', LINKED), ('no-build-id', 'none', LINKED),
      ('loaded-by-the-child', 'sha1', LOADED))
def another_library(build_id, use):
    # The same for a library of the target: its workers still run the former one.
    # The maps of a process tell it, or the build-id if no process is left that
    # had loaded it.
    for name, more in ('libfirst.so', ''), ('new', INNOCENT):
        write('library.c', (REBUILT % more).encode())
        status, _, err = tool(os.path.join(BUILD, 'cfuzz-cc'), '-g', '-shared',
                              '-fPIC', '-Wl,--build-id=' + build_id,
                              '-Wl,-soname,libfirst.so', 'library.c', '-o',
                              name)
        equal(status, 0, err)
    target = build(one_input(*use), flags=[
        '-Wl,--as-needed,-rpath,' + os.getcwd(), '-L' + os.getcwd(), '-lfirst'])
    r = Run(target, ['-j', 1, '--fuzztime', '900s', '--stop-on-crash',
                     '--minimizetime', 0, '--seeds', seeds([b'a', b'xyz'])])
    r.wait_line('now fuzzing with')
    os.rename('new', 'libfirst.so')
    write('go', b'')
    r.end(1, 1000)
    where = r.bucket().info['where']
    check(re.fullmatch(r'libfirst\.so\+0x[0-9a-f]+', where), 'where: %s', where)
    check(b'innocent' not in read(os.path.join(r.bucket().path, 'report.txt')),
          'the report')


@each(('plain', ()), ('asan', ['-fsanitize=address']))
def named_like_a_deleted_one(flags):
    # The kernel says so of files without a name, but this is one.
    shutil.copy(build(PLAIN, 'plain', flags=flags), 'plain (deleted)')
    where = fuzz('./plain (deleted)', b'xxxxxx').bucket().info['where']
    check(re.fullmatch(r'poke plain\.c:\d+', where), 'where: %s', where)


@each(('plain', ()), ('asan', ['-fsanitize=address']))
def not_named_in_ascii(flags):
    # In a report the name has a '?' for each byte of the letter.
    shutil.copy(build(PLAIN, 'plain', flags=flags), 'plain\u00fc')
    r = fuzz('./plain\u00fc', b'xxxxxx')
    frames = r.bucket().info['frames']
    check(re.fullmatch(r'poke plain\.c:\d+', r.bucket().info['where']),
          'where: %s', r.bucket().info)
    check(not [f for f in frames if f.get('function') == 'child_execute'],
          'the runtime is not cut off: %s', frames)


@case
def damaged_debug_information():
    # Nonsense where the names should be: the campaign does not mind.
    target = build(PLAIN, 'plain')
    data = bytearray(read(target))
    status, out, _ = tool('readelf', '-SW', target)
    for name in ('.debug_info', '.debug_abbrev', '.debug_line', '.symtab'):
        row = re.search(re.escape(name) + r'\s+\w+\s+\w+ (\w+) (\w+)', out)
        check(row, 'no section %s', name)
        at, length = (int(n, 16) for n in row.groups())
        for i in range(at + 16, at + length):
            data[i] = (data[i] * 7 + i) & 255
    write('damaged', bytes(data))
    os.chmod('damaged', 0o755)
    r = fuzz(os.path.abspath('damaged'), b'xxxxxx')
    check('damaged' in r.bucket().folder, 'the folder: %s', r.bucket().folder)


@case
def no_helper_left():
    # The engine dies at once: the helper does too.
    r = Run(DEMO, ['-j', 1, '--fuzztime', '900s', '--minimizetime', 0,
                   '--seeds', seeds([COMMENT])])
    r.wait_for(lambda: [1 for _, _, name in descendants(r.pid)
                        if name == 'cfuzz-symbols'], 'a helper')
    r.signal(signal.SIGKILL)
    r.wait()
    nobody_left()


@case
def helper_is_killed():
    # Whoever ends the helper costs nobody more than a name.
    r = Run(DEMO, ['-j', 1, '--fuzztime', '900s', '--minimizetime', 0,
                   '--seeds', seeds([COMMENT])])
    helpers = r.wait_for(lambda: [p for p, _, name in descendants(r.pid)
                                  if name == 'cfuzz-symbols'], 'a helper')
    os.kill(helpers[0], signal.SIGKILL)
    r.wait_line('heap-buffer-overflow in ')
    r.signal(signal.SIGINT)
    r.end(1)
    check(r.buckets('crashes'), 'no finding')


@case
def resumed():
    # What has a name keeps it over the next run.
    fuzz(DEMO, COMMENT)
    before = Output('out').bucket().info
    r = run(DEMO, '-j', 1, '--fuzztime', '500x', '--minimizetime', 0,
            '--seeds', seeds([COMMENT]), status=1)
    after = r.bucket().info
    equal(after['where'], before['where'], 'where')
    equal(after['frames'], before['frames'], 'the frames')


@case
def no_library():
    # Nothing to read debug information with: said once, and all else goes on.
    write('libdw.so.1', b'no library')
    env = {'LD_LIBRARY_PATH': os.getcwd()}
    target = build(PLAIN, 'plain')
    r = fuzz(target, b'xxxxxx', env=env)
    check(re.fullmatch(r'plain\+0x[0-9a-f]+', r.bucket().info['where']),
          'where: %s', r.bucket().info['where'])
    told = [l for l in r.stdout.splitlines() if 'libdw' in l]
    equal(len(told), 1, 'lines about it (%s)' % told)
    check(told[0].startswith('warning: libdw.so.1 '), 'it says: %s', told[0])
    status, out = repro(target, r.bucket().path, env=env)
    check(status == 1 and 'warning: libdw.so.1 ' in out and
          ' in plain+0x' in out, 'cfuzz repro:\n%s', out)


@case
def not_by_hand():
    status, _, err = tool(CFUZZ, '--symbols-helper')
    equal(status, 2, 'the status')
    check('not for use by hand' in err, 'it says: %s', err)


main()

#!/usr/bin/env python3
"""Coverage is told by place: which counters, of which file, in which function
of it, and what of that an input was the first to come to."""

import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403
import control             # noqa: E402

COMPILERS = [(c, c) for c in ('clang', 'gcc') if shutil.which(c)]
ENTRY = 1 << 63

# What is reached by the seed "a", by other inputs, and by none.
FUNCTIONS = one_input('''
	static volatile int on;

	if (size == 0)
		return 0;
	if (data[0] == 'a')
		by_seed(data[0]);
	else
		by_others(data[0]);
	if (on)
		never(data[0]);''', head='''
#define OWN __attribute__((noinline, used))

static volatile int sink;

static OWN void
never(int c)
{
	sink += c;
}

static OWN void
deeper(int c)
{
	for (int i = 0; i < c % 8; i++)
		sink += i;
}

static OWN void
by_others(int c)
{
	deeper(c);
	if (c == 1000)
		__builtin_trap();
}

static OWN void
by_seed(int c)
{
	if (c & 1)
		sink++;
	else
		sink--;
}
''')
OURS = ('LLVMFuzzerTestOneInput', 'never', 'deeper', 'by_others', 'by_seed')

# A part of the target that is only loaded when an input asks for it.
PLUGIN = '''
static volatile int sink;

void
plugged(int c)
{
	if (c == 'p')
		sink++;
	else
		sink--;
}
'''
LOADER = one_input('''
	static void (*hook)(int);

	if (size > 0 && hook == NULL) {
		void *file = dlopen("%s", RTLD_NOW);

		hook = file != NULL ? (void (*)(int))dlsym(file, "plugged")
				    : NULL;
	}
	if (size > 1 && hook != NULL)
		hook(data[1]);''', head='#include <dlfcn.h>\n')


def whole(c, since=0):
    reply = c.query('coverage', count=1 << 17, since=since)
    check(reply['whole'], 'only changes: %r', reply)
    mask = bytes.fromhex(reply['mask'])
    equal(len(mask), reply['counters'], 'counters in the mask')
    return reply['revision'], mask


def places(c, index, first=0, count=1 << 17):
    """[(address, a function begins there)] of a module's counters."""
    reply = c.query('pcs', module=index, first=first, count=count)
    data = bytes.fromhex(reply['pcs'])
    return [(n & ~ENTRY, bool(n & ENTRY)) for n in
            struct.unpack('<%dQ' % (len(data) // 8), data)]


def says(*words):
    """What a program prints, while a campaign may be under way."""
    return subprocess.run(words, stdin=subprocess.DEVNULL, check=True,
                          stdout=subprocess.PIPE, text=True).stdout


def symbols(file):
    """{name: (address, size)} of the functions in a file."""
    out = says('nm', '-S', '--defined-only', file)
    rows = (line.split() for line in out.splitlines())
    return {r[3]: (int(r[0], 16), int(r[1], 16)) for r in rows
            if len(r) == 4 and r[2] in 'tTwW'}


def functions_of(table, file):
    """{name: [places inside]}, and the names of those that begin at one."""
    inside, begun = {}, set()
    known = symbols(file)
    for at, entry in table:
        for name, (start, size) in known.items():
            if start <= at < start + size:
                inside.setdefault(name, []).append(at)
                if entry:
                    begun.add(name)
    return inside, begun


def start(target, *options):
    r = control.start(target, '-j', 1, '--seeds', seeds([b'a']),
                      '--minimizetime', 0, *options)
    # A question waits for the target's table for some seconds only.
    r.control.until(lambda s: s['execs'] > 0, 'an execution')
    return r


@each(*COMPILERS)
def places_are_functions(compiler):
    # The numbers agree with the file's own symbols, and its lines.
    target = build(FUNCTIONS, compiler=compiler)
    r = start(target)
    c = r.control
    modules = c.query('modules')['modules']
    equal([m['path'] for m in modules], [target], 'modules')
    equal(modules[0]['base'], 0, 'its first counter')
    table = places(c, 0)
    equal(len(table), modules[0]['n'], 'places')
    inside, begun = functions_of(table, target)
    for name in OURS:
        check(name in inside, 'no counter in %s()', name)
        check(name in begun, '%s() does not begin at a counter', name)
    equal(sum(entry for _, entry in table), len(begun), 'functions')
    # A part is the same as that part of the whole.
    equal(places(c, 0, len(table) - 3, 2), table[-3:-1], 'a part')
    equal(places(c, 0, len(table) + 5, 2), [], 'behind the end')
    for at in inside['never']:
        out = says('addr2line', '-f', '-e', target, hex(at))
        check(out.startswith('never\n'), 'addr2line of %#x: %s', at, out)
    told = re.search('Build ID: ([0-9a-f]+)', says('readelf', '-n', target))
    equal(modules[0]['id'], told.group(1) if told else '', 'build-id')
    r.stop(0)


@case
def parts_are_no_functions():
    # What gcc puts apart as seldom executed is not told as a function.
    if not shutil.which('gcc'):
        raise Skip('no gcc')
    r = start(build(one_input('\tif (size > 0)\n\t\twork(data[0]);', head='''
static volatile int sink;

static __attribute__((noinline, used)) void
work(int c)
{
	char room[64];

	for (int i = 0; i < c % 8; i++)
		sink += i;
	if (__builtin_expect(c == 77, 0)) {
		((volatile char *)room)[c % 64] = 1;
		sink++;
		__builtin_trap();
	}
}
'''), flags=['-O2'], compiler='gcc'))
    inside, begun = functions_of(places(r.control, 0), r.target)
    check('work.cold' in inside, 'nothing is put apart: %s', list(inside))
    check('work' in begun and 'work.cold' not in begun, 'functions: %s',
          begun)
    r.stop()


@each(*COMPILERS)
def mask_and_changes(compiler):
    # What changed since is told alone; what was never asked for, whole.
    r = start(build(FUNCTIONS, compiler=compiler))
    c = r.control
    c.wait(lambda: len(c.query('coverage').get('reached', [])) >= 2,
           'the functions to be reached')
    c.command('pause')
    c.until(lambda s: s['state'] == 'paused', 'the pause')
    revision, mask = whole(c)
    hit = sum(b != 0 for b in mask)
    equal(hit, c.next_snapshot()['counters_hit'], 'counters reached')
    equal(sum(bin(b).count('1') for b in mask),
          c.snapshot['coverage_bits'], 'bits')
    reply = c.query('coverage', since=1)
    check(not reply['whole'], 'the whole mask, though all is known')
    again = bytearray(len(mask))
    for change in reply['changes']:
        check(not again[change['counter']] & change['bits'], 'bits twice')
        again[change['counter']] |= change['bits']
    equal(bytes(again), mask, 'the changes of it all')
    equal(reply['revision'], revision, 'revision')
    reply = c.query('coverage', since=revision)
    equal((reply['whole'], reply.get('changes', [])), (False, []), 'news')
    # A revision that never was, a part, nothing.
    whole(c, since=revision + 1)
    reply = c.query('coverage', first=2, count=3)
    equal(bytes.fromhex(reply['mask']), mask[2:5], 'a part')
    reply = c.query('coverage', first=1 << 40, count=3)
    equal(reply['mask'], '', 'behind the end')
    r.stop(0)


@each(*COMPILERS)
def reached_functions(compiler):
    # The journal names them, but for those of the seeds.
    r = start(build(FUNCTIONS, compiler=compiler))
    c = r.control
    got = c.wait(lambda: len(c.query('coverage').get('reached', [])) >= 2 and
                 c.query('coverage')['reached'], 'two functions')
    equal(sorted(f['name'] for f in got), ['by_others', 'deeper'], 'names')
    for f in got:
        equal(f['file'], 'target.c', 'the file of %s()' % f['name'])
        check(f['line'] > 0 and f['entry'], 'incomplete: %r', f)
    r.stop(0)
    seeds_told, *others = r.events('reached')
    equal(seeds_told['text'], '2 functions reached at the start', 'the seeds')
    names = sum((e['functions'] for e in others), [])
    equal(sorted(names), ['by_others', 'deeper'], 'names in the journal')
    check(re.match(r'(by_others|deeper)\(\) (and 1 more )?reached   by ',
                   others[0]['text']), 'text: %s', others[0]['text'])
    finds = {e['input'] for e in r.events('find')}
    for e in others:
        check(e.get('input', '') in finds | {''}, 'by whom? %r', e)


@case
def without_symbols():
    # Then they are told by their addresses.
    target = build(FUNCTIONS)
    status, _, err = tool('objcopy', '--strip-all', target, 'stripped')
    check(status == 0, 'objcopy: %s', err)
    r = start(os.path.abspath('stripped'))
    c = r.control
    c.wait(lambda: c.query('coverage').get('reached'), 'a function')
    r.stop(0)
    names = sum((e.get('functions', []) for e in r.events('reached')), [])
    for name in names:
        check(re.fullmatch(r'stripped\+0x[0-9a-f]+', name), 'name: %s', name)
    check(names, 'nothing is reached')


@case
def the_same_each_time():
    # Names come when they come: such a run's journal has addresses.
    target = build(FUNCTIONS)
    runs = [run(target, '-j', 1, '--deterministic', '--seed', 5,
                '--fuzztime', '20000x', '--seeds', seeds([b'a']),
                out='out%d' % i, status=0) for i in range(2)]
    one, two = ([(e['text'], e.get('functions')) for e in
                 r.events('reached')] for r in runs)
    equal(one, two, 'functions in the journals')
    check(len(one) > 1 and one[1][1][0].startswith('target+0x'),
          'not told: %r', one)


# Half way through the first campaign, it waits for a file.
HALF_WAY = FUNCTIONS.replace('\tif (size', '\thalf_way();\n\tif (size').replace(
    '#define OWN', '''
PROBE void
half_way(void)
{
	if (probe_count() == 200000)
		while (access(getenv("GATE"), F_OK) != 0)
			usleep(1000);
}

#define OWN''')


@case
def asking_changes_nothing():
    # A campaign that is asked finds what one finds that is not.
    target = build(HALF_WAY)
    options = ('-j', 1, '--deterministic', '--seed', 5, '--fuzztime',
               '400000x', '--timeout', '200s', '--seeds', seeds([b'a']))
    r = control.start(target, *options, out='asked',
                      env={'GATE': os.path.abspath('gate')})
    r.control.until(lambda s: s['execs'] > 0, 'an execution')
    for kind in ('modules', 'pcs', 'coverage'):
        r.control.query(kind, count=100)
    write('gate', '')
    r.control.wait(lambda: r.control.bye, 'the end')
    r.control.close()
    r.end(0)
    plain = run(target, *options, out='plain', status=0)
    equal(r.corpus(), plain.corpus(), 'the corpus')
    equal(r.stats['coverage_bits'], plain.stats['coverage_bits'], 'bits')


@each(*COMPILERS)
def loaded_later(compiler):
    # The places of a module that only the child has loaded.
    write('plugin.c', PLUGIN)
    status, out, err = tool(
        os.path.join(BUILD, 'cfuzz-cc'), '-g', '-shared', '-fPIC', '-o',
        'plugin.so', 'plugin.c', env={'CFUZZ_CC': compiler})
    check(status == 0, 'the plugin does not build: %s%s', out, err)
    plugin = os.path.abspath('plugin.so')
    r = start(build(LOADER % plugin, compiler=compiler))
    c = r.control
    modules = c.wait(lambda: len(c.query('modules')['modules']) == 2 and
                     c.query('modules')['modules'], 'the other module')
    equal(modules[1]['path'], plugin, 'its path')
    check(modules[1]['base'] >= modules[0]['n'], 'its base: %r', modules)
    _, begun = functions_of(places(c, 1), plugin)
    check('plugged' in begun, 'plugged() has no counter: %s', begun)
    names = c.wait(lambda: [f['name'] for f in
                            c.query('coverage').get('reached', [])],
                   'the function')
    check('plugged' in names, 'reached: %s', names)
    r.stop(0)


# Only the first input with an x loads the plugin, while those with an s wait.
LATE = one_input('''
	const char *gate = getenv("GATE");
	void *file;
	void (*hook)(int) = NULL;

	if (gate == NULL || size < 2)
		return 0;
	while (data[0] == 's' && access(gate, F_OK) != 0)
		usleep(1000);
	if (data[0] == 'x' && access(gate, F_OK) != 0) {
		file = dlopen("%s", RTLD_NOW);
		*(void **)&hook = file != NULL ? dlsym(file, "plugged") : NULL;
		if (hook != NULL)
			hook(data[1]);
		close(open(gate, O_CREAT | O_WRONLY, 0600));
	}''', head='#include <dlfcn.h>\n')


# The first input loads the plugin and is rejected; the next one ends its process.
REJECTED = one_input('''
	const char *gate = getenv("GATE");
	static void *file;

	if (gate == NULL)
		return 0;
	if (file != NULL)
		abort();
	if (access(gate, F_OK) != 0) {
		file = dlopen("%s", RTLD_NOW);
		close(open(gate, O_CREAT | O_WRONLY, 0600));
		return -1;
	}''', head='#include <dlfcn.h>\n')


@each(('found', LATE, 4), ('rejected', REJECTED, 1))
def report_of_a_module_loaded_later(source, workers):
    # The one worker that has loaded it is asked for its places.
    write('plugin.c', PLUGIN)
    status, out, err = tool(
        os.path.join(BUILD, 'cfuzz-cc'), '-g', '-shared', '-fPIC', '-o',
        'plugin.so', 'plugin.c')
    check(status == 0, 'the plugin does not build: %s%s', out, err)
    target = build(source % os.path.abspath('plugin.so'), flags=['-g'])
    run(target, '-j', 1, '--fuzztime', '1x', status=0)
    for name in ('s0', 's1', 's2', 'xp'):
        write('out/corpus/' + name, name.encode())
    status, out, err = tool(CFUZZ, 'report', '-j', workers, '--timeout', '60s',
                            '--lcov', '-', 'out',
                            env={'GATE': os.path.abspath('gate')})
    check(os.path.exists('gate'), 'it was not loaded: %s', err)
    check('/plugin.c\n' in out, 'no plugin.c: %s%s', out, err)
    equal(status, 0, 'status: %s' % err)


@case
def no_fork():
    # A target with threads tells the same.
    r = start(build(one_input('\treturn other(size);', head='''
#include <pthread.h>

static __attribute__((noinline)) int
other(int n)
{
	static volatile int sink;

	sink = n;
	return 0;
}

static void *
idle(void *arg)
{
	for (;;)
		pause();
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	pthread_t thread;

	return pthread_create(&thread, NULL, idle, NULL);
}
'''), flags=['-pthread']))
    check(r.control.query('modules')['modules'], 'no modules')
    check(any(entry for _, entry in places(r.control, 0)), 'no function')
    r.stop(0)


@case
def nothing_to_tell():
    # A target without instrumentation, and modules that are none.
    r = start(build(one_input(''), env={'CFUZZ_NO_INSTRUMENT': '1'}))
    c = r.control
    equal(c.query('modules').get('modules', []), [], 'modules')
    for module in (0, 1, 63, 64, 4294967295):
        try:
            c.query('pcs', module=module, count=10)
        except control.Refused as e:
            equal(str(e), 'there is no such module', 'the answer')
        else:
            fail('module %d is answered', module)
    reply = c.query('coverage', count=10)
    equal((reply['counters'], reply['mask']), (0, ''), 'the mask')
    r.stop(0)
    equal(r.events('reached'), [], 'functions')


main()

#!/usr/bin/env python3
"""Failures that take more than one input, and hangs that are none."""

# BEGUN FIRST
import os
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
import control             # noqa: E402
from cfuzztest import *    # noqa: E402,F401,F403

PAIR = one_input('''
	static int armed;

	probe_count();
	if (size > 1 && data[0] == 'B' && data[1] == 'b' && armed)
		abort();
	armed |= size > 1 && data[0] == 'A' && data[1] == 'a';''')

# It cannot be forked: each fresh process is a start.
THREAD = '''
#include <pthread.h>

static void *
rest(void *arg)
{
	probe_wait_for_ever();
	return arg;
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	pthread_t thread;

	return pthread_create(&thread, NULL, rest, NULL);
}
'''


def check_row(r, n, times=5, folder='crashes', options=()):
    """The finding takes n inputs in a row, and everybody says so."""
    bucket = r.bucket(folder)
    info = bucket.info
    equal(info['state'], 'confirmed', 'the state of the finding')
    equal(info.get('sequence'), n, 'inputs in a row')
    equal((info['reproduced'], info['replays']), (times, times), 'replays')
    equal(info.get('tried'), '0 of %d alone' % times, 'what was tried')
    files = sorted(os.listdir(os.path.join(bucket.path, 'sequence')))
    equal(files, ['%06d' % (i + 1) for i in range(n)], 'the files')
    check(not bucket.has('minimized'), 'it was minimized')
    check(r.said('needs %d inputs in a row' % n), 'that is not told:%s',
          r.describe())
    check(r.said('%d inputs   reproduced %d of %d' % (n, times, times)),
          'how often is not told:%s', r.describe())
    verified = [e for e in r.events('verified') if e['sequence'] > 1]
    equal([e['sequence'] for e in verified], [n], 'in the journal')
    # The console of another day has it from stats.json.
    equal([f['sequence'] for f in r.stats['findings']], [n], 'in stats.json')
    # It can be run again by its folder, by its files, and by hand.
    row = [os.path.join(bucket.path, 'sequence', f) for f in files]
    status, out = repro(r.target, bucket.path, options=options)
    equal(status, 1, 'status of cfuzz repro with the folder: %s' % out)
    check('%d inputs in a row' % n in out and 'at input %d' % n in out,
          'cfuzz repro does not tell: %s', out)
    equal(repro(r.target, *row, options=['--sequence', *options])[0], 1,
          'status of cfuzz repro --sequence')
    equal(repro(r.target, *row)[0], 0, 'status with a process for each')
    equal(repro(r.target, os.path.join(bucket.path, 'input'))[0], 0,
          'status with the input alone')
    if folder == 'crashes':
        status, out, err = tool(r.target,
                                os.path.join(bucket.path, 'sequence'))
        check(status not in (0, 1, 2), 'status by hand: %d\n%s', status, out)
    check(info['command'].endswith(bucket.folder) and
          'cfuzz repro' in info['command'], 'the command: %s', info['command'])
    return [read(f) for f in row]


@case
def two_seeds():
    target = build(PAIR)
    r = run(target, '-j', 1, '--fuzztime', '100x', '--seeds',
            seeds([b'xyz', b'Aa', b'more', b'Bb', b'and more']), status=1)
    equal(check_row(r, 2), [b'Aa', b'Bb'], 'the inputs')
    status, out, err = tool(os.path.join(BUILD, 'cfuzz'), 'check', r.out,
                            r.target)
    equal(status, 1, 'status of cfuzz check: %s%s' % (out, err))
    # They can be looked at.
    found = r.bucket().info['id']
    status, out, err = tool(CFUZZ, 'show', '--json', r.out, found)
    equal([(i['len'], bytes.fromhex(i['data'])) for i in
           json.loads(out)['inputs']], [(2, b'Aa'), (2, b'Bb')], 'inputs')
    status, out, err = tool(CFUZZ, 'show', r.out, found)
    check('input 2 of 2, sequence/000002, 2 bytes:\n' in out and
          '|Bb|' in out, 'cfuzz show: %s', out)
    # The next run knows it, meets it again, and replays it when asked to.
    r = control.start(build(PAIR), '-j', 1, '--seeds', os.path.abspath('seeds'))
    c = r.control
    c.until(lambda s: s['findings'][0]['count'] > 1, 'the finding')
    c.command('replay %s 3' % r.bucket().info['id'])
    c.until(lambda s: s['findings'][0]['replays'] == 3, 'replays')
    said = bytes.fromhex(c.query('entry', name=found + '/seq',
                                 count=4096)['bytes']).decode()
    check('input 1 of 2, 2 bytes\n41 61 ' in said and
          'input 2 of 2, 2 bytes\n42 62 ' in said and said.count('Bb') == 1,
          'what the console shows: %s', said)
    c.command('export %s sent' % r.bucket().info['id'])
    r.stop(1)
    # It can be sent away, and fails with and without cfuzz.
    for path in (BUILD + ':', ''):
        status, out, err = tool('sent/reproduce.sh',
                                env={'PATH': path + '/bin:/usr/bin'})
        check(status == 1 if path else status not in (0, 1, 2, 126, 127),
              'status of reproduce.sh: %d %s %s', status, out, err)
    # Its program runs all of them.
    status, _, err = tool('cc', '-I' + os.path.join(SRC, 'include'),
                          '-I' + os.path.join(SRC, 'tests/e2e/lib'),
                          '-o', 'prog', 'sent/input.c', target + '.c')
    equal(status, 0, 'compiling: %s' % err)
    status, _, _ = tool('./prog')
    equal(status, -6, 'status of the program')
    check('input.c       the sequence' in read('sent/about.txt').decode(),
          'about.txt: %s', read('sent/about.txt'))
    info = r.bucket().info
    equal((info['sequence'], info['reproduced'], info['replays']), (2, 3, 3),
          'as the next run left it')


@case
def two_with_a_thread():
    # No replay profits from the inputs before it: not the search for the
    # inputs that it takes, and not the tools, see check_row().
    r = run(build(PAIR + THREAD), '-j', 1, '--fuzztime', '100x', '--seeds',
            seeds([b'xyz', b'Aa', b'more', b'Bb', b'and more']), status=1)
    equal(check_row(r, 2), [b'Aa', b'Bb'], 'the inputs')
    worker = r.stats['workers'][0]
    check(worker['no_fork'], 'it was forked')
    # The campaign's end is no restart.
    check(worker['restarts'] and not worker['restart_asked'],
          'restarts: %s', worker)
    equal(tool(CFUZZ, 'check', r.out, r.target)[0], 1, 'cfuzz check')
    equal(repro(r.target, *[os.path.join('seeds', f)
                            for f in sorted(os.listdir('seeds'))])[0], 0,
          'each seed by itself')


@case
def two_of_many():
    # Both come about while it fuzzes, far apart, in chains of mutations.
    target = build(one_input('''
	static int armed;

	probe_count();
	if (armed && size > 2 && data[2] == 'y')
		abort();
	armed |= size > 2 && data[1] == 'x' && data[2] != 'y';'''))
    r = run(target, '-j', 1, '--fuzztime', '200000x', '--stop-on-crash',
            '--deterministic', '--seeds', seeds([b'....']), status=1)
    one, other = check_row(r, 2)
    check(one[1:2] == b'x' and other[2:3] == b'y', 'inputs: %r, %r', one,
          other)


@case
def a_hundred_of_any():
    # Whatever they are, it takes a hundred of them; confirming counts, too.
    target = build(one_input('''
	static int calls;
	static volatile int sink;

	probe_count();
	if (size > 3 && data[1] > data[2])
		sink++;
	if (++calls == 100)
		abort();'''))
    r = run(target, '-j', 1, '--fuzztime', '300x', '--verify', 3, '--seeds',
            seeds([b'four', b'fives']), status=1)
    check_row(r, 100, 3)


@case
def longer_than_any_input():
    # All that ran before is longer than an input may be; it goes on all the
    # same, and needs no other worker for that.
    target = build(one_input('''
	static int calls;

	probe_count();
	if (++calls == 100)
		abort();'''))
    r = run(target, '-j', 1, '--fuzztime', '400x', '--verify', 2, '--max-len',
            64, '--seeds', seeds([b'x' * 40]), status=1)
    check_row(r, 100, 2)
    equal(r.stats['workers'][0]['restarts'], 0, 'starts of the worker')


@case
def no_room_for_any_before():
    # Inputs of more than 16 MiB: no input before it is kept, and no worker
    # is asked for memory that there never will be.
    target = build(one_input('''
	static int calls;

	probe_count();
	if (size > 16 << 20 && ++calls == 7)
		abort();'''))
    r = run(target, '-j', 1, '--fuzztime', '60x', '--verify', 2, '--max-len',
            17 << 20, '--minimizetime', 0, '--seeds',
            seeds([b'x' * ((16 << 20) + n) for n in (100, 200)]), status=1)
    info = r.bucket().info
    equal((info['state'], info['reproduced'], info['replays']),
          ('flaky', 0, 2), 'the finding')
    check('sequence' not in info, 'there is a sequence')
    equal(r.stats['workers'][0]['restarts'], 0, 'starts of the worker')


@case
def state_that_fills_up():
    # It takes as many bytes, so few large inputs or many small ones.
    target = build(one_input('''
	static char room[2000];
	static size_t used;

	probe_count();
	for (size_t i = 0; i < size; i++) {
		if (used == sizeof(room))
			abort();
		room[used++] = data[i];
	}'''))
    r = run(target, '-j', 1, '--fuzztime', '3000x', '--verify', 2, '--seeds',
            seeds([b'a' * 20, b'b' * 30]), status=1)
    n = r.bucket().info.get('sequence', 0)
    row = check_row(r, n, 2)
    check(sum(map(len, row)) > 2000, 'bytes: %d', sum(map(len, row)))
    check(sum(map(len, row[:-1])) <= 2000, 'there is one too many')


@each(('mutator', 'plain'), ('fail', 'fail'))
def with_helpers(kind):
    # A mutator of the target's own; a failure that ends no process.
    how = 'cfuzz_fail("no")' if kind == 'fail' else 'abort()'
    mutator = '' if kind == 'fail' else '''
size_t LLVMFuzzerMutate(uint8_t *, size_t, size_t);
size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	size = LLVMFuzzerMutate(data, size, max);
	if (size > 0)
		data[0] = "AB.."[seed % 4];
	return size;
}'''
    target = build(one_input('''
	static int armed;

	probe_count();
	if (armed && size > 0 && data[0] == 'B')
		%s;
	armed |= size > 0 && data[0] == 'A';''' % how, mutator))
    r = run(target, '-j', 1, '--fuzztime', '200000x', '--stop-on-crash',
            '--deterministic', '--verify', 2, '--seeds', seeds([b'....']),
            status=1)
    bucket = r.bucket()
    equal(bucket.info['state'], 'confirmed', 'the state of the finding')
    equal(bucket.info['sequence'], 2, 'inputs in a row')
    equal(read(os.path.join(bucket.path, 'sequence', '000001'))[:1], b'A',
          'the first of them')


@case
def a_long_input_in_a_row():
    # Only the last input is short.
    r = run(build(one_input('''
	static int armed;

	if (size > 1 && size < 99 && data[0] == 'B' && data[1] == 'b' && armed)
		abort();
	if (size > 1200000 && data[0] == 'A') {
		probe_count();
		armed = 1;
	}''')), '-j', 1, '--fuzztime',
            '10x', '--verify', 1, '--minimizetime', 0, '--max-len', 2000000,
            '--seeds', seeds([b'A' * 1300000, b'Bb']), status=1)
    equal(r.bucket().info['sequence'], 2, 'inputs in a row')
    status, out, err = tool(CFUZZ, 'check', 'out')
    equal(status, 1, 'cfuzz check: %s%s' % (out, err))


@case
def never_again():
    # By a count that outlives processes: neither alone nor in a row.
    target = build(one_input('''
	if (probe_count() == 500) {
		probe_save("last", data, size);
		abort();
	}'''))
    r = run(target, '-j', 1, '--fuzztime', '1000x', '--verify', 3, status=1)
    bucket = r.bucket()
    equal(bucket.input, r.saved('last'), 'the input')
    equal(bucket.info['state'], 'flaky', 'the state of the finding')
    equal((bucket.info['reproduced'], bucket.info['replays']), (0, 3),
          'replays')
    tried = bucket.info['tried'].split()
    equal(tried[:-1], '0 of 3 alone, 0 of 2 as a sequence of'.split(), 'tried')
    equal(int(tried[-1]), 500, 'inputs in a row')
    check(not bucket.has('sequence'), 'there is a sequence')
    # The next run knows what was tried.
    r = run(target, '-j', 1, '--fuzztime', '10x', status=0)
    equal(r.bucket().info['tried'].split(), tried, 'tried, as resumed')


@case
def not_verified():
    # Without replays there are no sequences either.
    r = run(build(PAIR), '-j', 1, '--fuzztime', '100x', '--verify', 0,
            '--minimizetime', 0, '--seeds', seeds([b'Aa', b'Bb']), status=1)
    equal(r.bucket().info['state'], 'new', 'the state of the finding')
    check('sequence' not in r.bucket().info, 'there is a sequence')
    equal(r.stats['replays'], 0, 'replays')


# ---- hangs that take more than one input ----------------------------------

# An error path leaves a lock: a later input waits for it for ever.
LOCKED = one_input('''
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

	probe_count();
	if (size == 2 && memcmp(data, "Aa", 2) == 0)
		pthread_mutex_trylock(&lock);
	if (size == 2 && memcmp(data, "Bb", 2) == 0) {
		if (pthread_mutex_trylock(&lock) != 0) {
			probe_add(probe_number("waits"));
			pthread_mutex_lock(&lock);
		}
		pthread_mutex_unlock(&lock);
	}''')


def slow(r, data):
    """How often this input was slow and no hang; on a busy machine, others may
    be as well."""
    return [e['input'] for e in r.events('slow')].count(sha(data)[:16])


@each(('usual', ()), ('deterministic', ('--deterministic', '--seed', 7)))
def a_lock_that_is_left(options):
    limit = ['--timeout', '2000']
    r = run(build(LOCKED), '-j', 1, '--fuzztime', '30x', *limit, *options,
            '--seeds', seeds([b'xyz', b'Aa', b'more', b'Bb', b'and more']),
            status=1)
    row = check_row(r, 2, 1, 'hangs', limit)
    equal(row, [b'Aa', b'Bb'], 'the inputs')
    check(b'Bb' not in r.suspects(), 'it is a suspect as well')
    equal((len(r.events('hang')), slow(r, b'Bb')), (1, 0), 'in the journal')
    status, out, err = tool(CFUZZ, 'check', r.out, r.target)
    equal(status, 1, 'status of cfuzz check: %s%s' % (out, err))
    # The next run replays it when asked to.
    found = r.bucket('hangs').info['id']
    r = control.start(build(LOCKED), '-j', 1, *limit)
    c = r.control
    c.command('replay %s 2' % found)
    c.until(lambda s: s['findings'][0]['replays'] == 2, 'replays')
    said = bytes.fromhex(c.query('entry', name=found + '/seq',
                                 count=4096)['bytes']).decode()
    check('input 1 of 2, 2 bytes\n41 61 ' in said and
          'input 2 of 2, 2 bytes\n42 62 ' in said,
          'what the console shows: %s', said)
    r.stop()
    info = r.bucket('hangs').info
    equal((info['sequence'], info['reproduced'], info['replays']), (2, 2, 2),
          'as the next run left it')


@case
def stopped_before_it_hangs_again():
    # Nobody knows yet: it is kept, and no finding.
    r = start(build(LOCKED), '-j', 1, '--fuzztime', '30x', '--timeout', 5000,
              '--seeds', seeds([b'xyz', b'Aa', b'more', b'Bb']))
    wait_for(lambda: r.number('waits') >= 2, 'the try with what ran before')
    r.process.send_signal(signal.SIGINT)
    r.end()
    r.no_findings()
    equal(r.suspects(), [b'Bb'], 'what is kept')
    check(r.said('1 suspect to run again'), 'it is not told:%s', r.describe())


@case
def a_stall_is_no_hang():
    # It comes once, whatever ran before.
    r = run(build(one_input('''
	probe_count();
	if (size == 5 && memcmp(data, "stall", 5) == 0 &&
		probe_add(probe_number("stalls")) == 1)
		probe_wait_for_ever();''')), '-j', 1, '--fuzztime', '30x',
            '--timeout', 2500, '--seeds', seeds([b'first', b'stall', b'more']),
            status=0)
    r.no_findings()
    check(r.number('stalls') >= 3, 'it ran %d times', r.number('stalls'))
    check(r.stats['replays'] >= 3, 'replays: %d', r.stats['replays'])
    check(r.said('an input that was slow once: '), 'it is not told:%s',
          r.describe())
    check(slow(r, b'stall'), 'the input is not told')
    check(b'stall' in r.suspects(), 'it is not kept')


# ---- hangs ----------------------------------------------------------------

SLEEPS = one_input('''
	probe_count();
	if (size == 4 && memcmp(data, "slow", 4) == 0)
		usleep(strtoul(getenv("SLEEP_MS"), NULL, 10) * 1000);''')


@case
def slow_is_no_hang():
    # A busy machine does not make this one a hang.
    r = run(build(SLEEPS), '-j', 1, '--fuzztime', '20x', '--timeout', 2500,
            '--seeds', seeds([b'slow']), env={'SLEEP_MS': '4000'}, status=0)
    r.no_findings()
    check(r.said('slow input: '), 'it is not told:%s', r.describe())
    check(r.said('limit 2.5 s'), 'the limit is not told:%s', r.describe())
    # It is in the corpus, and may be run again as it is.
    took = [e['took_s'] for e in r.events('slow')
            if e['input'] == sha(b'slow')[:16]]
    # The time for which the call was held up is not counted.
    check(took and took[0] > 2.5, 'it took %s', took)
    check(b'slow' in r.suspects(), 'it is not kept')
    equal((r.stats['hangs'], r.stats['suspects']), (0, len(r.suspects())),
          'the counts')


@case
def many_are_slow():
    # Not each of them gets a second look, which has five times the limit: a
    # slow one that is late as well takes less.
    target = build(one_input('''
	if (probe_count() > 1)
		usleep(1800000);'''))
    r = run(target, '-j', 1, '--fuzztime', '10x', '--timeout', 1500,
            '--deterministic', '--seeds', seeds([b'seed']), status=0)
    r.no_findings()
    looks = len(r.events('suspect'))
    check(1 <= looks <= 4, 'second looks: %d', looks)
    equal(len(r.events('slow')), looks, 'slow inputs')
    check(r.suspects(), 'nothing is kept')


@case
def hang_is_a_hang():
    r = run(build(SLEEPS), '-j', 1, '--fuzztime', '20x', '--timeout', 2500,
            '--seeds', seeds([b'slow']), env={'SLEEP_MS': '1000000'}, status=1)
    bucket = r.bucket('hangs')
    equal(bucket.input, b'slow', 'the input')
    equal((bucket.info['state'], bucket.info['reproduced'],
           bucket.info['replays']), ('confirmed', 1, 1), 'the finding')
    check(r.said('exceeded 2500 ms'), 'the limit is not told:%s', r.describe())
    check(b'slow' not in r.suspects(), 'it is a suspect as well')
    equal(len(r.events('hang')), 1, 'times that the journal tells of it')
    equal(len(r.events('lineage')), 1, 'lineages')


@case
def others_go_on():
    # While one worker looks again at a hang, the other fuzzes.
    target = build(one_input('''
	probe_count();
	if (size == 4 && memcmp(data, "hang", 4) == 0 &&
		probe_add(probe_number("hanging")) <= 2)
		probe_wait_for_ever();'''))
    r = start(target, '-j', 2, '--timeout', 5000, '--seeds',
              seeds([b'hang', b'other']))
    wait_for(lambda: r.number('hanging') >= 2, 'the second look')
    calls = r.calls
    wait_for(lambda: r.calls > calls + 1000, 'the other worker')
    r.process.send_signal(signal.SIGINT)
    r.end()
    # On a busy machine, others may be late as well.
    looks = [e['input'] for e in r.events('suspect')]
    equal(looks.count(sha(b'hang')[:16]), 1, 'second looks')
    # Nobody knows yet: it is kept, and no finding.
    r.no_findings()
    check(b'hang' in r.suspects(), 'it is not kept')


@case
def out_of_memory():
    target = build(one_input('''
	probe_count();
	if (size == 3 && memcmp(data, "big", 3) == 0) {
		static char *volatile room;

		room = malloc(200 << 20);
		memset(room, 1, 200 << 20);
		probe_wait_for_ever();
	}'''))
    r = run(target, '-j', 1, '--fuzztime', '20x', '--rss-limit', 100,
            '--timeout', 20000, '--seeds', seeds([b'big']), status=1)
    bucket = r.bucket('ooms')
    equal(bucket.input, b'big', 'the input')
    equal((bucket.info['kind'], bucket.info['state'],
           bucket.info['reproduced'], bucket.info['replays']),
          ('oom', 'confirmed', 1, 1), 'the finding')


main()

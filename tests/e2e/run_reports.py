#!/usr/bin/env python3
"""What a campaign says: lines, JSON events, numbers, exit statuses, repro."""

# BEGUN FIRST
import os
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403

CRASH = one_input('''
	probe_count();
	if (size > 2 && data[1] == '!')
		abort();
	if (size > 2 && data[1] == '?')
		cfuzz_fail("what is %02x?", data[0]);
	if (size > 2 && data[1] == '.')
		probe_wait_for_ever();''')
# Where no hang is wanted, none needs a limit that others exceed beside load.
QUICK = CRASH.replace('probe_wait_for_ever()', 'probe_count()')


def fnv(data):
    total = 0xcbf29ce484222325
    for byte in data:
        total = (total ^ byte) * 0x100000001b3 % (1 << 64)
    return total


# No search leads to its sum, and no few mutations of another seed to itself.
FAILS = b'k7%Qw_2&zR'


@each(('nothing', b'aaaa', 0), ('found', FAILS, 1))
def exit_status(seed, want):
    # The last line says it in words.
    target = build(one_input('''
	uint64_t sum = 0xcbf29ce484222325;

	for (size_t i = 0; i < size; i++)
		sum = (sum ^ data[i]) * 0x100000001b3;
	if (sum / 3 == %dull)
		abort();''' % (fnv(FAILS) // 3)))
    r = run(target, '-j', 1, '--fuzztime', '5000x', '--verify', 1,
            '--minimizetime', 0, '--seeds', seeds([seed]), status=want)
    check(r.stdout.rstrip().splitlines()[-1].endswith(
        'PASS: ended, nothing was found (exit status 0)' if want == 0 else
        'FAIL: 1 distinct finding (exit status 1)'), 'the last line:%s',
        r.describe())


@case
def lines():
    # Those of the reference engine, word by word.
    target = build(one_input('\tprobe_count();\n\tusleep(1000);'))
    r = start(target, '-j', 2, '--seeds', seeds([b'a', b'b']))
    r.end_at('execs: ', 0)
    out = [l for l in r.stdout.splitlines()
           if not l.startswith(('warning: the target runs as root',
                                'warning: lower --rss-limit',
                                'hint: '))]
    check(re.fullmatch(r'fuzz: elapsed: \d+s, gathering baseline coverage: '
                       r'[012]/\d completed', out[0]), 'line 1: %s', out[0])
    check([l for l in out if re.fullmatch(
        r'fuzz: elapsed: \d+s, gathering baseline coverage: 2/2 completed, '
        'now fuzzing with 2 workers', l)], 'no such line:%s', r.describe())
    statistics = [l for l in out if re.fullmatch(
        r'fuzz: elapsed: \d+s, execs: \d+ \(\d+/sec\), new interesting: \d+ '
        r'\(total: \d+\)', l)]
    check(len(statistics) >= 2, 'lines of numbers:%s', r.describe())
    equal(r.stderr, '', 'standard error')


@case
def lines_of_an_empty_corpus():
    r = run(build(one_input('')), '-j', 1, '--fuzztime', '100x', status=0)
    check(r.said('warning: starting with empty corpus'), 'no warning:%s',
          r.describe())
    equal([e['text'] for e in r.events('seeds')],
          ['starting with empty corpus'], 'events, for a console')


@case
def block_of_a_finding():
    # What, where, its words, its path, how to run it again; told twice: as
    # found, and minimized. The command works as it stands.
    target = build(QUICK)
    r = start(target, '-j', 1, '--verify', 2, '--seeds', seeds([b'a?aaaa']),
              out='out2')
    r.end_at('minimized: crash: error', 1)
    bucket = [b for b in r.buckets() if b.info['kind'] == 'error'][0]
    check(r.said('crash: error in '), 'what:%s', r.describe())
    check(r.said('    what is 61?'), 'its words:%s', r.describe())
    check(r.said('out2/%s/input   6 bytes' % bucket.folder), 'its path:%s',
          r.describe())
    check(r.said('reproduced 2 of 2'), 'the replays:%s', r.describe())
    check(r.said('minimized: crash: error'), 'not told again:%s', r.describe())
    commands = [line.split('to re-run: ')[1] for line in
                r.stdout.splitlines() if 'to re-run: ' in line]
    check(len(commands) >= 2, 'only %d commands', len(commands))
    for command in commands:
        words = command.split()
        equal(words[:2], ['cfuzz', 'repro'], 'the command')
        check(os.path.exists(words[-1]), '%s does not exist', words[-1])
        status, out, err = tool(CFUZZ, *words[1:])
        equal(status, 1, 'status of %s' % command)
    # Whoever tells of it from now on names the smaller one.
    small = bucket.folder + '/minimized'
    check(bucket.info['command'].endswith(small), 'crash.json: %s', bucket.info)
    again = start(target, '-j', 1, '--seeds', seeds([b'a?aaaa']), out='out2')
    again.wait_for(lambda: bucket.folder in again.stdout and
                   again.stdout.endswith('\n'), 'what it finds again')
    again.signal(signal.SIGINT)
    again.end(1)
    lines = [line for line in again.stdout.splitlines() if bucket.folder in line]
    check(lines and all(small in line for line in lines), 'seen again:%s',
          again.describe())


@case
def json_events():
    # One object a line, the last one with the whole state.
    r = run(build(QUICK), '-j', 2, '--fuzztime', '2000x', '--json',
            '--verify', 2, '--minimizetime', '200x', '--seeds',
            seeds([b'a?aaaa', b'b!bbbb']), status=1)
    events = [json.loads(line) for line in r.stdout.splitlines()]
    check(all('event' in e for e in events), 'a line without "event"')
    kinds = [e['event'] for e in events]
    for kind in ('warm', 'crash', 'verified', 'minimized', 'end', 'ended'):
        check(kind in kinds, 'no event "%s": %s', kind, kinds)
    equal(kinds[-1], 'ended', 'the last one')
    equal(events[-1]['exit'], 1, 'its exit status')
    equal(events[-1]['stats']['execs'], 2000, 'its executions')
    equal(r.stderr, '', 'standard error')
    # The journal has the same ones.
    written = [e['event'] for e in r.journal][1:]
    equal(kinds[:-1], written, 'the journal\'s events')


@case
def journal_of_a_campaign():
    # Finds with parents that are known, findings with folders that exist.
    r = run(build(CRASH), '-j', 2, '--fuzztime', '20000x', '--verify', 2,
            '--timeout', '200', '--seeds', seeds([b'start']), '--seed', 11)
    journal = r.journal
    equal(journal[0]['target'], os.path.realpath(r.target), 'the target')
    equal(int(journal[0]['seed']), 11, 'the seed')
    known = {sha(b'start')[:16]}
    for event in journal:
        if event['event'] == 'find':
            check(event['parent'] in known, 'an unknown parent: %s', event)
            check(event['bits'] > 0, 'a find of nothing: %s', event)
            known.add(event['input'])
        if event['event'] == 'minimized' and 'input' in event:
            check(event['was'] in known, 'an unknown input: %s', event)
            check(event['len'] <= event['was_len'], 'it grew: %s', event)
            known.add(event['input'])
        if event['event'] in ('crash', 'hang'):
            check(os.path.isdir(r.path(event['folder'])), 'no folder: %s',
                  event)
    check(set(r.corpus()) <= known, 'inputs that the journal does not know')
    equal(len(r.events('crash')), len(r.buckets('crashes')), 'crashes told')
    end = journal[-1]
    equal(end['exit'], r.status, 'the exit status')
    equal(end['execs'], r.stats['execs'], 'the executions')
    equal(end['bits'], r.stats['coverage_bits'], 'the coverage')


@case
def numbers():
    # stats.json: what fits together does.
    r = run(build(CRASH), '-j', 3, '--fuzztime', '5000x', '--verify', 2,
            '--timeout', '200', '--minimizetime', '100x', '--seeds',
            seeds([b'start', b'other']), '--rss-limit', '512')
    stats = r.stats
    equal(len(stats['workers']), 3, 'workers')
    equal([w['id'] for w in stats['workers']], [0, 1, 2], 'their numbers')
    equal(stats['execs'], 5000, 'executions')
    check(0 < stats['counters_hit'] <= stats['counters_total'],
          'counters: %d of %d', stats['counters_hit'], stats['counters_total'])
    check(stats['counters_hit'] <= stats['coverage_bits'] <=
          8 * stats['counters_hit'], 'bits: %d', stats['coverage_bits'])
    check(stats['corpus'] >= stats['interesting'], 'corpus %d, interesting %d',
          stats['corpus'], stats['interesting'])
    equal(stats['limits']['rss-limit'], {'value': '512M', 'origin': 'flag',
                                         'live': True}, 'a limit')
    equal(stats['limits']['chain']['origin'], 'default', 'another')
    equal(stats['target'], r.target, 'the target')
    for name in ('elapsed_s', 'execs_per_sec', 'execs_per_sec_avg',
                 'stability', 'fuzz_time_s', 'paused_s'):
        check(stats[name] >= 0, '%s is %r', name, stats[name])
    equal(sum(f['state'] in ('new', 'confirmed', 'flaky')
              for f in stats['findings']), len(r.buckets()), 'findings')


@case
def numbers_while_it_runs():
    # Replaced as a whole, once a second: each look sees a whole one.
    r = start(build(one_input('\tprobe_count();')), '-j', 2, '--seeds',
              seeds([b'a']))
    r.wait_fuzzing()
    wait_for(lambda: os.path.exists(r.path('stats.json')), 'stats.json')
    seen = set()

    def look():
        stats = r.stats
        if stats['state'] == 'fuzzing':
            seen.add(stats['execs'])
            for worker in stats['workers']:
                check(worker['pid'] in processes(), 'a worker that is none')
        return len(seen) >= 2
    wait_for(look, 'numbers that grow')
    r.signal(signal.SIGINT)
    r.end(0)


@case
def debug_file():
    # Every state, call and result, never on the terminal.
    r = run(build(CRASH), '-j', 1, '--fuzztime', '500x', '--debug=steps',
            '--verify', 0, '--timeout', '200', '--seeds', seeds([b'a']))
    steps = read('steps').decode()
    for word in ('worker 0: down --spawn--> starting', '--assign--> busy',
                 'stopping'):
        check(word in steps, 'no "%s" in the debug file', word)
    check('--assign-->' not in r.stdout + r.stderr, 'on the terminal too')


@each(('fine', b'aaaa', 0, 'ok'), ('crash', b'a!aa', 1, 'SIGABRT'),
      ('fail', b'a?aa', 1, 'what is 61?'), ('hang', b'a.aa', 1, 'hang'),
      ('empty', b'', 0, 'ok'))
def repro_one(data, want, word):
    target = build(CRASH)
    write('input', data)
    limit = 300 if word == 'hang' else 60000
    status, out = repro(target, 'input', options=['--timeout', limit])
    equal(status, want, 'status')
    check(word in out and 'input' in out, 'no "%s": %s', word, out)
    equal(sorted(os.listdir('.')), ['input'], 'what it leaves')


@case
def repro_many():
    # B101: each is told, one that fails decides; one that cannot be read: 3.
    target = build(CRASH)
    for name, data in (('a', b'aaaa'), ('b', b'a!aa'), ('c', b'a?aa'),
                       ('d', b'')):
        write(name, data)
    status, out = repro(target, 'a', 'b', 'c', 'd')
    equal(status, 1, 'status')
    equal([line.split(':')[0] for line in out.splitlines()
           if re.match('[a-d]: ', line)], ['a', 'b', 'c', 'd'], 'files told')
    status, out = repro(target, 'a', 'd')
    equal(status, 0, 'status of those that do not fail')
    status, out = repro(target, 'a', 'nowhere', 'd')
    equal(status, 3, 'status with one that cannot be read')
    check('nowhere' in out, 'it is not named: %s', out)
    equal(len(re.findall('^[ad]: ', out, re.M)), 2, 'the others')


# Fails only if the input begins as the argument does, which the campaign knows.
ARMED = one_input('''
	if (armed != 0 && size > 1 && data[0] == armed)
		abort();''', '''
static char armed;

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	armed = *argc > 1 ? (*argv)[1][0] : 0;
	return 0;
}''')


def armed_finding(out, letter='a'):
    """The folder of a campaign's only finding."""
    r = run(build(ARMED), '-j', 1, '--fuzztime', '1x', '--verify', 1,
            '--minimizetime', 0, '--timeout', '10s', '--seeds',
            seeds([letter.encode() * 2], letter), out=out, args=[letter],
            status=1)
    return r.bucket().path


@each(('another-campaign', lambda: armed_finding('other', 'b'), 'other', 1),
      ('no-campaign', lambda: write('loose', b'aa'), 'loose', 0))
def repro_refuses_two_campaigns(make, name, alone):
    # What fails with the arguments of its own would be "ok" with others.
    found, other = armed_finding('out'), make()
    for files in ([found, other], [other, found],
                  ['gone', found, found, other]):
        status, out, err = tool(CFUZZ, 'repro', build(ARMED), *files)
        equal(status, 2, 'status of %s: %s%s' % (files, out, err))
        equal(out, '', 'what ran')
        check(re.search(r'out and .*%s do|%s and .*out do' % (name, name), err)
              and 'not run with the same arguments: use cfuzz repro once for '
              'each' in err, 'says: %s', err)
    for file, want in ((found, 1), (other, alone)):
        equal(repro(build(ARMED), file)[0], want, 'status of %s' % file)


@case
def repro_refuses_two_limits():
    # One of the user's is for all of them.
    for out, limit in (('out', '10s'), ('other', '20s')):
        run(build(CRASH), '-j', 1, '--fuzztime', '1x', '--verify', 1,
            '--minimizetime', 0, '--timeout', limit, '--seeds',
            seeds([b'a!aa']), out=out, status=1)
    files = [Output(o).bucket().path for o in ('out', 'other')]
    status, out, err = tool(CFUZZ, 'repro', build(CRASH), *files)
    equal(status, 2, 'status: %s%s' % (out, err))
    check('the same --timeout' in err, 'says: %s', err)
    status, out = repro(build(CRASH), *files)
    equal((status, out.count('fails: SIGABRT')), (1, 2), 'with one: %s' % out)


@case
def repro_takes_campaigns_that_do_not_differ():
    # Missing files are of no campaign: where they stand is all the same.
    files = [armed_finding(out) for out in ('out', 'other')]
    status, out = repro(build(ARMED), 'gone', files[0], 'gone', files[1])
    equal((status, out.count('fails: SIGABRT')), (3, 2), 'of both: %s' % out)
    check("with the campaign's arguments: a" in out, 'says: %s', out)


@each(('campaign', ['--fuzztime', '3s'], '--fuzztime is not an option'),
      ('letter', ['-j', '4'], '--parallel is not an option'),
      ('json', ['--json'], '--json is not an option'),
      ('mistyped', ['--timout', '9'], 'did you mean --timeout?'),
      ('mistyped-flag', ['--sequnce'], 'did you mean --sequence?'),
      ('unknown', ['--what'], 'unknown option --what'))
def repro_refuses(words, said):
    # Wherever it stands; behind "--" it is a file.
    write('input', b'a!aa')
    target = build(CRASH)
    for line in (words + [target, 'input'], [target] + words + ['input'],
                 [target, 'input'] + words):
        status, out, err = tool(CFUZZ, 'repro', *line)
        equal(status, 2, 'status of %s' % line)
        equal(out, '', 'what ran')
        check(said in err, 'no "%s": %s', said, err)
    status, out, _ = tool(CFUZZ, 'repro', '--timeout', '10s', target, '--',
                          'input', *words)
    equal(status, 3, 'status')
    check('cannot read %s' % words[0] in out, 'no file: %s', out)


@case
def repro_folder():
    # A finding's folder stands for its minimized input, or else its input.
    target = build(CRASH)
    r = run(target, '-j', 1, '--fuzztime', '1x', '--verify', 1,
            '--minimizetime', 0, '--seeds', seeds([b'a!aa']), status=1)
    for size in (4, 3):
        status, out = repro(target, r.bucket().path)
        equal(status, 1, 'status')
        check('%d bytes: fails: SIGABRT' % size in out, 'says: %s', out)
        write(os.path.join(r.bucket().path, 'minimized'), b'a!a')


@case
def repro_shows_the_report():
    target = build(one_input('''
	volatile char *copy = malloc(4);

	copy[size] = 1;
	free((void *)copy);'''), flags=['-fsanitize=address'])
    write('input', b'123456')
    status, out = repro(target, 'input')
    equal(status, 1, 'status')
    check('heap-buffer-overflow' in out, 'what: %s', out[:500])
    check('target.c:' in out, 'no line of the source: %s', out[:2000])


@case
def default_directory():
    # Named after the target, beside whoever starts it.
    target = build(CRASH)
    status, out, err = tool(CFUZZ, 'run', '--fuzztime', '10x', '--verify',
                            '0', '--timeout', '10s', target)
    check(status in (0, 1), 'status %d: %s', status, err)
    equal(os.listdir('.'), ['target.cfuzz'], 'what is made')
    check_output(Output('target.cfuzz'))


main()

#!/usr/bin/env python3
"""What an output directory keeps from run to run, and for which program."""

import os
import shutil
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403
import control    # noqa: E402

BUG = one_input('''
	if (size > 1 && data[1] == '!')
		abort();''')
BUG_OF_THE_DAY = one_input('''
	if (getenv("BUG") != NULL && size > 1 && data[1] == '!')
		abort();''')
MENDED = one_input('probe_count();')
HUGE = 1 << 42    # bytes, of which none are on the disk
SOON = 150        # seconds; reading all of that takes minutes


def asides():
    return sorted(re.sub('-.*', '', n) for n in os.listdir('out')
                  if '.damaged-' in n)


def campaign(target, *options, **more):
    options = options or ('--fuzztime', '3x')
    return run(target, '-j', 1, '--verify', 2, '--minimizetime', 0, '--seeds',
               seeds([b'a!aa', b'b']), *options, **more)


@each(('behind', 'ab'), ('only', 'wb'))
def a_journal_without_end(mode):
    # As a disk that has failed leaves it, or somebody who wants us to hang.
    r = campaign(build(BUG), status=1)
    before = r.bucket().info
    with open('out/journal.jsonl', mode) as f:
        f.truncate(HUGE)
    for words in (('findings', 'out'), ('show', 'out'),
                  ('show', 'out', before['id'])):
        status, out, err = tool(CFUZZ, *words, patience=SOON)
        equal((status, err), (0, ''), 'cfuzz %s' % (words,))
        check(len(words) == 2 and words[0] == 'show' or 'SIGABRT' in out,
              'cfuzz %s:\n%s', words, out)
    r = campaign(r.target, status=1, patience=SOON)
    check(r.said('warning: journal.jsonl was damaged: moved to '),
          'says\n%s', r.stdout)
    equal(asides(), ['journal.jsonl.damaged'], 'what was moved aside')
    check_journal(r)
    equal(r.bucket().info['id'], before['id'], 'the finding')
    os.remove([n for n in map(r.path, os.listdir('out'))
               if '.damaged-' in n][0])


@case
def known_after_a_sudden_end():
    # All files say of a finding what this run says, also when it is killed.
    r = campaign(build(BUG_OF_THE_DAY), env={'BUG': 'yes'}, status=1)
    r = start(r.target, '-j', 1, '--fuzztime', '1h', '--minimizetime', 0)
    for what in (lambda: r.stats['findings'][0], lambda: r.bucket().info):
        r.wait_for(lambda: what()['state'] == 'known', 'the state in a file')
    r.signal(signal.SIGKILL)
    r.wait()
    equal((r.stats['findings'][0]['state'], r.bucket().info['state']),
          ('known', 'known'), 'the states')


@case
def counted_after_a_sudden_end():
    # Of a run that was killed stats.json is a second old, crash.json may be
    # older.
    r = campaign(build(BUG_OF_THE_DAY), '--fuzztime', '300x',
                 env={'BUG': 'yes'}, status=1)
    told = r.stats['findings'][0]
    check(told['count'] > 1, 'failed once: %s', told)
    write(os.path.join(r.bucket().path, 'crash.json'),
          json.dumps(dict(r.bucket().info, count=1, last_s=0.0)))
    wanted = told['count'], told['last_s']
    equal((row()['count'], row()['last_s']), wanted, 'cfuzz findings')
    r = run(r.target, '-j', 1, '--fuzztime', '3x')
    f = r.stats['findings'][0]
    equal((f['count'], f['last_s']), wanted, 'stats.json of the next run')
    info = r.bucket().info
    equal((info['count'], info['last_s']), wanted, 'crash.json')


@each(('stats', 'stats.json'), ('finding', 'crash.json'))
def other_files_without_end(name):
    r = campaign(build(BUG), status=1)
    path = r.path(name) if name == 'stats.json' else \
        os.path.join(r.bucket().path, name)
    with open(path, 'ab') as f:
        f.truncate(HUGE)
    for words in (('findings', 'out'), ('show', 'out'), ('check', 'out')):
        tool(CFUZZ, *words, patience=SOON)
    r = start(r.target, '-j', 1, '--fuzztime', '3x')
    r.wait(SOON)
    check(r.said('%s was damaged: moved to ' % name), 'says\n%s', r.stdout)


@each(('gone', None), ('cut', b'{"id": 7, "ki'), ('other', b'{"id": 7}'))
def a_finding_is_made_whole_again(text):
    # A sudden end, or a full disk, leaves the input alone.
    r = campaign(build(BUG), status=1)
    before, data = r.bucket().info, r.bucket().input
    path = os.path.join(r.bucket().path, 'crash.json')
    os.remove(path)
    if text is not None:
        write(path, text)
        os.chmod(path, 0o600)
    r = run(r.target, '-j', 1, '--fuzztime', '3x', '--verify', 1,
            '--minimizetime', 0, '--seeds', seeds([b'b'], 'harmless'),
            status=1)
    check(r.said('input is run again'), 'says\n%s', r.stdout)
    equal((r.bucket().input, r.bucket().info['id']), (data, before['id']),
          'the finding')
    quiet = run(r.target, '-j', 1, '--fuzztime', '3x', '--seeds', 'harmless')
    check(not quiet.said('run again'), 'says again\n%s', quiet.stdout)
    for name in os.listdir(r.bucket().path):
        if '.damaged-' in name:
            os.remove(os.path.join(r.bucket().path, name))


def put(source, place='target'):
    """Builds it and puts it where the last one was."""
    shutil.copy(build(source), place + '.new')
    os.rename(place + '.new', place)
    return './' + place


def finding(r):
    return r.control.until(
        lambda s: s['state'] == 'fuzzing' and s['findings'] and s,
        'what was found before')


def row():
    status, out, err = tool(CFUZZ, 'findings', '--json', 'out')
    equal((status, err), (0, ''), 'cfuzz findings')
    rows = json.loads(out)
    equal(len(rows), 1, 'findings')
    return rows[0]


def listing():
    status, out, err = tool(CFUZZ, 'findings', 'out')
    equal((status, err), (0, ''), 'cfuzz findings')
    return out


@each(('the_same', BUG), ('another', BUG + 'int unrelated;\n'))
def verdicts_belong_to_a_build(source):
    r = campaign(put(BUG), status=1)
    first = r.bucket().info
    equal((first['reproduced'], first['replays_build']),
          (2, first['build_id']), 'replays')
    equal(row()['standing'], 'open', 'with the build that fails')
    # Mended: nobody has seen it.
    put(MENDED)
    r = control.start('./target', '-j', 1, '--verify', 0)
    s = finding(r)
    f = s['findings'][0]
    equal((f['standing'], s['crashes'], s['findings_not_seen']),
          ('not seen', 1, 1), 'before a replay')
    check(f['build'] != s['build'] and first['build_id'].startswith(f['build']),
          'builds: %s, %s', f['build'], s['build'])
    r.stop(0)
    check(' 2/2 before ' in listing(), 'cfuzz findings:\n%s', listing())
    # It is replayed by itself.
    r = control.start('./target', '-j', 1)
    s = r.control.until(lambda s: s['findings'] and s['findings'][0]
                        ['standing'] == 'fixed' and s, 'its replays')
    f = s['findings'][0]
    equal((f['reproduced'], f['replays'], f['replays_build'],
           f['reproduced_before'], f['replays_before']),
          (0, 5, s['build'], 2, 2), 'replays')
    said = [e for e in s['events'] if 'fixed: 0 of 5 with this build' in
            e['text']]
    equal([e['kind'] for e in said], ['replayed'], 'what the screen says')
    r.control.command('replay %s 3' % f['id'])
    r.control.until(lambda s: s['findings'][0]['standing'] == 'fixed' and
                    s['findings'][0]['replays'] == 3, 'replays by hand')
    r.stop(0)
    equal((row()['standing'], row()['build']), ('fixed', f['build']), 'fixed')
    check(' 2/2 before, 0/3 with this build ' in listing() and
          ', fixed' in listing(), 'cfuzz findings:\n%s', listing())
    # The bug is back: it is one finding still, and replayed again.
    put(source)
    r = campaign('./target', status=1)
    check(r.said('fuzz: was fixed and fails again: SIGABRT'), 'says\n%s',
          r.stdout)
    equal([e['finding'] for e in r.journal if e['event'] == 'regressed'],
          [first['id']], 'the journal')
    info = r.bucket().info
    equal((info['id'], info['replays'], info['reproduced']),
          (first['id'], 2, 2), 'the bug is back')
    equal(info['replays_build'], info['build_id'], 'the build that ran them')
    equal(info['state'], 'confirmed', 'a new finding')
    equal(row()['standing'], 'open', 'the bug is back')


@case
def what_is_minimized_belongs_to_a_build():
    put(BUG)
    r = start('./target', '-j', 1, '--verify', 2, '--seeds',
              seeds([b'a!aa', b'b']))
    first = r.end_at('minimized: ', 1).bucket()
    equal(len(first.minimized), 2, 'bytes that fail')
    equal(first.info['minimized_build'], first.info['build_id'], 'builds')
    # It takes more now: the small one fails no more.
    put(BUG.replace('size > 1', 'size > 3'))
    r = start('./target', '-j', 1, '--verify', 2)
    bucket = r.end_at('minimized: ', 1).bucket()
    equal(len(bucket.minimized), 4, 'bytes that fail now')
    equal(bucket.info['minimized_build'], bucket.info['build_id'], 'builds')


@case
def what_still_fails_stays_small():
    # The next build fails with it, too: the search does not begin anew.
    def smallest(*words):
        r = start('./target', '-j', 1, '--verify', 2, *words)
        return r.end_at('minimized: ', 1).bucket()
    put(BUG)
    first = smallest('--seeds', seeds([b'a!aa', b'b']))
    small, old = first.minimized, first.info['build_id']
    equal(len(small), 2, 'bytes that fail')
    put(BUG + 'int unrelated;\n')
    bucket = smallest('--minimizetime', '1x')
    equal(bucket.minimized, small, 'the minimized input')
    check(bucket.info['minimized_build'] == bucket.info['build_id'] != old,
          'builds')


@case
def what_is_accepted_is_no_failure():
    r = control.start(build(BUG), '-j', 1, '--seeds', seeds([b'a!aa']))
    s = finding(r)
    equal((s['exit_status'], s['findings_ignored']), (1, 0), 'before')
    r.control.command('accept ' + s['findings'][0]['id'])
    s = r.control.until(lambda s: s['findings_ignored'] and s, 'accepted')
    equal((s['exit_status'], s['crashes']), (0, 1), 'exit status, crashes')
    r.stop(0)
    # The first version had another word for it.
    path = os.path.join(r.bucket().path, 'crash.json')
    text = read(path).decode()
    check('"accepted"' in text, 'crash.json: %s', text)
    write(path, text.replace('"accepted"', '"ignored"'))
    equal(row()['state'], 'accepted', 'cfuzz findings')
    r = run(build(BUG), '-j', 1, '--fuzztime', '10x', '--seeds',
            seeds([b'a!aa']), status=0)
    check(not r.said('crash: SIGABRT'), 'it is announced:\n%s', r.stdout)
    equal((r.bucket().info['state'], r.bucket().info['count'] > 1),
          ('accepted', True), 'state')


STEPS = one_input('''
	if (size > 0 && data[0] == 'a')
		if (size > 1 && data[1] == 'b')
			if (size > 2 && data[2] == 'c')
				if (size > 3 && data[3] == 'd')
					probe_count();''')


def family(r):
    """{input: (parent, generation)} of what is on the disk."""
    rows = r.control.query('corpus', count=1000)['rows']
    return {row['name']: (row['parent'], row['generation']) for row in rows
            if row['name'] in r.corpus()}


def rested(r, status=0):
    """All that it has made so far is on the disk, as small as it gets."""
    r.control.command('pause')
    r.control.until(lambda s: not s['unsaved'] and s['state'] == 'paused' and
                    s['workers'][0]['state'] == 'paused', 'a rest')
    r.control.command('resume')
    r.stop(status)


def all_steps(target):
    """A campaign to the last step, and its inputs: parents, generations."""
    r = control.start(target, '-j', 1, '--minimizetime', '200x', '--seeds',
                      seeds([b'x']))
    r.control.until(lambda s: r.calls, 'the last step')
    rested(r)
    told = {e['input']: e for e in r.events('find')}
    smaller = {e['was']: e['input'] for e in r.events('minimized')
               if 'was' in e}

    def now(name):
        while name in smaller:
            name = smaller[name]
        return name
    return r, {now(n): (now(e['parent']), e['generation'])
               for n, e in told.items() if now(n) in r.corpus()}


def with_grandchildren(target):
    """Chance may climb all steps from the seed, once in 180: then another."""
    for _ in range(5):
        for name in ('out', 'probe'):
            shutil.rmtree(name, ignore_errors=True)
        r, inputs = all_steps(target)
        if any(generation > 1 for _, generation in inputs.values()):
            return r, inputs
    fail('five campaigns without a grandchild, the last: %r', inputs)


@case
def the_past_belongs_to_the_campaign():
    r, want = with_grandchildren(build(STEPS))
    before = r.stats
    # Seeds are not copied into the output directory, so they are given again.
    r = control.start(r.target, '-j', 1, '--seeds', 'seeds')
    s = r.control.until(lambda s: s['state'] == 'fuzzing' and s, 'run 2')
    equal((s['runs'], s['past_execs'], s['past_bits']),
          (2, before['execs'], before['coverage_bits']), 'what was before')
    check(s['past_s'] >= before['elapsed_s'], 'the clock: %r', s['past_s'])
    got = family(r)
    equal({n: got[n] for n in want}, want, 'where inputs come from')
    check(s['events'][-1]['at_s'] >= before['elapsed_s'], 'events: %r',
          s['events'])
    r.stop(0)
    second = r.stats
    third = campaign(r.target, '--fuzztime', '100x', status=0).stats
    equal((third['runs'], third['past_execs'], third['execs']),
          (3, before['execs'] + second['execs'], 100),
          'run 3, whose limit is its own')


@case
def what_is_unstable_stays_so():
    r, want = with_grandchildren(build(STEPS))
    path = r.path('journal.jsonl')
    text = read(path).decode()
    check('"unstable":false' in text, 'the journal:\n%s', text)
    write(path, text.replace('"unstable":false', '"unstable":true'))
    r = control.start(r.target, '-j', 1, '--seeds', 'seeds')
    r.control.until(lambda s: s['state'] == 'fuzzing', 'run 2')
    rows = r.control.query('corpus', count=512, filter='unstable')['rows']
    equal(set(want) - {row['name'] for row in rows}, set(), 'stable ones')
    r.stop(0)


# Only step by step: neither a guess nor the operand of the comparison helps.
MULTIPLIED = one_input('''
	uint32_t x;

	if (size < sizeof(x))
		return 0;
	memcpy(&x, data, sizeof(x));
	if (x * 2654435761u == 0xdeadbeef)
		probe_count();''')


@case
def parents_that_are_on_no_disk():
    # What comes nearer to a comparison is not written down; what came of that
    # is told by the nearest ancestor that is.
    r = control.start(build(MULTIPLIED), '-j', 1, '--deterministic', '--seed', 1,
                      '--seeds', seeds([b'12345678']))
    r.control.until(lambda s: r.calls and s['interesting'] > 1, 'the product')
    rested(r)
    found = [e for e in r.events('find') if 'ancestor' in e]
    check(found, 'all parents were kept: %r', r.events('find'))
    r = control.start(r.target, '-j', 1, '--seeds', 'seeds')
    r.control.until(lambda s: s['state'] == 'fuzzing', 'run 2')
    for name, (parent, generation) in family(r).items():
        check(parent and generation or name not in r.corpus(),
              '%s has no parent', name)
    r.stop(0)


@case
def the_graph_goes_on():
    r = control.start(build(STEPS), '-j', 1, '--seeds', seeds([b'x']))
    r.control.until(lambda s: r.calls and
                    sum(p['finds'] for p in s['past']) > 0, 'the last step')
    rested(r)
    for run_n in (2, 3):
        before, told = r.stats, r.events('find')
        r = control.start(r.target, '-j', 1, '--seeds', 'seeds')
        s = r.control.until(lambda s: s['state'] == 'fuzzing' and s, 'run')
        rested(r)
        # It may have found more by then.
        past, finds = s['past'], sum(p['finds'] for p in s['past'])
        check(len(told) <= finds <= len(r.events('find')), 'finds: %r', past)
        check(before['coverage_bits'] <= past[-1]['bits'] <=
              r.stats['coverage_bits'], 'coverage: %r', past)
        times = [p['at_s'] for p in past]
        now = s['past_s'] + s['elapsed_s']
        check(times == sorted(times) and times[-1] <= now + 0.001, # rounded
              'times: %r of %r', times, now)


NONSENSE = (b'{"event":"find","at_s":0,"text":"x"',
            b'{"event":7,"at_s":0,"text":"x"}',
            b'{"event":"find","at_s":0,"text":["x"]}',
            b'{"event":"find","at_s":-1,"text":"x"}',
            b'{"event":"find","at_s":0,"text":"\xff"}', b'[' * 5000, b'\0', b'')
ODD = {'t': 'yesterday', 'at_s': 1e99, 'event': '\x1b[2J', 'text': '\x1b' * 999}


def told(r, run_n):
    """Rows of the journal, of earlier runs and of this one."""
    rows, page = [], True
    while page:
        page = r.control.query('journal', first=len(rows), count=512)['rows']
        rows += page
    mark = [row['text'] for row in rows].index('run %d begins' % run_n)
    equal(rows[mark]['kind'], 'resume', 'the mark')
    return rows[:mark], rows[mark:]


def begun(r):
    return r.control.until(lambda s: s['state'] == 'fuzzing' and s, 'begin')


@case
def events_of_earlier_runs_are_shown():
    r = control.start(build(BUG), '-j', 1, '--minimizetime', 0,
                      '--seeds', seeds([b'a!aa']))
    r.control.until(lambda s: s['findings'] and s['findings'][0]['replays'],
                    'a finding')
    r.stop(1)
    for n in (2, 3):
        want = [(e['event'], e['at_s'], e['text'],
                 e.get('input') or e.get('finding', ''))
                for e in r.journal if 'text' in e]
        r = control.start(r.target, '-j', 1)
        begun(r)
        old, new = told(r, n)
        equal([(e['kind'], e['at_s'], e['text'], e['about']) for e in old],
              want, 'before run %d' % n)
        walls = [e['wall_s'] for e in old + new]
        check(walls[0] > 1e9 and walls == sorted(walls), 'times: %r', walls)
        check(all(e['at_s'] >= old[-1]['at_s'] for e in new), 'run: %r', new)
        r.control.until(lambda s: s['exit_status'] == 1, 'the finding again')
        r.stop(1)


@case
def events_that_make_no_sense():
    # What is between them is shown, and of a long journal the end.
    r = campaign(build(MENDED))
    lines = [b'{"at_s":0,"event":"worker","text":"%d","so":"%0200d"}' % (n, n)
             for n in range(9000)]
    lines[-9:-9] = NONSENSE + (json.dumps(ODD).encode(),)
    with open('out/journal.jsonl', 'ab') as f:
        f.write(b'\n'.join(lines + [b'']))
    r = control.start(r.target, '-j', 1)
    s = begun(r)
    old, new = told(r, 2)
    (odd,) = [e for e in old if e['kind'] != 'worker']
    equal((odd['at_s'], odd['wall_s']), (s['past_s'], 0), 'its times')
    check('\x1b' not in odd['kind'] + odd['text'], 'not cleaned: %r', odd)
    numbers = [int(e['text']) for e in old if e is not odd]
    check(0 < numbers[0] < 8000, 'the first one: %d', numbers[0])
    check(numbers == list(range(numbers[0], 9000)), 'some are missing')
    r.control.command('stop')
    r.wait()


ONE = one_input('''
	static volatile int n;

	if (size > 0 && data[0] == 'a')
		n = 1;''')


def one_find():
    """(when, a run that goes on): what there is has been found before."""
    r = control.start(build(ONE), '-j', 1, '--seeds', seeds([b'', b'x']))
    r.control.until(lambda s: s['interesting'], 'the one find')
    rested(r)
    r = control.start(r.target, '-j', 1, '--seeds', 'seeds')
    r.control.until(lambda s: s['state'] == 'fuzzing', 'run 2')
    r.control.command('pause')    # time stands still
    s = r.control.until(lambda s: s['state'] == 'paused' and s, 'a pause')
    (found,) = [e['at_s'] for e in r.events('find')]
    return r, s, found


@case
def the_last_find_has_its_age():
    r, s, found = one_find()
    age = s['past_s'] + s['elapsed_s'] - found
    check(abs(s['last_find_s'] - age) < .01, 'its age: %r, not %r',
          s['last_find_s'], age)
    check(abs(s['plateau_gap_s'] - found) < .01, 'the gap: %r, not %r',
          s['plateau_gap_s'], found)
    r.stop(0)


@case
def what_was_reached_is_not_new():
    # When seeds came is not written down: they were there.
    r, s, found = one_find()
    changes = r.control.query('coverage', since=1)['changes']
    equal({round(c['at_s'], 3) for c in changes}, {0, found}, 'times')
    rows = r.control.query('corpus', count=9, sort='found_at_s')['rows']
    equal([row['seed'] for row in rows], [True, True, False], 'oldest first')
    check(rows[0]['found_at_s'] < rows[2]['found_at_s'] < 0, 'times: %r', rows)
    r.stop(0)


DEEP = STEPS.replace('probe_count()', 'abort()')


@case
def what_was_minimized_is_told():
    # Inputs and a finding, the newest first; what comes stands before them.
    r = control.start(build(DEEP), '-j', 1, '--minimizetime', '200x',
                      '--seeds', seeds([b'x' * 20]))
    r.control.until(lambda s: {m['title'].startswith('input ')
                               for m in s['minimized']} == {True, False},
                    'an input and the finding')
    rested(r, 1)
    before = r.stats['minimized']
    r = control.start(r.target, '-j', 1, '--seeds', 'seeds')
    s = r.control.until(lambda s: s['exit_status'] == 1 and s,
                        'it is seen again')
    check(before[0] in s['minimized'], 'not told: %r', s['minimized'])
    new = s['minimized'].index(before[0])
    equal(s['minimized'][new:], before[:16 - new], 'what was minimized')
    r.stop(1)


def mutators(r):
    return {m['name']: (m['steps'], m['finds']) for m in r.stats['mutators']
            if m['steps']}


@case
def what_mutations_brought():
    target = build(STEPS)
    r = run(target, '-j', 1, '--fuzztime', '20000x', '--seeds', seeds([b'x']))
    before = mutators(r)
    check(sum(finds for _, finds in before.values()), 'nothing: %r', before)
    # An input of the corpus has its turn first: nothing is mutated.
    equal(mutators(run(target, '-j', 1, '--fuzztime', '1x')), before, 'run 2')
    after = mutators(run(target, '-j', 1, '--fuzztime', '20000x'))
    check(all(after[name] >= row for name, row in before.items()) and
          after != before, 'run 3: %r, not more than %r', after, before)


@each(('list', 'mutators', 7), ('row', 'mutators', [7]),
      ('number', 'mutators', [{'name': 'insert random bytes', 'steps': -1}]),
      ('text', 'minimized', [{'entry': {}}]), ('version', 'version', 1e99))
def numbers_that_make_no_sense(member, value):
    target = build(STEPS)
    r = run(target, '-j', 1, '--fuzztime', '20000x', '--seeds', seeds([b'x']))
    write('out/stats.json', json.dumps(dict(r.stats, **{member: value}))
          .encode())
    os.chmod('out/stats.json', 0o600)
    r = run(target, '-j', 1, '--fuzztime', '1x')
    equal((mutators(r), r.stats['minimized']), ({}, []), 'begun anew')


@case
def a_copied_folder_has_its_own_program():
    # The original is not run, and a new build of the copy goes on.
    os.mkdir('one')
    put(BUG, 'one/target')
    os.chdir('one')
    campaign('./target', status=1)
    os.chdir('..')
    shutil.copytree('one', 'two')
    here = os.path.abspath('two/target')
    status, out, err = tool(CFUZZ, 'check', 'two/out')
    equal(status, 1, 'status of cfuzz check: ' + err)
    check(out.startswith('running %s (build ' % here), 'says\n%s', out)
    put(MENDED, 'two/target')
    os.chdir('two')
    campaign('./target', status=0)
    status, out, err = tool(CFUZZ, 'check', 'out')
    equal(status, 0, 'status of cfuzz check: %s%s' % (out, err))
    check(out.startswith('running %s (build ' % here), 'says\n%s', out)
    os.chdir('..')


@case
def words_and_deeds():
    # Pausing the only worker pauses the campaign; one is the least; who is
    # stopped alone is started again.
    r = control.start(build(one_input('probe_count();')), '-j', 2, '--seeds',
                      seeds([b'a']))
    do = r.control.command
    state = lambda wanted: r.control.until(    # noqa: E731
        lambda s: s['state'] == wanted and s, wanted)
    state('fuzzing')
    do('workers 1')
    r.control.until(lambda s: len(s['workers']) == 1, 'one worker')
    do('pause 0')
    check(state('paused')['paused'], 'all of it')
    do('workers 2')
    do('resume 0')
    state('fuzzing')
    do('pause 1')
    equal(r.control.next_snapshot()['state'], 'fuzzing', 'one still fuzzes')
    do('pause 0')
    state('paused')
    do('resume 1')
    s = state('fuzzing')
    equal([w['paused'] for w in s['workers']], [True, False], 'paused')
    do('workers 1')
    try:
        do('workers -1')
        fail('the last worker can be taken away')
    except control.Refused as e:
        check('one worker is the minimum' in str(e), 'says: %s', e)
    check('restarts' in do('stop 0'), 'what stop does to one worker')
    r.stop(0)


@case
def workers_that_are_retired():
    # What they did counts: in sums, and in the time that there was.
    r = control.start(build(one_input('probe_count();')), '-j', 2, '--seeds',
                      seeds([b'a']))
    s = r.control.until(lambda s: len(s['workers']) == 2 and all(
        w['execs'] for w in s['workers']), 'two workers at work') or \
        r.control.next_snapshot()
    before = r.control.next_snapshot()
    r.control.command('workers 1')
    s = r.control.until(lambda s: len(s['workers']) == 1 and s, 'one of them')
    check(s['fuzz_time_s'] >= before['fuzz_time_s'], 'time that was fuzzed: '
          '%r, then %r', before['fuzz_time_s'], s['fuzz_time_s'])
    check(s['execs_retired'] > 0, 'nobody has retired: %r', s['execs_retired'])
    r.stop(0)
    check_stats(r)


@case
def repeated_failures_are_counted():
    r = campaign(build(BUG), '--fuzztime', '300x', status=1)
    last = [l for l in r.stdout.splitlines() if ', findings: 1 (seen: ' in l]
    check(last, 'no line counts them:\n%s', r.stdout)
    equal(int(re.search(r'seen: (\d+)', last[-1])[1]), r.bucket().info['count'],
          'how often it was seen')


@case
def findings_of_this_run_and_of_all():
    # The last line counts all that are open; the lines before it both.
    target = build(one_input('''
	if (getenv("BUG") != NULL && size > 1 && data[1] == '!')
		abort();
	if (size > 0 && data[0] == 'b')
		__builtin_trap();'''))
    for env, words in (({'BUG': '1'}, '2 (seen: '),
                       (None, '2, in this run: 1 (seen: ')):
        r = campaign(target, '--fuzztime', '300x', status=1, env=env)
        lines = [l for l in r.stdout.splitlines() if ', findings: ' in l]
        check(lines and ', findings: ' + words in lines[-1],
              'no line has "%s":\n%s', words, r.stdout)
        check(r.said('FAIL: 2 distinct findings'), 'the end:\n%s', r.stdout)


if __name__ == '__main__':
    main()

#!/usr/bin/env python3
"""Seeds and the corpus: what is read, what is passed over, what is resumed."""

import functools
import os
import shutil
import socket
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403

# It fails where FAILS stands in front, which only a seed brings: the sum of
# its bytes decides, so that no comparison gives it away.
FAILS = b'Failing!'
BRANCH = one_input('''
	static volatile int sink;
	unsigned sum = 0;
	size_t i;

	probe_count();
	if (size > 0 && data[0] == 'x')
		sink++;
	for (i = 0; i < size && i < %d; i++)
		sum = sum * 31 + data[i];
	if (i == %d && sum == %uu)
		cfuzz_fail("a bad %%zu", size);''' % (
            len(FAILS), len(FAILS), functools.reduce(
                lambda sum, byte: (sum * 31 + byte) % 2 ** 32, FAILS)))

# Its failure is soon found.
EASY = one_input('''
	static volatile int sink;

	probe_count();
	if (size > 0 && data[0] == 'x')
		sink++;
	if (size > 1 && data[0] == 'F')
		cfuzz_fail("a bad %zu", size);''')


@case
def corpus_grows():
    # B58: by hand nothing is kept; fuzzing keeps what is new.
    target = build(one_input('''
	static volatile int sink;

	if (size > 0 && data[0] == 'x')
		sink++;'''))
    write('input', 'x')
    tool(target, 'input')
    equal(os.listdir('.'), ['input'], 'what a run by hand leaves')
    r = run(target, '--fuzztime', '100x', status=0)
    check(r.corpus(), 'the corpus is empty')


@case
def the_same_ones_count_once():
    # B67: ten files, six of them with the same content.
    files = [b'zero'] * 6 + [b'6', b'7', b'8', b'9']
    r = run(build(BRANCH), '--fuzztime', '10x', '--seeds', seeds(files),
            status=0)
    equal(r.events('warm')[0]['inputs'], 5, 'inputs of the warm-up')
    check(r.said('5/5 completed'), 'not told:%s', r.describe())


@case
def seeds_are_only_read():
    # B56: seeds are run, never written to, and need no place in the corpus.
    folder = seeds({'a': b'aa', 'b': b'xx', 'c': b''})
    os.chmod(folder, 0o500)
    before = {n: (read(os.path.join(folder, n)),
                  os.stat(os.path.join(folder, n)).st_mtime_ns)
              for n in os.listdir(folder)}
    r = run(build(BRANCH), '--fuzztime', '10x', '--seeds', folder,
            '--seeds', seeds([b'more'], 'more'), status=0)
    after = {n: (read(os.path.join(folder, n)),
                 os.stat(os.path.join(folder, n)).st_mtime_ns)
             for n in os.listdir(folder)}
    equal(after, before, 'the folder of seeds')
    equal(r.events('warm')[0]['inputs'], 4, 'inputs of the warm-up')


@case
def odd_files_are_passed_over():
    # B57: each kind is told of once, none is opened, the run goes on.
    folder = seeds({'good': b'good', 'empty': b'', 'x' * 200: b'long name',
                    'line\nbreak \033[2J': b'odd name'})
    os.mkfifo(os.path.join(folder, 'fifo'))
    s = socket.socket(socket.AF_UNIX)
    os.chdir(folder)
    s.bind('socket')
    os.chdir('..')
    os.symlink('nowhere', os.path.join(folder, 'dangling'))
    os.symlink('/dev/zero', os.path.join(folder, 'endless'))
    os.symlink('loop', os.path.join(folder, 'loop'))
    write(os.path.join(folder, 'nested', 'Failing'), FAILS)
    with open(os.path.join(folder, 'sparse'), 'wb') as f:
        f.truncate(10 << 30)
    write(os.path.join(folder, 'toolong'), b'x' * 2000)
    r = run(build(BRANCH), '--fuzztime', '50x', '--max-len', '1000',
            '--seeds', folder, status=0)
    s.close()
    equal(r.events('warm')[0]['inputs'], 4, 'inputs of the warm-up')
    told = [e['text'] for e in r.events('seeds')]
    equal(sorted('warning: ' + text for text in told),
          sorted(l for l in r.stdout.splitlines() if 'skipped' in l),
          'the lines, for a console and the journal')
    for word in ('folder', 'symbolic link', 'FIFO', '--max-len'):
        equal(sum(word in line for line in r.stdout.splitlines()
                  if line.startswith('warning:')), 1,
              'warnings with "%s"' % word)
    check('\033' not in r.stdout, 'an escape reaches the terminal')


@each(('oss-fuzz', 'x_seed_corpus.zip', True), ('tar', 'seeds.tar.gz', True),
      ('other', 'zip', False))
def an_archive_is_one_seed(name, told):
    # OSS-Fuzz keeps seeds in archives. In a folder they may be what the target
    # reads, so only one that the user names is pointed out.
    write(name, b'PK\3\4')
    r = run(build(BRANCH), '--fuzztime', '10x', '--seeds', name, '--seeds',
            seeds({'a.zip': b'PK', 'b': b'b'}), status=0)
    equal([e['text'] for e in r.events('seeds')],
          ['the seed %s is an archive and counts as one input: unpack it, and '
           'give the folder to --seeds' % name] * told, 'warnings')


@each(*[('%d' % n, n) for n in (0, 1, 15, 16, 17)])
def lengths(n):
    # Exactly --max-len is read, one byte more is not.
    r = run(build(one_input('\tif (probe_count() == 1)\n'
                            '\t\tprobe_save("first", data, size);')),
            '-j', 1, '--fuzztime', '5x', '--max-len', '16', '--seeds',
            seeds([b's' * n]), status=0)
    if n <= 16:
        equal(r.saved('first'), b's' * n, 'the first input')
    equal(r.events('warm')[0]['inputs'], int(n <= 16), 'inputs')


@each(('folder', ''), ('slash', '/'), ('file', '/1'))
def failing_seed_stops(behind):
    # B102, B103: told with its path, nothing is written.
    folder = seeds({'1': FAILS})
    r = run(build(BRANCH), '--fuzztime', '1x', '--stop-on-crash', '--seeds',
            folder + behind, status=1)
    check('failure while testing seed corpus entry: %s/1\n' % folder
          in r.stdout,
          'the seed is not named:%s', r.describe())
    check(r.said('a bad 8'), 'the failure is not told:%s', r.describe())
    r.no_findings()
    equal(r.corpus(), {}, 'corpus')


# The bytes that fail, as a file of Go's corpus.
GO_TEXT = b'go test fuzz v1\n[]byte("' + FAILS + b'")\n'
GO_SAYS = '%d bytes (go test fuzz v1: %d bytes)' % (len(GO_TEXT), len(FAILS))


@case
def go_text_is_one_input_for_all():
    # What a run takes as the value, repro, min and the target by hand do, too.
    target = build(BRANCH)
    file = os.path.join(seeds({'go': GO_TEXT}), 'go')
    r = run(target, '--fuzztime', '1x', '--stop-on-crash', '--seeds', file,
            status=1)
    status, out = repro(target, file)
    equal(status, 1, 'status of repro')
    check(file + ': ' + GO_SAYS + ': fails: ' in out, 'repro: %s', out)
    check('a bad 8' in out, 'repro: %s', out)
    status, out = repro(target, file, file, options=['--sequence'])
    equal(status, 1, 'status of repro --sequence')
    check('2 inputs in a row, %d bytes (go test fuzz v1: %d bytes): fails' % (
        2 * len(GO_TEXT), 2 * len(FAILS)) in out, 'repro: %s', out)
    status, out, err = tool(CFUZZ, 'min', '--minimizetime', '1x', '-o',
                            'small', target, file)
    equal(status, 0, 'status of min: ' + err)
    check(file + ': ' + GO_SAYS + '\n' in out, 'min: %s', out)
    equal(repro(target, 'small')[0], 1, 'status of repro on what min wrote')
    status, out, err = tool(target, file)
    check(status != 0, 'by hand nothing fails: %s%s', out, err)
    check(file + ': ' + GO_SAYS + ', ' in out, 'by hand: %s', out)
    # In an output directory such a file is an input as it is.
    own = os.path.join(r.path('corpus'), 'go')
    write(own, GO_TEXT)
    status, out = repro(target, own)
    equal(status, 0, 'status of repro: ' + out)
    status, out, err = tool(CFUZZ, 'min', '-o', 'none', target, own)
    check('does not fail' in err, 'min: %s', err)
    status, out, err = tool(target, own)
    check(': %d bytes, returned 0' % len(GO_TEXT) in out, 'by hand: %s', out)


@each(('number', 'int(1)'), ('two', '[]byte("a")\nint(1)'), ('cut', '[]byte("'))
def other_go_text_is_no_input(values):
    write('text', 'go test fuzz v1\n' + values + '\n')
    target = build(BRANCH)
    for words, want in (([CFUZZ, 'repro', target, 'text'], 3),
                        ([CFUZZ, 'min', '-o', 'small', target, 'text'], 2),
                        ([target, 'text'], 2)):
        status, out, err = tool(*words)
        equal(status, want, 'status of %s: %s' % (words, out + err))
        check('text' in out + err, 'not named: %s', out + err)


# Moves the code.
MORE = 'int more(int a)\n{\n\treturn a * 3;\n}\n'


@each(('known', 'known', '', 1), ('accepted', 'accepted', '', 0),
      ('known-rebuilt', 'known', MORE, 1),
      ('accepted-rebuilt', 'accepted', MORE, 0))
def seed_of_a_finding(state, more, status):
    # Under --stop-on-crash its state decides, as it does for other inputs.
    words = ('./target', '-j', 1, '--fuzztime', '50x', '--seeds',
             seeds({'1': FAILS, '2': b'good'}))
    shutil.copy(build(BRANCH), 'target')
    r = run(*words, '--verify', 1, '--minimizetime', 0, status=1)
    if more:
        os.unlink('target')
        shutil.copy(build(more + BRANCH), 'target')
    path = os.path.join(r.bucket().path, 'crash.json')
    info = dict(r.bucket().info, state=state)
    write(path, json.dumps(info))
    r = run(*words, '--stop-on-crash', status=status)
    check(not r.said('seed corpus entry'), 'it is new:%s', r.describe())
    equal(r.stats['execs'] > 2, state == 'accepted', 'it goes on')


@each(('instrumented', None), ('plain', {'CFUZZ_NO_INSTRUMENT': '1'}))
def failing_seed_goes_on(env):
    # Without --stop-on-crash it is a finding like any other.
    r = run(build(BRANCH, env=env), '-j', 2, '--fuzztime', '500x',
            '--verify', 2, '--minimizetime', 0, '--seeds',
            seeds({'1': FAILS + b'ne', '2': b'good'}), status=1)
    equal(r.bucket().input, FAILS + b'ne', 'the input')
    equal(r.stats['execs'], 500, 'executions')
    equal(r.bucket().info['state'], 'confirmed', 'the state')


@case
def failing_corpus_entry():
    # B105: found, minimized, and the run ends before it fuzzes.
    target = build(one_input('''
	size_t ones = 0;

	while (ones < size && data[ones] == '1')
		ones++;
	if (ones >= 10)
		cfuzz_fail("%zu ones", ones);'''))
    r = run(target, '--fuzztime', '1x', '--max-len', '4', status=0)
    data = b'1' * 20
    path = write(r.path('corpus', sha(data)[:16]), data)
    os.chmod(path, 0o600)
    r = run(target, '-j', 1, '--fuzztime', '10000x', '--stop-on-crash',
            '--verify', 1, status=1)
    bucket = r.bucket()
    equal(bucket.input, data, 'the input')
    equal(bucket.minimized, b'1' * 10, 'the minimized input')
    check(r.said('gathering baseline coverage'), 'no warm-up is told')
    check('seed corpus entry' not in r.stdout, 'it is taken for a seed')
    check('execs:' not in r.stdout.split('minimizing')[0],
          'it fuzzes first:%s', r.describe())


@case
def resumed():
    # The same directory again: corpus, findings, time and journal go on.
    target = build(EASY)
    first = run(target, '-j', 2, '--fuzztime', '100000x', '--verify', 1,
                status=1)
    bucket, corpus = first.bucket(), first.corpus()
    count = bucket.info['count']
    equal(first.stats['crashes_seen'], count, 'times that it was seen')
    lines = len(first.journal)
    elapsed = first.journal[-1]['at_s']
    r = run(target, '-j', 2, '--fuzztime', '%dx' % len(corpus),
            '--minimizetime', 0, status=0)
    equal(r.corpus(), corpus, 'the corpus')
    equal(r.bucket().info['count'], count, 'times that it was seen')
    equal(r.stats['crashes'], 1, 'stats.json: "crashes"')
    equal(r.journal[lines]['event'], 'resume', 'the journal goes on')
    check(r.journal[lines]['at_s'] >= elapsed, 'its time starts afresh')
    equal(r.stats['interesting'], 0, 'inputs kept in this run')
    r = run(target, '-j', 2, '--fuzztime', '100000x', status=1)
    check(r.bucket().info['count'] > count, 'it is not seen again')
    equal(r.bucket().folder, bucket.folder, 'the folder')
    equal(len(r.events('campaign')), 1, 'first lines')
    equal(len(r.events('resume')), 2, 'lines of resumed runs')


@case
def resumed_after_a_rebuild():
    # The same path, another program: coverage is measured anew.
    target = build(EASY)
    shutil.copy(target, 'target')
    first = run('./target', '--fuzztime', '20000x', '--minimizetime', 0)
    other = build(EASY.replace("'x'", "'y'"))
    shutil.copy(other, 'target')
    r = run_till([lambda data: data[:1] == b'y'], './target', '--fuzztime',
                 '20000x', '--minimizetime', 0)
    check(r.journal[-1]['event'] == 'end', 'it did not run')
    check(set(first.corpus()) <= set(r.corpus()), 'inputs are gone')
    check(any(d[:1] == b'y' for d in r.corpus().values()), 'nothing new')


@case
def moved_target():
    # The same program under another path.
    target = build(EASY)
    run(target, '--fuzztime', '100x')
    os.mkdir('elsewhere')
    shutil.copy(target, 'elsewhere/target')
    run('elsewhere/target', '--fuzztime', '100x')


@each(('empty', b''), ('text', b'hello\n'), ('cut', None),
      ('binary', os.urandom(300)), ('long', b'{' * 3000000))
def damaged_journal(content):
    # Moved aside or repaired; said; nothing else is lost.
    target = build(EASY)
    r = run(target, '--fuzztime', '20000x', '--minimizetime', 0)
    corpus, found = r.corpus(), [b.folder for b in r.buckets()]
    whole = read(r.path('journal.jsonl'))
    with open(r.path('journal.jsonl'), 'wb') as f:
        f.write(whole[:-7] if content is None else content)
    with open(r.path('stats.json'), 'wb') as f:
        f.write(content or b'')
    r = run(target, '--fuzztime', '%dx' % max(1, len(corpus)),
            '--minimizetime', 0)
    check(set(corpus.values()) <= set(r.corpus().values()), 'inputs are gone')
    check(set(found) <= {b.folder for b in r.buckets()}, 'findings are gone')
    check(re.search('warning: .*journal', r.stdout), 'no warning:%s',
          r.describe())


@case
def corpus_changes_underneath():
    # Files that go away or are cut while it runs: no harm.
    target = build(EASY)
    r = start(target, '-j', 2, '--fuzztime', '300000x', '--minimizetime', 0,
              '--seeds', seeds([b'a', b'b']))
    wait_for(lambda: os.path.isdir(r.path('corpus')) and
             os.listdir(r.path('corpus')) or r.process.poll() is not None,
             'an input in the corpus')
    for name in os.listdir(r.path('corpus')):
        try:
            os.unlink(r.path('corpus', name))
        except OSError:
            pass
    r.wait()
    check(r.status in (0, 1), 'exit status %d:%s', r.status, r.describe())


@case
def folder_of_findings_is_taken_away():
    # The whole output directory goes: it says so in the end, or makes it anew.
    target = build(EASY)
    r = start(target, '-j', 1, '--fuzztime', '1500ms', '--minimizetime', 0)
    r.wait_fuzzing()
    shutil.rmtree(r.out, ignore_errors=True)
    r.wait()
    check(r.status in (0, 1, 3), 'exit status %d:%s', r.status, r.describe())


main()

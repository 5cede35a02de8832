#!/usr/bin/env python3
"""cfuzz findings and cfuzz show: what an output directory holds."""

import os
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403

CRASHES = one_input('''
	if (size > 1 && data[1] == '!')
		abort();
	if (size > 1 && data[1] == '?')
		cfuzz_fail("what is %02x?", data[0]);
	if (size > 1 && data[1] == '.')
		probe_wait_for_ever();''')
STEPS = one_input('''
	if (size > 0 && data[0] == 'a')
		if (size > 1 && data[1] == 'b')
			if (size > 2 && data[2] == 'c')
				probe_count();''')


def command(name, *words, status=0):
    """cfuzz NAME: standard output; the error's text when that is wanted."""
    got, out, err = tool(CFUZZ, name, *words)
    equal(got, status, 'status of %s %s: %s%s' % (name, words, out, err))
    equal((out if status else err), '', 'the other output')
    text = err if status else out
    check(not re.search('[\x00-\x09\x0b-\x1f\x7f]', text),
          'control characters: %r', text)
    return text


def campaign(**more):
    # Three bugs, one of them made smaller. What hangs comes first and alone:
    # with a limit as short the others would hang, too, on a busy machine.
    options = ['-j', 1, '--verify', 2, '--minimizetime', 0]
    run(build(CRASHES), *options, '--fuzztime', '1x', '--timeout', 300,
        '--seeds', seeds([b'a.aa'], 'hanging'), status=1, **more)
    r = run(build(CRASHES), *options, '--fuzztime', '2x', '--timeout', 2500,
            '--seeds', seeds([b'a!aa', b'a?aa']), status=1, **more)
    status, out, err = tool(CFUZZ, 'min', r.target, of_kind(r, 'error').path)
    equal(status, 0, 'status of cfuzz min: ' + out + err)
    return r


def of_kind(r, kind):
    return [b for b in r.buckets() if b.info['kind'] == kind][0]


def tree():
    """Every file below here, with size and time of its last change."""
    found = {}
    for folder, _, files in os.walk('out'):
        for name in files:
            st = os.lstat(os.path.join(folder, name))
            found[os.path.join(folder, name)] = (st.st_size, st.st_mtime_ns)
    return found


@case
def limits_of_its_run():
    # The hang was found with 300 ms; the last run had another limit.
    r = campaign()
    hang = of_kind(r, 'hang')
    equal(hang.info['limits']['timeout'], '300ms', 'the limit')
    check(' --timeout 300ms ' in hang.info['command'],
          'the command: %s', hang.info['command'])
    for words in (hang.path,), (os.path.join(hang.path, 'input'),):
        status, out, err = tool(CFUZZ, 'repro', r.target, *words)
        equal(status, 1, 'status of cfuzz repro: ' + out + err)
        check('0.3' in out + err or '300' in out + err, '%s', out + err)


@case
def table():
    # A row for each finding, what was seen last first; nothing is changed.
    campaign()
    before = tree()
    lines = command('findings', 'out').splitlines()
    equal(lines[0].split(), 'what where seen again size min state first last '
          'class id'.split(), 'the head')
    equal(len(lines), 4, 'lines')
    for what in ('SIGABRT', 'error', 'hang'):
        check(any(l.startswith(what) for l in lines), 'no %s:\n%s', what,
              '\n'.join(lines))
    check(all(l == l.rstrip() for l in lines), 'spaces at an end')
    equal(tree(), before, 'the files')


@case
def table_as_json():
    r = campaign()
    found = json.loads(command('findings', 'out', '--json'))
    equal(sorted(f['folder'] for f in found),
          sorted(b.folder for b in r.buckets()), 'folders')
    for f in found:
        info = Bucket(r.out, f['folder']).info
        for name in ('id', 'kind', 'what', 'where', 'text', 'state', 'count',
                     'len', 'replays', 'reproduced'):
            equal(f[name], info[name], name)
        words = f['command'].split()
        equal(words[:2], ['cfuzz', 'repro'], 'the command')
        status, out, _ = tool(CFUZZ, 'repro', '--timeout', '2500', *words[2:])
        equal(status, 1, 'status of %s' % f['command'])


@case
def named_by_its_target():
    r = campaign()
    usual = os.path.basename(r.target) + '.cfuzz'
    finding = of_kind(r, 'error').info['id'][:6]
    os.rename('out', usual)
    for name, *words in (['findings'], ['show', finding],
                         ['report', '--no-coverage']):
        equal(command(name, r.target, *words), command(name, usual, *words),
              name)
    equal(tool(CFUZZ, 'check', r.target, '--timeout', 2500)[0], 1, 'check')


@case
def order():
    # By state, then what was seen last.
    rows = (('accepted', 9.), ('known', 1.), ('flaky', 5.), ('confirmed', 2.),
            ('confirmed', 3.), ('new', 0.), ('odd', 99.))
    write('out/journal.jsonl', b'')
    for i, (state, last) in enumerate(rows):
        write('out/crashes/f%d/crash.json' % i, json.dumps(
            {'id': '%016x' % i, 'kind': 'signal', 'what': 'SIGSEGV',
             'state': state, 'last_s': last}))
        write('out/crashes/f%d/input' % i, b'x')
    got = [(f['state'], f['last_s']) for f in
           json.loads(command('findings', '--json', 'out'))]
    equal(got, [rows[i] for i in (5, 4, 3, 2, 1, 0, 6)], 'order')


@case
def nothing_found():
    run(build(one_input('')), '-j', 1, '--fuzztime', '10x', '--seeds',
        seeds([b'a']), status=0)
    equal(command('findings', 'out'), 'nothing was found\n', 'says')
    equal(json.loads(command('findings', 'out', '--json')), [], 'JSON')


@case
def one_finding():
    # By id, by the first digits of it, by folder, and by path.
    r = campaign()
    bucket = of_kind(r, 'error')
    whole = command('show', 'out', bucket.info['id'])
    for text in ('crash: error in LLVMFuzzerTestOneInput', 'what is ',
                 'failed in 2 of 2', 'cfuzz repro ', 'input (4 B)',
                 '#0 LLVMFuzzerTestOneInput', 'minimized, 2 bytes:',
                 '?|'):
        check(text in whole, 'no "%s":\n%s', text, whole)
    for words in (['out', bucket.info['id'][:10]], ['out', bucket.folder],
                  ['out', bucket.folder.split('/')[1]]):
        equal(command('show', *words), whole, ' '.join(words))
    check('/minimized\n' in whole.split('cfuzz repro ')[1],
          'it runs another file again:\n%s', whole)
    below = command('show', bucket.path)
    equal(below.splitlines()[:5], whole.splitlines()[:5], 'by path')
    got = json.loads(command('show', '--json', 'out', bucket.info['id']))
    for name in ('id', 'kind', 'what', 'where', 'state', 'count', 'frames'):
        equal(got[name], bucket.info[name], name)
    equal(got['type'], 'finding', 'type')
    equal(bytes.fromhex(got['data']), bucket.minimized, 'data')
    equal([f['name'] for f in got['files']],
          ['crash.json', 'input', 'minimized', 'report.txt'], 'files')


@case
def mutations_that_made_a_finding():
    # The journal has them: the finding came of a seed that did not fail.
    target = build(one_input('''
	if (size > 2 && data[1] == '!')
		abort();'''))
    r = start(target, '-j', 1, '--seeds', seeds([b'aaaa']))
    r.wait_line('to re-run')
    r.signal(signal.SIGINT)
    r.end(1)
    trail = r.events('lineage')[0]['trail']
    check(trail, 'the journal has no trail')
    text = command('show', 'out', r.bucket().info['id'])
    check('made by, from an input of the corpus:' in text, 'says\n%s', text)
    got = json.loads(command('show', '--json', 'out', r.bucket().folder))
    equal(got['trail'], trail, 'trail')


def with_grandparent(target):
    """A campaign, its finds, and one that has a grandparent. Chance may reach
    all that there is in fewer steps: then it takes another campaign."""
    for _ in range(5):
        for name in ('out', 'probe'):
            shutil.rmtree(name, ignore_errors=True)
        r = start(target, '-j', 1, '--minimizetime', 0, '--seeds',
                  seeds([b'zzz']))
        wait_for(lambda: r.calls > 0, 'an input that reaches all')
        r.signal(signal.SIGINT)
        r.end(0)
        finds = {e['input']: e for e in r.events('find')}
        last = max(finds.values(), key=lambda e: e['generation'])
        if last['generation'] >= 2:
            return r, finds, last
    fail('five campaigns without a grandchild, the last: %r', finds)


@case
def lineage_of_an_input():
    # Parent by parent, up to the seed.
    r, finds, last = with_grandparent(build(STEPS))
    got = json.loads(command('show', '--json', 'out', last['input']))
    names, name = [], last['input']
    while name in finds:
        names.append(name)
        name = finds[name]['parent']
    names.append(sha(b'zzz')[:16])
    equal([a['name'] for a in got['lineage']], names, 'lineage')
    equal(bytes.fromhex(got['data']), r.corpus()[last['input']], 'data')
    text = command('show', 'out', last['input'][:12])
    check('came from, the newest first:' in text, 'says\n%s', text)
    equal(command('show', 'out/corpus/' + last['input']).splitlines()[4:],
          text.splitlines()[4:], 'by path')
    check('a seed' in text, 'says\n%s', text)


@case
def any_file():
    # Known by a campaign that lies here, or not.
    r = campaign()
    bucket = of_kind(r, 'error')
    write('same', bucket.input)
    write('other', bytes(range(256)) * 32)
    text = command('show', 'same')
    check('known in   out, as finding %s\n' % bucket.info['id'] in text,
          'says\n%s', text)
    text = command('show', 'other')
    check('known in   no campaign here' in text, 'says\n%s', text)
    check('    00000000  00 01 02 03 04 05 06 07  08 09 0a 0b 0c 0d 0e 0f'
          '  |................|\n' in text, 'no dump:\n%s', text)
    check('... and 4096 more' in text, 'no end:\n%s', text)


@case
def campaign_itself():
    run(build(one_input('')), '-j', 1, '--fuzztime', '10x', '--seeds',
        seeds([b'a']), args=['one', 'two words'], status=0)
    text = command('show', 'out')
    check("arguments  one 'two words'\n" in text, 'says\n%s', text)
    got = json.loads(command('show', 'out', '--json'))
    equal((got['type'], got['args']), ('campaign', ['one', 'two words']),
          'JSON')


EVIL = '\x1b]0;owned\x07\x1b[2J\u202eevil\r\n\x00'


@case
def full_disk():
    # Half of a list must not look like the whole. A reader that goes wants no
    # more, and one who closes standard output wants nothing.
    campaign()
    for words in (['--help'], ['--version'], ['run', '--help'],
                  ['show', '--help'], ['findings', '--version'],
                  ['attach', '--help'], ['findings', 'out'], ['findings', '--json', 'out'],
                  ['show', 'out'], ['report', '--no-coverage', '--sarif', '-',
                                    'out']):
        with open('/dev/full', 'wb') as full:
            done = subprocess.run([CFUZZ, *words], stdin=subprocess.DEVNULL,
                                  stdout=full, stderr=subprocess.PIPE)
        equal(done.returncode, 3, 'status of %s' % words)
        check(b'standard output' in done.stderr, 'said: %s', done.stderr)
        ours, theirs = os.pipe()
        os.close(ours)
        with os.fdopen(theirs, 'wb') as pipe:
            done = subprocess.run([CFUZZ, *words], stdin=subprocess.DEVNULL,
                                  stdout=pipe, stderr=subprocess.PIPE)
        check(done.returncode in (0, -signal.SIGPIPE), 'without a reader: %d',
              done.returncode)
        equal(done.stderr, b'', 'said without a reader')
        done = subprocess.run([CFUZZ, *words], stdin=subprocess.DEVNULL,
                              stderr=subprocess.PIPE,
                              preexec_fn=lambda: os.close(1))
        equal((done.returncode, done.stderr), (0, b''), 'closed')


@case
def hostile_directory():
    # Whatever stands there: nothing raw is printed, nothing hangs or dies.
    number = 1 << 62
    write('out/journal.jsonl', b'\n'.join([
        json.dumps({'event': 'campaign', 'target': EVIL, 'build_id': 'x',
                    'args': [EVIL, 1], 'at_s': 1e300}).encode(),
        b'{"event":"find","input":"' + b'0' * 16 + b'","parent":"' +
        b'0' * 16 + b'","len":-5,"at_s":"x"}',
        b'{"event":"find","input":"' + b'1' * 16 + b'","parent":"' +
        b'2' * 16 + b'","len":1e999}',
        b'{"event":"find","input":"' + b'1' * 16 + b'","parent":"' +
        b'2' * 16 + b'","at_s":1e308,"bits":-1}',
        b'{"event":"lineage","finding":"00000000000000aa","trail":[1,{"op":'
        b'"\\u001b[2J","offset":-1,"len":9223372036854775807},[[]]]}',
        b'[' * 5000 + b'"event":"find"', b'\xff\xfe"event":"find"',
        b'x' * (1 << 21) + b'"event":"find"', b'{"event":"lineage"']))
    write('out/corpus/' + '1' * 16, b'\x1b[2J')
    write('out/corpus/' + '0' * 16, b'')
    good = {'id': '00000000000000aa', 'kind': EVIL, 'what': EVIL,
            'where': EVIL * 100, 'text': EVIL, 'state': EVIL, 'note': EVIL,
            'command': 'rm -rf /', 'count': -number, 'len': number,
            'first_s': 1e308, 'last_s': -1e308, 'replays': number,
            'reproduced': -1, 'frames': [
                1, {}, {'module': EVIL, 'offset': -1, 'function': EVIL,
                        'line': number, 'inlined_into': [1, EVIL]}] * 50}
    for i, text in enumerate([
            json.dumps(good), '', '[]', '{', '{"id": 5, "kind": []}', 'x',
            json.dumps({'id': '../../etc', 'what': 'SIGSEGV'}),
            '[' * 100000]):
        write('out/crashes/bad%d/crash.json' % i, text)
    write('out/crashes/bad0/report.txt', EVIL * 10000)
    write('out/crashes/bad0/input', EVIL)
    os.mkfifo('out/crashes/bad1/input')
    os.symlink('/etc/passwd', 'out/crashes/bad2/input')
    os.mkdir('out/crashes/bad3/minimized')
    os.symlink('/etc', 'out/crashes/link')
    os.mkfifo('out/hangs')
    write('out/crashes/' + 'x\x1b[2J\n' + 'y' * 100 + '/input', b'a')
    text = command('findings', 'out')
    equal(len(text.splitlines()), 10, 'rows of\n%s' % text)
    found = json.loads(command('findings', 'out', '--json'))
    for f in found:
        equal(f['command'][:12], 'cfuzz repro ' if f['len'] else '',
              'command: %s' % f)
        for name in ('count', 'len', 'replays', 'reproduced', 'first_s',
                     'last_s'):
            check(0 <= f[name] < 1e19, '%s: %s', name, f[name])
        command('show', 'out', f['folder'])
    command('show', 'out')
    for name in ('aa', '00000000000000aa', '0' * 16, '1' * 16):
        status, out, err = tool(CFUZZ, 'show', 'out', name)
        check(status in (0, 2), 'status %d', status)
        check('\x1b' not in out + err, 'an escape: %r', out + err)


@each(('no-directory', ['findings', 'nowhere'], 'nowhere'),
      ('no-output', ['findings', '.'], 'not an output directory'),
      ('file', ['findings', 'file'], 'file'),
      ('nothing', ['findings'], 'name an output directory'),
      ('two', ['findings', 'a', 'b'], 'b'),
      ('option', ['findings', '-j', '2', 'a'], '--parallel'),
      ('show-nothing', ['show'], 'name an output directory'),
      ('show-no-file', ['show', 'nowhere'], 'nowhere'),
      ('show-folder', ['show', '.'], 'not an output directory'),
      ('show-id-of-a-file', ['show', 'file', 'abc'], 'it has no ids'),
      ('show-no-id', ['show', 'out', 'abc'], 'no input or finding abc'),
      ('show-evil-id', ['show', 'out', '\x1b[2J'], '\\x1b[2J'))
def refused(words, want):
    write('file', b'x')
    write('out/journal.jsonl', b'')
    check(want in command(*words, status=2), 'does not say %s', want)


main()

#!/usr/bin/env python3
"""Typed targets: from seeds to findings; files are text, and named so."""

import os
import shutil
import string
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
import control    # noqa: E402
from cfuzztest import *    # noqa: E402,F401,F403

VERSION = 'go test fuzz v1\n'


def text(*lines):
    return ''.join([VERSION] + [line + '\n' for line in lines]).encode()


def typed(name, types, parameters, body, more=''):
    """The source of a target whose function has this body."""
    return ('%s\nstatic void\n%s(%s)\n{\n\tprobe_count();\n%s\n}\n'
            'CFUZZ_TARGET(%s, %s)\n%s' %
            (HEAD, name, parameters, body, name, types, more))


def initialize(body):
    return ('int\nLLVMFuzzerInitialize(int *argc, char ***argv)\n{\n'
            '\t(void)argc;\n\t(void)argv;\n%s\n\treturn 0;\n}\n' % body)


# A planted crash: a number and a word that have to be right.
PLANTED = typed('planted', 'bytes, int32, bool',
                'struct cfuzz_bytes word, int32_t number, bool sure', '''
	if (word.size < 3 || word.data[0] != 'k' || word.data[1] != 'e')
		return;
	if (word.data[2] == 'y' && number > 1000 && sure)
		abort();
''')
KEY = text('[]byte("key and more")', "rune('\\U000107ff')", 'bool(true)')
NO_KEY = text('[]byte("ke")', "rune('\\x00')", 'bool(false)')


def check_text(data, types):
    """A whole file, with a line of each type."""
    lines = data.decode().split('\n')
    equal(lines[0] + '\n', VERSION, 'the first line')
    equal(lines[-1], '', 'what follows the last line')
    equal(len(lines) - 2, len(types), 'values in %s' % lines)
    for line, name in zip(lines[1:], types):
        check(re.match(name, line), '%s is no %s', line, name)


PLANTED_TYPES = [r'\[\]byte\("', r'rune\(|int32\(', r'bool\(']


def plant(*options, status=1, files=(KEY, NO_KEY), **more):
    return run(build(PLANTED), '--fuzztime', '2000x', '-j', '1', '--seeds',
               seeds(list(files)), *options, status=status, **more)


@case
def a_whole_life():
    # Found, minimized, told; known again; nothing changes when it is resumed.
    r = plant()
    bucket = r.bucket()
    equal(bucket.input, KEY, 'the input')
    check_text(bucket.minimized, PLANTED_TYPES)
    check(b'[]byte("key")' in bucket.minimized, 'minimized to %s',
          bucket.minimized)
    equal(r.stats['types'], ['[]uint8', 'int32', 'bool'], 'types in stats')
    equal([e['types'] for e in r.events('types')],
          [['[]uint8', 'int32', 'bool']], 'types in the journal')
    for name, data in r.corpus().items():
        check_text(data, PLANTED_TYPES)
        equal(name, sha(data)[:16], 'the name of an entry')
    before = set(r.corpus())
    again = plant('--seed', '7')
    equal(again.bucket().folder, bucket.folder, 'the finding')
    check(before <= set(again.corpus()), 'entries are lost')
    equal(len(again.events('types')), 1, 'lines on types')


@case
def no_start():
    # A target that does not even start says nothing of what is kept.
    target = build(PLANTED + initialize('\tif (getenv("BAD"))\n\t\t_exit(9);'))
    options = '--fuzztime', '200x', '-j', '1', '--seeds', seeds([KEY])
    r = run(target, *options, status=1)
    info = r.bucket().info
    check(info['call'].startswith('planted('), 'call: %s', info['call'])
    left = [{'input': sha(NO_KEY)[:16], 'kind': 'hang', 'what': 'hang',
             'signal': 0}]
    write('out/suspects/' + left[0]['input'], NO_KEY)
    write('out/stats.json', json.dumps(dict(r.stats, suspects_left=left)))
    r = run(target, *options, status=2, env={'BAD': '1'})
    equal(r.bucket().info, info, 'crash.json')
    equal(r.stats['suspects_left'], left, 'the suspects that are left')


@case
def lost_journal():
    # The findings of a target that was built again: stats.json has the types.
    # Without them no input is run that the target would refuse; the next start
    # has them again. No mutation finds this input.
    word = string.ascii_lowercase
    total = 0
    for byte in word.encode():
        total = (31 * total + byte) % 2**32
    source = typed('hidden', 'bytes, bool',
                   'struct cfuzz_bytes word, bool sure', '''
	uint32_t total = 0;
	for (size_t i = 0; i < word.size; i++)
		total = 31 * total + word.data[i];
	if (word.size > 20 && total == %du && sure)
		abort();''' % total)
    key = text('[]byte("%s")' % word, 'bool(true)')
    run(build(source), '--fuzztime', '10x', '-j', '1', '--verify', 2,
        '--minimizetime', 0, '--seeds', seeds([key]), status=1)
    shutil.rmtree('out/corpus')
    shutil.copytree('out', 'copy')
    rebuilt = build(source + initialize(''))
    for lost in ['journal.jsonl'], ['journal.jsonl', 'stats.json']:
        shutil.rmtree('out')
        shutil.copytree('copy', 'out')
        for name in lost:
            os.remove('out/' + name)
        if len(lost) == 2:
            r = control.start(rebuilt, '-j', 1, '--verify', 2)
            r.wait_for(lambda: r.said('fuzz: fixed') or
                       r.said('1 finding waits for the next start'), 'a word on it')
            r.stop(0)
            check(not r.said('fuzz: fixed'), 'says\n%s', r.stdout)
        r = control.start(rebuilt, '-j', 1, '--verify', 2)
        r.control.until(lambda s: s['findings'] and
                        s['findings'][0]['standing'] in ('open', 'fixed'),
                        'the verdict')
        r.stop(None)
        check(not r.said('fuzz: fixed'), 'without %s says\n%s', lost, r.stdout)
        equal(r.bucket().info['reproduced'], 2, 'replays without %s' % lost)
        equal(r.bucket().input, key, 'the input')


@case
def found_from_nothing():
    # Comparisons lead there: the search itself works on tuples.
    r = run(build(PLANTED), '--fuzztime', '3000000x', '-j', '2',
            '--stop-on-crash', status=1, patience=300)
    bucket = r.bucket()
    check_text(bucket.input, PLANTED_TYPES)
    check(b'key' in bucket.input and b'bool(true)' in bucket.input,
          'the input %s', bucket.input)
    check(len(r.corpus()) > 0, 'the corpus is empty')
    for data in r.corpus().values():
        check_text(data, PLANTED_TYPES)


@case
def repro_and_check():
    r = plant()
    target, folder = build(PLANTED), r.bucket().path
    for name, want in ('minimized', 1), ('input', 1):
        status, out = repro(target, os.path.join(folder, name))
        equal(status, want, 'status of repro')
        check('%d bytes: fails' % len(r.bucket().file(name)) in out,
              'repro says\n%s', out)
        check(re.search(r'^    planted\(cfuzz_bytes_of\("key', out, re.M),
              'repro shows no call:\n%s', out)
    status, out = repro(target, write('fine', NO_KEY))
    equal(status, 0, 'status of repro')
    check('fine: %d bytes: ok' % len(NO_KEY) in out, 'repro says\n%s', out)
    for name, data, why in (
            ('raw', b'key', 'must include version and at least one value'),
            ('other', text('string("key")', 'int(5)', 'bool(true)'),
             '[string int bool], want [[]uint8 int32 bool]'),
            ('few', text('[]byte("key")'),
             'wrong number of values in corpus entry: 1, want 3')):
        status, out = repro(target, write(name, data))
        equal(status, 3, 'status of repro')
        check(name in out and why in out, 'repro says\n%s', out)
    status, out, err = tool(CFUZZ, 'check', 'out', target)
    equal(status, 1, 'status of check:\n%s%s' % (out, err))


@case
def made_smaller():
    # cfuzz min, and what it cannot be given.
    target = build(PLANTED)
    status, out, err = tool(CFUZZ, 'min', target, write('big', KEY), '-o',
                            'small')
    equal(status, 0, 'status of min:\n%s%s' % (out, err))
    small = read('small')
    check_text(small, PLANTED_TYPES)
    check(b'"key"' in small, 'minimized to %s', small)
    check('%d -> %d bytes' % (len(KEY), len(small)) in out, 'min says\n%s',
          out)
    equal(read('big'), KEY, 'the input')
    status, out, err = tool(CFUZZ, 'min', target, write('raw', b'key'), '-o',
                            'none')
    equal(status, 2, 'status of min:\n%s%s' % (out, err))
    check('raw: must include version' in err, 'min says\n%s', err)
    check(not os.path.exists('none'), 'something is written')


# What matters of each argument, and how it fails then.
MATTERS = '''
	if (memmem(word.data, word.size, "key", 3) && number <= -1000 &&
		factor >= 2.5 && strstr(text.text, "{}"))
		%s'''
MATTERS_MORE = text('[]byte("0123456789 the key \\xff\\xfe and more")',
                    'int64(-123456789012)', 'float64(1234.75)',
                    'string("text {} text")', "byte('\u00c8')")
MATTERS_MOST = text('[]byte("key")', 'int64(-1000)', 'float64(3)',
                    'string("{}")', "byte('\\x00')")


def matters(ends):
    return build(typed('matters', 'bytes, int64, float64, string, uint8',
                       'struct cfuzz_bytes word, int64_t number, '
                       'double factor, struct cfuzz_string text, uint8_t any',
                       '\t(void)any;' + MATTERS % ends))


@each(('dies', 'abort();'),
      ('says', 'cfuzz_fail("so it is");'),
      # If a stall was taken for the hang, minimization begins anew, at a
      # second for each try.
      ('hangs', 'for (;;)\n\t\t\tprobe_count();', '--timeout', 1000,
       '--minimizetime', '600s'))
def each_argument_gets_small(ends, *options):
    # One after the other, numbers as well, and what does not matter is zero.
    r = run(matters(ends), '-j', 1, '--fuzztime', '20000x', '--minimizetime',
            '60s', '--verify', 1, '--seeds', seeds([MATTERS_MORE]), *options,
            status=1, patience=900)
    found = [b for b in r.buckets() if b.input == MATTERS_MORE]
    check(len(found) == 1, 'findings of %s',
          [b.input for b in r.buckets()])
    equal(found[0].minimized, MATTERS_MOST, 'the minimized input')
    check(r.said('minimizing %d-byte failing input file' % len(MATTERS_MORE)),
          'the length of the text:%s', r.describe())


def held_before_a_try():
    """A campaign, its control, and the name of the finding."""
    r = control.start(matters('abort();'), '-j', 1, '--minimizetime', 0,
                      '--verify', 1, '--seeds', seeds([MATTERS_MORE]))
    c = r.control
    c.until(lambda s: any(f['state'] == 'confirmed' for f in s['findings']),
            'a finding')
    name = c.snapshot['findings'][0]['id']
    c.command('set minimizetime 60s')
    c.command('minimize %s held' % name)
    return r, c, name


@case
def accepted_as_it_is():
    r, c, name = held_before_a_try()
    equal(c.command('step accept %s' % name),
          'accepted as it is: %d bytes' % len(MATTERS_MORE), 'the answer')
    c.command('stop')
    r.end(1)


@case
def smaller_by_steps():
    # Held, undone and let go: the same machine, on arguments.
    r, c, name = held_before_a_try()

    def tries():
        return c.query('minimization', name=name, count=65536)

    for n in range(1, 4):
        c.command('step next %s' % name)
        c.until(lambda s: tries()['last'] == n, 'try %d' % n)
    c.command('step accepted %s' % name)
    c.until(lambda s: any(t['verdict'] == 'same'
                          for t in tries()['tries']), 'an accepted try')
    c.command('step undo %s' % name)
    c.until(lambda s: any(t['verdict'] == 'undone'
                          for t in tries()['tries']), 'an undone try')
    c.command('step go %s' % name)
    c.until(lambda s: s['findings'][0]['state'] == 'confirmed' and
            s['findings'][0]['minimized_len'] > 0, 'the end')
    c.command('stop')
    r.end(1)
    small = r.bucket().minimized
    check_text(small, (r'\[\]byte\(', 'int64', 'float64', 'string', 'byte'))
    for line in MATTERS_MOST.decode().split('\n')[2:5]:
        check(line in small.decode(), 'minimized to %s', small)


@case
def fewer_files():
    # cfuzz cmin: copies of files, and what is none of the target's is told.
    files = {'a': text('[]byte("k")', "rune('a')", 'bool(false)'),
             'b': text('[]byte("ke")', "rune('a')", 'bool(false)'),
             'c': text('[]byte("kex")', "rune('a')", 'bool(false)'),
             'd': text('[]byte("q")', "rune('a')", 'bool(false)'),
             'e': text('[]byte("qqqqqqq")', "rune('a')", 'bool(true)'),
             'README': b'no input\n'}
    place = seeds(files)
    status, out, err = tool(CFUZZ, 'cmin', build(PLANTED), place, '-o', 'new')
    equal(status, 0, 'status of cmin:\n%s%s' % (out, err))
    check('1 file left out, the target takes something else' in out and
          'README' in out, 'cmin says\n%s', out)
    kept = {n: read('new/' + n) for n in os.listdir('new')}
    check(1 < len(kept) < 5, 'kept %s', kept)
    for name, data in kept.items():
        check(data in files.values(), 'another file: %s', data)
        equal(name, sha(data)[:16], 'its name')


def call_of(data):
    """Of a file of PLANTED, whose numbers and words are plain."""
    word, number, sure = data.decode().splitlines()[1:]
    word = re.match(r'\[\]byte\(("[a-z]*")\)$', word).group(1)
    status, out, _ = tool(CFUZZ, 'repro', build(PLANTED), write('one', data))
    call = re.search(r'planted\(.*\);', out).group(0)
    check(word in call, 'no %s in %s', word, call)
    return call


@case
def shown():
    # cfuzz show and cfuzz findings: the text, and what the target takes.
    r = plant()
    types = ['[]uint8', 'int32', 'bool']
    status, out, _ = tool(CFUZZ, 'show', '--json', 'out')
    equal(json.loads(out)['types'], types, 'types of the campaign')
    status, out, _ = tool(CFUZZ, 'show', 'out')
    check('[]uint8, int32, bool' in out, 'show says\n%s', out)
    status, out, _ = tool(CFUZZ, 'findings', '--json', 'out')
    row = json.loads(out)[0]
    equal(row['types'], types, 'types of a finding')
    equal(row['len'], len(KEY), 'its length')
    equal(row['minimized_len'], len(r.bucket().minimized), 'minimized')
    # A finding as a call, and its files as the text that they are.
    call = call_of(r.bucket().minimized)
    equal(r.bucket().info['call'], call, 'the call in crash.json')
    status, out, _ = tool(CFUZZ, 'show', 'out', row['id'])
    check('  %s\n' % call in out, 'no %s:\n%s', call, out)
    for line in r.bucket().minimized.decode().splitlines():
        check('\n    %s\n' % line in out, 'no %s:\n%s', line, out)
    name, data = sorted(r.corpus().items())[0]
    status, out, _ = tool(CFUZZ, 'show', '--json', 'out', name)
    shown = json.loads(out)
    equal(bytes.fromhex(shown['data']), data, 'the bytes of an entry')
    equal(shown['lineage'][0]['name'], name, 'where it comes from')
    equal(shown['lineage'][0]['len'], len(data), 'its length there')


@case
def call_on_the_screen():
    # What the console shows of a typed finding, and of the same made smaller.
    r = control.start(build(PLANTED), '-j', 1, '--seeds',
                      os.path.abspath(seeds([KEY, NO_KEY])))
    c = r.control
    c.until(lambda s: s['findings'] and s['findings'][0]['minimized_len'] > 0,
            'a minimized finding')
    info = wait_for(lambda: r.buckets() and r.bucket().has('minimized') and
                    r.bucket().info, 'its files')
    equal(c.query('finding', name=info['id'])['typed'], True, 'typed')
    reply = c.query('entry', name=info['id'] + '/call', count=4096)
    said = bytes.fromhex(reply['bytes']).decode()
    reply = c.query('entry', name=info['id'] + '/call', first=8, count=4)
    equal(bytes.fromhex(reply['bytes']).decode(), said[8:12], 'a piece of it')
    r.stop(1)
    equal(said, call_of(r.bucket().minimized) + '\n', 'the call')


@case
def calls_in_a_row():
    # The last call of a sequence passes alone, so nobody shows it as the call.
    target = build(typed('two', 'string, int32', 'struct cfuzz_string word, '
                         'int32_t number', '''
	static int armed;

	if (word.size > 0 && word.text[0] == 'B' && armed)
		abort();
	armed |= word.size > 0 && word.text[0] == 'A' && number == 7;'''))
    r = control.start(target, '-j', 1, '--seeds',
                      seeds([text('string("A")', 'int32(7)'),
                             text('string("B")', 'int32(8)')]))
    c = r.control
    c.until(lambda s: s['findings'] and s['findings'][0]['sequence'] == 2,
            'a sequence')
    info = wait_for(lambda: r.bucket().info.get('sequence') and
                    r.bucket().info, 'its file')
    reply = c.query('entry', name=info['id'] + '/call', count=4096)
    said = bytes.fromhex(reply['bytes']).decode()
    c.command('export %s sent' % info['id'])
    r.stop(1)
    calls = ['two(cfuzz_string_of("A", 1), INT32_C(7));',
             'two(cfuzz_string_of("B", 1), INT32_C(8));']
    equal(said.splitlines(), calls, 'the page of the call')
    last = calls[1] + ' /* the last of 2 calls, see sequence/ */'
    equal(r.bucket().info['call'], last, 'call in crash.json')
    equal(json.loads(read('sent/crash.json'))['call'], last, 'in the export')
    check(last in tool(CFUZZ, 'show', 'out', info['id'])[1], 'cfuzz show')
    status, out = repro(target, r.bucket().path)
    equal(status, 1, 'status of cfuzz repro')
    equal([line.strip() for line in out.splitlines() if 'two(cf' in line],
          calls, 'cfuzz repro')


@each(('raw', b'key', 'must include version and at least one value'),
      ('version', b'go test fuzz v2\nint(1)\n', 'unknown encoding version'),
      ('line', text('[]byte("x")', 'int32(x)', 'bool(true)'),
       'malformed line'),
      ('number', text('[]byte("x")'),
       'wrong number of values in corpus entry: 1, want 3'),
      ('types', text('string("hello")', 'int(50)', 'bool(true)'),
       '[string int bool], want [[]uint8 int32 bool]'))
def wrong_seeds(data, why):
    # Named and passed over, as anything else that is no seed.
    r = run(build(PLANTED), '--fuzztime', '10x', '--seeds',
            seeds({'good': NO_KEY, 'wrong': data}), status=0)
    check(r.said('1 seed skipped, it is of other types than the target takes: wrong: '),
          'it is not named:%s', r.describe())
    check(r.said(why), 'it is not said why:%s', r.describe())
    # In the output directory's own corpus, too.
    write('out/corpus/0123456789abcdef', data)
    os.chmod('out/corpus/0123456789abcdef', 0o600)
    again = start(build(PLANTED), '--fuzztime', '10x', '--seeds',
                  seeds({'good': NO_KEY}, 'fine')).wait()
    equal(again.status, 0, 'status of the second run')
    check(again.said('than the target takes: 0123456789abcdef: '),
          'it is not named:%s', again.describe())
    check(os.path.exists('out/corpus/0123456789abcdef'), 'it is gone')


@case
def same_text_once():
    # B67: ten files, five inputs.
    files = [text('int(0)')] * 6 + [text('int(%d)' % i) for i in (6, 7, 8, 9)]
    source = typed('number', 'int', 'int64_t n', '\t(void)n;')
    r = run(build(source), '--fuzztime', '10x', '-j', '1', '--seeds',
            seeds(files), status=0)
    check(r.said('gathering baseline coverage: 5/5 completed'), 'said%s',
          r.describe())


@case
def no_room_for_any_input():
    target = build(typed('shortest', 'int32, string, float64',
                         'int32_t a, struct cfuzz_string s, double f',
                         '\t(void)a;\n\t(void)s;\n\t(void)f;'))
    r = run(target, '-j', 1, '--fuzztime', '10x', '--max-len', 22, status=2)
    check('at least 23 bytes: raise --max-len' in r.stderr, 'said: %s',
          r.stderr)
    run(target, '-j', 1, '--fuzztime', '10x', '--max-len', 23, out='fits',
        status=0)


STRING = typed('words', 'string', 'struct cfuzz_string s', '\t(void)s;')


def check_calm(r):
    """No call was refused: each one is a line of the journal."""
    check(not r.said('wrote over'), 'the target is accused%s', r.describe())
    check(len(r.journal) < 50, 'a flood:%s', r.describe())


@case
def nothing_to_mutate():
    # An empty argument that cannot grow: no mutator makes anything of it.
    r = run(build(STRING), '-j', 1, '--fuzztime', '200x', '--max-len', 5,
            status=0)
    check_calm(r)


@case
def nothing_to_mutate_any_more():
    r = control.start(build(STRING), '-j', 1, '--max-len', 64)
    r.wait_fuzzing()
    r.control.command('set max-len 5')
    before = r.calls
    r.wait_for(lambda: r.calls > before + 200, 'calls')
    r.stop(0)
    check_calm(r)


@case
def longest_bytes():
    # One argument of bytes: a target of plain bytes, whose seeds may be text.
    source = typed('any', 'bytes', 'struct cfuzz_bytes b', '\t(void)b;')
    r = run(build(source), '--fuzztime', '10x', '--max-len', '64', '--seeds',
            seeds({'fits': text('[]byte("%s")' % ('\\x00' * 64)),
                   'long': text('[]byte("%s")' % ('a' * 65))}), status=0)
    check(r.said('1 seed skipped, it is over --max-len: long'), 'said%s',
          r.describe())


@case
def longest():
    # --max-len is of the values, not of the text.
    source = typed('any', 'string, bool', 'struct cfuzz_string s, bool b',
                   '\t(void)s;\n\t(void)b;')
    r = run(build(source), '--fuzztime', '10x', '--max-len', '64', '--seeds',
            seeds({'fits': text('string("%s")' % ('\\x00' * 50),
                                'bool(true)'),
                   'long': text('string("%s")' % ('a' * 51), 'bool(true)')}),
            status=0)
    check(r.said('1 seed skipped, it is over --max-len: long'), 'said%s',
          r.describe())


OWN = initialize('''
	CFUZZ_SEED(cfuzz_bytes("kez", 3), cfuzz_int32(5), cfuzz_bool(true));
	CFUZZ_SEED(cfuzz_bytes("key", 3), cfuzz_int32(5000), cfuzz_bool(true));
''')


@case
def own_seeds():
    # What the target brings is run first, as any other seed.
    r = run(build(PLANTED + OWN), '--fuzztime', '10x', '-j', '1',
            '--minimizetime', '0', status=1)
    check(r.said('gathering baseline coverage: 2/2 completed'), 'said%s',
          r.describe())
    equal(r.bucket().input, text('[]byte("key")', "rune('ᎈ')", 'bool(true)'),
          'the input')
    # B102: under --stop-on-crash nothing is written.
    r = run(build(PLANTED + OWN), '--fuzztime', '10x', '--stop-on-crash',
            out='other', status=1)
    check(r.said('failure while testing seed corpus entry: target/seed#1'),
          'said%s', r.describe())
    r.no_findings()


@each(('types', 'cfuzz_string("hello"), cfuzz_int(50)',
       '[string int], want [[]uint8 int8]'),
      ('number', 'cfuzz_bytes("hello", 5)',
       'wrong number of values in corpus entry: 1, want 2'))
def own_seeds_that_do_not_fit(seed, why):
    # B54, B55.
    source = typed('two', 'bytes, int8', 'struct cfuzz_bytes b, int8_t n',
                   '\t(void)b;\n\t(void)n;',
                   initialize('\tCFUZZ_SEED(%s);' % seed))
    r = start(build(source), '--fuzztime', '10x').end(2)
    check(why in r.stderr, 'not said:%s', r.describe())


def nonzero(name, parameter, condition):
    return name, typed('one', name, parameter,
                       '\tif (%s)\n\t\tcfuzz_fail("not zero");' % condition)


SCALARS = [nonzero(name, '%s n' % kind, 'n != 0') for name, kind in (
    ('int', 'int64_t'), ('int8', 'int8_t'), ('int16', 'int16_t'),
    ('int32', 'int32_t'), ('int64', 'int64_t'), ('uint', 'uint64_t'),
    ('uint8', 'uint8_t'), ('uint16', 'uint16_t'), ('uint32', 'uint32_t'),
    ('uint64', 'uint64_t'), ('float32', 'float'), ('float64', 'double'),
    ('byte', 'uint8_t'), ('rune', 'int32_t'), ('bool', 'bool'))]
SCALARS.append(nonzero('string', 'struct cfuzz_string s', 's.size > 0'))


@each(*SCALARS)
def not_zero(source):
    # B87: within 100 executions of an empty corpus, whatever the seed.
    for seed in range(1, 6):
        out = 'out%d' % seed
        r = run(build(source), '--fuzztime', '100x', '-j', '1', '--verify',
                '0', '--seed', seed, '--stop-on-crash', '--minimizetime', '0',
                out=out, status=1)
        equal(len(r.buckets('crashes')), 1, 'findings')


@case
def two_byte_arguments():
    # B86: both not empty, from an empty corpus, within 100 executions.
    source = typed('two', 'bytes, bytes',
                   'struct cfuzz_bytes a, struct cfuzz_bytes b',
                   '\tif (a.size > 0 && b.size > 0)\n\t\tabort();')
    for seed in range(1, 6):
        r = run(build(source), '--fuzztime', '100x', '-j', '1', '--verify',
                '0', '--seed', seed, '--stop-on-crash', '--minimizetime', '0',
                out='out%d' % seed, status=1)
        check(b'[]byte("")' not in r.bucket().input, 'input %s',
              r.bucket().input)


@case
def one_limit_for_all_arguments():
    # B113: two arguments of ten bytes that cannot be smaller. What the first
    # uses up counts once, and the second gets all that is left.
    target = build(typed('two', 'bytes, bytes',
                         'struct cfuzz_bytes a, struct cfuzz_bytes b',
                         '\tif (a.size == 10 && b.size == 10 && '
                         'memcmp(a.data, "~~~~~~~~~~", 10) == 0 && '
                         'memcmp(b.data, "~~~~~~~~~~", 10) == 0)\n'
                         '\t\tcfuzz_fail("both");'))
    write('input', text(*['[]byte("~~~~~~~~~~")'] * 2))

    def tries(*limit):
        status, out, err = tool(CFUZZ, 'min', '--json', '--timeout', '10000',
                                *limit, target, 'input', '-o', 'small')
        equal(status, 0, 'status: %s' % err)
        return json.loads(out.splitlines()[-1])['tries']
    every = tries()
    check(every > 400, 'only %d tries', every)
    equal(tries('--minimizetime', '%dx' % (every + 1)), every,
          'tries within a limit that is enough')
    equal(tries('--minimizetime', '%dx' % (every // 2 + 1)), every // 2,
          'tries within half of it')


@case
def other_types():
    # Rebuilt, it takes something else: its directory is left alone.
    r = plant('--minimizetime', '0')
    files = {}
    for folder, _, names in os.walk(r.out):
        for name in names:
            path = os.path.join(folder, name)
            if name != '.lock':
                files[path] = read(path)
    source = typed('planted', 'string', 'struct cfuzz_string s', '\t(void)s;')
    os.makedirs('new')
    target = build(PLANTED)
    other = shutil.copy(build(source), 'new/target')
    os.symlink(target, 'link')
    moved = start(other, '--fuzztime', '10x').end(2)
    check('belongs to another target' in moved.stderr, 'said%s',
          moved.describe())
    shutil.copy(target, 'same')
    shutil.rmtree('out')
    r = run(os.path.abspath('same'), '--fuzztime', '200x', '--seeds',
            seeds([KEY]), '--minimizetime', '0', status=1)
    before = read('out/journal.jsonl'), read('out/stats.json')
    shutil.copy(build(source), 'same')
    again = start(os.path.abspath('same'), '--fuzztime', '10x').end(2)
    check('takes ([]uint8, int32, bool), not (string)' in again.stderr,
          'said%s', again.describe())
    status, _, err = tool(CFUZZ, 'check', 'out', os.path.abspath('same'))
    equal(status, 2, 'status of cfuzz check: %s' % err)
    check('takes ([]uint8, int32, bool), not (string)' in err, 'says %s', err)
    equal((read('out/journal.jsonl'), read('out/stats.json')), before,
          'the files')


@case
def exported():
    # As text, and as a program that calls the target with it.
    target = build(PLANTED)
    data = text('[]byte("key \\xff */")', "rune('ᎈ')", 'bool(true)')
    r = control.start(target, '-j', 1, '--minimizetime', '0', '--seeds',
                      seeds([data]))
    c = r.control
    f = c.until(lambda s: s['findings'] and s['findings'][0]['replays'] and
                s, 'a finding')['findings'][0]
    equal(f['len'], len(data), 'the length that is shown')
    c.command('export %s sent' % f['id'])
    r.stop(1)
    equal(read('sent/input'), data, 'the input')
    status, _, err = tool('cc', '-Wall', '-Wextra', '-Werror',
                          '-I' + os.path.join(SRC, 'include'), '-c',
                          'sent/input.c')
    equal(status, 0, 'compiling: %s' % err)
    status, _, err = tool('cc', '-I' + os.path.join(SRC, 'include'),
                          '-I' + os.path.join(SRC, 'tests/e2e/lib'), '-o',
                          'prog', 'input.o', target + '.c')
    equal(status, 0, 'compiling: %s' % err)
    status, _, _ = tool('./prog')
    equal(status, -6, 'status of the program')
    check('INT32_C(5000), true)' in read('sent/input.c').decode(),
          'there is no call')


@case
def what_has_no_use():
    # A mutator that knows no types, and seeds that have no room, are told.
    more = '''
size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
	unsigned int seed)
{
	(void)data;
	(void)max_size;
	(void)seed;
	abort();
	return size;
}
''' + initialize('''
	static const char zeros[1 << 16];
	for (int i = 0; i < 2000; i++)
		CFUZZ_SEED(cfuzz_string(zeros, sizeof(zeros)));''')
    source = typed('any', 'string', 'struct cfuzz_string s', '\t(void)s;',
                   more)
    r = run(build(source), '--fuzztime', '10x', status=0)
    check(r.said('do not fit into its memory'), 'said%s', r.describe())
    check(r.said('its mutators are not used'), 'said%s', r.describe())


@case
def plain_bytes():
    # One argument of bytes alone: files are raw.
    source = typed('one', 'bytes', 'struct cfuzz_bytes b', '''
	if (b.size == 3 && b.data[0] == 'b')
		abort();''', initialize('\tCFUZZ_SEED(cfuzz_bytes("bad", 3));'))
    r = run(build(source), '--fuzztime', '50x', '-j', '1', status=1)
    equal(r.bucket().input, b'bad', 'the input')
    check('types' not in r.stats, 'types in stats.json')


if __name__ == '__main__':
    main()

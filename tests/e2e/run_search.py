#!/usr/bin/env python3
"""The search: what comparisons ask for is found, inputs are chosen as the
options say, and each input can be made again."""

# BEGUN FIRST
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403
from search import PLAIN, SAME, SINK, cases    # noqa: E402

ADDRESS = ['-fsanitize=address']

# ---- what comparisons ask for ---------------------------------------------

TEXT = '''
	char text[65] = "";

	memcpy(text, data, size < 64 ? size : 64);
	if (%s)
		sink++;'''

NUMBER = '''
	uint64_t number;

	if (size < 8)
		return 0;
	memcpy(&number, data, 8);
	%s'''

# Bytes that no chance makes, how they are asked for, a part of the word.
WANTED = (
    ('integer', b'\x0d\xf0\xad\xba\xce\xfa\xed\xfe', '\\xed\\xfe', NUMBER %
     'if (number == 0xfeedfacebaadf00d)\n\t\tsink++;'),
    ('big-endian', b'\xfe\xed\xfa\xce\xba\xad\xf0\x0d', '\\xfe\\xed', NUMBER %
     'if (__builtin_bswap64(number) == 0xfeedfacebaadf00d)\n\t\tsink++;'),
    ('switch', b'\x0d\xf0\xad\xba\xce\xfa\xed\xfe', '\\xed\\xfe', NUMBER % '''
	switch (number) {
	case 0xdecafbadc0ffee00:
		sink += 2;
		break;
	case 0xfeedfacebaadf00d:
		sink++;
		break;
	}'''),
    ('strcmp', b'open sesame', 'open sesame', TEXT %
     'strcmp(text, "open sesame") == 0'),
    ('memcmp', b'\x00\x01binary\xfe\xff', 'binary', TEXT %
     'memcmp(text, "\\0\\1binary\\xfe\\xff", 10) == 0'),
    ('strstr', b'needle in it', 'needle in it', TEXT %
     'strstr(text, "needle in it") != NULL'),
)

WAYS = (('', [], None), ('-asan', ADDRESS, None), ('-gcc', [], 'gcc'),
        ('-gcc-asan', ADDRESS, 'gcc'))


def is_solved(r, wanted, word):
    """An input has the bytes, and they are a word for all others."""
    check(any(wanted in data for data in r.corpus().values()),
          'not found: %r in %r', wanted, list(r.corpus().values()))
    words = [e['word'] for e in r.events('word')]
    check(any(word in w for w in words), 'no such word is learned: %s', words)
    equal(r.stats['words_learned'], len(words), 'words in stats.json')


@each(*[(name + end, wanted, word, body, flags, compiler)
        for name, wanted, word, body in WANTED
        for end, flags, compiler in WAYS])
def solves(wanted, word, body, flags, compiler):
    if compiler and not shutil.which(compiler):
        raise Skip('there is no %s' % compiler)
    target = build(one_input(body, SINK), flags=flags, compiler=compiler)
    is_solved(run(target, *SAME, '--fuzztime', '100000x', status=0), wanted,
              word)


STRING = '''#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static volatile int sink;
	std::string text(reinterpret_cast<const char *>(data), size);

	if (text == "open sesame")
		sink = 1;
	return 0;
}
'''


@each(('plain', []), ('asan', ADDRESS))
def solves_string_of_cxx(flags):
    target = build(STRING, tool='cfuzz-c++', flags=flags)
    is_solved(run(target, *SAME, '--fuzztime', '100000x', '--seeds',
                  seeds([b'hello world']), status=0), b'open sesame',
              'open sesame')


@case
def solves_string_of_cxx_from_nothing():
    # No branch tells that a beginning was right, only the progress of the
    # comparison, which counts when nothing else was found for long.
    r = run(build(STRING, tool='cfuzz-c++'), *SAME, '--fuzztime', '5000000x',
            status=0)
    check(b'open sesame' in r.corpus().values(), 'not found: %r',
          list(r.corpus().values()))


COUNT = one_input('''
	size_t opened = 0, i;

	for (i = 0; i < size; i++)
		opened += data[i] == '(';
	if (opened == 123)
		abort();''')


@each(('clang', None), ('gcc', 'gcc'))
def solves_a_count(compiler):
    # No branch tells of 123, and each input is far from it: what is missing is
    # put there at once. What the engine makes of parent and
    # mutation log agrees.
    if compiler and not shutil.which(compiler):
        raise Skip('there is no %s' % compiler)
    # It takes some 50000 executions.
    r = run(build(COUNT, compiler=compiler), *SAME, '--fuzztime', '5000000x',
            '--stop-on-crash', '--verify', 0, '--minimizetime', 0, '--seeds',
            seeds([b'f(x)' + b' ' * 400]), status=1)
    bucket = r.bucket()
    equal(bucket.input.count(b'('), 123, 'brackets')
    taken = [s['op'] for s in r.events('lineage')[0]['trail']]
    check('repeat to count' in taken, 'it was made by %s', taken)
    check(bucket.info['count'] > 1 or not bucket.has('witness'),
          '%s has two witnesses', bucket.folder)


@case
def nothing_is_learned():
    # Who compares nothing asks for no words.
    r = run(build(one_input('\tprobe_count();')), *SAME, '--fuzztime',
            '20000x', status=0)
    equal(r.events('word'), [], 'words')
    equal(r.stats['words'], 0, 'stats.json: "words"')


# ---- the choice of inputs -------------------------------------------------

STAIRS = one_input('''
	static const uint8_t word[] = "stairs";
	size_t i;

	for (i = 0; i < size && i < 6 && data[i] == word[i]; i++)
		switch (i) {
%s		}
	if (i == 6)
		abort();''' % cases(6), SINK)

SCHEDULES = [(name, name) for name in ('energy', 'fast', 'even', 'fifo')]


@each(*SCHEDULES)
def schedule(name):
    # Each climbs, one input after the other.
    r = run(build(STAIRS, flags=PLAIN), *SAME, '--schedule', name,
            '--fuzztime', '3000000x', '--stop-on-crash', '--verify', 1,
            status=1)
    check(r.bucket().input.startswith(b'stairs'), 'the input: %r',
          r.bucket().input)
    equal(r.stats['limits']['schedule'], {'value': name, 'origin': 'flag',
                                          'live': True}, 'the limit')


@case
def unknown_schedule():
    # Refused, with the names that there are.
    status, out, err = tool(CFUZZ, 'run', '--schedule', 'best', build(STAIRS))
    equal(status, 2, 'status')
    for name, _ in SCHEDULES:
        check(name in err, 'it does not name %s: %s', name, err)
    check('best' in err, 'it does not say what is wrong: %s', err)


# ---- the same again -------------------------------------------------------

# Words, numbers, many branches, two ways to fail.
RICH = one_input('''
	char text[33] = "";
	uint32_t number;

	memcpy(text, data, size < 32 ? size : 32);
	for (size_t i = 0; i < size && i < 16; i++)
		switch (data[i] & 15) {
%s		}
	if (strstr(text, "magic") != NULL)
		sink += 100;
	if (size > 8) {
		memcpy(&number, data + 4, 4);
		if (number == 0xcafe1234)
			sink += 200;
		if (number == 0xcafe1235)
			abort();
	}
	if (strcmp(text, "crash") == 0)
		cfuzz_fail("found");''' % cases(16), SINK)


def without_times(path):
    """A file's content, but for what a clock or a process number says."""
    lines = read(path).splitlines()
    if not path.endswith(('.json', '.jsonl')):
        return lines
    found = [json.loads(line) for line in lines] if path.endswith('l') else \
        [json.loads(b'\n'.join(lines))]
    for item in found:
        for name in ('t', 'at_s', 'pid', 'output', 'first_s', 'last_s',
                     'first_at', 'last_at', 'command'):
            item.pop(name, None)
    return found


def all_files(r):
    """{path: content} of a whole output directory."""
    found = {}
    for folder, _, files in os.walk(r.out):
        for name in files:
            # The coverage has times of functions within its lines.
            if name not in ('stats.json', 'coverage.jsonl', '.lock'):
                path = os.path.join(folder, name)
                found[os.path.relpath(path, r.out)] = without_times(path)
    return found


@each(('plain', PLAIN), ('asan', PLAIN + ADDRESS))
def the_same_again(flags):
    write('words', '"<tag>"\n"</tag>"\n')
    target = build(RICH, flags=flags)
    one, two = (all_files(run(
        target, *SAME, '--fuzztime', '200000x', '--dict', 'words', '--seeds',
        seeds([b'seed', b'other <tag>']), out='out%d' % i, status=1))
        for i in range(2))
    equal(sorted(one), sorted(two), 'files')
    for name in one:
        for a, b in zip(one[name] + [None], two[name] + [None]):
            equal(a, b, name)
    check(len(one) > 50, 'only %d files', len(one))
    check(any(name.startswith('crashes/') for name in one), 'no findings')


# ---- the second witness ---------------------------------------------------

# Hundreds of ways to fail, of which an input's bytes choose one. What the
# engine makes of parent, mutation log and literals must be the bytes that
# failed: other bytes would stand in more/, which is empty as long as a failure
# is seen once.
TREE = SINK + '''
static void (*const nodes[16])(uint32_t, int);

#define NODE(n) \\
	static void \\
	node_##n(uint32_t way, int left) \\
	{ \\
		if (left == 0) \\
			cfuzz_fail("a leaf"); \\
		else \\
			nodes[way & 15](way >> 4, left - 1); \\
		sink = n; \\
	}
NODE(0) NODE(1) NODE(2) NODE(3) NODE(4) NODE(5) NODE(6) NODE(7)
NODE(8) NODE(9) NODE(10) NODE(11) NODE(12) NODE(13) NODE(14) NODE(15)

static void (*const nodes[])(uint32_t, int) = { node_0, node_1, node_2, node_3,
	node_4, node_5, node_6, node_7, node_8, node_9, node_10, node_11,
	node_12, node_13, node_14, node_15 };

static void
maybe_fail(const uint8_t *data, size_t size, uint32_t one_in)
{
	uint32_t hash = (uint32_t)size;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ data[i]) * 0x9e3779b1u;
	hash ^= hash >> 15;
	if (hash % one_in == 0)
		nodes[hash >> 24 & 15](hash >> 4, 4);
}
'''

BRANCHES = '''
	for (size_t i = 0; i < size && i < 8; i++)
		switch (data[i] & 7) {
%s		}
''' % cases(8)

MUTATOR = '''
size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
	size = LLVMFuzzerMutate(data, size, max);
	if (size > 0)
		data[size / 2] ^= (uint8_t)seed;
	return size;
}
'''

CHAINS = (
    # name, the target's head, its body, a step that must have been taken
    ('ours', TREE, BRANCHES + '\tmaybe_fail(data, size, 32);', None),
    ('compared', TREE, '''
	static const char *const words[] = { "one", "word of", "many" };
	char text[33] = "";

	memcpy(text, data, size < 32 ? size : 32);
	for (int i = 0; i < 3; i++)
		if (strstr(text, words[i]) != NULL)
			maybe_fail(data, size, 8);''', 'compared value'),
    ('custom', TREE + MUTATOR, BRANCHES + '\tmaybe_fail(data, size, 32);',
     "the target's mutator"),
)


@each(*CHAINS)
def witnesses_agree(head, body, step):
    write('words', '"<tag>"\n"</tag>"\n')
    r = run(build(one_input(body, head), flags=PLAIN), '-j', 2, '--fuzztime',
            '5000x', '--verify', 0, '--minimizetime', '20x', '--dict',
            'words', '--seeds', seeds([b'one seed', b'<a b="c">', b'x' * 40]),
            '--seed', 1, status=1)
    once = [b for b in r.buckets() if b.info['count'] == 1]
    check(len(once) >= 60, 'only %d failures', len(once))
    for bucket in once:
        check(not bucket.has('witness'), '%s has two witnesses', bucket.folder)
    taken = [s['op'] for e in r.events('lineage') for s in e['trail']]
    check(step is None or step in taken, 'no step "%s": %s', step, set(taken))
    check(step is not None or len(set(taken)) > 20, 'only these steps: %s',
          set(taken))


# ---- length ---------------------------------------------------------------

LENGTH_MIN = 64    # inputs may be so long from the start …
LENGTH_VAIN = 200000    # … and a quarter longer after so many vain executions

MEASURE = '''
	static uint64_t *longest;

	if (longest == NULL)
		longest = probe_number("longest");
	if (*longest < size)
		*longest = size;
'''

# Finds, one after the other, in inputs of at most 16 bytes.
SHORT = MEASURE + '''
	if (size > 16)
		return 0;
	for (size_t i = 0; i < size; i++)
		switch (data[i] ^ i) {
%s		}''' % cases(256)


@case
def short_while_finds_come():
    # What is too long for it is known: else the first of those is a find.
    r = run(build(one_input(SHORT, SINK), flags=PLAIN), *SAME, '--fuzztime',
            '150000x', '--seeds', seeds([b'', b'x' * 17]), status=0)
    check(len(r.events('find')) > 100, 'only %d finds', len(r.events('find')))
    equal(r.number('longest'), LENGTH_MIN, 'the longest input')
    equal(r.stats['length_cap'], LENGTH_MIN, 'stats.json: "length_cap"')


@case
def longer_when_none_come():
    vain = 8
    r = run(build(one_input(MEASURE)), *SAME, '--fuzztime',
            '%dx' % (vain * LENGTH_VAIN), status=0)
    cap = r.stats['length_cap']
    check(2 * LENGTH_MIN < cap <= LENGTH_MIN * 1.25 ** vain, 'a cap of %d',
          cap)
    check(LENGTH_MIN < r.number('longest') <= cap,
          'the longest input has %d bytes', r.number('longest'))


@case
def twice_as_long_as_what_there_is():
    r = run(build(one_input(MEASURE)), *SAME, '--fuzztime', '50000x',
            '--seeds', seeds([b'x' * 1000]), status=0)
    longest = max([1000] + [e['len'] for e in r.events('find')])
    check(1000 < r.number('longest') <= 2 * longest,
          'the longest input has %d bytes', r.number('longest'))


@each(*SCHEDULES)
def never_over_max_len(name):
    r = run(build(one_input(MEASURE)), *SAME, '--fuzztime', '50000x',
            '--max-len', 50, '--schedule', name, status=0)
    equal(r.number('longest'), 50, 'the longest input')


# ---- dictionaries ---------------------------------------------------------

# Says which words were in some input; without counters nothing guides there.
SPY = one_input('''
	static const char *const words[] = { "without a level", "of level one",
		"of level two", "after bad lines", "of another file" };
	static uint64_t *seen[5];
	char name[8];

	for (int i = 0; i < 5; i++) {
		if (!has(data, size, words[i]))
			continue;
		if (seen[i] == NULL) {
			snprintf(name, sizeof(name), "word%d", i);
			seen[i] = probe_number(name);
		}
		probe_add(seen[i]);
	}''', '''
/* Byte by byte: nobody shall learn from it. */
static bool
has(const uint8_t *data, size_t size, const char *word)
{
	for (size_t i = 0, n; i < size; i++) {
		for (n = 0; i + n < size && data[i + n] == (uint8_t)word[n];)
			if (word[++n] == '\\0')
				return true;
	}
	return false;
}
''')


@case
def several_dictionaries():
    # Bad lines are named by line and column; of the rest, what the levels
    # allow is used.
    write('first.dict', '"without a level"\nlow@1="of level one"\n'
          'high@2="of level two"\n')
    write('second.dict', '# comment\n\nbad="\\q"\nkw="never ends\n'
          '  x@y="level"\n"after bad lines"\n')
    write('third.dict', 'a="of another file"\r\nb="of another file"\n')
    r = run(build(SPY, env={'CFUZZ_NO_INSTRUMENT': '1'}), *SAME, '--fuzztime',
            '20000x', '--dict', 'first.dict@1', '--dict', 'second.dict',
            '--dict', 'third.dict', status=0)
    said = [n.partition('second.dict, ')[2] for n in r.stdout.splitlines()
            if 'dictionary' in n]
    equal([n.partition(':')[0] for n in said],
          ['line 3, column 6', 'line 4, column 15', 'line 5, column 5'],
          'bad lines')
    equal([r.number('word%d' % i) > 0 for i in range(5)],
          [True, True, False, True, True], 'words that were used')
    equal(r.stats['words'], 4, 'stats.json: "words"')


main()

#!/usr/bin/env python3
"""cfuzz report: a page, SARIF, JUnit, Markdown and GitHub's annotations, of
campaigns that run, have ended, or are damaged, with texts that would like to be
markup."""

import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
import control    # noqa: E402
from cfuzztest import *    # noqa: E402,F401,F403

EVIL = '<script>&"\\\'`]]>%0A::error::|*_'
FAILS = two_failures('a ' + EVIL)
EMPTY = ('meta', 'link')


def campaign():
    r = start(build(FAILS), '-j', 1, '--fuzztime', '300x', '--seeds',
              seeds([b'a', b'bb']))
    r.end(1)
    equal(len(r.buckets()), 2, 'findings')
    return r


def report(*words, status=0, **env):
    done = subprocess.run([CFUZZ, 'report', *words], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True,
                          env=dict(os.environ, **env))
    equal(done.returncode, status, 'status of %s: %s' % (words, done.stderr))
    return done.stdout if status == 0 else done.stderr


def compile_here(source, *flags, compiler=None):
    """The target and its source in one place, as users have them."""
    write('target.c', source)
    subprocess.run([os.path.join(BUILD, 'cfuzz-cc'), '-g', '-O1', '-w',
                    *flags, '-I' + HERE, '-o', 'target', 'target.c'],
                   check=True,
                   env=dict(os.environ, CFUZZ_QUIET='1',
                            **({'CFUZZ_CC': compiler} if compiler else {})))
    return os.path.abspath('target')


class Page(HTMLParser):
    """Tags that fit together, and nothing from elsewhere."""

    def __init__(self, text):
        super().__init__()
        self.open, self.texts, self.names = [], [], []
        self.feed(text)
        equal(self.open, [], 'tags that stay open')

    def handle_starttag(self, name, attributes):
        check(name not in ('script', 'img', 'iframe', 'object'), 'has %s',
              name)
        for key, value in attributes:
            check(key != 'src' and not key.startswith('on') and
                  (key != 'href' or value == 'data:,' or value[0] == '#'),
                  '%s: %s', key, value)
        self.names.append(name)
        if name not in EMPTY:
            self.open.append(name)

    def handle_startendtag(self, name, attributes):
        self.names.append(name)

    def handle_endtag(self, name):
        equal(self.open.pop(), name, 'end tag')

    def handle_data(self, text):
        self.texts.append(text)


@case
def page():
    r = campaign()
    equal(report('out'), 'out/report/report.html\n', 'says')
    text = read('out/report/report.html').decode()
    p = Page(text)
    shown = ''.join(p.texts)
    check('a ' + EVIL in shown, 'the message of the target: %s', shown)
    for word in ('executions', 'coverage bits', 'cfuzz repro', 'SIGABRT',
                 'nput, 1 byte'):
        check(word in shown, 'no %s', word)
    equal(p.names.count('svg'), 1, 'curves')
    check('javascript:' not in text and '//' not in text.split('</style>')[0],
          'something from elsewhere')
    check_output(r)    # nothing else was changed


@case
def sarif():
    campaign()
    log = json.loads(report('out', '--sarif', '-'))
    equal(log['version'], '2.1.0', 'version')
    run, = log['runs']
    rules = [rule['id'] for rule in run['tool']['driver']['rules']]
    equal(len(set(rules)), len(rules), 'rules')
    equal(len(run['results']), 2, 'results')
    prints = set()
    for result in run['results']:
        check(result['ruleId'] in rules, 'rule of %s', result)
        equal(result['level'], 'error', 'level')
        place = result['locations'][0]['physicalLocation']
        uri = place['artifactLocation']['uri']
        check(uri.endswith('.c') and place['region']['startLine'] > 0,
              'place: %s', place)
        flow = result['codeFlows'][0]['threadFlows'][0]['locations']
        equal(flow[-1]['location']['physicalLocation'], place, 'end of the flow')
        prints.add(tuple(result['partialFingerprints'].items()))
    equal(len(prints), 2, 'fingerprints')
    again = json.loads(report('out', '--sarif=-', '-o', 'all'))
    equal(again, log, 'the same again, and no other line')
    schema = os.environ.get('SARIF_SCHEMA')
    if schema:
        import jsonschema
        jsonschema.validate(log, json.loads(read(schema)))


@case
def a_file_that_cannot_be_written():
    """The others are, and GitHub has its annotations."""
    campaign()
    os.makedirs('all/report.html')
    status, out, err = tool(CFUZZ, 'report', 'out', '-o', 'all', '--github',
                            '--junit', 'x.xml')
    equal(status, 3, 'status')
    check('all/report.html' in err, 'said: %s', err)
    for name in 'all/report.sarif', 'all/report.md', 'all/report.info':
        check(name in out.splitlines(), '%s is not told: %s', name, out)
        check(os.path.getsize(name) > 0, 'empty: %s', name)
    for name in 'all/report.xml', 'x.xml':
        equal(ElementTree.parse(name).getroot().get('failures'), '2', name)
    equal(out.count('::error '), 2, 'annotations')
    # Without the folder itself, the same.
    write('file', '')
    status, out, err = tool(CFUZZ, 'report', 'out', '-o', 'file/x', '--github')
    equal((status, out.count('::error ')), (3, 2), 'annotations: %s' % err)


@case
def neither_fifo_nor_link_is_replaced():
    campaign()
    os.mkfifo('fifo')
    os.symlink('target.sarif', 'link')
    reader = os.open('fifo', os.O_RDONLY | os.O_NONBLOCK)
    report('out', '--sarif', 'link', '--markdown', 'fifo')
    check(stat.S_ISFIFO(os.lstat('fifo').st_mode), 'the FIFO is gone')
    check(os.read(reader, 99).startswith(b'## cfuzz: '), 'not in the FIFO')
    os.close(reader)
    equal(os.readlink('link'), 'target.sarif', 'the link')
    json.loads(read('target.sarif'))


@each(('page', 'out/report/report.html', '../../precious'),
      ('nothing', 'out/report/report.html', '../../new'),
      ('folder', 'out/report', '../folder'))
def a_link_in_the_output_directory(place, to):
    # Whoever the directory is from may have planted it. A folder that the user
    # names is the user's.
    campaign()
    os.makedirs('folder')
    os.makedirs(os.path.dirname(place), exist_ok=True)
    os.symlink(to, place)
    write('precious', 'x')
    write('folder/report.html', 'x')
    for words in ('out',), ('-o', 'out/report', 'out'):
        said = report('--no-coverage', *words, status=3)
        check('cannot write %s: it is a symbolic link' % place in said,
              'says %s', said)
        equal((read('precious'), read('folder/report.html')), (b'x', b'x'),
              'what the link led to')
        check(not os.path.exists('new'), 'it is written')
    equal(os.readlink(place), to, 'the link')
    os.symlink('folder', 'link')
    report('--no-coverage', '-o', 'link', 'out')
    check(read('folder/report.html').startswith(b'<!DOCTYPE'), 'the page')


@case
def fingerprints_of_another_build():
    """Code before the bug moves it, and its finding has another id."""
    seen = []
    for head in '', 'static volatile int more;\nstatic void ' \
            '__attribute__((noinline, used)) other(void)\n{\n\tmore++;\n}\n':
        target = compile_here(one_input("if (size > 0 && data[0] == 'a') "
                                        '__builtin_trap();', head=head))
        start(target, '-j', 1, '--fuzztime', '99x', '--seeds', seeds([b'a']),
              out='out%d' % len(seen)).end(1)
        result, = json.loads(report('out%d' % len(seen), '--sarif',
                                    '-'))['runs'][0]['results']
        seen.append((result['partialFingerprints'],
                     result['locations'][0]['physicalLocation']['region']))
    equal(seen[0][0], seen[1][0], 'fingerprints')
    check(seen[0][1] != seen[1][1], 'the line did not move: %s', seen)


@case
def junit():
    campaign()
    report('out', '--junit', 'result.xml')
    suites = ElementTree.fromstring(read('result.xml'))
    suite, = suites
    equal((suite.get('tests'), suite.get('failures')), ('3', '2'), 'counts')
    cases = suite.findall('testcase')
    equal(len(cases), 3, 'cases')
    texts = ''.join(c.find('failure').text for c in cases[1:])
    check('a ' + EVIL in texts, 'the message of the target: %s', texts)


@case
def markdown_and_github():
    campaign()
    write('summary', 'before\n')
    lines = report('out', '--github',
                   GITHUB_STEP_SUMMARY='summary').splitlines()
    equal(len(lines), 2, 'annotations')
    for line in lines:
        check(line.startswith('::error file=') and ',line=' in line and
              line.count('::') >= 2, 'annotation: %s', line)
    text = read('summary').decode()
    check(text.startswith('before\n## cfuzz: '), 'summary: %s', text)
    equal(text.count('\n```\n') % 2, 0, 'fences')
    equal(report('out', '--markdown', '-'), text[len('before\n'):], 'the same')
    for line in text.splitlines():
        check(line.count('`') in (0, 2, 3), 'backticks in %s', line)


# In the name of a source file, as a string of C.
NAME = '<b>&\'`|%0A::error::x,y=\\n::warning::\\r\\033]0;z\\a\\342\\200\\256.c'


@case
def names_and_controls():
    # Neither the message nor the name of a file does anything, in no format.
    target = compile_here('#line 1 "%s"\n%s%s' % (NAME, one_input('''
	if (size > 0 && data[0] == 'a')
		cfuzz_fail("a\\r\\n::error::b\\033[31m\\x9b\\342\\200\\256c\\a");'''),
        '#line 1 "plain.c"\nint plain(int a) { return a > 1 ? a : 7; }\n'))
    start(target, '-j', 1, '--fuzztime', '50x', '--seeds',
          seeds([b'a', b'zz'])).end(1)
    said = report('out', '-o', 'all', '--github', GITHUB_STEP_SUMMARY='summary')
    notes = [n for n in said.splitlines() if not n.startswith('all/')]
    check(len(notes) == 1 and re.match(
        '::error file=[^:,]*,line=8,title=cfuzz::crash', notes[0]),
          'annotations: %s', notes)
    texts = {n: read('all/' + n).decode() for n in os.listdir('all')}
    equal(len(texts), 5, 'formats')
    for words in ['findings'], ['show'], ['show', '--json']:
        texts[str(words)] = tool(CFUZZ, *words, 'out')[1]
    texts['said'] = said
    for name, text in texts.items():
        equal(re.findall('[^\\n\\t -~\u00a0·\ufffd\u2026]', text), [], 'letters of ' +
              name)
        check('::error::' not in [n[:9] for n in text.splitlines()],
              '%s has a command: %s', name, text)
    Page(texts['report.html'])
    path, = tracefile(texts['report.info'])
    check(path.endswith('/plain.c'), 'file: %s', path)
    ElementTree.fromstring(texts['report.xml'])
    json.loads(texts['report.sarif'])
    for line in texts['report.md'].replace('\\`', '').splitlines():
        check(line.count('`') in (0, 2, 3), 'backticks in %s', line)


@case
def all_of_a_running_campaign():
    r = control.start(build(FAILS), '-j', 1, '--seeds', seeds([b'a']))
    r.control.until(lambda s: s['crashes'] > 0, 'a finding')
    wait_for(lambda: os.path.exists('out/stats.json'), 'statistics')
    equal(report('out', '-o', 'to/there').splitlines(),
          ['to/there/report' + end for end in ('.html', '.sarif', '.xml', '.md',
                                               '.info')], 'says')
    Page(read('to/there/report.html').decode())
    ElementTree.fromstring(read('to/there/report.xml'))
    json.loads(read('to/there/report.sarif'))
    r.stop()


@case
def mutation_log():
    start(build(FAILS), '-j', 1, '--stop-on-crash', '--seeds',
          seeds([b'zz'])).end(1)
    shown = ''.join(Page(report('out', '--html', '-')).texts)
    check(re.search(r'descends from, the first one first: [0-9a-f]{16}', shown),
          'no seed: %s', shown)
    check(re.search(r'\d+ mutations? made the failing input.*\n.*at byte \d',
                    shown, re.S), 'no mutations: %s', shown)


LINES = one_input('''
	if (size > 0 && data[0] == 'a')
		used(size);
	if (size > 200 && data[0] == 'b' && data[200] == 'c')
		unused(size);''', head='''
static volatile int sink;

static void __attribute__((noinline))
used(int value)
{
	sink += value * 5;
}

static void __attribute__((noinline))
unused(int value)
{
	sink -= value;
}
''')


def tracefile(text):
    """{path: ({function: hits}, {line: hits})} of lcov's format."""
    files = {}
    for line in text.splitlines():
        word, _, rest = line.partition(':')
        if word == 'SF':
            functions, lines = files[rest] = ({}, {})
        elif word == 'FNDA':
            hits, name = rest.split(',', 1)
            functions[name] = int(hits)
        elif word == 'DA':
            at, hits = rest.split(',')
            lines[int(at)] = int(hits)
        elif word in ('LF', 'LH'):
            equal(int(rest), len([n for n in lines.values()
                                  if n > 0 or word == 'LF']), word)
        else:
            check(word in ('TN', 'FN', 'FNF', 'FNH', 'end_of_record'), line)
    return files


def tree(folder):
    """{path: content} of all files there."""
    return {p: read(p) for d, _, names in os.walk(folder)
            for p in (os.path.join(d, n) for n in names)}


@case
def marks():
    target = compile_here(LINES + '/* </pre><script> */\n')
    start(target, '-j', 1, '--fuzztime', '50x', '--seeds',
          seeds([b'a', b'zz'])).end(0)
    text = report('out', '--html', '-')
    shown = ''.join(Page(text).texts)
    for mark, code in (('[+~]', 'sink += value * 5;'),
                       ('-', 'sink -= value;'),
                       (' ', '/* </pre><script> */')):
        check(re.search(r'^ *\d+ %s +(\d+\+?)? +%s$' % (
            mark, re.escape(code)), shown, re.M), 'no mark at %s: %s', code,
            shown)
    check('Functions never reached: unused' in shown, 'functions: %s', shown)
    os.rename('target.c', 'target.txt')
    os.symlink('target.txt', 'target.c')
    equal(report('out', '--html', '-'), text, 'by a link')
    os.unlink('target.c')
    check('The source is not where' in report('out', '--html', '-'), 'no reason')
    os.mkfifo('target.c')
    check('The source cannot be shown' in report('out', '--html', '-'),
          'no reason')


@case
def long_line_of_wide_letters():
    """240 columns are shown, and no part of a letter."""
    target = compile_here(LINES + '/*x%s*/\n/*y%s*/\n' % ('я' * 200,
                                                          'я' * 300))
    start(target, '-j', 1, '--fuzztime', '5x', '--seeds', seeds([b'a'])).end(0)
    report('out', '--html', 'page.html')
    shown = ''.join(Page(read('page.html').decode()).texts)
    for text in '/*x%s*/\n' % ('я' * 200), '/*y%s\n' % ('я' * 237):
        check(text in shown, 'not shown: %s', text)


@case
def no_other_file_is_shown():
    """The target may say that its source is any file."""
    write('secret.env', 'password\n' * 30)
    target = compile_here('#line 1 "%s"\n%s' % (os.path.abspath('secret.env'),
                                               LINES))
    start(target, '-j', 1, '--fuzztime', '50x', '--seeds',
          seeds([b'a'])).end(0)
    text = report('out', '--html', '-')
    check('secret.env' in text and 'password' not in text, 'shown: %s', text)
    check('not that of a source file' in text, 'no reason: %s', text)


@case
def seeds_that_are_gone():
    folder = seeds([b'a'])
    start(compile_here(LINES), '-j', 1, '--fuzztime', '5x', '--seeds',
          folder).end(0)
    line = read('target.c').decode().splitlines().index(
        '\tsink += value * 5;') + 1
    name = os.path.abspath('target.c')
    check(tracefile(report('out', '--lcov=-'))[name][1][line] > 0, 'not hit')
    os.rename(folder, 'moved')
    _, out, err = tool(CFUZZ, 'report', 'out', '--lcov=-')
    equal(tracefile(out)[name][1][line], 0, 'hits')
    check('seeds of the campaign are gone (1)' in err, 'said: %s', err)
    check('seeds of the campaign are gone (1)' in report('out', '--html=-'),
          'no reason')
    check(tracefile(report('out', '--lcov=-', '--seeds', 'moved'))
          [name][1][line] > 0, 'not hit')


@case
def says_which_program_runs():
    start(compile_here(LINES), '-j', 1, '--fuzztime', '5x').end(0)
    os.mkdir('elsewhere')
    os.rename('out', 'elsewhere/out')
    _, _, err = tool(CFUZZ, 'report', 'elsewhere/out', '--lcov=-')
    check('running %s (build ' % os.path.abspath('target') in err,
          'said: %s', err)
    os.rename('target', 'elsewhere/target')
    _, _, err = tool(CFUZZ, 'report', 'elsewhere/out', '--lcov=-')
    check('running %s (build ' % os.path.abspath('elsewhere/target') in err,
          'said: %s', err)


@case
def lcov():
    target = compile_here(LINES)
    start(target, '-j', 1, '--fuzztime', '50x', '--seeds',
          seeds([b'a', b'zz'])).end(0)
    before = tree('out')
    text = report('out', '--lcov', '-')
    equal(tree('out'), before, 'the output directory')
    (path, (functions, lines)), = tracefile(text).items()
    equal(path, target + '.c', 'file')
    check(functions['used'] > 0 and functions['unused'] == 0,
          'functions: %s', functions)
    source = read(path).decode().splitlines()
    hits = {source[at - 1].strip(): n for at, n in lines.items()}
    check(hits['sink += value * 5;'] > 0 and
          hits['sink -= value;'] == 0, 'lines: %s', hits)
    if shutil.which('genhtml'):
        write('x.info', text)
        subprocess.run(['genhtml', '-q', '-o', 'pages', 'x.info'], check=True,
                       stdout=subprocess.DEVNULL)
        check(b'unused' in b''.join(tree('pages').values()), 'no function')
    check('--lcov is coverage' in report('out', '--lcov=-', '--no-coverage',
                                         status=2), 'no reason')


@case
def built_again_meanwhile():
    """While the corpus runs: the file at the place has other lines, and without
    a build-id nobody else would see it."""
    source = one_input('''
	if (getenv("OTHER") != NULL)
		rename(getenv("OTHER"), "target");
	if (size > 0 && data[0] == 'a')
		sink++;''', 'static volatile int sink;\n')
    shutil.move(compile_here('\n' * 100 + source, '-Wl,--build-id=none'),
                'other')
    target = compile_here(source, '-Wl,--build-id=none')
    start(target, '-j', 1, '--fuzztime', '5x', '--seeds', seeds([b'a'])).end(0)
    check('DA:' in report('out', '--lcov=-'), 'no lines')
    said = report('out', '--lcov=-', status=2, OTHER='other')
    check('target: the file was built again while the corpus ran' in said,
          'said: %s', said)
    check('DA:' in report('out', '--lcov=-'), 'no lines of the new build')


@case
def stopped():
    """At ^C what has run counts; a tracefile would pass for all of it."""
    target = compile_here(one_input('''
	if (getenv("SLOW") != NULL)
		tell();
	if (size > 0 && data[0] == 'a')
		sink++;''', '''
#include <fcntl.h>
#include <unistd.h>
static volatile int sink;
static void tell(void)
{
	usleep(50000);
	close(open("ran", O_CREAT | O_WRONLY, 0600));
}
static void __attribute__((constructor)) begin(void)
{
	if (getenv("STARTS") == NULL)
		return;
	tell();
	pause();
}
'''))
    start(target, '-j', 1, '--fuzztime', '5x', '--seeds',
          seeds([b'a%d' % i for i in range(200)])).end(0)
    write('x.info', 'old\n')
    write('all/report.info', 'old\n')
    os.makedirs('taken/report.html')
    for words, status, what in ((['--lcov', 'x.info'], 3, 'SLOW'),
                                (['-o', 'all'], 3, 'SLOW'),
                                (['-o', 'taken'], 3, 'SLOW'),
                                (['--html', 'page.html'], 0, 'SLOW'),
                                (['--lcov', 'x.info'], 3, 'STARTS')):
        go = subprocess.Popen([CFUZZ, 'report', 'out', '-j', '1', '--stop-step',
                               '100ms', *words], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True,
                              env=dict(os.environ, **{what: '1'}))
        wait_for(lambda: os.path.exists('ran'), 'an input')
        go.send_signal(signal.SIGINT)
        _, err = go.communicate()
        os.unlink('ran')
        equal(go.returncode, status, 'status of %s: %s' % (words, err))
        check('stopped' in err, '%s says: %s', words, err)
        check('taken' not in words or 'taken/report.html' in err,
              'the page that is not written: %s', err)
    equal(read('x.info') + read('all/report.info'), b'old\n' * 2, 'tracefiles')
    for page in 'page.html', 'all/report.html':
        text = ''.join(Page(read(page).decode()).texts)
        check('Stopped' in text and
              re.search(r'[1-9]\d* of \d+ lines', text), '%s: %s', page, text)


@case
def one_name_of_a_file():
    """Paths of the repository, whatever the compiler was told: GitHub knows no
    others. A header under two spellings is one file."""
    for folder in 'src', 'build':
        os.makedirs('real/' + folder)
    os.symlink('real', 'link')
    write('real/include/part.h', '''static volatile int sink;
static int __attribute__((noinline)) part(int a)
{
	if (a > 1)
		sink++;
	if (a < 0)
		sink--;
	return sink;
}
''')
    write('real/src/other.c', '#include "part.h"\n'
          'int other(int a) { return part(-a); }\n')
    write('real/src/target.c', one_input('''
	if (size > 2000)
		other(1);
	if (part((int)size) > 0 && size > 0 && data[0] == 'a')
		abort();''', '#include "part.h"\nint other(int a);\n'))
    build = os.path.abspath('link/build')
    for name, include in ('target', '../include'), ('other', '../../link/include'):
        subprocess.run([os.path.join(BUILD, 'cfuzz-cc'), '-g', '-w', '-I' + HERE,
                        '-I' + include, '-c', '../src/%s.c' % name, '-o',
                        name + '.o'], check=True, cwd=build,
                       env=dict(os.environ, CFUZZ_QUIET='1', PWD=build))
    os.chdir('real')
    subprocess.run([os.path.join(BUILD, 'cfuzz-cc'), '-g', '-o', 'target',
                    'build/target.o', 'build/other.o'], check=True,
                   env=dict(os.environ, CFUZZ_QUIET='1'))
    start('./target', '-j', 1, '--fuzztime', '50x', '--seeds',
          seeds([b'bb', b'aa'])).end(1)
    note, = report('out', '--github').splitlines()
    check(note.startswith('::error file=src/target.c,line='), 'note: %s', note)
    place = json.loads(report('out', '--sarif', '-'))['runs'][0]['results'][0][
        'locations'][0]['physicalLocation']['artifactLocation']
    equal(place['uri'], 'src/target.c', 'uri')
    text = report('out', '--lcov', '-')
    here = os.getcwd()
    equal(sorted(re.findall('^SF:(.*)', text, re.M)),
          [here + '/' + n for n in ('include/part.h', 'src/other.c',
                                    'src/target.c')], 'files')
    _, lines = tracefile(text)[here + '/include/part.h']
    check(lines[5] > 0 and lines[7] == 0, 'lines: %s', lines)


# A copy of copied() stays that nobody calls. GCC inlines the start of split();
# its rest, a function of its own, is not run.
COPIES = one_input("""
	if (size > 1000000)
		sink += split((int)size) + split((int)size + 1);
	sink += copied((int)size) + split((int)(size & 1));""", """
volatile int sink;

__attribute__((always_inline)) inline int copied(int a)
{    /* of copied() */
	if (a > 1)
		sink += 3;
	return a;
}

extern int copied(int a);

int split(int a)
{
	if (a < 10)
		return a;
	for (int i = 0; i < a; i++)
		sink += i * sink;    /* the rest */
	for (int i = 0; i < a; i++)
		sink += i ^ sink;
	for (int i = 0; i < a; i++)
		sink += sink & 5;
	return sink;
}
""")


@each(('gcc', 'gcc'), ('clang', 'clang'))
def copies_of_inlined_functions(compiler):
    if not shutil.which(compiler):
        raise Skip('no ' + compiler)
    start(compile_here(COPIES, '-O2', compiler=compiler), '-j', 1, '--fuzztime', '50x', '--seeds',
          seeds([b'a', b'zz'])).end(0)
    (path, (_, lines)), = tracefile(report('out', '--lcov', '-')).items()
    source = read(path).decode().splitlines()
    hits = {source[at - 1].strip(): n for at, n in lines.items()}
    check(hits.get('{    /* of copied() */') != 0, 'the copy counts: %s', hits)
    check(hits['sink += 3;'] > 0, 'what is inlined does not count: %s', hits)
    equal(hits['sink += i * sink;    /* the rest */'], 0, 'the rest')


MISSED = one_input("""
	if (size > 1000000) {
		step(1);
		if (sink > 5)
			step(2);
		step(3);
	}""", """
volatile int sink;
__attribute__((noinline)) static void step(int n) { sink += n; }
""")


@each(('gcc', 'gcc'), ('clang', 'clang'))
def missed_calls(compiler):
    # A call comes back, unless the target itself jumps over functions.
    start(compile_here(MISSED, '-O1', compiler=compiler), '-j', 1,
          '--fuzztime', '50x', '--seeds', seeds([b'a'])).end(0)
    (path, (_, lines)), = tracefile(report('out', '--lcov', '-')).items()
    source = read(path).decode().splitlines()
    hits = {source[at - 1].strip(): n for at, n in lines.items()}
    for line in ('step(1);', 'if (sink > 5)', 'step(2);', 'step(3);'):
        equal(hits.get(line), 0, line)


LEAVES = """
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

jmp_buf place;
volatile int sink;
void outside(jmp_buf place);

__attribute__((noinline)) static void
leave(int c)
{
	if (c)
		%s;
	sink++;
}

__attribute__((noinline)) static void
use(int c)
{
	leave(c);
	sink = 5;
}
"""
PROGRAM = """
int
main(void)
{
	use(getchar() != 0);
	return 0;
}
"""
TARGET = """
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (setjmp(place) == 0)
		use(1);
	return 0;
}
"""


@each(*[(compiler + '-' + name, compiler, call, rest)
        for compiler in ('gcc', 'clang') for name, call, rest in (
            ('exit', 'exit(0)', PROGRAM), ('_exit', '_exit(0)', PROGRAM),
            ('_longjmp', '_longjmp(place, 1)', TARGET),
            ('elsewhere', 'outside(place)', TARGET))])
def calls_that_do_not_come_back(compiler, call, rest):
    write('outside.c', """
#include <setjmp.h>

void
outside(jmp_buf place)
{
	longjmp(place, 1);
}
""")
    subprocess.run([compiler, '-shared', '-fPIC', '-o', 'liboutside.so',
                    'outside.c'], check=True)
    target = compile_here(
        LEAVES % call + rest, '-Wl,--no-as-needed,-rpath,' + os.getcwd(),
        '-L.', '-loutside', compiler=compiler)
    start(target, '-j', 1, '--fuzztime', '20x', '--seeds',
          seeds([b'a'])).end(0)
    (path, lines), = [(path, lines) for path, (_, lines) in
                      tracefile(report('out', '--lcov', '-')).items()
                      if path.endswith('/target.c')]
    source = read(path).decode().splitlines()
    hits = {source[at - 1].strip(): n for at, n in lines.items()}
    check(max(lines.values()) > 0, 'nothing ran: %s', hits)
    check(hits.get('sink = 5;', 0) == 0, 'what follows: %s', hits)


@case
def no_target():
    copy = os.path.abspath('copy')
    shutil.copy(build(LINES), copy)
    start(copy, '-j', 1, '--fuzztime', '20x', '--seeds', seeds([b'a'])).end(0)
    os.unlink(copy)
    text = report('out', '--lcov=-', status=2)
    check('--lcov: no coverage: ' in text and copy in text, 'said: %s', text)
    check('none: %s does not exist' % copy in ''.join(
        Page(report('out', '--html=-')).texts), 'the page gives no reason')
    report('out', '-o', 'all')
    check('report.info' not in os.listdir('all'), 'an empty tracefile')
    status, out, err = tool(CFUZZ, 'report', 'out')
    equal((status, out), (0, 'out/report/report.html\n'), 'report')
    check('no coverage by source: %s does not exist' % copy in err,
          'said: %s', err)
    equal(tool(CFUZZ, 'report', '--no-coverage', 'out')[2], '',
          'said of what nobody wants')


@case
def no_debug_information():
    """No tracefile, which would be empty, but everything else."""
    why = '%s: no debug information' % compile_here(LINES, '-g0')
    start('./target', '-j', 1, '--fuzztime', '20x', '--seeds',
          seeds([b'a'])).end(0)
    text = report('out', '--lcov', 'x.info', '--html', 'page.html', '--junit',
                  'x.xml', status=2)
    check('--lcov: no coverage: ' + why in text, 'said: %s', text)
    check('none: ' + why in ''.join(Page(read('page.html').decode()).texts),
          'the page gives no reason')
    check(os.path.exists('x.xml') and not os.path.exists('x.info'),
          'files: %s', os.listdir('.'))
    status, _, err = tool(CFUZZ, 'report', 'out', '-o', 'all')
    equal(status, 0, 'status')
    check('no coverage by source: ' + why in err, 'said: %s', err)
    check('report.info' not in os.listdir('all'), 'an empty tracefile')
    # The other report is lost, too.
    with open('/dev/full', 'wb') as full:
        done = subprocess.run([CFUZZ, 'report', 'out', '--lcov', 'x.info',
                               '--junit', '-'], stdout=full,
                              stderr=subprocess.PIPE, text=True)
    equal(done.returncode, 3, 'status: %s' % done.stderr)
    for what in '--lcov: no coverage: ', 'standard output':
        equal(done.stderr.count(what), 1, '%s in %s' % (what, done.stderr))


@case
def nothing_found():
    r = start(build(one_input('')), '-j', 1, '--fuzztime', '10x')
    r.end(0)
    text = report('out', '--html', '-')
    check('Nothing was found' in ''.join(Page(text).texts), 'page: %s', text)
    equal(ElementTree.fromstring(report('out', '--junit', '-')).get('failures'),
          '0', 'failures')


@case
def damaged():
    check('name an output directory' in report(status=2), 'no advice')
    check('nothing' in report('nothing', status=2), 'no name')
    os.mkdir('empty')
    check('empty is not an output directory' in report('empty', status=2),
          'no reason')
    check('--sarif needs a value' in report('out', '--sarif', status=2),
          'no value')
    check('did you mean --sarif?' in report('out', '--sarf=x', status=2),
          'no advice')
    campaign()
    check('/proc/none' in report('out', '--html', '/proc/none/x', status=3),
          'no reason')
    write('out/stats.json', b'{"execs": "many", "elapsed_s": -1e999, "x"')
    for folder in os.listdir('out/crashes'):
        write('out/crashes/%s/crash.json' % folder, b'[{')
    with open('out/journal.jsonl', 'ab') as f:
        f.write(b'{"event": "find", "bits": -1, "at_s": "x"}\n{"event')
    report('out', '-o', 'new')
    Page(read('new/report.html').decode())
    ElementTree.fromstring(read('new/report.xml'))
    json.loads(read('new/report.sarif'))


if __name__ == '__main__':
    main()

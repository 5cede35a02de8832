#!/usr/bin/env python3
"""cfuzz report: a page, SARIF, JUnit, Markdown and GitHub's annotations, of
campaigns that run, have ended, or are damaged, with texts that would like to be
markup."""

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
import control    # noqa: E402
from cfuzztest import *    # noqa: E402,F401,F403

EVIL = '<script>&"\\\'`]]>%0A::error::|*_'
FAILS = one_input('''
	if (size > 0 && data[0] == 'a')
		cfuzz_fail("a %s");
	if (size > 1 && data[0] == 'b')
		abort();''' % EVIL.replace('%', '%%').replace('\\', '\\\\').replace(
    '"', '\\"'))
EMPTY = ('meta', 'link', 'br', 'path', 'tr', 'td', 'th', 'p')


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


class Page(HTMLParser):
    """Tags that fit together, and nothing from elsewhere."""

    def __init__(self, text):
        super().__init__()
        self.open, self.texts, self.names = [], [], []
        self.feed(text)
        equal(self.open, [], 'tags that stay open')

    def handle_starttag(self, name, attributes):
        check(name not in ('script', 'img', 'iframe', 'object', 'a'), 'has %s',
              name)
        for key, value in attributes:
            check(key not in ('src', 'href') and not key.startswith('on'),
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
    for word in ('executions', 'coverage bits', 'cfuzz repro', 'SIGABRT'):
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
    again = json.loads(report('out', '--sarif=-'))
    equal(again, log, 'the same again')
    schema = os.environ.get('SARIF_SCHEMA')
    if schema:
        import jsonschema
        jsonschema.validate(log, json.loads(read(schema)))


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


@case
def all_of_a_running_campaign():
    r = control.start(build(FAILS), '-j', 1, '--seeds', seeds([b'a']))
    r.control.until(lambda s: s['crashes'] > 0, 'a finding')
    wait_for(lambda: os.path.exists('out/stats.json'), 'statistics')
    equal(report('out', '-o', 'to/there').splitlines(),
          ['to/there/report' + end for end in ('.html', '.sarif', '.xml',
                                               '.md')], 'says')
    Page(read('to/there/report.html').decode())
    ElementTree.fromstring(read('to/there/report.xml'))
    json.loads(read('to/there/report.sarif'))
    r.stop()


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

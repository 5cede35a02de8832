#!/usr/bin/env python3
"""cfuzz ci: one step of continuous integration."""

import os
import shutil
import signal
import sys
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
import control    # noqa: E402
from cfuzztest import *    # noqa: E402,F401,F403

FAILS = one_input('''
	if (size > 0 && data[0] == 'a')
		if (size > 1 && data[1] == '!')
			abort();
	if (size > 0 && data[0] == 'b')
		probe_count();
	if (size > 0 && data[0] == 'c')
		probe_count();''')
# The same lines.
MENDED = FAILS.replace('abort()', 'probe_count()')


PLAIN = '''#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	if (size > 1 && data[0] == 'a' && data[1] == '!')
		abort();
	return 0;
}
'''


def put(source):
    shutil.copy(build(source), 'new')
    os.rename('new', 'target')


def ci(*options, status=0, env=None, time='1s', corpus='inputs'):
    """(standard output, the output directory)"""
    got, out, err = tool(CFUZZ, 'ci', './target', '--corpus', corpus, '--time',
                         time, '-j', 1, '-o', 'out', '--seed', SEED, *options,
                         env=env)
    equal(got, status, 'exit status\n%s\n%s' % (out, err))
    nobody_left()
    return out + err, Output('out')


def ours(data):
    return 'cfuzz-' + sha(data)[:16]


def names(folder='inputs'):
    return sorted(os.listdir(folder))


@case
def only_news_fail():
    put(FAILS)
    seeds([b'a!', b'x'], 'inputs')
    said, out = ci(status=1)
    check('FAIL: 1 distinct finding (exit status 1)' in said, 'says\n%s', said)
    equal(out.stats['findings_new'], 1, 'new ones')
    said, out = ci()
    check('PASS: ended, nothing new was found; known findings: 1' in said,
          'says\n%s', said)
    equal((out.stats['findings_new'], out.stats['crashes'],
           out.stats['exit_status']), (0, 1, 0), 'known')
    # Mended, and back.
    put(MENDED)
    said, out = ci(time='5s')
    check('fuzz: fixed: SIGABRT' in said, 'says\n%s', said)
    check('PASS: ended, nothing was found' in said, 'says\n%s', said)
    put(FAILS + 'int unrelated;\n')
    said, out = ci(status=1)
    check('was fixed and fails again' in said, 'says\n%s', said)
    equal(len(out.buckets()), 1, 'findings')


@case
def the_inputs_take_all_the_time():
    # What was known is replayed all the same: else it is fixed and back unseen.
    slow = [s.replace('\tif', '\tusleep(20000);\n\tif', 1).replace(
        'probe.h"', 'probe.h"\n#include <unistd.h>', 1) for s in (MENDED, FAILS)]
    put(FAILS)
    seeds([b'a!'], 'inputs')
    ci(status=1)
    put(slow[0])
    seeds([b'%d' % i for i in range(60)], 'inputs')
    said, out = ci(time='1s')
    check('fuzz: fixed: SIGABRT' in said, 'says\n%s', said)
    put(slow[1])
    said, out = ci(status=1)
    check('was fixed and fails again' in said, 'says\n%s', said)
    equal(len(out.buckets()), 1, 'findings')


# A replay takes a while, and then this is called.
SLOW = one_input("""
	if (size > 1 && data[0] == 'a' && data[1] == '!') {
		usleep(300000);
		end();
	}""", '#include <unistd.h>\n#define end %s\n')


@case
def slow_replays():
    # They take more than the --finish-time of cfuzz run.
    options = ('--verify', 5, '--timeout', '20s')
    put(SLOW % 'abort')
    seeds({'fails': b'a!', 'x': b'x'}, 'inputs')
    ci(*options, status=1, time='100x')
    os.remove('inputs/fails')
    put(SLOW % 'probe_count')
    said, out = ci(*options, '--finish-time', 0, time='1x')
    check('1 of other builds to replay' in said, 'says\n%s', said)
    said, out = ci(*options, time='1x')
    check('fuzz: fixed: SIGABRT' in said, 'says\n%s', said)


@case
def replays_without_an_end():
    # A fixed finding is back: there is time for no replay, then for a few.
    options = ('--timeout', '20s')
    put(SLOW % 'abort')
    seeds({'fails': b'a!', 'x': b'x'}, 'inputs')
    ci(*options, '--verify', 1, status=1, time='100x')
    os.remove('inputs/fails')
    put(SLOW % 'probe_count')
    said, out = ci(*options, '--verify', 1, time='1x')
    check('fuzz: fixed: SIGABRT' in said, 'says\n%s', said)
    put(SLOW.replace('300000', '1000000') % 'abort')
    said, out = ci(*options, '--finish-time', 50, time='1x')
    check('left for the next start: 1 finding' in said, 'says\n%s', said)
    said, out = ci(*options, '--verify', 20, '--finish-time', 5000,
                   status=1, time='1x')
    check('was fixed and fails again' in said, 'says\n%s', said)
    check('left for the next start: 1 finding' in said, 'says\n%s', said)


@case
def a_seed_fails_and_stops():
    # The reports have it, though cfuzz run names a seed and keeps nothing.
    put(FAILS)
    seeds([b'a!'], name='inputs')
    out, output = ci('--stop-on-crash', status=1)
    equal(len(output.stats['findings']), 1, 'findings\n' + out)
    suite = ElementTree.parse('out/report/report.xml').getroot().find(
        'testsuite')
    equal(suite.get('failures'), '1', 'failures in JUnit')


@case
def a_known_and_a_new_one():
    # Both are among the inputs: they are run, however little time there is.
    put(FAILS)
    seeds([b'a!', b'b'], 'inputs')
    ci(status=1)
    put(FAILS.replace("	if (size > 0 && data[0] == 'b')\n		probe_count",
                      "	if (size > 0 && data[0] == 'b')\n		abort"))
    said, out = ci(status=1)
    check('FAIL: 1 new finding; known findings: 1 (exit status 1)' in said,
          'says\n%s', said)


@case
def a_known_one_stops_nothing():
    # Under --stop-on-crash: the step would pass, and nothing be fuzzed.
    put(FAILS)
    seeds([b'a!', b'x'], 'inputs')
    ci(status=1)
    said, out = ci('--stop-on-crash', time='200x')
    check('known findings: 1' in said, 'says\n%s', said)
    check(out.stats['execs'] >= 200, '%d executions', out.stats['execs'])


def letters(fails):
    """A target that fails with these; each has a line of its own."""
    return one_input(''.join('''
	if (size > 1 && data[0] == '%c' && data[1] == '!')
		cfuzz_fail("letter %c");''' % (c, c) if c in fails else '\n\n'
                             for c in 'abcd'))


def on_github_actions(status, *options, time='5s'):
    """What a run says: (annotations, JUnit's suite, results of SARIF)"""
    env = {'GITHUB_ACTIONS': 'true',
           'GITHUB_STEP_SUMMARY': os.path.abspath('summary')}
    said, out = ci('--verify', 3, '--minimizetime', 0, *options, status=status,
                   env=env, time=time)
    return ([n for n in said.splitlines() if n.startswith('::')],
            ElementTree.parse('out/report/report.xml').getroot()[0],
            json.loads(read('out/report/report.sarif'))['runs'][0]['results'])


@case
def all_reports_tell_the_same():
    # a is known, b accepted, c fixed, d new.
    put(letters('abc'))
    seeds([b'a!', b'b!', b'c!', b'd!'], 'inputs')
    notes, suite, results = on_github_actions(1)
    equal(sorted(n['baselineState'] for n in results), ['new'] * 3, 'SARIF')
    equal((suite.get('failures'), suite.get('skipped')), ('3', '0'), 'JUnit')
    r = control.start('./target', '-j', 1)
    s = r.control.until(lambda s: len(s['findings']) == 3, 'findings')
    r.control.command('accept ' + [f['id'] for f in s['findings']
                                   if f['text'][-1] == 'b'][0])
    r.stop()
    put(letters('abd'))
    notes, suite, results = on_github_actions(1)
    equal(sorted(re.sub('.*,title=cfuzz|::crash.*', '', n) for n in notes),
          ['', ' (accepted)', ' (fixed)', ' (known)'], 'GitHub')
    equal([n for n in notes if n.startswith('::error')],
          [n for n in notes if 'title=cfuzz::' in n], 'errors')
    equal((suite.get('failures'), suite.get('skipped')), ('1', '3'), 'JUnit')
    equal(sorted(n.get('message') for n in suite.iter('skipped')),
          ['accepted', 'fixed', 'known'], 'JUnit: why')
    check(all('cfuzz repro' in n.text for n in suite.iter('skipped')),
          'JUnit: no report of what is skipped')
    equal(len({n.get('name') for n in suite}), 5, 'JUnit: names')
    equal(sorted((n['kind'], n['level'], n['baselineState'],
                  'suppressions' in n) for n in results),
          [('fail', 'error', 'new', False),
           ('fail', 'error', 'unchanged', False),
           ('fail', 'error', 'unchanged', True),
           ('pass', 'none', 'absent', False)], 'SARIF')
    check('Distinct findings: 4, new: 1,' in read('summary').decode(),
          'the summary')
    sent_to_github(2)
    # Now all is known.
    notes, suite, results = on_github_actions(0)
    equal([n for n in notes if n.startswith('::error')], [], 'errors')
    equal((suite.get('failures'), suite.get('skipped')), ('0', '4'), 'JUnit')
    check('new' not in [n['baselineState'] for n in results], 'SARIF')


@case
def known_and_not_found_again():
    # The second run has no input that fails. With a small --max-len, the third
    # cannot even read that of the finding.
    put(letters('a'))
    seeds([b'a!' + b'x' * 60], 'inputs')
    on_github_actions(1, time='1s')
    for options in ((), ('--max-len', 1)):
        shutil.rmtree('inputs')
        notes, suite, results = on_github_actions(0, *options, time='2x')
        equal([n.split()[0] for n in notes], ['::notice'], 'GitHub')
        equal((suite.get('failures'), suite.get('skipped')), ('0', '1'),
              'JUnit')
        equal([n['baselineState'] for n in results], ['unchanged'], 'SARIF')
        check('Distinct findings: 1, new: 0,' in
              read('out/report/report.md').decode(), 'Markdown')


def failures(folder='reports'):
    """(JUnit's suite, SARIF's run)"""
    return (ElementTree.parse(folder + '/report.xml').getroot()[0],
            json.loads(read(folder + '/report.sarif'))['runs'][0])


def told_as_new(folder='reports'):
    """There is a finding, and no report has it as known."""
    suite, sarif = failures(folder)
    check(int(suite.get('failures')) > 0, 'JUnit: %s', suite.attrib)
    equal({r.get('baselineState') for r in sarif['results']}, {'new'}, 'SARIF')


def incomplete(folder='reports'):
    suite, sarif = failures(folder)
    equal(suite.get('errors'), '1', 'JUnit')
    equal(sarif['invocations'][0]['executionSuccessful'], False, 'SARIF')
    for name in 'report.md', 'report.html':
        check('is not on the disk' in read(folder + '/' + name).decode(),
              '%s does not say it', name)


@case
def a_full_disk():
    # Its last numbers are older than the finding, or those of another run. An
    # empty input has room on a full disk.
    target = build(fails_when_told('size > 0', 'abort()'))
    with Disk('size=4m') as disk:
        r = start(target, '-j', 1, '--corpus', 'inputs', '--report', 'reports',
                  '--time', '300s', '--seeds', seeds([b'a']),
                  command='ci', out='disk/out')
        r.wait_for(lambda: os.path.exists('disk/out/stats.json'), 'numbers')
        os.unlink('disk/out/.reserve')
        disk.fill()
        let_it_fail()
        r.end_at('warning: the output directory disk/out: cannot ', 3)
        told_as_new()
        incomplete()
        check('cfuzz repro' not in read('reports/report.xml').decode(),
              'a command without an input')


@each(('a_second_ago', {'state': 'fuzzing'}),
      ('of_the_run_before', {'runs': 1}),
      ('none', None))
def old_numbers(change):
    put(FAILS)
    seeds([b'a!'], 'inputs')
    ci(status=1)
    said, out = ci()
    stats = out.stats
    if change is None:
        os.remove('out/stats.json')
    else:
        write('out/stats.json', json.dumps({**stats, **change}))
    equal(tool(CFUZZ, 'report', '--no-coverage', '-o', 'reports', 'out')[0], 0,
          'exit status')
    suite, _ = failures()
    equal((suite.get('failures'), suite.get('skipped')), ('1', '0'), 'JUnit')
    incomplete()


@each(('a_worker_cannot_start', 3, 'it cannot <fork>', 'it cannot <fork>'),
      ('no_reason', 3, '', 'something could not be saved or done'),
      ('nothing_ran', 2, 'no worker', 'no worker'))
def a_run_that_failed(status, why, told):
    # Without a finding: it looked as if all had passed.
    put(MENDED)
    seeds([b'x'], 'inputs')
    said, out = ci()
    equal(failures('out/report')[0].get('errors'), '0', 'JUnit')
    equal(failures('out/report')[1]['invocations'],
          [{'executionSuccessful': True}], 'SARIF')
    write('out/stats.json', json.dumps({**out.stats, 'exit_status': status,
                                        'ended_why': why}))
    equal(tool(CFUZZ, 'report', '--no-coverage', '-o', 'reports', 'out')[0], 0,
          'exit status')
    suite, sarif = failures()
    told = 'the latest run ended with exit status %d: %s' % (status, told)
    equal((suite.get('errors'), suite[0].find('error').get('message')),
          ('1', told), 'JUnit')
    call = sarif['invocations'][0]
    equal((call['executionSuccessful'],
           call['toolExecutionNotifications'][0]['message']['text']),
          (False, told), 'SARIF')


def killed_with_a_finding(*options):
    """Its file is complete, and nobody was told."""
    r = start('./target', '-j', 1, '--corpus', 'inputs', '--time', '300s',
              *options, command='ci')
    r.wait_for(lambda: any(b.has('crash.json') and
                           b.info['state'] == 'confirmed'
                           for b in r.buckets()), 'a finding')
    r.signal(signal.SIGKILL)
    r.wait()
    nobody_left()


@each(('that_fails_again', True), ('that_does_not_come_again', False))
def the_finding_of_a_killed_job(again):
    put(FAILS)
    seeds({'fails': b'a!', 'x': b'x'}, 'inputs')
    killed_with_a_finding()
    killed_with_a_finding()    # and once more
    if not again:
        shutil.rmtree('inputs')
        seeds([b'x'], 'inputs')
    said, out = ci('--report', 'reports', status=1, time='2x')
    check('FAIL: 1 distinct finding (exit status 1)' in said, 'says\n%s', said)
    check(said.count('crash: SIGABRT') > 0, 'does not name it\n%s', said)
    told_as_new()
    said, out = ci(time='2x')
    check('known findings: 1' in said or 'nothing was found' in said,
          'says\n%s', said)


@case
def fixed_since_the_job_was_killed():
    put(FAILS)
    seeds({'fails': b'a!', 'x': b'x'}, 'inputs')
    killed_with_a_finding()
    put(MENDED)
    said, out = ci(time='1s')
    check('fuzz: fixed: SIGABRT' in said, 'says\n%s', said)


@case
def no_memory_to_begin():
    # Neither the reports of the run before, nor the folder, are of this run.
    put(MENDED)
    seeds([b'x'], 'inputs')
    ci('--report', 'reports')
    before = [file_stamp('reports/' + n) for n in names('reports')]
    for out in 'out', 'fresh':
        words = [CFUZZ, 'ci', './target', '--corpus', 'inputs', '--report',
                 'reports', '-j', '1', '-o', out]
        status, said, err = tool('sh', '-c', 'ulimit -f 20000; exec "$@"',
                                 'sh', *words)
        equal(status, 3, 'exit status\n%s%s' % (said, err))
        equal((said, err.count('\n')), ('', 1), 'says more\n%s%s' % (said, err))
        check('shared memory' in err, 'says\n%s', err)
    equal([file_stamp('reports/' + n) for n in names('reports')], before,
          'reports')


@case
def a_full_folder_of_inputs():
    put(MENDED)
    with Disk('size=64k') as disk:
        os.mkdir('disk/inputs')
        disk.fill()
        said, out = ci('--seeds', seeds([b'x']), corpus='disk/inputs', status=3)
        check('disk/inputs: cannot write cfuzz-' in said, 'says\n%s', said)
        last = [n for n in said.splitlines() if n[:5] in ('PASS:', 'FAIL:')][-1]
        check('(exit status 3)' in last, 'the last line: %s', last)


@case
def lines_that_are_lost():
    put(MENDED)
    seeds([b'x'], 'inputs')
    with open('/dev/full', 'wb') as full:
        done = subprocess.run([CFUZZ, 'ci', './target', '--corpus', 'inputs',
                               '--time', '1x', '-j', '1', '-o', 'out'],
                              stdout=full, stderr=subprocess.PIPE, text=True)
    equal(done.returncode, 3, 'status: %s' % done.stderr)
    equal(done.stderr.count('standard output'), 1, 'lines of %s' % done.stderr)


@case
def no_source_lines():
    # GitHub takes no file in which a result has no place.
    shutil.copy(build(letters('a'), flags=('-g0', '-s')), 'target')
    seeds([b'a!'], 'inputs')
    notes, suite, results = on_github_actions(1)
    check_places(results, 1)
    sent_to_github(1)


def check_places(results, n):
    equal(len(results), n, 'results')
    for result in results:
        places = [p['physicalLocation'] for p in result.get('locations', [])]
        equal([(p['artifactLocation']['uri'], p['region']['startLine'])
               for p in places], [('target', 1)], 'where: %s' % result)


def sent_to_github(n):
    """Of the recipe: so many alerts are open, and each has a place."""
    if shutil.which('jq') is None:
        return
    os.rename('out/report', 'fuzz.report')
    shell(step_of_github('Leave out what is fixed or accepted'), 0)
    results = json.loads(read('fuzz.sarif'))['runs'][0]['results']
    equal(len(results), n, 'alerts')
    for result in results:
        place = result['locations'][0]['physicalLocation']
        check(place['artifactLocation']['uri'] and
              place['region']['startLine'] > 0, 'where: %s', result)


@case
def the_folder():
    # The user's files stay as they are; ours come, and go when they are
    # superfluous and still ours.
    put(FAILS)
    extra, other, late = b'xxxxxxxxxx', b'yyyyyyyyy', b'zzzzzzz'
    files = {'mine': b'x', 'the same for me': b'xxxx', 'fails': b'a!',
             ours(extra): extra, ours(late): b'x since then',
             'renamed-' + ours(other): other, ours(b'a!zz'): b'a!zz'}
    seeds(files, 'inputs')
    os.mkdir('inputs/folder')
    before = {n: file_stamp('inputs/' + n) for n in files}
    said, out = ci('--verify', 0, status=1, time='50000x')
    left = names()
    check(ours(extra) not in left, 'a superfluous input of ours stays: %s', left)
    for n in files:
        if n != ours(extra):
            equal(file_stamp('inputs/' + n), before[n], n)
    added = [n for n in left if n not in files and n != 'folder']
    check(added, 'nothing was added: %s\n%s', left, said)
    for n in added:
        equal(n, ours(read('inputs/' + n)), 'the name of an input')
    # What it has found is there, and nothing twice.
    firsts = {read('inputs/' + n)[:1] for n in added}
    check({b'b', b'c'} & firsts, 'no input for an edge: %s', firsts)
    # Nothing is to be found any more, and nothing is to be done.
    said, out = ci('--verify', 0, time='1s')
    again = names()
    check(set(again) <= set(left), 'files came: %s, %s', left, again)
    for n in files:
        if n != ours(extra):
            equal(file_stamp('inputs/' + n), before[n], n)
    # The campaign's own corpus does not grow either.
    check(len(out.corpus()) <= len(left), 'its corpus: %s', out.corpus())


@case
def a_copy_of_ours():
    # The user has the same under a name of his own, wherever it is sorted.
    put(MENDED)
    kept = {'a-mine': b'a!', 'mine': b'b'}
    seeds({**kept, ours(b'a!'): b'a!', ours(b'b'): b'b',
           'cfuzz-copy': b'b'}, 'inputs')
    said, out = ci(time='500ms')
    left = names()
    for data in kept.values():
        check(ours(data) not in left, 'our copy stays: %s\n%s', left, said)
    check(set(left) >= {'a-mine', 'mine', 'cfuzz-copy'},
          'a file of the user is gone: %s', left)
    check('2 removed' in said, 'says:\n%s', said)


@case
def what_a_killed_one_left():
    # A half-written file of ours is no input; a name of the user's is.
    put(MENDED)
    left = '.tmp-0123456789abcdef'
    seeds({left: b'b', '.tmp-0123456789abcdeF': b'x', left + '0': b'xy',
           '.tmp-0': b'xyz', 'tmp-0123456789abcdef': b'xyzx'}, 'inputs')
    os.makedirs('inputs/.tmp-0123456789abcde0')
    said, out = ci(time='500ms')
    check('4/4 completed' in said, 'not the four that are his:\n%s', said)
    check(left not in names(), 'it stays: %s', names())
    equal([n for n in names() if 'tmp-' in n],
          ['.tmp-0', '.tmp-0123456789abcde0', '.tmp-0123456789abcdeF',
           left + '0', 'tmp-0123456789abcdef'], 'files of the user')


@case
def a_link_in_the_output_directory():
    # A cache may bring it; a folder that is named leads where the user wants.
    put(MENDED)
    seeds([b'x'], 'inputs')
    ci(time='20x')
    shutil.rmtree('out/report')
    os.mkdir('elsewhere')
    os.symlink('../elsewhere', 'out/report')
    said, _ = ci(status=3, time='20x')
    check('cannot write out/report: it is a symbolic link' in said, 'says %s',
          said)
    equal(os.listdir('elsewhere'), [], 'written')
    os.symlink('elsewhere', 'link')
    ci('--report', 'link', time='20x')
    check('report.xml' in os.listdir('elsewhere'), 'no report')


@case
def reports_of_another_target():
    # The later target's reports replace them: the job is told.
    put(MENDED)
    shutil.copy('target', 'other')
    for target, warned in (('./target', False), ('./target', False),
                           ('./other', True), ('./other', False)):
        status, out, err = tool(CFUZZ, 'ci', target, '--corpus', 'inputs',
                                '--time', '20x', '-j', 1, '-o', target + '.out',
                                '--report', 'rep', '--seed', SEED)
        equal(status, 0, 'exit status\n%s\n%s' % (out, err))
        equal('the reports of %s in rep are replaced by those of %s: ' % (
            os.path.abspath('target'), os.path.abspath('other')) in err,
              warned, 'warns\n' + err)
    nobody_left()


@case
def a_bare_checkout():
    # There is no folder yet, and no finding.
    put(MENDED)
    said, out = ci(corpus='some/inputs', time='500x')
    check(names('some/inputs'), 'no inputs:\n%s', said)
    equal(sorted(os.listdir('out/report')), ['report.html', 'report.md',
                                             'report.sarif', 'report.xml'],
          'reports')
    equal(ElementTree.parse('out/report/report.xml').getroot().get('failures'),
          '0', 'JUnit')
    json.loads(read('out/report/report.sarif'))


@case
def on_github():
    put(FAILS)
    seeds([b'a!'], 'inputs')
    said, out = ci('--report', 'reports', status=1,
                   env={'GITHUB_ACTIONS': 'true',
                        'GITHUB_STEP_SUMMARY': os.path.abspath('summary')})
    check('::error ' in said and 'SIGABRT' in read('summary').decode(),
          'says\n%s', said)
    check(os.path.exists('reports/report.sarif'), 'no report')
    # Elsewhere, a new one and one that is known.
    put(FAILS.replace("'c')\n\t\tprobe_count()", "'c')\n\t\tabort()"))
    seeds({'another': b'c'}, 'inputs')
    said, out = ci(status=1)
    check('SIGABRT' in said, 'says\n%s', said)
    check(not re.search('^::', said, re.M), 'says\n%s', said)


@case
def a_summary_that_is_long_already():
    # GitHub shows none of more than 1 MiB.
    put(FAILS)
    seeds([b'a!'], 'inputs')
    write('summary', b'x' * ((900 << 10) - 200))
    ci(status=1, env={'GITHUB_ACTIONS': 'true',
                      'GITHUB_STEP_SUMMARY': os.path.abspath('summary')})
    said = read('summary').decode().lstrip('x')
    check('\n1 more, see the report:\n\n- crash: SIGABRT' in said, 'says\n%s',
          said)


@case
def the_time_counts_from_the_start():
    # More inputs than it can run in that time; they run all the same.
    put(one_input('probe_count();\n\tusleep(20000);', '#include <unistd.h>\n'))
    seeds([b'%d' % i for i in range(60)], 'inputs')
    said, out = ci(time='1s')
    check('60/60 completed' in said, 'not all ran:\n%s', said)
    # A second of its own would be 50 more.
    check(out.stats['execs'] < 90, 'it went on:\n%s', said)
    equal(len([n for n in names() if not n.startswith('cfuzz-')]), 60,
          'inputs of the user')


@case
def arguments_of_the_target():
    put(MENDED)
    seeds([b'x'], 'inputs')
    said, out = ci('--', 'one', '--two', time='500ms')
    start = [e for e in out.journal if e['event'] == 'campaign'][0]
    equal(start.get('args'), ['one', '--two'], 'arguments: %s' % start)


def step_of_github(name):
    steps = recipe('github.yml')['jobs']['fuzz']['steps']
    return [s['run'] for s in steps if s.get('name') == name][0]


def recipe(name):
    try:
        import yaml
    except ImportError:
        raise Skip('python3-yaml is missing')
    return yaml.safe_load(read(os.path.join(SRC, 'man/ci', name)))


def shell(lines, status):
    env = dict(os.environ, FUZZ_TIME='500x', PATH=BUILD + ':' +
               os.environ['PATH'])
    got, out, err = tool('sh', '-e', '-c', lines, env=env)
    equal(got, status, '%s\n%s\n%s' % (lines, out, err))
    return out


@case
def every_file_runs():
    # The target takes longer to start than the whole time.
    put(FAILS.replace('int\nLLVMFuzzerTest', '''
int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	sleep(2);
	return 0;
}

int
LLVMFuzzerTest'''))
    seeds([b'x', b'b', b'c', b'a!'], 'inputs')
    said, out = ci(status=1)
    check('FAIL: 1 distinct finding' in said, 'says\n%s', said)
    check('1 file left out, the target fails on them:\n    inputs/' in said,
          'the file that fails is not named:\n%s', said)


@case
def no_coverage():
    # Nothing to choose by: the folder stays as it is.
    write('main.c', 'int main(void) { return getchar() == 0; }')
    subprocess.run(['cc', '-w', '-o', 'target', 'main.c'], check=True)
    seeds([b'x', b'y'], 'inputs')
    before = names()
    said, _ = ci('--coverage', 'none', '--timeout', '10s')
    check('corpus: unchanged: ' in said, 'says\n%s', said)
    equal(names(), before, 'the folder')


@case
def recipe_for_github():
    write('fuzz.c', PLAIN.replace('abort();', 'return 0;'))
    shell(step_of_github('Build the target'), 0)
    shell(step_of_github('Fuzz'), 0)
    check(os.path.exists('fuzz.report/report.sarif'), 'no report')
    check(os.listdir('fuzz.inputs'), 'no inputs')


@case
def recipe_for_gitlab():
    write('fuzz.c', PLAIN)
    seeds([b'a!'], 'fuzz.inputs')
    job = recipe('gitlab.yml')['fuzz']
    # Merge requests have the cache of the default branch, which is protected.
    equal(job['cache'].get('unprotect'), True, 'cache: unprotect')
    for line in job['script'][:-1]:
        shell(line, 0)
    shell(job['script'][-1], 1)
    check(os.path.exists(job['artifacts']['reports']['junit']), 'no report')


@case
def recipe_for_cron():
    # It says something when there is news, and else nothing.
    if shutil.which('git') is None:
        raise Skip('git is missing')
    git = ['git', '-c', 'user.name=x', '-c', 'user.email=x@localhost']
    write('origin/fuzz.c', PLAIN)
    seeds([b'a!'], 'origin/fuzz.inputs')
    for words in (['init', '-q'], ['add', '.'], ['commit', '-q', '-m', 'x']):
        got, out, err = tool(*git, '-C', 'origin', *words)
        equal(got, 0, 'git %s: %s%s' % (words, out, err))
    tool('git', 'clone', '-q', 'origin', 'checkout')
    script = os.path.join(SRC, 'man/ci/cron.sh')
    check('SIGABRT' in shell('sh %s checkout 1s' % script, 1), 'no news')
    equal(shell('sh %s checkout 1s' % script, 0), '', 'news')
    write('checkout/fuzz.c', b'no program')
    check('fuzz.c' in shell('sh %s checkout 1s' % script, 2), 'no reason')


@each(('no_folder', ['./target'], 'name the folder of inputs: --corpus DIR'),
      ('no_target', ['--corpus', 'x'], 'name a target and a folder'),
      ('a_time', ['./target', '--corpus', 'x', '--time', 'soon'], '--time'),
      ('json', ['./target', '--corpus', 'x', '--json'], '--json is not'),
      ('no_time', ['./target', '--corpus', 'x', '--time', '0'],
       '--time: invalid duration "0"'),
      ('a_file', ['./target', '--corpus', 'file'], '--corpus: '),
      ('no_name', ['./target', '--corpus', ''], '--corpus needs a value'),
      ('no_name_behind', ['./target', '--corpus='], '--corpus needs a value'),
      ('not_made', ['./target', '--corpus', '/proc/x'],
       '--corpus: cannot create the folder /proc/x: '),
      ('not_made_below', ['./target', '--corpus', 'x/y',
                          '--report', '/proc/x/z'],
       '--report: cannot create the folder /proc/x: '),
      # A folder that even root cannot write to.
      ('not_written', ['./target', '--corpus', '/proc/sys'],
       '--corpus: /proc/sys: Permission denied'),
      ('report_is_a_file', ['./target', '--corpus', 'x', '--report', 'file'],
       '--report: '),
      ('report_in_inputs', ['./target', '--corpus', 'x', '--report', 'x'],
       '--report: this is the folder of inputs'),
      ('output_as_inputs', ['./target', '--corpus', 'x', '-o', 'x'],
       '--corpus: this is the output directory'),
      ('output_by_another_name',
       ['./target', '--corpus', './new/../folder', '-o', 'folder'],
       '--corpus: this is the output directory'),
      ('output_below', ['./target', '--corpus', 'folder/corpus', '-o',
                        'folder'], '--corpus: this is in the output directory'),
      ('output_far_below', ['./target', '--corpus', './x//y/z/', '-o', 'x/'],
       '--corpus: this is in the output directory'),
      ('output_by_a_link', ['./target', '--corpus', 'link/corpus', '-o',
                            'folder'],
       '--corpus: this is in the output directory'),
      ('output_to_be', ['./target', '--corpus', './x/', '-o', 'x'],
       '--corpus: this is the output directory'),
      ('report_to_be', ['./target', '--corpus', 'x', '--report', './x/'],
       '--report: this is the folder of inputs'),
      ('nothing_runs', ['./nothing', '--corpus', 'x'], './nothing'),
      ('nothing_runs_below', ['./nothing', '--corpus', 'folder/empty/y//z/'],
       './nothing'))
def refused(words, why):
    put(MENDED)
    write('file', b'x')
    os.mkdir('new')
    os.makedirs('folder/corpus')
    os.makedirs('folder/empty')
    os.symlink('folder', 'link')
    status, out, err = tool(CFUZZ, 'ci', '-j', 1, *words)
    equal(status, 2, 'exit status\n%s\n%s' % (out, err))
    check(why in err, 'says %s', err)
    check(not os.path.exists('x'), 'a folder was made')
    equal(os.listdir('folder/empty'), [], 'made')


if __name__ == '__main__':
    main()

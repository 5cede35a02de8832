#!/usr/bin/env python3
"""Provokes every fault of the table and looks from outside what comes of it.

usage: faults.py [--core] [--jobs N] [--json FILE] [--list] [NAME]...

NAME is a row (A13) or a part of its title. --core takes those that are looked
at with every change. Each way to provoke a fault runs by itself: in process,
mount and IPC namespaces of its own where the machine allows that, and always
as the adopter of all orphans, with a home and temporary folder of its own and
a limit of time, after which all of it is killed.
"""

import argparse
import concurrent.futures
import json
import os
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import lab    # noqa: E402
import rows_targets    # noqa: E402,F401
import rows_machine    # noqa: E402,F401
import rows_terminal    # noqa: E402,F401
import rows_control    # noqa: E402,F401

MARK = 'RESULT '


# ---- one way, in a process of its own -------------------------------------

def mounts(place):
    """Memory of our own for all that is written, and nothing shared."""
    for folder in (place, '/dev/shm'):
        subprocess.run(['mount', '-t', 'tmpfs', '-o', 'mode=1777,size=1g',
                        'cfuzz-faults', folder], check=True)


def perform(row, way, place):
    """Runs it; (verdict, why)."""
    if lab.ALONE:
        mounts(place)
    tempfile.tempdir = place
    for name in ('home', 'tmp'):
        os.mkdir(os.path.join(place, name))
        os.chmod(os.path.join(place, name), 0o777)
    os.environ['HOME'] = os.path.join(place, 'home')
    os.environ['TMPDIR'] = os.path.join(place, 'tmp')
    lab.become_subreaper()
    why = lab.one('%s[%s]' % (row.name, way.name), way.function, way.args)
    if isinstance(why, lab.Skip):
        return 'cannot', str(why)
    return ('fail', why) if why else ('pass', '')


def perform_one(word, place):
    row_name, _, n = word.partition('.')
    row = next(r for r in lab.ROWS if r.name == row_name)
    verdict, why = perform(row, row.ways[int(n)], place)
    print(MARK + json.dumps({'verdict': verdict, 'why': why}))


# ---- all of them ----------------------------------------------------------

def isolation():
    """Words that start a program by itself, or none."""
    flags = ['-p', '-m', '-i', '--fork', '--kill-child', '--mount-proc']
    for more in ([], ['-U', '-r']):
        words = ['unshare', *more, *flags]
        try:
            done = subprocess.run(
                words + ['mount', '-t', 'tmpfs', 'try', '/dev/shm'],
                capture_output=True)
        except OSError:
            return []
        if done.returncode == 0:
            return words
    return []


def outcome(row, n, alone):
    """Starts a way and waits for it: a dictionary."""
    place = tempfile.mkdtemp(prefix='cf-', dir='/tmp')
    os.chmod(place, 0o777)
    begin = time.monotonic()
    process = subprocess.Popen(
        alone + [sys.executable, os.path.join(HERE, 'faults.py'), '--perform',
                 '%s.%d' % (row.name, n), '--place', place],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors='replace',
        start_new_session=True,
        env=dict(os.environ, FAULTS_ALONE='1' if alone else '0'))
    try:
        said, _ = process.communicate(timeout=row.limit)
        lines = [s for s in said.splitlines() if s.startswith(MARK)]
        result = json.loads(lines[-1][len(MARK):]) if lines else {
            'verdict': 'fail', 'why': 'the test itself died:\n' + said[-2000:]}
    except subprocess.TimeoutExpired:
        result = {'verdict': 'fail',
                  'why': 'not over after %d s' % row.limit}
        for pid, _, _ in lab.descendants(process.pid):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        process.kill()
        process.communicate()
    subprocess.run(['rm', '-rf', place], check=False)
    return dict(result, way=row.ways[n].name, common=row.ways[n].common,
                seconds=round(time.monotonic() - begin, 2))


def run_row(row, alone):
    ways = [outcome(row, n, alone) for n in range(len(row.ways))]
    verdicts = [w['verdict'] for w in ways]
    why = ''
    if 'fail' in verdicts:
        verdict = 'fail'
    elif 'pass' in verdicts:
        verdict = 'pass'
    else:
        verdict = 'cannot'
        why = '; '.join(sorted({w['why'] for w in ways}))
    return {'row': row.name, 'title': row.title, 'verdict': verdict,
            'why': why, 'ways': ways,
            'seconds': round(sum(w['seconds'] for w in ways), 2)}


WORDS = {'pass': 'ok', 'fail': 'FAIL', 'cannot': 'not here'}


def tell(result):
    note = ' (%.0f s)' % result['seconds'] if result['seconds'] > 9 else ''
    ways = result['ways']
    print('%-8s %-4s %s%s%s%s' % (
        WORDS[result['verdict']], result['row'], result['title'],
        ', %d ways' % len(ways) if len(ways) > 1 else '', note,
        ': ' + result['why'] if result['verdict'] == 'cannot' else ''))
    for way in ways:
        if way['verdict'] == 'fail':
            print('         %s: %s' % (way['way'],
                                      way['why'].rstrip().replace(
                                          '\n', '\n         ')))
        elif way['verdict'] == 'cannot' and result['verdict'] != 'cannot':
            print('         %s cannot be provoked here: %s' % (
                way['way'], way['why']))
    sys.stdout.flush()


def score(results):
    count = {v: sum(r['verdict'] == v for r in results) for v in WORDS}
    common = [w for r in results for w in r['ways'] if w['common']]
    tried = count['pass'] + count['fail']
    if common:
        print('%d of %d common faults survived' % (
            sum(w['verdict'] == 'pass' for w in common), len(common)))
    print('%d of %d faults survived (%.1f %%), %d cannot be provoked here' %
          (count['pass'], tried, 100.0 * count['pass'] / max(tried, 1),
           count['cannot']))
    return count['fail'] == 0


def chosen(options):
    wanted = options.names
    return [r for r in lab.ROWS if (r.core or not options.core) and
            (not wanted or r.name in wanted or
             any(len(w) > 3 and w in r.title for w in wanted))]


def is_listed():
    """The page beside this file names what is provoked."""
    with open(os.path.join(HERE, 'README.md')) as f:
        page = f.read()
    wrong = [r.name for r in lab.ROWS
             if '\n| %s | %s |\n' % (r.name, r.title) not in page]
    if wrong:
        sys.exit('README.md does not list %s as the table does' %
                 ', '.join(wrong))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--core', action='store_true')
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--json')
    parser.add_argument('--list', action='store_true')
    parser.add_argument('--perform')
    parser.add_argument('--place')
    parser.add_argument('names', nargs='*')
    options = parser.parse_args()
    if options.perform:
        perform_one(options.perform, options.place)
        return
    if options.core:
        os.environ['FAULTS_CORE'] = '1'
    rows = chosen(options)
    is_listed()
    if options.list:
        for row in rows:
            print('%-4s %s: %s' % (row.name, row.title, '; '.join(
                w.name for w in row.ways)))
        return
    # Started in the background by a shell, we ignore it, and so would engines.
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)
    lab.fault_target()
    lab.shim()
    lab.become_subreaper()
    alone = isolation()
    if not alone:
        print('no namespaces here: processes are adopted instead')
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = []
        for result in pool.map(lambda r: run_row(r, alone), rows):
            tell(result)
            results.append(result)
    if options.json:
        with open(options.json, 'w') as f:
            for result in results:
                f.write(json.dumps(result) + '\n')
    sys.exit(0 if score(results) else 1)


if __name__ == '__main__':
    main()

#!/usr/bin/env python3
"""What a campaign answers: commands and questions of a script or console."""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403
import control             # noqa: E402
from control import Refused    # noqa: E402


def refused(do, *words, **members):
    try:
        got = do(*words, **members)
    except Refused as e:
        return str(e)
    fail('%s %s is not refused: %r', words, members, got)


@case
def commands_of_a_script():
    # What a key of the console does, a script does by the same words.
    r = control.start(build('steps.c'), '-j', 2)
    c = r.control
    c.until(lambda s: s['state'] == 'fuzzing', 'fuzzing')
    equal(c.command('ping'), 'pong', 'the answer')
    c.command('pause')
    check(c.next_snapshot()['paused'], 'not paused')
    c.command('resume')
    check('no worker' in refused(c.command, 'pause 7'), 'another reason')
    c.command('workers 3')
    c.until(lambda s: len(s['workers']) == 3, 'a third worker')
    r.stop()


@case
def gone_without_a_word():
    # Who holds the other end and dies, ends the campaign.
    r = control.start(build('steps.c'), '-j', 1)
    r.control.until(lambda s: s['execs'] > 0, 'an execution')
    r.control.close()
    r.end()


@case
def another_version():
    # It is served nothing, and told why.
    r = control.start(build('steps.c'), '-j', 1,
                      greeting={'version': control.VERSION + 1})
    c = r.control
    c.wait(lambda: c.bye, 'a goodbye')
    check('the campaign speaks version %d ' % control.VERSION in c.bye['text'],
          'it says %s', c.bye)
    c.send({'command': {'id': 7, 'line': 'ping'}})
    c.close()
    r.end()
    check(7 not in c.answers, 'it obeys')


@each(('not_open', 99, 'not a stream socket'), ('a_file', 'file',
      'not a stream socket'), ('taken', 1, 'standard input'))
def no_socket(fd, why):
    target = build('steps.c')
    inherit = ()
    if fd == 'file':
        fd = os.open('/dev/null', os.O_RDWR)
        inherit = (fd,)
    r = start(target, '--control-fd', fd, inherit=inherit)
    r.end(2)
    check(why in r.stderr, 'another reason:%s', r.describe())


def found(r, n=5):
    """Waits for so many entries, a minimized finding, and one's progress."""
    return r.control.until(
        lambda s: s['corpus'] >= n and s['findings'] and
        s['findings'][0]['minimized_len'] > 0, 'finds')


def data_of(c, name):
    """All bytes of an entry or a finding, piece by piece."""
    data = b''
    while True:
        e = c.query('entry', name=name, first=len(data), count=7)
        equal(e['first'], len(data), 'first')
        data += bytes.fromhex(e['bytes'])
        if len(data) == e['len']:
            return data
        check(e['bytes'], 'no bytes from %d on, of %d', len(data), e['len'])


def repeat(steps, data):
    """Applies the steps; None if one changed more than it shows."""
    for s in steps:
        before, after = bytes.fromhex(s['before']), bytes.fromhex(s['after'])
        at = s['offset']
        equal(s['len_before'], len(data), 'length before %s' % s['op'])
        if (len(before), len(after)) != (s['part_before'], s['part_after']):
            equal((len(before), len(after)), (min(s['part_before'], 32),
                  min(s['part_after'], 32)), 'what is shown')
            return None
        equal(data[at:at + len(before)], before, 'before %s' % s['op'])
        data = data[:at] + after + data[at + len(before):]
        equal(s['len_after'], len(data), 'length after %s' % s['op'])
    return data


def check_mutation_log(c, name):
    e = c.query('entry', name=name)
    t = c.query('trail', name=name)
    check(t['complete'], '%s: %s', name, t['why'])
    oldest = e['lineage'][-1]
    equal(oldest['parent'], '', 'parent of the last of %s' % name)
    for older, newer in zip(e['lineage'][1:], e['lineage']):
        equal(newer['parent'], older['name'], 'parent')
        equal(newer['generation'], older['generation'] + 1, 'generation')
    got = repeat(t['steps'], data_of(c, oldest['name']))
    check(got is None or got == data_of(c, name),
          '%s: the steps lead to %r, not %r', name, got, data_of(c, name))
    return t['steps'], oldest


def pause(c):
    """For good: no trim that is under way gives an entry another name."""
    c.command('set minimizetime 0')
    c.next_snapshot()
    c.until(lambda s: not s['minimizations'], 'the last trim')
    c.command('pause')
    for _ in range(3):    # a call may still end
        c.next_snapshot()
    c.until(lambda s: not s['unsaved'], 'the disk')


@case
def mutation_logs_replay():
    # Of each entry and finding, step by step, from a seed to its bytes.
    r = control.start(build('steps.c'), '-j', 2, '--seeds',
                      seeds([b'hello', b'']))
    c = r.control
    found(r, 8)
    pause(c)
    rows = c.query('corpus', count=512)['rows']
    made = [row for row in rows if row['parent']]
    check(made, 'nothing was made')
    for row in rows:
        steps, oldest = check_mutation_log(c, row['name'])
        check(bool(steps) == bool(row['parent']), '%s: %d steps',
              row['name'], len(steps))
        check(oldest['seed'], '%s begins with no seed', row['name'])
    finding = c.snapshot['findings'][0]
    steps, _ = check_mutation_log(c, finding['id'])
    equal({s['entry'] for s in steps if not s['minimized']} &
          {finding['id']}, {finding['id']}, 'steps of the finding')
    equal(data_of(c, finding['id']),
          r.bucket().input, 'bytes of the finding')
    steps, _ = check_mutation_log(c, finding['id'] + '/min')
    check(steps[-1]['minimized'], 'the last step minimizes')
    # The engine knows it before it is on the disk.
    wait_for(lambda: r.bucket().has('minimized'), 'the file')
    equal(data_of(c, finding['id'] + '/min'), r.bucket().minimized,
          'its minimized bytes')
    c.command('resume')
    r.stop(1)


@case
def mutation_logs_of_an_earlier_run():
    # What came of what is known, and what changed; what did it is not.
    r = control.start(build('steps.c'), '-j', 1, '--seeds',
                      seeds([b'hello', b'']))
    found(r)
    before = r.stop(1).bucket().info['lineage']
    check(before['steps'], 'the finding has no steps: %r', before)
    r = control.start(r.target, '-j', 1, '--seeds', 'seeds')
    c = r.control
    c.until(lambda s: s['state'] == 'fuzzing', 'fuzzing')
    pause(c)
    rows = c.query('corpus', count=512)['rows']
    made = [row['name'] for row in rows if row['parent']]
    check(made, 'nothing was made')
    id = c.snapshot['findings'][0]['id']
    for name in made + [id]:
        steps, oldest = check_mutation_log(c, name)
        check(oldest['seed'], '%s begins with no seed', name)
    equal({s['op'] for s in c.query('trail', name=id)['steps']
           if s['entry'] == id}, {'difference'}, 'what made the finding')
    c.command('replay %s 2' % id)
    c.command('resume')
    c.until(lambda s: s['findings'][0]['replays'] >= 2, 'its replays')
    equal(r.stop().bucket().info['lineage']['steps'], before['steps'],
          'the steps that the first run has written down')
    # Without its seeds it is told as far as it is known.
    r = control.start(r.target, '-j', 1)
    r.control.until(lambda s: s['state'] == 'fuzzing', 'run 3')
    t = r.control.query('trail', name=id)
    check(not t['complete'] and 'no longer in the corpus' in t['why'],
          'says %r', t['why'])
    r.stop()


@case
def entries():
    # By name, by its beginning; in pieces; what is not there is said.
    r = control.start(build('steps.c'), '-j', 1, '--seeds',
                      seeds([b'0123456789']))
    c = r.control
    c.until(lambda s: s['state'] == 'fuzzing', 'fuzzing')
    name = sha(b'0123456789')[:16]
    for part in (name, name[:6]):
        equal(c.query('entry', name=part)['name'], name, 'its name')
    piece = c.query('entry', name=name, first=8, count=100)
    equal((piece['first'], piece['bytes'], piece['len']),
          (8, b'89'.hex(), 10), 'the end')
    piece = c.query('entry', name=name, first=1 << 60, count=1)
    equal((piece['first'], piece['bytes']), (10, ''), 'behind the end')
    for wrong in ('', name[:3], 'f' * 16, '../../etc', '/min', name + '/min'):
        for kind in ('entry', 'trail'):
            check('there is no' in refused(c.query, kind, name=wrong),
                  '%s %s', kind, wrong)
    r.stop()


@case
def lists_of_the_corpus():
    # Sorted by any member, filtered, in pages; a place by name.
    r = control.start(build('steps.c'), '-j', 1, '--seeds',
                      seeds([b'hello', b'', b'123']))
    c = r.control
    found(r, 6)
    pause(c)
    all_rows = c.query('corpus', count=512)
    rows = all_rows['rows']
    equal((all_rows['total'], all_rows['matching']), (len(rows),) * 2,
          'entries')
    equal([row['index'] for row in rows], list(range(len(rows))), 'order')
    for member in rows[0]:
        for falling in (False, True):
            got = c.query('corpus', count=512, sort=member, falling=falling)
            keys = [row[member] for row in got['rows']]
            equal(keys, sorted(keys, reverse=falling), member)
            page = c.query('corpus', first=2, count=3, sort=member,
                           falling=falling)
            equal(page['rows'], got['rows'][2:5], 'a page by %s' % member)
            place = c.query('corpus', sort=member, falling=falling,
                            name=rows[1]['name'])['place']
            equal(got['rows'][place - 1]['name'], rows[1]['name'],
                  'what stands at that place')
    for word in ('seed', 'favoured', 'unstable', 'progress'):
        equal([row['index'] for row in c.query('corpus', count=512,
                                               filter=word)['rows']],
              [row['index'] for row in rows if row[word]], word)
    start = rows[0]['name'][:5]
    equal([row['index'] for row in c.query('corpus', count=512,
                                           filter='SEED ' + start)['rows']],
          [0], 'one seed')
    equal(c.query('corpus', count=9, filter='nonsense')['matching'], 0,
          'nonsense')
    check('cannot be sorted' in refused(c.query, 'corpus', sort='beauty'),
          'another reason')
    r.stop()


@case
def history_of_a_worker():
    # What it did, why, and since when; the newest first.
    r = control.start(build('steps.c', flags=['-fsanitize=address']), '-j', 1)
    c = r.control
    # So many states later, the first is not kept any more.
    c.until(lambda s: s['execs'] > 0, 'an execution')
    equal(c.query('worker', worker=0)['states'][-1]['state'], 'starting',
          'how it began')
    found(r, 2)
    c.command('pause')
    c.next_snapshot()
    c.command('resume')
    c.until(lambda s: s['state'] == 'fuzzing' and
            s['workers'][0]['state'] == 'fuzzing', 'fuzzing')
    w = c.query('worker', worker=0, count=16)
    states = [s['state'] for s in w['states']]
    for state in ('fuzzing', 'replaying', 'minimizing', 'paused'):
        check(state in states, 'never %s: %s', state, states)
    check(all(a != b for a, b in zip(states, states[1:])),
          'a state follows itself: %s', states)
    times = [s['at_s'] for s in w['states']]
    equal(times, sorted(times, reverse=True), 'times')
    check(all(s['why'] for s in w['states']), 'no reason: %s', w['states'])
    check('ASAN_OPTIONS=' in w['options'] and 'symbolize=0' in w['options'],
          'its options: %s', w['options'])
    check(len(w['input']) == 2 * min(16, w['input_len']), 'its input: %s', w)
    c.command('stop 0')
    c.until(lambda s: s['workers'][0]['restarts'] > 0, 'another start')
    states = [s['state'] for s in c.query('worker', worker=0)['states']]
    for state in ('stopping', 'down'):
        check(state in states, 'never %s: %s', state, states)
    check('no worker 9' in refused(c.query, 'worker', worker=9),
          'another reason')
    r.stop()


@case
def output_of_a_target():
    # Clean lines of what it wrote, the last of them.
    target = build(one_input('''
	fprintf(stderr, "red \\033[31m and green\\n");
	fflush(stderr);''', head='#include <stdio.h>'))
    r = control.start(target, '-j', 1)
    c = r.control
    c.until(lambda s: s['execs'] > 1000, 'executions')
    w = c.wait(lambda: (lambda w: w['stderr_len'] > 10000 and w)(
        c.query('worker', worker=0)), 'output')
    lines = bytes.fromhex(w['stderr_text']).decode().splitlines()
    check(len(lines) > 100, '%d lines', len(lines))
    equal(set(lines[:-1]), {'red \\x1b[31m and green'}, 'lines')
    r.stop()


@each(('text', 'x', 'x'), ('longer_when_clean', '\\001', '\\x01'))
def one_long_line(char, shown):
    # A line without end is shown from somewhere on, not left out.
    target = build(one_input('''
	static char line[20001];
	memset(line, '%s', 19999);
	line[19999] = '\\n';
	fputs(line, stderr);''' % char, head='#include <stdio.h>\n'
                             '#include <string.h>'))
    r = control.start(target, '-j', 1)
    c = r.control
    c.until(lambda s: s['execs'] > 100, 'executions')
    w = c.wait(lambda: (lambda w: w['stderr_len'] > 10000 and w)(
        c.query('worker', worker=0)), 'output')
    text = bytes.fromhex(w['stderr_text']).decode()
    check(shown in text, 'other text: "%s"', text[:40])
    r.stop()


@case
def many_questions_at_once():
    # Who asks for much before he reads gets all of it, and loses nothing.
    large = bytes(60000)
    r = control.start(build('steps.c'), '-j', 1, '--seeds', seeds([large]))
    c = r.control
    c.until(lambda s: s['state'] == 'fuzzing', 'fuzzing')
    asked = [c.next_id() for _ in range(500)]
    execs = c.snapshot['execs']
    c.send_line(b'\n'.join(json.dumps({'query': {
        'id': n, 'kind': 'entry', 'name': sha(large)[:16],
        'count': 65536}}).encode() for n in asked))
    for n in asked:
        reply = c.wait(lambda: c.replies.pop(n, None), 'a reply')
        equal(len(reply['bytes']), 2 * len(large), 'its bytes')
    c.until(lambda s: s['execs'] > execs, 'executions')
    r.stop()


@case
def pages_of_the_journal():
    # All that was told is there, in pages, and by the words of a filter.
    r = control.start(build('steps.c'), '-j', 1)
    c = r.control
    c.until(lambda s: s['state'] == 'fuzzing', 'fuzzing')
    for _ in range(20):
        c.command('pause')
        c.command('resume')
    c.command('pause')
    c.next_snapshot()
    whole = c.query('journal', count=512)
    equal(whole['total'], whole['matching'], 'all match')
    rows = whole['rows']
    equal([row['seq'] for row in rows], list(range(1, len(rows) + 1)),
          'numbers')
    pages = [row for first in range(0, len(rows), 7)
             for row in c.query('journal', first=first, count=7)['rows']]
    equal(pages[:len(rows)], rows, 'pages')
    paused = c.query('journal', count=512, filter='Operator PAUSED')
    equal((paused['matching'], len(paused['rows'])), (21, 21), 'pauses')
    equal(c.query('journal', first=20, count=9,
                  filter='operator paused')['rows'], paused['rows'][20:],
          'the last one')
    equal(c.query('journal', count=9, filter='nonsense')['matching'], 0,
          'nonsense')
    c.command('resume')
    r.stop()


@case
def fuzz_this_one():
    # The next calls begin with that input; that is journalled.
    r = control.start(build('steps.c'), '-j', 1, '--seeds',
                      seeds([b'hello', b'', b'123']))
    c = r.control
    c.until(lambda s: s['state'] == 'fuzzing', 'fuzzing')
    name = sha(b'hello')[:16]
    before = c.query('corpus', name=name, filter=name, count=1)['rows'][0]
    text = c.command('fuzz %s 500' % name[:7])
    check(name[:6] in text, 'another answer: %s', text)
    c.until(lambda s: s['workers'][0]['entry'] == name, 'a call that begins '
            'with it')
    check('still queued' in refused(c.command, 'fuzz %s 1000' % name),
          'another reason')
    c.wait(lambda: c.next_snapshot() and c.query(
        'corpus', filter=name, count=1)['rows'][0]['executions'] >
        before['executions'] + 1000, 'executions of its own')
    for line, why in (('fuzz', 'write: fuzz'), ('fuzz ffffffff', 'no input'),
                      ('fuzz %s 0' % name, '1 to 1000'),
                      ('fuzz %s x' % name, '1 to 1000'),
                      ('fuzz %s 5x' % name, '1 to 1000')):
        check(why in refused(c.command, line), '%s: another reason', line)
    r.stop()
    equal([e['input'] for e in r.events('operator') if 'calls' in e],
          [name], 'what the journal says')


@case
def questions_without_sense():
    # Each is answered with a reason, or dropped; the campaign goes on.
    r = control.start(build('steps.c'), '-j', 1)
    c = r.control
    for n, members in enumerate(({}, {'kind': 'nonsense'}, {'kind': 7},
                                 {'kind': 'corpus', 'count': -1},
                                 {'kind': 'corpus', 'count': 1 << 40},
                                 {'kind': 'journal', 'filter': 3},
                                 {'kind': 'entry', 'name': []})):
        c.send({'query': dict(members, id=1000 + n)})
        got = c.wait(lambda: c.replies.pop(1000 + n, None), str(members))
        check(got['error'], 'no reason: %s', got)
    for line in ({'query': 5}, {'query': {'kind': 'corpus'}},
                 {'query': {'id': 'x', 'kind': 'corpus'}}, {'quiz': {}}):
        c.send(line)
    long = c.query('corpus', filter='x' * 5000, sort='len', count=4000000000)
    equal(long['matching'], 0, 'matches')
    equal(c.command('ping'), 'pong', 'the answer')
    r.stop()


main()

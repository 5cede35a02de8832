#!/usr/bin/env python3
"""What becomes of a finding in the hands of its user: marks, notes, what is
known of it, and the folder that is sent away."""

import os
import shlex
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403
import control             # noqa: E402
from control import Refused    # noqa: E402

# A crash that needs nothing of a sanitizer, two functions deep.
CRASH = one_input('''
	if (size > 2 && data[0] == 'x')
		outer(data);
''', head='''
static __attribute__((noinline)) void
inner(const uint8_t *data)
{
	*(volatile int *)(uintptr_t)(data[1] & 0) = 1;
}

static __attribute__((noinline)) void
outer(const uint8_t *data)
{
	inner(data);
	__asm__ volatile("");
}
''')
INCLUDES = ('-I', os.path.join(SRC, 'include'), '-I', HERE)

SEED = b'xyz with a longer tail'


def refused(do, *words, **members):
    try:
        got = do(*words, **members)
    except Refused as e:
        return str(e)
    fail('%s %s is not refused: %r', words, members, got)


def begin(*options, data=SEED, **more):
    """A campaign with one finding, which is replayed and minimized."""
    r = control.start(build(CRASH), '-j', 1, '--verify', 2, '--seeds',
                      seeds([data]), *options, **more)
    f = r.control.until(
        lambda s: s['findings'] and s['findings'][0]['minimized_len'] and
        s['findings'][0]['state'] != 'new' and s, 'a finding')['findings'][0]
    # Names may come after all that, and the report is written again then.
    r.control.wait(lambda: b'inner' in bytes.fromhex(r.control.query(
        'finding', name=f['id'], count=65536)['report']), 'names')
    return r, f


def again(*options):
    """The campaign goes on; it finds nothing that it does not know."""
    r = control.start(build(CRASH), '-j', 1, *options)
    s = r.control.until(lambda s: s['findings'] and s['state'] == 'fuzzing',
                        'what was found before')
    return r, s['findings'][0]


def state_of(r):
    return r.control.next_snapshot()['findings'][0]['state']


@each(('accepted', ('accepted',), 'accepted', 'accepted'),
      ('known', ('known',), 'known', 'known'),
      ('new_again', ('accepted', 'new'), 'confirmed', 'known'),
      ('untouched', (), 'confirmed', 'known'))
def marks(states, now, later):
    # What the user says of it stays, whatever replays say, and is known in
    # the next run.
    r, f = begin()
    for state in states:
        r.control.command('mark %s %s' % (f['id'], state))
    equal(state_of(r), now, 'the state')
    r.control.command('replay %s 3' % f['id'])
    r.control.until(lambda s: s['findings'][0]['replays'] == 3 and
                    s['findings'][0]['reproduced'] == 3, 'three replays')
    equal(state_of(r), now, 'the state after replays')
    r.stop(0 if now == 'accepted' else 1)
    equal(r.bucket().info['state'], now, 'crash.json')
    r, f = again()
    equal(f['state'], later, 'in the next run')
    r.stop()


@case
def accepted_twice():
    # By a script that does not look at the state first.
    r, f = begin()
    for _ in range(2):
        r.control.command('accept ' + f['id'])
    equal(state_of(r), 'accepted', 'the state')
    r.stop(0)


@case
def events_name_their_subject():
    # Enter at such an event opens what it is about.
    r, f = begin()

    def minimized():
        # One may be too small, or a smaller one may have taken its place.
        for row in r.control.query('corpus', count=9)['rows']:
            try:
                r.control.command('minimize ' + row['name'])
                return row['name']
            except Refused:
                pass

    lines = ['accept ' + f['id'], 'mark %s known' % f['id'],
             'note %s seen' % f['id'], 'replay %s 1' % f['id']]
    for line in lines:
        r.control.command(line)
    r.control.until(lambda s: s['findings'][0]['replays'] == 1, 'a replay')
    r.control.command('minimize ' + f['id'])
    entry = r.control.wait(minimized, 'an entry to be minimized')
    r.stop()
    told = [e for e in r.events('operator') if e['text'] != 'stop']
    equal([e.get('finding') for e in told], [f['id']] * 5 + [None], 'findings')
    equal(told[-1].get('input'), entry, 'the input')


@case
def marks_that_make_no_sense():
    r, f = begin()
    for line, why in (('mark %s confirmed', 'replays'),
                      ('mark %s flaky', 'replays'),
                      ('mark %s', 'write: mark'),
                      ('mark %s nonsense', 'new, known or accepted'),
                      ('mark x%s known', 'no finding')):
        got = refused(r.control.command, line % f['id'])
        check(why in got, '%s: another reason: %s', line, got)
    equal(state_of(r), 'confirmed', 'the state')
    r.stop(1)


@case
def notes():
    # In the user's own words, clean, and still there in the next run.
    r, f = begin()
    c = r.control
    equal((f['noted'], c.query('finding', name=f['id'])['note']), (0, ''),
          'no note')
    c.command('note %s "see ""next"" in  parse.c \x1b[31m"' % f['id'])
    words = 'see "next" in  parse.c \\x1b[31m'
    equal(c.query('finding', name=f['id'])['note'], words, 'the note')
    check(c.next_snapshot()['findings'][0]['noted'], 'no sign of it')
    check('at most' in refused(c.command, 'note %s %s' % (f['id'], 'x' * 512)),
          'another reason')
    r.stop(1)
    equal(r.bucket().info['note'], words, 'crash.json')
    r, f = again()
    c = r.control
    equal(c.query('finding', name=f['id'])['note'], words, 'the next run')
    c.command('note %s' % f['id'])
    check(not c.next_snapshot()['findings'][0]['noted'], 'it is still there')
    r.stop()
    check('note' not in r.bucket().info, 'crash.json still has it')


@case
def what_is_known_of_it():
    # Stack, report in pieces, folder, and a command that works anywhere.
    r, f = begin('--timeout', 7000)
    c = r.control
    a = c.query('finding', name=f['id'], count=65536)
    equal(a['path'], r.path(f['folder']), 'its folder')
    frames = a['frames']
    equal([x['depth'] for x in frames], sorted(x['depth'] for x in frames),
          'depths')
    equal([x['function'] for x in frames[:2]], ['inner', 'outer'],
          'functions')
    check(all(os.path.basename(x['file']) == 'target.c' and
              x['file'][0] == '/' and x['line'] > 0 and
              not x['library'] for x in frames[:2]), 'places: %s', frames[:2])
    words = shlex.split(a['command'])
    equal(words, ['cfuzz', 'repro', '--timeout', '7s',
                  build(CRASH), r.path(f['folder'], 'minimized')],
          'the command')
    report = bytes.fromhex(a['report'])
    equal(len(report), a['report_len'], 'the length of its report')
    pieces = b''
    while len(pieces) < len(report):
        b = c.query('finding', name=f['id'], first=len(pieces), count=40)
        equal(b['first'], len(pieces), 'first')
        pieces += bytes.fromhex(b['report'])
    equal(pieces, report, 'its report in pieces')
    check(b'inner' in report, 'its report: %r', report)
    equal(c.query('finding', name=f['id'], first=1 << 40, count=9)['report'],
          '', 'what is beyond its end')
    check('no finding' in refused(c.query, 'finding', name='nonsense'),
          'another reason')
    r.stop(1)
    os.mkdir('elsewhere')
    status, out, err = tool('sh', '-c', 'cd elsewhere && exec "$0" "$@"',
                            CFUZZ, *words[1:])
    equal(status, 1, 'its status: %s %s' % (out, err))


@case
def known_in_the_next_run():
    # Frames and report come from the disk then.
    r, f = begin()
    a = r.control.query('finding', name=f['id'], count=65536)
    r.stop(1)
    r, f = again()
    b = r.control.query('finding', name=f['id'], count=65536)
    for name in ('frames', 'report', 'path'):
        equal(b[name], a[name], name)
    r.stop()


def run_script(folder, *words, env=None):
    return tool(os.path.join(folder, 'reproduce.sh'), *words, env=env)


@case
def export():
    # A folder that can be sent away: every way to see the bug again works.
    r, f = begin()
    c = r.control
    c.command('note %s "ask Ann"' % f['id'])
    text = c.command('export %s' % f['id'])
    folder = r.path('export', os.path.basename(f['folder']))
    equal(text, 'exported to ' + folder, 'the answer')
    equal(sorted(os.listdir(folder)),
          ['about.txt', 'crash.json', 'input', 'input.c', 'minimized',
           'report.txt', 'reproduce.sh'], 'files')
    bucket = r.bucket()
    wait_for(lambda: bucket.has('minimized'), 'the minimized input')
    for name in ('input', 'minimized', 'report.txt'):
        equal(read(os.path.join(folder, name)), bucket.file(name), name)
    info = json.loads(read(os.path.join(folder, 'crash.json')))
    equal((info['id'], info['note']), (f['id'], 'ask Ann'), 'crash.json')
    about = read(os.path.join(folder, 'about.txt')).decode()
    for words in ('ask Ann', 'inner', build(CRASH), f['id'],
                  'reproduce.sh'):
        check(words in about, 'no "%s" in about.txt:\n%s', words, about)
    # Another one beside it, and one where the user wants it.
    text = c.command('export %s' % f['id'])
    equal(text, 'exported to %s-2' % folder, 'once more')
    os.mkdir('there')
    write('a-file', b'')
    for name in ('there', 'a name'):
        text = c.command('export %s "%s"' % (f['id'], name))
        equal(text, 'exported to ' + os.path.abspath(name), 'the answer')
        check(os.path.exists(os.path.join(name, 'reproduce.sh')),
              'nothing in %s', name)
    check('not empty' in refused(c.command, 'export %s there' % f['id']),
          'another reason')
    r.wait_for(lambda: [e['ok'] for e in r.events('command') if
                        e['line'].endswith(' there')] == [False],
               'the refused command in the journal')
    check('no/where' in refused(c.command, 'export %s no/where' % f['id']),
          'another reason')
    check('not a folder' in refused(c.command, 'export %s a-file' % f['id']),
          'another reason')
    r.stop(1)
    check('here/minimized' in read(os.path.join(folder, 'reproduce.sh'))
          .decode(), 'the script runs another input')
    # With cfuzz; without it, by the target itself; another target.
    path = os.path.dirname(CFUZZ) + ':/bin:/usr/bin'
    status, out, err = run_script(folder, env={'PATH': path})
    equal(status, 1, 'with cfuzz: %s %s' % (out, err))
    check('fails' in out, 'what it says: %s', out)
    status, out, err = run_script(folder, env={'PATH': '/bin:/usr/bin'})
    check(status not in (0, 1, 2, 126, 127), 'without cfuzz: %d %s %s',
          status, out, err)
    status, out, err = run_script(folder, '/bin/true',
                                  env={'PATH': '/bin:/usr/bin'})
    equal(status, 0, 'another target: %s %s' % (out, err))
    # The program, with the target's own code.
    status, _, err = tool('cc', '-Wall', '-Wextra', '-Werror', '-c',
                          os.path.join(folder, 'input.c'))
    equal(status, 0, 'compiling: %s' % err)
    status, _, err = tool('cc', *INCLUDES, '-o', 'prog', 'input.o',
                          build(CRASH) + '.c')
    equal(status, 0, 'compiling: %s' % err)
    status, _, _ = tool('./prog')
    check(status != 0, 'the program does not fail')
    # What was exported is no part of the campaign.
    r, f = again()
    equal(len(r.control.snapshot['findings']), 1, 'findings')
    r.stop()


@case
def export_without_bytes():
    # An input of no bytes, and words of the target that mean something in C
    # and in a shell.
    target = build(one_input('''
	if (size == 0)
		cfuzz_fail("*/ '$(touch hacked)' \\" %s \\n", "\\033[31m");
''', head='#include <cfuzz.h>'))
    r = control.start(target, '-j', 1, '--verify', 1, '--seeds', seeds([b'']))
    c = r.control
    f = c.until(lambda s: s['findings'] and s['findings'][0]['replays'] and
                s, 'a finding')['findings'][0]
    c.command('mark %s known' % f['id'])
    c.command('export %s out2' % f['id'])
    check(not os.path.exists('out2/minimized'), 'it is minimized')
    for name in ('about.txt', 'crash.json', 'reproduce.sh', 'input.c'):
        check(b'\x1b' not in read(os.path.join('out2', name)),
              '%s can act on a terminal', name)
    r.stop(1)
    status, out, err = run_script(
        'out2', env={'PATH': os.path.dirname(CFUZZ) + ':/bin:/usr/bin'})
    equal(status, 1, 'the script: %s %s' % (out, err))
    check(not os.path.exists('hacked'), 'a report was executed')
    status, _, err = tool('cc', *INCLUDES, '-o', 'prog', 'out2/input.c',
                          target + '.c')
    equal(status, 0, 'compiling: %s' % err)
    status, _, err = tool('./prog')
    check(status != 0 and 'touch hacked' in err, 'the program: %d %s', status,
          err)


main()

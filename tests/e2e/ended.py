#!/usr/bin/env python3
"""Campaigns that are over, on terminals: their end stays on the screen, and all
views, replays and minimizations are there without a campaign."""

# BEGUN FIRST
import json
import os
import re
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403
import control             # noqa: E402
from terminals import Session    # noqa: E402
from ways import OPENED, source    # noqa: E402

FAILS = one_input('''
	probe_count();
	if (size > 8 && data[0] == 'a' && data[1] > 150)
		cfuzz_fail("more than 150");''')
CLOSE = b'aaaaaaaaaaaa'
FAILING = b'a\xc8aaaaaaaaaa'
SEQUENCE = re.compile(rb'\x1b(?:\[[0-9;?]*[A-Za-z]|\(B)')


class Console(Session):
    def __init__(self, *words, **more):
        super().__init__([TUI, *words], **more)

    def screen(self):
        """Its text, row by row, without what is between the rows."""
        return SEQUENCE.sub(b'', self.redrawn()).decode(errors='replace')

    def has(self, *texts):
        wait_for(lambda: [t for t in texts if t in self.screen()],
                 lambda: '%s on the screen: %s' % (texts, self.screen()))

    def says(self, line, text):
        """The answer to a command; any key takes it away."""
        self.seen = b''
        self.command(line)
        self.expect(text)

    def idle(self, target):
        """No worker is left."""
        wait_for(lambda: os.path.basename(target) not in
                 [row[2] for row in descendants()], 'the end of the worker')

    def leave(self, status):
        self.escape(3)
        self.key(b'q')
        self.end(status)
        self.close()
        nobody_left()


# A seed fails where the limit may come before: 30000 executions may all be
# mutations of one input, from which no failure is near.
@each(('time', FAILING, ('--fuzztime', '3s'), 'time limit reached'),
      ('executions', FAILING, ('--fuzztime', '30000x'),
       'execution limit reached'),
      ('finding', CLOSE, ('--stop-on-crash',), 'stopped at the first finding'),
      ('idle', FAILING, ('--stop-after-idle', '3s'),
       'nothing new came any more'))
def end_stays(seed, options, why):
    # The limit ends the campaign and its workers, not the console.
    target = build(FAILS)
    s = Console('-o', 'out', '-j', '1', '--timeout', '10s', '--seeds',
                seeds([seed]), *options, target)
    s.has('The campaign has ended')
    s.key(b'l')
    s.has('exit status 1')
    s.has(why)
    s.idle(target)
    s.key(b'4')
    s.has('corpus', '%d entries' % Output('out').stats['corpus'])
    s.leave(1)
    stats = Output('out').stats
    equal((stats['state'], stats['ended_by'], stats['exit_status']),
          ('ended', why, 1), 'state, why and exit status')


@case
def isolated_after_the_end():
    # The target does not see the output directory, as in the campaign.
    os.chmod('.', 0o755)
    shutil.copy(build(one_input("""
	if (access(getenv("JOURNAL"), F_OK) == 0)
		cfuzz_fail("it sees the output directory");
	else if (size == 2)
		abort();""")), 'target')
    env = {'JOURNAL': os.path.abspath('out/journal.jsonl'), 'HOME': '/nowhere'}
    r = run('./target', '--isolate', '-j', 1, '--fuzztime', '20x', '--verify',
            0, '--minimizetime', 0, '--seeds', seeds([b'!!']), '--max-len', 2,
            env=env)
    if r.status == 2 and '--isolate: ' in r.stderr:
        raise Skip(r.stderr.strip())
    os.chmod('out', 0o755)    # root is nobody there
    s = Console('out', columns=120, env=env)
    s.has('execution limit reached')
    s.says('replay %s 3' % r.bucket().info['id'], ' of 3 failed again')
    s.leave(1)
    equal(r.stats['findings'][0]['reproduced'], 3, 'replays that failed')


@case
def work_after_the_end():
    # Nothing fuzzes, findings are worked on, and the directory is free.
    target, out = build(FAILS), Output('out')
    s = Console('-o', 'out', '-j', '1', '--timeout', '10s', '--fuzztime',
                '1s', '--seeds', seeds([FAILING]), target, columns=120)
    s.has('The campaign has ended')
    s.key(b'l')
    finding, execs = out.stats['findings'][0], out.stats['execs']
    for key, text in ((b'2', 'down'), (b'3', 'bits'), (b'4', 'entries'),
                      (b'7', 'ended'), (b'5', '1 distinct')):
        s.key(key)
        s.has(text)
    s.has('minimize')
    check('pause' not in s.screen(), 'it offers: %s', s.screen())
    for line in ('pause', 'workers +1', 'set timeout 2s', 'fuzz 0123',
                 'stop', 'resume'):
        s.says(line, 'the campaign is over: cfuzz-tui -o out')
    s.says('detach', 'nothing can go on: quit leaves')
    s.says('replay %s 3' % finding['id'], '3 of 3 failed again')
    wait_for(lambda: out.stats['findings'][0]['replays'] == 3, 'the replays')
    s.idle(target)
    s.says('note %s seen' % finding['id'], 'the note is saved')
    wait_for(lambda: out.stats['findings'][0]['noted'], 'the note')
    equal(out.stats['execs'], execs, 'executions')
    done = subprocess.run([CFUZZ, 'run', '--fuzztime', '1000x', '-o', 'out',
                           target], stdout=subprocess.DEVNULL)
    check(done.returncode in (0, 1), 'the next run: %d', done.returncode)
    s.says('replay %s 3' % finding['id'], 'another cfuzz has changed out')
    s.leave(1)


def over(**more):
    """A campaign with a finding that is over, and its target."""
    target = shutil.copy(build(FAILS), os.path.abspath('fails'))
    # On a slow machine, too, the finding is verified before the end.
    done = subprocess.run([CFUZZ, 'run', '-j', '1', '--fuzztime', '3000x',
                           '--finish-time', '120000', '-o', 'out',
                           '--seeds', seeds([FAILING, CLOSE]), target],
                          stdout=subprocess.DEVNULL, **more)
    equal(done.returncode, 1, 'exit status of the campaign')
    return target, Output('out')


def files(folder):
    """All files with times, so that any change shows."""
    return sorted((os.path.join(top, name),
                   os.stat(os.path.join(top, name)).st_mtime_ns)
                  for top, _, names in os.walk(folder) for name in names)


@case
def from_the_directory():
    # All views, without a change, a lock, a target or a worker.
    target, out = over()
    os.rename(target, 'elsewhere')
    before, stats = files('out'), out.stats
    s = Console('--theme', 'light', '--ascii', 'out', columns=120)
    s.has('execution limit reached')
    s.has('exit status 1')
    for key, text in ((b'2', 'down'), (b'3', '%d bits' %
                                       stats['coverage_bits']),
                      (b'4', '%d entries' % stats['corpus']),
                      (b'', 'energy'),    # its rows are there
                      (b'\r', 'executions -'),
                      (b'6', 'Select a finding (5), and press m'),
                      (b'7', 'ended'),
                      (b'5', '1 distinct')):
        s.key(key)
        s.has(text)
    finding = stats['findings'][0]['id']
    s.says('workers +1', 'the campaign is over: cfuzz-tui ')
    s.says('replay ' + finding, 'does not exist')
    check(not child_named(s.job, 'fails'), 'the target runs')
    equal(files('out'), before, 'the files')
    os.rename('elsewhere', target)
    s.leave(1)


@case
def one_state_everywhere():
    # Of a finding that does not fail again, too.
    target, out = over()
    for state in 'confirmed', 'known':
        status, said, err = tool(CFUZZ, 'findings', '--json', 'out')
        equal((out.stats['findings'][0]['state'], out.buckets()[0].info['state'],
               json.loads(said)[0]['state']), (state,) * 3, 'states')
        s = Console('out', columns=160)
        s.key(b'5')
        s.has(state)
        s.leave(out.stats['exit_status'])
        tool(CFUZZ, 'run', '-j', '1', '--fuzztime', '2x', '-o', 'out', target)


@case
def coverage_is_kept():
    # The map, functions and lines of the source, of another directory's copy.
    over()
    shutil.copytree('out', 'copy')
    s = Console('copy', columns=120, rows=40)
    s.key(b'3')
    s.has('LLVMFuzzerTestOneInput')
    s.key(b'\r')
    s.has('lines hit')
    s.leave(1)
    head, rest = read('out/coverage.jsonl').decode().split('\n', 1)
    head = json.dumps(dict(json.loads(head), build='00'))
    write('copy/coverage.jsonl', head + '\n' + rest)
    s = Console('copy')
    s.key(b'7')
    s.has('of another build')
    s.leave(1)


@case
def killed():
    # Coverage, lineage, mutations and findings survive a kill -9.
    r = start(build(FAILS), '-j', '1', '--seeds', seeds([FAILING, CLOSE]),
              out='out')
    r.wait_for(lambda: os.path.exists('out/coverage.jsonl'), 'the coverage')
    r.wait_for(lambda: [f for f in r.stats['findings'] if f['replays'] == 5],
               'the verdict')
    r.signal(signal.SIGKILL)
    r.wait()
    s = Console('out', columns=120, rows=40)
    s.has('killed, it did not end by itself')
    for key, text in ((b'3', 'LLVMFuzzerTestOneInput'), (b'\r', 'lines hit'),
                      (b'4', 'gen'), (b'\r', 'new bits'), (b'T', 'mutations of '),
                      (b'5', '5/5')):
        s.key(key)
        s.has(text)
    s.leave(1)


@case
def work_from_the_directory():
    # A worker for each piece of work; then the next run may begin.
    target, out = over()
    stats = out.stats
    finding = stats['findings'][0]['id']
    s = Session([CFUZZ, 'attach', 'out'], columns=120)
    s.__class__ = Console
    s.has('execution limit reached')
    s.says('replay %s 3' % finding, '3 of 3 failed again')
    wait_for(lambda: out.stats['findings'][0]['replays'] == 3, 'the replays')
    s.says('note %s seen' % finding, 'the note is saved')
    wait_for(lambda: out.stats['findings'][0]['noted'], 'the note')
    s.idle(target)
    now = out.stats
    equal([now[name] for name in ('execs', 'state', 'elapsed_s', 'limits')],
          [stats[name] for name in ('execs', 'state', 'elapsed_s', 'limits')],
          'numbers')
    s.leave(1)
    shutil.copy(build(FAILS.replace('150', '160')), target)
    s = Console('out', columns=120)
    s.says('replay ' + finding, 'built anew')
    s.leave(1)


@each(('own', False), ('past', True))
def another_run_before_it_leaves(past):
    # The last words are of the run that was shown, and of no later one.
    target = shutil.copy(build(one_input('\tprobe_count();')), 'target')
    s = own = Console('-o', 'out', '-j', '1', '--fuzztime', '20x', target)
    s.has('has ended')
    s.key(b'l')
    if past:
        s = Console('attach', 'out')
        s.has('ENDED')
    s.idle(target)
    shutil.copy(build(FAILS), target)
    done = subprocess.run([CFUZZ, 'run', '-j', '1', '--fuzztime', '2x', '-o',
                           'out', '--seeds', seeds([FAILING]), target],
                          stdout=subprocess.DEVNULL)
    equal(done.returncode, 1, 'exit status of the next run')
    s.key(b'q')
    s.end(0)
    check(b'nothing was found in this run; another one' in s.seen and
          b'more than 150' not in s.seen, 'said: %r', s.seen[-900:])
    s.close()
    if past:
        own.key(b'q')
        own.end(0)
        own.close()
    nobody_left()


@case
def the_engine_leaves_first():
    # Who looks at the end is told when its engine goes with another console.
    own = Console('-o', 'out', '-j', '1',
                  build(one_input('\tprobe_count();')))
    own.has('FUZZING')
    s = Console('attach', 'out', columns=120)
    s.has('watching')
    own.key(b's')
    own.has('stop, and show the result')
    own.key(b'\r')
    s.has('has ended')
    s.key(b'l')
    own.has('has ended')
    s.seen = b''
    own.key(b'q')
    own.end(0)
    own.close()
    s.expect('the engine has ended: cfuzz attach shows')
    s.key(b'3')
    s.has('The engine has ended.')
    s.leave(0)


@case
def input_file_after_the_end():
    # Whoever looks at a campaign that is over has not its --input-file: only a
    # replay has, and leaves what another campaign does alone.
    target = build(source(OPENED.replace('argv[argc - 1]', '"name"') +
                          '\tjudge(b, n);'))
    s = Console('-o', 'out', '--fuzztime', '100x', '--finish-time', '120000',
                '--seeds', seeds([b'B!!']), '--input-file', 'name', target,
                columns=120)
    s.has('The campaign has ended')
    s.key(b'l')
    check(not os.path.exists('name'), 'the file is left')
    replay = 'replay %s 3' % Output('out').stats['findings'][0]['id']
    r = start(target, '--input-file', 'name', out='other')
    r.wait_for(lambda: os.path.exists('name'), 'the file')
    s.says(replay, 'name is the file of another cfuzz')
    r.signal(signal.SIGINT)
    r.wait()
    s.says(replay, '3 of 3 failed again')
    s.idle(target)
    s.leave(1)


@case
def input_file_of_the_next_run():
    # Its workers have the files of those names: closing the console of the run
    # before removes none.
    target = build(source(OPENED + '\tjudge(b, n);'))
    s = Console('-o', 'out', '-j', '1', '--fuzztime', '100x', '--finish-time',
                '120000', '--seeds', seeds([b'B!!']), target, '@@')
    s.has('The campaign has ended')
    s.key(b'l')
    check(not os.path.exists('out/.input-0'), 'the file is left')
    # A worker of its own makes the file anew only when it runs.
    r = control.start(target, '-j', 1, args=['@@'])
    r.control.until(lambda s: s['execs'] > 0, 'executions')
    r.control.command('pause')
    r.control.until(lambda s: s['workers'][0]['state'] == 'paused',
                    'the pause')
    with open('out/.input-0', 'rb') as f:
        s.key(b'q')
        s.end(1)
        equal(os.fstat(f.fileno()).st_nlink, 1, 'names of the file')
    s.close()
    r.stop()


@case
def call_of_a_typed_target():
    # The function's name is known without a worker.
    target = build(HEAD + '''
static void
planted(struct cfuzz_bytes word, bool sure)
{
	probe_count();
	if (sure && word.size > 0 && word.data[0] == 'k')
		abort();
}
CFUZZ_TARGET(planted, bytes, bool)
''')
    r = run(target, '-j', 1, '--fuzztime', '100x', '--seeds', seeds([
        b'go test fuzz v1\n[]byte("key")\nbool(true)\n']), status=1)
    info = r.bucket().info
    check(info['call'].startswith('planted('), 'call: %s', info['call'])
    s = Console('out', columns=120)
    s.has('execution limit reached')
    s.says('note %s seen' % info['id'], 'the note is saved')
    wait_for(lambda: 'note' in r.bucket().info, 'the note')
    equal(r.bucket().info['call'], info['call'], 'the call')
    s.leave(1)


@case
def keys_of_a_finding():
    # Replay and debugger by key; gdb gets the target and the finding's input.
    target, out = over()
    write('bin/gdb', '#!/bin/sh\nprintf "%s\\n" "$@" >said\n')
    os.chmod('bin/gdb', 0o755)
    s = Console('out', columns=120, env={
        'PATH': os.path.abspath('bin') + ':' + os.environ['PATH']})
    s.key(b'5')
    s.has('1 distinct')
    s.key(b'r')
    s.has('each in a fresh process')
    s.seen = b''
    s.key(b'\r')
    s.expect('5 of 5 failed again')
    s.idle(target)
    s.key(b'g')
    wait_for(lambda: os.path.exists('said') and
             read('said').endswith((b'/minimized\n', b'/input\n')), 'gdb')
    check(target.encode() in read('said'), 'gdb got: %s', read('said'))
    s.has('1 distinct')
    s.leave(1)


def held():
    """A campaign that is over, and a console that holds a minimization."""
    target, out = over()
    s = Console('out', columns=120)
    s.key(b'5')
    s.has('1 distinct')
    s.key(b'M')
    s.has('held')
    return target, out, s


@case
def steps_after_the_end():
    # A finding is minimized by steps, then to its end, and the result kept.
    target, out, s = held()
    s.key(b'n')
    s.has('#1 ')
    s.key(b' ')
    wait_for(lambda: out.stats['findings'][0]['minimized_len'] == 9,
             'the end of the minimization')
    s.idle(target)
    name = out.stats['findings'][0]['id']
    s.says('step accept ' + name, name + ' is not being minimized')
    s.key(b'5')
    s.has('9 B')
    s.leave(1)


@each(('attach', [CFUZZ, 'attach', 'out']), ('tui', [TUI, 'out']))
def another_looks_meanwhile(words):
    # While one holds a step for as long as he likes, another may look.
    target, out, s = held()
    before = files('out')
    look = Session(words, columns=120)
    look.__class__ = Console
    look.has('execution limit reached')
    look.key(b'5')
    look.has('1 distinct')
    line = 'note %s seen' % out.stats['findings'][0]['id']
    look.says(line, 'another cfuzz is at work in out')
    equal(files('out'), before, 'the files')
    s.command('stop')
    s.idle(target)
    look.says(line, 'another cfuzz has changed out meanwhile: open it again')
    look.key(b'q')
    look.end(1)
    look.close()
    s.leave(1)


@case
def no_campaign():
    # One sentence for each folder that cannot be shown.
    os.makedirs('empty')
    write('other/letter', 'x')
    target, out = over()
    journal = read('out/journal.jsonl').decode()
    write('newer/journal.jsonl', journal.replace('"version":1',
                                                 '"version":99', 1))
    for words, status, text in (
            (['empty'], 2, 'is an empty folder'),
            (['other'], 2, 'is a folder, but not the output directory'),
            (['out', 'x'], 2, 'takes no arguments'),
            (['out', '--theme', 'light'], 2, 'write it before'),
            (['attach', 'out', '--theme', 'light'], 255,
             'options stand before'),
            (['--timeout', '3', 'out'], 2, '--timeout is for the start'),
            (['-j', '4', 'out'], 2, '--parallel is for the start'),
            (['--tour', 'out'], 2, '--tour is for the start'),
            (['attach', '--fuzztime', '3s', 'out'], 255,
             '--fuzztime is for the start'),
            (['newer'], 2, 'newer version'),
            (['attach', 'empty'], 255, 'is an empty folder')):
        s = Console(*words)
        if words == ['newer']:
            s.has(text)
            s.key(b'q')
        s.end(status)
        check(text.encode() in s.seen, 'said of %s: %r', words, s.seen[-300:])
        s.close()
    # Without a terminal, too.
    equal(tool(TUI, 'out')[0], 2, 'status without a terminal')


@each(('stats', 'stats.json'), ('finding', 'crash.json'),
      ('journal', 'journal.jsonl'), ('coverage', 'coverage.jsonl'))
def damaged(name):
    # What is damaged is ignored, the rest is shown, and nothing is changed.
    target, out = over()
    for top, _, names in os.walk('out'):
        if name in names:
            write(os.path.join(top, name), '{"nonsense')
    before = files('out')
    s = Console('out')
    s.has('ENDED')
    if name == 'stats.json':
        s.has('- executions')
    s.key(b'4')
    s.has('entries')
    if name == 'coverage.jsonl':
        s.key(b'7')
        s.has('coverage.jsonl is damaged')
    s.leave(1)
    equal(files('out'), before, 'the files')


@case
def running():
    # The directory of a campaign that runs is attached to.
    r = start(build(one_input('\tprobe_count();')), out='out')
    wait_for(lambda: os.path.exists('out/control.sock'), 'the socket')
    s = Console('out')
    s.has('FUZZING')
    s.key(b'd')
    s.end(0)
    s.close()
    r.signal(signal.SIGINT)
    r.wait()


if __name__ == '__main__':
    main()

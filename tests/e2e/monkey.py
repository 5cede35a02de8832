#!/usr/bin/env python3
"""Random keys, pastes, replies, sizes and ^Z on a console in a real terminal.

usage: monkey.py [EVENTS [SEED]]

Without a seed the few events of every check are always the same, those of a
long run are others each time. The seed is printed. A monkey may bring a
campaign to its end in ways that are right, such as a limit on its time; then
that end must have been a clean one, and a new campaign begins.

MONKEY_EVENTS is their number where none is given (4000; `make monkey`: 100000).
"""

import os
import random
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
import control    # noqa: E402
from cfuzztest import *    # noqa: E402,F401,F403
from monkeys import Monkey    # noqa: E402
from terminals import Session    # noqa: E402

EVENTS = int(os.environ.get('MONKEY_EVENTS') or 4000)
SEED = None
SLOT = 0.011       # seconds in which more than 8 characters are a paste
SLOT_KEYS = 8      # so many are keys
GROWTH_KB = 4096   # of the console's memory, from the first tenth on
CALM_EVENTS = 5000 # after so many it is back to two workers
ENDS = 40          # campaigns that a monkey may bring to an end


def memory_kb(pid):
    with open('/proc/%d/status' % pid) as f:
        for line in f:
            if line.startswith('RssAnon:'):
                return int(line.split()[1])
    return 0


def harmless_path():
    """A debugger would do what a monkey types, so there is another."""
    os.makedirs('bin', exist_ok=True)
    write('bin/gdb', b'#!/bin/sh\nexit 0\n')
    os.chmod('bin/gdb', 0o755)
    return '%s:%s' % (os.path.abspath('bin'), os.environ['PATH'])


class Cage(Output):
    """A console that a monkey plays with, and what is known of its campaign."""

    def __init__(self, number):
        super().__init__('out-%d' % number)
        self.session = Session(
            [TUI, '-o', self.out, '-j', '2', calm_steps()],
            env={'COLORTERM': None, 'NO_COLOR': None,
                 'PATH': harmless_path()},
            # What it types at the end of a campaign would be echoed.
            echo=False)
        self.session.expect('FUZZING')
        self.console, _ = started_by(self.session.job)
        self.first_kb = None
        self.before = 0    # executions

    @property
    def ended(self):
        return self.session.status is not None

    def suspend(self):
        """^Z gives the shell its terminal in order, and fg takes it back."""
        s = self.session
        s.send(b'\x1a')
        # What came before may have swallowed it: a string, a paste, a dialog.
        s.wait(lambda: self.ended or not s.pump() and s.untaken() == 0 and
               processes().get(self.console, (0, 'X'))[1] in 'STXZ',
               'the console to do nothing')
        if processes().get(self.console, (0, 'X'))[1] == 'T':
            s.wait(lambda: s.stopped, 'the shell to see it')
        self.go_on()

    def go_on(self):
        """Also later: a console that rests may be on its way to stop."""
        s = self.session
        if not s.stopped:
            return
        s.as_before()
        s.fg()
        s.wait(lambda: '?1049' in s.stream.modes or self.ended, 'the console')

    def calm(self):
        """Nothing is open, nothing is swallowed, it fuzzes with 2 workers."""
        s = self.session
        s.pump()
        self.go_on()
        s.send(b'\x07\x18\x1b[201~')
        s.resize(80, 24)
        s.rest(0.2)
        s.escape(5)
        for line in 'resume', 'workers 1', 'workers 3', 'workers 2':
            s.command(line)

    def check_alive(self):
        """The engine obeys, and fuzzes."""
        # The last campaign may have begun a moment ago.
        self.session.wait(lambda: self.ended or os.path.exists(
            self.path('stats.json')), 'stats.json')
        end = time.monotonic() + PATIENCE
        while self.timeout() != '4s':
            check(not self.ended and time.monotonic() < end,
                  'the engine did not obey: %r', self.session.seen[-800:])
            self.calm()
            self.session.command('set timeout 4s')
            self.session.rest(1)    # the file follows once in a second
        before = self.stats['execs']
        wait_for(lambda: self.timeout() and self.stats['execs'] > before,
                 'executions')
        check(not self.ended, 'the campaign ended: %s', self.journal[-3:])

    def timeout(self):
        self.session.pump()
        return self.stats['limits']['timeout']['value']

    def quit(self):
        s = self.session
        s.escape(3)
        s.key(b'q')
        s.rest(0.2)
        s.key(b'\r')
        return self.check_end()

    def stop_detached(self):
        """A monkey typed, or chose, to detach: the campaign ends all the same."""
        c = control.attach(self.out)
        c.command('stop')
        c.wait(lambda: c.bye, 'bye')
        c.close()

    def check_end(self):
        """Restored, nobody left, a status and an output that fit."""
        self.session.wait(lambda: self.ended, 'the end')
        check(b'the console ended' not in self.session.seen, 'it died: %r',
              self.session.seen[-500:])
        self.status = self.session.end()
        check(self.status in (0, 1), 'exit status %d: %r', self.status,
              self.session.seen[-800:])
        self.session.close()
        if b'the campaign goes on' in self.session.seen[-400:]:
            self.stop_detached()
        nobody_left()
        # Not all of check_output(): workers that were removed have executed.
        for bucket in self.buckets():
            check_bucket(bucket)
        check_journal(self)
        equal(self.stats['state'], 'ended', 'stats.json: "state"')
        return [e for e in self.journal if e['event'] in (
            'operator', 'limit', 'worker')][-1].get('text')


def play(events, seed):
    monkey = Monkey(seed)
    cages, ends = 1, []
    cage = Cage(0)
    keys, slot = 0, time.monotonic()
    deaf = 0
    for n in range(events):
        what, data = monkey.event()
        # A debugger has the terminal, which then echoes what is typed.
        if what != 'resize' and isinstance(data, bytes):
            data = data.replace(b'g', b'G')
        s = cage.session
        if what == 'resize':
            s.resize(*data)
        elif what == 'suspend':
            cage.suspend()
        elif what == 'deaf':
            deaf = data
        else:
            s.send(data, read=deaf == 0)
            keys += data[:1] != b'\x1b'
        deaf = max(0, deaf - 1)
        if not deaf:
            s.pump()
        cage.go_on()
        if keys >= SLOT_KEYS:
            s.settle()
            s.rest(slot + SLOT - time.monotonic())
            keys, slot = 0, time.monotonic()
        if cage.ended:
            ends.append(cage.check_end())
            check(len(ends) <= ENDS, 'too many campaigns ended: %s', ends)
            cage = Cage(cages)
            cages += 1
        elif cage.first_kb is None and n >= events // 10:
            cage.first_kb = memory_kb(cage.console)
        # It likes `+`; dozens of workers would leave no time for the console.
        if n % CALM_EVENTS == CALM_EVENTS - 1 and not cage.ended:
            deaf = 0
            cage.calm()
    return cage, ends


@case
def monkey():
    # Whatever comes, the console lives, and in the end all is in order.
    seed = SEED
    if seed is None:
        seed = random.randrange(1 << 32) if EVENTS > 4000 else 2
    print('     %d events, seed %d: monkey.py %d %d' % (EVENTS, seed, EVENTS,
                                                       seed))
    sys.stdout.flush()
    cage, ends = play(EVENTS, seed)
    cage.check_alive()
    now, first = memory_kb(cage.console), cage.first_kb
    written = cage.session.stream.total
    equal(cage.quit(), 'stop', 'what the operator did last')
    if first is not None:
        check(now - first < GROWTH_KB, 'the console grew from %d to %d KB',
              first, now)
    print('     %d bytes written, %s to %s KB; ended before: %s' % (
        written, first, now, ends or 'none'))


class Tmux:
    """A shell in tmux, driven through a client in control mode."""

    def __init__(self):
        if not shutil.which('tmux'):
            raise Skip('there is no tmux')
        self.words = ['tmux', '-S', os.path.relpath('tmux'), '-f', '/dev/null']
        told = subprocess.run(self.words + [
            'new-session', '-d', '-P', '-F', '#{pane_tty} #{pane_pid}',
            '-x', '80', '-y', '24',
            "exec env PS1='ready>' bash --norc --noprofile"], check=True,
            stdout=subprocess.PIPE, text=True).stdout.split()
        self.tty, self.shell = told[0], int(told[1])
        self.control = subprocess.Popen(
            self.words + ['-C', 'attach'], stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, text=True)
        self.tell('set -g window-size manual')

    def tell(self, line):
        self.control.stdin.write(line + '\n')
        self.control.stdin.flush()

    def ask(self, *words):
        """Answered when tmux has done all that was told before."""
        return subprocess.run(self.words + list(words), check=True,
                              stdout=subprocess.PIPE, text=True).stdout

    def send(self, data):
        self.tell('send-keys -H ' + ' '.join('%02x' % b for b in data))

    def settle(self):
        """All that was sent is read, and an Escape is no sequence."""
        self.ask('display', '-p', '')
        wait_for(lambda: untaken(self.tty) == 0, 'the console to read')
        console_rests(self.shell)

    def screen(self):
        return self.ask('capture-pane', '-p')

    def expect(self, *texts):
        wait_for(lambda: any(t in self.screen() for t in texts),
                 lambda: '%s in\n%s' % (texts, self.screen()))

    def close(self):
        self.ask('kill-server')
        self.control.wait()


@case
def monkey_in_tmux():
    # The same in tmux, which knows what state a terminal is left in.
    t = Tmux()
    t.expect('ready>')
    t.send(b" PATH='%s'\r" % harmless_path().encode())
    modes = " stty -a >%s; clear; %s -o out -j 1 %s; echo done $?\r"
    t.send((modes % ('before', TUI, calm_steps())).encode())
    t.expect('FUZZING')
    monkey = Monkey(SEED or 1)
    for n in range(min(EVENTS, 4000) // 4):
        what, data = monkey.event()
        if what == 'resize':
            t.tell('resize-window -x %d -y %d' % data)
        elif what == 'keys' and len(data) < 500 and max(data) < 128:
            t.send(data)
        if n % 20 == 19:
            t.ask('display', '-p', 'still there')
    t.tell('resize-window -x 80 -y 24')
    t.send(b'\x07\x18\x1b[201~')
    for key in b'\x1b', b'\x1b', b'\x1b', b'\x1b', b'q':
        t.settle()
        t.send(key)
    t.expect('stop and quit', 'done')
    if 'done' not in t.screen():
        t.send(b'\r')
    t.expect('done 0', 'done 1')
    equal(t.ask('display', '-p', '#{alternate_on} #{cursor_flag} '
                '#{mouse_any_flag} #{insert_flag} #{origin_flag} '
                '#{scroll_region_upper} #{scroll_region_lower}').strip(),
          '0 1 0 0 0 0 23', 'what tmux knows of the terminal')
    # Whole from the moment that it is there; the mark is no part of the command.
    t.send(b" stty -a >part; mv part after; clear; echo 'compar'ed\r")
    t.expect('compared')
    wait_for(lambda: os.path.exists('after'), 'the modes')
    equal(read('after'), read('before'), 'modes of the line')
    t.close()
    nobody_left()
    check_journal(Output('out'))


if len(sys.argv) > 1 and sys.argv[1].isdigit():
    EVENTS = int(sys.argv[1])
    SEED = int(sys.argv[2]) if len(sys.argv) > 2 else None
    del sys.argv[1:]
main()

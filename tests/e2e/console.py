#!/usr/bin/env python3
"""cfuzz-tui on real terminals: keys, sizes, jobs of a shell, and ends."""

import os
import shlex
import shutil
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403

TUI = os.path.join(BUILD, 'cfuzz-tui')
PROMPT = 'ready>'


class Terminal(Output):
    """A shell in tmux, which is the judge of what the screen shows."""

    def __init__(self, columns=80, rows=24, term=None):
        super().__init__('out')
        if not shutil.which('tmux'):
            raise Skip('there is no tmux')
        self.columns = columns
        env = dict(os.environ, LC_ALL='C.UTF-8')
        env.pop('NO_COLOR', None)
        shell = 'env PS1=%s %s bash --norc --noprofile' % (
            shlex.quote(PROMPT),
            '' if term is None else 'TERM=' + shlex.quote(term))
        self.socket = os.path.abspath('tmux')
        subprocess.run(['tmux', '-S', self.socket, '-f', '/dev/null',
                        'new-session', '-d', '-x', str(columns), '-y',
                        str(rows), shell], env=env, check=True)
        self.expect(PROMPT)

    def tmux(self, *words):
        return subprocess.run(['tmux', '-S', self.socket, *words],
                              stdout=subprocess.PIPE, text=True).stdout

    @property
    def stats(self):
        wait_for(lambda: os.path.exists(self.path('stats.json')),
                 'stats.json')
        return super().stats

    def screen(self):
        return self.tmux('capture-pane', '-p')

    def expect(self, *texts):
        """Waits until the screen shows one of the texts."""
        wait_for(lambda: any(t in self.screen() for t in texts),
                 lambda: '%s on the screen:\n%s' % (texts, self.screen()))

    def gone(self, text):
        wait_for(lambda: text not in self.screen(),
                 lambda: 'no %s on the screen:\n%s' % (text, self.screen()))

    def keys(self, *names):
        for name in names:
            self.tmux('send-keys', name)
            if name == 'Escape':
                time.sleep(0.1)    # else it is Alt and the next key

    def type(self, text):
        # Slower than a paste, which a burst would be taken for.
        for i in range(0, len(text), 4):
            self.tmux('send-keys', '-l', text[i:i + 4])
            time.sleep(0.03)

    def run(self, *words):
        """A command of the shell; `done N` follows it on the screen."""
        line = ' '.join(shlex.quote(str(w)) for w in words)
        self.tmux('send-keys', '-l', ' clear; %s; echo done $?' % line)
        self.keys('Enter')

    def console(self, target, *options):
        self.run(TUI, '-o', 'out', *options, target)
        self.expect('FUZZING')

    def quit(self):
        self.keys('q')
        self.expect('stop and quit')
        self.keys('Enter')

    def done(self, status):
        """The shell has its terminal again, in order."""
        self.expect('done %d' % status)
        self.status = status
        state = self.tmux('display', '-p',
                          '#{alternate_on} #{cursor_flag} #{mouse_any_flag}')
        equal(state.strip(), '0 1 0', 'alternate screen, cursor, mouse')
        self.tmux('send-keys', '-l', ' clear; stty -a')
        self.keys('Enter')
        self.expect(' icanon')
        modes = self.screen().split()
        for mode in ('icanon', 'echo', 'isig', 'opost', 'icrnl'):
            check(mode in modes, 'the terminal is left without %s', mode)
        return self

    def close(self):
        self.tmux('kill-server')
        nobody_left()

    def process(self, which):
        """The launcher (0), its console (1), its engine (2)."""
        return [p for p, _, name in descendants()
                if name == 'cfuzz-tui'][which]

    def resize(self, columns, rows):
        self.columns = columns
        self.tmux('resize-window', '-x', str(columns), '-y', str(rows))


def steps():
    return build('steps.c')


@case
def steer():
    # Pause, workers, limits, theme, help, prompt, quit: each shows an effect.
    t = Terminal()
    t.console(steps(), '-j', 2)
    t.expect('1 crash')
    t.keys('p')
    t.expect('PAUSED')
    before = wait_for(lambda: t.stats['paused'] and t.stats, 'the pause')
    time.sleep(1.5)
    equal(t.stats['execs'], before['execs'], 'executions while paused')
    t.keys('p')
    t.expect('FUZZING')
    t.keys('+')
    t.expect('3 of 3 at work')
    t.keys('-')
    t.expect('2 of 2 at work')
    t.keys('l')
    t.expect('Esc close')
    t.keys('3', 'Enter')
    t.expect('parallel is now 3')
    t.keys('Escape')
    t.gone('Esc close')
    t.expect('3 of 3 at work')
    t.keys(':')
    t.type('set timeout 2s')
    t.keys('Enter')
    wait_for(lambda: t.stats['limits']['timeout']['value'] == '2s',
             lambda: 'the new timeout: %s' % t.stats['limits']['timeout'])
    equal(t.stats['limits']['timeout']['origin'], 'key', 'its origin')
    t.keys(':')
    t.type('set timeout never')
    t.keys('Enter')
    t.expect('timeout')
    t.keys('t')
    t.expect('theme light')
    t.keys('?')
    t.expect('keys')
    t.keys('Escape')
    t.keys('x')
    t.expect('x does nothing here')
    t.keys(':')
    t.type('workers 1')
    t.keys('Enter')
    t.expect('1 of 1 at work')
    t.keys('5')
    t.expect('SIGABRT')
    t.quit()
    t.expect('done 1')
    for text in ('executions', 'SIGABRT', 'out/crashes/',
                 'exit status 1: something was found'):
        check(text in t.screen(), 'the summary has no "%s":\n%s', text,
              t.screen())
    t.done(1).close()
    check_journal(t)


@case
def sizes():
    # Every size shows what it has room for, and none breaks.
    t = Terminal()
    t.console(steps(), '-j', 1)
    for columns, rows, texts in (
            (120, 40, ('FUZZING', '? help', 'q quit', 'speed', 'coverage')),
            (40, 12, ('FUZZING', 'q quit')),
            (20, 5, ('FUZZING', 'crash')),
            (2, 1, ()), (1, 1, ()), (300, 80, ('FUZZING', 'q quit')),
            (80, 24, ('FUZZING', 'q quit'))):
        t.resize(columns, rows)
        for text in texts:
            t.expect(text)
        for view in ('2', '5', '6', '?', '?', 'l', 'Escape', '1'):
            t.keys(view)
        time.sleep(0.3)
    t.expect('FUZZING')
    t.quit()
    t.done(1).close()


@case
def shell_jobs():
    # ^Z gives the shell its terminal, fuzzing goes on; fg takes it back.
    t = Terminal()
    t.console(steps(), '-j', 1)
    t.keys('C-z')
    t.expect('Stopped')
    before = t.stats['execs']
    wait_for(lambda: t.stats['execs'] > before, 'executions behind the shell')
    t.tmux('send-keys', '-l', ' clear; bg; sleep 1; echo still here')
    t.keys('Enter')
    t.expect('\nstill here')
    t.tmux('send-keys', '-l', ' clear; fg; echo done $?')
    t.keys('Enter')
    t.expect('FUZZING')
    t.quit()
    t.done(1).close()


@case
def console_killed():
    # The engine stops, all is kept, and the launcher mends the terminal.
    t = Terminal()
    t.console(steps(), '-j', 1)
    t.expect('1 crash')
    os.kill(t.process(1), signal.SIGKILL)
    t.expect('done 1')
    check('the console ended by signal 9' in t.screen(), 'nothing said:\n%s',
          t.screen())
    t.done(1).close()
    check_output(t)


@case
def engine_killed():
    # Said in words; status 3; no worker survives.
    t = Terminal()
    t.console(steps(), '-j', 1)
    os.kill(t.process(2), signal.SIGKILL)
    t.expect('done 3')
    check('the engine ended by signal 9' in t.screen(), 'nothing said:\n%s',
          t.screen())
    t.done(3).close()


@each(('stop', False), ('keep-running', True))
def terminal_closed(keep):
    # The window is closed: a stop, or the campaign goes on to its end.
    t = Terminal()
    t.console(steps(), '-j', 1, '--fuzztime', '4s',
              *(['--keep-running'] if keep else []))
    t.tmux('kill-server')
    wait_for(lambda: reap() or not [1 for row in descendants() if
                                    row[2] == 'cfuzz-tui'], 'the end of all')
    nobody_left()
    t.status = t.stats['exit_status']
    check_output(t)
    if keep:
        check(t.stats['elapsed_s'] >= 4, 'it did not go on: %s s',
              t.stats['elapsed_s'])


@case
def signal_to_launcher():
    # kill means: stop as by q.
    t = Terminal()
    t.console(steps(), '-j', 1)
    t.expect('1 crash')
    os.kill(t.process(0), signal.SIGTERM)
    t.done(1).close()
    check_output(t)


@case
def failed_start():
    # Why nothing ran stays on the screen until a key, and then behind it.
    t = Terminal()
    t.run(TUI, '-o', 'out', '/bin/ls')
    t.expect('any key ends')
    t.keys('x')
    t.expect('done 2')
    check('cfuzz-cc' in t.screen(), 'no advice:\n%s', t.screen())
    t.done(2).close()


@each(('dumb', 'dumb'), ('none', ''), ('unheard-of', 'xyzzy'))
def no_console(term):
    # Plain lines where the terminal cannot do more; no escape sequence.
    t = Terminal(term=term)
    t.run('script', '-qec', '%s -o out -j 1 --fuzztime 2s %s' %
          (shlex.quote(TUI), shlex.quote(steps())), 'typescript')
    t.expect('done 1')
    text = read('typescript')
    check(b'\033' not in text, 'there is an escape sequence: %r', text)
    check(b'fuzz: elapsed' in text, 'there are no lines: %r', text)
    t.close()


@case
def into_a_pipe():
    # The same into a pipe; a reader that goes away ends nothing.
    status, out, err = tool(TUI, '-o', 'out', '-j', 1, '--fuzztime', '3s',
                            steps())
    equal(status, 1, 'exit status')
    check('\033' not in out + err, 'there is an escape sequence: %r', out)
    check('fuzz: elapsed' in out, 'there are no lines: %r', out)
    shell = '%s -o again -j 1 --fuzztime 4s %s | head -1; ' \
        'echo ${PIPESTATUS[0]}' % (shlex.quote(TUI), shlex.quote(steps()))
    status, out, err = tool('bash', '-c', shell)
    equal(out.split()[-1], '1', 'exit status behind head -1')


@case
def names_are_harmless():
    # What a name or an argument says to a terminal is shown, not done.
    name = 'evil\033]0;owned\007\u202e'
    shutil.copy(steps(), name)
    t = Terminal()
    title = t.tmux('display', '-p', '#{pane_title}')
    write('run.sh', '%s -o out -j 1 %s\n' % (TUI, shlex.quote('./' + name)))
    t.run('bash', 'run.sh')
    t.expect('FUZZING')
    t.expect('evil\\x1b]0;owned')
    t.expect('1 crash')
    t.quit()
    t.expect('done 1')
    equal(t.tmux('display', '-p', '#{pane_title}'), title, 'the title')
    t.done(1).close()


main()

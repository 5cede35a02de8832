#!/usr/bin/env python3
"""cfuzz-tui on real terminals: keys, sizes, jobs of a shell, and ends."""

# BEGUN FIRST
import base64
import os
import re
import shlex
import shutil
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
import control    # noqa: E402
from cfuzztest import *    # noqa: E402,F401,F403
from terminals import Session    # noqa: E402
sys.path.append(os.path.join(SRC, 'tests', 'faults'))
from lab import shim    # noqa: E402

LONG = b'cfuz!' + bytes(range(200))
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
        shell = 'exec env PS1=%s %s bash --norc --noprofile' % (
            shlex.quote(PROMPT),
            '' if term is None else 'TERM=' + shlex.quote(term))
        # The name of a socket has few bytes, that of a folder may have many.
        self.socket = os.path.relpath('tmux')
        self.tty = subprocess.run(
            ['tmux', '-S', self.socket, '-f', '/dev/null', 'new-session',
             '-d', '-P', '-F', '#{pane_tty}', '-x', str(columns), '-y',
             str(rows), shell], env=env, check=True, stdout=subprocess.PIPE,
            text=True).stdout.strip()
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

    def settle(self, seconds):
        """Until what was typed is read, and so long after that."""
        self.tmux('display', '-p', '')    # by now it is on its way
        moment = time.monotonic() + 0.005
        wait_for(lambda: untaken(self.tty) == 0 and
                 time.monotonic() > moment and untaken(self.tty) == 0,
                 'the console to read')
        time.sleep(seconds)

    def keys(self, *names):
        for name in names:
            self.tmux('send-keys', name)
            self.settle(0)
            if name == 'Escape':
                console_rests(self.shell)

    def climb(self, key, *texts):
        """Each press of the key shows the next text."""
        for text in texts:
            self.keys(key)
            self.expect(text)

    def type(self, text):
        # Slower than a paste, which a burst would be taken for.
        for i in range(0, len(text), 4):
            self.tmux('send-keys', '-l', text[i:i + 4])
            self.settle(0.015)

    @property
    def shell(self):
        return int(self.tmux('display', '-p', '#{pane_pid}') or 0)

    def run(self, *words):
        """A command of the shell; `done N` follows it on the screen."""
        line = ' '.join(shlex.quote(str(w)) for w in words)
        self.tmux('send-keys', '-l', ' clear; %s; echo done $?' % line)
        self.keys('Enter')

    def console(self, target, *options):
        self.run(TUI, '-o', 'out', '--timeout', '10s', *options, target)
        self.expect('FUZZING')

    def quit(self):
        self.keys('q')
        self.expect('stop and quit')
        self.keys('Enter')

    def leave(self, *statuses):
        """The result has stayed until a key."""
        self.expect('The campaign has ended')
        self.keys('q')
        return self.done(*statuses)

    def done(self, *statuses):
        """The shell has its terminal again, in order."""
        self.expect(*('done %d' % status for status in statuses))
        self.status = statuses[0]
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
        launcher = child_named(self.shell, 'cfuzz-tui')
        return (launcher, *started_by(launcher))[which]

    def resize(self, columns, rows):
        self.columns = columns
        self.tmux('resize-window', '-x', str(columns), '-y', str(rows))


def steps():
    return calm_steps()


def failing_seed():
    """A folder; its only seed fails, so that nothing need be found in time."""
    return seeds([LONG])


@case
def steer():
    # Pause, workers, limits, theme, help, prompt, quit: each shows an effect.
    t = Terminal()
    t.console(steps(), '-j', 2, '--seeds', failing_seed())
    t.expect('1 crash')
    t.keys('p')
    t.expect('PAUSED')
    rests(t)
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
    t.keys(':')
    t.type('thme')
    t.keys('Enter')
    t.expect('there is no command "thme"; : and Tab list them')
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


UNSAVED = fails_when_told('size >= 100', 'cfuzz_fail("price below 0")')


@case
def failure_is_not_saved():
    # B115: what the disk has not taken is told when the console is left.
    t = Terminal()
    os.mkdir('probe')
    t.run('env', 'PROBE=' + os.path.abspath('probe'), TUI, '-o', 'out', '-j',
          1, '--timeout', '10s', '--verify', 0, '--minimizetime', 0,
          '--max-len', 200, '--seeds', seeds([b'a' * 100]), build(UNSAVED))
    t.expect('FUZZING')
    block_crashes()
    let_it_fail()
    wait_for(lambda: os.path.exists('probe/first'), 'a failure')
    t.quit()
    t.expect('done 3')
    screen = t.tmux('capture-pane', '-p', '-J')
    check('not saved: crashes/' in screen and 'price below 0' in screen,
          'it is not told: %s', screen)
    check(read('probe/first').hex() in screen, 'its bytes: %s', screen)
    t.close()


@case
def sizes():
    # Every size shows what it has room for, and none breaks.
    t = Terminal()
    t.console(steps(), '-j', 1, '--seeds', failing_seed())
    t.expect('1 crash')
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
        t.settle(0)
    t.expect('FUZZING')
    t.quit()
    t.done(1).close()


@case
def shell_jobs():
    # ^Z gives the shell its terminal, fuzzing goes on; fg takes it back.
    t = Terminal()
    t.console(steps(), '-j', 1, '--seeds', failing_seed())
    t.expect('1 crash')
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
def end_behind_the_shell():
    # The terminal is another program's then: its modes stay.
    t = Terminal()
    t.console(steps(), '-j', 1)
    launcher = t.process(0)
    t.keys('C-z')
    t.expect('Stopped')
    for fifo in ('raw', 'over'):
        os.mkfifo(fifo)
    t.tmux('send-keys', '-l', ' clear; bg; stty raw -echo; echo >raw; '
           'read line <over; stty -a >modes; stty sane; echo done $?')
    t.keys('Enter')
    read('raw')
    os.kill(launcher, signal.SIGTERM)
    wait_for(lambda: launcher not in processes(), 'the end of the launcher')
    write('over', b'\n')
    t.expect('done 0')
    modes = read('modes').decode().split()
    for mode in ('icanon', 'echo'):
        check('-' + mode in modes, 'the terminal has %s', mode)
    t.done(0).close()


# Neither ends nor heeds a polite signal, from some execution on.
DEAF = one_input('''
	sigset_t all;

	if (probe_count() > 20) {
		sigfillset(&all);
		sigprocmask(SIG_SETMASK, &all, NULL);
		probe_wait_for_ever();
	}''', '#include <signal.h>')


def rests(t):
    """For some news of the engine: no worker uses the processor, once what
    was under way when the pause began is over."""
    workers = [p for p, _, _ in descendants(t.process(2))]
    check(len(workers) >= 2, 'there are no workers: %s', workers)

    def quiet():
        """The state before and after some news, if no time was used."""
        before, used = t.stats, ticks(workers)
        wait_for(lambda: t.stats['seq'] >= before['seq'] + 5, 'news')
        return ticks(workers) == used and before['paused'] and (before,
                                                                t.stats)
    before, after = wait_for(quiet, 'no use of the processor')
    equal(after['state'], 'paused', 'the state')
    equal(after['execs'], before['execs'], 'executions')
    equal(after['elapsed_s'], before['elapsed_s'], 'the clock')
    check(after['paused_s'] > before['paused_s'], 'the pause')


@case
def pause_lasts():
    # Sizes, and a shell in between, are nothing to it.
    t = Terminal()
    t.console(steps(), '-j', 2, '--seeds', failing_seed())
    t.expect('1 crash')
    t.keys('p')
    t.expect('PAUSED')
    rests(t)
    clock = t.stats['elapsed_s']
    for columns, rows in ((40, 12), (20, 5), (120, 40), (80, 24)):
        t.resize(columns, rows)
        t.expect('PAUSED')
    rests(t)
    t.keys('C-z')
    t.expect('Stopped')
    rests(t)
    t.tmux('send-keys', '-l', ' clear; fg; echo done $?')
    t.keys('Enter')
    t.expect('PAUSED')
    rests(t)
    equal(t.stats['elapsed_s'], clock, 'the clock')
    execs = t.stats['execs']
    t.keys('p')
    t.expect('FUZZING')
    wait_for(lambda: t.stats['execs'] > execs, 'executions')
    t.quit()
    t.done(1).close()


@case
def ladder():
    # Of one worker, then of all: each press a rung, with its count-down.
    t = Terminal(120, 40)
    t.console(build(DEAF), '-j', 2, '--timeout', '3600s', '--stop-step', '60s')
    wait_for(lambda: t.stats['execs'] >= 40, 'both hang')
    t.keys('2', 'Enter', 'S')
    t.expect('S does not wait')
    wait_for(lambda: len(re.findall(r'interrupt in \d', t.screen())) == 2,
             lambda: 'row and detail:\n' + t.screen())
    t.climb('S', 'kill in ', 'k  kill now')
    t.keys('k')
    t.expect('the last: stopped by hand')
    t.keys('Escape', '1')
    t.expect('2 of 2 at work', '1 of 2 at work')
    t.climb('s', 's  stop, and show the result', 's interrupts now',
            's kills now', 'k  kill now')
    t.keys('k')
    t.leave(0).close()


@case
def stop_asks():
    # Once, and no is an answer; then the result stays, and can be looked at.
    t = Terminal()
    found(t)
    t.keys('s')
    t.expect('Stop the campaign?')
    t.keys('Escape')
    t.gone('Stop the campaign?')
    t.expect('FUZZING', 'MINIMIZING')
    t.keys('s', 's')
    t.expect('The campaign has ended')
    t.expect('Exit status')
    t.keys('l')
    t.gone('The campaign has ended')
    t.expect('ENDED')
    t.expect('1 distinct')
    t.keys('1')
    t.expect('exit status 1')
    check('p pause' not in t.screen(), 'it offers:\n%s', t.screen())
    t.keys('p')
    t.expect('the campaign is over:')
    t.keys('q')
    t.done(1).close()
    check_output(t)


@case
def signal_at_the_end():
    # Who says that he wants the end need not press a key as well.
    t = Terminal()
    t.run(TUI, '-o', 'out', '-j', 1, '--timeout', '10s', '--fuzztime', '1s',
          steps())
    t.expect('The campaign has ended')
    os.kill(t.process(0), signal.SIGTERM)
    t.done(0, 1).close()


@case
def one_worker():
    # What only it knows is asked for: its input, its states, its options. It
    # finds nothing, so that its history is short.
    t = Terminal(120, 40)
    t.console(build(one_input('')), '-j', 2)
    t.keys('2', 'Enter')
    t.expect('worker 0 ')
    for text in ('live input', 'history', 'output', 'options', 'starting'):
        t.expect(text)
    t.keys('Down')
    t.expect('worker 1 ')
    t.expect('starting')
    t.gone('Waiting for the engine')
    t.resize(80, 24)
    for pane in ('history', 'output', 'options', 'live input'):
        t.keys('Right')
        t.expect('▸' + pane)
    t.keys('Escape')
    t.gone('live input')
    t.quit()
    t.done(0).close()


@case
def console_killed():
    # The launcher mends the terminal, and says how to come back.
    t = Terminal(columns=200)
    t.console(steps(), '-j', 1)
    os.kill(t.process(1), signal.SIGKILL)
    t.expect('cfuzz-tui: the console ended by signal 9 (Killed); the campaign '
             'goes on: cfuzz attach ')
    t.expect('done 3')
    c = control.attach('out')
    c.command('stop')
    c.wait(lambda: c.bye, 'bye')
    c.close()
    t.done(3).close()
    t.status = c.bye['exit']
    check_output(t)


@case
def console_killed_stop_on_hangup():
    # The engine stops, and all is kept.
    t = Terminal()
    t.console(steps(), '-j', 1, '--stop-on-hangup', '--seeds', failing_seed())
    t.expect('1 crash')
    os.kill(t.process(1), signal.SIGKILL)
    t.expect('done 1')
    check('the console ended by signal 9' in t.screen(), 'nothing said:\n%s',
          t.screen())
    t.done(1).close()
    check_output(t)


def stopped():
    t = Terminal(columns=200)
    t.console(steps(), '-j', 1)
    engine = t.process(2)
    os.kill(engine, signal.SIGSTOP)
    t.expect('no snapshot for')
    return t, engine


def leave_stopped(keys, said):
    # The second time the console leaves without an answer.
    t, engine = stopped()
    t.keys(keys)
    t.expect('the engine does not answer yet')
    t.keys(keys)
    t.expect(said)
    t.expect('done 0')
    check(keys == 'd' or 'goes on' not in t.screen(), 'said:\n%s', t.screen())
    t.done(0)
    return t, engine


@case
def engine_stopped():
    t, engine = leave_stopped('d', 'the campaign goes on: cfuzz attach ')
    os.kill(engine, signal.SIGCONT)
    c = control.attach('out')
    c.command('stop')
    c.wait(lambda: c.bye, 'bye')
    c.close()
    t.close()


@case
def engine_stopped_at_a_quit():
    # The quit waits for the engine: the campaign does not go on.
    t, engine = leave_stopped('qs', 'the campaign was told to quit')
    end_of_stopped(t, engine)


@case
def engine_stopped_at_two_quits():
    # The second one comes before the engine was sent the first one.
    t, engine = stopped()
    t.keys('qsqs')
    t.expect('the campaign was told to quit')
    t.expect('done 0')
    check('goes on' not in t.screen(), 'said:\n%s', t.screen())
    t.done(0)
    end_of_stopped(t, engine)


def end_of_stopped(t, engine):
    os.kill(engine, signal.SIGCONT)
    wait_for(lambda: b'"event":"end"' in read('out/journal.jsonl'),
             'the end')
    t.close()


@case
def console_killed_in_a_recording():
    # There is no campaign that could go on.
    t = Terminal(columns=200)
    t.run(TUI, '-o', 'out', '-j', 1, '--timeout', '10s', '--record', 'rec',
          '--fuzztime', '1000x', '--seeds', failing_seed(), steps())
    t.leave(1)
    t.run(TUI, '--play', 'rec')
    t.expect('the end')
    os.kill(t.process(1), signal.SIGKILL)
    t.expect('the console ended by signal 9 (Killed); the recording is '
             'unchanged')
    t.done(0).close()


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


@each(('detach', False), ('stop-on-hangup', True))
def terminal_closed(stop):
    # The window is closed: the campaign goes on to its end, or it stops. It
    # may have ended where the machine stands still for so long.
    t = Terminal()
    t.run(TUI, '-o', 'out', '-j', 1, '--timeout', '10s', '--fuzztime', '4s',
          *(['--stop-on-hangup'] if stop else []), steps())
    t.expect('FUZZING', 'The campaign has ended')
    t.tmux('kill-server')
    wait_for(lambda: reap() or not [1 for row in descendants() if
                                    row[2] == 'cfuzz-tui'], 'the end of all')
    nobody_left()
    t.status = t.stats['exit_status']
    check_output(t)
    if not stop:
        check(t.stats['elapsed_s'] >= 4, 'it did not go on: %s s',
              t.stats['elapsed_s'])


@each(('kill', os.kill, signal.SIGTERM), ('hang-up', os.killpg, signal.SIGHUP))
def signal_to_launcher(send, signo):
    # kill means: stop as by q; so does a terminal that hangs up its job.
    t = Terminal()
    t.console(steps(), '-j', 1, '--seeds', failing_seed(), '--stop-on-hangup')
    t.expect('1 crash')
    send(t.process(0), signo)
    t.done(1).close()
    nobody_left()
    check_output(t)


@case
def signal_to_job():
    # The launcher stops the campaign, so its console does not say otherwise.
    t = Terminal()
    t.console(steps(), '-j', 1, '--seeds', failing_seed())
    t.expect('1 crash')
    os.killpg(t.process(0), signal.SIGTERM)
    t.expect('done ')
    check('goes on' not in t.screen(), 'said:\n%s', t.screen())
    t.done(1).close()
    check_output(t)


@case
def launcher_killed():
    # Then the console, which goes with it, says how to come back.
    t = Terminal(columns=200)
    t.console(steps(), '-j', 1)
    os.kill(t.process(0), signal.SIGKILL)
    t.expect('the campaign goes on: cfuzz attach ')
    c = control.attach('out')
    c.command('stop')
    c.wait(lambda: c.bye, 'bye')
    c.close()
    t.close()
    t.status = c.bye['exit']
    check_output(t)


@each(('console', 1), ('engine', 2))
def no_process_left(which):
    # The system has no process for one of them: said, and all is in order.
    t = Terminal()
    t.run('env', 'LD_PRELOAD=' + shim(), 'SHIM_FORK=%d' % which, TUI, '-o',
          'out', steps())
    t.expect('done 2')
    check('start a process: Resource temporarily unavailable' in t.screen(),
          'nothing said:\n%s', t.screen())
    t.done(2).close()
    nobody_left()


@case
def failed_start():
    # Why nothing ran stays on the screen until a key, and then behind it.
    t = Terminal()
    t.run(TUI, '-o', 'out', no_target())
    t.expect('any key ends')
    t.keys('x')
    t.expect('done 2')
    check('cfuzz-cc' in t.screen(), 'no advice:\n%s', t.screen())
    t.done(2).close()


@case
def failed_start_of_odd_name():
    # The reason names a file that is no UTF-8: the console says it all the same.
    write('start', b'exec "$1" -o out --dict missing\xff "$2"\n')
    t = Terminal()
    t.run('bash', 'start', TUI, steps())
    t.expect('any key ends')
    for words in ('missing\\xff', 'No such file'):
        check(words in t.screen(), 'no "%s":\n%s', words, t.screen())
    t.keys('x')
    t.done(2).close()


@each(('dumb', 'dumb'), ('none', ''), ('unheard-of', 'xyzzy'))
def no_console(term):
    # Plain lines where the terminal cannot do more; no escape sequence.
    t = Terminal(term=term)
    t.run('script', '-qec', '%s -o out -j 1 --fuzztime 1s --seeds %s %s' %
          (shlex.quote(TUI), failing_seed(), shlex.quote(steps())),
          'typescript')
    t.expect('done 1')
    text = read('typescript')
    check(b'\033' not in text, 'there is an escape sequence: %r', text)
    check(b'fuzz: elapsed' in text, 'there are no lines: %r', text)
    t.close()


@case
def into_a_pipe():
    # The same into a pipe; a reader that goes away ends nothing.
    status, out, err = tool(TUI, '-o', 'out', '-j', 1, '--timeout', '10s',
                            '--fuzztime', '1s', '--seeds', failing_seed(),
                            steps())
    equal(status, 1, 'exit status')
    check('\033' not in out + err, 'there is an escape sequence: %r', out)
    check('fuzz: elapsed' in out, 'there are no lines: %r', out)
    shell = '%s -o again -j 1 --timeout 10s --fuzztime 4s --seeds %s %s | ' \
        'head -1; echo ${PIPESTATUS[0]}' % (shlex.quote(TUI), failing_seed(),
                                   shlex.quote(steps()))
    status, out, err = tool('bash', '-c', shell)
    equal(out.split()[-1], '1', 'exit status behind head -1')


MAZE = '''#include <stddef.h>
#include <stdint.h>

static volatile int sink;

__attribute__((noinline)) static void
never_entered(const uint8_t *data)
{
	sink = data[0];    /* behind the wall */
}

__attribute__((noinline)) static void
always_entered(size_t size)
{
	sink = (int)size;    /* before the wall */
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	always_entered(size);
	if (sink < 0)    /* the wall */
		never_entered(data);
	return 0;
}
'''


def maze(*flags):
    """Built where its source stays, so that the console finds it."""
    write('maze.c', MAZE.encode())
    subprocess.run([os.path.join(BUILD, 'cfuzz-cc'), *flags, '-o', 'maze',
                    'maze.c'], check=True,
                   env=dict(os.environ, CFUZZ_QUIET='1'))
    return './maze'


@case
def coverage_by_source():
    # Functions with their parts, source lines with signs, the frontier.
    t = Terminal(120, 40)
    t.console(maze('-g', '-O0'), '-j', 1)
    t.keys('3')
    t.expect('functions  2 of 3 reached')
    for text in ('never_entered', 'always_entered', 'LLVMFuzzerTestOneInput',
                 'maze.c:20', 'a cell is 1 edge'):
        t.expect(text)
    t.keys('/')
    t.type('never')
    t.keys('Enter', 'Enter')
    t.expect('9 ✗')
    t.expect('sink = data[0];    /* behind the wall */')
    t.expect('15 ✓')    # below it, which is drawn later
    t.keys('Home', 'n')
    t.expect('▸   22 ')
    t.keys('Escape')
    t.gone('behind the wall')
    os.rename('maze.c', 'elsewhere.c')
    t.keys('Enter')
    t.expect('The source is not where the compiler found it')
    t.expect(os.path.join(os.getcwd(), 'maze.c'))
    t.keys('Escape', 'Escape', 'f')
    t.expect('files  1 of 1 reached')
    t.quit()
    t.done(0).close()


@case
def coverage_without_lines():
    # Functions of the symbol table; it says what would give more.
    t = Terminal(120, 40)
    t.console(maze('-g0', '-O0'), '-j', 1)
    t.keys('3')
    t.expect('never_entered')
    t.expect('no debug information: build with -g for source lines')
    t.keys('Enter')
    t.expect('places hit')
    t.expect('0x')
    t.quit()
    t.done(0).close()


@case
def names_are_harmless():
    # What a name or an argument says to a terminal is shown, not done.
    name = 'evil\033]0;owned\007\u202e'
    shutil.copy(steps(), name)
    t = Terminal()
    title = t.tmux('display', '-p', '#{pane_title}')
    write('run.sh', '%s -o out -j 1 --timeout 10s --seeds %s %s\n' %
          (TUI, failing_seed(), shlex.quote('./' + name)))
    t.run('bash', 'run.sh')
    t.expect('FUZZING')
    t.expect('evil\\x1b]0;owned')
    t.expect('1 crash')
    t.quit()
    t.expect('done 1')
    equal(t.tmux('display', '-p', '#{pane_title}'), title, 'the title')
    t.done(1).close()


# ---- keys of the user's own, filters, the mouse, the prompt ----


def click(t, column, row, button=0):
    """At a place counted from 0; goes to the program as a terminal says it."""
    t.tmux('send-keys', '-l',
           '\033[<%d;%d;%dM' % (button, column + 1, row + 1))


def place(t, text):
    """Column and row of a text on the screen."""
    t.expect(text)
    for row, line in enumerate(t.screen().split('\n')):
        if text in line:
            return line.index(text), row
    raise Failure('%s went away' % text)


def click_on(t, text):
    click(t, *place(t, text))


@case
def keys_of_ones_own():
    # A file of keys: by name, from the user's folder, while it runs.
    write('keys.json', '{"common": {"p": null, "F5": "toggle-pause"}}')
    t = Terminal()
    t.console(steps(), '-j', 1, '--keys', 'keys.json')
    t.expect('F5 pause')
    t.keys('p')
    t.expect('p does nothing here')
    t.keys('F5')
    t.expect('PAUSED')
    t.keys('F5')
    t.expect('FUZZING')
    t.keys('F1')
    t.expect('F5')
    t.keys('Escape')
    write('bad.json', '{"common": {\n  "F6": "redrawn"}}')
    t.keys(':')
    t.type('keys bad.json')
    t.keys('Enter')
    t.expect('bad.json:2:3: common: `redrawn` is not a command')
    t.keys('F5')
    t.expect('PAUSED')
    write('keys.json', '{"common": {"F6": "toggle-pause"}}')
    t.keys(':')
    t.type('keys')
    t.keys('Enter')
    t.expect('keys loaded from')
    t.keys('F6')
    t.expect('FUZZING')
    t.quit()
    t.done(0, 1).close()


@case
def malformed_keys():
    # With --keys nothing starts; the user's own file is left aside.
    for text, want in (
            ('{"common": {"F5":', 'k.json:1:'),
            ('[]', 'k.json:1:1: expected'),
            ('{"common": {}, "comon": {}}', 'k.json:1:16: comon: '),
            ('{"common": {"q": null, "C-c": null}}',
             'k.json:1:1: no key is left for `quit`')):
        write('k.json', text)
        status, out, err = tool(TUI, '-o', 'out', '--keys', 'k.json', steps())
        equal(status, 2, 'exit status of %s' % text)
        check(want in err, 'not "%s" for %s: %r', want, text, err)
        check(not os.path.exists('out'), 'it started with %s', text)
    status, out, err = tool(TUI, '--keys', 'no-such.json', steps())
    equal(status, 2, 'exit status without the file')
    check('no-such.json' in err, 'which file is it: %r', err)
    os.makedirs('config/cfuzz')
    write('config/cfuzz/keys.json', '{"common": {"F5": "helpp"}}')
    t = Terminal()
    t.run(TUI, '-o', 'out', '-j', 1, '--timeout', '10s', steps())
    t.expect('keys.json:1:13: common: `helpp` is not a command')
    t.expect('FUZZING')
    t.keys('F1')
    t.expect('help')
    t.keys('q')
    t.expect('stop and quit')
    t.keys('Enter')
    t.done(0, 1).close()


@case
def filters():
    # Words behind / leave the rows that have them, in every list.
    t = Terminal()
    t.console(steps(), '-j', 2, '--seeds', failing_seed())
    t.expect('1 crash')
    for view, words, title, none in (
            ('5', 'sigabrt', 'filter: sigabrt  1 of 1', True),
            ('2', 'nosuchword', 'filter: nosuchword  0 of 2', True),
            ('F1', 'pause', 'filter: pause', False)):
        t.keys(view, '/')
        t.type(words)
        t.expect(title)
        t.keys('Enter')
        t.keys('1', view)
        t.expect(title)
        if none:
            t.keys('/')
            t.type('zzz')
            t.expect('No row has all these words.')
            t.keys('Escape')
        else:
            t.keys('Escape')
        t.gone('filter:')
        if view == 'F1':
            t.keys('Escape')
    t.keys('1', '/')
    t.expect('has no list to filter')
    t.quit()
    t.done(1).close()


@case
def mouse():
    # What is shown can be clicked; the wheel moves in a list.
    t = Terminal(100, 30)
    # A crash that comes later would change the footer under a click.
    t.console(steps(), '-j', 3, '--seeds', failing_seed())
    t.expect('1 crash')
    equal(t.tmux('display', '-p', '#{mouse_any_flag}').strip(), '1',
          'reports of the mouse')
    t.expect('3 of 3 at work')
    click_on(t, 'p pause')
    t.expect('PAUSED')
    click_on(t, 'p resume')
    t.expect('FUZZING')
    click_on(t, '2 workers ')
    # The dashboard has a column of that name as well.
    t.expect('Enter shows its input and history')
    column, row = place(t, 'state')
    click(t, column, row)
    t.expect('state▴', 'state▾')
    click(t, place(t, ' # ')[0] + 1, row)
    t.expect('#▴')
    click(t, 10, row + 2)
    click(t, 10, row + 2)
    t.expect('worker 1')
    click(t, 10, row + 2, 65)
    t.expect('worker 2')
    click(t, 10, row + 2, 64)
    t.expect('worker 0')
    # Outside of the screen, and none at all: nothing happens.
    for x, y in ((0, 400), (9998, 0), (9998, 9998), (-1, 3), (10 ** 9, 1)):
        click(t, x, y)
    for _ in range(200):
        click(t, 5, 5, 64)
    t.keys('q')
    t.expect('stop and quit')
    click_on(t, 'cancel')
    t.gone('stop and quit')
    t.keys(':')
    t.type('mouse off')
    t.keys('Enter')
    t.expect("the terminal uses the mouse")
    equal(t.tmux('display', '-p', '#{mouse_any_flag}').strip(), '0',
          'reports of the mouse')
    t.quit()
    t.done(0, 1).close()


@case
def no_mouse():
    t = Terminal()
    t.console(steps(), '-j', 1, '--no-mouse')
    equal(t.tmux('display', '-p', '#{mouse_any_flag}').strip(), '0',
          'reports of the mouse')
    t.quit()
    t.done(0, 1).close()


@case
def prompt():
    # Words are completed; lines come back in the next session.
    t = Terminal()
    t.console(steps(), '-j', 1)
    t.keys(':')
    t.type('set timeo')
    t.keys('Tab')
    t.expect(':set timeout')
    t.expect('Time limit of one execution')
    t.type('3s')
    t.keys('Enter')
    t.expect('timeout is now 3')
    t.quit()
    t.done(0, 1)
    equal(os.stat('state/cfuzz/history').st_mode & 0o777, 0o600,
          'the mode of the history')
    with open('state/cfuzz/history', 'ab') as file:
        file.write(b'\033[2J\xff\0paus\n')
    t.console(steps(), '-j', 1)
    t.keys(':', 'Up')
    t.expect(':[2Jpaus')
    t.keys('Up')
    t.expect(':set timeout 3s')
    t.keys('Escape')
    t.quit()
    t.done(0, 1).close()


@case
def paste():
    # A megabyte with every key in it, with brackets and without: nothing.
    t = Terminal()
    t.console(steps(), '-j', 2)
    t.expect('2 of 2 at work')
    every = ''.join(chr(c) for c in range(32, 127)) + '\t'
    write('paste', (every + '\n') * (1 << 20 >> 6))
    t.tmux('load-buffer', '-b', 'every', os.path.abspath('paste'))
    for options in (('-p',), ()):
        t.tmux('paste-buffer', *options, '-b', 'every')
        t.expect('pasted text is ignored')
        if options:    # without brackets this would be pasted as well
            t.keys('x')
            t.expect('x does nothing here')
        t.gone('pasted text is ignored')
        t.expect('2 of 2 at work')
        t.expect('FUZZING')
    check(not t.stats['paused'], 'the paste paused it')
    t.quit()
    t.done(0, 1).close()


@case
def corpus_view():
    # The list, sorted and filtered; an entry, its mutation log; a finding's.
    t = Terminal(100, 30)
    t.console(steps(), '-j', 2)
    t.expect('1 crash')
    t.keys('p')
    t.expect('PAUSED')
    rests(t)    # no entry is trimmed, which gives it another name
    t.keys('4')
    t.expect('age▾')
    for key, head in (('o', 'energy▾'), ('O', 'energy▴')):
        t.keys(key)
        t.expect(head)
    name = next(row for row in t.screen().split('\n')
                if '%' in row and row.startswith('│')).split()[1]
    t.keys('/')
    t.type(name)
    t.expect('filter: %s  ' % name)
    t.keys('Enter')
    wait_for(lambda: re.search(r'filter: %s +\d+ of \d+' % name, t.screen()),
             'the filter')
    t.keys('Home', 'Enter')
    t.expect('entry ')
    t.expect('lineage')
    t.expect('as hex')
    t.keys('x')
    t.expect('as text')
    t.keys('T')
    t.expect('mutations of ')
    t.expect('makes ', 'This input was not made from another')
    t.keys('Escape')
    t.expect('lineage')
    t.keys('Escape')
    t.expect('filter: ' + name)
    t.keys('Escape')
    t.gone('filter:')
    t.keys('5', 'T')
    t.expect('mutations of ')
    t.expect('makes ')
    t.keys('Escape')
    t.expect('distinct, seen')
    t.quit()
    t.done(1).close()


@case
def journal_view():
    # It follows its end until one scrolls; a failure leads to its finding.
    t = Terminal(100, 30)
    t.console(steps(), '-j', 2)
    t.expect('1 crash')
    t.keys('7')
    t.expect('● following')
    t.keys('Up')
    t.expect('End follows')
    t.keys('End')
    t.expect('● following')
    t.keys('e')
    t.expect('journal: new inputs')
    t.keys('e', '/')
    t.type('sigabrt')
    t.expect('filter: sigabrt')
    t.expect('▲ crash')
    t.keys('Enter', 'Home', 'Enter')
    t.expect('opens finding')
    t.keys('Enter')
    t.expect('to re-run')
    t.quit()
    t.done(1).close()


def recorded(path):
    """Times of a recording, each with the executions that were seen."""
    rows, execs = [], 0
    with open(path, encoding='utf-8') as lines:
        next(lines)
        for line in map(json.loads, lines):
            if not rows and 'snapshot' not in line:
                continue    # before it, nothing is shown
            seen = line.get('snapshot') or line.get('delta') or {}
            execs = seen.get('execs', execs)
            rows.append((line['at'], execs))
    return rows


def executions(n):
    return '%s executions' % '{:,}'.format(n).replace(',', ' ')


@case
def recording():
    # What was seen is seen again, at each time of it, without a target.
    target = steps()
    t = Terminal(100, 30)
    t.run(TUI, '-o', 'out', '-j', 1, '--timeout', '10s', '--seed', 7,
          '--deterministic', '--record', 'rec', '--fuzztime', '3s', '--seeds',
          failing_seed(), target)
    t.leave(1)
    rows = recorded('rec')
    t.run(TUI, '--record', 'rec', '-o', 'out', target)
    t.expect('done 2')
    check('rec exists already' in t.screen(), 'no reason:\n%s', t.screen())
    # A start that failed leaves no recording: the next try has its name.
    t.run(TUI, '--record', 'new', './nothing')
    t.expect('any key ends')
    t.keys('q')
    t.expect('done 2')
    check(not os.path.exists('new'), 'a recording of nothing is left')
    t.run(TUI, '--play', 'rec')
    t.expect(' / 0:')    # on a slow machine its end is over ten seconds away
    t.keys('Space', ']', ']', 'Home')
    t.expect('4x 0:0')
    for seconds in (2.5, 0.5, 1.5):
        t.keys(':')
        t.type('seek %dms' % (1000 * seconds))
        t.keys('Enter')
        # Which comes first may be late.
        t.expect(executions([n for at, n in rows
                             if at <= max(seconds, rows[0][0])][-1]))
    t.keys('s')
    t.expect('a recording cannot be changed')
    t.keys('5')
    t.expect('SIGABRT')
    t.keys('1', 'Home', 'Space')
    t.expect('the end')
    t.expect(executions(rows[-1][1]))
    t.keys('Space', 'Left')    # held, or it would soon be there again
    t.gone('the end')
    t.keys('q')
    t.done(0).close()


@case
def recording_is_followed():
    # The views that were opened come again; one's own choice lasts until then.
    t = Terminal(100, 30)
    t.console(steps(), '-j', 1, '--seed', 7, '--deterministic', '--record',
              'rec', '--seeds', failing_seed())
    t.expect('1 crash')
    t.keys('7')
    t.expect('─ journal')
    t.keys('s', 's')
    t.leave(1)
    with open('rec', encoding='utf-8') as lines:
        views = [v for v in (json.loads(line).get('view') for line in lines)
                 if v]
    equal((views[0], views[-1]), ('dashboard', 'journal'), 'views')
    t.run(TUI, '--play', 'rec')
    t.expect('the end')
    t.expect('─ journal')
    t.keys('2')
    t.gone('─ journal')
    t.keys('Space', 'Home')
    t.expect('executions')
    t.keys('q')
    t.done(0).close()


@each(('no-recording', 'hello\n', 'bad:1:1: this is not a recording'),
      ('garbage', '{"recording": 1}\n{"at": 1, ]\n', 'bad:2:1'),
      ('empty', '', 'bad:1:1'))
def no_recording(content, why):
    t = Terminal()
    write('bad', content)
    t.run(TUI, '--play', 'bad')
    t.expect('any key ends')
    t.expect(why)
    t.keys('x')
    t.done(2).close()


@case
def help_in_place():
    # ? explains one field after the other; ? again shows all keys.
    t = Terminal()
    t.console(steps(), '-j', 1)
    t.keys('?')
    t.expect('What the target is.')
    t.keys('Tab')
    t.expect('The state of the campaign.')
    t.keys('Tab')
    t.expect('Number of worker processes.')
    t.keys('Down')
    t.expect('Executions of the target per second')
    t.keys('Tab')
    t.expect('Executions per second over this run')
    click_on(t, ' executions')
    t.expect('Number of executions of the target')
    click_on(t, 'Number of executions')
    t.gone('Number of executions')
    t.keys('?')
    t.expect('What the target is.')
    t.keys('?')
    t.expect('keys everywhere')
    t.keys('Escape')
    t.expect('since the start')
    t.quit()
    t.expect('done')
    t.close()


@case
def tour():
    # Each step says when it has happened, none holds up; source, finding and
    # a minimization come by themselves, in a directory that is new.
    os.mkdir('%s-tour.cfuzz' % os.path.basename(steps()))
    t = Terminal()
    t.run(TUI, '-j', 1, '--timeout', '10s', '--verify', 1, '--seeds',
          failing_seed(), '--tour', steps())
    for step in range(1, 9):
        t.expect('tour %d of 8' % step)
        if step == 2:
            t.keys('BSpace')
            t.expect('tour 1 of 8')
            t.keys('Enter')
            t.expect('tour 2 of 8')
        if step == 3:
            t.expect('lines hit', 'places hit')
            t.expect('Enter goes on.')
        if step == 5:
            t.expect('to re-run')
            t.expect('Enter goes on.')
        if step == 6:
            t.expect('Try it: press p.')
            t.keys('p')
            t.expect('PAUSED')
            t.expect('Enter goes on.')
            t.keys('p')
        if step == 7:
            t.expect('▮▮ held')
            t.keys('n')
            t.expect('Enter goes on.')
            t.keys('Space')
        if step == 8:
            t.expect('That is all.')
        t.keys('Enter')
    t.gone('tour ')
    t.quit()
    t.expect('done')
    check(os.path.exists('%s-tour-2.cfuzz/stats.json' %
                         os.path.basename(steps())), 'no new directory')
    t.close()


def found(t, *options):
    """The console with one finding, which is replayed and minimized."""
    t.console(steps(), '-j', 1, '--verify', 1, '--seeds', seeds([LONG]),
              *options)
    wait_for(lambda: any(f['minimized_len'] and f['replays'] for f in
                         t.stats['findings']), 'a finding')
    t.keys('5')
    t.expect('1 distinct')


@case
def finding_in_full():
    # Its pages, a note, a mark, an export: what is said of it stays.
    t = Terminal(100, 30)
    found(t)
    t.keys('n')
    t.expect('note ')
    t.type('ask "Ann" about it')
    t.keys('Enter')
    t.expect('the note is saved')
    t.keys('Enter')
    t.expect('ask "Ann" about it')
    t.expect('cfuzz repro')
    t.keys('Right')
    t.expect('source /')
    t.keys('Right')
    t.expect('SIGABRT')
    t.keys('x')
    t.expect('0010  ')
    t.keys('x')
    t.gone('0010  ')
    t.keys('n')
    t.expect('about it', 'Enter accept')
    t.type(' now')
    t.keys('Enter')
    t.keys('Escape')
    t.keys('a')
    t.expect('mark as known')
    t.keys('k')
    t.expect(': known')
    t.keys('e')
    t.expect('exported to')
    bucket = t.bucket()
    folder = t.path('export', os.path.basename(bucket.folder))
    check(os.path.exists(os.path.join(folder, 'reproduce.sh')),
          'nothing is exported')
    t.keys('r')
    t.expect('replay ')
    t.keys('BSpace', '3', 'Enter')
    t.expect('re-run: 3 of 3 failed again')
    check('q quit' in t.screen(), 'the keys are hidden:\n%s', t.screen())
    wait_for(lambda: t.stats['findings'][0]['replays'] == 3, 'three replays')
    t.quit()
    t.done(1).close()
    info = t.bucket().info
    equal((info['note'], info['state']), ('ask "Ann" about it now', 'known'),
          'what is kept')


@each(('usual', 'xterm-256color', "sent to the terminal's clipboard"),
      ('without', 'linux', 'this terminal has no clipboard'))
def copied(term, says):
    # y: a terminal with a clipboard gets the command, and no other one any byte
    # of it. The command does what it should.
    t = Session([TUI, '-o', 'out', '-j', '1', '--timeout', '10s', '--seeds',
                 failing_seed(), steps()], columns=120, rows=40,
                env={'TERM': term})
    t.shows('FUZZING')
    t.key(b'5')
    t.shows('SIGABRT')
    sent = []

    def taken():
        # Until the engine has told the command, y says that it waits for it.
        # The next key removes what was said.
        t.key(b'\x0c')
        t.seen = b''
        t.key(b'y')
        sent.extend(re.findall(rb'\x1b\]52;c;([^\x07]*)\x07', t.seen))
        return sent or says.encode() in t.seen

    wait_for(taken, 'what y says')
    t.expect(says)
    t.quit()
    if term == 'linux':
        equal(sent, [], 'what was sent')
        return
    equal(len(sent), 1, 'how often it was sent')
    text = base64.b64decode(sent[0], validate=True).decode()
    path = os.environ['PATH']
    try:
        os.environ['PATH'] = '%s:%s' % (BUILD, path)
        status, out, err = tool('sh', '-c', text)
    finally:
        os.environ['PATH'] = path
    check('SIGABRT' in out, '%s: %s%s', text, out, err)
    equal(status, 1, text)


@case
def by_steps():
    # From before the first try, forth and back, and on to the end.
    t = Terminal(100, 30)
    found(t)
    t.keys('M')
    t.expect('held')
    t.expect('No candidate has been tried yet.', '#1 ')
    t.climb('n', '#1 ', '#2 ')
    t.keys('b')
    t.expect('try 1 of 2, looking back')
    t.keys('n')
    t.gone('looking back')
    t.keys('u')
    t.expect('undone')
    t.keys('k')
    t.expect('is skipped')
    t.keys('[', 'Space')
    t.expect('tries a second', 'ended: ')
    t.keys(']', ']', ']', ']', ']', ']')
    t.expect('ended: 205')
    t.keys('4')
    t.expect('entries')
    t.keys('6')
    t.expect('ended: 205')
    t.quit()
    t.done(1).close()


@case
def accepted_as_it_is():
    # What is best so far is kept, and said.
    t = Terminal(100, 30)
    found(t)
    t.keys('M')
    t.expect('held')
    t.keys('N')
    t.expect('accepted  without')
    t.keys('a')
    t.expect('ended: 205')
    t.quit()
    t.done(1).close()
    check(t.bucket().info['minimized_len'] < 205, 'it is not kept')


# A signal ends a read, but not the debugger.
DEBUGGER = """#!/bin/sh
trap 'echo interrupted' INT
echo "debugger of $# words"
failed=0
while [ $failed -lt 50 ]; do
    read word || { failed=$((failed + 1)); continue; }
    [ "$word" = end ] && exit %d
    echo "heard $word"
done
"""


def with_debugger(t, status=0, *options):
    os.mkdir('bin')
    write('bin/gdb', (DEBUGGER % status).encode())
    os.chmod('bin/gdb', 0o755)
    t.type(' PATH=$PWD/bin:$PATH')
    t.keys('Enter')
    found(t, *options)
    t.keys('g')
    t.expect('debugger of')


@each(('well', 0), ('badly', 3))
def in_a_debugger(status):
    # It has the terminal and its keys; the campaign goes on meanwhile.
    t = Terminal(100, 30)
    with_debugger(t, status)
    t.type('word')
    t.keys('Enter')
    t.expect('heard word')
    t.keys('C-c')
    t.expect('interrupted')
    t.keys('C-z')
    before = t.stats['execs']
    wait_for(lambda: t.stats['execs'] > before, 'executions')
    t.keys('Enter')
    t.type('end')
    t.keys('Enter')
    if status:
        t.expect('any key goes back')
        t.keys('C-c')
        t.expect('ended with status 3')
    t.expect('1 distinct')
    t.quit()
    t.done(1).close()


@case
def sequence_in_a_debugger():
    # It runs all inputs, as one alone does not fail.
    t = Terminal(100, 30)
    os.mkdir('bin')
    write('bin/gdb', b'#!/bin/sh\nfor last; do :; done\n'
          b'echo "runs ${last##*/}."\nread word\n')
    os.chmod('bin/gdb', 0o755)
    t.type(' PATH=$PWD/bin:$PATH')
    t.keys('Enter')
    t.console(build(one_input("""
	static int calls;

	if (++calls == 2)
		abort();""")), '-j', 1, '--verify', 1, '--minimizetime', 0,
              '--seeds', seeds([b'a', b'b']))
    wait_for(lambda: any(f.get('sequence', 0) > 1 for f in
                         t.stats['findings']), 'a sequence')
    t.keys('5')
    t.expect('g gdb')
    t.keys('g')
    t.expect('runs sequence.')
    t.keys('Enter')
    t.expect('1 distinct')
    t.quit()
    t.done(1).close()


@case
def debugger_at_the_end():
    # A campaign that ends does not take the debugger away.
    t = Terminal(100, 30)
    with_debugger(t)
    os.kill(t.process(2), signal.SIGTERM)
    wait_for(lambda: t.stats['state'] == 'ended', 'the end')
    t.type('word')
    t.keys('Enter')
    t.expect('heard word')
    t.type('end')
    t.keys('Enter')
    t.leave(1).close()


@each(('killed', signal.SIGKILL), ('ended', signal.SIGTERM))
def console_before_debugger(signo):
    # The debugger goes with it, and the shell has its terminal.
    t = Terminal(100, 30)
    with_debugger(t, 0, '--stop-on-hangup')
    os.kill(t.process(1), signo)
    t.done(1).close()


@case
def no_debugger():
    t = Terminal(100, 30)
    found(t)
    t.quit()
    t.done(1)
    for name in ('env', 'stty', 'clear', 'sh'):
        os.makedirs('few', exist_ok=True)
        os.symlink(shutil.which(name), 'few/' + name)
    t.type(' PATH=$PWD/few')
    t.keys('Enter')
    t.console(steps(), '-j', 1)
    t.keys('5', 'g')
    t.expect('gdb is not installed')
    t.quit()
    t.expect('done')
    t.close()


main()

"""Terminals, and what comes from them: rows C1 to C18."""

import random
import termios

from lab import *    # noqa: F401,F403
from terminals import Session    # noqa: E402

TUI = os.path.join(BUILD, 'cfuzz-tui')


class Console(Session):
    """cfuzz-tui on the fault target."""

    def __init__(self, *words, fault='', env=None, **more):
        self.probe = os.path.abspath('probe')
        os.makedirs(self.probe, exist_ok=True)
        super().__init__(
            [TUI, '-o', 'out', '-j', '1', '--seeds', seeds([b'GGGG', b'harm']),
             '--timeout', '500', *words, fault_target()],
            env=dict({'FAULT': fault, 'PROBE': self.probe}, **(env or {})),
            **more)
        self.wait(lambda: self.calls() > 0 or self.status is not None,
                  'an execution')

    def calls(self):
        path = os.path.join(self.probe, 'calls')
        return int.from_bytes(read(path)[:8], sys.byteorder) \
            if os.path.exists(path) else 0

    def engine(self):
        """The process that has the workers below it."""
        for pid, _, _ in descendants(self.job):
            if [1 for p, w in processes().items() if w[0] == pid and
                    w[2] not in ('cfuzz-tui', 'cfuzz-symbols')]:
                return pid
        return None


def e2e(*cases):
    return shown_by('console.py', *cases)


def hostile(*cases):
    return shown_by('console_hostile.py', *cases)


row('C1', 'terminals of all sizes', *e2e('sizes'), *hostile('one_cell'),
    core=True)


def many_sizes():
    # In the middle of everything: a list, a question, the prompt.
    rng = random.Random(1)
    s = Console(fault='abort')
    for n in range(200):
        s.resize(rng.choice((1, 2, 20, 80, 120, 300)),
                 rng.choice((1, 2, 5, 24, 60)))
        if n % 10 == 0:
            s.send(rng.choice((b'1', b'2', b'5', b':', b'\x1b', b'?', b'l')))
        s.pump(0.002)
    s.resize(80, 24)
    s.escape(3)
    s.key(b'1')
    s.shows('FUZZING')
    before = s.calls()
    s.wait(lambda: s.calls() > before, 'executions')
    s.quit()


row('C2', 'two hundred changes of size', way(many_sizes))
row('C3', 'kinds of terminals',
    *e2e('no_console[dumb]', 'no_console[none]', 'no_console[unheard-of]'),
    *hostile('colours'))
row('C4', 'a terminal without UTF-8', *hostile('ascii_frames'))
row('C5', 'no colours, and few', *hostile('no_color', 'colours'))
row('C6', 'output that is no terminal', *e2e('into_a_pipe'))
row('C7', 'the window is closed', *e2e('terminal_closed'),
    *hostile('vanishes'))
row('C8', 'stopped by the shell, and continued', *e2e('shell_jobs'))


def nobody_reads():
    # It fuzzes on while no byte is taken from it, and is whole again after.
    s = Console()
    s.wait(lambda: s.calls() > 100, 'executions')
    for n in range(40):    # more than the terminal has room for
        s.resize(200 + n % 2, 60)
        s.send(b'2' if n % 2 else b'1', read=False)
        time.sleep(0.05)
    for _ in range(3):    # a screen each second, of which none is taken
        before = s.calls()
        time.sleep(1)
        wait_for(lambda: s.calls() > before, 'executions')
    s.resize(80, 24)
    s.shows('FUZZING')
    s.quit()


row('C9', 'a terminal that nobody reads', way(nobody_reads), core=True)
row('C10', 'nonsense from the terminal', *hostile('replies'),
    *shown_by('monkey.py', 'monkey'), limit=300)
row('C11', 'a megabyte is pasted', *hostile('large_paste'), *e2e('paste'))
row('C12', 'a mouse that is nowhere', *e2e('mouse'))
row('C13', 'the console or the engine is killed',
    *e2e('console_killed', 'engine_killed'), core=True)
row('C14', 'letters that mean something to a terminal',
    *hostile('evil_target', 'evil_start'), *e2e('names_are_harmless'))
row('C15', 'two terminals at one campaign',
    *shown_by('attach_console.py', 'detach_and_come_back', 'killed_consoles'))


def modes_change():
    # stty and reset from elsewhere; ^L makes it whole.
    s = Console(feed=False)
    s.shows('FUZZING')
    cooked = termios.tcgetattr(s.slave)
    raw = list(cooked)
    raw[3] |= termios.ICANON | termios.ECHO
    termios.tcsetattr(s.slave, termios.TCSANOW, raw)
    os.write(s.slave, b'\033c\033[2J')
    termios.tcsetattr(s.slave, termios.TCSANOW, cooked)
    s.shows('FUZZING')
    s.quit()


row('C16', 'the terminal is changed behind its back',
    way(modes_change))


def after_the_end():
    # The last screen is gone, a summary stays.
    s = Console(fault='abort')
    s.wait(lambda: os.path.isdir('out/crashes') and os.listdir('out/crashes'),
           'a finding')
    s.shows('FUZZING')
    s.quit()
    tail = s.seen.rpartition(b'\033[?1049l')[2]
    for word in (b'executions', b'SIGABRT', b'exit status 1'):
        check(word in tail, 'the summary has no %r: %r', word, tail)


row('C17', 'what is left on the screen', way(after_the_end))


def loaded():
    # Twice as many busy processes as processors beside it.
    busy = [subprocess.Popen([sys.executable, '-c', 'while True: pass'])
            for _ in range(2 * (os.cpu_count() or 1))]
    slow = []
    try:
        s = Console()
        s.shows('FUZZING')
        for n in range(20):
            begin = time.monotonic()
            s.seen = b''
            s.send(b'?' if n % 2 == 0 else b'\x1b', read=False)
            s.wait(lambda: s.seen, 'something on the screen')
            slow.append(time.monotonic() - begin)
            s.rest(0.1)
    finally:
        for process in busy:
            process.kill()
            process.wait()
    check(sorted(slow)[len(slow) // 2] < 1, 'it took %s s', slow)
    s.quit()


row('C18', 'a machine with too much to do', way(loaded))

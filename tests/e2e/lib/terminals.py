"""A pseudo-terminal of our own, with a shell that knows one job.

Session runs a program on it as a shell would: in a process group of its own,
stopped by ^Z, continued by fg(). Whatever is written to the terminal goes
through a Stream, which knows the modes that a real one would be in now, and
fails when it is told something that no console has any business to say.
"""

import codecs
import errno
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

from cfuzztest import (PATIENCE, check, equal, fail, meanwhile, nobody_left,
                       started_by, waits)

ALL_READ = b'(all is read)'
CHUNK = 65536

# Everything that may be written to a terminal. Titles, replies, strings and
# reports are not among it, nor is any control character but these few.
GOOD = re.compile(
    rb'(?:[\x20-\x7e\x80-\xff\r\n\b\t\x0e\x0f]'
    rb'|\x1b\[[\x30-\x3f]{0,64}[ ]?[@A-HJ-MPSTXZ`bdfghlmr]'
    rb'|\x1b\[2[23];[012];[012]t'
    rb'|\x1b\]104\x07|\x1b\]R'    # curses: back to the usual palette
    rb'|\x1b\]52;c;[A-Za-z0-9+/]*=*\x07'    # y: to the clipboard
    rb'|\x1b\[\?[0-9]{1,2}c'    # and the shape of the Linux cursor
    rb'|\x1b(?:\[[\x30-\x3f]*)?(?=\x1b)'    # cut off: another begins
    rb'|\x1b[()*+][A-Z0-9]|\x1b[=>78MDE])*')
MODE = re.compile(rb'\x1b\[(\??)([0-9;]+)([hl])|\x1b([=>])|\x1b([78])')
STYLE = re.compile(rb'\x1b\[([0-9;:]*)m')


class Stream:
    """The modes of a terminal, as what was written to it left them."""

    def __init__(self):
        self.modes = {'?7', '?25'}    # margins, cursor
        self.style = b''
        self.colours = {}    # how often each way to set a colour was used
        self.tail = b''
        self.total = 0
        self.decoder = codecs.getincrementaldecoder('utf-8')('strict')

    def feed(self, data):
        self.total += len(data)
        data = self.tail + data
        end = GOOD.match(data).end()
        # A sequence that is not whole yet waits for the rest of it.
        most = 4096 if data[end:].startswith(b'\x1b]52;c;') else 80
        check(end == len(data) or
              (data[end] == 0x1b and len(data) - end < most),
              'this was written to the terminal: %r',
              data[max(0, end - 20):end + 60])
        self.tail, data = data[end:], data[:end]
        try:
            self.decoder.decode(data)
        except UnicodeDecodeError as e:
            fail('no UTF-8: %s: %r', e, e.object[max(0, e.start - 20):
                                                 e.end + 20])
        for private, numbers, what, keypad, _ in MODE.findall(data):
            for number in numbers.split(b';') if numbers else [keypad]:
                name = (private + number).decode()
                if keypad:
                    name, what = 'keypad', b'h' if keypad == b'=' else b'l'
                if what == b'h':
                    self.modes.add(name)
                else:
                    self.modes.discard(name)
        for style in STYLE.findall(data):
            self.style = style
            self._count(style)

    def _count(self, style):
        words = re.split(b'[;:]', style)
        while words:
            word = words.pop(0)
            way = None
            if word in (b'38', b'48'):
                way = {b'5': 'index', b'2': 'direct'}.get(words[0])
                words = []    # curses sets one colour in a sequence
            elif re.fullmatch(b'[34][0-7]', word):
                way = 'eight'
            elif re.fullmatch(b'(9|10)[0-7]', word):
                way = 'bright'
            if way:
                self.colours[way] = self.colours.get(way, 0) + 1

    def restored(self):
        """Alternate screen left, cursor shown, all that was set is unset."""
        check(not self.tail, 'the last sequence is not whole: %r', self.tail)
        # Cursors may blink, and be of any shape.
        equal(self.modes - {'?12', '34'}, {'?7', '?25'},
              'modes of the terminal')
        check(self.style in (b'', b'0', b'39;49', b'39;49;0'),
              'the style is left as %r', self.style)


def shell(words, ask, tell):
    """What a shell does for its only job; in a process of its own."""
    def say(text):
        os.write(tell, (text + '\n').encode())
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        os.tcsetpgrp(0, os.getpid())
        for signo in (signal.SIGTTOU, signal.SIGPIPE, signal.SIGINT):
            signal.signal(signo, signal.SIG_DFL)
        os.execvp(words[0], words)
    try:
        os.setpgid(job, job)
    except OSError:
        pass    # it did that itself, and is another program by now
    os.tcsetpgrp(0, job)
    say('job %d' % job)
    while True:
        _, status = os.waitpid(job, os.WUNTRACED)
        if not os.WIFSTOPPED(status):
            break
        os.tcsetpgrp(0, os.getpgrp())
        say('stopped')
        if not os.read(ask, 1):
            break
        os.tcsetpgrp(0, job)
        os.killpg(job, signal.SIGCONT)
    say('ended %d' % os.waitstatus_to_exitcode(status))


class Session:
    """A program on a terminal that is ours."""

    def __init__(self, words, columns=80, rows=24, env=None, feed=True,
                 echo=True):
        self.stream = Stream() if feed else None
        self.seen = b''    # the last of what was written
        self.status = None
        self.stopped = False
        self.master, self.slave = pty.openpty()
        self.resize(columns, rows)
        if not echo:    # nobody but the program writes to the terminal
            modes = termios.tcgetattr(self.slave)
            modes[3] &= ~termios.ECHO
            termios.tcsetattr(self.slave, termios.TCSANOW, modes)
        self.before = termios.tcgetattr(self.slave)
        ask, self.ask = os.pipe()
        self.tell, tell = os.pipe()
        environment = dict(os.environ, TERM='xterm-256color',
                           LC_ALL='C.UTF-8',
                           # Of whoever runs the tests, nothing is touched.
                           XDG_STATE_HOME=os.path.abspath('state'),
                           XDG_CONFIG_HOME=os.path.abspath('config'))
        environment.update(env or {})
        environment = {k: v for k, v in environment.items() if v is not None}
        sys.stdout.flush()
        self.shell = os.fork()
        if self.shell == 0:
            try:
                os.environ.clear()
                os.environ.update(environment)
                os.setsid()
                fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
                for fd in range(3):
                    os.dup2(self.slave, fd)
                for fd in (self.master, self.slave, self.ask, self.tell):
                    os.close(fd)
                shell(words, ask, tell)
            finally:
                os._exit(0)
        os.close(ask)
        os.close(tell)
        os.set_blocking(self.master, False)
        self.heard = b''
        self.job = None
        self.wait(lambda: self.job, 'the start of the program')

    def resize(self, columns, rows):
        """The kernel tells the foreground, as of a window."""
        self.columns, self.rows = columns, rows
        fcntl.ioctl(self.master, termios.TIOCSWINSZ,
                    struct.pack('HHHH', rows, columns, 0, 0))

    # ---- what comes from it

    def _listen(self):
        data = os.read(self.tell, 4096)
        self.heard += data
        lines = self.heard.split(b'\n')
        self.heard = lines.pop()
        if not data and self.status is None:
            self.status = -999
        for word in (line.split() for line in lines):
            if word[0] == b'job':
                self.job = int(word[1])
            elif word[0] == b'stopped':
                self.stopped = True
            else:
                self.status = int(word[1])

    def _read(self):
        try:
            data = os.read(self.master, CHUNK)
        except OSError as e:
            if e.errno in (errno.EAGAIN, errno.EIO):
                return False
            raise
        self.seen = (self.seen + data)[-4 * CHUNK:]
        if self.stream is not None:
            self.stream.feed(data)
        return True

    def pump(self, seconds=0.0, read=True):
        """Takes what there is, at least once; waits so long for more."""
        meanwhile()
        fds = [self.master] if read else []
        if self.status is None:
            fds.append(self.tell)
        ready = select.select(fds, [], [], seconds)[0]
        if self.tell in ready:
            self._listen()
        if self.master in ready:
            self._read()
        return bool(ready)

    def wait(self, condition, what, patience=PATIENCE):
        end = time.monotonic() + patience
        while not condition():
            if time.monotonic() > end:
                fail('waited in vain for %s; the last that was written: %r',
                     what() if callable(what) else what, self.seen[-400:])
            self.pump(0.002)

    def expect(self, text):
        """The kernel may hand over the last words after the end is known."""
        self.wait(lambda: text.encode() in self.seen,
                  lambda: '"%s"%s' % (text, '' if self.status is None else
                                      ' and it has ended'))

    # ---- what goes to it

    def send(self, data, read=True):
        """All of it, as fast as the terminal takes it."""
        end = time.monotonic() + PATIENCE
        while data and self.status is None and not self.stopped:
            try:
                n = os.write(self.master, data[:4096])
                data = data[n:]
                continue
            except OSError as e:
                if e.errno != errno.EAGAIN:
                    raise
            check(time.monotonic() < end, 'the terminal takes nothing')
            self.pump(0.001)
        if read:
            while self.pump():
                pass

    def untaken(self):
        """Bytes that the program did not read yet."""
        return struct.unpack('i', fcntl.ioctl(self.slave, termios.FIONREAD,
                                              b'\0\0\0\0'))[0]

    def settle(self):
        """Waits until all that was sent is read."""
        for _ in range(2):    # the kernel may have been on its way with it
            self.rest(0.003)
            self.wait(lambda: self.untaken() == 0 or self.stopped or
                      self.status is not None, 'the program to read')

    def key(self, data):
        """One key, long before and after others: no paste, no sequence. A
        program that waits now, and did so when its patience for a sequence
        began, has lost that."""
        self.send(data)
        self.settle()
        console = started_by(self.job)[0]
        for _ in range(2):
            self.rest(0.03)
            if console:
                self.wait(lambda: waits(console), 'the console to rest')
        while self.pump(0.01):    # what it wrote may have been on its way
            pass

    def command(self, line):
        """A line for the prompt. It is pasted there, so that no letter of it
        is ever a key, should there be no prompt."""
        self.key(b':')
        self.key(b'\x1b[200~' + line.encode() + b'\x1b[201~')
        self.key(b'\r')

    def rest(self, seconds):
        """The time that tells keys from pastes, and Esc from a sequence."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.pump(max(0.0, end - time.monotonic()))

    def escape(self, times=1):
        for _ in range(times):
            self.key(b'\x1b')

    # ---- cfuzz-tui on it

    def redrawn(self):
        """The whole screen, as it is now, and no other."""
        while self.pump():
            pass
        self.seen = b''
        self.key(b'\x0c')
        return self.seen

    def shows(self, text):
        """Curses writes what changed; so all is drawn until it is there."""
        end = time.monotonic() + PATIENCE
        while text.encode() not in self.redrawn():
            check(time.monotonic() < end, 'not on the screen: %s: %r', text,
                  self.seen[-2000:])

    def quit(self):
        self.escape(3)
        self.key(b'q')
        self.expect('stop and quit')
        self.key(b'\r')
        self.end()
        check(self.status in (0, 1), 'exit status %d', self.status)
        self.close()
        nobody_left()

    # ---- its end

    def as_before(self):
        """The terminal is as it was, but for what is on the screen."""
        # The kernel hands over late, but in order: ours comes last.
        os.write(self.slave, ALL_READ)
        self.wait(lambda: self.seen.endswith(ALL_READ), 'the last words')
        self.seen = self.seen[:-len(ALL_READ)]
        now = termios.tcgetattr(self.slave)
        equal(now[:4], self.before[:4], 'modes of the line')
        equal(now[6], self.before[6], 'control characters')
        if self.stream is not None:
            self.stream.restored()

    def fg(self):
        self.stopped = False
        os.write(self.ask, b'f')

    def end(self, status=None):
        self.wait(lambda: self.status is not None, 'the end')
        self.as_before()
        if status is not None:
            equal(self.status, status, 'exit status')
        return self.status

    def close(self):
        """The window is closed."""
        for name in ('master', 'slave', 'ask', 'tell'):
            fd = getattr(self, name)
            if fd >= 0:
                os.close(fd)
            setattr(self, name, -1)

"""What a monkey does to a console: one event after the other, all of them
drawn from a seed.

An event is (what, data): 'keys' are bytes as a keyboard and a terminal send
them, 'resize' is a size, 'suspend' is ^Z and the shell's fg, 'deaf' a terminal
that is not read while a number of events go on.

A campaign is to be alive, and shown, until it is asked to stop, so the monkey
never has the letters of `stop` and `quit`, nor the key that detaches, but for a
q that is taken back at once.
"""

import random

NEVER = b'sSqQd\x03\x1a'    # in what is drawn byte by byte
LETTERS = bytes(b for b in range(0x20, 0x7f) if b not in NEVER)
CONTROLS = bytes(b for b in range(0x20) if b not in NEVER and b != 0x1b)
SPECIAL = [b'\x1b[' + c for c in (
    b'A', b'B', b'C', b'D', b'H', b'F', b'Z', b'1~', b'2~', b'3~', b'4~',
    b'5~', b'6~', b'11~', b'15~', b'24~', b'[A', b'1;5A', b'1;2D', b'3;5~',
    b'99~', b'E', b'u', b'97;5u')] + [b'\x1bO' + c for c in (
        b'A', b'B', b'P', b'Q', b'M')]
REPLIES = [
    b'\x1b[?62;22c', b'\x1b[>0;276;0c', b'\x1b[12;40R', b'\x1b[0n',
    b'\x1b[?2026;2$y', b'\x1b]11;rgb:1a1a/1d1d/2323\x1b\\',
    b'\x1b]4;1;rgb:ff/00/00\x07', b'\x1bP>|XTerm(390)\x1b\\',
    b'\x1bP1+r544e=787465726d\x1b\\', b'\x1b[I', b'\x1b[O', b'\x1b[?1u',
    b'\x1b[8;24;80t', b'\x1b_Gi=1;OK\x1b\\']
HALVES = [b'\x1b[', b'\x1b[1', b'\x1b[1;', b'\x1bO', b'\x1b[M', b'\x1b[M!',
          b'\x1b[<0;3', b'\x1b[200', b'\x1b[201~', b'\xe2\x96', b'\xf0',
          b'\xc3', b'\x1b[?', b'\x1b' * 3]
# These swallow what follows until they are ended.
OPEN = [b'\x1b]0;', b'\x1bP', b'\x1b_', b'\x1b^', b'\x1b[200~']
CLOSE = b'\x07\x18\x1b[201~'
WIDE = ['ä', 'é', '漢', '字', '😀', 'e\u0301', '\u202e', '\u200b', '\ufeff',
        '\u0085', '▀', '\U0010ffff', '\u2028']
LARGE = 1 << 20


class Monkey:
    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.open = 0    # events until an opened string is closed
        self.large = 0

    def _some(self, alphabet, least, most):
        return bytes(self.dice.choice(alphabet) for _ in range(
            self.dice.randint(least, most)))

    def _mouse(self):
        d = self.dice
        x = d.choice([0, 1, d.randint(1, 80), d.randint(1, 300), 9999,
                      10 ** 12])
        y = d.choice([0, 1, d.randint(1, 24), d.randint(1, 80), 9999, -1])
        if d.random() < 0.2:
            return b'\x1b[M' + bytes(32 + d.choice((
                0, 1, 2, 3, 64, 65, 90)) for _ in range(3))
        return b'\x1b[<%d;%d;%d%c' % (
            d.choice((0, 0, 0, 1, 2, 32, 35, 64, 65, 128, 1 << 40)), x, y,
            d.choice(b'Mm'))

    def _paste(self):
        d = self.dice
        kind = d.random()
        if kind < 0.01 and self.large < 3:
            self.large += 1
            text = self._some(LETTERS, 1000, 1000) * (LARGE // 1000)
        elif kind < 0.3:
            text = self._some(LETTERS + CONTROLS + bytes(range(128, 256)),
                              1, 3000)
        else:
            text = self._some(LETTERS, 1, 200)
        if d.random() < 0.3:
            return text    # a burst, as of a terminal without brackets
        return b'\x1b[200~' + text + b'\x1b[201~'

    def _quit(self):
        """A question that is taken back, whatever took the q."""
        return self.dice.choice((b'q', b'q', b'\x03')) + b'\x1b\x1b\x1b'

    def _bytes(self):
        d = self.dice
        kind = d.random()
        if kind < 0.50:
            return self._some(LETTERS, 1, 1)
        if kind < 0.72:
            return d.choice(SPECIAL)
        if kind < 0.77:
            return bytes([d.choice(CONTROLS)])
        if kind < 0.80:
            return d.choice((b'\x1b\x1b', b'\r', b'\x1b\x1b\x1b', b'\t'))
        if kind < 0.85:
            return self._mouse()
        if kind < 0.89:
            return d.choice(REPLIES)
        if kind < 0.92:
            return d.choice(HALVES)
        if kind < 0.923:
            self.open = 6
            return d.choice(OPEN)
        if kind < 0.95:
            return d.choice(WIDE).encode()
        if kind < 0.97:
            return self._some(bytes(range(128, 256)) + CONTROLS, 1, 12)
        if kind < 0.98:
            return self._quit()
        return self._paste()

    def _size(self):
        d = self.dice
        return d.choice(((1, 1), (20, 5), (40, 12), (80, 24), (120, 40),
                         (300, 80), (d.randint(1, 300), d.randint(1, 80)),
                         (d.randint(1, 30), d.randint(1, 8))))

    def event(self):
        kind = self.dice.random()
        if self.open > 0:
            self.open -= 1
            if self.open == 0:
                return 'keys', CLOSE
        if kind < 0.02:
            return 'resize', self._size()
        if kind < 0.0205:
            return 'suspend', None
        if kind < 0.0225:
            return 'deaf', self.dice.randint(1, 30)
        return 'keys', self._bytes()

#!/usr/bin/env python3
"""The console on terminals of all kinds, and what may come from them or from
a target: colours they have or have not, replies nobody asked for, a megabyte
of paste, names and output that mean something to a terminal."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403
from monkeys import HALVES, REPLIES    # noqa: E402
from terminals import STYLE, Session    # noqa: E402

PLAIN = {'COLORTERM': None, 'NO_COLOR': None}
EVIL = '\033]0;owned\007\033P1;2\033\\\u202e\u0085'


class Console(Session):
    """cfuzz-tui on a target, as far as it fuzzes."""

    def __init__(self, *words, env=None, target=None, wait='FUZZING',
                 **more):
        target = target or calm_steps()
        super().__init__([TUI, '-o', 'out', '-j', '1', '--timeout', '10s',
                          *words, target],
                         env=dict(PLAIN, **(env or {})), **more)
        if wait:
            self.arrive(wait)

    def arrive(self, text):
        """Curses writes what is new, which may be a part of the word alone:
        now and then all is drawn."""
        drawn = time.monotonic()

        def arrived():
            nonlocal drawn
            if time.monotonic() > drawn + 1:
                drawn = time.monotonic()
                self.send(b'\x0c')
            return text.encode() in self.seen or self.status is not None
        self.wait(arrived, '"%s"' % text)
        self.expect(text)

    def colours(self):
        """Of the whole screen: a part of it may be on its way."""
        seen = []

        def twice():
            seen.append(set(STYLE.findall(self.redrawn())))
            return seen[-2:-1] == seen[-1:]
        wait_for(twice, 'two screens of the same colours')
        return seen[-1]

    def process(self):
        return started_by(self.job)[0]


# Kinds that are seldom installed, as the terminfo database describes them.
TERMINFO = r'''
xterm-16color|xterm with 16 colors,
	colors#16, pairs#256, ccc@, initc@, setf@, setb@,
	setab=\E[%?%p1%{8}%<%t%p1%{40}%+%e%p1%{92}%+%;%dm,
	setaf=\E[%?%p1%{8}%<%t%p1%{30}%+%e%p1%{82}%+%;%dm,
	use=xterm-256color,
xterm-direct|xterm with direct color,
	colors#0x1000000, pairs#0x7fff, RGB, ccc@, initc@, oc@,
	setab=\E[%?%p1%{8}%<%t4%p1%d%e48\:2\:\:%p1%{65536}%/%d\:%p1%{256}%/%{255}%&%d\:%p1%{255}%&%d%;m,
	setaf=\E[%?%p1%{8}%<%t3%p1%d%e38\:2\:\:%p1%{65536}%/%d\:%p1%{256}%/%{255}%&%d\:%p1%{255}%&%d%;m,
	use=xterm-256color,
'''


def terminfo():
    """A folder with them, for TERMINFO."""
    status, _, err = tool('tic', '-x', '-o', 'terminfo',
                          write('kinds.ti', TERMINFO))
    if status != 0:
        raise Skip('tic: ' + err)
    return os.path.abspath('terminfo')


@each(('xterm-256color', {'index'}, {}),
      ('screen', {'eight'}, {}),
      ('linux', {'eight'}, {}),
      ('xterm-16color', {'eight', 'bright'}, {}),
      ('xterm-direct', {'direct'}, {'COLORTERM': 'truecolor'}),
      ('xterm-256color', {'direct'}, {'COLORTERM': '24bit'}),
      ('vt100', set(), {}),
      ('vt220', set(), {}))
def colours(ways, env):
    # Each terminal is told colours in the way it knows, or in none.
    s = Console(env=dict(env, TERM=CURRENT[0], TERMINFO=terminfo()))
    s.key(b't')
    s.key(b'2')
    s.key(b'1')
    used = set(s.stream.colours)
    check(used <= ways and bool(used) == bool(ways),
          'colours were set as %s, not as %s', used, ways)
    s.quit()


@each(('256', 'xterm-256color', '1'), ('direct', 'xterm-256color', 'yes'))
def no_color(term, value):
    # NO_COLOR is obeyed, whatever the terminal can do and the theme says.
    s = Console('--theme', 'light',
                env={'TERM': term, 'NO_COLOR': value,
                     'COLORTERM': 'truecolor'})
    s.key(b't')
    equal(s.stream.colours, {}, 'colours that were set')
    s.quit()


@case
def ascii_frames():
    # Without UTF-8 no byte above 127 is written.
    s = Console(env={'LC_ALL': 'C'})
    for view in b'12556?':
        s.key(bytes([view]))
    check(not any(b > 127 for b in s.seen), 'not ASCII: %r',
          [b for b in s.seen if b > 127][:20])
    s.quit()


@case
def one_cell():
    # It starts on a terminal of one cell, and is whole when that grows.
    s = Console(columns=1, rows=1, wait=None)
    s.wait(lambda: '?1049' in s.stream.modes, 'the console')
    for size in (2, 1), (1, 2), (1, 1), (300, 80), (1, 80), (300, 1):
        s.resize(*size)
        s.key(b'2')
    s.resize(80, 24)
    s.shows('FUZZING')
    s.quit()


@case
def vanishes():
    # The window is gone in the middle of things: stopped, nobody is left.
    s = Console('--stop-on-hangup')
    s.send(b':set time', read=False)
    s.close()
    wait_for(lambda: reap() or not descendants(), 'the end of all')
    r = Output('out')
    r.status = r.stats['exit_status']
    check_output(r)


@case
def replies():
    # What a terminal answers late, and halves of it, are no keys.
    s = Console()
    for data in REPLIES + HALVES + [b'\x07\x18']:
        s.key(data)
    for data in b''.join(REPLIES), b'\xff\xfe\x80' * 300, b'\x1b[' * 500:
        s.send(data)
        s.settle()
    s.key(b'\x18')
    s.escape(3)
    s.shows('FUZZING')
    s.quit()
    # "quit" is all that was ever commanded.
    told = [e['text'] for e in Output('out').events('operator')]
    equal(told, ['stop'], 'commands')


@case
def large_paste():
    # A megabyte: ignored where there is no field, cut where there is one.
    s = Console()
    text = b'\x1b[200~' + b'set timeout 1s; q\r\n\x07' * 52430 + b'\x1b[201~'
    check(len(text) > 1 << 20, 'the paste is too small')
    s.send(text)
    s.settle()
    s.expect('pasted text is ignored')
    s.key(b':')
    s.send(text)
    s.settle()
    s.rest(0.1)
    s.key(b'\x15')
    s.key(b'\x1b')
    s.send(b'p' * 100000)    # without brackets: a burst is a paste, too
    s.settle()
    s.rest(0.1)
    s.command('resume')      # the last ones may have come alone, as keys
    s.shows('FUZZING')
    s.quit()
    told = [e['text'] for e in Output('out').events('operator')]
    check(set(told) <= {'stop', 'paused', 'fuzzing goes on'} and
          len(told) < 20, 'commands: %s', told)


@case
def theme_file():
    # A broken file: what is wrong and where; the theme before it stays.
    write('bad.json', '{"name": "bad",\n "styles": {\n'
          '  "key": {"fg": "#12345"}}}\n')
    status, out, err = tool('script', '-qec', '%s -o out --theme bad.json %s'
                            % (TUI, calm_steps()), '/dev/null')
    equal(status, 2, 'exit status with a broken theme')
    check('bad.json:3:11: key: `#12345` is not a colour' in out, 'not said: %s',
          out)
    write('cut.json', '{"name": "cut",\n "styles": {\n')
    # Nothing is found: its announcement has a colour of its own, and an end.
    s = Console('--theme', 'light', columns=150, target=build(CALM))
    s.key(b'p')
    s.expect('PAUSED')
    before = s.colours()
    for line, said in (('theme bad.json', 'bad.json:3:11: key:'),
                       ('theme cut.json', 'cut.json:3:'),
                       ('theme none.json', 'No such file'),
                       ('theme /dev/null', 'it is a device')):
        s.command(line)
        s.expect(said)
        equal(s.colours(), before, 'colours after ' + line)
    s.command('theme')
    s.expect('high-contrast')    # the next one after light
    s.quit()


SPEAKS = HEAD + r'''
void evil_name(void) __asm__("evil\33]0;owned\7\342\200\256name");
__attribute__((noinline)) void
evil_name(void)
{
	abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fprintf(stderr, "\033]0;owned\007\033P1;2\033\\\342\200\256\302\205\n");
	fprintf(stdout, "\033]0;owned\007\033[6n\n");
	if (size > 0 && data[0] == 'x')
		evil_name();
	return 0;
}
'''


@case
def evil_target():
    # What a target writes, and what its functions are called, is only text.
    target = build(SPEAKS, flags=['-fno-inline'])
    s = Console(target=target)
    s.wait(lambda: os.path.isdir('out/crashes') and os.listdir('out/crashes'),
           'a crash')
    for view in b'1', b'2', b'\r', b'\x1b', b'5', b'\r', b'\x1b', b'6', b'?':
        s.key(view)
        s.redrawn()
        check('\u202e'.encode() not in s.seen and b'\xc2\x85' not in s.seen,
              'a raw mark is on the screen: %r', s.seen)
    s.quit()


@case
def evil_start():
    # The last words of a target that does not start are shown, not done.
    target = build(HEAD + '''
__attribute__((constructor)) static void
speak(void)
{
	fprintf(stderr, "%s");
	_exit(7);
}
''' % ''.join('\\%03o' % b for b in EVIL.encode()) + one_input('')[len(HEAD):])
    s = Console(target=target, wait='any key ends')
    check('\u202e'.encode() not in s.seen, 'a raw mark: %r', s.seen)
    s.key(b'x')
    s.end(2)


main()

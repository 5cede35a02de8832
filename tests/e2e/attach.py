#!/usr/bin/env python3
"""Front ends that come and go: OUT/control.sock, who controls and who watches."""

# BEGUN FIRST
import json
import os
import pty
import random
import shutil
import signal
import socket
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403
from control import (ME, READ, VERSION, Control, Refused,    # noqa: E402
                     attach, campaign, connect)
import control    # noqa: E402
from terminals import Session    # noqa: E402

NOBODY = 65534
NOT_NOBODY = 4    # exit status of a process that may not become it
QUEUE = 200    # snapshots, more than the kernel and the engine keep for one
DEEP = '/'.join(['a_folder_with_a_long_name'] * 6)    # over 107 bytes


def finish(r, c, status=0, late=None):
    c.command('stop')
    c.wait(lambda: c.bye, 'bye')
    equal(c.bye['exit'], status, 'exit status of the goodbye')
    c.close()
    if late:
        r.wait()
        late()
    r.end(status)
    check(not os.path.exists(os.path.join(r.out, 'control.sock')),
          'the socket is left')


def who(r):
    return [(e['event'], e['user'], e['role']) for e in r.journal
            if e['event'] in ('attach', 'detach', 'take', 'give')]


@case
def control_and_watch():
    r, first = campaign(CALM)
    check_mode(os.path.join(r.out, 'control.sock'))
    equal(first.role['role'], 'control', 'role of the first')
    second = attach(r.out)
    equal(second.role['role'], 'watch', 'role of the second')
    third = attach(r.out, role='watch')
    s = third.until(lambda s: s['watchers'] == 2, 'two who watch')
    equal(s['controller'], ME, 'who controls')
    for line in ('pause', 'stop', 'quit now', 'set timeout 2s', 'give'):
        second.refuses(line, ':take takes control')
    second.query('coverage', since=0, first=0, count=1)
    second.command('take')
    first.wait(lambda: first.role['role'] == 'watch', 'loss of control')
    check('took control' in first.role['text'], 'told: %s', first.role)
    first.refuses('pause', 'you only watch')
    second.refuses('take', 'you control already')
    second.command('pause')
    wait_for(lambda: [e['user'] for e in r.journal if
                      e['event'] == 'operator'] == [ME], 'who did it')
    second.refuses('give nobody-of-that-name', 'does not watch')
    second.command('give')
    first.wait(lambda: first.role['role'] == 'control', 'control again')
    first.command('resume')
    third.close()
    second.close()
    first.until(lambda s: s['watchers'] == 0, 'nobody who watches')
    first.refuses('give', 'nobody watches')
    finish(r, first)
    asked = [(e['role'], e['line'], e['ok']) for e in r.events('command')
             if e['user'] == ME]
    for line in (('watch', 'pause', False), ('watch', 'take', True),
                 ('control', 'pause', True), ('control', 'give', True),
                 ('control', 'stop', True)):
        check(line in asked, 'the journal lacks %s: %s', line, asked)
    equal(who(r), [('attach', ME, 'control'), ('attach', ME, 'watch'),
                   ('attach', ME, 'watch'), ('take', ME, 'control'),
                   ('give', ME, 'control')] + [('detach', ME, 'watch')] * 2,
          'journal')


@case
def refusals_are_logged_now_and_then():
    # For each console at most one in a second, but all that was done.
    r, first = campaign(CALM)
    second = attach(r.out)
    third = attach(r.out)

    def logged(line, ok=False):
        return len([e for e in r.events('command')
                    if (e['line'], e['ok']) == (line, ok)])

    begin = time.monotonic()
    for _ in range(50):
        first.refuses('fly', 'fly')
        second.refuses('resume', ':take takes control')
        third.refuses('pause', ':take takes control')
    for line in ('pause', 'resume') * 5:
        first.command(line)
    wait_for(lambda: second.refuses('resume', ':take') or
             logged('resume') > 2, 'later ones')
    took = time.monotonic() - begin
    second.close()
    third.close()
    finish(r, first)
    for line in ('fly', 'pause', 'resume'):
        check(1 <= logged(line) <= took + 1, '%s: %d in %.1f s', line,
              logged(line), took)
    for line in ('pause', 'resume'):
        equal(logged(line, True), 5, line)


@case
def the_others_off():
    r, first = campaign(CALM)
    second = attach(r.out, alone=True)
    equal(second.role['role'], 'control', 'role')
    first.wait(lambda: first.bye, 'bye')
    check(first.bye['detached'], 'not detached: %s', first.bye)
    check('detached by ' + ME in first.bye['text'], 'told: %s', first.bye)
    first.close()
    second.command('detach')
    second.wait(lambda: second.bye, 'bye')
    check('cfuzz attach' in second.bye['text'], 'told: %s', second.bye)
    second.close()
    third = attach(r.out)
    equal(third.role['role'], 'control', 'role of who comes back')
    finish(r, third)


@each(('junk', b'{"hello": \xff}'), ('deep', b'[' * 64), ('half', None),
      ('large', b'"' + b'x' * (1 << 17)))
def nonsense(line):
    r, first = campaign(CALM)
    sock = connect(r.out)
    try:
        if line is None:
            sock.sendall(b'{"hello": {"ver')
            sock.shutdown(socket.SHUT_WR)
        else:
            sock.sendall(line + b'\n')
        while sock.recv(1 << 16):    # it is dropped
            pass
    except ConnectionError:    # with some of it unread, or not even sent
        pass
    sock.close()
    check(first.next_snapshot()['watchers'] == 0, 'it watches')
    finish(r, first)


@case
def no_terminal():
    # The second form of cfuzz-tui needs one, whether the campaign runs or not.
    r, first = campaign(CALM)
    done = subprocess.run([os.path.join(BUILD, 'cfuzz-tui'), r.out],
                          stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=PATIENCE)
    equal((done.returncode, done.stdout), (2, ''), 'status: ' + done.stderr)
    check('needs a terminal; `cfuzz show` prints it' in done.stderr,
          'says %s', done.stderr)
    finish(r, first)


@case
def another_version():
    r, first = campaign(CALM)
    c = Control(connect(r.out), version=VERSION + 1)
    c.wait(lambda: c.bye, 'bye')
    check('version %d of the protocol' % VERSION in c.bye['text'], 'told: %s',
          c.bye)
    c.close()
    n = first.ask('corpus', first=0, count=1, sort='new', filter='')
    first.wait(lambda: n in first.replies, 'a reply')
    first.send({'command': {'id': 1 << 50, 'line': 'ping'}})
    first.wait(lambda: 1 << 50 in first.answers, 'an answer')
    check(not first.answers[1 << 50]['ok'], 'a large id is taken')
    finish(r, first)


def become_nobody():
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


def attach_as_nobody(out):
    """(exit status, what it says) of a console."""
    shutil.copyfile(TUI, 'console')
    os.chmod('console', 0o755)    # whatever the mask that it was built with
    pid, tty = pty.fork()
    if pid == 0:
        try:
            folder = os.open(out, os.O_PATH)
            os.set_inheritable(folder, True)
            program = os.open('console', os.O_RDONLY)
            become_nobody()
            os.execve(program, ['cfuzz-tui', 'attach', '/proc/self/fd/%d' %
                                folder], {'TERM': 'xterm'})
        finally:
            os._exit(99)
    said = b''
    try:
        while data := os.read(tty, READ):
            said += data
    except OSError:    # that is the end of a terminal
        pass
    os.close(tty)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), said.decode()


def listen_as_nobody(out):
    """A process that would like to be taken for a campaign of ours."""
    os.chmod(out, 0o777)
    pid = os.fork()
    if pid == 0:
        try:
            folder = os.open(out, os.O_PATH)
            become_nobody()
            sock = socket.socket(socket.AF_UNIX)
            sock.bind('/proc/self/fd/%d/part' % folder)
            sock.listen()
            os.rename('part', 'control.sock', src_dir_fd=folder,
                      dst_dir_fd=folder)
            while True:
                sock.accept()[0].sendall(b'{"hello": {"version": 1}}\n')
        finally:
            os._exit(1)
    wait_for(lambda: os.path.exists(os.path.join(out, 'control.sock')),
             'its socket')
    os.chmod(out, 0o700)
    return pid


def as_nobody(out):
    """0: connected and heard nothing; 1: could not connect; 2: was greeted."""
    pid = os.fork()
    if pid == 0:
        status = NOT_NOBODY
        try:
            folder = os.open(out, os.O_PATH)
            become_nobody()
            status = 3
            sock = socket.socket(socket.AF_UNIX)
            try:
                sock.connect('/proc/self/fd/%d/control.sock' % folder)
                status = 2 if sock.recv(1) else 0
            except PermissionError:
                status = 1
            except ConnectionError:
                status = 0
        finally:
            os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if status == NOT_NOBODY:    # as in a namespace of one user
        raise Skip('root cannot be another user here')
    return status


@case
def another_user():
    if os.getuid() != 0:
        raise Skip('only root can be another user')
    r, first = campaign(CALM)
    equal(as_nobody(r.out), 1, 'the door is shut')
    os.chmod(r.out, 0o711)
    os.chmod(os.path.join(r.out, 'control.sock'), 0o666)
    equal(as_nobody(r.out), 0, 'the door is open, and nobody answers')
    status, said = attach_as_nobody(r.out)
    check(status == 255 and 'belongs to another user' in said, 'status %d: %s',
          status, said)
    os.chmod(r.out, 0o700)
    finish(r, first)
    os.mkdir('trap')
    pid = listen_as_nobody('trap')
    s = Session([TUI, 'attach', 'trap'])
    s.end(255)
    check(b'is served by another user' in s.seen, 'says %r', s.seen)
    s.close()
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def greeting(sock):
    return json.loads(sock.makefile().readline())


@case
def crowd():
    needs_files(1024)
    r, first = campaign(CALM)
    socks = [connect(r.out) for _ in range(300)]
    first.next_snapshot()
    heard = [greeting(sock) for sock in socks]
    check(all('hello' in h for h in heard[:200]), 'heard: %s', heard[:200])
    check(all('too many watch it' in h['bye']['text'] for h in heard[256:]),
          'heard: %s', heard[256:])
    for sock in socks:
        sock.close()

    # The engine closes them one by one: who is greeted stays.
    def greeted():
        sock = connect(r.out)
        if b'"hello"' in sock.recv(READ, socket.MSG_PEEK):
            return sock
        return sock.close()

    last = Control(wait_for(greeted, 'room for one more'))
    last.wait(lambda: last.role, 'role')
    equal(last.role['role'], 'watch', 'role')
    last.close()
    finish(r, first)


def watcher(out):
    sock = connect(out)
    sock.sendall(b'{"hello": {"version": 1, "role": "watch"}}\n')
    return sock


def read_until(sock, data, seq):
    """The numbers of the snapshots up to that one."""
    seen = []
    while not seen or seen[-1] < seq:
        while b'\n' not in data:
            data += sock.recv(READ)
        line, data = data.split(b'\n', 1)
        message = json.loads(line)
        if 'snapshot' in message:
            seen.append(message['snapshot']['seq'])
    return seen


@case
def growth_before_it_came():
    # A console that comes late knows how the coverage has grown.
    r = control.start(build(one_input("""
	for (size_t i = 0; i < size && data[i] == "growing"[i]; i++)
		probe_count();""")), '-j', 1, '--seeds', seeds([b'x']))
    r.control.until(lambda s: s['interesting'] > 3, 'new inputs')
    second = attach(r.out)
    s = second.next_snapshot()
    check(s['past'] and s['past'][-1]['bits'] > 0 and
          sum(p['finds'] for p in s['past']) > 3, 'its past: %s', s['past'])
    second.close()
    r.stop(0)
    equal(read(os.path.join(r.out, '.lock')), b'', 'the lock after the end')


def stopped_console(out):
    console = Session([TUI, 'attach', '-r', out])
    console.shows('watching')
    console.key(b'\x1a')
    console.wait(lambda: console.stopped, 'the console to stop')
    return console


@case
def slow_readers():
    # One that never reads, and consoles that were stopped, are dropped; one
    # that reads slowly misses snapshots and gets the newest.
    needs_files(256)
    r, first = campaign(CALM)
    console, late = [stopped_console(r.out) for _ in range(2)]
    mute, slow = watcher(r.out), watcher(r.out)
    begin = first.next_snapshot()['seq']
    data = b''
    while first.snapshot['seq'] < begin + QUEUE or \
            len(r.events('dropped')) < 3:
        # Half of what comes, also where this test is late.
        n = first.snapshots_n
        first.next_snapshot()
        data += slow.recv(3072 * (first.snapshots_n - n))
    now = first.next_snapshot()
    equal(now['watchers'], 1, 'those who still watch')
    seen = read_until(slow, data, now['seq'])
    check(seen == sorted(set(seen)) and len(seen) < seen[-1] - seen[0],
          'it missed none: %s', seen)
    equal([e['text'] for e in r.events('dropped')],
          [ME + ' was dropped: its console does not read'] * 3, 'the journal')
    console.fg()
    console.end(254)
    check(b'this console did not read for ten seconds' in console.seen and
          b'cfuzz attach ' in console.seen, 'says %r', console.seen[-300:])
    console.close()
    mute.close()
    slow.close()

    def told_late():
        # What has ended meanwhile has not failed.
        late.fg()
        late.end(0)
        check(b'everything is in' in late.seen and
              b'without a goodbye' not in late.seen, 'says %r',
              late.seen[-300:])
        late.close()

    finish(r, first, late=told_late)


@case
def long_path():
    os.makedirs(DEEP)
    r, first = campaign(CALM, out=DEEP + '/out')
    finish(r, first)


@case
def links():
    # The folder may be reached by a link, and what is at the place of the
    # socket is no concern of what it leads to.
    os.mkdir('real', 0o700)
    os.symlink('real', 'link')
    finish(*campaign(CALM, out='link/out'))
    write('precious', b'x')
    os.chmod('precious', 0o640)
    os.symlink(os.path.abspath('precious'), 'real/out/control.sock')
    r, first = campaign(CALM, out='link/out')
    check_mode('real/out/control.sock')
    equal((read('precious'), os.stat('precious').st_mode & 0o777),
          (b'x', 0o640), 'what the link led to')
    second = attach('link/out')
    equal(second.role['role'], 'watch', 'role')
    second.close()
    os.rename('real/out', 'moved')
    os.symlink('../moved', 'real/out')
    third = attach('link/out')
    third.close()
    os.unlink('real/out')
    os.rename('moved', 'real/out')
    finish(r, first)


@case
def places():
    # Who follows is told the place of who controls: the newest, and no other.
    r, first = campaign(CALM)
    first.send({'place': {'view': 'corpus'}})
    follower = attach(r.out, role='watch', follow=True)
    follower.wait(lambda: follower.place == {'view': 'corpus'}, 'the place')
    other = attach(r.out, role='watch')
    other.send({'place': {'view': 'not mine to say'}})
    first.send({'place': {'view': 'x' * 3000}})
    first.send({'place': 'nowhere'})
    first.send({'place': {'view': 'journal'}})
    follower.wait(lambda: follower.place != {'view': 'corpus'}, 'the next')
    equal(follower.place, {'view': 'journal'}, 'place')
    equal(other.place, None, 'place of one that does not follow')
    other.close()
    follower.close()
    finish(r, first)


@case
def churn():
    # CHURN rounds of clients that come, ask, take, and leave in any way.
    rounds = int(os.environ.get('CHURN') or 300)
    dice = random.Random(1)
    needs_files(256)
    r, first = campaign(CALM)
    before = len(open_files(r.pid))    # its workers may still open some
    crowd = []
    for n in range(rounds):
        sock = connect(r.out)
        kind = dice.randrange(6)
        if kind:
            role = dice.choice(('control', 'watch'))
            sock.sendall(b'{"hello": {"version": 1, "role": "%s"}}\n' %
                         role.encode())
        if kind == 1:
            sock.sendall(b'{"command": {"id": 1, "line": "take"}}\n')
            if dice.random() < 0.5:
                try:
                    first.command('take')
                except Refused:    # it controls already
                    pass
        elif kind == 2:
            sock.sendall(b'{"command": {"id": 2, "line": "detach"}}\n')
        elif kind == 3:
            sock.sendall(b'{"query": {"id": 3, "kind": "corp')
        elif kind == 4:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                            struct.pack('ii', 1, 0))    # a reset
        crowd.append(sock)
        if len(crowd) > 20 or n == rounds - 1:
            dice.shuffle(crowd)
            while len(crowd) > (0 if n == rounds - 1 else 10):
                crowd.pop().close()
    first.next_snapshot()    # all may have come and gone since the last one
    first.until(lambda s: s['watchers'] == 0 or
                first.role['role'] == 'watch' and s['watchers'] == 1,
                'the end of the others')
    if first.role['role'] == 'watch':
        first.command('take')
    wait_for(lambda: len(open_files(r.pid)) <= before + 16, lambda:
             'closed descriptors: %d, then %s' % (before, sorted(
                 os.readlink('/proc/%d/fd/%d' % (r.pid, n))
                 for n in open_files(r.pid))))
    finish(r, first)


if __name__ == '__main__':
    main()

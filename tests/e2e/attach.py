#!/usr/bin/env python3
"""Front ends that come and go: OUT/control.sock, who controls and who watches,
and consoles on terminals that detach and come back."""

# BEGUN FIRST
import json
import os
import pwd
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
from control import VERSION, Control, Refused, attach, connect    # noqa: E402
from terminals import Session    # noqa: E402

QUIET = one_input('\tprobe_count();')
FAILS = one_input('''
	probe_count();
	if (size > 2 && data[0] == 'a')
		cfuzz_fail("an a");''')
ME = pwd.getpwuid(os.getuid()).pw_name
NOBODY = 65534
TUI = os.path.join(BUILD, 'cfuzz-tui')
DEEP = '/'.join(['a_folder_with_a_long_name'] * 6)    # over 107 bytes


def campaign(*options, **more):
    r = start(build(QUIET), *options, **more)
    first = attach(r.out)
    first.until(lambda s: s['state'] == 'fuzzing', 'fuzzing')
    return r, first


def refused(c, line, text):
    try:
        c.command(line)
    except Refused as e:
        check(text in str(e), '%s is refused with: %s', line, e)
        return
    fail('%s was done', line)


def finish(r, c, status=0):
    c.command('stop')
    c.wait(lambda: c.bye, 'bye')
    equal(c.bye['exit'], status, 'exit status of the goodbye')
    c.close()
    r.end(status)
    check(not os.path.exists(os.path.join(r.out, 'control.sock')),
          'the socket is left')


def who(r):
    return [(e['event'], e['user'], e['role']) for e in r.journal
            if e['event'] in ('attach', 'detach', 'take', 'give')]


@case
def control_and_watch():
    r, first = campaign()
    check_mode(os.path.join(r.out, 'control.sock'))
    equal(first.role['role'], 'control', 'role of the first')
    second = attach(r.out)
    equal(second.role['role'], 'watch', 'role of the second')
    third = attach(r.out, role='watch')
    s = third.until(lambda s: s['watchers'] == 2, 'two who watch')
    equal(s['controller'], ME, 'who controls')
    for line in ('pause', 'stop', 'quit now', 'set timeout 2s', 'give'):
        refused(second, line, ':take takes control')
    second.query('coverage', since=0, first=0, count=1)
    second.command('take')
    first.wait(lambda: first.role['role'] == 'watch', 'loss of control')
    check('took control' in first.role['text'], 'told: %s', first.role)
    refused(first, 'pause', 'you only watch')
    refused(second, 'take', 'you control already')
    second.command('pause')
    wait_for(lambda: [e['user'] for e in r.journal if
                      e['event'] == 'operator'] == [ME], 'who did it')
    refused(second, 'give nobody-of-that-name', 'does not watch')
    second.command('give')
    first.wait(lambda: first.role['role'] == 'control', 'control again')
    first.command('resume')
    third.close()
    second.close()
    first.until(lambda s: s['watchers'] == 0, 'nobody who watches')
    refused(first, 'give', 'nobody watches')
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
def the_others_off():
    r, first = campaign()
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
    r, first = campaign()
    sock = connect(r.out)
    if line is None:
        sock.sendall(b'{"hello": {"ver')
        sock.shutdown(socket.SHUT_WR)
    else:
        sock.sendall(line + b'\n')
    try:
        while sock.recv(1 << 16):    # it is dropped
            pass
    except ConnectionResetError:    # with some of it unread
        pass
    sock.close()
    check(first.next_snapshot()['watchers'] == 0, 'it watches')
    finish(r, first)


@case
def another_version():
    r, first = campaign()
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


@case
def campaign_of_another_version():
    os.mkdir('later', 0o700)
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind('later/control.sock')
        sock.listen()
        s = Session([TUI, 'attach', 'later'])
        peer, _ = sock.accept()
        peer.sendall(b'{"hello": {"version": %d, "target": "t"}}\n' %
                     (VERSION + 1))
        s.end(2)
        peer.close()
    check(b'version %d of the protocol' % (VERSION + 1) in s.seen, 'said: %r',
          s.seen[-300:])
    s.close()


def as_nobody(out):
    """0: connected and heard nothing; 1: could not connect; 2: was greeted."""
    pid = os.fork()
    if pid == 0:
        status = 3
        try:
            folder = os.open(out, os.O_PATH)
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
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
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@case
def another_user():
    if os.getuid() != 0:
        raise Skip('only root can be another user')
    r, first = campaign()
    equal(as_nobody(r.out), 1, 'the door is shut')
    os.chmod(r.out, 0o711)
    os.chmod(os.path.join(r.out, 'control.sock'), 0o666)
    equal(as_nobody(r.out), 0, 'the door is open, and nobody answers')
    os.chmod(r.out, 0o700)
    finish(r, first)


def is_greeted(out):
    with connect(out) as sock:
        return bool(sock.recv(1))


@case
def crowd():
    r, first = campaign()
    socks = [connect(r.out) for _ in range(300)]
    first.next_snapshot()
    for sock in socks:
        sock.close()
    wait_for(lambda: is_greeted(r.out), 'room for one more')
    last = attach(r.out)
    equal(last.role['role'], 'watch', 'role')
    last.close()
    finish(r, first)


@case
def one_that_does_not_read():
    r, first = campaign()
    sock = connect(r.out)
    sock.sendall(b'{"hello": {"version": 1, "role": "watch"}}\n')
    first.until(lambda s: s['watchers'] == 1, 'one who watches')
    first.until(lambda s: s['watchers'] == 0, 'nobody who watches')
    wait_for(lambda: [e for e in r.journal if e['event'] == 'dropped'],
             'the journal to tell')
    sock.close()
    finish(r, first)


@case
def long_path():
    os.makedirs(DEEP)
    r, first = campaign(out=DEEP + '/out')
    finish(r, first)


@case
def old_socket():
    os.mkdir('old', 0o700)
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind('old/control.sock')
    s = Session([TUI, 'attach', 'old'])
    s.end(255)
    check(b'no campaign runs in old' in s.seen, 'said: %r', s.seen)
    s.close()
    r, first = campaign(out='out')
    first.command('quit now')
    r.signal(signal.SIGKILL)    # perhaps its socket is left
    r.wait()
    first.close()
    r, first = campaign(out='out')
    finish(r, first)


# ---- on terminals ----

def console(*words, **more):
    return Session([TUI, *words], **more)


@case
def detach_and_come_back():
    target = build(FAILS)
    s = console('-o', 'out', target)
    s.shows('FUZZING')
    s.key(b'D')
    s.end(0)
    check(b'cfuzz attach ' in s.seen, 'said: %r', s.seen[-300:])
    s.close()
    s = console('attach', 'out', columns=180, rows=40)
    s.shows('FUZZING')
    watch = console('attach', '-r', 'out', columns=160)
    watch.shows('watching, control: ' + ME)
    s.shows('1 watch')
    watch.key(b'p')    # is refused
    watch.command('take')
    s.shows('watching, control: ' + ME)
    check(not [e for e in Output('out').journal if e.get('text') == 'paused'],
          'who watches has paused it')
    s.key(b'q')
    s.shows('goes on when you leave')
    s.key(b'\r')
    s.end(0)
    s.close()
    out = Output('out')
    wait_for(lambda: out.buckets(), 'a finding')
    stop_all(watch, 1)
    nobody_left()


def stop_all(s, status=0):
    s.key(b'q')
    s.shows('stop and quit')
    s.key(b'\r')
    s.end(status)
    s.close()


@case
def in_the_background():
    # Each starter prints how to come back; without a name, it is the only one.
    os.makedirs('run', 0o700)
    os.environ['XDG_RUNTIME_DIR'] = os.path.abspath('run')
    target = build(QUIET)
    equal(listed(), [], 'campaigns')
    check('no campaign of yours runs' in starts([CFUZZ, 'attach'], 255),
          'no word that none runs')
    for n, program in enumerate((CFUZZ + ' run', TUI), 1):
        out = 'out %d' % n
        done = subprocess.run(program.split() + [
            '--detach', '-j', '1', '-o', out, target], text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        equal((done.returncode, done.stderr), (0, ''), 'status and errors')
        line = "the campaign goes on: cfuzz attach '%s'\n"
        equal(done.stdout, line % os.path.abspath(out), 'its line')
        if n == 1:
            s = Session([CFUZZ, 'attach'])
            s.shows('FUZZING')
            wait_for(lambda: listed()[0]['attached'] == 1, 'one attached')
            s.key(b'D')
            s.end(0)
            s.close()
    check("cfuzz attach '%s'" % os.path.abspath('out 1') in starts(
        [CFUZZ, 'attach'], 255), 'it does not name them')
    equal([row['runs'] for row in listed()], [True, True], 'they run')
    s = Session([TUI, '-o', 'out 1', target], columns=160)
    s.expect('Attach to it? [Y/n]')
    s.key(b'y\r')
    s.shows('FUZZING')
    stop_all(s)
    wait_for(lambda: sorted(row['state'] for row in listed()) ==
             ['ended', 'fuzzing'], 'the states in the list')
    check('is in use by another' in starts(
        [TUI, '-o', 'out 2', target], 2, b'n\r'), 'no refusal')
    c = attach('out 2')
    c.command('stop')
    c.wait(lambda: c.bye, 'bye')
    c.close()
    nobody_left()
    check('+  ' in subprocess.run([CFUZZ, 'ls'], stdout=subprocess.PIPE,
                                  text=True).stdout, 'no end in the list')


@case
def a_start_that_fails():
    target = build(QUIET)
    for words, why in ((['./nothing'], 'does not exist'),
                       (['-o', '/proc/none/x', target], '/proc/none')):
        done = subprocess.run([CFUZZ, 'run', '--detach'] + words, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        equal((done.returncode, done.stdout), (2, ''), 'status and output')
        check(why in done.stderr, 'says %r', done.stderr)
    nobody_left()


def starts(words, status, keys=b''):
    """What a program says on a terminal that ends at once."""
    s = Session(words)
    if keys:
        s.expect('[Y/n]')
        s.key(keys)
        s.expect('any key ends')
        s.key(b'x')
    s.end(status)
    s.close()
    return s.seen.decode(errors='replace')


def listed():
    return json.loads(subprocess.run(
        [CFUZZ, 'ls', '--json'], check=True, stdout=subprocess.PIPE).stdout)


@case
def killed_consoles():
    target = build(QUIET)
    s = console('-o', 'out', target)
    s.shows('FUZZING')
    for _ in range(5):
        more = console('attach', 'out')
        more.shows('watching')
        os.kill(child_named(more.job, 'cfuzz-tui'), signal.SIGKILL)
        more.wait(lambda: more.status is not None, 'the end')
        more.close()
    gone = console('attach', 'out')
    gone.shows('watching')
    gone.close()    # the window, too
    s.shows('FUZZING')
    s.quit()


@case
def over_ssh():
    # Nothing of our own is needed: a terminal over ssh is one.
    sshd = shutil.which('sshd') or '/usr/sbin/sshd'
    if not os.path.exists(sshd) or not shutil.which('ssh'):
        raise Skip('there is no ssh')
    if os.getuid() == 0 and not os.path.isdir('/run/sshd'):
        os.mkdir('/run/sshd', 0o755)    # as the system does
    for name in 'key', 'host':
        subprocess.run(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f',
                        name], check=True)
    os.rename('key.pub', 'allowed')
    with socket.socket() as sock:
        sock.bind(('127.0.0.1', 0))
        port = sock.getsockname()[1]
    write('config', """
ListenAddress 127.0.0.1:%d
HostKey %s/host
AuthorizedKeysFile %s/allowed
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
""" % (port, os.getcwd(), os.getcwd()))
    server = subprocess.Popen([sshd, '-D', '-e', '-f',
                               os.path.abspath('config')],
                              stderr=open('log', 'wb'))
    try:
        wait_for(lambda: b'listening' in read('log') or
                 server.poll() is not None, 'sshd')
        r, first = campaign()
        s = Session(['ssh', '-t', '-p', str(port), '-i', 'key', '-F', 'none',
                     '-o', 'StrictHostKeyChecking=no', '-o',
                     'UserKnownHostsFile=known', '127.0.0.1', CFUZZ, 'attach',
                     '-r', os.path.abspath(r.out)], columns=160)
        s.shows('watching, control: ' + ME)
        s.key(b'D')
        s.end(0)
        s.close()
        s = Session(['ssh', '-t', '-p', str(port), '-i', 'key', '-F', 'none',
                     '-o', 'UserKnownHostsFile=known', '127.0.0.1', CFUZZ,
                     'attach', os.path.abspath(r.out)], columns=160)
        s.shows('watching')
        os.kill(s.job, signal.SIGKILL)    # the network is gone
        first.until(lambda snapshot: snapshot['watchers'] == 0, 'nobody left')
        s.close()
    finally:
        server.terminate()
        server.wait()
    finish(r, first)


@case
def churn():
    # CHURN rounds of clients that come, ask, take, and leave in any way.
    rounds = int(os.environ.get('CHURN') or 300)
    dice = random.Random(1)
    r, first = campaign()
    fds = '/proc/%d/fd' % r.pid
    before = len(os.listdir(fds))    # its workers may still open some
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
    first.until(lambda s: s['watchers'] == 0 or
                first.role['role'] == 'watch' and s['watchers'] == 1,
                'the end of the others')
    if first.role['role'] == 'watch':
        first.command('take')
    wait_for(lambda: len(os.listdir(fds)) <= before + 16, lambda:
             'closed descriptors: %d, then %s' % (before, sorted(
                 os.readlink(os.path.join(fds, n)) for n in os.listdir(fds))))
    finish(r, first)


if __name__ == '__main__':
    main()

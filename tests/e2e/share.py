#!/usr/bin/env python3
"""Other users of a group watch a campaign, --share-group, and strangers do not."""

import os
import shutil
import signal
import socket
import stat
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403
from control import Control, connect, read_all    # noqa: E402
from terminals import Session    # noqa: E402

# Numbers suffice: neither users nor group have to exist.
OWNER, MEMBER, PUPIL, STRANGER = 64101, 64102, 64103, 64104
GROUP, OTHERS = 64200, 64201
GROUPS = {OWNER: [GROUP], MEMBER: [OTHERS, GROUP], PUPIL: [GROUP],
          STRANGER: [OTHERS]}
SHARE = '--share-group=%d' % GROUP
TUI = os.path.join(BUILD, 'cfuzz-tui')
DEEP = '/'.join(['a_folder_with_a_long_name'] * 6)    # over 107 bytes


def become(user):
    os.setgroups(GROUPS[user])
    os.setgid(user)
    os.setuid(user)


def words_as(user, *words):
    return ['setpriv', '--reuid', str(user), '--regid', str(user), '--groups',
            ','.join(map(str, GROUPS[user])), *words]


def in_process_of(user, function):
    """What the function returns there: its sockets, or the name of an error."""
    ours, theirs = socket.socketpair()
    pid = os.fork()
    if pid == 0:
        try:
            become(user)
            try:
                sock = function()
                socket.send_fds(theirs, [b'-'],
                                [sock.fileno()] if sock else [])
            except OSError as e:
                theirs.send(type(e).__name__.encode())
        finally:
            os._exit(0)
    theirs.close()
    with ours:
        text, fds, _, _ = socket.recv_fds(ours, 64, 1)
    os.waitpid(pid, 0)
    if text != b'-':
        return text.decode()
    return socket.socket(fileno=fds[0]) if fds else None


def attach_as(user, out='out', **greeting):
    def listens():
        sock = in_process_of(user, lambda: connect(out))
        return sock if isinstance(sock, socket.socket) else None

    c = Control(wait_for(listens, 'a connection'), **greeting)
    c.wait(lambda: c.role, 'role')
    return c


def stage(folder='.'):
    """The folder of the case as the owner's, which others may enter."""
    if os.getuid() != 0:
        raise Skip('only root can be other users')
    if not shutil.which('setpriv'):
        raise Skip('there is no setpriv')
    for name in ('probe', 'run', 'member'):
        os.makedirs(name, mode=0o700, exist_ok=True)
        os.chown(name, *[MEMBER if name == 'member' else OWNER] * 2)
    shutil.copy(build(CALM), 'target')
    os.chmod('target', 0o755)
    os.makedirs(folder, exist_ok=True)
    path = os.path.normpath(folder)
    while True:
        os.chown(path, OWNER, OWNER)
        os.chmod(path, 0o711)
        if path == '.':
            break
        path = os.path.dirname(path) or '.'
    for path in (os.getcwd(), CFUZZ):
        if subprocess.run(words_as(MEMBER, 'test', '-x', path)).returncode:
            raise Skip('an ordinary user may not use ' + path)


class Shared(Output):
    """cfuzz run of the owner."""

    def __init__(self, *options, out='out', user=OWNER):
        super().__init__(out)
        self.log = open('.log', 'wb')
        self.process = subprocess.Popen(
            words_as(user, CFUZZ, 'run', '-j', '1', '-o', out, *options,
                     './target'),
            stdin=subprocess.DEVNULL, stdout=self.log,
            stderr=subprocess.STDOUT, start_new_session=True,
            env=dict(os.environ, PROBE=os.path.abspath('probe'),
                     XDG_RUNTIME_DIR=os.path.abspath('run')))

    @property
    def said(self):
        return read('.log').decode()

    def wait(self):
        self.log.close()
        return self.process.wait(PATIENCE)

    def finish(self, first, status=0):
        first.command('stop')
        first.wait(lambda: first.bye, 'bye')
        first.close()
        equal(self.wait(), status, 'exit status')
        nobody_left()
        check_output(self)    # modes of files and folders
        equal(modes(self.out), (0o700, OWNER), 'the directory afterwards')


def campaign(*options, **more):
    stage(os.path.dirname(more.get('out', 'out')) or '.')
    r = Shared(*options, **more)
    first = attach_as(OWNER, r.out)
    first.until(lambda s: s['state'] == 'fuzzing', 'fuzzing')
    return r, first


def modes(path):
    """Mode and group."""
    st = os.lstat(path)
    return stat.S_IMODE(st.st_mode), st.st_gid


def check_closed(out):
    """The group can enter and connect, and nothing else."""
    equal(modes(out), (0o710, GROUP), 'the directory')
    equal(modes(os.path.join(out, 'control.sock')), (0o660, GROUP),
          'the socket')
    # What has a name for a moment alone is one of these soon.
    for name in os.listdir(out):
        path = os.path.join(out, name)
        if name != 'control.sock' and not name.startswith('.tmp-'):
            equal(modes(path)[0] & 0o077, 0, 'mode of ' + name)
            equal(in_process_of(MEMBER, lambda: open(path) and None),
                  'PermissionError', 'a member opens ' + name)
    equal(in_process_of(MEMBER, lambda: os.listdir(out) and None),
          'PermissionError', 'a member lists the directory')


@case
def members_watch():
    r, first = campaign(SHARE)
    equal(first.role['role'], 'control', 'role of the owner')
    check_closed(r.out)
    # Whatever it asks for: neither control nor that the others go.
    member = attach_as(MEMBER, role='control', alone=True)
    equal(member.role['role'], 'watch', 'role of a member')
    check('only %d, whose campaign' % OWNER in member.role['text'],
          'told: %s', member.role)
    equal(first.bye, None, 'goodbye to the owner')
    member.until(lambda s: s['watchers'] == 1, 'snapshots')
    member.query('coverage', since=0, first=0, count=1)
    for line in ('pause', 'stop', 'quit now', 'set timeout 2s', 'give',
                 'mark x known', 'export x'):
        member.refuses(line, "you only watch this campaign, which is another")
    member.refuses('take', 'only that user gives control')
    equal(in_process_of(STRANGER, lambda: connect(r.out)), 'PermissionError',
          'a stranger')
    # Whoever comes first while nobody controls does not control either.
    first.command('detach')
    first.close()
    member.until(lambda s: not s.get('controller'), 'nobody who controls')
    member.refuses('take', 'only that user gives control')
    pupil = attach_as(PUPIL)
    equal(pupil.role['role'], 'watch', 'role of the next')
    first = attach_as(OWNER)
    equal(first.role['role'], 'control', 'role of the owner')
    pupil.close()
    r.finish(first)
    check('the group %d may watch' % GROUP in r.said, 'said: %s', r.said)
    asked = [(e['user'], e['role'], e['line'], e['ok'])
             for e in r.events('command')]
    check((str(MEMBER), 'watch', 'pause', False) in asked,
          'the journal lacks the refusal: %s', asked)


@case
def control_is_given():
    r, first = campaign(SHARE)
    member, pupil = attach_as(MEMBER), attach_as(PUPIL)
    first.until(lambda s: s['watchers'] == 2, 'two who watch')
    first.refuses('give', 'name one, as in :give')
    first.command('give %d' % MEMBER)
    member.wait(lambda: member.role['role'] == 'control', 'control')
    check('%d gave you control' % OWNER in member.role['text'], 'told: %s',
          member.role)
    member.command('pause')
    member.command('set timeout 2s')
    write('secret', 'x')
    for line in ('set dict %s/secret' % os.getcwd(),
                 'export x %s' % os.getcwd()):
        member.refuses(line, 'only the user of the campaign may name files')
    member.refuses('give %d' % PUPIL, 'only the user of the campaign gives')
    pupil.refuses('take', 'only that user gives control')
    first.command('take')
    member.wait(lambda: member.role['role'] == 'watch', 'loss of control')
    member.refuses('resume', 'you only watch')
    first.command('give %d' % MEMBER)
    member.wait(lambda: member.role['role'] == 'control', 'control')
    member.command('give')    # back
    first.wait(lambda: first.role['role'] == 'control', 'control again')
    for c in (member, pupil):
        c.close()
    first.until(lambda s: s['watchers'] == 0, 'nobody who watches')
    r.finish(first)
    equal([(e['event'], e['user'], e['role']) for e in r.journal
           if e['event'] in ('give', 'take')],
          [('give', str(MEMBER), 'control'), ('take', str(OWNER), 'control'),
           ('give', str(MEMBER), 'control'), ('give', str(OWNER), 'control')],
          'journal')
    done = [(e['user'], e['role'], e['line']) for e in r.events('command')
            if e['ok']]
    check((str(MEMBER), 'control', 'pause') in done, 'journal: %s', done)
    equal([e['user'] for e in r.events('operator')][:1], [str(MEMBER)],
          'who paused')


def console_as(user, *words, **more):
    return Session(words_as(user, TUI, *words),
                   env={'XDG_STATE_HOME': os.path.abspath('member'),
                        'XDG_CONFIG_HOME': os.path.abspath('member'),
                        'HOME': os.path.abspath('member')}, **more)


@case
def on_a_terminal():
    # Also where the path is longer than that of a socket may be.
    out = DEEP + '/out'
    r, first = campaign(SHARE, out=out)
    s = console_as(MEMBER, 'attach', out, columns=160)
    s.expect('you watch the campaign of %d' % OWNER)
    root = Session([TUI, 'attach', out], columns=160)
    root.expect('you watch the campaign of %d: :take takes control' % OWNER)
    root.key(b'd')
    root.end(0)
    root.close()
    s.shows('watching, control: %d' % OWNER)
    s.command('debug x')
    s.expect('its target does not run with your rights')
    s.command('take')
    s.expect('only that user gives control')
    s.key(b'3')
    s.shows('names are not opened')
    first.command('give %d' % MEMBER)
    s.shows('control: %d, 1 watch' % MEMBER)
    s.key(b'p')
    first.until(lambda s: s['paused'], 'a pause')
    first.command('take')
    s.shows('watching, control: %d' % OWNER)
    first.command('stop')
    s.shows('ended')
    s.key(b'q')
    s.end(0)
    check(b'exit status 0' in s.seen, 'said: %r', s.seen[-300:])
    s.close()
    first.wait(lambda: first.bye, 'bye')
    first.close()
    equal(r.wait(), 0, 'exit status')
    nobody_left()


@case
def no_source_of_a_finding():
    # Not even root is shown a file that another user's engine names.
    stage()
    shutil.copy(build(one_input("""
	calm(1000);
	probe_count();
	if (size > 0)
		cfuzz_fail("no byte is wanted");    /* the secret line */
	""", CALM_HEAD)), 'target')
    r = Shared(SHARE)
    first = attach_as(OWNER)
    wait_for(r.buckets, 'a finding')
    s = Session([TUI, 'attach', 'out'], columns=100, rows=50)
    s.shows('watching, control: %d' % OWNER)
    s.key(b'5')
    s.key(b'\r')
    s.shows('names are not opened')
    s.key(b'\x1b[C')
    s.shows('names are not opened')
    check(b'the secret line' not in s.seen, 'the source is shown')
    s.key(b'd')
    s.end(0)
    s.close()
    r.finish(first, 1)


@case
def gone_without_a_goodbye():
    # Its files are not opened: it may have ended in order.
    r, first = campaign(SHARE)
    s = console_as(MEMBER, 'attach', 'out', columns=160)
    s.shows('watching, control: %d' % OWNER)
    r.process.kill()
    s.end(254)
    check(b'without a goodbye: it has ended, was killed or has failed' in
          s.seen, 'said: %r', s.seen[-300:])
    s.close()
    first.close()
    r.wait()


def cannot_attach(user, out, text):
    s = console_as(user, 'attach', out)
    s.end(255)
    s.close()
    said = s.seen.decode(errors='replace').replace('\r\n', ' ')
    check(text in ' '.join(said.split()), 'said: %s', said)


@case
def what_is_not_shared():
    r, first = campaign()
    equal(modes(r.out), (0o700, OWNER), 'the directory')
    check_mode(os.path.join(r.out, 'control.sock'))
    equal(in_process_of(MEMBER, lambda: connect(r.out)), 'PermissionError',
          'a member')
    cannot_attach(MEMBER, 'out', 'belongs to another user, whose campaign is')
    r.finish(first)
    os.chmod('out', 0o755)
    cannot_attach(MEMBER, 'out', 'no campaign runs in out, which belongs to '
                  'another user')
    # Whoever may write there could feign a campaign.
    os.chmod('out', 0o777)

    def listens():
        sock = socket.socket(socket.AF_UNIX)
        sock.bind('out/control.sock')
        os.chown('out/control.sock', -1, OTHERS)
        os.chmod('out/control.sock', 0o660)
        sock.listen()
        return sock

    with in_process_of(STRANGER, listens):
        cannot_attach(MEMBER, 'out', 'is served by another user')


@case
def strangers_at_an_open_door():
    r, first = campaign(SHARE)
    os.chmod(r.out, 0o711)
    os.chmod(os.path.join(r.out, 'control.sock'), 0o666)
    sock = in_process_of(STRANGER, lambda: connect(r.out))
    equal(sock.recv(1), b'', 'an answer to a stranger')
    sock.close()
    r.finish(first)


@case
def many_guests():
    # One user cannot take the connections of all, nor guests those of the
    # owner.
    needs_files(256)
    r, first = campaign(SHARE)
    socks = [in_process_of(MEMBER, lambda: connect(r.out)) for _ in range(12)]
    heard = [sock.recv(1 << 16) for sock in socks]
    equal([h.startswith(b'{"hello"') for h in heard], [True] * 8 + [False] * 4,
          'who is greeted')
    check(all(b'too many watch it' in h for h in heard[8:]),
          'the others heard %s', heard[8:])
    read_all()
    pupil = attach_as(PUPIL)
    for sock in socks:
        sock.close()
    pupil.close()
    # Who comes and goes all the time is held off.
    def come_and_go():
        # In one process: many would take longer than the pace allows.
        for _ in range(200):
            with connect(r.out) as sock:
                if not sock.recv(1 << 16).startswith(b'{"hello"'):
                    raise InterruptedError

    equal(in_process_of(MEMBER, come_and_go), 'InterruptedError', 'held off')
    read_all()
    second = attach_as(OWNER)
    second.close()
    r.finish(first)


@each(('unknown', 'no-such-group', 'there is no group no-such-group'),
      ('number', '64200x', 'there is no group 64200x'),
      ('large', '99999999999', 'there is no group 99999999999'),
      ('foreign', str(OTHERS), 'you are not in the group %d' % OTHERS))
def refusals(group, text):
    stage()
    r = Shared('--share-group', group)
    equal(r.wait(), 2, 'exit status')
    equal(len(r.said.splitlines()), 1, 'lines')
    check(text in r.said, 'said: %s', r.said)
    check(not os.path.exists('out'), 'there is a directory')


@each(('others', OWNER, 0o700, 'chmod o+x'), ('group', GROUP, 0o701,
                                              'chmod g+x'))
def a_shut_parent(group, mode, text):
    stage('home/deep')
    os.chmod('home', mode)
    os.chown('home', OWNER, group)
    r = Shared(SHARE, '--fuzztime', '10x', out='home/deep/out')
    equal(r.wait(), 0, 'exit status')
    check('the group %d cannot enter %s' % (GROUP, os.path.abspath('home')) in
          r.said and text in r.said, 'said: %s', r.said)
    equal(len(r.events('share')), 2, 'events')


@case
def killed_while_it_was_shared():
    r, first = campaign(SHARE)
    os.kill(r.process.pid, signal.SIGKILL)
    r.wait()
    first.close()
    nobody_left()
    equal(modes('out')[0], 0o710, 'mode that is left')
    r = Shared()
    first = attach_as(OWNER)
    equal(modes('out')[0], 0o700, 'mode after the next start')
    check_mode('out/control.sock')
    first.command('stop')
    first.wait(lambda: first.bye, 'bye')
    first.close()
    equal(r.wait(), 0, 'exit status')
    nobody_left()


@case
def a_copy_with_open_files():
    # As cp(1) leaves it: all is closed before the group may enter.
    r, first = campaign()
    r.finish(first)
    for folder, folders, files in os.walk('out'):
        for name in folders:
            os.chmod(os.path.join(folder, name), 0o755)
        for name in files:
            os.chmod(os.path.join(folder, name), 0o644)
    os.chmod('out', 0o755)
    r = Shared(SHARE)
    first = attach_as(OWNER)
    check_closed('out')
    first.command('stop')
    first.wait(lambda: first.bye, 'bye')
    first.close()
    equal(r.wait(), 0, 'exit status')
    equal(modes('out'), (0o755, OWNER), 'the directory, as it was')
    nobody_left()


if __name__ == '__main__':
    main()

#!/usr/bin/env python3
"""Consoles that come and go: they detach from a terminal and come back on another,
watch, follow, and are killed, also over ssh."""

# BEGUN FIRST
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403
from control import ME, VERSION, attach, campaign    # noqa: E402
from terminals import Session    # noqa: E402

FAILS = one_input('''
	probe_count();
	if (size > 2 && data[0] == 'a')
		cfuzz_fail("an a");''')


def finish(r, c):
    c.command('stop')
    c.wait(lambda: c.bye, 'bye')
    c.close()
    r.end(0)


@case
def old_socket():
    os.mkdir('old', 0o700)
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind('old/control.sock')
    s = Session([TUI, 'attach', 'old'])
    s.end(255)
    check(b'old is a folder, but not the output directory' in s.seen,
          'said: %r', s.seen)
    s.close()
    r, first = campaign(CALM, out='out')
    first.command('quit now')
    r.signal(signal.SIGKILL)    # perhaps its socket is left
    r.wait()
    first.close()
    r, first = campaign(CALM, out='out')
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


# ---- on terminals ----

def console(*words, **more):
    return Session([TUI, *words], **more)


@case
def detach_and_come_back():
    target = build(FAILS)
    s = console('-o', 'out', '--timeout', '10s', target)
    s.shows('FUZZING')
    s.key(b'd')
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
    alone = console('attach', '-d', 'out')
    watch.end(0)
    check(b'detached by ' + ME.encode() in watch.seen, 'said: %r',
          watch.seen[-300:])
    watch.close()
    alone.shows('FUZZING')
    stop_all(alone, 1)
    nobody_left()


@case
def to_a_stopped_engine():
    r = Run(build(CALM), ['-j', 1])
    r.wait_fuzzing()
    r.signal(signal.SIGSTOP)
    s = console('attach', 'out')
    s.shows('THE ENGINE DOES NOT ANSWER YET')
    r.signal(signal.SIGCONT)
    s.shows('FUZZING')
    stop_all(s)
    r.wait()


@case
def debug_from_elsewhere():
    # gdb gets the program and the finding of the campaign, and not what has
    # their relative names where the console is.
    shutil.copy(build(FAILS), 't')
    name = os.fsdecode(b'o\xffut')
    r = start('./t', '-j', '1', out=name)
    wait_for(r.buckets, 'a finding')
    os.makedirs('elsewhere/' + name)
    shutil.copy('/bin/true', 'elsewhere/t')
    write('bin/gdb', '#!/bin/sh\nprintf "%s\\n" "$@" >said.part\n'
          'mv said.part said\n')
    os.chmod('bin/gdb', 0o755)
    path, target = os.path.abspath('bin'), os.path.realpath('t')
    said = os.path.abspath('said')    # gdb works where the campaign does
    os.chdir('elsewhere')
    s = console('attach', os.path.join('..', name), columns=120, env={
        'PATH': path + ':' + os.environ['PATH']})
    s.shows('FUZZING')
    s.key(b'5')
    s.shows('1 distinct')
    s.key(b'g')
    s.wait(lambda: os.path.exists(said), 'gdb')
    s.shows('1 distinct')
    said = read(said).split(b'--args\n')[1].split(b'\n')
    equal(said[0].decode(), target, 'the program')
    check(said[1].startswith(os.fsencode(r.out)), 'its file: %s', said)
    stop_all(s, 1)
    r.end(1)


@case
def recording_on_a_full_disk():
    # It is said behind the screen, where the words stay.
    os.mkdir('small')
    if os.getuid() != 0 or subprocess.run(
            ['mount', '-t', 'tmpfs', '-o', 'size=32k', 'none', 'small'],
            stderr=subprocess.DEVNULL).returncode:
        raise Skip('no small disk can be mounted')
    try:
        r, first = campaign(CALM, out='out')
        first.close()
        s = console('attach', '--record', 'small/rec', 'out', columns=120)
        s.wait(lambda: os.path.exists('small/rec') and
               os.path.getsize('small/rec') == 32768, 'a full disk')
        stop_all(s)
        said = b' '.join(s.seen.split())
        check(b'the recording small/rec is not complete: No space left on '
              b'device' in said, 'said: %r', said[-500:])
        r.end(0)
    finally:
        subprocess.run(['umount', 'small'], check=True)


@case
def follow_the_teacher():
    # The same view, selection and page, also in what the follower records.
    target = build(FAILS)
    s = console('-o', 'out', '--timeout', '10s', target, columns=100, rows=30)
    wait_for(lambda: os.path.exists('out') and Output('out').buckets(),
             'a finding')
    pupil = console('attach', '-r', '--follow', '--record', 'lesson', 'out',
                    columns=140, rows=40)
    pupil.shows('watching')
    s.key(b'5')
    pupil.shows('1 distinct')
    s.key(b'\r')
    pupil.shows('Left Right pages')
    s.key(b'7')
    s.key(b'e')
    pupil.shows('journal: new inputs')
    pupil.key(b'2')    # looks elsewhere, until the teacher moves
    pupil.shows('workers')
    s.key(b'4')
    pupil.shows('entries')
    s.shows('energy')    # its rows are there
    s.key(b'\r')
    pupil.shows('lineage')
    pupil.key(b'd')
    pupil.end(0)
    pupil.close()
    places = [line['place'] for line in map(json.loads, open('lesson'))
              if 'place' in line]
    for view, page in (('findings', 1), ('journal', 2), ('workers', 0),
                       ('corpus', 1)):
        check([p for p in places if (p['view'], p['page']) == (view, page)],
              'the recording lacks %s, page %d: %s', view, page, places)
    lesson = console('--play', 'lesson', columns=140, rows=40)
    lesson.command('speed max')
    lesson.shows('lineage')
    lesson.key(b'q')
    lesson.end(0)
    lesson.close()
    stop_all(s, 1)
    nobody_left()


@case
def who_watches_leaves_the_end():
    # Refused words of quitting are forgotten: the end is shown to both.
    target = build(FAILS)
    s = console('-o', 'out', '--timeout', '10s', target)
    s.shows('FUZZING')
    watch = console('attach', '-r', 'out')
    watch.shows('watching')
    wait_for(lambda: Output('out').buckets(), 'a finding')
    watch.command('quit now')
    watch.expect('you only watch')
    s.command('quit never')
    s.expect('write: quit, quit now or quit minimized')
    s.key(b's')
    s.shows('stop, and show the result')
    s.key(b'\r')
    for each in (s, watch):
        each.shows('has ended')
    watch.key(b'q')
    watch.end(1)
    watch.close()
    s.key(b'l')
    s.command('note %s seen' % Output('out').stats['findings'][0]['id'])
    s.expect('the note is saved')
    s.key(b'q')
    s.end(1)
    s.close()
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
    target = build(CALM)
    equal(listed(), [], 'campaigns')
    check('no campaign of yours runs' in starts([CFUZZ, 'attach'], 255),
          'no word that none runs')
    for n, program in enumerate((CFUZZ + ' run', TUI), 1):
        out = 'out %d' % n
        done = subprocess.run(program.split() + [
            '--detach', '-j', '1', '--timeout', '10s', '-o', out, target],
            text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        equal((done.returncode, done.stderr), (0, ''), 'status and errors')
        line = "the campaign goes on: cfuzz attach '%s'\n"
        equal(done.stdout, line % os.path.abspath(out), 'its line')
        if n == 1:
            s = Session([CFUZZ, 'attach'])
            s.shows('FUZZING')
            wait_for(lambda: listed()[0]['attached'] == 1, 'one attached')
            equal(ls_rows(), [('*', 'fuzzing')], 'the list')
            s.key(b'd')
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
    gone = 'run/cfuzz/of a folder that is gone'
    os.symlink('/nowhere', gone)
    c = attach('out 2')
    c.command('stop')
    c.wait(lambda: c.bye, 'bye')
    c.close()
    nobody_left()
    check(not os.path.lexists(gone), 'a campaign that ends does not sweep')
    equal(ls_rows(), [('+', 'ended')] * 2, 'the list')
    # One is killed: its socket is left, and nothing is there.
    r = start(target, out='out 3', timeout_ms=1000)
    attach(r.out).close()
    s = Session([CFUZZ, 'attach', 'out 3'])
    s.shows('FUZZING')
    r.signal(signal.SIGKILL)
    s.end(254)
    check(b'gone without a goodbye' in s.seen, 'said: %r', s.seen[-300:])
    s.close()
    r.wait()
    equal(ls_rows()[0], ('!', 'killed'), 'the list')
    check('no campaign of yours runs' in starts([CFUZZ, 'attach'], 255),
          'no word that none runs')


@each(('^C', signal.SIGINT), ('SIGTERM', signal.SIGTERM))
def a_start_that_is_stopped(signo):
    # The starter waits for the target: who stops it wants no campaign.
    target = build(one_input('', '''
int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	probe_count();
	sleep(400);
	return 0;
}'''))
    r = start(target, '--detach', '-j', 1, '--start-timeout', '600s')
    wait_for(lambda: r.number('calls') > 0, 'the start of the target')
    r.signal(signo)
    r.wait()
    equal((r.stdout, r.stderr), ('', 'cfuzz: stopped: no campaign runs\n'),
          'says')
    nobody_left()


@case
def a_start_that_fails():
    target = build(CALM)
    # Even if the parent ignores the ends of children.
    for words, why in ((['./nothing'], 'does not exist'),
                       (['-o', '/proc/none/x', target], '/proc/none')):
        done = subprocess.run([CFUZZ, 'run', '--detach'] + words, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              preexec_fn=lambda: signal.signal(
                                  signal.SIGCHLD, signal.SIG_IGN))
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


# What scripts may rely on.
LISTED = {'output': str, 'target': str, 'state': str, 'runs': bool,
          'since': int, 'execs': int, 'findings': int, 'attached': int}


def listed():
    rows = json.loads(subprocess.run(
        [CFUZZ, 'ls', '--json'], check=True, stdout=subprocess.PIPE).stdout)
    for row in rows:
        equal({k: type(v) for k, v in row.items()}, LISTED, 'types')
        check(abs(row['since'] - time.time()) < 3600, 'since: %s', row)
    return rows


def ls_rows():
    """(mark, state) of each campaign for people."""
    lines = subprocess.run([CFUZZ, 'ls'], check=True, text=True,
                           stdout=subprocess.PIPE).stdout.splitlines()
    return [re.match(r'(.)  (\w+) +\d{4}-\d\d-\d\d ', n).groups()
            for n in lines[1:]]


@each(('own', lambda path: None, True),
      ('others', os.mkdir, False),
      ('link', lambda path: os.symlink(os.path.abspath('else'), path),
       False))
def list_in_tmp(prepare, good):
    # Without a folder of the session it has a name that all users know. A
    # number that no user has is ours for once: somebody may use his.
    if os.geteuid() != 0:
        raise Skip('only root can be another user')
    uid = 0x60000000 + os.getpid()
    path = '/tmp/cfuzz-%d' % uid
    for name in (CFUZZ, build(QUIET)):
        shutil.copy(name, '.')
    os.mkdir('else', 0o700)
    try:
        for name in ('.', 'else'):
            os.chown(name, uid, uid)
    except OSError as e:
        raise Skip('root cannot be another user: %s' % e)
    prepare(path)
    env = {k: v for k, v in os.environ.items() if k != 'XDG_RUNTIME_DIR'}

    def mine(*words):
        try:
            done = subprocess.run(
                ['./cfuzz', *words], user=uid, group=uid, extra_groups=[],
                env=env, text=True, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except OSError as e:
            raise Skip('root cannot be another user: %s' % e)
        return done.returncode, done.stdout, done.stderr

    try:
        status, out, err = mine('run', '-o', 'out', '-j', '1', '--fuzztime',
                                '10x', './target')
        equal(status, 0, 'status: %s%s' % (out, err))
        status, out, err = mine('ls')
        if good:
            check(status == 0 and '/out' in out, 'cfuzz ls: %d %s%s', status,
                  out, err)
            equal(os.stat(path).st_mode & 0o777, 0o700, 'mode')
        else:
            equal((status, out), (2, ''), 'cfuzz ls')
            check(path in err and err.count('\n') == 1, 'says: %s', err)
            equal(os.listdir(path), [], 'what is there')
    finally:
        if os.path.islink(path):
            os.unlink(path)
        else:
            shutil.rmtree(path, ignore_errors=True)


@case
def killed_consoles():
    target = build(CALM)
    s = console('-o', 'out', '--timeout', '10s', target)
    s.shows('FUZZING')
    for _ in range(5):
        more = console('attach', 'out')
        more.shows('watching')
        os.kill(started_by(more.job)[0], signal.SIGKILL)
        more.expect('; the campaign goes on: cfuzz attach')
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
    if os.getuid() != 0:
        raise Skip('the sshd of an ordinary user gives nobody a terminal')
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
        r, first = campaign(CALM)
        s = Session(['ssh', '-t', '-p', str(port), '-i', 'key', '-F', 'none',
                     '-o', 'StrictHostKeyChecking=no', '-o',
                     'UserKnownHostsFile=known', '127.0.0.1', CFUZZ, 'attach',
                     '-r', os.path.abspath(r.out)], columns=160)
        s.shows('watching, control: ' + ME)
        s.key(b'd')
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


if __name__ == '__main__':
    main()

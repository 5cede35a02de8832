"""The control socket, and files that are read at the start: D1 to D22."""

import array
import random
import signal
import socket
import stat

from lab import *    # noqa: F401,F403
import control    # noqa: E402

TUI = os.path.join(BUILD, 'cfuzz-tui')


def steered(*options, fault=''):
    r = control.start(fault_target(), '-j', 1, '--seeds', seeds([b'GGGG']),
                      *options, env={'FAULT': fault})
    r.control.until(lambda s: s['state'] == 'fuzzing', 'fuzzing')
    return r


def engine_kib(r):
    with open('/proc/%d/status' % r.pid) as f:
        return int(re.search(r'VmRSS:\s*(\d+)', f.read()).group(1))


def ended_well(r, status=0):
    """Whoever held the other end is gone, or was shown the door."""
    r.control.close()
    r.wait()
    wait_for(lambda: reap() or not descendants(), 'the end', GONE_MAX)
    check(r.status in (0, 1, 3), 'exit status %d: %s', r.status,
          r.describe())


BAD = (b'', b'{', b'}', b'[]', b'null', b'7', b'"x"', b'{"command":1}',
       b'{"command":{"id":-1,"line":"stop"}}', b'{"command":{"id":1}}',
       b'{"query":{"id":1,"kind":7}}', b'{"query":{"id":1e999,"kind":"corpus"}}',
       b'{"query":{"id":1,"kind":"corpus","first":18446744073709551616}}',
       b'{"query":{"id":1,"kind":"corpus","first":-5,"count":1e300}}',
       b'{"query":{"id":1,"kind":"pcs","module":4294967295,"count":9}}',
       b'{"query":{"id":1,"kind":"entry","name":"../../etc/passwd"}}',
       b'{"query":{"id":1,"id":2,"kind":"corpus","kind":"entry"}}',
       b'{"query":{"id":1,"kind":"\\ud800"}}', b'{"query":{"id":NaN}}',
       b'{"query":{"id":1,"kind":"worker","worker":99999}}',
       b'{"command":{"id":1,"line":"\\u0000stop"}}', b'\x00\xff\xfe',
       b'{"query":{"id":1,"kind":"corpus","sort":"%s"}}' % (b'x' * 3000))


def malformed(times):
    # One engine after the other, until it hangs up: never by a crash.
    rng = random.Random(3)
    sent = 0
    while sent < times:
        r = steered()
        try:
            for _ in range(500):
                line = bytearray(rng.choice(BAD))
                for _ in range(rng.randrange(3)):
                    if line:
                        line[rng.randrange(len(line))] = rng.choice(
                            b'{}[]",:0-e\\u x')
                r.control.send_line(bytes(line).replace(b'\n', b' '))
                sent += 1
                r.control.read(0)
        except OSError:
            sent += 1
        check(r.process.poll() is None or r.process.returncode >= 0,
              'the engine died: %s', r.describe())
        ended_well(r)


row('D1', 'messages of all malformed kinds', Way('2000 of them', malformed,
                                                  (2000,)),
    *shown_by('run_answers.py', 'questions_without_sense'),
    *in_units('control/test_frame', 'control/test_query_json'), core=True)


def endless_line():
    r = steered()
    before, sent = engine_kib(r), 0
    r.control.sock.settimeout(10)
    try:
        while sent < 64 << 20:
            sent += r.control.sock.send(b'{"x":' + b'[' * 65536)
            r.control.read(0)
    except (OSError, Failure):
        pass
    check(sent < 64 << 20, 'it takes a line of 64 MiB')
    if r.process.poll() is None:
        check(engine_kib(r) < before + (8 << 10), 'it grew to %d KiB',
              engine_kib(r))
    ended_well(r)


def deep():
    for line in (b'{"query":' + b'{"a":' * 5000 + b'1' + b'}' * 5001,
                 b'{"query":{"id":1,"kind":"corpus",' + b','.join(
                     b'"k%d":1' % n for n in range(4000)) + b'}}'):
        r = steered()
        try:
            r.control.send_line(line)
            r.control.command('pause')
        except (OSError, Failure, control.Refused):
            pass
        check(r.process.poll() is None or r.process.returncode >= 0,
              'the engine died: %s', r.describe())
        ended_well(r)


row('D2', 'a line without end', way(endless_line), core=True)
row('D3', 'objects within objects, and very many', way(deep), core=True)


def dribble():
    # A byte at a time; the campaign does not wait for the rest.
    r = steered()
    for byte in b'{"command":{"id":1,"line":"pa':
        r.control.sock.sendall(bytes([byte]))
        r.control.read(0.05)
    before = r.control.snapshot['execs']
    r.control.until(lambda s: s['execs'] > before, 'executions')
    r.control.sock.sendall(b'use"}}\n')
    r.control.wait(lambda: 1 in r.control.answers, 'the answer')
    ended_well(r)


def never_reads():
    r = steered()
    before = engine_kib(r)
    calls = int.from_bytes(read('probe/calls')[:8], sys.byteorder)
    # A backlog needs the time to grow; nothing shows that there is none.
    time.sleep(8)
    check(r.process.poll() is None, 'it ended')
    check(engine_kib(r) < before + (32 << 10), 'it grew from %d to %d KiB',
          before, engine_kib(r))
    check(r.calls > calls, 'it does not fuzz on')
    ended_well(r)


def asks_and_never_reads():
    # Answers that nobody takes are not gathered without end.
    r = steered()
    before = engine_kib(r)
    r.control.sock.settimeout(2)
    line = json.dumps({'query': {'id': 1, 'kind': 'coverage', 'first': 0,
                                 'count': 131072}}).encode() + b'\n'
    try:
        for _ in range(20000):
            r.control.sock.sendall(line)
    except OSError:
        pass
    if r.process.poll() is None:
        check(engine_kib(r) < before + (64 << 10),
              'it grew from %d to %d KiB', before, engine_kib(r))
    ended_well(r)


row('D4', 'one byte at a time', way(dribble), core=True)
row('D5', 'somebody who asks and never reads', way(never_reads),
    way(asks_and_never_reads), core=True)


def one_place_to_connect_to():
    # One socket, for its owner alone, in the output directory; nothing else.
    r = steered()
    inodes = sockets_of([r.pid] + [p for p, _, _ in descendants(r.pid)])
    with open('/proc/net/unix') as f:
        lines = [n.split() for n in f.read().splitlines()[1:]]
    named = [n for n in lines if n[6] in inodes and n[3] == '00010000']
    equal(len(named), 1, 'sockets that listen')
    for table in ('tcp', 'udp', 'tcp6', 'udp6'):
        path = '/proc/net/' + table
        if os.path.exists(path):
            with open(path) as f:
                mine = [n for n in f.read().splitlines()[1:]
                        if n.split()[9] in inodes]
            equal(mine, [], 'sockets in ' + path)
    left = [os.path.join(f, n) for f, _, names in os.walk('.') for n in names
            if stat.S_ISSOCK(os.lstat(os.path.join(f, n)).st_mode)]
    equal(left, ['./out/control.sock'], 'sockets in folders')
    equal(stat.S_IMODE(os.lstat(left[0]).st_mode), 0o600, 'its mode')
    equal(stat.S_IMODE(os.lstat('out').st_mode) & 0o77, 0, 'its folder')
    ended_well(r)
    check(not os.path.exists(left[0]), 'it is left')


def sockets_of(pids):
    inodes = set()
    for pid in pids:
        try:
            fds = os.listdir('/proc/%d/fd' % pid)
        except FileNotFoundError:
            continue # it has ended
        for fd in fds:
            try:
                link = os.readlink('/proc/%d/fd/%s' % (pid, fd))
            except OSError:
                continue
            if link.startswith('socket:['):
                inodes.add(link[8:-1])
    return inodes


def in_its_place(make):
    """Something else is there: the campaign runs, and does not follow it."""
    ended_well(steered())
    write('other', 'precious')
    make('out/control.sock')
    r = steered()
    equal(read('other'), b'precious', 'what the link leads to')
    ended_well(r)


row('D6', 'a thousand connections', *shown_by('attach.py', 'crowd'))
row('D7', 'connections of other users',
    Way('one socket, for its owner', one_place_to_connect_to),
    *shown_by('attach.py', 'another_user'), core=True)
row('D8', 'a socket in an unsafe folder', *shown_by('attach.py',
                                                    'another_user'))
row('D9', 'a path that is too long for a socket',
    *shown_by('attach.py', 'long_path'))
row('D10', 'a stale socket, or a file in its place',
    *shown_by('attach_console.py', 'old_socket'),
    *(Way('in its place: ' + name, in_its_place, (make,)) for name, make in (
        ('a file', lambda path: write(path, 'text')),
        ('a link', lambda path: os.symlink('../other', path)),
        ('a folder', os.mkdir))))
row('D11', 'two that listen at one place', *shown_by(
    'run_refusals.py', 'directory_in_use'))


def hello_is_cut():
    # The peer goes after each byte of its first message.
    text = json.dumps({'hello': {'version': control.VERSION}}).encode() + \
        b'\n{"command":{"id":1,"line":"pause"}}\n'
    target, folder = fault_target(), seeds([b'GGGG'])
    for n in range(0, len(text), 5):
        ours, theirs = socket.socketpair()
        process = subprocess.Popen(
            [CFUZZ, 'run', '-o', 'out', '-j', '1', '--seeds', folder,
             '--control-fd', str(theirs.fileno()), target],
            pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=dict(os.environ, FAULT=''), start_new_session=True)
        theirs.close()
        ours.sendall(text[:n])
        ours.close()
        status = process.wait(60)
        check(status in (0, 1, 2, 3), 'after %d bytes: exit status %d', n,
              status)
        wait_for(lambda: reap() or not descendants(), 'the end', GONE_MAX)


def descriptors_sent():
    r = steered()

    def open_ones():
        """Those of its descriptors that we have sent."""
        folder = '/proc/%d/fd' % r.pid
        found = []
        for name in os.listdir(folder):
            try:
                found.append(os.readlink(os.path.join(folder, name)))
            except FileNotFoundError:
                pass    # closed meanwhile
        return found.count(sent)
    sent = os.path.realpath(write('sent', ''))
    fds = [os.open(sent, os.O_RDONLY) for _ in range(60)]
    for n in range(3):
        line = json.dumps({'query': {'id': 70 + n, 'kind': 'corpus',
                                     'count': 1}}).encode() + b'\n'
        r.control.sock.sendmsg([line], [(
            socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', fds))])
    try:
        r.control.sock.send(b'x', socket.MSG_OOB)
    except OSError:
        pass
    r.control.wait(lambda: 72 in r.control.replies or r.control.closed,
                   'an answer')
    if not r.control.closed:
        equal(open_ones(), 0, 'descriptors that it has kept')
    ended_well(r)


row('D12', 'gone in the middle of the first words', way(hello_is_cut))
row('D13', 'descriptors come along with messages', way(descriptors_sent))


def other_version():
    # Told why, served nothing; when it goes, the campaign ends.
    ours, theirs = socket.socketpair()
    process = subprocess.Popen(
        [CFUZZ, 'run', '-o', 'out', '-j', '1', '--seeds', seeds([b'GGGG']),
         '--control-fd', str(theirs.fileno()), fault_target()],
        pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env=dict(os.environ, FAULT=''), start_new_session=True)
    theirs.close()
    ours.sendall(b'{"hello":{"version":9999}}\n'
                 b'{"command":{"id":1,"line":"pause"}}\n')
    ours.settimeout(20)
    said = b''
    try:
        while b'"bye"' not in said:
            data = ours.recv(65536)
            check(data, 'it hangs up without a word')
            said += data
    except socket.timeout:
        fail('another version is taken for ours: %r', said[-300:])
    check(b'version' in said.partition(b'"bye"')[2], 'it does not say why')
    check(b'"answer"' not in said, 'it obeys')
    ours.close()
    check(process.wait(60) in (0, 1), 'exit status')


def same_id():
    r = steered()
    for _ in range(2):
        r.control.send({'command': {'id': 5, 'line': 'pause'}})
    r.control.wait(lambda: 5 in r.control.answers, 'an answer')
    try:
        r.control.command('no-such-command')
        fail('an unknown command is taken')
    except control.Refused as e:
        check('no-such-command' in str(e), 'not named: %s', e)
    ended_well(r)


row('D14', 'another version, unknown commands, numbers used twice',
    way(other_version), way(same_id))


def paths():
    # Commands with names: only of findings, and only into the directory.
    r = steered('--verify', '0', '--minimizetime', '0', fault='abort')
    r.control.until(lambda s: s['crashes'] > 0, 'a finding')
    write('precious', 'mine')
    for line in ('export ../../precious', 'export /etc/passwd',
                 'note ../../../precious x', 'minimize ../../x',
                 'ignore ../x', 'replay /etc/passwd', 'save ../../x',
                 'show ../../precious'):
        try:
            r.control.command(line)
            fail('"%s" is taken', line)
        except control.Refused:
            pass
    equal(read('precious'), b'mine', 'a file outside')
    ended_well(r)


row('D15', 'commands with paths in them', way(paths))
row('D16', 'commands of somebody who may only look',
    *shown_by('attach.py', 'control_and_watch'),
    *shown_by('share.py', 'on_a_terminal'))


def stop_and_stop():
    r = steered(fault='deaf loop')
    for n in range(5):
        r.control.send({'command': {'id': 100 + n, 'line': 'stop'}})
    r.control.wait(lambda: r.control.bye or r.control.closed, 'the end')
    r.control.close()
    r.wait(60)
    check(r.status in (0, 1), 'exit status %d', r.status)
    wait_for(lambda: reap() or not descendants(), 'the end', GONE_MAX)


row('D17', 'stop, while it stops', way(stop_and_stop),
    *shown_by('run_stop.py', 'impatience'))


def with_words():
    r = run(fault_target(), '--fuzztime', '100x', '--dict', 'words',
            '--seeds', seeds([b'GGGG']), env={'FAULT': ''})
    check(r.status in (0, 2), 'exit status %d: %s', r.status, r.describe())
    check('words' in r.stdout + r.stderr, 'it is not named: %s',
          r.describe())
    gone_by()


def giant_dictionary():
    with open('words', 'wb') as f:
        f.write(b'good="word"\n')
        f.truncate(1 << 30)
    with_words()


def many_words():
    with open('words', 'w') as f:
        for n in range(300000):
            f.write('"word%d"\n' % n)
        f.write('"nul\\x00 in it"\n"\0"\n')
    with_words()


def gone_by():
    wait_for(lambda: reap() or not descendants(), 'the end', GONE_MAX)


row('D18', 'dictionaries that are none', way(giant_dictionary),
    way(many_words), *shown_by('run_refusals.py', 'malformed_dictionary',
                               'useless_dictionary', 'dictionary_folder'))
row('D19', 'settings, keys and themes that make no sense',
    *shown_by('run_refusals.py', 'bad_option'),
    *shown_by('console_hostile.py', 'theme_file'),
    *shown_by('console.py', 'malformed_keys'))


def odd_files():
    # A FIFO is no reason to wait; a link to a giant is not read.
    os.mkfifo('fifo')
    with open('giant', 'wb') as f:
        f.truncate(8 << 30)
    for words in (['--theme', 'fifo'], ['--theme', 'giant'],
                  ['--keys', 'fifo'], ['--keys', 'giant'],
                  ['--theme', '/dev/zero']):
        for name in words[1:]:
            if '/' not in name:
                words = [words[0], './' + name]
        status, out, err = tool('script', '-qec', ' '.join(
            [TUI, '-o', 'out'] + words + [fault_target()]), '/dev/null',
            patience=60)
        equal(status, 2, 'exit status of %s (%s)' % (words, out))
        check(words[1] in out, '%s is not named: %s', words[1], out)


row('D20', 'themes and keys that are FIFOs or giants', way(odd_files))


def giant_journal():
    r = run(fault_target(), '--fuzztime', '1500x', '--minimizetime', '0',
            '--seeds', seeds([b'FFFF']), env={'FAULT': 'abort'}, status=1)
    with open(r.path('journal.jsonl'), 'ab') as f:
        f.truncate(4 << 30)
    for words in (['run', '-o', 'out', '--fuzztime', '100x', fault_target()],
                  ['findings', 'out'], ['show', 'out']):
        status, out, err = tool(CFUZZ, *words, patience=60,
                                env={'FAULT': 'abort'})
        check(status in (0, 1, 2, 3), 'cfuzz %s: exit status %d: %s',
              words[0], status, err)


row('D21', 'a directory of another target, or with giants in it',
    way(giant_journal), *shown_by(
        'run_refusals.py', 'directory_of_another_target',
        'journal_is_something_else'),
    *shown_by('run_show.py', 'hostile_directory'))


def odd_environment(env):
    r = Watched('abort', '--fuzztime', '1500x', '--minimizetime', '0',
                env=env)
    r.watch().wait()
    check(r.status in (1, 2), 'exit status %d: %s', r.status, r.describe())
    check(r.status == 1 or r.stderr.count('\n') == 1, 'what it says: %s',
          r.stderr)
    gone_by()


row('D22', 'an environment that means harm', *[
    Way(' '.join(env), odd_environment, (env,)) for env in (
        {'CFUZZ_WORKER': '3'}, {'CFUZZ_WORKER': '99999999999'},
        {'CFUZZ_WORKER': 'x', 'CFUZZ_QUIET': '\033[2J'},
        {'ASAN_OPTIONS': 'abort_on_error=maybe:x=:::', 'UBSAN_OPTIONS': '='},
        {'LD_PRELOAD': '/nowhere/lib.so'},
        {'LD_LIBRARY_PATH': ':' * 3000}, {'MALLOC_PERTURB_': '165'})],
    *shown_by('run_start.py', 'environment'))

"""What happens to the engine and the machine it is on: rows B1 to B34."""

import errno
import random
import shutil
import signal

from lab import *    # noqa: F401,F403
from powerloss import power_fails


def quiet(*options, fault='', **more):
    """A campaign that runs until it is ended from outside."""
    r = start(fault_target(), '-j', 1, '--timeout', '20s', *options, '--seeds',
              seeds([b'GGGG', b'harm']), env=dict({'FAULT': fault},
                                                  **more.pop('env', {})),
              **more)
    r.wait_fuzzing()
    return r


def gone(r):
    wait_for(lambda: reap() or not descendants(), lambda:
             'the end of processes: %s' % descendants(), GONE_MAX)
    no_residue()


def resumes(out='out', **env):
    """The directory is whole, and the next campaign uses it."""
    r = run(fault_target(), '--fuzztime', '100x', '--verify', '0',
            '--minimizetime', '0', out=out, env=dict({'FAULT': ''}, **env))
    check(r.status in (0, 1), 'exit status %d', r.status)
    return r


# ---- killed

def drop_begun(r):
    """A finding's input is written first, crash.json last. Killed in between, the
    input is run again by the next campaign that verifies: run_past.py shows
    that."""
    for bucket in r.buckets():
        if not bucket.has('crash.json'):
            names = {n for n in os.listdir(bucket.path) if n[0] != '.'}
            check(not names or 'input' in names and
                  names <= {'input', 'witness', 'report.txt'},
                  '%s has %s', bucket.folder, names)
            shutil.rmtree(bucket.path)


def killed(fault, stop=False):
    r = quiet(fault=fault)
    if fault:
        wait_for(lambda: os.path.exists('probe/first'), 'the fault')
    if stop:
        for pid, _, _ in descendants(r.pid):
            os.kill(pid, signal.SIGSTOP)
    r.signal(signal.SIGKILL)
    r.wait()
    gone(r)
    drop_begun(r)
    resumes()


row('B1', 'the engine is killed at any moment',
    Way('while it fuzzes', killed, ('',)),
    Way('while everything crashes', killed, ('abort',)),
    *shown_by('run_stop.py', 'engine_is_killed[busy]',
              'engine_is_killed_with_strays'), core=True)
row('B2', 'the same while the target hangs',
    Way('busy loop', killed, ('busy loop',)),
    Way('deaf loop', killed, ('deaf loop',)), core=True)
row('B3', 'the same while all workers are stopped',
    Way('stopped', killed, ('', True)))


def ended(signo, fault, most):
    r = quiet(fault=fault)
    if fault:
        wait_for(lambda: os.path.exists('probe/first'), 'the fault')
    begin = time.monotonic()
    r.signal(signo)
    r.wait()
    took = time.monotonic() - begin
    gone(r)
    check(took < most, 'it took %.1f s', took)
    if most < 60:
        check(r.status in (0, 1), 'exit status %d', r.status)
        check_output(r)
    resumes()


row('B4', 'signals to the engine', *[
    Way('%s, %s' % (s, fault or 'nothing wrong'), ended,
        (getattr(signal, s), fault, 15 if s in ('SIGTERM', 'SIGHUP', 'SIGINT')
         else 60))
    for s in ('SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGSEGV')
    for fault in ('', 'deaf loop')])

# Every input is new and as long as can be.
LARGE = '''
	static uint64_t *go;

	probe_count();
	if (size > 0 && data[0] == 'F' && size > 1000)
		abort();
	for (size_t i = 0; i < size; i += 4096)
		if (data[i] == 'x')
			probe_number("none");'''


def announced_by(r):
    """A line is announced when it is whole."""
    return set(re.findall(r'^\s+(out/\S+/input)\s.*\n', r.stdout, re.M))


def many_kills(times):
    # Whole files only, and what was announced stays.
    rng = random.Random(times)
    target = build(one_input(LARGE))
    folder = seeds({'g': b'G' * (1 << 20), 'f': b'F' + b'G' * (1 << 20)})
    announced = set()
    for n in range(times):
        r = start(target, '-j', 1, '--max-len', '2M', '--verify', '0',
                  '--minimizetime', '0', '--timeout', '20s', '--seeds',
                  folder)
        if n == 0:    # one gets so far, however slow the machine is
            r.wait_for(lambda: announced_by(r), 'a finding')
        time.sleep(rng.uniform(0.02, 0.5))
        r.signal(signal.SIGKILL)
        r.wait()
        gone(r)
        announced |= announced_by(r)
        for path in announced:
            check(os.path.getsize(path) > 1000, '%s is torn', path)
        torn = [name for name in os.listdir('out/corpus')
                if not name.startswith('.') and
                not sha(read('out/corpus/' + name)).startswith(name)] \
            if os.path.isdir('out/corpus') else []
        check(not torn, 'after %d kills, torn: %s', n + 1, torn)
    check(announced, 'nothing was ever announced')
    drop_begun(r)
    last = run(target, '--fuzztime', '20x', '--verify', '0', '--minimizetime',
               '0', '--max-len', '2M', '--timeout', '20s')
    check(not [n for n in os.listdir(last.path('corpus'))
               if n.startswith('.')], 'left behind in corpus/')


CORE = os.environ.get('FAULTS_CORE') == '1'
KILLS = int(os.environ.get('FAULTS_KILLS', '20' if CORE else '200'))
row('B5', 'killed again and again while large inputs are saved',
    Way('FAULTS_KILLS times', many_kills, (KILLS,)), core=True,
    limit=300 + 3 * KILLS)

# ---- the disk

row('B6', 'the power fails, after each change of the disk',
    Way('a campaign with findings', power_fails, (25,)), limit=300)


def damaged(name, content):
    r = run(fault_target(), '--fuzztime', '1500x', '--minimizetime', '0',
            '--verify', '0', '--seeds', seeds([b'GGGG', b'FFFF']),
            env={'FAULT': 'abort'}, status=1)
    corpus = r.corpus()
    path = r.path(name)
    data = read(path) if os.path.exists(path) else b''
    if content == 'cut':
        content = data[:len(data) // 2]
    elif content == 'one byte':
        content = data[:50] + b'\xff' + data[51:]
    write(path, content)
    os.chmod(path, 0o600)
    again = run(fault_target(), '--fuzztime', '100x', '--verify', '0',
                '--minimizetime', '0', env={'FAULT': 'abort'})
    check(again.status in (0, 1), 'exit status %d: %s', again.status,
          again.describe())
    check(set(corpus) <= set(again.corpus()), 'inputs are lost')
    check(again.buckets(), 'the finding is lost')


def damaged_finding():
    r = run(fault_target(), '--fuzztime', '800x', '--minimizetime', '0',
            '--verify', '0', '--seeds', seeds([b'GGGG', b'FFFF']),
            env={'FAULT': 'abort'}, status=1)
    write(os.path.join(r.bucket().path, 'crash.json'), b'{"id": 7, "ki')
    again = Watched('abort', '--fuzztime', '100x', '--verify', '0').watch()
    again.wait()
    check(again.status in (0, 1), 'exit status %d: %s', again.status,
          again.describe())
    check(os.path.getsize(os.path.join(r.bucket().path, 'input')) > 0
          if len(r.buckets()) == 1 else True, 'the input is lost')


row('B7', 'what was saved is damaged', *[
    Way('%s: %s' % (name, 'empty' if content == b'' else
                    content if isinstance(content, str) else 'nonsense'),
        damaged, (name, content))
    for name in ('journal.jsonl', 'stats.json')
    for content in (b'', 'cut', 'one byte', bytes(range(256)) * 20)],
    Way('crash.json: cut', damaged_finding))


def full_disk():
    # Small from the start on; whatever is there is whole.
    with Disk('size=1200k') as disk:
        r = Watched('one bug, many inputs', '--fuzztime', '4000x', '--verify',
                    '0', '--minimizetime', '0', out='disk/out')

        def fill():
            if r.calls > 0 and not os.path.exists('disk/filler'):
                disk.fill()
            return False
        r.watch(fill)
        r.wait()
        check(r.status in (0, 1, 3), 'exit status %d: %s', r.status,
              r.describe())
        check(r.status == 3 or not r.said('cannot'),
              'something is lost, and it says %d', r.status)
        for name, data in r.corpus().items():
            check(sha(data).startswith(name), 'torn: %s', name)
        for bucket in r.buckets():
            check(bucket.input[:1] == b'F', 'a finding with %r', bucket.input)


row('B8', 'the disk is full', way(full_disk), *shown_by(
    'run_refusals.py', 'disk_becomes_full', 'full_disk_at_the_start',
    'reserve_saves_findings'), core=True)


def shimmed(n, ever=False, error=errno.EIO, what='SHIM_IO', **env):
    """A short campaign in which a call fails; whether it came to that."""
    shutil.rmtree('out', ignore_errors=True)
    fired = os.path.abspath('fired')
    if os.path.exists(fired):
        os.unlink(fired)
    r = Run(fault_target(), ['-j', '1', '--fuzztime', '300x', '--verify', '1',
                             '--minimizetime', '5x', '--seeds',
                             seeds([b'GGGG', b'FFFF'])],
            env=dict({'FAULT': 'abort', 'LD_PRELOAD': shim(), what: str(n),
                      'SHIM_ERRNO': str(error), 'SHIM_FIRED': fired,
                      'SHIM_EVER': '1' if ever else ''}, **env))
    r.wait(60)
    wait_for(lambda: reap() or not descendants(), lambda:
             'the end of processes: %s' % descendants(), GONE_MAX)
    return r, os.path.exists(fired)


def whole_or_not(r, n):
    """Whatever failed: nothing torn, nothing lost without a word."""
    at = 'call %d: ' % n
    check(r.status in (0, 1, 2, 3), at + 'exit status %d: %s', r.status,
          r.describe())
    if not os.path.isdir('out/corpus'):
        check(r.status in (2, 3), at + 'nothing ran, and it says %d',
              r.status)
        return
    for name, data in r.corpus().items():
        if not name.startswith('.'):
            check(sha(data).startswith(name), at + 'torn: %s', name)
    inputs = [b.input for b in r.buckets() if b.has('input')]
    check(all(i[:1] == b'F' for i in inputs), at + 'a finding with %r',
          inputs)
    if r.status == 1:
        check(inputs, at + 'a finding is told and not there: %s',
              r.describe())
    if r.status == 0:
        check(not os.path.exists('probe/first') or inputs, at +
              'a failure is neither told nor kept: %s', r.describe())
    shutil.rmtree('probe')
    os.mkdir('probe')


def each_call(ever, step):
    n, failed = 1, 0
    while True:
        r, fired = shimmed(n, ever)
        whole_or_not(r, n)
        failed += fired
        if not fired:
            break
        n += step
    check(failed > 20 // step, 'only %d calls failed', failed)


def with_error(error):
    for n in (5, 20, 40, 70):
        r, _ = shimmed(n, True, error)
        whole_or_not(r, n)


def read_only():
    with Disk('ro'):
        r = run(fault_target(), '--fuzztime', '10x', out='disk/out')
        check(r.status in (2, 3), 'exit status %d', r.status)
        check('disk/out' in r.stderr, 'the place is not named: %s', r.stderr)


row('B9', 'the disk refuses', way(read_only), *[
    Way(name, with_error, (getattr(errno, name),))
    for name in ('EACCES', 'EDQUOT', 'EIO', 'EROFS')],
    *shown_by('run_refusals.py', 'findings_cannot_be_written'))
row('B10', 'each call that changes a file fails',
    Way('once', each_call, (False, 1)), Way('for ever', each_call, (True, 9)),
    limit=600)

# ---- the files to begin with

row('B11', 'inputs that are FIFOs, sockets, devices, folders',
    *shown_by('run_seeds.py', 'odd_files_are_passed_over'))
row('B12', 'inputs that are symbolic links',
    *shown_by('run_seeds.py', 'odd_files_are_passed_over'))


def odd_corpus():
    # In the campaign's own corpus, where nobody expects them.
    r = run(fault_target(), '--fuzztime', '200x', env={'FAULT': ''})
    place = r.path('corpus')
    os.mkfifo(os.path.join(place, 'fifo'))
    for name, to in (('zero', '/dev/zero'), ('loop', 'loop'),
                     ('nowhere', 'nothing'), ('secret', '/etc/passwd'),
                     ('folder', '/'), ('pipe', 'fifo')):
        os.symlink(to, os.path.join(place, name))
    with open(os.path.join(place, 'sparse'), 'wb') as f:
        f.truncate(10 << 30)
    write(os.path.join(place, 'empty'), b'')
    os.mkdir(os.path.join(place, 'inner'))
    again = Watched('', '--fuzztime', '300x').watch()
    again.wait()
    equal(again.status, 0, 'exit status (%s)' % again.describe())
    equal(os.path.getsize(os.path.join(place, 'sparse')), 10 << 30,
          'the file of somebody')


def growing():
    path = os.path.join(seeds([b'GGGG', b'FFFF']), 'growing')
    write(path, b'')
    writer = subprocess.Popen(
        [sys.executable, '-c', 'import sys\nwhile True:\n'
         ' f = open(sys.argv[1], "ab"); f.write(b"G" * 4096); f.close()\n'
         ' if f and __import__("os").path.getsize(sys.argv[1]) > 50 << 20:'
         ' break', path])
    r = Watched('', '--fuzztime', '200x', '--seeds',
                os.path.dirname(path)).watch()
    r.wait()
    writer.kill()
    writer.wait()
    equal(r.status, 0, 'exit status')


row('B13', 'inputs that are too large, or grow', way(odd_corpus),
    way(growing))
row('B14', 'inputs that are empty, torn or of another format',
    *shown_by('run_typed.py', 'wrong_seeds'))
row('B15', 'files vanish and change while it runs', *shown_by(
    'run_seeds.py', 'corpus_changes_underneath',
    'folder_of_findings_is_taken_away'))


def names_of_all_kinds():
    folder = seeds({n: b'G' + n[:1].encode() for n in (
        'line\nbreak', '\033]0;owned\007', '-rf', ';touch RAN', '$(touch RAN)',
        ' ', 'x' * 255, '\u202egnp', '\u009b31m')})
    write(os.fsencode(folder) + b'/\xff\xfe', b'Gz')
    r = Watched('', '--fuzztime', '300x', '--seeds', folder).over(0)
    check(not os.path.exists('RAN'), 'a name was run as a command')
    equal(r.events('warm')[0]['inputs'], len(os.listdir(folder)),
          'inputs to begin with')


row('B16', 'names that mean something to a shell or a terminal',
    way(names_of_all_kinds))


def very_many():
    # It answers all the time, and can be stopped in the middle of it.
    os.mkdir('seeds')
    for n in range(100000):
        with open('seeds/%06d' % n, 'wb') as f:
            f.write(b'G%06d' % n)
    r = Watched('', '--fuzztime', '2000x', '--seeds', 'seeds')
    r.watch().wait()
    gone(r)
    check(r.status in (0, 1), 'exit status %d: %s', r.status, r.describe())
    check(r.slowest < ANSWER_MAX, 'an answer took %.1f s', r.slowest)
    check(max(r.memory) < 400 << 10, 'the engine takes %d KiB',
          max(r.memory))
    r.went_on(2000)
    r = start(fault_target(), '--seeds', 'seeds', out='out2')
    wait_for(lambda: os.path.exists('out2/corpus'), 'the start')
    begin = time.monotonic()
    r.signal(signal.SIGTERM)
    r.wait()
    check(time.monotonic() - begin < 15, 'it took %.1f s to end',
          time.monotonic() - begin)
    gone(r)


row('B17', 'a hundred thousand inputs', way(very_many), limit=400)
row('B18', 'two campaigns in one directory',
    *shown_by('run_refusals.py', 'directory_in_use'))
row('B19', 'a directory of another target',
    *shown_by('run_refusals.py', 'directory_of_another_target'))


def clock_jumps(seconds):
    r = run(fault_target(), '-j', 1, '--fuzztime', '4s', '--timeout', '5000',
            '--seeds', seeds([b'GGGG', b'FFFF']),
            env={'FAULT': '', 'LD_PRELOAD': shim(),
                 'SHIM_CLOCK': str(seconds)}, status=0)
    stats = r.stats
    check(3.5 < stats['elapsed_s'] < 30, 'it says %r s',
          stats['elapsed_s'])
    check(0 < stats['execs_per_sec_avg'] < 1e8, 'it says %r executions/s',
          stats['execs_per_sec_avg'])
    r.no_findings()


row('B20', 'the time of day is set', *[
    Way('%+d s' % s, clock_jumps, (s,)) for s in
    (3600, -3600, -1700000000, 400000000)])


def continued(whom):
    r = quiet(fault='')
    fork_servers = r.workers()
    pids = {'engine': [r.pid], 'workers': fork_servers + r.children(),
            'all': [r.pid] + fork_servers + r.children()}[whom]
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    # The stop itself: it lasts longer than what is done each second.
    time.sleep(3)
    for pid in pids:
        try:
            os.kill(pid, signal.SIGCONT)
        except ProcessLookupError:
            pass
    before = r.calls
    wait_for(lambda: r.calls > before, 'executions')
    r.signal(signal.SIGINT)
    r.end(0)
    r.no_findings()


row('B21', 'everything is stopped for a while and goes on',
    Way('the engine', continued, ('engine',)),
    *shown_by('run_stop.py', 'stopped_and_continued'))

# ---- what the machine has not

def changed(change, *options, fault='abort', command=CFUZZ, out='out',
            target=None, env=None):
    """A campaign whose process `change` changes before it begins."""
    os.makedirs('probe', exist_ok=True)
    done = subprocess.run(
        [command, 'run', '-o', out, *options, '--seeds',
         seeds([b'GGGG', b'FFFF']), target or fault_target()],
        preexec_fn=change, capture_output=True, text=True,
        stdin=subprocess.DEVNULL, timeout=60,
        env=dict(env or os.environ, FAULT=fault,
                 PROBE=os.path.abspath('probe')))
    gone(None)
    return done, done.stdout + done.stderr


def few_descriptors(n):
    done, said = changed(limits(NOFILE=n), '-j', '2', '--fuzztime', '2000x')
    if n >= 64:
        equal(done.returncode, 1, 'exit status (%s)' % said)
        return
    check(done.returncode in (1, 2, 3), 'exit status %d: %s',
          done.returncode, said)
    if done.returncode != 1 or 'crash:' not in said:
        check(done.returncode != 1, 'status 1 without a finding: %s', said)
        check(re.search('descriptor|open files|ulimit', said),
              'the limit is not named: %s', said)


row('B22', 'few descriptors', *[
    Way('%d descriptors' % n, few_descriptors, (n,))
    for n in (64, 48, 32, 16, 8, 5)])


# n processes: the exit status, and why it is not 0. Two are the engine and its
# thread that writes, a third is a worker, which cannot fork then.
FEW_PROCESSES = {
    1: (2, 'cannot start the thread that writes files: %s; or Cannot allocate '
        'memory\n'),
    2: (2, 'no worker is left: cannot start a process: %s\n'),
    3: (3, 'the worker cannot fork: %s, or run fewer workers\n'),
    12: (0, ''),
}


def few_processes(n):
    # The system counts all processes of a user, so it is one that has none.
    user = random.randrange(100000, 1 << 31)

    def few():
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
        resource.setrlimit(resource.RLIMIT_NPROC, (n, n))
    for path in ('.', '..'):
        os.chmod(path, 0o777)
    for name in ('probe', 'place'):
        os.mkdir(name)
        os.chmod(name, 0o777)
    for name, path in (('mine', CFUZZ), ('target', fault_target())):
        shutil.copy(path, name)
        os.chmod(name, 0o755)
    try:
        done, said = changed(
            few, '-j', '2', '--fuzztime', '500x', fault='', out='place/out',
            command=os.path.abspath('mine'), target='./target')
    except subprocess.SubprocessError as e:
        if isinstance(e, subprocess.TimeoutExpired):
            raise
        raise Skip('nobody may become another user here')
    status, why = FEW_PROCESSES[n]
    equal(done.returncode, status, 'exit status (%s)' % said)
    if why:
        limit = 'Resource temporarily unavailable; `ulimit -u` is %d: raise it' % n
        check(why % limit in said, 'the limit is not named: %s', said)
        # Each line that tells of it does so to its end.
        equal(said.count('Resource temporarily unavailable'),
              said.count(limit), 'lines that name the limit (%s)' % said)


row('B23', 'few processes', *[
    Way('%d processes' % n, few_processes, (n,)) for n in FEW_PROCESSES])


def no_memory(ever):
    n, failed = 1, 0
    while n < 20000:
        r, fired = shimmed(n, ever, what='SHIM_MALLOC')
        at = 'allocation %d: ' % n
        check(r.status in (0, 1, 2, 3), at + 'exit status %d: %s', r.status,
              r.describe())
        check(r.status != 1 or r.buckets(), at + 'nothing is there')
        for name, data in r.corpus().items() \
                if os.path.isdir('out/corpus') else ():
            check(sha(data).startswith(name), at + 'torn: %s', name)
        failed += fired
        if not fired:
            break
        n += 1 + n // 12
    check(failed > 20, 'only %d allocations failed', failed)


row('B24', 'no memory for the engine', Way('once', no_memory, (False,)),
    Way('for ever', no_memory, (True,)), limit=400)


def little_memory(kib):
    done, said = changed(limits(AS=kib << 10), '-j', '1', '--fuzztime', '500x',
                         fault='')
    check(done.returncode in (0, 2, 3), 'exit status %d: %s',
          done.returncode, said)
    check(done.returncode == 0 or re.search('memory|ulimit -v', said),
          'memory is not named: %s', said)


def no_shared_folder():
    if not ALONE:
        raise Skip('there is no namespace to change it in')
    subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=64k', 'small',
                    '/dev/shm'], check=True)
    env = {'FAULT': 'abort', 'TMPDIR': '/nowhere'}
    run(fault_target(), '--fuzztime', '2000x', '--minimizetime', '10x',
        env=env, status=1)


row('B25', 'little memory, no folder for temporary files', *[
    Way('%d MiB to map' % m, little_memory, (m << 10,))
    for m in (1000, 500, 100, 20)], way(no_shared_folder))


def in_locale(name):
    r = run(fault_target(), '--fuzztime', '1500x', '--minimizetime', '10x',
            '--seeds', seeds([b'GGGG', b'FFFF']),
            env={'FAULT': 'abort', 'LC_ALL': name, 'LANG': name}, status=1)
    check(r.stats['execs'] == 1500, 'numbers: %r', r.stats['execs'])


row('B26', 'languages and character sets', *[
    Way(n or 'none', in_locale, (n,)) for n in
    ('C', 'POSIX', 'de_DE.UTF-8', 'tr_TR.UTF-8', 'xx_XX', '')])


def without(*names):
    env = {k: v for k, v in os.environ.items() if k not in names}
    done, _ = changed(None, '-j', '1', '--fuzztime', '1500x', env=env)
    equal(done.returncode, 1, 'exit status (%s)' % done.stderr)


def no_folder_to_be_in():
    os.mkdir('gone')

    def vanish():
        os.chdir('gone')
        os.rmdir('../gone')
    done, _ = changed(vanish, '-j', '1', '--fuzztime', '1500x',
                      out=os.path.abspath('out'))
    check(done.returncode in (1, 2, 3), 'exit status %d (%s)',
          done.returncode, done.stderr)
    check(done.returncode == 1 or done.stderr, 'it does not say why')


def with_mask(mask):
    done, _ = changed(lambda: os.umask(mask), '-j', '1', '--fuzztime', '1500x')
    equal(done.returncode, 1, 'exit status (%s)' % done.stderr)
    r = Output('out')
    r.status = 1
    check_output(r)


row('B27', 'an environment without what is usual',
    Way('no HOME, PATH, TERM, USER', without,
        ('HOME', 'PATH', 'TERM', 'USER', 'LOGNAME', 'SHELL')),
    way(no_folder_to_be_in),
    Way('umask 0', with_mask, (0,)), Way('umask 0777', with_mask, (0o777,)))


def output_called(name):
    r = run(fault_target(), '--fuzztime', '1500x', '--minimizetime', '0',
            '--seeds', seeds([b'GGGG', b'FFFF']), out=name, env={'FAULT': 'abort'},
            status=1)
    check('\033' not in r.stdout + r.stderr, 'an escape is printed')
    check(not os.path.exists('RAN'), 'a name was run as a command')
    status, out = repro(r.target, r.bucket().path, env={'FAULT': 'abort'})
    equal(status, 1, 'status of cfuzz repro (%s)' % out)


def output_too_long():
    status, _, err = tool(CFUZZ, 'run', '--fuzztime', '10x', '-o',
                          '/'.join(['x' * 200] * 25), fault_target())
    check(status in (2, 3), 'exit status %d (%s)', status, err)
    equal(len(err.splitlines()), 1, 'lines (%s)' % err[:300])


row('B28', 'paths of all kinds', *[
    Way(ascii(n), output_called, (n,)) for n in
    ('with space', 'a;touch RAN', 'line\nbreak', '\033]0;x\007', '-o',
     '$(touch RAN)')], way(output_too_long))

# ---- workers


def storm():
    # As many deaths as there can be: all are buried.
    r = Watched('every input exits', '-j', '2', '--fuzztime', '2000x',
                '--verify', '0', '--minimizetime', '0')
    most = []

    def count():
        dead = [p for p, w in processes().items() if w[1] == 'Z' and
                w[0] != os.getpid()]
        most.append(len(dead))
        return False
    r.watch(count).over((1, 2))
    check(max(most) < 20, '%d are not buried', max(most))


row('B29', 'thousands of deaths', way(storm))


def worker_dies():
    r = quiet('-j', 2, fault='')
    for _ in range(3):
        fork_servers = r.workers()
        os.kill(fork_servers[0], signal.SIGKILL)
        wait_for(lambda: len(r.workers()) == 2 and
                 fork_servers[0] not in r.workers(), 'another worker')
    before = r.calls
    wait_for(lambda: r.calls > before, 'executions')
    r.signal(signal.SIGINT)
    r.end(0)


row('B30', 'a worker dies while it is written to', way(worker_dies))


def inherited():
    extra = os.open('.', os.O_RDONLY)
    os.set_inheritable(extra, True)
    r = start(fault_target(), '-j', 1, '--fuzztime', '2000x', '--seeds',
              seeds([b'GGGG', b'FFFF']), env={'FAULT': 'lists descriptors'},
              inherit=[extra])
    r.end(0)
    lines = sorted(set(r.logged('descriptors')))
    check(lines, 'nothing was listed')
    files = [n for n in lines if not re.match(
        r'\d+ (pipe:|socket:|anon_inode:|/memfd:|/dev/null|/proc/|.*/probe/)',
        n)]
    equal(files, [], 'what else the target has open')
    check(len(lines) < 24, 'many descriptors: %s', lines)


row('B31', 'what is open is not handed on', way(inherited))


def soak():
    # What it has open, its threads and processes do not grow with faults.
    seconds = float(os.environ.get('FAULTS_SOAK', '20'))
    r = Watched('crash by chance', '-j', '2', '--fuzztime',
                '%ds' % (seconds + 2), '--verify', '1', '--minimizetime',
                '5x')
    seen = []

    def look():
        try:
            fds = len(os.listdir('/proc/%d/fd' % r.pid))
            threads = len(os.listdir('/proc/%d/task' % r.pid))
        except OSError:
            return False
        seen.append((fds, threads, len(descendants(r.pid))))
        return False
    r.watch(look, patience=seconds + 60).over(1)
    early, late = seen[len(seen) // 4:len(seen) // 2], seen[-len(seen) // 4:]
    for n, what in enumerate(('descriptors', 'threads', 'processes')):
        check(max(s[n] for s in late) <= max(s[n] for s in early) + 4,
              '%s grew from %d to %d', what, max(s[n] for s in early),
              max(s[n] for s in late))
    quarter = len(r.memory) // 4
    check(max(r.memory[-quarter:]) < max(r.memory[quarter:2 * quarter]) +
          (16 << 10), 'memory grew: %s', r.memory[::20])


row('B32', 'faults for a while (FAULTS_SOAK seconds)', way(soak),
    limit=300 + int(float(os.environ.get('FAULTS_SOAK', '20'))))


def killed_while_resuming():
    many = {('%04d' % n): b'G%04d' % n for n in range(3000)}
    run(fault_target(), '--fuzztime', '3000x', '--seeds', seeds(many),
        env={'FAULT': ''})
    for delay in (0.0, 0.01, 0.03, 0.06, 0.1, 0.2):
        r = start(fault_target(), '--verify', '0', env={'FAULT': 'abort'})
        time.sleep(delay)
        r.signal(signal.SIGKILL)
        r.wait()
        gone(r)
    resumes()


def hang_while_stopping():
    r = quiet(fault='deaf loop')
    wait_for(lambda: os.path.exists('probe/first'), 'the fault')
    for _ in range(3):
        r.signal(signal.SIGINT)
        time.sleep(0.02)
    r.end((0))
    gone(r)


def no_files_allowed():
    probe = os.path.abspath('probe')
    os.makedirs(probe)
    done = subprocess.run(
        [CFUZZ, 'run', '-o', 'out', '-j', '1', '--fuzztime', '1500x',
         '--seeds', seeds([b'GGGG', b'FFFF']), fault_target()],
        preexec_fn=limits(FSIZE=0), capture_output=True, text=True,
        stdin=subprocess.DEVNULL, timeout=60,
        env=dict(os.environ, FAULT='abort', PROBE=''))
    gone(None)
    check(done.returncode in (2, 3), 'exit status %d: %s', done.returncode,
          done.stdout + done.stderr)
    check(re.search('file|disk|ulimit -f', done.stdout + done.stderr),
          'it does not say why: %s', done.stderr)


row('B33', 'two faults at a time', way(killed_while_resuming),
    way(hang_while_stopping), way(no_files_allowed),
    *shown_by('run_refusals.py', 'reserve_saves_findings'))


def engine_bug(signo):
    r = quiet(fault='abort')
    r.signal(signo)
    r.wait()
    check(r.status != 0, 'it says that all is well')
    gone(r)
    resumes()


row('B34', 'the engine itself crashes',
    Way('SIGSEGV', engine_bug, (signal.SIGSEGV,)),
    Way('SIGABRT', engine_bug, (signal.SIGABRT,)),
    *shown_by('console.py', 'engine_killed'))

"""Targets that misbehave: rows A1 to A68."""

from lab import *    # noqa: F401,F403

AFTER = 1000    # executions that there are after the fault


def kept(fault, classes, *options, status=1, limit=AFTER, env=None,
         first=True):
    """The input is kept, true and of its class; the campaign goes on."""
    r = Watched(fault, '--minimizetime', '20x', '--verify', '2', *options,
                env=env).past_the_fault(limit).over(status)
    is_kept(r, classes, first)
    fails_again(r, env)


def harmless(fault, *options, limit=AFTER, env=None, status=0):
    """It goes on as if nothing were; nothing false is kept."""
    r = Watched(fault, *options, env=env).past_the_fault(limit).over(status)
    r.no_findings()
    return r


def fault(name, classes, *options, **more):
    return Way(name, lambda: kept(name, classes, *options, **more))


def hang(name):
    return fault(name, 'hang', '--timeout', '150', '--minimizetime', '0',
                 '--verify', '1')


def benign(name, *options, **more):
    return Way(name, lambda: harmless(name, *options, **more))


# ---- crashes and exits

row('A1', 'signals of a crash',
    fault('null', 'SIGSEGV'), fault('abort', 'SIGABRT'),
    fault('SIGBUS', 'SIGBUS'), fault('divide', 'SIGFPE'),
    fault('illegal instruction', 'SIGILL|SIGTRAP'), core=True)
row('A2', 'a breakpoint', fault('SIGTRAP', 'SIGTRAP'))
row('A3', 'a forbidden system call', fault('SIGSYS', 'SIGSYS'))
row('A4', 'exit with status 0', fault('exit 0', 'exit 0'))
row('A5', 'exit with a status that other fuzzers use for themselves',
    fault('exit 1', 'exit 1'), fault('exit 70', 'exit 70'),
    fault('exit 77', 'exit 77'))
row('A6', 'the process ends without any handler',
    fault('_exit 0', 'exit 0'), fault('_exit 70', 'exit 70'),
    fault('exit_group', 'exit 0'), core=True)

# A signal that may come from outside as well: kept as a suspect, or, when it
# comes again by itself, as a finding.
row('A7', 'killed as by the kernel when memory is short',
    fault('SIGKILL', 'suspect|SIGKILL', status=(0, 1)), core=True)
row('A8', 'signals that mean something else to a fuzzer', *[
    fault(s, 'suspect|' + s, status=(0, 1)) for s in
    ('SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR1', 'SIGQUIT')],
    fault('SIGPIPE', 'SIGPIPE', status=(0, 1)), core=True)

# ---- hangs

row('A9', 'a loop without end', hang('busy loop'), core=True)
row('A10', 'a sleep without end', hang('pause'),
    hang('locked by itself'), core=True)
row('A11', 'a loop that hears no signal', hang('deaf loop'),
    core=True)
row('A12', 'a loop that takes away alarms',
    hang('loop, alarm ignored'), hang('loop, timer reset'),
    core=True)
row('A13', 'the target stops itself', fault('stopped', 'SIGSTOP'), core=True)


row('A14', 'reads standard input and the terminal',
    benign('reads standard input'))

# ---- starts


def no_start(name, *words, options=()):
    begin = time.monotonic()
    r = run(fault_target(), '-j', 1, '--fuzztime', '100x', *options,
            '--seeds', seeds([b'GGGG']), env={'FAULT': name}, status=2)
    check(time.monotonic() - begin < 60, 'refused after %d s',
          time.monotonic() - begin)
    for word in words:
        check(word in r.stdout + r.stderr, 'no "%s": %s', word, r.describe())
    equal(r.calls, 0, 'calls of the target')


def slow_start():
    r = Watched('start takes 4 seconds', '--fuzztime', '200x').over(0)
    r.no_findings()
    r.went_on(200)


row('A15', 'a start that never ends',
    Way('start never ends', lambda: no_start(
        'start never ends', 'start-timeout', 'last words of the start',
        options=('--start-timeout', '1000'))))
row('A16', 'a start that takes four seconds', way(slow_start))
row('A17', 'a start that fails', *[
    Way(name, no_start, (name, word, 'last words of the start'))
    for name, word in (('start crashes', 'aborted'), ('start exits', 'exit'),
                       ('start refused', 'LLVMFuzzerInitialize'))])

# ---- processes


def most_processes(name, most):
    """It goes on; at no time are there many processes."""
    r = Watched(name, '--fuzztime', '1000x')
    seen = []

    def look():
        seen.append(len(descendants(r.pid)))
        return False
    look()
    r.watch(look)
    r.over((0, 1))
    r.went_on(1000)
    check(max(seen) > 0, 'no process was seen')
    check(max(seen) <= most, 'up to %d processes', max(seen))
    return r


def strays(name):
    most_processes(name, 64 + 8).no_findings()


def becomes_daemon():
    r = most_processes('becomes a daemon', 64 + 8)
    is_kept(r, 'exit 0')


def fork_bomb():
    # However few rights there are: never more than 200 processes.
    def few():
        try:
            os.setgroups([])
            os.setgid(65534)
            os.setuid(65534)
        except OSError:
            pass    # one user of a namespace, whom the limit counts as well
        resource.setrlimit(resource.RLIMIT_NPROC, (200, 200))
    folder = os.getcwd()
    for path in folder, os.path.dirname(folder):
        os.chmod(path, 0o777)
    probe = os.path.abspath('probe')
    os.makedirs(probe)
    os.chmod(probe, 0o777)
    os.mkdir('place')
    os.chmod('place', 0o777)
    target = shutil.copy(fault_target(), 'bomb')
    os.chmod(target, 0o755)
    folder = seeds([b'GGGG'])
    process = subprocess.Popen(
        [os.path.abspath(shutil.copy(CFUZZ, 'cfuzz')), 'run', '-o', 'place/out', '-j', '1',
         '--fuzztime', '5s', '--timeout', '500', '--verify', '1',
         '--seeds', folder, './bomb'], preexec_fn=few,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, start_new_session=True,
        env=dict(os.environ, FAULT='fork bomb', PROBE=probe))
    try:
        said, _ = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        fail('the campaign does not end')
    check(process.returncode in (0, 1), 'exit status %d:\n%s',
          process.returncode, said)
    wait_for(lambda: reap() or not descendants(), 'the end of the storm',
             GONE_MAX)
    check(int.from_bytes(read('probe/bombs')[:8], sys.byteorder) > 20,
          'there was no storm:\n%s', said)


def kills_everybody():
    # Nobody can live through it: but what was found before is whole.
    if not ALONE:
        raise Skip('there is no namespace to keep it in')
    here = os.readlink('/proc/self/ns/pid')
    r = start(fault_target(), '-j', 1, '--seeds', seeds([b'GGGG']),
              env={'FAULT': 'kills everybody', 'FAULT_ALONE_IN': here})
    r.wait()
    equal(r.status, -9, 'how the engine ended')
    wait_for(lambda: reap() or not descendants(), 'the end of all', GONE_MAX)
    # And the directory can be used again.
    again = run(fault_target(), '--fuzztime', '100x', env={'FAULT': 'null'})
    check(again.corpus(), 'the corpus is gone')


row('A18', 'a child stays behind each execution',
    way(strays, 'stray child'), core=True)
row('A19', 'it stays in a session of its own',
    way(strays, 'stray in a session of its own'))
row('A20', 'the process replaces itself by a daemon',
    way(becomes_daemon))
row('A21', 'a fork bomb, limited to 200 processes', way(fork_bomb))
row('A22', 'a stray holds all that the crashing process had open',
    fault('stray holds all, crash', 'SIGABRT'), core=True)
row('A23', 'kills its parent',
    fault('kills its parent', 'suspect|SIGKILL', status=(0, 1), limit=100))
row('A24', 'kills its group, and everybody',
    fault('kills its group', 'suspect|SIGTERM', status=(0, 1), limit=300),
    way(kills_everybody))
row('A25', 'threads stay', benign('thread stays'),
    benign('64 threads stay', limit=300))


def late_crash():
    # Whichever ran when it came: a true one, or told as not reproducible.
    r = Watched('thread crashes later', '--fuzztime', '3s', '--minimizetime',
                '20x').over((0, 1))
    is_kept(r, 'SIGABRT', first=False)


row('A26', 'a thread crashes after the return', way(late_crash))

# ---- memory


def leak():
    # No input is to blame alone; and the end comes when it should.
    r = Watched('leaks 1 MiB', '--fuzztime', '2000x', '--rss-limit', '200',
                '--max-len', '256', '--finish-time', '2000').over((0, 1))
    for bucket in r.buckets():
        check(bucket.info['kind'] == 'oom', 'told as %s',
              bucket.info['kind'])
        check(bucket.info['state'] != 'confirmed' or bucket.has('sequence'),
              'one input is blamed')
    r.went_on(2000)


row('A27', 'each execution loses a megabyte', way(leak))
row('A28', 'takes all memory',
    fault('takes all memory', '^oom', '--rss-limit', '300', '--timeout',
          '10000', '--minimizetime', '0'),
    fault('grows slowly', '^oom', '--rss-limit', '100', '--timeout', '5000',
          '--verify', '1', '--minimizetime', '0'))
row('A29', 'a stack without end', fault('recursion', 'SIGSEGV'),
    fault('recursion, small signal stack', 'SIG(SEGV|ABRT|ILL)'),
    fault('handler recurses', 'SIGSEGV'))

# ---- descriptors

row('A30', 'closes descriptors 0 to 1023', benign('closes 0 to 1023'),
    core=True)
row('A31', 'closes all descriptors from 3 on',
    
    # It goes on, so it is another that runs when that is seen.
    fault('closes all from 3 on', 'suspect|slow|link', status=(0, 1), limit=100,
          first=False))


def junk():
    # Nobody believes it, and it goes on.
    r = Watched('junk on all descriptors', '--fuzztime', '300x').over((0, 1))
    r.went_on(300)
    for what, data in kept_inputs(r):
        check(what in ('suspect', 'slow'), 'told as %s', what)


def flood():
    r = Watched('8 MiB of output', '--fuzztime', '60x').over(0)
    r.no_findings()
    r.went_on(60)


row('A32', 'writes junk to all descriptors', way(junk))
row('A33', 'sixteen megabytes of output in each execution',
    way(flood), core=True)
row('A34', 'escape sequences in the output',
    benign('escapes in the output'),
    fault('escapes and a crash', 'SIGABRT'))

# ---- surroundings

row('A35', 'changes the folder', fault('chdir, crash', 'SIGABRT'))
row('A36', 'changes the root', fault('chroot, crash', 'SIGABRT'))
row('A37', 'a mask that forbids everything',
    fault('umask 0777, crash', 'SIGABRT'))
row('A38', 'limits that leave nothing',
    fault('no room for files, crash', 'SIGABRT'),
    fault('no descriptors, crash', 'SIGABRT'))
row('A39', 'another user', fault('another user, crash', 'SIGABRT'))
row('A40', 'handlers of crash signals are changed',
    fault('crash signals ignored', 'SIGSEGV'),
    fault('crash signals reset', 'SIGSEGV'),
    fault('crash handler exits', 'exit 0|SIGSEGV'),
    benign('crash handler jumps back'))
row('A41', 'a crash with all signals blocked',
    fault('all signals blocked, crash', 'SIGSEGV'))
row('A42', 'all signals blocked, nothing else',
    benign('all signals blocked'))

# ---- the input, and shared memory

row('A43', 'writes into its input',
    fault('writes into its input', 'input|SIGSEGV'))
row('A44', 'looks at the input of the call before',
    fault('keeps its input', 'SIGSEGV', limit=500, first=False))


def wild(name, *allowed):
    """What is called reproducible is what failed; numbers stay true."""
    r = Watched(name, '--fuzztime', '500ms', '--verify', '2',
                '--minimizetime', '20x').over((0, 1))
    for bucket in r.buckets():
        check(bucket.info['state'] != 'confirmed' or
              bucket.input[:1] == b'F', 'a false finding: %s %r',
              bucket.folder, bucket.input)
        check(bucket.input != b'', 'an empty input')
        check(not re.match('Z+$', bucket.input.decode('latin-1')),
              'the scribble is kept as input')
    check(r.stats['execs'] < 100 * max(r.calls, 1000),
          '%d executions are told, there were %d', r.stats['execs'], r.calls)
    if allowed:
        check(kept_inputs(r), 'nothing is kept: %s', r.describe())
        is_kept(r, allowed[0])


def memory_cut():
    r = harmless('shared memory cut', limit=300)
    equal(r.number('cut'), 0, 'pieces of memory that were cut')


def coverage_claims(name, most):
    """Coverage that nobody can have again does not fill the corpus."""
    r = Watched(name, '--fuzztime', '4000x').over(0)
    r.no_findings()
    r.went_on(4000)
    check(len(r.corpus()) <= most, '%d inputs in the corpus',
          len(r.corpus()))


row('A45', 'a wild write over all copies of the input, then a crash',
    way(wild, 'wild write, crash', 'SIGABRT|suspect'))
row('A46', 'the head of shared memory is overwritten', *[
    way(wild, name) for name in
    ('shared counts overwritten', 'shared head overwritten',
     'shared head random', 'shared memory random', 'shared memory zeroed')],
    core=True)
row('A47', 'shared memory is cut off', way(memory_cut),
    core=True)
row('A48', 'coverage is claimed', way(coverage_claims, 'coverage full', 100),
    way(coverage_claims, 'coverage random', 400))

# ---- the pipe


def junk_at_start():
    r = run(fault_target(), '-j', 1, '--fuzztime', '100x', '--start-timeout',
            '1000', '--seeds', seeds([b'GGGG']),
            env={'FAULT': 'junk at the start'}, status=2)
    no_residue()
    check('start' in r.stdout + r.stderr, 'it is not told: %s', r.describe())


def half_a_reply():
    # No reply comes: a hang, or a link that is lost.
    r = Watched('half a reply', '--fuzztime', '300x', '--minimizetime',
                '0').over((0, 1))
    is_kept(r, 'hang|suspect')
    r.went_on(300)


row('A49', 'junk on the pipe, before the first answer and later',
    way(junk_at_start), way(junk),
    Way('64 MiB of brackets', lambda: Watched(
        '64 MiB of brackets', '--fuzztime', '100x', '--timeout',
        '5000').over((0, 1)).went_on(100)))
row('A50', 'forged replies',
    benign('forged replies', limit=500))
row('A51', 'half a reply, and a pipe that is read by the wrong one',
    way(half_a_reply), benign('reads the fuzzer\'s pipes',
                              limit=300))

# ---- chance


def by_chance():
    r = Watched('crash by chance', '--fuzztime', '2000x', '--minimizetime',
                '20x').over(1)
    bucket = r.bucket()
    check(bucket.input[:1] == b'F', 'a wrong input')
    info = bucket.info
    check(info['state'] in ('flaky', 'confirmed'), 'state %s', info['state'])
    check(info['state'] != 'flaky' or 0 <= info['reproduced'] < 5,
          'replays that failed: %r', info['reproduced'])


def call_500():
    # Not called reproducible by one input; in a row with others it is.
    r = Watched('crash of call 500', '--fuzztime', '8000x', '--max-len', '256',
                '--minimizetime', '2s', '--finish-time', '2000',
                files=[b'G' * 128]).over(1)
    bucket = r.bucket()
    check(bucket.info['state'] != 'confirmed' or bucket.has('sequence'),
          'one input is blamed')
    r.went_on(8000)


def one_bug():
    r = Watched('one bug, many inputs', '--fuzztime', '4000x',
                '--minimizetime', '20x').over(1)
    bucket = r.bucket()
    check(bucket.info['count'] > 3, 'seen %d times', bucket.info['count'])
    more = os.path.join(bucket.path, 'more')
    check(not os.path.isdir(more) or len(os.listdir(more)) <= 9,
          'more than ten files')


def clock_coverage():
    r = Watched('coverage by the clock', '--fuzztime', '4000x').over(0)
    check(r.stats['stability'] < 100 or r.stats['counters_masked'] > 0,
          'it is called stable')
    check(len(r.corpus()) < 100, '%d inputs in the corpus',
          len(r.corpus()))


def library_later():
    library = compile_once('library.so', os.path.join(BUILD, 'cfuzz-cc'),
                           [os.path.join(FAULTS, 'library.c')],
                           ('-shared', '-fPIC'))
    r = Watched('library loaded later', '--fuzztime', '3000x',
                env={'FAULT_LIBRARY': library}).over(0)
    r.no_findings()
    r.went_on(3000)


def dies_minimizing():
    # The first is on the disk before; what else fails is kept apart.
    r = Watched('smaller ones fail otherwise', '--fuzztime', '6000x',
                '--minimizetime', '60x', '--verify', '1', '--timeout', '500',
                files=[b'F' * 20]).over(1)
    whats = sorted(b.info['what'] for b in r.buckets())
    check('SIGABRT' in whats, 'the first is not kept: %s', whats)
    for bucket in r.buckets():
        check(bucket.info['what'] != 'SIGABRT' or len(bucket.input) >= 8,
              'a wrong input')


def failing_corpus(name, classes):
    # The very first inputs fail: findings like others.
    r = Watched(name, '--fuzztime', '800x', '--minimizetime', '0', '--verify',
                '1', files=[b'FFFF', b'GGGG']).over(1)
    is_kept(r, classes)
    r.went_on(800)


def every_input(name, classes):
    r = Watched(name, '--fuzztime', '300x', '--minimizetime', '5x',
                '--verify', '1').over((1, 2))
    is_kept(r, classes, first=False)


row('A52', 'a crash by chance', way(by_chance))
row('A53', 'a crash of the 500th call only', way(call_500))
row('A54', 'one bug, many inputs', way(one_bug))
row('A55', 'coverage that depends on the clock', way(clock_coverage))
row('A56', 'a library with counters is loaded later', way(library_later))
row('A57', 'other failures while one is made smaller', way(dies_minimizing))
row('A58', 'inputs to begin with fail',
    way(failing_corpus, 'abort', 'SIGABRT'),
    way(failing_corpus, 'busy loop', 'hang'))
row('A59', 'every input fails',
    way(every_input, 'every input crashes', 'SIGABRT'),
    way(every_input, 'every input exits', 'exit 0'))

# ---- sanitizers, languages, programs

row('A60', 'a sanitizer that reports and goes on',
    *shown_by('run_failures.py', 'undefined_behaviour'))
row('A61', 'sanitizers and limits of memory', *shown_by(
    'run_failures.py', 'address_sanitizer[clang]', 'much_memory'))


def exception():
    source = os.path.abspath('exception.cc')
    write(source, '''#include <stdint.h>
#include <stdexcept>
extern "C" int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 0 && data[0] == 'F')
		throw std::runtime_error("a word");
	return 0;
}
''')
    done = tool(os.path.join(BUILD, 'cfuzz-c++'), '-g', '-O1', '-o', 'thrower',
                source, env={'CFUZZ_QUIET': '1'})
    equal(done[0], 0, 'status of cfuzz-c++ (%s)' % done[2])
    r = Watched('', '--fuzztime', '800x', '--minimizetime', '0',
                target=os.path.abspath('thrower')).over(1)
    equal(r.bucket().info['what'], 'SIGABRT', 'what it is')


row('A62', 'ways out of a call that are none',
    fault('jumps out of the call', '', first=True),
    fault('main thread ends', 'exit 0|hang|SIG', limit=500),
    way(exception))
row('A63', 'a target without instrumentation',
    *shown_by('run_coverage.py', 'without_instrumentation'))
row('A64', 'files that are no programs',
    *shown_by('run_refusals.py', 'bad_target', 'bad_target_name'))
row('A65', 'programs that are no targets, or of another version',
    *shown_by('run_refusals.py', 'bad_target[static]',
              'bad_target[other-version]'))
row('A66', 'the target is built again while it runs',
    *shown_by('run_names.py', 'another_file'))


def no_core():
    # Whatever the user's limit is: a crash writes no file of its own.
    shutil.copy(fault_target(), 'target')
    before = set(os.listdir('.'))
    r = Watched('null', '--fuzztime', '1000x', '--minimizetime', '0',
                target=os.path.abspath('target')).over(1)
    left = [n for n in set(os.listdir('.')) - before
            if n not in ('out', 'probe', 'seeds') and n[0] != '.']
    equal(left, [], 'files that came about')
    is_kept(r, 'SIGSEGV')


def sizes_at_the_edge():
    folder = seeds({'empty': b'', 'one': b'G', 'whole': b'G' * 1000,
                    'more': b'G' * 1001})
    with open(os.path.join(folder, 'giant'), 'wb') as f:
        f.truncate(1 << 30)
    r = Watched('', '--fuzztime', '200x', '--max-len', '1000', '--seeds',
                folder, env={'FAULT': 'null'}).over((0, 1))
    equal(r.events('warm')[0]['inputs'], 3, 'inputs to begin with')
    check('--max-len' in r.stdout, 'what is too long is not told: %s',
          r.describe())


row('A67', 'memory images of crashes', way(no_core))
row('A68', 'inputs of no, of just the and of too much length',
    way(sizes_at_the_edge))

# What every fuzzer can be asked to survive: their inputs are kept, or they go
# on, and no process is left. Other fuzzers are measured by the same list.
COMMON = '''
null
abort
SIGBUS
divide
illegal instruction
SIGTRAP
SIGSYS
exit 0
_exit 0
exit_group
SIGKILL
SIGTERM
SIGINT
SIGUSR1
SIGPIPE
busy loop
pause
deaf loop
loop, alarm ignored
stopped
stray child
stray in a session of its own
becomes daemon
stray holds all, crash
kills its parent
kills its group
64 threads stay
late crash
leak
takes all memory
recursion
closes 0 to 1023
closes all from 3 on
junk
flood
chdir, crash
chroot, crash
umask 0777, crash
no room for files, crash
another user, crash
crash signals ignored
crash signals reset
all signals blocked, crash
all signals blocked
writes into its input
wild write, crash
call 500
'''.strip().split('\n')

for name in COMMON:
    ways = [w for r in ROWS for w in r.ways if w.name == name]
    ways[0].common = True

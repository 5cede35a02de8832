#!/usr/bin/env python3
"""What cannot work is refused: status 2 (3 for the disk), one sentence that
names the thing, nothing running, nothing left."""

import json
import os
import shutil
import signal
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403

GOOD = one_input('\tprobe_count();\n\tif (size > 2 && data[1] > 200)\n'
                 '\t\tabort();')


def refuse(words, names, status=2, env=None):
    """Each of names is in the one line on standard error."""
    got, out, err = tool(*words, env=env)
    lines = err.splitlines()
    equal(got, status, 'status of %s (%s)' % (' '.join(map(str, words)), err))
    equal(len(lines), 1, 'lines on standard error (%s)' % err)
    check(lines[0].startswith('cfuzz: '), 'who says it? %s', lines[0])
    for name in [names] if isinstance(names, str) else names:
        check(name in lines[0], 'no "%s": %s', name, lines[0])
    # The names in it are as long as they are.
    check(len(lines[0].replace(BUILD, '')) < 300, 'a long sentence: %s',
          lines[0])
    check('\033' not in err, 'an escape reaches the terminal: %r', err)
    equal(out, '', 'what it prints')
    return lines[0]


def no_output():
    left = [n for n in os.listdir('.') if n.endswith('.cfuzz') or n == 'out']
    equal(left, [], 'output directories')


def is_text(path):
    write(path, 'hello, this is no program\n' * 10)


def is_script(path):
    write(path, '#!/bin/sh\ntouch RAN\n')


def is_directory(path):
    os.mkdir(path)


def is_fifo(path):
    os.mkfifo(path)


def is_dangling(path):
    os.symlink('nowhere', path)


def is_empty(path):
    write(path, b'')


def is_good(path):
    shutil.copy(build(GOOD), path)


def is_cut(n):
    def make(path):
        write(path, read(build(GOOD))[:n])
    return make


def is_damaged(path):
    data = bytearray(read(build(GOOD)))
    # Tables behind the end of the file.
    data[32:40] = struct.pack('<Q', 1 << 40)
    data[40:48] = struct.pack('<Q', 1 << 40)
    write(path, bytes(data))


def is_other_machine(path):
    data = bytearray(read(build(GOOD)))
    data[18:20] = struct.pack('<H', 243)    # RISC-V
    write(path, bytes(data))


def is_32_bit(path):
    data = bytearray(read(build(GOOD)))
    data[4] = 1
    write(path, bytes(data))


def is_other_version(path):
    data = bytearray(read(build(GOOD)))
    at = data.find(b'1zfccfuzz\0')
    check(at > 0, 'the target has no note')
    at += 12
    data[at:at + 4] = struct.pack('<I', 77)
    write(path, bytes(data))


def is_libfuzzers(path):
    if shutil.which('clang') is None:
        raise Skip('no clang')
    write('one.c', one_input('').replace(HEAD, '#include <stddef.h>\n'
                                         '#include <stdint.h>\n'))
    done = subprocess.run(['clang', '-fsanitize=fuzzer', '-s', '-o', path,
                           'one.c'], capture_output=True)
    if done.returncode != 0:
        raise Skip('clang has no libFuzzer')


def is_not_executable(path):
    is_good(path)
    os.chmod(path, 0o644)


TARGETS_ = (
    ('missing', None, 'does not exist'),
    ('directory', is_directory, 'is a directory'),
    ('fifo', is_fifo, 'not a regular file'),
    ('dangling-link', is_dangling, 'does not exist'),
    ('not-executable', is_not_executable, 'not executable'),
    ('empty', is_empty, 'empty'),
    ('text', is_text, 'not a program'),
    ('script', is_script, 'script'),
    ('cut-at-3', is_cut(3), ''),
    ('cut-at-40', is_cut(40), 'cut off'),
    ('cut-at-200', is_cut(200), 'cut off'),
    ('cut-at-5000', is_cut(5000), 'cut off'),
    ('cut-at-20000', is_cut(20000), 'cut off'),
    ('damaged', is_damaged, 'damaged'),
    ('other-machine', is_other_machine, 'RISC-V'),
    ('32-bit', is_32_bit, '32-bit'),
    ('static', no_target, 'not built with cfuzz-cc'),
    ('libfuzzer', is_libfuzzers, 'cfuzz-cc -fsanitize=fuzzer -o'),
    ('other-version', is_other_version, 'protocol 77'),
)


@each(*TARGETS_)
def bad_target(make, want):
    # B98 and A64, A65 of old: not even started.
    if make:
        make('thing')
        if CURRENT[0] not in ('directory', 'dangling-link', 'fifo',
                              'not-executable'):
            os.chmod('thing', 0o755)
    write('input', 'x')
    for words in (['run', '--fuzztime', '1x', './thing'],
                  ['repro', './thing', 'input']):
        refuse([CFUZZ] + words, ['./thing', want])
        no_output()
        check(not os.path.exists('RAN'), 'it was run')


@case
def bad_target_name():
    # Names are bytes: no escape of theirs reaches the terminal.
    refuse([CFUZZ, 'run', './a\033[2Jb\nc'], 'does not exist')
    refuse([CFUZZ, 'run', ''], '')
    status, out, err = tool(CFUZZ, 'run', 'x' * 5000)
    equal((status, len(err.splitlines())), (2, 1), 'status, lines')
    no_output()


OPTIONS = (
    ('unknown', ['--nosuch'], '--nosuch'),
    ('mistyped', ['--fuzztme', '3s'], '--fuzztime'),
    ('letter', ['-x'], '-x'),
    ('no-argument', ['--fuzztime'], '--fuzztime'),
    ('of-the-console', ['--ascii'], 'cfuzz-tui'),
    ('parallel-0', ['--parallel', '0'], 'parallel'),
    ('parallel-word', ['--parallel', 'two'], 'parallel'),
    ('parallel-negative', ['-j', '-1'], 'parallel'),
    ('parallel-huge', ['-j', '99999999999999999999'], 'parallel'),
    ('parallel-257', ['-j', '257'], '256'),
    ('fuzztime-word', ['--fuzztime', 'soon'], 'fuzztime'),
    ('fuzztime-number', ['--fuzztime', '10'], '10s'),
    ('fuzztime-0', ['--fuzztime', '0s'], 'fuzztime'),
    ('fuzztime-0x', ['--fuzztime', '0x'], 'fuzztime'),
    ('fuzztime-overflow', ['--fuzztime', '9' * 30 + 'h'], 'fuzztime'),
    ('minimizetime', ['--minimizetime', '1y'], 'minimizetime'),
    ('timeout-0', ['--timeout', '0'], 'timeout'),
    ('timeout', ['--timeout', '1x'], 'timeout'),
    ('rss-limit', ['--rss-limit', '-5'], 'rss-limit'),
    ('max-len-0', ['--max-len', '0'], 'max-len'),
    ('max-len', ['--max-len', '1Q'], 'max-len'),
    ('max-len-huge', ['--max-len', '100G'], 'max-len'),
    ('seed', ['--seed', '0xyz'], 'seed'),
    ('schedule', ['--schedule', 'best'], 'schedule'),
    ('minimize-rule', ['--minimize-rule', 'some'], 'same-bucket'),
    ('verify', ['--verify', '1001'], 'verify'),
    ('flag-value', ['--stop-on-crash=maybe'], 'stop-on-crash'),
    ('dict-missing', ['--dict', 'no-such-file'], 'no-such-file'),
    ('dict-empty', ['--dict', 'empty.dict'], 'empty.dict'),
    ('dict-folder-level', ['--dict', '.@1'], 'no levels'),
    ('dict-device', ['--dict', '/dev/zero'], '/dev/zero'),
    ('seeds-missing', ['--seeds', 'no-such-folder'], 'no-such-folder'),
    ('seeds-odd', ['--seeds', '/dev/null'], '/dev/null'),
    ('debug', ['--debug=/no/such/folder/file'], '/no/such/folder/file'),
    ('output-file', ['-o', 'file'], 'file'),
    ('output-below-a-file', ['-o', 'file/out'], 'file/out'),
    ('output-dev', ['-o', '/dev/null'], '/dev/null'),
    ('output-proc', ['-o', '/proc/nothing'], '/proc/nothing'),
    ('output-full-of-others', ['-o', 'others'], 'others'),
    ('output-empty', ['-o', ''], 'output'),
)


@each(*OPTIONS)
def bad_option(words, want):
    # B74, B83, B97
    target = build(GOOD)
    write('file', 'mine')
    write('empty.dict', '# no word\n')
    write('others/letter.txt', 'dear diary')
    refuse([CFUZZ, 'run', '--fuzztime', '1x'] +
           words + ([] if CURRENT[0] == 'no-argument' else [target]), want)
    no_output()
    equal(read('file'), b'mine', 'the file in its place')
    equal(os.listdir('others'), ['letter.txt'], 'somebody else\'s folder')


@each(('value', ['--fuzztime', '2s'], '--fuzztime'),
      ('equals', ['--fuzztime=2s'], '--fuzztime'),
      ('letter', ['-j2'], '-j2'), ('flag', ['--no-leaks'], '--no-leaks'),
      ('other-front-end', ['--theme', 'dark'], '--theme'),
      ('help', ['--help'], '--help'),
      ('after-another', ['seeds', '-o', 'out'], '-o'))
def option_behind_the_target(words, want):
    # It would be the target's, and the run would not end.
    target = build(GOOD)
    for program in ([CFUZZ, 'run'], [os.path.join(BUILD, 'cfuzz-tui')]):
        status, out, err = tool(*program, target, *words)
        equal(status, 2, 'status of %s (%s)' % (program, err))
        equal(len(err.splitlines()), 1, 'lines on standard error')
        for name in (want, 'behind the target', '--'):
            check(name in err, 'no "%s": %s', name, err)
        no_output()


@case
def useless_dictionary():
    # No word of it can be used: the first line that is wrong is named.
    write('words', '\nbad="never ends\nworse=\n')
    refuse([CFUZZ, 'run', '--dict', 'words', build(GOOD)],
           ['words', 'line 2, column 16'])
    no_output()


@case
def malformed_dictionary():
    # The first ten lines that are wrong are named, the rest is used.
    bad = ['w%d="%s' % (n, 'x' * n) for n in range(13)]
    write('words', '\n'.join(['ok="fine"', ''] + bad + ['"good"', '']))
    r = run(build(one_input('')), '--fuzztime', '100x', '--dict', 'words',
            status=0)
    said = [n for n in r.stdout.splitlines() if 'dictionary' in n]
    equal(said, ['warning: dictionary words, line %d, column %d: the closing '
                 '" is missing' % (n + 3, len(bad[n]) + 1)
                 for n in range(10)] +
          ['warning: dictionary words: and 3 more'], 'what is said')
    equal([e['text'] for e in r.events('dictionary')],
          [n[len('warning: '):] for n in said], 'the events')


@case
def dictionary_folder():
    # A file is a word; what is too long for one is named.
    write('tokens/a', b'\x00\x01')
    write('tokens/long', 'x' * 129)
    r = run(build(one_input('')), '--fuzztime', '100x', '--dict', 'tokens',
            status=0)
    equal([e['text'] for e in r.events('dictionary')],
          ['dictionary tokens/long: a word has at most 128 bytes'],
          'the events')


@case
def unreadable_seeds():
    # For whoever is not root.
    if os.geteuid() == 0:
        raise Skip('root may read everything')
    os.mkdir('closed', 0o000)
    refuse([CFUZZ, 'run', '--seeds', 'closed', build(GOOD)], 'closed')
    no_output()


@each(('none', [], None), ('unknown', ['fuzzz', 'x'], 'fuzzz'),
      ('escape', ['\033[2J'], ''), ('run-alone', ['run'], 'target'),
      ('repro-alone', ['repro'], 'target'),
      ('repro-no-file', ['repro', './thing'], 'file'))
def bad_command(words, want):
    if want is None:
        status, out, err = tool(CFUZZ, *words)
        equal(status, 2, 'status')
        check('usage:' in err, 'no usage: %s', err)
        return
    refuse([CFUZZ] + words, want)


@case
def help_is_no_error():
    for words in (['--help'], ['help'], ['run', '--help'], ['--version'],
                  ['repro', '--help'], ['attach', '--help'],
                  ['attach', '--version']):
        status, out, err = tool(CFUZZ, *words)
        equal(status, 0, 'status of %s' % words)
        check(out and not err, 'nothing is said, or on standard error')
    check('--fuzztime' in tool(CFUZZ, 'run', '--help')[1], 'no options')


@case
def directory_of_another_target():
    # Nothing is touched, in neither direction.
    one, two = build(GOOD), build(GOOD.replace('200', '201'), name='other')
    r = run(one, '--fuzztime', '100x')
    before = {n: read(r.path(n)) for n in ('journal.jsonl', 'stats.json')}
    line = refuse([CFUZZ, 'run', '-o', 'out', two], ['out', 'another target'])
    check(one in line, 'the other target is not named: %s', line)
    for name, data in before.items():
        equal(read(r.path(name)), data, name)


@case
def directory_in_use():
    target = build(GOOD)
    r = start(target, '-j', 1, '--seeds', seeds([b'a']), '--verify', 0)
    r.wait_fuzzing()
    got, out, err = 0, '', ''
    done = subprocess.run([CFUZZ, 'run', '-o', 'out', target],
                          capture_output=True, text=True)
    equal(done.returncode, 2, 'status')
    check('in use' in done.stderr and str(r.pid) in done.stderr,
          'who uses it? %s', done.stderr)
    r.signal(signal.SIGINT)
    r.end()
    # A lock that nobody holds any more is none.
    r = start(target, '-j', 1, '--verify', 0)
    before = r.calls
    wait_for(lambda: r.calls > before, 'executions')
    r.signal(signal.SIGKILL)
    r.wait()
    nobody_left()
    run(target, '--fuzztime', '10x', '--verify', 0)


@case
def others_may_write():
    os.mkdir('out')
    os.chmod('out', 0o777)
    refuse([CFUZZ, 'run', '-o', 'out', build(GOOD)], ['out', 'chmod'])
    equal(os.listdir('out'), [], 'the directory')


@case
def somebody_else_owns_it():
    # Of a user: what is the system's. Root may use what is a user's.
    names = ['belongs to another user', '-o']
    if os.geteuid() != 0:
        refuse([CFUZZ, 'run', '-o', '/usr', build(GOOD)], names)
        return
    os.chmod('.', 0o755)
    for path in (CFUZZ, build(QUIET)):
        shutil.copy(path, '.')
    os.mkdir('out', 0o755)
    write('out/journal.jsonl', '')
    try:
        done = subprocess.run(
            ['./cfuzz', 'run', '-o', 'out', './target'], text=True,
            user=65534, group=65534, extra_groups=[],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
    except OSError as e:
        raise Skip('root is not free to be nobody: %s' % e)
    equal((done.returncode, done.stdout), (2, ''), 'status: ' + done.stderr)
    for name in names:
        check(name in done.stderr, 'no "%s": %s', name, done.stderr)
    equal((os.listdir('out'), read('out/journal.jsonl')),
          (['journal.jsonl'], b''), 'the directory')
    os.unlink('out/journal.jsonl')
    os.chmod('out', 0o700)
    os.chown('out', 65534, 65534)
    run('./target', '--fuzztime', '10x', status=0)


@case
def journal_is_something_else():
    for make in (os.mkdir, os.mkfifo, lambda p: os.symlink('/etc/passwd', p)):
        shutil.rmtree('out', ignore_errors=True)
        os.mkdir('out', 0o700)
        make('out/journal.jsonl')
        refuse([CFUZZ, 'run', '-o', 'out', build(GOOD)], 'journal.jsonl')


@case
def full_disk_at_the_start():
    with Disk('size=256k') as disk:
        disk.fill()
        r = run(build(GOOD), '--fuzztime', '10x', out='disk/out', status=3)
        equal(len(r.stderr.splitlines()), 1, 'lines (%s)' % r.stderr)
        check('disk/out' in r.stderr or 'space' in r.stderr,
              'what is full? %s', r.stderr)
        equal(r.calls, 0, 'calls of the target')


FINDS = fails_when_told('size > 2 && data[0] > 100', 'abort()')


def goes_bad(r, make_bad, why=': cannot '):
    """The disk fails while it runs; then there is something to be saved."""
    r.wait_fuzzing()
    make_bad()
    let_it_fail()
    wait_for(lambda: os.path.exists('probe/first'), 'a failure')
    r.wait_line('warning: the output directory %s%s' %
                (os.path.relpath(r.out), why))
    r.signal(signal.SIGINT)
    r.wait()
    nobody_left()
    equal(r.status, 3, 'exit status:%s' % r.describe())
    check(r.saved('first').hex() in r.stdout, 'the input is not told:%s',
          r.describe())
    check(r.said('SIGABRT'), 'the failure is not told:%s', r.describe())
    check(r.said('exit status 3'), 'the last line:%s', r.describe())


@case
def disk_becomes_full():
    with Disk('size=2m') as disk:
        r = start(build(FINDS), '-j', 1, '--verify', 0, '--minimizetime', 0,
                  '--max-len', 64, '--seeds', seeds([b'a']), out='disk/out')

        def fill():
            os.unlink('disk/out/.reserve')
            disk.fill()
        goes_bad(r, fill)
        for folder, _, files in os.walk('disk/out'):
            for name in files:
                # The empty input is one of the inputs that may be new.
                check(name.startswith('.') or 'more' in folder or
                      sha(b'').startswith(name) or
                      os.path.getsize(os.path.join(folder, name)) > 0 or
                      name == '.lock', 'a file without content: %s/%s',
                      folder, name)


@case
def directory_is_removed():
    r = start(build(FINDS), '-j', 1, '--verify', 0, '--minimizetime', 0,
              '--max-len', 64, '--seeds', seeds([b'a']), out='del')

    def remove():
        # The engine may write into it meanwhile.
        os.rename('del', 'gone')
        wait_for(lambda: shutil.rmtree('gone', ignore_errors=True) or
                 not os.path.exists('gone'), 'the end of the directory')
    goes_bad(r, remove,
             ' was removed; files in memory until the disk takes them: ')


@case
def findings_cannot_be_written():
    # B115: the failing input is printed, with the failure.
    r = start(build(FINDS), '-j', 1, '--verify', 0, '--minimizetime', 0,
              '--max-len', 64, '--seeds', seeds([b'a']))
    goes_bad(r, block_crashes)


LONG_FAILS = fails_when_told('size >= 1000', 'cfuzz_fail("price below 0")')


@each(('people', False), ('programs', True))
def long_input_cannot_be_written(json_lines):
    # B115: all its bytes, and the failure's text, also as an event.
    r = start(build(LONG_FAILS), '-j', 1, '--verify', 0, '--minimizetime', 0,
              '--seeds', seeds([b'a' * 1000]),
              *(['--json'] if json_lines else []))
    block_crashes()
    let_it_fail()
    wait_for(lambda: os.path.exists('probe/first'), 'a failure')
    r.signal(signal.SIGINT)
    r.wait()
    nobody_left()
    equal(r.status, 3, 'exit status:%s' % r.describe())
    data = r.saved('first')
    check(len(data) >= 1000, 'a short input')
    check(r.said(data.hex()), 'not all of its bytes are told')
    check(r.said('price below 0'), 'the failure is not told:%s', r.describe())
    if json_lines:
        lines = [json.loads(line) for line in r.stdout.splitlines()]
        (lost,) = [e for e in lines if e['event'] == 'unsaved']
        equal((lost['bytes'], lost['len']), (data.hex(), len(data)),
              'the event')
        check(lost['folder'].startswith('crashes/'), 'its folder: %s', lost)
        check('price below 0' in lost['text'], 'its text: %s', lost['text'])


@case
def reserve_saves_findings():
    # A full disk: the megabyte that was set aside is for findings.
    with Disk('size=3m') as disk:
        r = start(build(FINDS), '-j', 1, '--verify', 0, '--minimizetime', 0,
                  '--max-len', 64, '--seeds', seeds([b'a']), out='disk/out')
        r.wait_fuzzing()
        disk.fill()
        let_it_fail()
        wait_for(lambda: r.said('SIGABRT') or r.process.poll() is not None,
                 'the finding')
        r.signal(signal.SIGINT)
        r.wait()
        nobody_left()
        check(r.status in (1, 3), 'exit status %d:%s', r.status, r.describe())
        check(r.buckets(), 'nothing was saved:%s', r.describe())
        for bucket in r.buckets():
            check(bucket.input != b'', 'an empty input')


@case
def console_refuses():
    tui = os.path.join(BUILD, 'cfuzz-tui')
    if not os.path.exists(tui):
        raise Skip('there is no cfuzz-tui')
    for words, want in ((['--theme', 'no-such-theme', build(GOOD)],
                         'no-such-theme'),
                        (['./missing'], './missing'), (['--nosuch'],
                                                       '--nosuch')):
        status, out, err = tool(tui, *words)
        equal(status, 2, 'status (%s)' % err)
        check(want in err, 'no "%s": %s', want, err)


main()

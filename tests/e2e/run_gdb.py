#!/usr/bin/env python3
"""cfuzz repro --gdb: a finding in a debugger."""

import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403

CRASH = one_input('''
	if (size > 2 && data[1] == '!')
		abort();
	if (size > 2 && data[1] == '?')
		cfuzz_fail("what is %02x?", data[0]);''')
OVERFLOW = one_input('''
	volatile char *copy = malloc(4);

	copy[size] = 1;
	free((void *)copy);''')

# Writes down what it was given, in place of gdb.
FAKE = '''#!%s
import json, os, sys
with open(os.environ['SAID'], 'w') as f:
    json.dump({'argv': sys.argv[1:], 'env': dict(os.environ)}, f)
sys.exit(7)
''' % sys.executable


def fake(*words, env=None):
    """cfuzz repro --gdb with a fake gdb: (status, what it was given)."""
    write('bin/gdb', FAKE)
    os.chmod('bin/gdb', 0o755)
    status, out, err = tool(
        CFUZZ, 'repro', *words, env=dict(
            {'PATH': os.path.abspath('bin') + ':' + os.environ['PATH'],
             'SAID': os.path.abspath('said')}, **(env or {})))
    if not os.path.exists('said'):
        return status, err
    return status, json.loads(read('said'))


@each(('before', ['--gdb', '{t}', 'input']),
      ('behind', ['{t}', 'input', '--gdb']),
      ('option', ['--timeout', '5s', '--gdb', '{t}', 'input']))
def what_gdb_is_given(words):
    # The target with an absolute path behind it, at its start; gdb's own end
    # is ours.
    target = build(CRASH)
    write('input', b'a!aa')
    status, said = fake(*[w.replace('{t}', target) for w in words])
    equal(status, 7, 'status')
    argv = said['argv']
    equal(argv[argv.index('--args') + 1:],
          [target, os.path.realpath('input')], 'the program')
    check('run' in argv and 'break cfuzz_fail' in argv, 'commands: %s', argv)
    check('CFUZZ_WORKER' not in said['env'], 'a worker\'s environment')


@each(('cfuzz-cc', os.path.join(BUILD, 'cfuzz-cc')), ('cc', 'cc'))
def whole_program(compiler):
    # It reads standard input in gdb, too, as it does in `cfuzz repro`.
    write('prog.c', '#include <stdio.h>\nint main(void) {'
          ' return getchar() == 7; }\n')
    subprocess.run([compiler, '-o', 'prog', 'prog.c'], check=True,
                   env=dict(os.environ, CFUZZ_QUIET='1'))
    write('input', b'a')
    status, said = fake('--gdb', './prog', 'input')
    equal(status, 7, 'status: %s' % said)
    argv = said['argv']
    equal(argv[argv.index('--args') + 1:], [os.path.abspath('prog')],
          'the program')
    check('run < %s' % os.path.realpath('input') in argv, 'commands: %s', argv)
    _, said = fake('--gdb', './prog', 'input', '--', '-x', 'a b')
    check("run -x 'a b' < %s" % os.path.realpath('input') in said['argv'],
          'with arguments: %s', said['argv'])
    status, said = fake('--gdb', '--input-file', 'name', './prog', 'input')
    check('shell cp -- %s name' % os.path.realpath('input') in said['argv'],
          'commands: %s', said['argv'])


@case
def file_of_gdb():
    # The file of --input-file is gdb's, not that of what its program leaves.
    write('prog.c', 'int main(void) { return 0; }\n')
    subprocess.run(['cc', '-o', 'prog', 'prog.c'], check=True)
    write('input', b'a')
    os.mkfifo('end')
    words = ['--input-file', 'name', './prog', 'input']
    write('bin/gdb', '#!/bin/sh\n%s repro %s 2>said\n'
                     'cat end >left 2>&1 &\n' % (CFUZZ, ' '.join(words)))
    os.chmod('bin/gdb', 0o755)
    path = os.path.abspath('bin') + ':' + os.environ['PATH']
    subprocess.run([CFUZZ, 'repro', '--gdb', *words], check=True,
                   stdin=subprocess.DEVNULL, env=dict(os.environ, PATH=path))
    check(b'name is the file of another cfuzz' in read('said'), 'said: %s',
          read('said'))
    wait_for(lambda: subprocess.run(
        [CFUZZ, 'repro', *words], stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL).returncode == 0, 'the file')
    write('end', b'')
    nobody_left()


@case
def sanitizer_options():
    # A report stops the program; what the user set stays set.
    write('input', b'a')
    _, said = fake('--gdb', build(CRASH), 'input',
                   env={'ASAN_OPTIONS': 'abort_on_error=0:alloc_dealloc_'
                                        'mismatch=0:symbolize=0'})
    options = said['env']['ASAN_OPTIONS'].split(':')
    last = dict(o.split('=', 1) for o in options)
    for name, want in (('abort_on_error', '1'), ('halt_on_error', '1'),
                       ('symbolize', '1'), ('detect_leaks', '0'),
                       ('alloc_dealloc_mismatch', '0')):
        equal(last.get(name), want, name)
    check('abort_on_error=1' in said['env']['UBSAN_OPTIONS'], 'UBSan')


@case
def finding_s_folder():
    # Its smallest input, with the arguments of its campaign.
    target = build(CRASH)
    r = run(target, '-j', 1, '--fuzztime', '1x', '--verify', 1,
            '--minimizetime', 0, '--seeds', seeds([b'a!aa']),
            args=['one', 'two words'], status=1)
    path = os.path.realpath(r.bucket().path)
    for name in ('input', 'minimized'):
        write(os.path.join(path, name), b'a!a')
        _, said = fake('--gdb', target, path)
        argv = said['argv']
        equal(argv[argv.index('--args') + 1:],
              [target, 'one', 'two words', os.path.join(path, name)],
              'the program')


@case
def the_program_of_the_campaign():
    # The output directory stands for it, wherever gdb is started.
    shutil.copy(build(CRASH), 'prog')
    r = run('./prog', '-j', 1, '--fuzztime', '1x', '--verify', 1,
            '--seeds', seeds([b'a!aa']), status=1)
    path = os.path.realpath(r.bucket().path)
    os.mkdir('elsewhere')
    os.chdir('elsewhere')
    _, said = fake('--gdb', '../out', os.path.relpath(path))
    argv = said['argv']
    equal(argv[argv.index('--args') + 1], os.path.realpath('../prog'),
          'the program')
    os.remove('said')
    write('input', b'a!aa')
    status, said = fake('--gdb', '../out', 'input')
    equal(status, 2, 'status')
    check('which program' in said, 'said: %s', said)


@each(('two-files', ['--gdb', '{t}', 'input', 'input'], 'one file'),
      ('no-file', ['--gdb', '{t}'], 'name a target and a file'),
      ('not-there', ['--gdb', '{t}', 'nowhere'], 'nowhere'),
      ('no-input', ['--gdb', '{t}', '.'], '. is a folder without'),
      ('not-ours', ['--gdb', '{s}', 'input'], 'static'),
      ('a-name', ['--', '{t}', '--gdb'], '--gdb'))
def refused(words, want):
    # gdb is not started; behind "--" it is a file's name.
    if CURRENT[0] != 'no-input':
        write('input', b'a!aa')
    status, said = fake(*[w.replace('{t}', build(CRASH)).replace(
        '{s}', no_target()) for w in words])
    equal(status, 3 if CURRENT[0] == 'a-name' else 2, 'status')
    check(not os.path.exists('said'), 'it was started')
    if CURRENT[0] != 'a-name':
        check(want in said, 'does not say %s: %s', want, said)


@case
def not_installed():
    write('input', b'a!aa')
    os.mkdir('empty')
    status, out, err = tool(CFUZZ, 'repro', '--gdb', build(CRASH), 'input',
                            env={'PATH': os.path.abspath('empty')})
    equal(status, 2, 'status')
    check('gdb is not installed' in err, 'says %s', err)


def real(target, path, words=b'bt', args=()):
    """What the real gdb says, and at the end to these words."""
    if not shutil.which('gdb'):
        raise Skip('no gdb')
    done = subprocess.run(
        [CFUZZ, 'repro', '--gdb', target, path, *args],
        input=words + b'\nkill\nquit\n', stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, timeout=PATIENCE, env=dict(os.environ, HOME=os.getcwd(), TERM='dumb'))
    out = done.stdout.decode(errors='replace')
    if 'ptrace' in out:
        raise Skip('nothing may be traced here')
    nobody_left()
    return out


@each(('abort', CRASH, (), b'a!aa', 'SIGABRT'),
      ('cfuzz_fail', CRASH, (), b'a?aa', 'Breakpoint 1'),
      ('sanitizer', OVERFLOW, ('-fsanitize=address',), b'123456', 'SIGABRT'))
def stops_at_the_failure(source, flags, data, stop):
    # With the target's own frame on the stack.
    write('input', data)
    out = real(build(source, flags=flags), 'input')
    check(stop in out, 'it does not stop:\n%s', out)
    check(re.search(r'^#\d+ .*LLVMFuzzerTestOneInput', out, re.M),
          'no stack:\n%s', out)
    if flags:
        check('heap-buffer-overflow' in out, 'no report:\n%s', out)


DEEP = one_input('''
	if (size > 2)
		own_check(data);''', '''
static __attribute__((noinline)) void own_check(const uint8_t *data)
{
	if (data[1] == '!')
		abort();
}
''')


@case
def stops_at_a_signal_that_gdb_passes_on():
    # gdb leaves some signals to the program unless it is told otherwise.
    os.mkdir('found')
    write('found/input', b'a!aa')
    write('found/crash.json', b'{"kind": "killed", "what": "SIGALRM"}')
    out = real(build(DEEP.replace('abort()', 'raise(SIGALRM)').replace(
        'static', '#include <signal.h>\nstatic', 1)), 'found')
    check(re.search(r'^#\d+ .*own_check', out, re.M), 'no stop:\n%s', out)


@each(('exit', 'exit(3)'), ('_exit', '_exit(4)'), ('exit-0', 'exit(0)'))
def stops_at_an_exit(call):
    # With the frame that is at fault.
    os.mkdir('found')
    write('found/input', b'a!aa')
    write('found/crash.json', b'{"kind": "exit", "where": "own_check t.c:9"}')
    out = real(build(DEEP.replace('abort()', call), flags=('-g', '-O0')),
               'found', b'echo \\n')
    check(re.search(r'^#\d+ .* own_check \(', out, re.M), 'no stop:\n%s', out)


@case
def arguments_of_a_whole_program():
    # Behind its name, and the file is its standard input.
    write('prog.c', '''
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[2], "it's $HOME\\n") == 0 &&
		getchar() == 'a')
		abort();
	return 0;
}
''')
    subprocess.run(['cc', '-o', 'prog', 'prog.c'], check=True)
    write('input', b'a')
    out = real('./prog', 'input', args=('--', '-x', "it's $HOME\n"))
    check('SIGABRT' in out, 'it does not stop:\n%s', out)


@each(('finding', '{"where": "own_check t.c:9"}', 'own_check'),
      ('a-file', None, 'LLVMFuzzerTestOneInput'),
      ('not-on-the-stack', '{"where": "elsewhere"}', 'LLVMFuzzerTestOneInput'),
      ('no-name', '{"where": "1+system(0)"}', 'LLVMFuzzerTestOneInput'))
def shows_the_target_s_own_frame(info, want):
    # Where a library stopped it is of no use to anybody.
    os.mkdir('found')
    write('found/input', b'a!aa')
    if info:
        write('found/crash.json', info.encode())
    out = real(build(DEEP, flags=('-g', '-O0')), 'found/input', b'echo \\n')
    frames = re.findall(r'^#\d+ .*?(?: in )?(\w+) \(', out, re.M)
    check(frames and frames[-1] == want, 'it shows %s, not %s:\n%s', frames,
          want, out)
    check('system' not in out, 'it was given more than a name:\n%s', out)


main()

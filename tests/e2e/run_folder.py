#!/usr/bin/env python3
"""Tools run the target in the working directory of its campaign."""

# BEGUN FIRST
import json
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403
from ways import OPENED, source  # noqa: E402
from terminals import Session    # noqa: E402

# Both fail only where there is a file "conf".
NEEDS = '''	if (access(%s, R_OK) != 0)
		return 3;
'''
MAIN = NEEDS % 'argv[1]' + OPENED + '\tjudge(b, n);'
FUNCTION = '''	if (size > 1 && access("conf", R_OK) == 0 && data[1] == '!')
		%s;'''


def main_program(fault='abort()', flags=()):
    return build(source(MAIN, fault), name='prog', flags=flags)


def function(fault='abort()', flags=()):
    return build(one_input(FUNCTION % fault), name='prog', flags=flags)


def place(target):
    shutil.copy(target, 'prog')


def campaign(builder, args, *options):
    """In the folder "project", with all its files there; then in another."""
    write('project/conf', b'')
    os.mkdir('other')
    os.chdir('project')
    place(builder())
    r = run('./prog', '-j', 1, '--fuzztime', '10x', '--verify', 2,
            '--minimizetime', 0, '--seeds', seeds([b'B!']), *options,
            args=args, status=1)
    os.chdir('../other')
    return r


def check_again(*words, status):
    got, out, err = tool(CFUZZ, 'check', *words)
    equal(got, status, 'status of check:\n%s%s' % (out, err))
    return out


BOTH = (('main', main_program, ['conf', '@@']), ('function', function, []))


@each(*BOTH)
def elsewhere(builder, args):
    r = campaign(builder, args)
    bucket = r.bucket()
    os.chdir('../project')
    place(builder(flags=['-DANOTHER']))
    os.chdir('../other')
    check_again(r.out, status=1)
    status, out = repro('../project/prog', bucket.path)
    equal(status, 1, 'repro:\n%s' % out)
    check('working directory ' + os.path.abspath('../project') in out,
          'repro said:\n%s', out)
    status, out, err = tool(CFUZZ, 'min', '../project/prog', bucket.path,
                            '-o', 'small')
    equal(status, 0, 'min:\n%s%s' % (out, err))
    check(os.path.exists('small'), 'the result is not in our folder')
    # In a folder without the file nothing fails: the user's arguments are
    # relative to it.
    if args:
        status, out = repro('../project/prog', bucket.path + '/input', '--',
                            *args)
        equal(status, 0, 'with arguments of our own:\n%s' % out)
    os.chdir('../project')
    place(builder('(void)0'))
    os.chdir('../other')
    check('1 fixed' in check_again(r.out, status=0), 'not fixed')


@each(*BOTH)
def moved(builder, args):
    # The folder is where its target is now.
    campaign(builder, args)
    os.rename('../project', '../moved')
    out = check_again('../moved/out', '../moved/prog', status=1)
    check('still fails' in out, 'check said:\n%s', out)
    # Without the folder nothing is known.
    shutil.copytree('../moved/out', 'out')
    shutil.copy(main_program() if args else function(), '../prog')
    out = check_again('out', '../prog', status=3)
    check('no run failed, but ' + (
        "the campaign's working directory is gone" if args else
        'this is the build that failed') in out, 'check said:\n%s', out)


@case
def debugger():
    r = campaign(main_program, ['conf', '@@'])
    write('bin/gdb', '#!/bin/sh\npwd -P >"$SAID"\n')
    os.chmod('bin/gdb', 0o755)
    status, out, err = tool(
        CFUZZ, 'repro', '--gdb', r.out, '../project/out/' + r.bucket().folder,
        env={'PATH': os.path.abspath('bin') + ':' + os.environ['PATH'],
             'SAID': os.path.abspath('said')})
    equal(status, 0, 'gdb:\n%s%s' % (out, err))
    equal(read('said').decode().strip(), os.path.realpath('../project'),
          'the working directory')


def campaign_with_file():
    os.makedirs('project')
    os.mkdir('other')
    os.chdir('project')
    place(build(source(OPENED.replace('argv[argc - 1]', '"name"') +
                       '\tjudge(b, n);'), name='prog'))
    r = run('./prog', '--fuzztime', '10x', '--verify', 2, '--minimizetime', 0,
            '--seeds', seeds([b'B!']), '--input-file', 'name', status=1)
    check(not os.path.exists('name'), 'the file is left')
    os.chdir('../other')
    return r


@case
def input_file_of_the_campaign():
    # It is the one in the folder of the campaign, for gdb as well.
    r = campaign_with_file()
    write('name', b'ours')
    check_again(r.out, status=1)
    status, out = repro('../project/prog', r.bucket().path)
    equal(status, 1, 'repro:\n%s' % out)
    write('bin/gdb', '#!/bin/sh\ncp -- "$INPUT" "$NAME"\n')
    os.chmod('bin/gdb', 0o755)
    status, out, err = tool(
        CFUZZ, 'repro', '--gdb', r.out, r.bucket().path,
        env={'PATH': os.path.abspath('bin') + ':' + os.environ['PATH'],
             'INPUT': r.bucket().path + '/input',
             'NAME': os.path.abspath('../project/name')})
    equal(status, 0, 'gdb:\n%s%s' % (out, err))
    wait_for(lambda: not os.path.exists('../project/name'),
             'the end of the file')
    equal(read('name'), b'ours', 'the file in our folder')


@each(('there', '../project/name', False), ('of-earlier-version', 'name', True))
def file_of_the_user(name, forget):
    # A tool that was not told to lose a file does not.
    r = campaign_with_file()
    if forget:
        journal = r.journal
        for event in journal:
            event.pop('cwd', None)
        write(r.path('journal.jsonl'),
              ''.join(json.dumps(event) + '\n' for event in journal))
    write(name, b'ours')
    found = r.bucket().path
    rows = (['check', r.out],
            ['repro', '../project/prog', found],
            ['repro', '--gdb', '../project/prog', found],
            ['min', '../project/prog', found, '-o', 'small'],
            ['cmin', '../project/prog', r.out, '-o', 'few'],
            ['report', '--lcov', '-', r.out])
    for words in rows:
        status, out, err = tool(CFUZZ, *words)
        equal(status, 2, 'status of %s: %s%s' % (words, out, err))
        check('name exists, and cfuzz would replace' in err, '%s said: %s',
              words, err)
        equal(read(name), b'ours', 'the file after %s' % words)
    s = Session([TUI, r.out], columns=120)
    s.command('replay %s 3' % r.stats['findings'][0]['id'])
    s.expect('name exists, and cfuzz would replace')
    s.escape(3)
    s.key(b'q')
    s.end(1)
    s.close()
    equal(read(name), b'ours', 'the file after the replay')
    # It is lost where the user says so.
    words = ['--input-file', 'name']
    check_again(*words, r.out, status=1)
    check(not os.path.exists(name), 'the file is left')


@case
def report_covers_lines():
    r = campaign(main_program, ['conf', '@@'])
    here = tool(CFUZZ, 'report', '--lcov', '-', r.out)
    os.chdir('../project')
    there = tool(CFUZZ, 'report', '--lcov', '-', r.out)
    equal(here, there, 'the report')


@case
def replay_of_an_ended_campaign():
    r = campaign(main_program, ['conf', '@@'])
    s = Session([TUI, r.out], columns=120)
    s.command('replay %s 3' % r.stats['findings'][0]['id'])
    s.expect('3 of 3 failed again')
    s.escape(3)
    s.key(b'q')
    s.end(1)
    s.close()
    nobody_left()


main()

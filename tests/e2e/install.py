#!/usr/bin/env python3
"""An installation works where it lies, without the folder of the build, and
uninstall leaves what was there before."""

import os
import stat
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
import cfuzztest           # noqa: E402
from cfuzztest import *    # noqa: E402,F401,F403
from terminals import Session    # noqa: E402

DEMO = os.path.join(BUILD, 'demo')
# What there is below the prefix; folders of ours are in it, shared ones are not.
PROGRAMS = ('cfuzz', 'cfuzz-adapter', 'cfuzz-c++', 'cfuzz-cc', 'cfuzz-tui')
SHARED = {'bin', 'include', 'lib', 'share', 'share/man'}


def contents(folder):
    """Of the source: the names there."""
    return os.listdir(os.path.join(SRC, folder))


def wanted():
    pages = [n for n in contents('man') if n[-2:-1] == '.' and n[-1].isdigit()]
    return {'bin/' + n for n in PROGRAMS} | {
        'include/cfuzz', 'include/cfuzz/libhfuzz',
        'include/cfuzz/libhfuzz/libhfuzz.h', 'include/cfuzz.h',
        'include/cfuzz_value.h', 'lib/cfuzz', 'lib/cfuzz/demo',
        'lib/libcfuzz-crash.so', 'lib/libcfuzz-preload.so', 'lib/libcfuzz.a',
        'share/cfuzz', 'share/cfuzz/ci', 'share/cfuzz/themes',
        'share/cfuzz/grafana.json'} | {
        'share/cfuzz/ci/' + n for n in contents('man/ci')} | {
        'share/cfuzz/themes/' + n for n in contents('themes')} | {
        'share/man/man%s/%s' % (n[-1], n) for n in pages}


def make(what, *variables, mask=0o022):
    """make install or uninstall of what is built: nothing is built anew,
    however it was built."""
    if not shutil.which('make'):
        raise Skip('there is no make')
    if not os.path.exists(DEMO):
        raise Skip('there is no demo')
    env = {k: v for k, v in os.environ.items()
           if k not in ('MAKEFLAGS', 'MFLAGS', 'MAKELEVEL', 'DESTDIR')}
    done = subprocess.run(
        ['make', '-C', SRC, '-o', 'all', '-o', DEMO, 'BUILD=' + BUILD, what,
         *variables], env=env, stdin=subprocess.DEVNULL, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, umask=mask)
    equal(done.returncode, 0, 'make %s: %s' % (what, done.stdout))


def below(prefix):
    """{path: mode} of all that is there."""
    found = {}
    for folder, folders, files in os.walk(prefix):
        for name in folders + files:
            path = os.path.join(folder, name)
            found[os.path.relpath(path, prefix)] = os.lstat(path).st_mode
    return found


def is_shared(path):
    return path in SHARED or path.startswith('share/man/man') and \
        path.count('/') == 2


def install():
    """The prefix of an installation that has been moved as a whole, and what
    finds its programs."""
    make('install', 'DESTDIR=' + os.path.abspath('stage'))
    os.rename('stage/usr/local', 'moved')
    prefix = os.path.abspath('moved')
    path = [d for d in os.environ['PATH'].split(':')
            if os.path.realpath(d) != os.path.realpath(BUILD)]
    os.environ['PATH'] = ':'.join([prefix + '/bin'] + path)
    return prefix


def installed_run(prefix, target, *options, **more):
    """A campaign of the installed cfuzz."""
    before, cfuzztest.CFUZZ = cfuzztest.CFUZZ, prefix + '/bin/cfuzz'
    try:
        return run(target, '-j', 1, '--minimizetime', 0, *options, **more)
    finally:
        cfuzztest.CFUZZ = before


@each(('package', 'DESTDIR', 'place', 'usr/local'),
      ('home', 'PREFIX', 'place', ''),
      ('package with spaces', 'DESTDIR', 'a new place', 'usr/local'),
      ('home with spaces', 'PREFIX', 'a new place', ''))
def comes_and_goes(variable, place, where):
    # Whoever installs may have a mask that hides files from others. What was
    # there before stays, also in the folders of ours.
    place = os.path.abspath(place)
    prefix = os.path.join(place, where).rstrip('/')
    kept = {p: write(os.path.join(prefix, p), 'kept') for p in
            ('bin/other', 'lib/other', 'share/man/man1/other.1')}
    word = '%s=%s' % (variable, place)
    make('install', word, mask=0o077)
    found = below(prefix)
    equal({p for p in found if not is_shared(p)} - set(kept), wanted(),
          'the files')
    for path, mode in found.items():
        if path in kept or stat.S_ISLNK(mode):
            continue
        runs = stat.S_ISDIR(mode) or path.startswith('bin/') or \
            path == 'lib/cfuzz/demo'
        if not is_shared(path):
            equal('%o' % (mode & 0o777), '755' if runs else '644', path)
    equal(os.readlink(prefix + '/bin/cfuzz-c++'), 'cfuzz-cc', 'cfuzz-c++')
    make('install', word)
    make('uninstall', word)
    equal({p for p in below(place) if not is_shared(
        os.path.relpath(os.path.join(place, p), prefix)) and
        p not in ('usr', 'usr/local')},
        {os.path.join(where, p) for p in kept}, 'what is left')


@case
def takes_nothing_of_others():
    # Whatever the folder of the data is.
    place = os.path.abspath('place')
    words = ['PREFIX=' + place, 'DATADIR=%s/share' % place]
    for path in ('share/other/file', 'share/themes/other',
                 'include/cfuzz/other.h'):
        write(os.path.join(place, path), 'kept')
    make('install', *words)
    make('uninstall', *words)
    for path in ('share/other/file', 'share/themes/other',
                 'include/cfuzz/other.h'):
        check(os.path.exists(os.path.join(place, path)), '%s is gone', path)
    check(not os.path.exists(place + '/share/grafana.json'), 'there is data')


@case
def fuzzes():
    # The runtime and the header that cfuzz-cc takes are those beside it.
    prefix = install()
    write('target.c', '''
#include <cfuzz.h>
#include <stdlib.h>

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size > 2 && data[0] == 'a')
		cfuzz_fail("as it should");
	return 0;
}
''')
    os.environ['CFUZZ_QUIET'] = '1'
    shutil.copy('target.c', 'target.cc')
    for tool_, file in (('cfuzz-cc', 'target.c'), ('cfuzz-c++', 'target.cc')):
        name = './by-' + tool_
        status, _, err = tool(tool_, '-g', '-o', name, file)
        equal(status, 0, '%s: %s' % (tool_, err))
        r = installed_run(prefix, name, '--fuzztime', '20x', '--seeds',
                          seeds([b'abc']), out=tool_, status=1)
        equal(r.bucket().info['what'], 'error', 'the failure')
    os.unlink(prefix + '/lib/libcfuzz.a')
    status, _, err = tool('cfuzz-cc', '-o', 'none', 'target.c')
    if not os.path.exists('/usr/local/lib/libcfuzz.a'):
        equal(status, 2, 'status without a runtime')
        check('libcfuzz.a' in err, 'without a runtime: %s', err)


@case
def fuzzes_plain_programs():
    # The library that is loaded into them is in the folder lib.
    prefix = install()
    write('plain.c', '''
#include <stdio.h>
#include <stdlib.h>

int
main(int argc, char **argv)
{
	if (getchar() == 'a' && getchar() == 'b')
		abort();
	return 0;
}
''')
    subprocess.run(['cc', '-g', '-o', 'plain', 'plain.c'], check=True)
    r = installed_run(prefix, './plain', '--fuzztime', '20x', '--seeds',
                      seeds([b'ab', b'x']), status=1)
    equal(r.bucket().info['what'], 'SIGABRT', 'the failure')


@case
def shows_around():
    # Without a target, a tour has that of the demo.
    prefix = install()
    os.environ['CFUZZ_QUIET'] = '1'
    t = Session([prefix + '/bin/cfuzz-tui', '--tour', '-j', '1'])
    t.shows('tour 1 of 8')
    t.quit()
    equal(os.path.realpath(json.loads(read('demo-tour.cfuzz/stats.json'))[
        'target']), os.path.realpath(prefix + '/lib/cfuzz/demo'), 'the target')


main()

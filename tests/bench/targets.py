"""Sources of targets, and how each tool builds them."""

import glob
import os
import shlex
import shutil
import subprocess
import sys

from settings import BUILD, DIR, HERE, REAL, SOURCES, Skip

# What is compiled of a library, from its package's folder on. Seeds of hash
# tables are fixed, so that an input takes the same way each time.
LIBRARIES = {
    'cjson': {
        'package': 'cjson', 'files': ['cJSON.c'], 'include': ['.'],
        'flags': []},
    'yaml': {
        'package': 'libyaml', 'files': ['src/*.c'],
        'include': ['include', 'src'],
        'flags': ['-DYAML_VERSION_STRING="0"', '-DYAML_VERSION_MAJOR=0',
                  '-DYAML_VERSION_MINOR=0', '-DYAML_VERSION_PATCH=0']},
    'expat': {
        'package': 'expat', 'files': ['expat/lib/xml%s.c' % part for part in
                                      ('parse', 'role', 'tok')],
        'include': ['expat/lib'], 'flags': ['-I' + HERE + '/config']},
    'lua': {
        'package': 'lua5.4', 'files': ['src/%s.c' % part for part in (
            'lapi lauxlib lcode lctype ldebug ldo ldump lfunc lgc llex lmem '
            'lobject lopcodes lparser lstate lstring ltable ltm lundump lvm '
            'lzio').split()],
        'include': ['src'], 'flags': ['-I' + HERE + '/config',
                                      '-Dluai_makeseed(L)=0']},
}

# compiler with its flags, file of ours that is linked in
TOOLS = {
    'cfuzz': ([os.path.join(BUILD, 'cfuzz-cc')], None),
    'libfuzzer': (['clang', '-fsanitize=fuzzer'], None),
    'afl': (['afl-clang-fast', '-fsanitize=fuzzer'], None),
    'edges': (['clang', '-fsanitize-coverage=trace-pc-guard'], 'edges'),
}

PEERS = ('libfuzzer', 'afl')

built = {}


def build(command, may_fail=False):
    environment = dict(os.environ, AFL_QUIET='1')
    done = subprocess.run(command, stdout=subprocess.PIPE, env=environment,
                          stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0 and may_fail:
        raise Skip(command[0] + ' failed: ' + done.stdout[-500:])
    if done.returncode != 0:
        sys.exit('bench: failed: %s\n%s' % (shlex.join(command), done.stdout))


def fresh(name):
    path = os.path.join(DIR, name)
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    return path


def sources(name):
    """Flags and files of the target `name`."""
    library = LIBRARIES.get(name)
    if library is None:
        return [os.path.join(HERE, name + '.c')]
    home = os.path.join(SOURCES, library['package'])
    if not os.path.isdir(home):
        raise Skip('no sources of ' + name)
    files = [path for pattern in library['files']
             for path in sorted(glob.glob(os.path.join(home, pattern)))]
    return (library['flags'] +
            ['-I' + os.path.join(home, folder) for folder in
             library['include']] + [os.path.join(REAL, name + '.c')] + files)


def helper(name):
    """A file of ours that no tool instruments, as an object."""
    path = os.path.join(DIR, name + '.o')
    if path not in built:
        build(['clang', '-O2', '-g0', '-D_GNU_SOURCE', '-c',
               os.path.join(HERE, name + '.c'), '-o', path])
        built[path] = True
    return path


def target(name, tool='cfuzz', flags=('-O2', '-g'), kind='', helpers=()):
    """The path of the program; kind tells builds with other flags apart."""
    path = os.path.join(DIR, '.'.join(filter(None, [
        name.replace('/', '-'), tool, kind])))
    compiler, own = TOOLS[tool]
    if not shutil.which(compiler[0]):
        raise Skip(compiler[0] + ' is not installed')
    if path not in built:
        objects = [helper(h) for h in helpers + ((own,) if own else ())]
        # -lm: printing of floating point numbers asks for it.
        build(compiler + list(flags) + sources(name) + objects +
              ['-lm', '-o', path], tool in PEERS)
        built[path] = True
    return path


def asan(name):
    return target(name, flags=('-O1', '-g', '-fsanitize=address'),
                  kind='asan')

#!/usr/bin/env python3
"""Breaks the product on purpose, and sees that its tests notice.

The files tests/mutants/*.list hold mutants: small changes that are wrong. Each
names the tests that must fail with it:

    what:  an execution limit is one too high
    file:  src/engine/schedule/schedule.c
    test:  unit engine/schedule/test_schedule test_limits
    test:  e2e run_limits exact
    -	if (left == 0)
    +	if (left == 1)

Lines of "-" are looked for in the file, as they stand, and replaced by those of
"+". They must occur once. A line of "=" separates several such changes of one
file. `test: e2e NAME CASE` runs the cases of tests/e2e/NAME.py whose names
contain CASE; of `test: unit NAME CASE` that case has to be among those that fail.

All this happens in a copy of the tree, so the checkout and its build stay as they
are. After a mutant its copy is put back, with the times of all files, so the next
one builds only what it changes itself. What was seen is remembered until product
or test change: a run that was interrupted goes on where it stood.

usage: run.py [--check] [--again] [WORD]...
  --check    only see that each mutant still applies; builds nothing
  --again    forget what earlier runs have seen
  WORD       only mutants whose list, file or description contains it
V=1 shows the last lines of each test that failed.
"""

import ctypes
import glob
import hashlib
import json
import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SRC = os.path.dirname(os.path.dirname(HERE))
TREE = os.path.join(SRC, 'build', 'mutants')
BUILT = os.path.join(TREE, 'build')
KEPT = TREE + '.built'      # what the unchanged product was built to
SEEN = TREE + '.seen'       # what earlier runs have seen
PRODUCT = ('src/', 'ui/', 'include/', 'themes/', 'Makefile')


class Mutant:
    def __init__(self, place):
        self.place = place
        self.what = self.file = ''
        self.tests, self.changes = [], [([], [])]

    def add(self, line):
        key, _, value = line.partition(':')
        if line[:1] == '-':
            self.changes[-1][0].append(line[1:])
        elif line[:1] == '+':
            self.changes[-1][1].append(line[1:])
        elif line == '=':
            self.changes.append(([], []))
        elif key in ('what', 'file'):
            setattr(self, key, value.strip())
        elif key == 'test':
            self.tests.append(tuple(value.split(None, 2)))
        else:
            raise SystemExit('%s: what is "%s"?' % (self.place, line))

    def source(self):
        return read(self.file)

    def complaint(self):
        """Why it cannot be tried, or None."""
        if not (self.what and self.file and self.tests and
                all(old for old, _ in self.changes)):
            return 'it lacks what, file, test or a line of -'
        if not os.path.exists(self.file):
            return 'there is no %s' % self.file
        text = '\n' + self.source()
        for old, _ in self.changes:
            found = text.count(block(old))
            if found != 1:
                return '"%s" stands %d times in %s' % (old[0].strip(), found,
                                                       self.file)
        for test in self.tests:
            if not os.path.exists(test_file(test)):
                return 'there is no test %s' % ' '.join(test)
            if test[2:] and test[2].split('[')[0] not in cases_of(test):
                return '%s has no case %s' % (test[1], test[2])
        return None

    def broken(self):
        text = '\n' + self.source()
        for old, new in self.changes:
            text = text.replace(block(old), block(new))
        return text[1:]


def block(lines):
    return ''.join('\n' + line for line in lines) + '\n'


def read(path):
    with open(path, encoding='utf-8', errors='surrogateescape') as f:
        return f.read()


def write(path, text):
    with open(path, 'w', encoding='utf-8', errors='surrogateescape') as f:
        f.write(text)


# All paths are those of a tree: of the checkout, while the mutants are only
# looked at, of its copy, while they are tried.

def test_file(test):
    if test[0] == 'unit':
        return 'tests/unit/%s.c' % test[1]
    path = 'tests/e2e/' + test[1]
    return next((path + e for e in ('.py', '.sh')
                 if os.path.exists(path + e)), path)


def cases_of(test):
    """A text with the names of its cases."""
    more = glob.glob('tests/faults/rows_*.py') * (test[1] == 'faults')
    return '\n'.join(read(path) for path in [test_file(test)] + more)


def read_lists():
    mutants = []
    for path in sorted(glob.glob('tests/mutants/*.list')):
        now = None
        for number, line in enumerate(read(path).split('\n'), 1):
            if line.startswith('#'):
                continue
            if not line:
                now = None
                continue
            if now is None:
                now = Mutant('%s:%d' % (os.path.basename(path), number))
                mutants.append(now)
            now.add(line)
    return mutants


# ---- the copy of the tree ---------------------------------------------------

def tracked():
    listed = subprocess.run(['git', '-C', SRC, 'ls-files', '-z'], check=True,
                            stdout=subprocess.PIPE).stdout.decode()
    return [n for n in listed.split('\0')
            if n and os.path.isfile(os.path.join(SRC, n))]


def content(path):
    with open(path, 'rb') as f:
        return f.read()


def copy_tree(names):
    """The files of the checkout as they are now; the copy's build stays."""
    for root, dirs, files in os.walk(TREE):
        if root == TREE and 'build' in dirs:
            dirs.remove('build')
        for name in files:
            path = os.path.join(root, name)
            if os.path.relpath(path, TREE) not in names:
                os.unlink(path)
    for name in names:
        source, target = os.path.join(SRC, name), os.path.join(TREE, name)
        if os.path.exists(target) and content(target) == content(source):
            continue
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy(source, target)


def files_below(folder):
    """{path: (time, size)} of what is there."""
    found = {}
    for root, _, files in os.walk(folder):
        for name in files:
            path = os.path.join(root, name)
            status = os.lstat(path)
            if stat.S_ISREG(status.st_mode) or stat.S_ISLNK(status.st_mode):
                found[os.path.relpath(path, folder)] = (status.st_mtime_ns,
                                                        status.st_size)
    return found


def make_alike(source, target):
    """Target gets what source has, with its times."""
    there, here = files_below(source), files_below(target)
    for name in here.keys() - there.keys():
        os.unlink(os.path.join(target, name))
    for name, stamp in there.items():
        if here.get(name) != stamp:
            path = os.path.join(target, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if os.path.lexists(path):
                os.unlink(path)
            shutil.copy2(os.path.join(source, name), path,
                         follow_symlinks=False)


# ---- one test ---------------------------------------------------------------

def targets_of(test):
    """The targets among those of tests/targets that a test names."""
    text = read(test_file(test))
    names = [os.path.basename(p).rsplit('.', 1)[0] for p in
             glob.glob('tests/targets/*.c*')]
    return ' '.join('build/targets/' + n + v for n in sorted(names)
                    for v in ('', '.asan', '.ubsan', '.msan', '.tsan')
                    if '"%s"' % (n + v) in text)


def build_for(test):
    """None, or what make says."""
    wanted = ['all']
    if test[0] == 'unit':
        wanted = ['build/tests/' + test[1],
                  *(['all', 'build/demo'] if 'target' in test[1] else [])]
    elif "'demo'" in read(test_file(test)):
        wanted.append('build/demo')
    done = subprocess.run(
        ['make', '-j%d' % (os.cpu_count() or 2), 'WERROR=1',
         'TARGETS=' + targets_of(test), *wanted], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout if done.returncode else None


def end_strays():
    """Whoever a test has left behind; we are their parent now."""
    while True:
        mine = []
        for entry in filter(str.isdigit, os.listdir('/proc')):
            try:
                text = content('/proc/%s/stat' % entry)
            except OSError:
                continue
            if int(text.rsplit(b')', 1)[1].split()[1]) == os.getpid():
                mine.append(int(entry))
        if not mine:
            return
        for pid in mine:
            os.kill(pid, signal.SIGKILL)
        # In any order: the first process of a namespace ends after the others.
        for pid in mine:
            os.waitpid(-1, 0)


class Outcome:
    """Of one test: how it ended, its last words, how long it took."""

    def __init__(self, test, limit_s, patience_s=''):
        program = ('build/tests/' + test[1] if test[0] == 'unit' else
                   test_file(test))
        command = [os.path.abspath(program)] + (list(test[2:]) if test[0] == 'e2e' else [])
        env = dict(os.environ, CFUZZ_SRC=TREE, CFUZZ_BUILD=BUILT,
                   E2E_PATIENCE=str(patience_s),
                   PATH=BUILT + ':' + os.environ['PATH'])
        begin = time.monotonic()
        log = KEPT + '.log'
        self.limits = limit_s, patience_s
        self.status = None
        with open(log, 'w') as f:
            child = subprocess.Popen(command, env=env, stdout=f, stderr=f,
                                     stdin=subprocess.DEVNULL)
            try:
                self.status = child.wait(timeout=limit_s)
            except subprocess.TimeoutExpired:
                pass
            finally:
                child.kill()
                child.wait()
                end_strays()
        self.seconds = time.monotonic() - begin
        self.text = read(log)

    def waited_in_vain(self):
        """A busy machine alone may have it end so."""
        return self.status is None or self.seconds >= self.limits[1] or \
            re.search(r'in vain|not end in \d+ s|timed out', self.text)

    def fails_as_it_should(self, test):
        """None, or what is wrong with how it ended."""
        name = ' '.join(test)
        if self.status == 77:
            return '%s is skipped here' % name
        if self.status == 0:
            return '%s does not notice' % name
        if test[0] == 'unit' and test[2:] and self.status and \
                self.status > 0 and not re.search(
                    r'\[  FAILED  \] %s\b' % re.escape(test[2]), self.text):
            return '%s fails, but not its case %s' % (test[1], test[2])
        return None


# ---- what earlier runs have seen --------------------------------------------

class Seen:
    """Each line of the file: a key, and the seconds that the test took. The key
    is made of all that matters: product, test, and mutant if there is one."""

    def __init__(self, names, again):
        self.product = hashlib.sha256(b''.join(
            name.encode() + b'\0' + content(name)
            for name in names if name.startswith(PRODUCT))).digest()
        self.known = {}
        if os.path.exists(SEEN) and not again:
            self.known = dict(json.loads(line) for line in
                              read(SEEN).splitlines() if line.endswith(']'))
        elif os.path.exists(SEEN):
            os.unlink(SEEN)

    def key(self, test, mutant=None):
        parts = [repr(test), repr(mutant.changes) if mutant else '']
        helpers = glob.glob('tests/e2e/lib/*')
        for path in [test_file(test)] + sorted(helpers) * (test[0] == 'e2e'):
            if os.path.isfile(path):
                parts.append(read(path))
        text = '\0'.join(parts).encode(errors='surrogateescape')
        return hashlib.sha256(self.product + text).hexdigest()

    def add(self, key, seconds):
        self.known[key] = seconds
        with open(SEEN, 'a') as f:
            f.write(json.dumps([key, round(seconds, 1)]) + '\n')


def healthy(test, seen):
    """None if the test passes without any mutant."""
    if seen.key(test) in seen.known:
        return None
    why = build_for(test)
    if why:
        return 'it does not build:\n' + why
    made = Outcome(test, 900)
    if made.status == 77:
        return '%s is skipped here' % ' '.join(test)
    if made.status != 0:
        return 'without it, %s does not pass:\n%s' % (' '.join(test),
                                                      made.text[-2000:])
    seen.add(seen.key(test), made.seconds)
    return None


def fails(mutant, test, seen):
    """(None if the test notices the mutant, which is in the tree now; how it ended
    if that may have been the machine)."""
    why = build_for(test)
    if why:
        return 'it does not build:\n' + why, None
    # What never comes with a mutant is not waited for as long as else.
    patience_s = 20 + int(5 * seen.known[seen.key(test)])
    made = Outcome(test, 3 * patience_s, patience_s)
    why = made.fails_as_it_should(test)
    doubtful = made if made.waited_in_vain() else None
    if why is None and doubtful is None:
        seen.add(seen.key(test, mutant), made.seconds)
    if os.environ.get('V'):
        print(made.text[-1500:])
    return why, doubtful


def passes_so_fast(mutant, test, made, seen):
    """None if the test passes without the mutant, which it has noticed only by
    waiting, within the same limits."""
    again = Outcome(test, *made.limits)
    if again.status != 0:
        return 'without it, %s does not pass as fast either:\n%s' % (
            ' '.join(test), again.text[-2000:])
    seen.add(seen.key(test, mutant), made.seconds)
    return None


def noticed(mutant, seen):
    """None if its tests notice it, else what is wrong."""
    tests = [t for t in mutant.tests if seen.key(t, mutant) not in seen.known]
    for test in tests:
        why = healthy(test, seen) or build_for(test)
        if why:
            return why
    if not tests:
        return None
    make_alike(BUILT, KEPT)
    whole, stamp = mutant.source(), os.stat(mutant.file)
    doubtful = []
    write(mutant.file, mutant.broken())
    try:
        for test in tests:
            why, made = fails(mutant, test, seen)
            if why:
                return why
            if made:
                doubtful.append((test, made))
    finally:
        write(mutant.file, whole)
        os.utime(mutant.file, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
        make_alike(KEPT, BUILT)
    for test, made in doubtful:
        why = passes_so_fast(mutant, test, made, seen)
        if why:
            return why
    return None


def main():
    os.chdir(SRC)
    if '--help' in sys.argv:
        sys.exit(print(__doc__))
    words = [w for w in sys.argv[1:] if w[:2] != '--']
    mutants = [m for m in read_lists() if not words or
               any(w in m.place + m.file + m.what for w in words)]
    bad = 0
    for m in mutants:
        why = m.complaint()
        if why:
            print('%s: %s: %s' % (m.place, m.what, why))
            bad += 1
    if '--check' in sys.argv or bad:
        sys.exit(1 if bad else 0)
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)    # PR_SET_CHILD_SUBREAPER
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    names = tracked()
    copy_tree(set(names))
    os.chdir(TREE)
    seen = Seen(names, '--again' in sys.argv)
    begin = time.monotonic()
    for m in mutants:
        start = time.monotonic()
        why = noticed(m, seen)
        bad += why is not None
        took = time.monotonic() - start
        print('%-5s %s: %s%s%s' % (
            'FAIL' if why else 'ok', m.place, m.what,
            ' (%.0f s)' % took if took > 1 else '',
            '\n      ' + why.replace('\n', '\n      ') if why else ''),
            flush=True)
    print('%d of %d mutants are noticed, in %.0f s' % (
        len(mutants) - bad, len(mutants), time.monotonic() - begin))
    sys.exit(1 if bad else 0)


main()

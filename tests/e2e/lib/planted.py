"""Twenty planted bugs: see planted.cc."""

from cfuzztest import *    # noqa: F401,F403

LETTERS = [bytes([c]) for c in range(ord('A'), ord('T') + 1)]
SOURCE = read(os.path.join(HERE, 'planted.cc')).decode()
SANITIZERS = ['-fsanitize=address,undefined', '-fno-sanitize-recover=undefined',
              '-DSANITIZED']


def build_planted(optimize, flags, name='planted'):
    return build(SOURCE, name, flags=[optimize] + flags, tool='cfuzz-c++')


def planted_seeds():
    """Each bug by several ways; what costs a time limit by one."""
    return {'%s-%03d' % (letter.decode(), v): letter + b'!' + bytes([v])
            for letter in LETTERS for v in (0, 1, 2, 17, 38)
            if v == 0 or letter not in (b'O', b'P')}


def inputs(bucket):
    """All of a bucket's, by file."""
    names = ['input'] + ['minimized'] * bucket.has('minimized')
    if bucket.has('more'):
        names += ['more/' + n for n in os.listdir(
            os.path.join(bucket.path, 'more'))]
    return {n: bucket.file(n) for n in names}


def letters_of(bucket):
    return sorted({data[:1] for data in inputs(bucket).values()})

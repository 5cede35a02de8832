#!/usr/bin/env python3
"""cfuzz convert: between inputs as they are and "go test fuzz v1" files."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403

VERSION = 'go test fuzz v1\n'


def convert(*words, status=0):
    got, out, err = tool(CFUZZ, 'convert', *words)
    equal(got, status, 'status of %s (%s)' % (words, err))
    equal(len(err.splitlines()), 0 if status == 0 else 1, 'lines: ' + err)
    check('\033' not in out + err, 'an escape reaches the terminal')
    return out + err


RAW = (('empty', b''), ('text', b'hello "you"\n'), ('zeros', bytes(100)),
       ('all', bytes(range(256))), ('utf-8', 'h\u00e9 \u20ac'.encode()),
       ('a-text-itself', VERSION.encode() + b'[]byte("x")\n'))


@each(*RAW)
def there_and_back(data):
    write('one', data)
    convert('one', 'text')
    text = read('text').decode()
    check(text.startswith(VERSION + '[]byte("'), 'the text: %s', text)
    convert('--raw', 'text', 'back')
    equal(read('back'), data, 'what comes back')
    equal(read('one'), data, 'the file itself')


@each(('bytes', '[]byte("a\\x00b")', b'a\0b'),
      ('string', 'string("h\\u00e9")', 'h\u00e9'.encode()),
      ('quoted', 'string(`a\\b`)', b'a\\b'))
def text_to_raw(line, want):
    write('text', VERSION + line + '\n')
    convert('text', 'raw', '--raw')
    equal(read('raw'), want, 'the file')


@each(('number', VERSION + 'int(5)\n', 'neither bytes nor text'),
      ('two', VERSION + '[]byte("a")\nint8(1)\n', '2 values'),
      ('none', VERSION, '0 values'),
      ('no-version', 'hello\n', 'unknown encoding version'),
      ('empty', '', 'empty'),
      ('cut', VERSION + '[]byte("a', 'not terminated'),
      ('many', VERSION + 'int(5)\n' * 1000, 'values'),
      ('escape', VERSION + '\033[2J("a")\n', 'malformed'))
def no_raw_file(data, want):
    write('text', data)
    said = convert('--raw', 'text', 'raw', status=2)
    check(want in said, 'says: %s', said)
    check(not os.path.exists('raw'), 'there is a file')


@case
def folders():
    files = {'n%d' % i: data for i, (name, data) in enumerate(RAW)}
    seeds(files, name='from')
    os.mkdir('from/folder')
    os.symlink('n0', 'from/link')
    os.mkfifo('from/fifo')
    out = convert('from', 'deep/texts')
    check('%d converted, 3 skipped' % len(files) in out, 'says: %s', out)
    for name in ('folder', 'link', 'fifo'):
        check('skipped %s: ' % name in out, 'no reason: %s', out)
    equal(sorted(os.listdir('deep/texts')), sorted(files), 'the files')
    write('deep/texts/damaged', 'no text')
    out = convert('--raw', 'deep/texts', 'back')
    check('%d converted, 1 skipped' % len(files) in out, 'says: %s', out)
    equal({n: read(os.path.join('back', n)) for n in os.listdir('back')},
          files, 'what comes back')
    # What is there stays.
    write('back/n0', 'mine')
    said = convert('--raw', 'deep/texts', 'back', status=2)
    check('exists already' in said, 'says: %s', said)
    equal(read('back/n0'), b'mine', 'the file in its place')


@each(('missing', ['nothing', 'to'], 'nothing'),
      ('one-name', ['one'], 'FROM TO'), ('three', ['a', 'b', 'c'], 'c'),
      ('option', ['--json', 'one', 'to'], '--json'),
      ('there', ['one', 'one'], 'exists already'),
      ('fifo', ['fifo', 'to'], 'fifo'),
      ('void', ['void', 'to'], 'void is an empty folder'))
def refused(words, want):
    write('one', 'x')
    os.mkfifo('fifo')
    os.mkdir('void')
    said = convert(*words, status=2)
    check(want in said, 'says: %s', said)
    check(not os.path.exists('to'), 'there is a file')
    equal(read('one'), b'x', 'the file')


main()

"""A console in a test: commands and questions through the control socket.

A campaign that is started with control.start() is cfuzz run with one end of
a socket; the other end is a Control, which says in Python what a console
would say: commands by their lines, questions by their kinds (control/query.h
names them and their members), and it sees the same snapshots.
"""

import json
import os
import pwd
import select
import socket
import time
import weakref

from cfuzztest import (MEANWHILE, PATIENCE, Run, build, check, fail,
                       meanwhile, wait_for)

try:
    ME = pwd.getpwuid(os.getuid()).pw_name
except KeyError:    # as a container may start us; control/endpoint.c does so
    ME = str(os.getuid())
VERSION = 1
READ = 1 << 16


class Row(dict):
    """What was left out is nothing in all rows."""

    def __missing__(self, name):
        return {'state': 'down', 'stop_step': 'none'}.get(name, 0)


def rows(value):
    """A list that came as an array for each member, as stats.json has it."""
    if not isinstance(value, dict) or not all(
            isinstance(column, list) for column in value.values()):
        return value
    return [Row(zip(value, row)) for row in zip(*value.values())]


class Refused(Exception):
    """The engine answered with a reason instead."""


class Control:
    """The console's end of a control socket. It reads whatever the test waits
    for, as the engine drops a front end that does not."""

    open = set()

    def __init__(self, sock, **greeting):
        self.sock = sock
        self.rest = b''
        self.last_id = 0
        self.answers = {}     # by id
        self.replies = {}     # by id
        self.snapshot = None  # the newest
        self.snapshots_n = 0
        self.bye = None
        self.role = {}
        self.place = None
        self.closed = False
        self.open.add(self)
        self.target = self.wait(lambda: self.hello, 'hello')['target']
        try:
            self.send({'hello': dict({'version': VERSION}, **greeting)})
        except (BrokenPipeError, ConnectionResetError):
            pass    # a short campaign is over; what it said can be read

    hello = None
    run = None    # what a failure describes

    def send(self, message):
        self.send_line(json.dumps(message).encode())

    def send_line(self, line):
        """Whatever it is: a test may send what no console would."""
        self.sock.sendall(line + b'\n')

    def next_id(self):
        self.last_id += 1
        return self.last_id

    def take(self, line):
        message = json.loads(line)
        check(len(message) == 1, 'a message has %s', list(message))
        (kind, body), = message.items()
        if kind == 'hello':
            self.hello = body
        elif kind == 'snapshot':
            self.snapshot = {name: rows(value) for name, value in
                             body.items()}
            self.snapshots_n += 1
        elif kind == 'answer':
            self.answers[body['id']] = body
        elif kind == 'reply':
            self.replies[body['id']] = body
        elif kind == 'bye':
            self.bye = body
        elif kind == 'role':
            self.role = body
        elif kind == 'place':
            self.place = body
        else:
            fail('the engine says %s', kind)

    def read(self, patience):
        """Takes what is there, waiting for it at most so long."""
        if self.closed or not select.select([self.sock], [], [], patience)[0]:
            return
        try:
            data = self.sock.recv(READ)
        except ConnectionError:
            data = b''
        if not data:
            self.closed = True
            self.open.discard(self)
        lines = (self.rest + data).split(b'\n')
        self.rest = lines.pop()
        for line in lines:
            self.take(line)

    def wait(self, condition, what, patience=PATIENCE):
        """Reads until the condition holds; returns what it returned."""
        end = time.monotonic() + patience
        while True:
            meanwhile()
            got = condition()
            if got:
                return got
            if self.closed:
                fail('the engine is gone: no %s%s', what,
                     self.run.describe() if self.run else '')
            left = end - time.monotonic()
            if left <= 0:
                fail('waited %d s in vain: %s', patience, what)
            self.read(min(left, 1))

    def command(self, line):
        """The engine's sentence; Refused: it did not do it."""
        n = self.next_id()
        self.send({'command': {'id': n, 'line': line}})
        answer = self.wait(lambda: self.answers.pop(n, None),
                           'answer to "%s"' % line)
        if not answer['ok']:
            raise Refused(answer['text'])
        return answer['text']

    def ask(self, kind, **members):
        """Sends a question; its id, by which replies has the answer."""
        n = self.next_id()
        self.send({'query': dict(members, id=n, kind=kind)})
        return n

    def refuses(self, line, text):
        """The command is refused, and the text is in the reason."""
        try:
            self.command(line)
        except Refused as e:
            check(text in str(e), '%s is refused with: %s', line, e)
            return
        fail('%s was done', line)

    def query(self, kind, **members):
        """The reply; Refused: there is none, and why."""
        n = self.ask(kind, **members)
        reply = self.wait(lambda: self.replies.pop(n, None),
                          'reply to "%s"' % kind)
        check(reply['kind'] == kind, 'asked for %s, got %s', kind,
              reply['kind'])
        if reply.get('error'):
            raise Refused(reply['error'])
        return reply

    def next_snapshot(self):
        """One that is made after this moment."""
        seen = self.snapshots_n + 1    # one may be under way
        self.wait(lambda: self.snapshots_n > seen, 'a snapshot')
        return self.snapshot

    def until(self, condition, what, patience=PATIENCE):
        """Waits for a snapshot of which the condition holds."""
        return self.wait(lambda: self.snapshot is not None and
                         condition(self.snapshot) and self.snapshot, what,
                         patience)

    def close(self):
        self.sock.close()
        self.closed = True
        self.open.discard(self)


def read_all():
    for c in list(Control.open):
        c.read(0)


MEANWHILE.append(read_all)


class ControlledRun(Run):
    """cfuzz run with a socket to steer it by: r.control."""

    def __init__(self, target, options, greeting=None, **more):
        ours, theirs = socket.socketpair()
        with theirs:
            super().__init__(target, ['--control-fd', theirs.fileno(),
                                      *options],
                             inherit=[theirs.fileno()], **more)
        self.control = Control(ours, **greeting or {})
        self.control.run = weakref.proxy(self)

    def stop(self, status=None):
        """Ends it as the key does, and checks what is left."""
        self.control.command('stop')
        self.control.wait(lambda: self.control.bye, 'bye')
        self.control.close()
        return self.end(status)


def connect(out):
    """A socket to the campaign in this folder, however long its path is."""
    sock = socket.socket(socket.AF_UNIX)
    folder = os.open(out, os.O_PATH)
    try:
        sock.connect('/proc/self/fd/%d/control.sock' % folder)
    finally:
        os.close(folder)
    return sock


def attach(out, **greeting):
    """One more front end, once the campaign listens; it knows its role."""
    def listens():
        try:
            return connect(out)
        except (FileNotFoundError, ConnectionRefusedError):
            return None    # not yet, or a socket of before

    c = Control(wait_for(listens, 'the control socket'), **greeting)
    c.wait(lambda: c.role, 'role')
    return c


def campaign(source, *options, **more):
    """A run that fuzzes, and the front end that controls it through its socket."""
    r = Run(build(source), options, **more)
    first = attach(r.out)
    first.until(lambda s: s['state'] == 'fuzzing', 'fuzzing')
    return r, first


def start(target, *options, **more):
    return ControlledRun(target, options, **more)

#!/usr/bin/env python3
"""--http: what browsers and Prometheus are served, to whom, and requests that
are wrong, endless or too many."""

import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
import control             # noqa: E402
from cfuzztest import *    # noqa: E402,F401,F403

FAILS = one_input('''
	if (size > 0 && data[0] == 'a')
		cfuzz_fail("an <a>&\\x1b[31m");''')
PATHS = ('/', '/page.js', '/page.css', '/metrics', '/stats.json',
         '/series.json')


def campaign(*options, address='', **more):
    port = free_port()
    r = start(build(FAILS), '-j', 1, '--http', '%s%d' % (address, port),
              '--seeds', seeds([b'a']), *options, **more)
    r.port = port
    wait_for(lambda: reaches(port), 'the port')
    return r


def reaches(port):
    try:
        socket.create_connection(('127.0.0.1', port)).close()
        return True
    except ConnectionRefusedError:
        return False


def ask(r, path, method='GET', **headers):
    """(status, headers, text) of one request."""
    c = http.client.HTTPConnection('127.0.0.1', r.port, timeout=60)
    c.request(method, path, headers={k.replace('_', '-'): v for k, v in
                                     headers.items()})
    reply = c.getresponse()
    text = reply.read().decode()
    c.close()
    return reply.status, dict(reply.getheaders()), text


def finish(r):
    r.signal(15)
    r.wait()
    check(r.status in (0, 1), 'exit status: %s', r.describe())
    check_output(r)
    nobody_left()


def finding(r):
    """Waits for one; its row in stats.json."""
    def found():
        rows = json.loads(ask(r, '/stats.json')[2])['findings']
        return rows and ask(r, '/findings/' + rows[0]['id'])[0] == 200 and \
            rows[0]
    return wait_for(found, 'a finding')


@case
def who_is_attached():
    r = campaign()
    first = control.attach(r.out)
    watcher = control.attach(r.out, role='watch')
    wait_for(lambda: 'cfuzz_attached 1\n' in ask(r, '/metrics')[2], 'metrics')
    stats = json.loads(ask(r, '/stats.json')[2])
    equal((stats['controller'] != '', stats['watchers']), (True, 1),
          'who controls and how many watch')
    for c in (watcher, first):
        c.close()
    finish(r)


@case
def pages():
    r = campaign()
    f = finding(r)
    for path in PATHS:
        status, headers, text = ask(r, path)
        equal(status, 200, path)
        check("default-src 'none'" in headers['Content-Security-Policy'],
              'policy of %s', path)
        check('Access-Control-Allow-Origin' not in headers, 'CORS: %s', path)
        equal(ask(r, path, 'HEAD')[::2], (200, ''), 'HEAD ' + path)
        text = text.replace('http://www.w3.org/2000/svg', '')
        check(path not in PATHS[:3] or 'http://' not in text,
              '%s needs something from elsewhere', path)
    series = json.loads(ask(r, '/series.json')[2])
    equal(len({len(series[k]) for k in series}), 1, 'lengths of the series')
    status, headers, text = ask(r, '/findings/' + f['id'])
    equal((status, headers['Content-Type']),
          (200, 'text/plain; charset=utf-8'), 'report')
    check('an <a>&\\x1b[31m' in text, 'report: %s', text)
    for path in ('/nothing', '/findings/', '/findings/../stats.json',
                 '/findings/..%2f..%2fetc%2fpasswd', '/.lock', '//', '/?x'):
        check(ask(r, path)[0] in (200, 404) and
              (path == '/?x') == (ask(r, path)[0] == 200), '%s: %s', path,
              ask(r, path))
    finish(r)


@case
def metrics():
    r = campaign()
    finding(r)
    # cfuzz_last_new_input_seconds comes with the first new input. The seed
    # fails, so that input is a mutated one and may come after the finding.
    def complete():
        text = ask(r, '/metrics')[2]
        return 'cfuzz_last_new_input_seconds' in text and text
    text = wait_for(complete, 'a new input')
    values = dict(line.rsplit(' ', 1) for line in text.splitlines()
                  if not line.startswith('#'))
    equal(values['cfuzz_findings{kind="crash"}'], '1', 'crashes')
    check(float(values['cfuzz_executions_total']) > 0, 'no executions')
    for name, kind in re.findall(r'# TYPE (\S+) (\S+)', text):
        equal(name.endswith('_total'), kind == 'counter', name)
    dashboard = json.loads(read(os.path.join(SRC, 'man/grafana.json')))
    asked = {name for panel in dashboard['panels']
             for target in panel.get('targets', [])
             for name in re.findall(r'cfuzz_\w+', target['expr'])}
    check(len(asked) > 5 and asked <= {re.sub('{.*', '', n) for n in values},
          'the dashboard asks for what there is not: %s', asked)
    if shutil.which('promtool'):
        done = subprocess.run(['promtool', 'check', 'metrics'], text=True,
                              input=text, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        equal((done.returncode, done.stdout), (0, ''), 'promtool')
    finish(r)


@case
def events():
    r = campaign()
    c = http.client.HTTPConnection('127.0.0.1', r.port, timeout=120)
    c.request('GET', '/events')
    reply = c.getresponse()
    equal(reply.getheader('Content-Type'), 'text/event-stream', 'type')
    seen = []
    while not any(e['event'] == 'crash' for e in seen):
        line = reply.readline().decode()
        if line.startswith('data: '):
            seen.append(json.loads(line[6:]))
    r.signal(15)
    while reply.readline():    # up to its end
        pass
    c.close()
    r.end(1)
    nobody_left()


def raw(r, data, last=False):
    """What an odd request gets; the engine may just close."""
    with socket.create_connection(('127.0.0.1', r.port), timeout=60) as sock:
        try:
            sock.sendall(data)
            if last:
                sock.shutdown(socket.SHUT_WR)
            return sock.recv(1 << 16)
        except OSError:
            return b''


@case
def wrong_requests():
    needs_files(256)
    r = campaign()
    host = b'Host: localhost\r\n'
    for method in ('POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'):
        check(ask(r, '/metrics', method)[0] in (405, 501), 'takes %s', method)
    for name in ('evil.example', 'evil.example:%d' % r.port, '127.0.0.1.evil',
                 'localhost.evil', ''):
        equal(ask(r, '/stats.json', Host=name)[0], 421, 'host ' + name)
    for name in 'localhost', '127.0.0.1:1', '[::1]:%d' % r.port, 'LOCALHOST':
        equal(ask(r, '/stats.json', Host=name)[0], 200, 'host ' + name)
    for data in (b'\r\n\r\n\r\n', b'\0' * 4000, b'GET\r\n\r\n', b'GET / HTTP/9\r\n'
                 b'\r\n', b'GET / HTTP/1.1\r\n\r\n', b'x' * 100000,
                 b'GET /' + b'a' * 100000 + b' HTTP/1.1\r\n' + host + b'\r\n',
                 b'GET http://evil.example/stats.json HTTP/1.1\r\n' + host +
                 b'\r\n',
                 b'GET / HTTP/1.1\r\n' + b'A: b\r\n' * 10000 + host + b'\r\n',
                 b'GET /metrics HTTP/1.1\r\n' + host +
                 b'Content-Length: 99999999999\r\n\r\n'):
        answer = raw(r, data, last=True)
        check(not answer.startswith(b'HTTP/1.1 200') or
              data.startswith((b'GET http:', b'GET /metrics')),
              '%r is answered: %r', data[:60], answer[:60])
    socks = [socket.create_connection(('127.0.0.1', r.port))
             for _ in range(400)]    # that say nothing
    for sock in socks[:200]:
        sock.sendall(b'GET /events HTTP/1.1\r\n' + host + b'\r\n')
    for letter in b'GET / H':    # a byte now and then, and no end
        for sock in socks[200:300]:
            try:
                sock.sendall(bytes([letter]))
            except OSError:    # it was too slow
                pass
        equal(ask(r, '/metrics')[0], 200, 'beside them')
    for sock in socks:
        sock.close()
    equal(ask(r, '/metrics')[0], 200, 'after all that')
    finish(r)


@case
def with_a_token():
    r = campaign(address='0.0.0.0:', env={'CFUZZ_HTTP_TOKEN': 'secret' * 4})
    for path in PATHS[3:] + ('/events', '/findings/x'):
        equal(ask(r, path)[0], 401, path)
        equal(ask(r, path + '?token=' + 'secreT' * 4)[0], 401, path)
    equal(ask(r, '/')[0], 200, 'the page, which has no data')
    equal(ask(r, '/metrics?token=' + 'secret' * 4)[0], 200, 'in the query')
    equal(ask(r, '/metrics', Authorization='Bearer ' + 'secret' * 4)[0], 200,
          'in a header')
    finish(r)
    r = campaign(address='0.0.0.0:')
    token = wait_for(lambda: re.search(
        r'shown at http://0\.0\.0\.0:\d+/\?token=(\w{32})\n',
        r.stdout + r.stderr), 'the line')
    wait_for(lambda: [e for e in r.journal if e['event'] == 'http' and
                      token.group(1) in e['text']], 'it in the journal')
    equal(ask(r, '/metrics')[0], 401, 'without the token')
    equal(ask(r, '/metrics?token=' + token.group(1))[0], 200, 'with it')
    finish(r)


@each(('no_port', 'x', 'a port from 1 to 65535, not x'),
      ('zero', '0', 'a port from 1 to 65535, not 0'),
      ('large', '70000', 'a port from 1 to 65535, not 70000'),
      ('no_address', ':80', 'a port from 1 to 65535, not :80'),
      ('name', 'host.example:8080', 'is not the address of a network'),
      ('taken', None, 'Address already in use'))
def refused(http_at, why):
    with socket.socket() as sock:
        sock.bind(('127.0.0.1', 0))
        sock.listen()
        r = start(build(FAILS), '--http',
                  http_at or str(sock.getsockname()[1]))
        r.end(2)
    check('--http: ' in r.stderr and why in r.stderr, 'said: %s', r.stderr)
    check(not os.path.exists('out'), 'an output directory is left')


if __name__ == '__main__':
    main()

"""What others read of a campaign with ten thousand inputs and two hundred
findings: /metrics while it runs, reports afterwards."""

import http.client
import os
import socket
import statistics
import subprocess
import sys
import time

from process import GRACE, end_orphans, read
from results import number, result
from settings import CFUZZ, SECONDS
from targets import fresh, target

INPUTS, FINDINGS = 10_000, 200
READS = 500


def free_port():
    with socket.socket() as sock:
        sock.bind(('127.0.0.1', 0))
        return sock.getsockname()[1]


def ask(port, path):
    c = http.client.HTTPConnection('127.0.0.1', port, timeout=10)
    began = time.monotonic()
    c.request('GET', path)
    reply = c.getresponse()
    text = reply.read().decode()
    c.close()
    return time.monotonic() - began, text


def values(port):
    return dict(line.rsplit(' ', 1) for line in
                ask(port, '/metrics')[1].splitlines() if line[0] != '#')


def grown(v):
    return float(v['cfuzz_corpus_inputs']) >= INPUTS and \
        float(v['cfuzz_findings{kind="crash"}']) >= FINDINGS


def wait_until_large(port):
    until = time.monotonic() + max(300, 5 * SECONDS)
    while time.monotonic() < until:
        try:
            if grown(values(port)):
                return
        except (OSError, http.client.HTTPException):
            pass
        time.sleep(0.5)
    sys.exit('bench: the campaign does not become large')


def used(pid):
    """Milliseconds of processor time of its first thread, the engine's loop."""
    return int(read('/proc/%d/task/%d/schedstat' % (pid, pid)).split()[0]) / 1e6


def times(port, path):
    return sorted(1000 * ask(port, path)[0] for _ in range(READS))


def metrics(port, pid):
    """By the clock it is mostly the wait for a core, as for a file that is built
    in; the cost is what the loop needs more than without requests."""
    began, before = time.monotonic(), used(pid)
    time.sleep(5)
    rate = (used(pid) - before) / (time.monotonic() - began)
    began, before = time.monotonic(), used(pid)
    metrics_ms = times(port, '/metrics')
    cost = (used(pid) - before - rate * (time.monotonic() - began)) / READS
    file_ms = times(port, '/page.css')
    result('reports', '/metrics, processor time', cost, 'ms', 5, True)
    result('reports', '/metrics, median of %d' % READS,
           statistics.median(metrics_ms), 'ms', 5, True,
           'p99 %.2g, most %.3g; a file at that time: %.2g' % (
               metrics_ms[READS * 99 // 100], metrics_ms[-1],
               statistics.median(file_ms)))


def report(out):
    page = os.path.join(out, 'report', 'report.html')
    for words, name in ((), 'report.html'), (('--no-coverage',),
                                             'report.html, no coverage'):
        seconds = []
        for _ in range(3):
            began = time.monotonic()
            subprocess.run([CFUZZ, 'report', *words, out], check=True,
                           stdout=subprocess.DEVNULL)
            seconds.append(time.monotonic() - began)
        result('reports', name, statistics.median(seconds), 's', 5, True,
               'slowest of 3: %.3g s; %s inputs, %s findings' % (
                   max(seconds),
                   number(len(os.listdir(os.path.join(out, 'corpus')))),
                   number(len(os.listdir(os.path.join(out, 'crashes'))))))
        result('reports', name + ', size', len(read(page)) / 1e6, 'MB', 5,
               True)


def figure(cores):
    out, port = fresh('out'), free_port()
    running = subprocess.Popen(
        [CFUZZ, 'run', '-j', str(len(cores)), '-o', out, '--http', str(port),
         target('places', flags=('-O1', '-g'))],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    try:
        wait_until_large(port)
        metrics(port, running.pid)
        running.terminate()
        running.wait(600)
    finally:
        running.kill()
        running.wait()
        end_orphans(GRACE)
    report(out)

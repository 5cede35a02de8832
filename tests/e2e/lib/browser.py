"""A real browser without a window: chromium, over its debugging pipe."""

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time

PROGRAM = shutil.which('chromium') or shutil.which('chromium-browser')
# name: (width, height, a phone?)
SIZES = {'phone': (390, 844, True), 'projector': (1920, 1080, False)}
# The browser reads from descriptor 3 and writes to 4.
PIPES = '''
import os, sys
ends = [os.dup(int(fd)) for fd in sys.argv[1:3]]
for fd, end in zip((3, 4), ends):
    os.dup2(end, fd)
    os.set_inheritable(fd, True)
os.execv(sys.argv[3], sys.argv[3:])
'''


class Browser:
    """Pages of one chromium. errors: what its console has complained of."""

    def __init__(self, patience=60):
        self.patience = patience
        self.home = tempfile.mkdtemp(prefix='browser-')
        self.errors, self.events, self.next_id, self.rest = [], [], 1, b''
        theirs, self.write_to = os.pipe()
        self.read_from, ours = os.pipe()
        self.process = subprocess.Popen(
            [sys.executable, '-c', PIPES, str(theirs), str(ours), PROGRAM,
             '--headless=new', '--no-sandbox', '--disable-gpu',
             '--no-first-run', '--disable-dev-shm-usage', '--hide-scrollbars',
             '--remote-debugging-pipe', '--user-data-dir=' + self.home,
             'about:blank'],
            pass_fds=(theirs, ours), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=dict(os.environ, HOME=self.home))
        os.close(theirs)
        os.close(ours)
        target = self.call('Target.createTarget', url='about:blank')
        self.session = None
        self.session = self.call('Target.attachToTarget', flatten=True,
                                 targetId=target['targetId'])['sessionId']
        for domain in 'Page', 'Runtime', 'Log':
            self.call(domain + '.enable')

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.session = None
            self.call('Browser.close')
        except (OSError, EOFError, TimeoutError):
            self.process.kill()
        os.close(self.write_to)
        os.close(self.read_from)
        self.process.wait()
        shutil.rmtree(self.home, ignore_errors=True)

    def receive(self, until):
        """One message, or None when the time is over."""
        while b'\0' not in self.rest:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.read_from], [], [],
                                              left)[0]:
                return None
            data = os.read(self.read_from, 1 << 20)
            if not data:
                raise EOFError('the browser has ended')
            self.rest += data
        message, self.rest = self.rest.split(b'\0', 1)
        message = json.loads(message)
        if 'method' in message:
            self.take_event(message['method'], message['params'])
        return message

    def take_event(self, method, params):
        self.events.append(method)
        if method == 'Runtime.exceptionThrown':
            self.errors.append(str(params['exceptionDetails']))
        elif method == 'Log.entryAdded' and \
                params['entry']['level'] in ('error', 'warning'):
            self.errors.append('%(text)s %(url)s' % dict(
                {'url': ''}, **params['entry']))
        elif method == 'Runtime.consoleAPICalled' and \
                params['type'] in ('error', 'warning', 'assert'):
            self.errors.append(str(params['args']))

    def call(self, method, **params):
        message = {'id': self.next_id, 'method': method, 'params': params}
        if getattr(self, 'session', None):
            message['sessionId'] = self.session
        self.next_id += 1
        os.write(self.write_to, json.dumps(message).encode() + b'\0')
        until = time.monotonic() + self.patience
        while True:
            reply = self.receive(until)
            if reply is None:
                raise TimeoutError(method)
            if reply.get('id') == message['id']:
                if 'error' in reply:
                    raise OSError('%s: %s' % (method, reply['error']))
                return reply['result']

    def look(self, size, dark):
        width, height, phone = SIZES[size]
        self.call('Emulation.setDeviceMetricsOverride', width=width,
                  height=height, deviceScaleFactor=1, mobile=phone)
        self.call('Emulation.setEmulatedMedia', features=[
            {'name': 'prefers-color-scheme',
             'value': 'dark' if dark else 'light'}])

    def open(self, url):
        self.events.clear()
        failed = self.call('Page.navigate', url=url).get('errorText')
        if failed:
            raise OSError('%s: %s' % (url, failed))
        until = time.monotonic() + self.patience
        while 'Page.domContentEventFired' not in self.events:
            if self.receive(until) is None:
                raise TimeoutError(url)

    def value(self, expression):
        """Of a JavaScript expression; a promise is awaited."""
        result = self.call('Runtime.evaluate', expression=expression,
                           returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in result:
            raise OSError(str(result['exceptionDetails']))
        return result['result'].get('value')

    def picture(self, path, height=None):
        """The whole page, or its first pixels."""
        width = self.value('innerWidth')
        height = height or min(self.value(
            'document.documentElement.scrollHeight'), 12000)
        data = self.call('Page.captureScreenshot', captureBeyondViewport=True,
                         clip={'x': 0, 'y': 0, 'width': width,
                               'height': height, 'scale': 1})['data']
        with open(path, 'wb') as f:
            f.write(base64.b64decode(data))

#!/usr/bin/env python3
"""What the script of the --http page shows, without a browser."""

import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403


def shown():
    done = subprocess.run(['node', os.path.join(SRC, 'tests/e2e/lib/page.js'),
                           os.path.join(SRC, 'src/engine/web/page/page.js')],
                          check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)


@case
def resumed():
    equal(shown()['elapsed'], '01:01:00', 'time of the campaign')


@case
def slow_reports():
    s = shown()
    equal(s['chosen'], 'of quick', 'the report of the finding chosen last')
    check('cannot be reached' in s['lost'], 'no network: %s', s['lost'])
    equal(s['hidden'], True, 'a report that was closed')


@case
def next_campaign():
    # Another engine at the same port: the page shows only its events.
    equal(shown()['events'], [[' a-2', ' a-1'], [' b-1']], 'journal')


if __name__ == '__main__':
    if shutil.which('node') is None:
        print('no node')
        sys.exit(77)
    main()

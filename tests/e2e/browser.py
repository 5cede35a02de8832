#!/usr/bin/env python3
"""The page of --http and the report in a real browser, on a phone and a projector,
dark and light: no error in its console, nothing wider than the screen, all texts of
the target shown as texts. BROWSER_PICTURES=DIR keeps pictures, to be looked at."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from browser import PROGRAM, SIZES, Browser    # noqa: E402
from cfuzztest import *    # noqa: E402,F401,F403

EVIL = '<img src=x onerror=alert(1)>&amp;'
FAILS = two_failures(EVIL)
PICTURES = os.environ.get('BROWSER_PICTURES')


def each_look(browser, url, name, ready):
    """Opens the page in each size and theme, and yields when it is ready."""
    colours = set()
    for size, (width, *_) in SIZES.items():
        for dark in False, True:
            browser.look(size, dark)
            browser.open(url)
            wait_for(lambda: browser.value(ready), ready)
            yield size, dark
            equal(browser.value('innerWidth'), width, 'width')
            equal(browser.value('document.documentElement.scrollWidth'),
                  width, 'width of the content of %s, %s' % (name, size))
            equal(browser.value("document.querySelectorAll('img').length"), 0,
                  'images')
            colours.add((dark, browser.value(
                'getComputedStyle(document.body).backgroundColor')))
            if PICTURES:
                browser.picture(os.path.join(PICTURES, '%s-%s-%s.png' % (
                    name, size, 'dark' if dark else 'light')))
    equal(len(colours), 2, 'a colour for dark, another for light')
    equal(browser.errors, [], 'console')


@case
def live_page():
    needs_files(1024)
    port = free_port()
    r = start(build(FAILS), '-j', 1, '--http', port, '--seeds',
              seeds([b'a', b'bb']))
    url = 'http://127.0.0.1:%d/' % port
    wait_for(lambda: len(r.buckets()) == 2, 'findings')
    with Browser() as b:
        for _ in each_look(b, url, 'page',
                           "document.querySelectorAll('#findings button')"
                           ".length == 2 && document.querySelector('#line')"
                           ".getAttribute('d') != null"):
            equal(b.value("document.querySelector('#state').textContent"),
                  'fuzzing', 'state')
            b.value("[...document.querySelectorAll('#findings button')].find("
                    "x => x.textContent != 'SIGABRT').click()")
            wait_for(lambda: EVIL in b.value(
                "document.querySelector('#text').textContent"), 'the report')
            check(b.value("document.querySelectorAll('#workers tr').length") ==
                  2 and b.value("document.querySelectorAll('#events li')"
                                ".length") > 0, 'no workers, no journal')
    r.signal(15)
    r.end(1)
    nobody_left()


@case
def report_page():
    needs_files(1024)
    start(build(FAILS), '-j', 1, '--fuzztime', '300x', '--seeds',
          seeds([b'a', b'bb'])).end(1)
    subprocess.run([CFUZZ, 'report', 'out'], check=True,
                   stdout=subprocess.DEVNULL)
    with Browser() as b:
        for _ in each_look(b, 'file://' + os.path.abspath(
                'out/report/report.html'), 'report',
                           "document.readyState == 'complete'"):
            b.value("document.querySelectorAll('details').forEach("
                    "d => d.open = true)")
            shown = b.value('document.body.innerText')
            for word in EVIL, 'SIGABRT', 'Coverage by source':
                check(word in shown, 'no %s: %s', word, shown)


if __name__ == '__main__':
    if PROGRAM is None:
        print('no chromium')
        sys.exit(77)
    main()

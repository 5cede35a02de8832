#!/usr/bin/env python3
"""Reports and crashes that are made to do harm: too much of them, control
characters in them, stacks and handlers that are broken."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                'lib'))
from cfuzztest import *    # noqa: E402,F401,F403

REPORT_MAX = 256 << 10    # bytes of a report that are looked at


def fuzz(target, data, *options, **more):
    return run(target, '-j', 1, '--fuzztime', '1x', '--minimizetime', 0,
               '--seeds', seeds([data]), *options, status=1,
               timeout_ms=100000, **more)


def check_clean(text, what):
    bad = [c for c in text if ord(c) < 32 and c != '\n' or 127 <= ord(c) < 160]
    check(not bad, '%s has control characters: %r', what, bad[:5])


@each(('nonsense', r'\x1b]0;title\x07\x1b[2J\xff\x00 lots of it\n', 'signal',
       'SIGABRT'),
      ('lines', r'\n', 'signal', 'SIGABRT'),
      ('no line', r'xxxxxxxxxxxxxxxx', 'signal', 'SIGABRT'))
def hundred_megabytes(piece, kind, what):
    # Much is written, little is read; none of it reaches a terminal.
    target = build(one_input('''
	static const char piece[] = "%s";
	static char text[1 << 20];

	if (size < 2 || data[0] != 'x')
		return 0;
	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = piece[i %% (sizeof(piece) - 1)];
	for (int i = 0; i < 100; i++)
		(void)!write(2, text, sizeof(text));
	abort();''' % piece))
    r = fuzz(target, b'xx')
    bucket = r.bucket()
    equal((bucket.info['kind'], bucket.info['what']), (kind, what), 'what')
    check(len(bucket.report) < 5 * REPORT_MAX, 'a report of %d bytes',
          len(bucket.report))
    check_clean(bucket.report, 'the report')
    check_clean(r.stdout, 'what is said')
    check_clean(json.dumps(bucket.info, ensure_ascii=False), 'crash.json')


@each(('forked', ''), ('threads', """
	static pthread_t thread;
	pthread_create(&thread, NULL, (void *(*)(void *))pause, NULL);"""))
def words_at_every_input(begin):
    # Output of earlier inputs leaves room for the last words.
    target = build(one_input("""
	static int runs;

	fprintf(stderr, "%%d: %%2048d\\n", runs++, 0);
	assert(runs < 1000);""", """#include <assert.h>
#include <pthread.h>
__attribute__((constructor)) static void
begin(void)
{%s
}
""" % begin).replace('%%', '%'), flags=['-pthread'])
    r = run(target, '-j', 1, '--stop-on-crash', '--verify', 0,
            '--minimizetime', 0, '--seeds', seeds([b'xx']), status=1)
    check('Assertion' in r.bucket().info['text'], 'said: %s',
          r.bucket().info['text'])


@case
def more_words_than_fit():
    # What is left of the output does not say why.
    target = build(one_input("""
	if (size < 2 || data[0] != 'x')
		return 0;
	for (int i = 0; i < 100000; i++)
		fputs("nothing special\\n", stderr);
	abort();"""))
    text = fuzz(target, b'xx').bucket().info['text']
    check('special' not in text, 'said: %s', text)


# A report that nobody but the target has written.
FORGED = '''
	if (size < 2 || data[0] != 'x')
		return 0;
	dprintf(2, "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address "
		"0x1 at pc 0x2\\nREAD of size 4 at 0x1 thread T0\\n");
	%s
	abort();'''


@case
def million_frames():
    # The innermost ones count.
    r = fuzz(build(one_input(FORGED % '''
	FILE *out = fdopen(dup(2), "w");

	for (int i = 0; i < 1000000; i++)
		fprintf(out, "    #%d 0x55 in f%d a.c:%d (target+0x%x)\\n", i,
			i, i, 4096 + i);
	fflush(out);''')), b'xx')
    info = r.bucket().info
    equal(info['what'], 'heap-buffer-overflow', 'what')
    check(2 <= len(info['frames']) <= 32, '%d frames', len(info['frames']))
    check(len(r.bucket().report) < 5 * REPORT_MAX, 'the report')


@each(('escapes', r'\x1b[31m/\x07\x9b(\xe2\x80\xae/../../x+0x10)'),
      ('long', "%s+0x10)" % ('(' + 'a/' * 2000 + 'b' * 3000)),
      ('brackets', '(' * 500 + '+0x1' * 500 + ')' * 500),
      ('offset', '(m+0xffffffffffffffffffffffff)'),
      ('nothing', '(+0x)'), ('format', '(%%s%%n%%s+0x5)'))
def forged_frame(frame):
    # Whatever stands in a frame, a safe folder is made of it.
    r = fuzz(build(one_input(FORGED % '''
	for (int i = 0; i < 3; i++)
		dprintf(2, "    #%%d 0x55 in f %%s\\n", i, "%s");''' %
                             frame.replace('%%', '%'))), b'xx')
    bucket = r.bucket()
    equal(bucket.info['what'], 'heap-buffer-overflow', 'what')
    check_clean(bucket.report, 'the report')
    check_clean(json.dumps(bucket.info, ensure_ascii=False), 'crash.json')
    check_clean(r.stdout, 'what is said')


BROKEN = '''
#include <signal.h>
#include <sys/mman.h>

__attribute__((unused, noinline)) static void
crash(void)
{
	*(volatile int *)8 = 1;
}

__attribute__((unused)) static void
handler(int signo)
{
	(void)signo;
	crash();
}
'''


@each(('handler crashes', '''
	signal(SIGSEGV, handler);
	crash();'''),
      ('handler crashes again', '''
	struct sigaction act = { .sa_handler = handler, .sa_flags = SA_NODEFER };

	sigaction(SIGSEGV, &act, NULL);
	crash();'''),
      ('frames lead nowhere', '''
	void **frame = (void **)__builtin_frame_address(0);

	for (int i = 0; i < 64; i++)
		frame[i] = (void *)(uintptr_t)0x4141414141414141;
	crash();'''),
      ('frames go in a circle', '''
	void **frame = (void **)__builtin_frame_address(0);

	for (int i = 0; i < 64; i++)
		frame[i] = (void *)frame;
	crash();'''),
      ('no stack', '''
#if defined(__x86_64__)
	__asm__ volatile("mov $16, %rsp\\n\\tpush %rax");
#elif defined(__aarch64__)
	__asm__ volatile("mov x9, #16\\n\\tmov sp, x9\\n\\tstr x9, [sp, #-16]!");
#endif
	crash();'''),
      ('no stack for handlers', '''
	stack_t stack;

	sigaltstack(NULL, &stack);
	if (stack.ss_sp != NULL)
		mprotect((void *)((uintptr_t)stack.ss_sp & ~4095ul),
			stack.ss_size, PROT_NONE);
	crash();'''),
      ('a jump to nowhere', '''
	((void (*)(void))(uintptr_t)0x1234567812345678)();'''))
def broken_crash(body):
    # However little is left to look at, the input is kept, and the campaign
    # goes on.
    r = run(build(one_input('''
	probe_count();
	if (size < 2 || data[0] != 'x')
		return 0;
	%s''' % body, head=BROKEN)), '-j', 1, '--fuzztime', '200x',
        '--minimizetime', 0, '--verify', 2, '--seeds', seeds([b'xx', b'ok']),
        status=1)
    found = r.buckets('crashes')
    check(found and found[0].info['kind'] == 'signal', 'findings: %s',
          [b.info for b in found])
    check(any(b.input == b'xx' for b in found), 'the input')
    equal(r.stats['execs'], 200, 'executions')


main()

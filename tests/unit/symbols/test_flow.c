/*
 * test_flow: inference of blocks without a counter, in machine code of both
 * architectures.
 */
#include "symbols/flow.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "symbols/libcapstone.h"

#define BASE 0x1000u
#define ENDS 0x9000u    /* a function that does not return */
#define REPORTS 0xa000u /* a sanitizer's function that returns */
#define HOOK 0xb000u    /* a coverage function */

/* x86-64: one letter per instruction. */
static const struct {
	char letter;
	unsigned char bytes[8];
	size_t n;
} steps[] = {
	{ 'n', { 0x90 }, 1 },       /* goes on */
	{ 'r', { 0xc3 }, 1 },       /* returns */
	{ 'u', { 0x0f, 0x0b }, 2 }, /* dies */
	{ 'i', { 0xff, 0xe0 }, 2 }, /* indirect jump by a register */
};

/*
 * Code is a list of instructions: "j3" jumps to byte 3, "b3" branches to it,
 * "c3" calls it, "cE" calls a function that does not return, "cR" a sanitizer's
 * report, "cH" a coverage function. Counters are at the given bytes. The expected blocks without a
 * counter: start, then "hit/before/after" with a letter for each counter, a for
 * the first. "!": the block belongs to a sanitizer; such blocks are listed even
 * with a counter.
 */
struct flow_case {
	const char *name, *code;
	int points[4]; /* -1: no more */
	bool leaps;
	const char *want; /* NULL: unknown */
};

/* clang-format off */
static const struct flow_case cases[] = {
	{ "straight", "nnr", { 0, -1 }, false, "" },
	/* if (..) a; join */
	{ "join", "b3nnr", { 0, -1 }, false, "2:/a/ 3:a/a/" },
	{ "jump into a step", "j1r", { 0, -1 }, false, NULL },
	{ "then and join", "b4nnr", { 0, 2, -1 }, false, "4:ab/ab/" },
	{ "two counters at one place", "b4nnr", { 0, 2, 2, -1 }, false, "4:abc/abc/" },
	{ "then without", "b4nnr", { 0, 4, -1 }, false, "2:/a/b" },
	{ "two ways out", "b4nrnr", { 0, 4, -1 }, false, "2:/a/" },
	{ "a loop", "nb0r", { 0, -1 }, false, "3:a/a/" },
	{ "dies on a way", "b4unr", { 0, -1 }, false, "2:/a/ 4:a/a/" },
	{ "comes back", "b7c0nr", { 0, -1 }, false, "2:/a/ 7:a/a/" },
	{ "perhaps not", "b7c0nr", { 0, -1 }, true, "2:/a/ 7:/a/" },
	{ "a hook does", "b7cHnr", { 0, -1 }, true, "2:/a/ 7:a/a/" },
	{ "does not", "b7cEnr", { 0, -1 }, false, "2:/a/ 7:a/a/" },
	{ "the last call", "b8c0nc0", { 0, -1 }, false, "2:/a/ 8:/a/" },
	/* if (check) report; the report returns */
	{ "reports", "b7cRnr", { 0, -1 }, false, "2!:/a/ 7:a/a/" },
	{ "counted", "b7cRnr", { 0, 2, -1 }, false, "2!:// 7:ab/ab/" },
	{ "reports, goes on", "b9cRj9r", { 0, -1 }, true, "2!:/a/ 7!:/a/ 9:/a/" },
	{ "at its begin", "cRnr", { 0, -1 }, false, "" },
	{ "calls first", "b<c0cRr", { 0, -1 }, false, "2:/a/ 12:a/a/" },
	{ "without end", "b4nj3r", { 0, -1 }, false, NULL },
	{ "somewhere", "b4ir", { 0, 4, -1 }, false, NULL },
};
/* clang-format on */

struct stage {
	unsigned char bytes[64];
	size_t n;
	struct code code;
	struct flow flow;
	int fd;
};

static void
put(struct stage *s, const void *bytes, size_t n)
{
	memcpy(s->bytes + s->n, bytes, n);
	s->n += n;
}

static void
put_far(struct stage *s, char to)
{
	int32_t far = to == 'E' ? (int32_t)(ENDS - BASE)
		: to == 'R'     ? (int32_t)(REPORTS - BASE)
		: to == 'H'     ? (int32_t)(HOOK - BASE)
				: to - '0';
	unsigned char op = 0xe8;

	put(s, &op, 1);
	far -= (int32_t)s->n + 4;
	put(s, &far, sizeof(far));
}

static void
put_near(struct stage *s, unsigned char op, char to)
{
	signed char near = (signed char)(to - '0' - (int)s->n - 2);

	put(s, &op, 1);
	put(s, &near, 1);
}

static void
assemble(struct stage *s, const char *text)
{
	for (; *text != '\0'; text++) {
		if (*text == 'c')
			put_far(s, *++text);
		else if (*text == 'j' || *text == 'b')
			put_near(s, *text == 'j' ? 0xeb : 0x74, text[1]),
				text++;
		else
			for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]);
				i++)
				if (steps[i].letter == *text)
					put(s, steps[i].bytes, steps[i].n);
	}
}

static unsigned
callee(void *arg, uint64_t address)
{
	return address == ENDS       ? FLOW_ENDS
		: address == REPORTS ? FLOW_REPORTS
		: address == HOOK    ? FLOW_HOOK
				     : 0;
}

static bool
make(struct stage *s, unsigned machine, const struct flow_point *points,
	size_t points_n, bool leaps)
{
	const struct flow_range range = { BASE, BASE + s->n };
	struct flow_input input = { .code = &s->code,
		.ranges = &range,
		.ranges_n = 1,
		.points = points,
		.points_n = points_n,
		.leaps = leaps,
		.callee = callee };

	memset(&s->code, 0, sizeof(s->code));
	s->code.fd = memfd_create("code", MFD_CLOEXEC);
	s->fd = s->code.fd;
	assert_int_equal(write(s->fd, s->bytes, s->n), (ssize_t)s->n);
	s->code.segments[0] = (struct code_segment){ BASE, s->n, 0, true };
	s->code.segments_n = 1;
	assert_true(code_use(&s->code, machine));
	return flow_make(&s->flow, &input);
}

static void
clear(struct stage *s)
{
	flow_clear(&s->flow);
	code_close(&s->code);
	close(s->fd);
}

static void
tell_set(const struct flow *flow, const struct flow_set *set, char **at)
{
	for (char letter = 'a'; letter < 'e'; letter++)
		for (uint32_t i = 0; i < set->n; i++)
			if (flow->members[set->first + i] ==
				(uint32_t)(letter - 'a')) {
				*(*at)++ = letter;
				break;
			}
}

static void
tell(const struct flow *flow, char *buf)
{
	char *at = buf;

	for (uint32_t i = 0; i < flow->blocks_n; i++) {
		const struct flow_block *block = &flow->blocks[i];

		if (block->points_n > 0 && !block->check)
			continue;
		at += sprintf(at, "%s%u%s:", at > buf ? " " : "",
			(unsigned)(block->start - BASE),
			block->check ? "!" : "");
		tell_set(flow, &block->hit, &at);
		*at++ = '/';
		tell_set(flow, &block->before, &at);
		*at++ = '/';
		tell_set(flow, &block->after, &at);
	}
	*at = '\0';
}

static void
test_cases(void **state)
{
	if (libcapstone_get() == NULL)
		skip();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct flow_case *c = &cases[i];
		struct flow_point points[4];
		struct stage s = { 0 };
		char told[256];
		size_t n = 0;
		bool made;

		assemble(&s, c->code);
		for (; n < 4 && c->points[n] >= 0; n++)
			points[n] = (struct flow_point){ BASE +
					(uint64_t)c->points[n],
				(uint32_t)n, n == 0 };
		made = make(&s, EM_X86_64, points, n, c->leaps);
		tell(&s.flow, told);
		if (made != (c->want != NULL) ||
			(made && strcmp(told, c->want) != 0))
			fail_msg("%s: %s", c->name, made ? told : "none");
		clear(&s);
	}
}

/* cbz x0, +8; nop; ret, and a call before */
static void
test_arm(void **state)
{
	static const uint32_t code[] = { 0x94000000, 0xb4000040, 0xd503201f,
		0xd65f03c0 };
	const struct flow_point point = { BASE, 0, true };
	struct stage s = { 0 };
	char told[256];

	if (libcapstone_get() == NULL)
		skip();
	put(&s, code, sizeof(code));
	assert_true(make(&s, EM_AARCH64, &point, 1, false));
	tell(&s.flow, told);
	assert_string_equal(told, "8:/a/ 12:a/a/");
	clear(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_arm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/*
 * jump: two stacks that jump to one another, with numbers in registers that the
 * other side uses as well. Its status is 0 if each finds its own again.
 */

#include "target/program/jump.h"

#include <stdint.h>
#include <stdlib.h>
#include <ucontext.h>

#define ROUNDS 1000
#define MANY 8

static void *here[JUMP_WORDS], *there[JUMP_WORDS];
static volatile unsigned seed = 1;
static uint64_t stack[1 << 16];
static volatile unsigned visits;

__attribute__((noinline, noreturn)) static void
leave(void **place)
{
	jump_to(place);
}

JUMP_SETS static void
change(void **from, void **to)
{
	if (jump_set(from) == 0)
		leave(to);
}

/* Each side has other numbers, more than there are registers. */
__attribute__((noinline)) static void
work(unsigned side, void **from, void **to, int rounds)
{
	uint64_t words[MANY], word = seed * side;
	double reals[MANY], real = seed * side;

	for (int i = 0; i < MANY; i++) {
		words[i] = word * (seed + (unsigned)i);
		reals[i] = real * (seed + (unsigned)i);
	}
	for (int round = 0; round < rounds; round++) {
		change(from, to);
		visits++;
		for (int i = 0; i < MANY; i++) {
			if (words[i] != word * (seed + (unsigned)i) ||
				reals[i] != real * (seed + (unsigned)i))
				exit(1);
		}
	}
}

static void
begin(void)
{
	work(7, there, here, ROUNDS + 1);
	exit(2); /* the other side is to end first */
}

int
main(void)
{
	static ucontext_t context;

	if (getcontext(&context) != 0)
		return 3;
	context.uc_stack.ss_sp = stack;
	context.uc_stack.ss_size = sizeof(stack);
	makecontext(&context, begin, 0);
	if (jump_set(here) == 0)
		(void)setcontext(&context);
	visits++;
	work(5, here, there, ROUNDS);
	return visits == 2 * ROUNDS + 1 ? 0 : 4;
}

/*
 * fake_inputs: a worker whose inputs say what the target does.
 *
 * An input is text. The first of these letters says how it fails:
 *
 *	C3  SIGSEGV in function f3; the address depends on the length
 *	C   SIGSEGV without a stack
 *	D   the same; SIGSEGV in f1 if there is another D
 *	E   cfuzz_fail("it is bad")
 *	L   a sanitizer's report
 *	H   hang         O   out of memory
 *	K   something from outside kills the process
 *	F   SIGSEGV, the first time only
 *	X   SIGSEGV in f1, the first time only; later in f2
 *	N   it does not run          M   new modules, the first time only
 *	J   it runs, and the worker ends before the next one does
 *	S   it runs, and its process dies before the next one runs there; in a row, it
 *	    ends there
 *	Z   the data of its worker is damaged, the first time only
 *	R   the target rejects it
 *	P   no process for an input, from the first minimization on
 *	$   no process for it       ~   the same, from the second time on
 *	T   sends SIGINT to the engine, then is as the rest of the input
 *	W   sends SIGINT twice, and does not end
 *	Y   the worker sends SIGINT and SIGTERM when it is to end, and stays
 *
 * Small letters are edges: an input hits the counters of its own.
 */
#ifndef CFUZZ_TESTS_FAKE_INPUTS_H
#define CFUZZ_TESTS_FAKE_INPUTS_H

#include "lib/fake_chaos.h"

/*
 * Modes: "inputs", and behind a dash "nofork", "typed" (one string), "plain"
 * (no coverage), "leaks" (they cannot be found), "lines" (a PC table), "afl" (a
 * program of AFL++: Z says that it was lost).
 */
void fake_inputs_ping(const char *mode, struct rpc_reply *reply);
/* Fills in the PC table of "lines" and returns its length. */
uint64_t fake_inputs_table(struct pc_table_head *head);
/* Fills the reply; may end the process instead. */
void fake_inputs(const struct fake_call *call);

#endif

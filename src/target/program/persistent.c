/* persistent: see persistent.h. */

#include "target/program/persistent.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "shared/pages.h"
#include "target/child/leaks.h"
#include "target/crash/exits.h"
#include "target/program/jump.h"
#include "target/program/program_input.h"
#include "target/server/serve.h"

/* Weak: a module that needs setcontext() itself has calls that may not return, see
 * symbols/flow.h. makecontext() needs it as well, so it is always there. */
#pragma weak setcontext

/* The runtime's stack, with a page without access below it. */
#define PERSISTENT_STACK ((size_t)8 << 20)
#define PERSISTENT_GUARD 65536u

/* The program may take the buffer's address before the largest input is known. */
#define PERSISTENT_ROOM ((size_t)64 << 20)

/* Global, because the program calls without a handle. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct persistent {
	struct worker *worker; /* NULL: not serving */
	bool testcases, files; /* where the program finds its inputs */
	struct program_input input;
	pid_t process; /* that has put the last input */
	const uint8_t *data;
	size_t len;
	uint8_t *testcase; /* NULL: the program has not asked for it */
	bool testcase_read;
	/* The points where either side continues. */
	void *program[JUMP_WORDS], *runtime[JUMP_WORDS];
	void (*errand)(void); /* to run on the program's stack */
} persistent;

/* ---- the two stacks --------------------------------------------------- */

__attribute__((noinline, noreturn)) static void
persistent_jump(void **where)
{
	jump_to(where);
}

/* Runs the program until it asks for the next input or ends. */
JUMP_SETS static void
persistent_run_program(struct persistent *p)
{
	if (jump_set(p->runtime) == 0)
		persistent_jump(p->program);
}

JUMP_SETS static void
persistent_run_runtime(struct persistent *p)
{
	if (jump_set(p->program) == 0)
		persistent_jump(p->runtime);
}

static void
persistent_begin_runtime(void)
{
	serve_run(persistent.worker);
}

/* Runs the server on the second stack; returns with the first input. */
JUMP_SETS static void
persistent_start_runtime(struct persistent *p)
{
	uint8_t *stack = pages_map(PERSISTENT_GUARD + PERSISTENT_STACK);
	static ucontext_t context;

	if (stack == NULL || getcontext(&context) != 0)
		serve_give_up("no memory to start with");
	(void)mprotect(stack, PERSISTENT_GUARD, PROT_NONE);
	context.uc_stack = (stack_t){ .ss_sp = stack + PERSISTENT_GUARD,
		.ss_size = PERSISTENT_STACK };
	context.uc_link = NULL;
	makecontext(&context, persistent_begin_runtime, 0);
	if (jump_set(p->program) == 0)
		(void)setcontext(&context);
}

/* ---- an execution ------------------------------------------------------ */

static bool
persistent_put_file(struct persistent *p)
{
	if (p->process != getpid())
		program_input_forget(&p->input);
	p->process = getpid();
	return program_input_offer(&p->input, p->worker, p->data, p->len);
}

static void
persistent_put_testcase(struct persistent *p)
{
	uint8_t *testcase = persistent_testcase();

	memcpy(testcase, p->data, p->len);
	testcase[p->len] = '\0';
}

/* The target's function. */
static int
persistent_run(const uint8_t *data, size_t len)
{
	struct persistent *p = &persistent;

	if (p->worker->spent)
		return -1;
	p->data = data;
	p->len = len;
	if (p->testcases)
		persistent_put_testcase(p);
	if (!p->files || persistent_put_file(p))
		persistent_run_program(p);
	return 0;
}

/*
 * The program calls exit(), or has returned from main(). Unless that is a
 * failure, its stack is left as it is, and the execution ends.
 */
static void
persistent_leave(int status)
{
	struct persistent *p = &persistent;
	struct worker *w = p->worker;

	if ((w->fail_on_exit && status != 0) ||
		(int)syscall(SYS_gettid) != (int)getpid())
		return;
	w->spent = true;
	persistent_jump(p->runtime);
}

/* The stack of a program that has left its loop is not in order any more. */
static void
persistent_run_errand(void (*errand)(void))
{
	struct persistent *p = &persistent;

	if (p->worker->spent) {
		errand();
		return;
	}
	p->errand = errand;
	persistent_run_program(p);
}

/* ---- the program's side ------------------------------------------------ */

bool
persistent_is_open(void)
{
	return persistent.worker != NULL;
}

/* The runtime has switched here: for errands, or at last for an input. */
static void
persistent_do_errands(struct persistent *p)
{
	void (*errand)(void);

	while (p->errand != NULL) {
		errand = p->errand;
		p->errand = NULL;
		errand();
		persistent_run_runtime(p);
	}
}

void
persistent_next(void)
{
	persistent_run_runtime(&persistent);
	persistent_do_errands(&persistent);
}

const uint8_t *
persistent_data(size_t *len)
{
	*len = persistent.len;
	return persistent.data;
}

uint8_t *
persistent_testcase(void)
{
	struct persistent *p = &persistent;

	if (p->testcase == NULL)
		p->testcase = pages_map(PERSISTENT_ROOM);
	if (p->testcase == NULL)
		serve_give_up("no memory for the input");
	return p->testcase;
}

/* Started by hand: the input is on standard input. */
static void
persistent_read(struct persistent *p)
{
	uint8_t *testcase = persistent_testcase();
	ssize_t n;

	p->testcase_read = true;
	do {
		n = read(STDIN_FILENO, testcase + p->len,
			PERSISTENT_ROOM - 1 - p->len);
		p->len += n > 0 ? (size_t)n : 0;
	} while (n > 0);
}

size_t
persistent_testcase_len(void)
{
	struct persistent *p = &persistent;

	if (p->worker == NULL && !p->testcase_read)
		persistent_read(p);
	return p->len;
}

void
persistent_serve(struct worker *w, program_main *main, const char *path,
	enum persistent_input how)
{
	struct persistent *p = &persistent;
	struct error err = { .code = OK };

	if (how == PERSISTENT_TESTCASE &&
		w->layout.value_size >= PERSISTENT_ROOM)
		serve_give_up("the buffer of __AFL_FUZZ_TESTCASE_BUF has 64 "
			      "MB; lower --max-len");
	p->testcases = how == PERSISTENT_TESTCASE;
	/* The arguments may name the file for other reasons. */
	p->files = path != NULL || how == PERSISTENT_FILE;
	if (p->files && program_input_open(&p->input, path, &err) != OK)
		serve_give_up(err.text);
	program_note_main(main);
	p->worker = w;
	w->kind = PROGRAM_KIND;
	w->target = persistent_run;
	w->loops = true;
	exits_catch(persistent_leave);
	leaks_check_by(persistent_run_errand);
	persistent_start_runtime(p);
	persistent_do_errands(p);
}

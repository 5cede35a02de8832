/*
 * fake_inputs: see fake_inputs.h.
 */
#include "lib/fake_inputs.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shared/minimize/minimize.h"

#define COUNTERS 100u /* as fake_worker.c says */
#define FUNCTION 0x100u

struct inputs {
	const struct fake_call *call;
	struct worker_layout layout;
	uint8_t *value, *best, *ring, *keep;
};

static pid_t engine; /* this process's parent at its start */
static bool no_process;

void
fake_inputs_ping(const char *mode, struct rpc_reply *reply)
{
	engine = getppid();
	if (strcmp(mode, "inputs-nofork") == 0)
		reply->no_fork = true;
	if (strcmp(mode, "inputs-plain") == 0)
		reply->modules_n = 0;
	if (strcmp(mode, "inputs-afl") == 0)
		strcpy(reply->target_kind, RPC_KIND_AFL);
	if (strncmp(mode, "inputs-leaks", 12) == 0)
		reply->leaks = LEAKS_BROKEN;
	if (strcmp(mode, "inputs-typed") == 0) {
		reply->types = (struct tuple_types){ .n = 1,
			.types = { VALUE_STRING } };
		strcpy(reply->function, "Parse");
	}
}

/* a and b are two functions of this file; the other edges are nowhere. */
uint64_t
fake_inputs_table(struct pc_table_head *head)
{
	extern const char __executable_start[];
	uint64_t *numbers = (uint64_t *)(head + 1);
	uintptr_t base = (uintptr_t)__executable_start;

	memset(head, 0, sizeof(*head) + COUNTERS * sizeof(*numbers));
	head->n = COUNTERS;
	numbers[0] = ((uintptr_t)fake_inputs_ping - base) | TABLE_ENTRY;
	numbers[1] = ((uintptr_t)fake_inputs - base) | TABLE_ENTRY;
	return COUNTERS;
}

/* ---- one execution ------------------------------------------------------- */

/* The engine is the parent at the start, and nobody once that has ended. */
static void
interrupt_engine(void)
{
	if (getppid() != engine)
		_exit(9);
	kill(engine, SIGINT);
}

/* At the end of the worker; the engine kills it at the second signal. */
static void
interrupt_engine_twice(void)
{
	signal(SIGINT, SIG_IGN);
	interrupt_engine();
	kill(engine, SIGTERM);
	for (;;)
		pause();
}

static void
await_end(const struct inputs *in)
{
	const struct fake_call *call = in->call;
	const uint64_t *end = &call->campaign->slots[call->head->slot].end_seq;

	while (__atomic_load_n(end, __ATOMIC_ACQUIRE) < call->request->seq)
		usleep(1000);
}

static void
crash_in(struct failure *f, unsigned function, size_t len)
{
	char path[PATH_MAX] = "";

	f->kind = FAILURE_SIGNAL;
	f->signo = SIGSEGV;
	strcpy(f->what, "SIGSEGV");
	if (function == 0 ||
		readlink("/proc/self/exe", path, sizeof(path) - 1) < 0)
		return;
	f->frames_n = 1;
	f->frames[0].offset = FUNCTION * function + len % 200;
	snprintf(f->frames[0].module, FAILURE_MODULE_MAX, "%s",
		strrchr(path, '/') + 1);
}

/* The frame is at 0x410 in the program. */
static void
write_report(void)
{
	char path[PATH_MAX] = "", text[2 * PATH_MAX];
	int n;

	if (readlink("/proc/self/exe", path, sizeof(path) - 1) < 0)
		_exit(9);
	n = snprintf(text, sizeof(text),
		"==1==ERROR: Fake: bad-thing\n    #0 0x410  (%s+0x410)\n"
		"SUMMARY: Fake: bad-thing\n",
		path);
	if (write(WORKER_FD_DEFAULT + WORKER_FD_REPORT, text, (size_t)n) < n)
		_exit(9);
}

static void
fail_as(struct failure *f, enum failure_kind kind, const char *what,
	const char *text)
{
	f->kind = kind;
	strcpy(f->what, what);
	strcpy(f->text, text);
}

/* The failure of an input; FAILURE_NONE: it does not fail. */
static void
judge(const uint8_t *data, size_t len, struct failure *f)
{
	static unsigned once_f, once_x, once_q, once_z;
	size_t i = 0;

	memset(f, 0, sizeof(*f));
	while (i < len && memchr("ABCDGELHOKFXQZ", data[i], 14) == NULL)
		i++;
	if (i == len)
		return;
	if (data[i] == 'C')
		crash_in(f, 0, len);
	else if (data[i] == 'A' || data[i] == 'B')
		crash_in(f, data[i] == 'A' ? 1 : 2, len);
	else if (data[i] == 'D')
		crash_in(f, memchr(data + i + 1, 'D', len - i - 1) != NULL,
			len);
	else if (data[i] == 'G')
		crash_in(f, 9, len);
	else if (data[i] == 'E')
		fail_as(f, FAILURE_ERROR, "bad", "it is bad");
	else if (data[i] == 'H')
		fail_as(f, FAILURE_HANG, "hang", "it hangs");
	else if (data[i] == 'O')
		fail_as(f, FAILURE_OOM, "oom", "it is large");
	else if (data[i] == 'K')
		fail_as(f, FAILURE_KILLED, "SIGTERM", "");
	else if (data[i] == 'F' && once_f++ == 0)
		crash_in(f, 0, len);
	else if (data[i] == 'Q' && once_q++ > 0)
		crash_in(f, 0, len);
	else if (data[i] == 'Z' && once_z++ == 0)
		fail_as(f, FAILURE_PROTOCOL, "protocol", "it was lost");
	else if (data[i] == 'X')
		crash_in(f, once_x++ == 0 ? 1 : 2, len);
	else if (data[i] == 'L') {
		fail_as(f, FAILURE_SANITIZER, "bad-thing", "");
		write_report();
	}
	if (data[i] == 'K')
		f->signo = SIGTERM;
}

static bool
has(const uint8_t *data, size_t len, char letter)
{
	return len > 0 && memchr(data, letter, len) != NULL;
}

/* ---- calls --------------------------------------------------------------- */

static void
report_edges(struct inputs *in, const uint8_t *data, size_t len)
{
	struct ring_record record = { .len = (uint32_t)len,
		.parent = MEMORY_NO_ENTRY };
	struct feature features[64];
	static unsigned once_u;
	uint8_t *at = in->ring;
	size_t i;

	if (has(data, len, 'U') && once_u++ > 0)
		return;
	for (i = 0; i < len && record.features_n < 64; i++)
		if (data[i] >= 'a' && data[i] <= 'z')
			features[record.features_n++] = (struct feature){
				.counter = data[i] - 'a',
				.buckets = 1,
			};
	record.size = ring_record_size(&record);
	memcpy(at, &record, sizeof(record));
	at += sizeof(record);
	memcpy(at, features, record.features_n * sizeof(*features));
	memcpy(at + record.features_n * sizeof(*features), data, len);
	in->call->reply->finds = 1;
	in->call->reply->ring_used = record.size;
	in->call->head->outcome.ring_used = record.size;
}

/* As a fork server that cannot fork any more. */
static void
refuse(struct rpc_reply *r)
{
	static unsigned calls;

	r->count = 0;
	r->end = CALL_REFUSED;
	snprintf(r->internal_err, sizeof(r->internal_err),
		"no process (%u calls)", ++calls);
}

/* What came between the last input and this one, which does not run. */
static bool
died_idle(struct inputs *in)
{
	static bool ends, dead;
	struct rpc_reply *r = in->call->reply;
	const uint8_t *data = in->value;
	size_t len = in->call->head->value_len;
	bool died = dead && !in->call->request->fresh;

	if (ends) {
		in->call->head->count = 0;
		exit(0);
	}
	if (died) {
		r->died = true;
		crash_in(&r->failure, 0, 0);
	}
	ends = !died && has(data, len, 'J');
	dead = !died && has(data, len, 'S');
	return died;
}

static void
run_once(struct inputs *in, const uint8_t *data, size_t len)
{
	static unsigned once_m, once_i, second;
	struct rpc_reply *r = in->call->reply;

	if (no_process) {
		refuse(r);
		return;
	}
	r->end = CALL_DONE;
	r->count = in->call->head->count = 1;
	if (has(data, len, 'W')) {
		interrupt_engine();
		for (;;)
			pause();
	}
	if (has(data, len, 'I') && len < 4 && once_i++ == 0)
		interrupt_engine();
	if (has(data, len, 'T'))
		interrupt_engine();
	if (has(data, len, 'Y'))
		atexit(interrupt_engine_twice);
	if (has(data, len, 'N')) {
		in->call->head->count = 0;
		exit(0);
	}
	if (has(data, len, '$') || (has(data, len, '~') && second++ > 0)) {
		in->call->head->count = 0;
		refuse(r);
		return;
	}
	if (has(data, len, 'V') || (has(data, len, 'M') && once_m++ == 0)) {
		r->end = CALL_MODULES;
		r->late_n = 1;
		r->late[0].key = 9;
		r->late[0].n = has(data, len, 'V') ? MEMORY_COUNTERS_MAX : 5;
		return;
	}
	r->rejected = has(data, len, 'R');
	judge(data, len, &r->failure);
	r->died = r->failure.kind != FAILURE_NONE;
	if (r->died)
		r->end = CALL_RUNNING;
	else if (in->call->request->sequence_n == 0)
		report_edges(in, data, len);
}

/* All inputs of a row, until one fails or the process ends. */
static void
run_sequence(struct inputs *in)
{
	const uint8_t *at = in->ring;
	uint32_t i, len, n = in->call->request->sequence_n;

	for (i = 0; i < n; i++) {
		memcpy(&len, at, sizeof(len));
		at += sizeof(len);
		run_once(in, at, len);
		in->call->reply->count = in->call->head->count = i + 1;
		if (in->call->reply->died || has(at, len, 'S'))
			return;
		at += len;
	}
}

/* ---- minimizing ---------------------------------------------------------- */

enum judgement {
	REFUSED,
	ACCEPTED,
	UNKNOWN
};

static enum judgement
compare(const struct inputs *in, const struct failure *f)
{
	const struct rpc_request *q = in->call->request;
	const struct known_failure *known = (const void *)in->keep;
	uint32_t i;

	if (f->kind == FAILURE_NONE || failure_is_suspect(f->kind))
		return REFUSED;
	if (q->rule == MINIMIZE_ANY_FAILURE)
		return ACCEPTED;
	if (q->rule == MINIMIZE_SAME_KIND)
		return f->kind == q->failure_kind &&
				strcmp(f->what, q->what) == 0
			? ACCEPTED
			: REFUSED;
	if (failure_stack_hash(f) == q->stack_hash)
		return ACCEPTED;
	for (i = 0; i < q->known_n; i++)
		if (known[i].stack_hash == failure_stack_hash(f))
			return known[i].same ? ACCEPTED : REFUSED;
	return q->ask ? UNKNOWN : REFUSED;
}

static void
search(struct inputs *in, struct minimizer *m)
{
	const struct rpc_request *q = in->call->request;
	struct rpc_reply *r = in->call->reply;
	enum judgement judgement;

	r->end = CALL_DONE;
	while (minimizer_next(m)) {
		if (q->limit > 0 && r->count >= q->limit) {
			r->end = CALL_LIMIT;
			return;
		}
		if (r->count++ == 0 && has(m->best, m->s.best_len, 'I')) {
			interrupt_engine();
			await_end(in);
			r->end = CALL_TIME;
			return;
		}
		judge(m->candidate, m->candidate_len, &r->failure);
		judgement = compare(in, &r->failure);
		if (judgement == UNKNOWN) {
			r->end = CALL_UNKNOWN;
			return;
		}
		minimizer_verdict(m, judgement == ACCEPTED);
	}
}

/*
 * The `other` of a minimization that goes on is the one that the last call has
 * returned, or shorter by a verdict of the engine.
 */
static bool
is_lost(const uint8_t *other, size_t len, uint64_t tries, bool store)
{
	static uint8_t *last;
	static size_t last_len;

	if (!store)
		return tries > 0 && last != NULL &&
			(other == NULL ||
				(len == last_len &&
					memcmp(other, last, len) != 0));
	free(last);
	last = NULL;
	if (other == NULL)
		return false;
	last = malloc(len + 1);
	memcpy(last, other, len);
	last_len = len;
	return false;
}

static void
load_minimizer(const struct inputs *in, struct minimizer *m, uint8_t *room)
{
	size_t size = in->layout.value_size, n = in->layout.best_size;
	uint8_t *other = room + 2 * size;

	memcpy(room, in->value, in->call->head->value_len);
	memcpy(other, in->best, n < size ? n : size);
	if (!minimizer_load(m, room, room + size, other, size,
		    &in->call->head->machine) ||
		is_lost(m->other, m->s.other_len, m->s.tries, false))
		_exit(9);
}

static void
minimize(struct inputs *in)
{
	struct worker_head *head = in->call->head;
	struct rpc_reply *r = in->call->reply;
	uint8_t *room = calloc(3, in->layout.value_size);
	struct minimizer m;

	load_minimizer(in, &m, room);
	no_process = has(m.best, m.s.best_len, 'P');
	if (no_process)
		refuse(r);
	else
		search(in, &m);
	r->tries = m.s.tries;
	r->accepted = m.s.accepted;
	head->machine = m.s;
	memcpy(in->best, m.best, m.s.best_len);
	if (m.other != NULL)
		memcpy(in->value, m.other, m.s.other_len);
	(void)is_lost(m.other, m.s.other_len, m.s.tries, true);
	r->wrote_to_mem = true;
	r->best_len = m.s.best_len;
	r->died = r->failure.kind != FAILURE_NONE;
	head->count = r->count;
	free(room);
}

/* Without a state: does the value fail as it should? */
static void
try_once(struct inputs *in)
{
	struct worker_head *head = in->call->head;
	struct rpc_reply *r = in->call->reply;
	enum judgement judgement;

	run_once(in, in->value, head->value_len);
	r->finds = r->ring_used = head->outcome.ring_used = 0;
	judgement = compare(in, &r->failure);
	if (judgement == UNKNOWN) {
		r->end = CALL_UNKNOWN;
	} else if (judgement == ACCEPTED) {
		memcpy(in->best, in->value, head->value_len);
		r->wrote_to_mem = true;
		r->best_len = head->value_len;
		r->end = CALL_LIMIT;
	} else {
		memset(&r->failure, 0, sizeof(r->failure));
		r->died = false;
		r->end = CALL_DONE;
	}
}

void
fake_inputs(const struct fake_call *call)
{
	struct inputs in = { .call = call };
	uint8_t *map = (uint8_t *)call->head;

	worker_layout_init(&in.layout, call->campaign->max_len);
	in.value = map + in.layout.value_offset;
	in.best = map + in.layout.best_offset;
	in.ring = map + in.layout.ring_offset;
	in.keep = map + in.layout.keep_offset;
	if (call->request->kind == RPC_MINIMIZE && call->request->machine)
		minimize(&in);
	else if (call->request->kind == RPC_MINIMIZE)
		try_once(&in);
	else if (call->request->sequence_n > 0)
		run_sequence(&in);
	else if (!died_idle(&in))
		run_once(&in, in.value, call->head->value_len);
}

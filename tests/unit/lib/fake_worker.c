#include "lib/fake_worker.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/fake_chaos.h"
#include "lib/fake_inputs.h"
#include "shared/wire/rpc.h"

struct fake {
	const char *mode;
	FILE *in;
	struct worker_head *head;
	const struct campaign_head *campaign;
	struct rpc_request request;
	struct rpc_reply reply;
	unsigned calls;
	bool failed;
	unsigned rows; /* that ran */
};

static void
fake_say(const char *text)
{
	if (write(WORKER_FD_DEFAULT + WORKER_FD_OUT, text, strlen(text)) < 0)
		_exit(9);
}

static void
fake_reply(struct fake *f)
{
	char line[RPC_LINE_MAX];
	struct error err = { 0 };
	size_t len;

	f->reply.seq += f->request.seq;
	f->reply.nonce += f->request.nonce;
	if (rpc_encode_reply(&f->reply, line, sizeof(line), &len, &err) != OK ||
		write(WORKER_FD_DEFAULT + WORKER_FD_OUT, line, len) < 0)
		_exit(9);
}

static bool
fake_is(const struct fake *f, const char *mode)
{
	return strcmp(f->mode, mode) == 0;
}

static void
fake_hang(void)
{
	for (;;)
		pause();
}

/* ([]byte, int8), and the seeds ("ab", -2), one of another type, one of none. */
static const uint8_t fake_seeds[] = { 16, 0, 0, 0, VALUE_BYTES, 2, 0, 0, 0, 'a',
	'b', VALUE_INT8, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 9, 0,
	0, 0, VALUE_INT8, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0xff };

static void
fake_types(struct fake *f)
{
	struct worker_layout layout;

	f->reply.types = (struct tuple_types){ .n = 2,
		.types = { VALUE_BYTES, VALUE_INT8 } };
	if (fake_is(f, "typed-apart") && f->head->slot > 0)
		f->reply.types.n = 1;
	if (fake_is(f, "typed-empty") || f->head->slot > 0)
		return;
	worker_layout_init(&layout, f->campaign->max_len);
	memcpy((uint8_t *)f->head + layout.ring_offset, fake_seeds,
		sizeof(fake_seeds));
	f->reply.seeds_n = fake_is(f, "typed-lies") ? UINT32_MAX : 3;
}

static void
fake_ping(struct fake *f)
{
	f->reply.kind = RPC_PING;
	f->reply.version = WIRE_VERSION;
	f->reply.threads = 1;
	f->reply.modules_n = 1;
	f->reply.modules[0] = (struct counter_module){ .key = 7, .n = 100 };
	if (strncmp(f->mode, "typed", 5) == 0)
		fake_types(f);
	fake_inputs_ping(f->mode, &f->reply);
	if (fake_is(f, "inputs-leaks-once") && f->request.seq > 1)
		f->reply.leaks = LEAKS_FOUND;
	if (fake_is(f, "silent"))
		fake_hang();
	if (fake_is(f, "exit-at-start"))
		exit(99);
	if (fake_is(f, "garbage"))
		fake_say("!!\n");
	if (fake_is(f, "garbage-hang")) {
		fake_say("!!\n");
		fake_hang();
	}
	if (fake_is(f, "old-version"))
		f->reply.version = WIRE_VERSION + 1;
	if (fake_is(f, "endless-line"))
		for (;;)
			fake_say("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[");
	fake_reply(f);
	if (fake_is(f, "exit-idle"))
		exit(0);
	if (fake_is(f, "uninvited"))
		fake_reply(f);
}

/* A candidate that never ends: until the engine kills it. */
static void
fake_candidate(struct fake *f)
{
	pid_t child = fork();

	if (child == 0)
		fake_hang();
	__atomic_store_n(&f->head->child_pid, child, __ATOMIC_RELEASE);
	__atomic_add_fetch(&f->head->count, 1, __ATOMIC_RELAXED);
	waitpid(child, NULL, 0);
	__atomic_store_n(&f->head->child_pid, 0, __ATOMIC_RELEASE);
}

/* As a fork server: looks at the end word between candidates, survives them. */
static void
fake_minimize(struct fake *f)
{
	const struct campaign_slot *slot = &f->campaign->slots[f->head->slot];
	int i;

	f->head->count = 0;
	f->reply.end = CALL_DONE;
	for (i = 0; i < 12 && f->reply.end == CALL_DONE; i++) {
		fake_candidate(f);
		if (__atomic_load_n(&slot->end_seq, __ATOMIC_ACQUIRE) >=
			f->request.seq)
			f->reply.end = CALL_TIME;
	}
	f->reply.count = f->head->count;
}

/* Executes on and on, over the limit of its memory: until the engine acts. */
static void
fake_grow(struct fake *f)
{
	enum {
		GROWN = 64 << 20
	};
	pid_t child = fork();
	char *room;

	if (child == 0) {
		room = mmap(NULL, GROWN, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
		if (room == MAP_FAILED)
			_exit(6);
		for (uint64_t i = 0;; usleep(100))
			__atomic_store_n(&f->head->count,
				++i % f->request.limit, __ATOMIC_RELAXED);
	}
	__atomic_store_n(&f->head->child_pid, child, __ATOMIC_RELEASE);
	waitpid(child, NULL, 0);
	__atomic_store_n(&f->head->child_pid, 0, __ATOMIC_RELEASE);
	f->reply.count = f->head->count;
	f->reply.died = true;
	f->reply.failure.kind = FAILURE_KILLED;
	f->reply.failure.signo = SIGKILL;
}

static void
fake_fail(struct fake *f)
{
	f->reply.count = f->head->count = 1;
	f->reply.end = CALL_RUNNING;
	f->reply.died = true;
	f->reply.failure.kind = FAILURE_SIGNAL;
	f->reply.failure.signo = SIGSEGV;
	snprintf(f->reply.failure.what, FAILURE_WHAT_MAX, "SIGSEGV");
}

/* One find, of one byte, that nobody has seen before. */
static void
fake_find(struct fake *f)
{
	struct worker_layout layout;
	struct feature feature = { .counter = f->calls, .buckets = 1 };
	struct ring_record record = {
		.len = 1,
		.parent = MEMORY_NO_ENTRY,
		.features_n = 1,
	};
	uint8_t *at;

	worker_layout_init(&layout, f->campaign->max_len);
	at = (uint8_t *)f->head + layout.ring_offset;
	record.size = ring_record_size(&record);
	memcpy(at, &record, sizeof(record));
	memcpy(at + sizeof(record), &feature, sizeof(feature));
	at[sizeof(record) + sizeof(feature)] = (uint8_t)f->calls;
	f->reply.finds = 1;
	f->reply.ring_used = record.size;
	f->head->outcome.ring_used = record.size;
}

/*
 * Fuzzed for the first time, an input fails; as "typed-scribbles", one of which
 * nothing is left. A find that is no tuple comes, too.
 */
static void
fake_typed(struct fake *f)
{
	struct worker_layout layout;

	f->reply.end = CALL_DONE;
	f->reply.count = f->head->count = 1;
	if (f->request.fresh || f->request.warmup || f->failed) {
		fake_find(f);
		return;
	}
	f->failed = true;
	fake_fail(f);
	worker_layout_init(&layout, f->campaign->max_len);
	memcpy((uint8_t *)f->head + layout.value_offset, fake_seeds + 4,
		f->head->value_len = 16);
	if (fake_is(f, "typed-scribbles"))
		f->head->value_len = 15;
}

/* Whatever is tried fails in the same way. */
static void
fake_shrink_all(struct fake *f, struct worker_layout *layout)
{
	uint8_t *value = (uint8_t *)f->head + layout->value_offset;
	uint8_t *best = (uint8_t *)f->head + layout->best_offset;
	uint8_t *room = calloc(3, layout->value_size);
	size_t size = layout->value_size;
	struct minimizer m;

	memcpy(room, value, f->head->value_len);
	memcpy(room + 2 * size, best, layout->best_size);
	if (!minimizer_load(&m, room, room + size, room + 2 * size, size,
		    &f->head->machine))
		_exit(9);
	while (minimizer_next(&m))
		minimizer_verdict(&m, true);
	f->head->machine = m.s;
	memcpy(best, m.best, m.s.best_len);
	if (m.other != NULL)
		memcpy(value, m.other, m.s.other_len);
	f->reply.best_len = m.s.best_len;
	free(room);
}

/* A child sees between two executions that its call is over. */
static void
fake_await_end(struct fake *f)
{
	const uint64_t *end = &f->campaign->slots[f->head->slot].end_seq;

	while (__atomic_load_n(end, __ATOMIC_ACQUIRE) < f->request.seq)
		usleep(1000);
	f->reply.end = CALL_TIME;
}

static void
fake_shrink(struct fake *f)
{
	struct worker_layout layout;

	worker_layout_init(&layout, f->campaign->max_len);
	fake_fail(f);
	f->reply.end = CALL_DONE;
	f->reply.wrote_to_mem = true;
	if (f->request.machine) {
		fake_shrink_all(f, &layout);
		return;
	}
	/* The start alone. */
	memcpy((uint8_t *)f->head + layout.best_offset,
		(uint8_t *)f->head + layout.value_offset, f->head->value_len);
	f->reply.best_len = f->head->value_len;
	f->reply.end = CALL_LIMIT;
}

/*
 * The first input that is fuzzed fails; later ones do not. It fails again in
 * each replay, and can be made one byte long.
 */
static void
fake_crash(struct fake *f)
{
	f->reply.end = CALL_DONE;
	f->reply.count = f->head->count = 1;
	if (f->request.kind == RPC_MINIMIZE)
		fake_shrink(f);
	else if (f->request.fresh && fake_is(f, "crash-finds"))
		fake_find(f);
	else if (f->request.fresh &&
		(f->head->value_len > 1 || !fake_is(f, "crash-large")))
		fake_fail(f);
	else if (!f->request.warmup && !f->failed) {
		f->failed = true;
		f->head->value_len = 8;
		fake_fail(f);
	}
}

/* Ten inputs of one byte ran before the one that fails: '0' … '9'. */
static void
fake_log(struct fake *f)
{
	struct worker_layout layout;
	struct exec_log_record record = { .raw_n = 1, .flags = EXEC_LOG_RAW };
	uint8_t *at;
	int i;

	worker_layout_init(&layout, f->campaign->max_len);
	at = (uint8_t *)f->head + layout.log_offset;
	for (i = 0; i < 10; i++) {
		memcpy(at, &record, sizeof(record));
		at[sizeof(record)] = (uint8_t)('0' + i);
		at += exec_log_record_size(&record);
	}
	f->head->log.used[0] = (uint32_t)(10 * exec_log_record_size(&record));
}

/* How many of the sequence were executed when it failed; 0: it does not. */
static uint64_t
fake_row_fails(const struct fake *f)
{
	struct worker_layout layout;
	const uint8_t *at;
	uint32_t i, len, met = 0, n = f->request.sequence_n;

	worker_layout_init(&layout, f->campaign->max_len);
	at = (const uint8_t *)f->head + layout.ring_offset;
	for (i = 0; i < n; i++) {
		memcpy(&len, at, sizeof(len));
		at += sizeof(len);
		if (len == 1)
			met += *at == '3' || *at == '7';
		else if (met == 2)
			return i + 1;
		at += len;
	}
	return 0;
}

/*
 * The first input that is fuzzed fails, and never again by itself. It takes
 * two others before it, or, as "row-lost", nobody knows what.
 */
static void
fake_row(struct fake *f)
{
	uint64_t at = 0;

	f->reply.end = CALL_DONE;
	f->reply.count = f->head->count = 1;
	if (f->request.sequence_n > 0) {
		f->reply.count = f->request.sequence_n;
		if (fake_is(f, "row") ||
			(fake_is(f, "row-once") && ++f->rows <= 2))
			at = fake_row_fails(f);
		if (at > 0) {
			fake_fail(f);
			f->reply.count = at;
		}
	} else if (!f->request.warmup && !f->failed) {
		fake_log(f);
		f->failed = true;
		f->head->value_len = 8;
		fake_fail(f);
	}
}

static void
fake_call(struct fake *f)
{
	const struct fake_call call = { .head = f->head,
		.campaign = f->campaign,
		.request = &f->request,
		.reply = &f->reply,
		.number = f->calls };

	f->reply.kind = f->request.kind;
	f->reply.count = f->head->count = f->request.limit;
	f->reply.end = CALL_LIMIT;
	if (fake_is(f, "chaos"))
		fake_chaos(&call);
	if (strncmp(f->mode, "inputs", 6) == 0)
		fake_inputs(&call);
	if (strncmp(f->mode, "crash", 5) == 0)
		fake_crash(f);
	if (strncmp(f->mode, "row", 3) == 0)
		fake_row(f);
	if (strncmp(f->mode, "typed", 5) == 0)
		fake_typed(f);
	if (fake_is(f, "first-not-run") && f->calls == 1) {
		f->reply.count = f->head->count = 0;
		f->reply.end = CALL_TIME;
	}
	if (fake_is(f, "never-runs")) {
		f->head->count = 0;
		exit(0);
	}
	if (fake_is(f, "minimizes"))
		fake_minimize(f);
	if (fake_is(f, "grows"))
		fake_grow(f);
	if (fake_is(f, "no-count")) {
		f->reply.count = f->head->count = 0;
		f->reply.died = true;
		f->reply.total_ns = 1000;
		f->reply.failure.kind = FAILURE_SIGNAL;
		f->reply.failure.signo = SIGSEGV;
	}
	if (fake_is(f, "died-idle")) {
		f->reply.count = f->head->count = 0;
		f->reply.died = true;
		f->reply.failure.kind = FAILURE_KILLED;
		f->reply.failure.signo = SIGKILL;
	}
	if (fake_is(f, "great-numbers"))
		f->reply.total_ns = f->reply.run_ns = f->reply.rejected =
			INT64_MAX;
	if (fake_is(f, "die")) {
		signal(SIGSEGV, SIG_DFL);
		raise(SIGSEGV);
	}
	if (fake_is(f, "killed"))
		raise(SIGKILL);
	if (fake_is(f, "killed-with-find")) {
		fake_find(f);
		f->head->mutations[MUTATE_BIT_FLIP] = 7;
		raise(SIGKILL);
	}
	if (fake_is(f, "finds-and-goes-on")) {
		fake_find(f);
		fake_await_end(f);
	}
	if (fake_is(f, "killed-with-damage")) {
		f->head->outcome.ring_used = UINT64_C(1) << 40;
		raise(SIGKILL);
	}
	if (fake_is(f, "exit-in-call"))
		exit(3);
	if (fake_is(f, "hang"))
		fake_hang();
	if (fake_is(f, "junk-in-call"))
		fake_say("!!\n");
	if (fake_is(f, "forged-nonce"))
		f->reply.nonce = 1;
	if (fake_is(f, "forged-seq"))
		f->reply.seq = 1;
	if (fake_is(f, "too-many"))
		f->reply.count = UINT64_C(1) << 60;
	if (fake_is(f, "ring-too-long"))
		f->reply.ring_used = UINT64_C(1) << 40;
	if (fake_is(f, "closes-link")) {
		close(WORKER_FD_DEFAULT + WORKER_FD_OUT);
		fake_hang();
	}
	if (fake_is(f, "half-a-line")) {
		fake_say("{\"Fuzz\"");
		fake_hang();
	}
	if (fake_is(f, "fails")) {
		f->reply.died = true;
		f->reply.failure.kind = FAILURE_SIGNAL;
		f->reply.failure.signo = SIGSEGV;
		snprintf(f->reply.failure.what, FAILURE_WHAT_MAX, "SIGSEGV");
		f->head->value_len = UINT64_MAX; /* a damaged header too */
	}
	fake_reply(f);
}

/* Where its counters stand: that it does not say, or more than there is. */
static void
fake_tables(struct fake *f)
{
	struct worker_layout layout;
	struct pc_table_head *head;

	f->reply.kind = RPC_PC_TABLE;
	f->reply.end = CALL_DONE;
	worker_layout_init(&layout, f->campaign->max_len);
	head = (void *)((uint8_t *)f->head + layout.value_offset);
	if (fake_is(f, "die"))
		raise(SIGKILL);
	if (fake_is(f, "tables") || fake_is(f, "tables-too-many"))
		f->reply.count = 3;
	if (fake_is(f, "inputs-lines"))
		f->reply.count = fake_inputs_table(head);
	else if (fake_is(f, "tables-too-many")) {
		memset(head, 0xff, layout.value_size);
		f->reply.count = UINT64_C(1) << 60;
	} else if (f->reply.count > 0) {
		head->n = UINT32_MAX;
		strcpy(head->path, "/lib/x.so");
		((uint64_t *)(head + 1))[2] = 77;
	}
	fake_reply(f);
}

static void
fake_serve(struct fake *f)
{
	char line[RPC_LINE_MAX];
	struct error err = { 0 };

	while (fgets(line, sizeof(line), f->in) != NULL) {
		if (rpc_decode_request(line, strcspn(line, "\n"), &f->request,
			    &err) != OK)
			_exit(8);
		memset(&f->reply, 0, sizeof(f->reply));
		if (f->request.kind == RPC_PING)
			fake_ping(f);
		else if (f->request.kind == RPC_PC_TABLE)
			fake_tables(f);
		else
			fake_call(f);
		f->calls += f->request.kind != RPC_PC_TABLE;
	}
	if (fake_is(f, "stays")) {
		signal(SIGINT, SIG_IGN);
		fake_hang();
	}
	exit(0);
}

void
fake_worker_main(char **argv)
{
	struct fake f = { .mode = argv[1] };
	struct stat st;

	if (getenv(WORKER_ENVIRONMENT) == NULL)
		return;
	f.in = fdopen(WORKER_FD_DEFAULT + WORKER_FD_IN, "r");
	if (f.in == NULL ||
		fstat(WORKER_FD_DEFAULT + WORKER_FD_MEMORY, &st) < 0)
		_exit(7);
	f.head = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE,
		MAP_SHARED, WORKER_FD_DEFAULT + WORKER_FD_MEMORY, 0);
	f.campaign = mmap(NULL, sizeof(*f.campaign), PROT_READ, MAP_SHARED,
		WORKER_FD_DEFAULT + WORKER_FD_CAMPAIGN, 0);
	if (f.head == MAP_FAILED || f.campaign == MAP_FAILED)
		_exit(7);
	fake_serve(&f);
}

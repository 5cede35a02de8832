/*
 * test_calls: calls to real targets: executions, coverage, limits, minimizing.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lib/engine_double.h"
#include "lib/files.h"
#include "lib/rows.h"
#include "shared/minimize/minimize.h"

static void
test_limit(void **state)
{
	static const uint64_t LIMITS[] = { 1, 2, 5, 6, 1000, 123457 };
	struct engine_double d;

	double_begin(&d, "empty");
	for (size_t i = 0; i < sizeof(LIMITS) / sizeof(LIMITS[0]); i++) {
		assert_true(double_fuzz(&d, "abc", 3, LIMITS[i]));
		assert_int_equal(d.reply.end, CALL_LIMIT);
		assert_int_equal(d.reply.count, LIMITS[i]);
		assert_int_equal(d.head->count, LIMITS[i]);
	}
	assert_int_equal(double_stop(&d), 0);
}

static void
test_end_word(void **state)
{
	struct engine_double d;

	double_begin(&d, "empty");
	double_set_value(&d, "abc", 3);
	d.request = (struct rpc_request){ .kind = RPC_FUZZ,
		.parent = MEMORY_NO_ENTRY,
		.cap = 100,
		.stack_max = 5 };
	double_send(&d);
	while (__atomic_load_n(&d.head->count, __ATOMIC_RELAXED) < 1000)
		usleep(100);
	__atomic_store_n(&d.campaign_head->slots[5].end_seq, d.seq,
		__ATOMIC_RELEASE);
	assert_true(double_receive(&d));
	assert_int_equal(d.reply.end, CALL_TIME);
	assert_true(d.reply.count >= 1000);
	/* A call that has ended before it begins executes nothing. */
	d.campaign_head->slots[5].end_seq = d.seq + 1;
	assert_true(double_fuzz(&d, "abc", 3, 10));
	assert_int_equal(d.reply.end, CALL_TIME);
	assert_int_equal(d.reply.count, 0);
	assert_int_equal(double_stop(&d), 0);
}

/* Waits until the child stops in this execution. */
static void
wait_for_stop(const struct engine_double *d, uint64_t execution)
{
	char path[64], *text, state = 0;

	while (state != 'T' && d->head->outcome.end == CALL_RUNNING) {
		usleep(100);
		snprintf(path, sizeof(path), "/proc/%d/stat",
			(int)d->head->child_pid);
		if (__atomic_load_n(&d->head->count, __ATOMIC_RELAXED) !=
			execution)
			continue;
		text = files_read(path, NULL);
		if (text != NULL && strrchr(text, ')') != NULL)
			state = strrchr(text, ')')[2];
		free(text);
	}
}

/* A new input that takes all the time of its call is confirmed nevertheless. */
static void
test_end_word_confirms(void **state)
{
	struct engine_double d;
	struct ring_input find;
	size_t offset = 0;
	bool damaged;

	double_begin(&d, "stops");
	__atomic_store_n(&d.campaign_head->slots[5].paused, 1,
		__ATOMIC_RELEASE);
	double_set_value(&d, "abc", 3);
	d.request = (struct rpc_request){ .kind = RPC_FUZZ,
		.parent = MEMORY_NO_ENTRY,
		.cap = 100,
		.stack_max = 5,
		.confirm = true };
	double_send(&d);
	wait_for_stop(&d, 1);
	__atomic_store_n(&d.campaign_head->slots[5].end_seq, d.seq,
		__ATOMIC_RELEASE);
	kill(d.head->child_pid, SIGCONT);
	wait_for_stop(&d, 2);
	kill(d.head->child_pid, SIGCONT);
	assert_true(double_receive(&d));
	assert_int_equal(d.reply.end, CALL_TIME);
	assert_int_equal(d.reply.count, 2);
	assert_int_equal(d.reply.finds, 1);
	assert_true(ring_next(d.worker.map + d.layout.ring_offset,
		d.reply.ring_used, &offset, DOUBLE_MAX_LEN, &find, &damaged));
	assert_true(find.record.run_ns > 0);
	assert_int_equal(double_stop(&d), 0);
}

/* Each new input is one step up; the last execution crashes. */
static void
test_steps(void **state)
{
	struct engine_double d;
	uint32_t entry;
	size_t finds = 0;

	double_begin(&d, "steps");
	entry = double_add_entry(&d, "cfu", 3);
	/* As in a campaign, the coverage of the first input is known. */
	double_set_value(&d, "cfu", 3);
	d.request = (struct rpc_request){ .kind = RPC_FUZZ, .warmup = true };
	assert_true(double_call(&d));
	assert_true(double_merge(&d) > 0);
	for (int i = 0; i < 200; i++) {
		d.request = (struct rpc_request){ .kind = RPC_FUZZ,
			.limit = 200000,
			.parent = entry,
			.cap = 16,
			.stack_max = 5,
			.confirm = true };
		assert_true(double_call(&d));
		if (d.reply.died) {
			/* One call may find all steps. */
			finds += d.reply.finds;
			break;
		}
		if (d.reply.finds > 0) {
			const uint8_t *ring =
				d.worker.map + d.layout.ring_offset;
			struct ring_input find;
			size_t offset = 0;
			bool damaged;

			assert_true(ring_next(ring, d.reply.ring_used, &offset,
				DOUBLE_MAX_LEN, &find, &damaged));
			assert_true(find.record.run_ns > 0);
			assert_true(find.record.parent == entry);
			assert_in_range(find.record.mutations_n, 1, 5);
			if (find.record.len >= 4 &&
				memcmp(find.bytes, "cfuz", 4) == 0)
				entry = double_add_entry(&d, find.bytes,
					find.record.len);
		}
		finds += double_merge(&d);
	}
	assert_true(finds > 0);
	assert_true(d.reply.died);
	assert_int_equal(d.reply.failure.kind, FAILURE_SIGNAL);
	assert_string_equal(d.reply.failure.what, "SIGABRT");
	assert_memory_equal(d.worker.map + d.layout.value_offset, "cfuz!", 5);
	assert_true(d.head->value_len >= 5);
	assert_int_equal(double_stop(&d), 0);
}

/* The number of edges hit by the only new input in the reply. */
static uint32_t
read_edges_hit(const struct engine_double *d)
{
	size_t offset = 0;
	struct ring_input find;
	bool damaged;

	assert_true(ring_next(d->worker.map + d->layout.ring_offset,
		d->reply.ring_used, &offset, DOUBLE_MAX_LEN, &find, &damaged));
	assert_int_equal(offset, d->reply.ring_used);
	assert_true(find.record.run_ns > 0);
	return find.record.edges_hit_n;
}

/*
 * Coverage of a warm-up is new only once; the second time there are no new
 * features, but the edges hit are reported again.
 */
static void
test_coverage(void **state)
{
	struct engine_double d;
	uint32_t hits;

	double_begin(&d, "steps");
	assert_true(double_run(&d, "x", 1));
	assert_int_equal(d.reply.finds, 1);
	assert_true(d.reply.run_ns > 0);
	assert_int_equal(double_merge(&d), 1);
	hits = read_edges_hit(&d);
	assert_true(hits > 0);
	assert_true(double_run(&d, "x", 1));
	assert_int_equal(d.reply.finds, 1);
	assert_int_equal(double_merge(&d), 0);
	assert_int_equal(read_edges_hit(&d), hits);
	assert_true(double_run(&d, "cf", 2));
	assert_int_equal(d.reply.finds, 1);
	assert_int_equal(double_stop(&d), 0);
}

static void
test_returns(void **state)
{
	struct engine_double d;

	double_begin(&d, "faults");
	assert_true(double_run(&d, "-", 1));
	assert_int_equal(d.reply.rejected, 1);
	assert_int_equal(d.reply.finds, 0);
	assert_false(d.reply.odd_return);
	assert_true(double_run(&d, "7", 1));
	assert_true(d.reply.odd_return);
	assert_int_equal(d.reply.finds, 1);
	assert_int_equal(double_stop(&d), 0);
}

static void
test_fresh(void **state)
{
	struct engine_double d;
	int32_t pid;

	double_begin(&d, "faults");
	assert_true(double_run(&d, "z", 1));
	pid = d.head->child_pid;
	assert_true(d.reply.fork_ns > 0);
	assert_true(double_run(&d, "z", 1));
	assert_int_equal(d.head->child_pid, pid);
	assert_int_equal(d.reply.fork_ns, 0);
	d.request.fresh = true;
	assert_true(double_call(&d));
	assert_int_not_equal(d.head->child_pid, pid);
	assert_int_equal(double_stop(&d), 0);
}

static void
minimize(struct engine_double *d, const char *value, bool coverage)
{
	double_set_value(d, value, strlen(value));
	d->request = (struct rpc_request){ .kind = RPC_MINIMIZE,
		.parent = MEMORY_NO_ENTRY,
		.want_coverage = coverage,
		.rule = MINIMIZE_SAME_BUCKET,
		.stack_hash = failure_stack_hash(&d->reply.failure) };
}

static void
assert_best(const struct engine_double *d, const char *best)
{
	assert_true(d->reply.wrote_to_mem);
	assert_int_equal(d->reply.best_len, strlen(best));
	assert_memory_equal(d->worker.map + d->layout.best_offset, best,
		strlen(best));
}

static void
test_minimize_crash(void **state)
{
	static const char VALUE[] = "cfuz!and a long tail that is not needed";
	struct engine_double d;

	double_begin(&d, "steps");
	assert_true(double_run(&d, VALUE, strlen(VALUE)));
	assert_true(d.reply.died);
	minimize(&d, VALUE, false);
	assert_true(double_call(&d));
	assert_best(&d, "cfuz!");
	assert_true(d.reply.died);
	assert_string_equal(d.reply.failure.what, "SIGABRT");
	assert_int_equal(d.reply.end, CALL_DONE);
	assert_true(d.reply.accepted > 0);
	assert_int_equal(d.reply.count, d.reply.tries + 1);
	assert_int_equal(d.head->live.start_len, strlen(VALUE));
	/* A wrong stack hash: not reproduced, nothing written. */
	minimize(&d, VALUE, false);
	d.request.stack_hash ^= 1;
	assert_true(double_call(&d));
	assert_false(d.reply.wrote_to_mem);
	assert_int_equal(d.reply.count, 1);
	/* A limit is kept exactly, and the best value so far is returned. */
	minimize(&d, VALUE, false);
	d.request.rule = MINIMIZE_ANY_FAILURE;
	d.request.limit = 7;
	assert_true(double_call(&d));
	assert_int_equal(d.reply.end, CALL_LIMIT);
	assert_int_equal(d.reply.count, 7);
	assert_true(d.reply.wrote_to_mem);
	assert_int_equal(double_stop(&d), 0);
}

/* How much of it the worker may have from now on. */
static void
limit_worker(const struct engine_double *d, int resource, rlim_t n)
{
	struct rlimit limit;

	assert_int_equal(prlimit(d->pid, resource, NULL, &limit), 0);
	limit.rlim_cur = n < limit.rlim_max ? n : limit.rlim_max;
	assert_int_equal(prlimit(d->pid, resource, &limit, NULL), 0);
}

/* Goes on from the state in which the last call ended. */
static void
minimize_on(struct engine_double *d, size_t len)
{
	uint8_t best[64], other[64];
	size_t other_len = minimize_state_other_len(&d->head->machine);

	assert_in_range(len, 1, sizeof(best));
	assert_in_range(other_len, 0, sizeof(other));
	memcpy(best, d->worker.map + d->layout.best_offset, len);
	memcpy(other, d->worker.map + d->layout.value_offset, other_len);
	memcpy(d->worker.map + d->layout.best_offset, other, other_len);
	double_set_value(d, (const char *)best, len);
	d->request.machine = true;
}

/* While the worker cannot fork, nothing is learned of any input. */
static void
test_minimize_without_fork(void **state)
{
	static const char VALUE[] = "cfuz!and a long tail that is not needed";
	struct minimizer_state machine;
	struct engine_double d;
	size_t len;

	double_begin(&d, "steps");
	assert_true(double_run(&d, VALUE, strlen(VALUE)));
	assert_true(d.reply.died);
	minimize(&d, VALUE, false);
	limit_worker(&d, RLIMIT_NOFILE, 3);
	assert_true(double_call(&d));
	assert_int_equal(d.reply.end, CALL_REFUSED);
	assert_int_equal(d.reply.count, 0);
	assert_false(d.reply.wrote_to_mem);
	assert_non_null(strstr(d.reply.internal_err, "cannot fork"));
	limit_worker(&d, RLIMIT_NOFILE, RLIM_INFINITY);
	d.request.limit = 7;
	double_set_value(&d, VALUE, strlen(VALUE));
	assert_true(double_call(&d));
	assert_int_equal(d.reply.count, 7);
	for (uint64_t limit = 0; limit < 2; limit++) {
		len = (size_t)d.reply.best_len;
		machine = d.head->machine;
		minimize_on(&d, len);
		d.request.limit = limit;
		limit_worker(&d, RLIMIT_NOFILE, 3);
		assert_true(double_call(&d));
		limit_worker(&d, RLIMIT_NOFILE, RLIM_INFINITY);
		assert_int_equal(d.reply.end, CALL_REFUSED);
		assert_int_equal(d.reply.count, 0);
		assert_int_equal(d.reply.tries, machine.tries);
		assert_int_equal(d.reply.best_len, len);
		assert_non_null(strstr(d.reply.internal_err, "cannot fork"));
	}
	minimize_on(&d, len);
	d.request.limit = 0;
	assert_true(double_call(&d));
	assert_best(&d, "cfuz!");
	assert_int_equal(d.reply.end, CALL_DONE);
	assert_int_equal(double_stop(&d), 0);
}

/* A state that makes no sense, because the target wrote over it: that is told, and
 * the worker goes on. */
static void
test_minimize_refused(void **state)
{
	static const char VALUE[] = "cfuz!and a long tail that is not needed";

	for (unsigned coverage = 0; coverage < 2; coverage++) {
		struct engine_double d;

		double_begin(&d, "steps");
		assert_true(double_run(&d, VALUE, strlen(VALUE)));
		minimize(&d, coverage ? "harmless" : VALUE, coverage);
		d.request.machine = true;
		d.head->machine =
			(struct minimizer_state){ .best_len = UINT64_MAX };
		assert_true(double_call(&d));
		assert_int_equal(d.reply.end, CALL_REFUSED);
		assert_int_equal(d.reply.count, 0);
		assert_false(d.reply.wrote_to_mem);
		assert_string_equal(d.reply.internal_err, "");
		assert_int_equal(d.reply.failure.kind, FAILURE_PROTOCOL);
		assert_true(double_run(&d, VALUE, strlen(VALUE)));
		assert_true(d.reply.died);
		minimize(&d, VALUE, false);
		assert_true(double_call(&d));
		assert_best(&d, "cfuz!");
		assert_int_equal(double_stop(&d), 0);
	}
}

/* Memory that is short is not the target's fault, and its child goes on. */
static void
test_minimize_without_memory(void **state)
{
	struct engine_double d;
	int64_t child;

	double_begin(&d, "steps");
	assert_true(double_run(&d, "harmless", 8));
	child = d.head->child_pid;
	minimize(&d, "cfuz!tail", false);
	d.request.rule = MINIMIZE_ANY_FAILURE;
	limit_worker(&d, RLIMIT_AS, 0);
	assert_true(double_call(&d));
	limit_worker(&d, RLIMIT_AS, RLIM_INFINITY);
	assert_int_equal(d.reply.end, CALL_REFUSED);
	assert_non_null(strstr(d.reply.failure.text, "no memory"));
	assert_int_equal(d.head->child_pid, child);
	assert_true(double_call(&d));
	assert_best(&d, "cfuz!");
	assert_int_equal(double_stop(&d), 0);
}

/*
 * Inputs of any length: each length gives another message; one byte is enough.
 */
static void
test_minimize_lengths(void **state)
{
	char value[1025];
	struct engine_double d;

	double_begin(&d, "faults");
	for (size_t len = 1; len <= 1024; len++) {
		memset(value, 'e', len);
		value[len] = '\0';
		assert_true(double_run(&d, value, len));
		assert_int_equal(d.reply.failure.kind, FAILURE_ERROR);
		minimize(&d, value, false);
		assert_true(double_call(&d));
		assert_best(&d, "e");
		assert_int_equal(d.reply.end, CALL_DONE);
	}
	assert_int_equal(double_stop(&d), 0);
}

static void
test_minimize_coverage(void **state)
{
	static const char VALUE[] = "cfuz and a long tail";
	struct engine_double d;
	struct ring_input find;
	size_t offset = 0;
	bool damaged;

	double_begin(&d, "steps");
	assert_true(double_run(&d, VALUE, strlen(VALUE)));
	assert_int_equal(d.reply.finds, 1);
	assert_true(ring_next(d.worker.map + d.layout.ring_offset,
		d.reply.ring_used, &offset, DOUBLE_MAX_LEN, &find, &damaged));
	minimize(&d, VALUE, true);
	d.request.keep_n = find.record.features_n;
	memcpy(d.worker.map + d.layout.keep_offset, find.features,
		find.record.features_n * sizeof(*find.features));
	assert_true(double_call(&d));
	/* "cfuz0": the target reads the fifth byte, but any value will do. */
	assert_best(&d, "cfuz0");
	assert_int_equal(d.reply.end, CALL_DONE);
	assert_int_equal(d.reply.failure.kind, FAILURE_NONE);
	assert_int_equal(double_stop(&d), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_end_word),
		cmocka_unit_test(test_end_word_confirms),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_coverage),
		cmocka_unit_test(test_returns),
		cmocka_unit_test(test_fresh),
		cmocka_unit_test(test_minimize_crash),
		cmocka_unit_test(test_minimize_without_fork),
		cmocka_unit_test(test_minimize_refused),
		cmocka_unit_test(test_minimize_without_memory),
		cmocka_unit_test(test_minimize_lengths),
		cmocka_unit_test(test_minimize_coverage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

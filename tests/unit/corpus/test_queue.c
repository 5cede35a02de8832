/*
 * test_queue: order and length hold however the queue is filled and emptied.
 */
#include "corpus/queue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void *
item(size_t i)
{
	return (void *)(i + 1);
}

static void
test_empty(void **state)
{
	struct queue queue = { 0 };

	assert_int_equal(queue.n, 0);
	assert_int_equal(queue.capacity, 0);
	assert_null(queue.items);
	assert_null(queue_peek(&queue));
	assert_null(queue_pop(&queue));
	queue_clear(&queue);
}

static void
test_capacity(void **state)
{
	static const size_t steps[][2] = { { 1, 8 }, { 8, 8 }, { 9, 16 },
		{ 16, 16 }, { 17, 32 }, { 33, 64 } };
	struct queue queue = { 0 };
	size_t i;

	for (i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		while (queue.n < steps[i][0])
			queue_push(&queue, item(queue.n));
		assert_int_equal(queue.capacity, steps[i][1]);
		assert_ptr_equal(queue_peek(&queue), item(0));
	}
	queue_clear(&queue);
	assert_int_equal(queue.capacity, 0);
	assert_int_equal(queue.n, 0);
	queue_push(&queue, item(7));
	assert_ptr_equal(queue_pop(&queue), item(7));
	queue_clear(&queue);
}

/* Moves r items from the front to the back, over and over. */
static void
test_cycle(void **state)
{
	static const size_t rounds[] = { 1, 2, 3, 5, 8, 13, 21 };
	struct queue queue = { 0 };
	size_t i, k, turn, want, n = 32;
	void *held[21];

	for (i = 0; i < n; i++) {
		queue_push(&queue, item(i));
		assert_int_equal(queue.n, i + 1);
		assert_ptr_equal(queue_peek(&queue), item(0));
	}
	for (want = 0, i = 0; i < sizeof(rounds) / sizeof(*rounds); i++)
		for (turn = 0; turn < 40; turn++) {
			for (k = 0; k < rounds[i]; k++, want++) {
				held[k] = queue_pop(&queue);
				assert_ptr_equal(held[k], item(want % n));
				assert_int_equal(queue.n, n - k - 1);
			}
			for (k = 0; k < rounds[i]; k++)
				queue_push(&queue, held[k]);
			assert_int_equal(queue.n, n);
		}
	queue_clear(&queue);
}

/* Grows while the oldest item is in the middle. */
static void
test_grow_wrapped(void **state)
{
	struct queue queue = { 0 };
	size_t i, next = 0;

	for (i = 0; i < 8; i++)
		queue_push(&queue, item(i));
	for (; next < 5; next++)
		assert_ptr_equal(queue_pop(&queue), item(next));
	for (; i < 40; i++)
		queue_push(&queue, item(i));
	for (; next < 40; next++)
		assert_ptr_equal(queue_pop(&queue), item(next));
	assert_null(queue_pop(&queue));
	queue_clear(&queue);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_capacity),
		cmocka_unit_test(test_cycle),
		cmocka_unit_test(test_grow_wrapped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

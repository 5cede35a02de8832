/*
 * queue: see queue.h. The capacity is a power of two, so that positions wrap
 * with a mask.
 */
#include "corpus/queue.h"

#include <stdlib.h>

#include "base/xmalloc.h"

#define QUEUE_CAPACITY_FIRST 8

void
queue_clear(struct queue *queue)
{
	free(queue->items);
	*queue = (struct queue){ 0 };
}

/* Doubles the capacity and moves the items to the front. */
static void
queue_grow(struct queue *queue)
{
	size_t capacity =
		queue->capacity ? 2 * queue->capacity : QUEUE_CAPACITY_FIRST;
	void **items = xcalloc(capacity, sizeof(*items));
	size_t i;

	for (i = 0; i < queue->n; i++)
		items[i] =
			queue->items[(queue->head + i) & (queue->capacity - 1)];
	free(queue->items);
	queue->items = items;
	queue->capacity = capacity;
	queue->head = 0;
}

void
queue_push(struct queue *queue, void *item)
{
	if (queue->n == queue->capacity)
		queue_grow(queue);
	queue->items[(queue->head + queue->n) & (queue->capacity - 1)] = item;
	queue->n++;
}

void *
queue_pop(struct queue *queue)
{
	void *item = queue_peek(queue);

	if (queue->n == 0)
		return NULL;
	queue->head = (queue->head + 1) & (queue->capacity - 1);
	queue->n--;
	return item;
}

void *
queue_peek(const struct queue *queue)
{
	return queue->n == 0 ? NULL : queue->items[queue->head];
}

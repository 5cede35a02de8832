/*
 * queue: a first-in first-out queue of pointers.
 *
 * A ring buffer that starts without storage and doubles from 8 on. The queue
 * owns its storage, not the items.
 */
#ifndef CFUZZ_CORPUS_QUEUE_H
#define CFUZZ_CORPUS_QUEUE_H

#include <stddef.h>

/* Zeros are an empty queue. */
struct queue {
	void **items;
	size_t capacity; /* 0, or a power of two from 8 on */
	size_t head;     /* index of the oldest item */
	size_t n;        /* items in it */
};

void queue_clear(struct queue *queue); /* frees the storage, not the items */

void queue_push(struct queue *queue, void *item);
void *queue_pop(struct queue *queue);        /* NULL: empty */
void *queue_peek(const struct queue *queue); /* NULL: empty */

#endif

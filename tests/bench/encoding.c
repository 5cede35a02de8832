/*
 * encoding: how long the text of a typed input takes, to and from, for 1 byte
 * up to 1 MiB of all byte values in turn. A line for each size: bytes, and
 * nanoseconds per byte of both ways, the best of several rounds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "shared/values/decode.h"
#include "shared/values/encode.h"

#define SIZE_MAX_BYTES (1u << 20)
#define ROUNDS 5
#define BYTES_PER_ROUND (8u << 20)

struct bench {
	struct value value;
	char *text;
	size_t text_len, room;
	uint8_t *back;
};

static void
encode(struct bench *b)
{
	struct error err;

	if (encode_values(&b->value, 1, b->text, b->room, &b->text_len, &err) !=
		OK)
		fail("not encoded");
}

static void
decode(struct bench *b)
{
	struct error err;
	struct value got;
	size_t n;

	if (decode_values(b->text, b->text_len, &got, 1, &n, b->back, &err) !=
			OK ||
		n != 1 || !value_equal(&got, &b->value))
		fail("not decoded to what it was");
}

/* Nanoseconds per byte, the best of some rounds. */
static double
measure(struct bench *b, void (*way)(struct bench *))
{
	size_t times = BYTES_PER_ROUND / b->value.len, i;
	double best = 1e18, ns;

	if (times > 1000000)
		times = 1000000;
	for (int round = 0; round < ROUNDS; round++) {
		ns = now_ns();
		for (i = 0; i < times; i++)
			way(b);
		ns = (now_ns() - ns) / (double)times / (double)b->value.len;
		if (ns < best)
			best = ns;
	}
	return best;
}

int
main(void)
{
	struct bench b = { .value = { .type = VALUE_BYTES } };
	size_t i;

	b.value.data = malloc(SIZE_MAX_BYTES);
	b.value.len = SIZE_MAX_BYTES;
	b.room = encode_bound(&b.value, 1);
	b.text = malloc(b.room);
	b.back = malloc(b.room);
	if (b.value.data == NULL || b.text == NULL || b.back == NULL)
		fail("no memory");
	for (i = 0; i < SIZE_MAX_BYTES; i++)
		b.value.data[i] = (uint8_t)i;
	for (size_t len = 1; len <= SIZE_MAX_BYTES; len *= 4) {
		b.value.len = len;
		encode(&b);
		printf("%zu %.2f ", len, measure(&b, encode));
		printf("%.2f\n", measure(&b, decode));
		(void)fflush(stdout);
	}
	return 0;
}

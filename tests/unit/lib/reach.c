/* reach: see reach.h. */

#include "lib/reach.h"

#include <stdlib.h>
#include <string.h>

#include "shared/mutate/mutate_block.h"
#include "shared/mutate/mutate_length.h"
#include "shared/mutate/mutate_number.h"
#include "shared/mutate/mutate_part.h"
#include "shared/mutate/mutate_splice.h"

#define REACH_SEEDS 20000
#define REACH_CAP 100000
#define REACH_ROOM 20000

bool
reach_apply(enum mutate_op op, const uint8_t *partner, size_t partner_len,
	struct mutable *m, struct prng *prng, struct mutation *done)
{
	if (op == MUTATE_PART_COUNT)
		return mutate_part_count(REACH_TIMES, m, prng, done);
	if (op < MUTATE_TOKEN_OVERWRITE)
		return mutate_number(op, m, prng, done);
	if (op < MUTATE_BLOCK_REPEAT)
		return mutate_part(op, m, prng, done);
	if (op < MUTATE_SPLICE_INSERT)
		return mutate_block(op, m, prng, done);
	if (op < MUTATE_LENGTH_GROW)
		return mutate_splice(op, partner, partner_len, m, prng, done);
	return mutate_length(op, m, prng, done);
}

static bool
reach_with(const struct reach_row *row, uint64_t seed)
{
	uint8_t data[REACH_ROOM];
	struct mutable m = { data, row->in.n, row->cap ? row->cap : REACH_CAP };
	struct mutation done;
	struct prng prng;

	memcpy(data, row->in.at, row->in.n);
	prng_init(&prng, seed, 0);
	if (!reach_apply(row->op, (const uint8_t *)row->partner.at,
		    row->partner.n, &m, &prng, &done))
		return false;
	assert_int_equal(done.op, row->op);
	return row->out.at == NULL ||
		(m.len == row->out.n && memcmp(data, row->out.at, m.len) == 0);
}

static void
test_row(void **state)
{
	const struct reach_row *row = *state;
	bool reached = false;

	for (uint64_t seed = 0; seed < REACH_SEEDS && !reached; seed++)
		reached = reach_with(row, seed);
	row_check(reached == (row->out.at != NULL), "%s", row->name);
}

int
reach_run(const char *group, const struct reach_row *rows, size_t n)
{
	const struct rows table = { rows, n, sizeof(rows[0]),
		offsetof(struct reach_row, name), test_row };

	return rows_run(group, &table);
}

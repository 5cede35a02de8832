/*
 * mutate_splice: see mutate_splice.h. Every mutation chooses a piece of the
 * partner and the bytes that it replaces, possibly none: the rest is one edit.
 */

#include "shared/mutate/mutate_splice.h"

#include "shared/mutate/edit.h"

#define SPLICE_PIECE_MAX 4096

/* A piece of the partner, and the bytes that it replaces. */
struct splice {
	const uint8_t *partner;
	size_t partner_len;
	struct span from; /* in the partner */
	struct span to;   /* in the value */
};

static struct span
splice_draw(size_t len, struct prng *prng)
{
	size_t at = prng_intn(prng, len), most = len - at;

	if (most > SPLICE_PIECE_MAX)
		most = SPLICE_PIECE_MAX;
	return (struct span){ at, edit_draw_len(prng, most) };
}

static bool
splice_insert(struct splice *s, const struct mutable *m, struct prng *prng)
{
	s->from = splice_draw(s->partner_len, prng);
	s->to = (struct span){ prng_intn(prng, m->len + 1), 0 };
	return true;
}

/* Replaces as many bytes as the piece has; half of the time at its offset. */
static bool
splice_overwrite(struct splice *s, const struct mutable *m, struct prng *prng)
{
	s->from = splice_draw(s->partner_len, prng);
	s->to.at = prng_bool(prng) ? s->from.at : prng_intn(prng, m->len);
	if (s->to.at >= m->len)
		return false;
	if (s->from.len > m->len - s->to.at)
		s->from.len = m->len - s->to.at;
	s->to.len = s->from.len;
	return true;
}

/* Two cuts, half of the time at the same offset; then either crossing. */
static bool
splice_tail(struct splice *s, const struct mutable *m, struct prng *prng)
{
	size_t here = prng_intn(prng, m->len);
	size_t there = prng_intn(prng, s->partner_len);

	if (prng_bool(prng))
		there = here;
	if (there >= s->partner_len)
		return false;
	if (prng_bool(prng)) {
		s->from = (struct span){ there, s->partner_len - there };
		s->to = (struct span){ here, m->len - here };
		return here > 0;
	}
	s->from = (struct span){ 0, there };
	s->to = (struct span){ 0, here };
	return there > 0;
}

static bool
splice_part(struct splice *s, enum span_kind kind, const struct mutable *m,
	struct prng *prng)
{
	size_t there = prng_intn(prng, s->partner_len);
	size_t here = prng_intn(prng, m->len);

	if (!span_find(kind, s->partner, s->partner_len, there, &s->from) ||
		!span_find(kind, m->data, m->len, here, &s->to))
		return false;
	switch (prng_intn(prng, 4)) {
	case 0:
		s->to.len = 0;
		break;
	case 1:
		s->to.at += s->to.len;
		s->to.len = 0;
		break;
	default:
		break;
	}
	return true;
}

static bool
splice_choose(struct splice *s, enum mutate_op op, const struct mutable *m,
	struct prng *prng)
{
	switch (op) {
	case MUTATE_SPLICE_INSERT:
		return splice_insert(s, m, prng);
	case MUTATE_SPLICE_OVERWRITE:
		return splice_overwrite(s, m, prng);
	case MUTATE_SPLICE_TAIL:
		return splice_tail(s, m, prng);
	case MUTATE_SPLICE_TOKEN:
		return splice_part(s, SPAN_TOKEN, m, prng);
	case MUTATE_SPLICE_LINE:
		return splice_part(s, SPAN_LINE, m, prng);
	case MUTATE_SPLICE_GROUP:
		return splice_part(s, SPAN_GROUP, m, prng);
	default:
		return false;
	}
}

bool
mutate_splice(enum mutate_op op, const uint8_t *partner, size_t partner_len,
	struct mutable *m, struct prng *prng, struct mutation *done)
{
	struct splice s = { .partner = partner, .partner_len = partner_len };
	size_t most;

	if (partner_len == 0 || (m->len == 0 && op != MUTATE_SPLICE_INSERT) ||
		!splice_choose(&s, op, m, prng))
		return false;
	most = s.to.len + edit_free(m);
	if (s.from.len > most)
		s.from.len = most;
	return s.from.len > 0 &&
		edit_replace(m, &s.to, partner + s.from.at, s.from.len) &&
		edit_done(done, op, s.to.at, s.from.len);
}

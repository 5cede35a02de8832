/*
 * minimize_stage: the candidates of each phase. minimize_advance.c goes from one
 * candidate to the next.
 *
 * In the order of Go's minimizer each stage is the one there, try by try, odd
 * ends included. The quick search differs: bytes of a long start are dropped in
 * steps that double as long as they are accepted, only short ranges of a long
 * value are tried, and many places are filled at once.
 */

#include <string.h>

#include "shared/minimize/minimize_private.h"

#define STAGE_TAIL_STEP 1024
#define STAGE_RANGES_LEN 256     /* of longer values only short ranges … */
#define STAGE_RANGES_TRIES 65536 /* … with this many tries in all … */
#define STAGE_RANGES_REACH 16    /* … but always up to this length */

static const char STAGE_CHARACTERS[] = "012789ABCXYZabcxyz !\"#$%&'()*+,.";

#define STAGE_CHARACTERS_N ((unsigned)sizeof(STAGE_CHARACTERS) - 1)

unsigned
minimize_characters_n(void)
{
	return STAGE_CHARACTERS_N;
}

unsigned
minimize_character_rank(uint8_t byte)
{
	unsigned rank = 0;

	while (rank < STAGE_CHARACTERS_N &&
		byte != (uint8_t)STAGE_CHARACTERS[rank])
		rank++;
	return rank;
}

/* ---- begin ---- */

/* The exponent of the largest power of two up to half of the bytes. */
static unsigned
stage_half(size_t len)
{
	unsigned level = 0;

	while (level < MINIMIZE_LEVEL_MAX && len / 4 >> level > 0)
		level++;
	return level;
}

/* The smallest power of two that covers all bytes. */
static size_t
stage_whole(size_t len)
{
	size_t step = 1;

	while (step < len && step <= SIZE_MAX / 2)
		step *= 2;
	return step;
}

static size_t
stage_first_step(const struct minimizer *m)
{
	size_t len = minimizer_base_len(m);

	switch ((enum minimize_phase)m->s.stage) {
	case MINIMIZE_BLOCKS:
		return (size_t)1 << m->s.level;
	case MINIMIZE_TAIL:
		return STAGE_TAIL_STEP;
	case MINIMIZE_BYTES:
	case MINIMIZE_VALUE:
		return 1;
	case MINIMIZE_BLANK:
	case MINIMIZE_ZEROS:
		return stage_whole(len);
	case MINIMIZE_READABLE:
		/* Blanks stay; they were made in large parts before. */
		return m->s.quick && !m->s.blank ? stage_whole(len) : 0;
	default:
		return 0;
	}
}

void
minimize_stage_begin(struct minimizer *m, enum minimize_phase stage)
{
	size_t len = minimizer_base_len(m);

	m->s.stage = stage;
	m->s.level = stage_half(len);
	m->s.position = stage == MINIMIZE_BLOCKS ? len : 0;
	m->s.step = stage_first_step(m);
	m->s.end = stage == MINIMIZE_RANGES ? len : 0;
	m->s.readable = 0;
	m->s.part = 0;
}

/* ---- settle ---- */

static bool
stage_settle_blocks(struct minimizer *m)
{
	while (m->s.level > 0 &&
		(m->s.position < m->s.step ||
			minimizer_base_len(m) <= m->s.step)) {
		size_t least = (size_t)1 << m->s.level;

		if (m->s.step > least) {
			m->s.step = least;
			continue;
		}
		m->s.step = (size_t)1 << --m->s.level;
		m->s.position = minimizer_base_len(m);
	}
	return m->s.level > 0;
}

static bool
stage_settle_tail(struct minimizer *m)
{
	size_t len = minimizer_base_len(m);

	while (m->s.step > 0 && len <= m->s.step)
		m->s.step /= 2;
	m->s.position = len;
	return m->s.step > 0;
}

/* The last byte is not tried. */
static bool
stage_settle_bytes(struct minimizer *m)
{
	size_t len = minimizer_base_len(m);

	if (m->s.position + 1 >= len)
		return false;
	while (m->s.step > 1 && m->s.step > len - 1 - m->s.position) {
		m->s.step /= 2;
		m->s.end = 1;
	}
	return true;
}

/* The length limit of ranges, except at the two ends of the value. */
static size_t
stage_reach(const struct minimizer *m, size_t len)
{
	size_t reach;

	if (!m->s.quick || len <= STAGE_RANGES_LEN)
		return len;
	reach = STAGE_RANGES_TRIES / len;
	return reach > STAGE_RANGES_REACH ? reach : STAGE_RANGES_REACH;
}

static bool
stage_settle_ranges(struct minimizer *m)
{
	size_t len = minimizer_base_len(m), reach = stage_reach(m, len);

	if (m->s.end <= m->s.position + 1) {
		m->s.position++;
		m->s.end = len;
	}
	if (m->s.position > 0 && m->s.end < len &&
		m->s.end > m->s.position + reach)
		m->s.end = m->s.position + reach;
	return m->s.position + 1 < len;
}

static uint8_t
stage_filler(const struct minimizer *m)
{
	switch ((enum minimize_phase)m->s.stage) {
	case MINIMIZE_ZEROS:
		return 0;
	case MINIMIZE_BLANK:
		return m->s.filler;
	default:
		return (uint8_t)
			STAGE_CHARACTERS[m->s.step > 0 ? 0 : m->s.readable];
	}
}

/* True if the part has a byte other than the filler. */
static bool
stage_has_more(const struct minimizer *m, size_t n)
{
	uint8_t filler = stage_filler(m);
	size_t i;

	for (i = 0; i < n; i++)
		if (minimizer_base(m)[m->s.position + i] != filler)
			return true;
	return false;
}

static size_t
stage_fill_len(const struct minimizer *m)
{
	size_t left = minimizer_base_len(m) - m->s.position;

	return left < m->s.step ? left : m->s.step;
}

static bool
stage_settle_fill(struct minimizer *m, size_t least)
{
	for (; m->s.step >= least; m->s.step /= 2) {
		while (m->s.position < minimizer_base_len(m)) {
			if (stage_has_more(m, stage_fill_len(m)))
				return true;
			m->s.position += stage_fill_len(m);
		}
		m->s.position = 0;
	}
	return false;
}

/* True if this place stays as it is without a try. */
static bool
stage_is_readable(const struct minimizer *m)
{
	uint8_t byte = minimizer_base(m)[m->s.position];

	return (m->s.blank && byte == m->s.filler) ||
		(m->s.quick &&
			byte == (uint8_t)STAGE_CHARACTERS[m->s.readable]);
}

static bool
stage_settle_readable(struct minimizer *m)
{
	if (m->s.step > 0) {
		if (stage_settle_fill(m, 2))
			return true;
		m->s.step = 0;
		m->s.position = 0;
	}
	while (m->s.position < minimizer_base_len(m) && stage_is_readable(m)) {
		m->s.position++;
		m->s.readable = 0;
	}
	return m->s.position < minimizer_base_len(m);
}

static bool
stage_guess(const struct minimizer *m, struct minimize_part *part)
{
	return minimize_part_guess(minimizer_base(m), minimizer_base_len(m),
		m->s.position, m->s.part, m->s.step, part);
}

/* A part is never the whole value. */
static bool
stage_settle_parts(struct minimizer *m)
{
	struct minimize_part part;

	for (; m->s.position < minimizer_base_len(m); m->s.position++) {
		for (; m->s.part < MINIMIZE_PARTS_N; m->s.part++) {
			if (stage_guess(m, &part) &&
				part.len < minimizer_base_len(m))
				return true;
			m->s.step = 0;
		}
		m->s.part = 0;
	}
	return false;
}

static struct value
stage_value(const struct minimizer *m)
{
	return tuple_value(m->best, &m->at);
}

/* Bytes have one try: the empty value. */
static bool
stage_settle_value(struct minimizer *m)
{
	struct value value = stage_value(m);
	uint64_t bits;

	if (!minimizer_is_scalar(m))
		return m->s.readable == 0 && m->at.len > 0;
	for (; m->s.readable < MINIMIZE_VALUE_KINDS; m->s.readable++) {
		for (; m->s.step > 0; m->s.step /= 2)
			if (minimize_value_guess(&value, m->s.readable,
				    m->s.step, &bits))
				return true;
		m->s.step = m->s.readable + 1 == MINIMIZE_VALUE_LOWER
			? minimize_value_step(&value)
			: 1;
	}
	return false;
}

bool
minimize_stage_settle(struct minimizer *m)
{
	switch ((enum minimize_phase)m->s.stage) {
	case MINIMIZE_BLOCKS:
		return stage_settle_blocks(m);
	case MINIMIZE_TAIL:
		return stage_settle_tail(m);
	case MINIMIZE_BYTES:
		return stage_settle_bytes(m);
	case MINIMIZE_RANGES:
		return stage_settle_ranges(m);
	case MINIMIZE_BLANK:
	case MINIMIZE_ZEROS:
		return stage_settle_fill(m, 1);
	case MINIMIZE_PARTS:
		return stage_settle_parts(m);
	case MINIMIZE_READABLE:
		return stage_settle_readable(m);
	case MINIMIZE_VALUE:
		return stage_settle_value(m);
	case MINIMIZE_AGAIN:
	case MINIMIZE_DONE:
		break;
	}
	return false;
}

/* ---- aim ---- */

bool
minimizer_replaces(const struct minimizer *m)
{
	return m->s.stage == MINIMIZE_BLANK || m->s.stage == MINIMIZE_ZEROS ||
		m->s.stage == MINIMIZE_READABLE ||
		(m->s.stage == MINIMIZE_VALUE && minimizer_is_scalar(m));
}

static void
stage_aim_part(struct minimizer *m)
{
	struct minimize_part part;

	(void)stage_guess(m, &part);
	m->cut_offset = part.offset;
	m->cut_len = part.len;
	m->field = part.field;
}

void
minimize_stage_aim(struct minimizer *m)
{
	m->cut_offset = m->s.position;
	m->field = (struct minimize_field){ .width = 0 };
	switch ((enum minimize_phase)m->s.stage) {
	case MINIMIZE_BLOCKS:
	case MINIMIZE_TAIL:
		m->cut_offset -= m->s.step;
		m->cut_len = m->s.step;
		break;
	case MINIMIZE_BYTES:
		m->cut_len = m->s.step;
		break;
	case MINIMIZE_RANGES:
		m->cut_len = m->s.end - m->s.position;
		break;
	case MINIMIZE_BLANK:
	case MINIMIZE_ZEROS:
		m->cut_len = stage_fill_len(m);
		break;
	case MINIMIZE_PARTS:
		stage_aim_part(m);
		break;
	case MINIMIZE_READABLE:
		m->cut_len = m->s.step > 0 ? stage_fill_len(m) : 1;
		break;
	case MINIMIZE_VALUE:
		m->cut_len = minimizer_base_len(m);
		break;
	case MINIMIZE_AGAIN:
	case MINIMIZE_DONE:
		break;
	}
	if (!m->s.tuples)
		return;
	m->cut_offset += m->at.offset;
	m->field.offset += m->at.offset;
}

void
minimize_stage_fill(const struct minimizer *m, uint8_t *whole)
{
	struct value value;
	uint64_t bits;

	if (m->s.stage != MINIMIZE_VALUE) {
		memset(whole + m->cut_offset, stage_filler(m), m->cut_len);
		return;
	}
	value = stage_value(m);
	if (minimize_value_guess(&value, m->s.readable, m->s.step, &bits))
		tuple_set_bits(whole, &m->at, bits);
}

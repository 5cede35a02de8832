/*
 * mutate: the eighteen byte mutators, see mutate.h.
 *
 * Each mutator checks its needs before its first draw where possible, draws in
 * the order of Go's engine, and moves bytes inside the buffer only. That engine
 * borrows the free capacity as scratch space. These mutators need none, but
 * keep its checks for room, because the checks decide which mutations decline.
 */

#include "shared/mutate/mutate.h"

#include <endian.h>
#include <string.h>

#define MUTATE_INSERT_MAX 1024
#define MUTATE_CONSTANT_MAX 4096
#define MUTATE_ARITHMETIC_MAX 35
#define MUTATE_COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* Values near the edges of the integer types, sign-extended when stored. */
static const int8_t MUTATE_VALUES_8[] = { -128, -1, 0, 1, 16, 32, 64, 100,
	127 };
static const int16_t MUTATE_VALUES_16[] = { -32768, -129, 128, 255, 256, 512,
	1000, 1024, 4096, 32767, -128, -1, 0, 1, 16, 32, 64, 100, 127 };
static const int32_t MUTATE_VALUES_32[] = { -2147483647 - 1, -100663046, -32769,
	32768, 65535, 65536, 100663045, 2147483647, -32768, -129, 128, 255, 256,
	512, 1000, 1024, 4096, 32767, -128, -1, 0, 1, 16, 32, 64, 100, 127 };

static inline bool
mutate_done(struct mutation *done, size_t offset, size_t len)
{
	*done = (struct mutation){ .offset = (uint32_t)offset,
		.len = (uint32_t)len };
	return true;
}

/* Makes a hole of n bytes at offset p. */
static inline void
mutate_open(struct mutable *m, size_t p, size_t n)
{
	memmove(m->data + p + n, m->data + p, m->len - p);
	m->len += n;
}

/* True if n more bytes stay below the capacity. No sum can wrap. */
static inline bool
mutate_fits(const struct mutable *m, size_t n)
{
	return m->len < m->cap && n < m->cap - m->len;
}

/* Two different positions; the buffer has at least two bytes. */
static inline void
mutate_draw_pair(const struct mutable *m, struct prng *prng, size_t *src,
	size_t *dst)
{
	*src = prng_intn(prng, m->len);
	do {
		*dst = prng_intn(prng, m->len);
	} while (*dst == *src);
}

static inline uint64_t
mutate_load(const uint8_t *at, size_t width, bool little)
{
	uint64_t word = 0;

	memcpy(&word, at, width);
	return little ? le64toh(word) : be64toh(word) >> (64 - 8 * width);
}

static inline void
mutate_store(uint8_t *at, size_t width, bool little, uint64_t word)
{
	word = little ? htole64(word) : htobe64(word << (64 - 8 * width));
	memcpy(at, &word, width);
}

static bool
mutate_remove(struct mutable *m, struct prng *prng, struct mutation *done)
{
	size_t p, n;

	p = prng_intn(prng, m->len);
	n = prng_choose_len(prng, m->len - p);
	memmove(m->data + p, m->data + p + n, m->len - p - n);
	m->len -= n;
	return mutate_done(done, p, n);
}

static bool
mutate_insert_random(struct mutable *m, struct prng *prng,
	struct mutation *done)
{
	size_t p = prng_intn(prng, m->len + 1);
	size_t n = prng_choose_len(prng, MUTATE_INSERT_MAX);

	if (!mutate_fits(m, n))
		return false;
	mutate_open(m, p, n);
	for (size_t i = 0; i < n; i++)
		m->data[p + i] = (uint8_t)prng_intn(prng, 256);
	return mutate_done(done, p, n);
}

static bool
mutate_duplicate(struct mutable *m, struct prng *prng, struct mutation *done)
{
	size_t src, dst, n, before;

	mutate_draw_pair(m, prng, &src, &dst);
	n = prng_choose_len(prng, m->len - src);
	if (!mutate_fits(m, 2 * n))
		return false;
	mutate_open(m, dst, n);
	/* The bytes behind dst have moved: the source may be in two pieces. */
	before = src >= dst ? 0 : dst - src < n ? dst - src : n;
	memcpy(m->data + dst, m->data + src, before);
	memcpy(m->data + dst + before, m->data + src + n + before, n - before);
	return mutate_done(done, dst, n);
}

static bool
mutate_overwrite(struct mutable *m, struct prng *prng, struct mutation *done)
{
	size_t src, dst, n;

	mutate_draw_pair(m, prng, &src, &dst);
	n = prng_choose_len(prng, m->len - src - 1);
	if (n > m->len - dst)
		n = m->len - dst;
	memmove(m->data + dst, m->data + src, n);
	return mutate_done(done, dst, n);
}

static bool
mutate_bit_flip(struct mutable *m, struct prng *prng, struct mutation *done)
{
	size_t p;

	p = prng_intn(prng, m->len);
	m->data[p] ^= (uint8_t)(1u << prng_intn(prng, 8));
	return mutate_done(done, p, 1);
}

static bool
mutate_xor(struct mutable *m, struct prng *prng, struct mutation *done)
{
	size_t p;

	p = prng_intn(prng, m->len);
	m->data[p] ^= (uint8_t)(1 + prng_intn(prng, 255));
	return mutate_done(done, p, 1);
}

static bool
mutate_swap_bytes(struct mutable *m, struct prng *prng, struct mutation *done)
{
	size_t src, dst;
	uint8_t byte;

	mutate_draw_pair(m, prng, &src, &dst);
	byte = m->data[src];
	m->data[src] = m->data[dst];
	m->data[dst] = byte;
	return mutate_done(done, dst, 1);
}

static bool
mutate_arithmetic_8(struct mutable *m, struct prng *prng, struct mutation *done)
{
	size_t p, v;

	p = prng_intn(prng, m->len);
	v = prng_intn(prng, MUTATE_ARITHMETIC_MAX) + 1;
	m->data[p] =
		(uint8_t)(prng_bool(prng) ? m->data[p] + v : m->data[p] - v);
	return mutate_done(done, p, 1);
}

/* Draws in another order than mutate_arithmetic_8(); true means minus. */
static inline bool
mutate_arithmetic(struct mutable *m, struct prng *prng, struct mutation *done,
	size_t width)
{
	uint64_t v, word;
	bool little;
	size_t p;

	v = prng_intn(prng, MUTATE_ARITHMETIC_MAX) + 1;
	if (prng_bool(prng))
		v = -v;
	p = prng_intn(prng, m->len - (width - 1));
	little = prng_bool(prng);
	word = mutate_load(m->data + p, width, little);
	mutate_store(m->data + p, width, little, word + v);
	return mutate_done(done, p, width);
}

static bool
mutate_arithmetic_16(struct mutable *m, struct prng *prng,
	struct mutation *done)
{
	return mutate_arithmetic(m, prng, done, 2);
}

static bool
mutate_arithmetic_32(struct mutable *m, struct prng *prng,
	struct mutation *done)
{
	return mutate_arithmetic(m, prng, done, 4);
}

static bool
mutate_arithmetic_64(struct mutable *m, struct prng *prng,
	struct mutation *done)
{
	return mutate_arithmetic(m, prng, done, 8);
}

static bool
mutate_interesting_8(struct mutable *m, struct prng *prng,
	struct mutation *done)
{
	size_t p, i;

	p = prng_intn(prng, m->len);
	i = prng_intn(prng, MUTATE_COUNT(MUTATE_VALUES_8));
	m->data[p] = (uint8_t)MUTATE_VALUES_8[i];
	return mutate_done(done, p, 1);
}

static bool
mutate_interesting_16(struct mutable *m, struct prng *prng,
	struct mutation *done)
{
	size_t p, i;

	p = prng_intn(prng, m->len - 1);
	i = prng_intn(prng, MUTATE_COUNT(MUTATE_VALUES_16));
	mutate_store(m->data + p, 2, prng_bool(prng),
		(uint64_t)MUTATE_VALUES_16[i]);
	return mutate_done(done, p, 2);
}

static bool
mutate_interesting_32(struct mutable *m, struct prng *prng,
	struct mutation *done)
{
	size_t p, i;

	p = prng_intn(prng, m->len - 3);
	i = prng_intn(prng, MUTATE_COUNT(MUTATE_VALUES_32));
	mutate_store(m->data + p, 4, prng_bool(prng),
		(uint64_t)MUTATE_VALUES_32[i]);
	return mutate_done(done, p, 4);
}

static bool
mutate_insert_constant(struct mutable *m, struct prng *prng,
	struct mutation *done)
{
	size_t p, n;

	p = prng_intn(prng, m->len);
	n = prng_choose_len(prng, MUTATE_CONSTANT_MAX);
	if (!mutate_fits(m, n))
		return false;
	mutate_open(m, p, n);
	memset(m->data + p, (int)prng_intn(prng, 256), n);
	return mutate_done(done, p, n);
}

static bool
mutate_overwrite_constant(struct mutable *m, struct prng *prng,
	struct mutation *done)
{
	size_t p, n;

	p = prng_intn(prng, m->len);
	n = prng_choose_len(prng, m->len - p);
	memset(m->data + p, (int)prng_intn(prng, 256), n);
	return mutate_done(done, p, n);
}

static bool
mutate_shuffle(struct mutable *m, struct prng *prng, struct mutation *done)
{
	size_t p, n;

	p = prng_intn(prng, m->len);
	n = prng_choose_len(prng, m->len - p);
	if (n <= 2)
		return false;
	for (size_t i = n - 1; i > 0; i--) {
		size_t j = prng_intn(prng, i + 1);
		uint8_t byte = m->data[p + i];

		m->data[p + i] = m->data[p + j];
		m->data[p + j] = byte;
	}
	return mutate_done(done, p, n);
}

static bool
mutate_swap_chunks(struct mutable *m, struct prng *prng, struct mutation *done)
{
	size_t src, dst, low, high, n;

	mutate_draw_pair(m, prng, &src, &dst);
	low = src < dst ? src : dst;
	high = src < dst ? dst : src;
	n = prng_choose_len(prng, m->len - high - 1);
	if (low + n >= high || !mutate_fits(m, n))
		return false;
	for (size_t i = 0; i < n; i++) {
		uint8_t byte = m->data[low + i];

		m->data[low + i] = m->data[high + i];
		m->data[high + i] = byte;
	}
	return mutate_done(done, dst, n);
}

/* clang-format off */
static const struct {
	bool (*apply)(struct mutable *, struct prng *, struct mutation *);
	const char *name;
	size_t least;	 /* bytes that it needs */
	uint32_t weight; /* see mutate_weight() */
} MUTATE_TABLE[MUTATE_N] = {
	[MUTATE_REMOVE]             = { mutate_remove, "remove bytes", 2, 16 },
	[MUTATE_INSERT_RANDOM]      = { mutate_insert_random, "insert random bytes", 0, 16 },
	[MUTATE_DUPLICATE]          = { mutate_duplicate, "duplicate bytes", 2, 16 },
	[MUTATE_OVERWRITE]          = { mutate_overwrite, "overwrite bytes", 2, 16 },
	[MUTATE_BIT_FLIP]           = { mutate_bit_flip, "bit flip", 1, 16 },
	[MUTATE_XOR]                = { mutate_xor, "xor byte", 1, 16 },
	[MUTATE_SWAP_BYTES]         = { mutate_swap_bytes, "swap two bytes", 2, 16 },
	[MUTATE_ARITHMETIC_8]       = { mutate_arithmetic_8, "arithmetic 8", 1, 16 },
	[MUTATE_ARITHMETIC_16]      = { mutate_arithmetic_16, "arithmetic 16", 2, 16 },
	[MUTATE_ARITHMETIC_32]      = { mutate_arithmetic_32, "arithmetic 32", 4, 16 },
	[MUTATE_ARITHMETIC_64]      = { mutate_arithmetic_64, "arithmetic 64", 8, 16 },
	[MUTATE_INTERESTING_8]      = { mutate_interesting_8, "interesting 8", 1, 16 },
	[MUTATE_INTERESTING_16]     = { mutate_interesting_16, "interesting 16", 2, 16 },
	[MUTATE_INTERESTING_32]     = { mutate_interesting_32, "interesting 32", 4, 16 },
	[MUTATE_INSERT_CONSTANT]    = { mutate_insert_constant, "insert constant bytes", 2, 16 },
	[MUTATE_OVERWRITE_CONSTANT] = { mutate_overwrite_constant, "overwrite constant bytes", 2, 16 },
	[MUTATE_SHUFFLE]            = { mutate_shuffle, "shuffle bytes", 2, 16 },
	[MUTATE_SWAP_CHUNKS]        = { mutate_swap_chunks, "swap chunks", 2, 16 },
	[MUTATE_ADD]                = { NULL, "add", 0, 0 },
	[MUTATE_SUBTRACT]           = { NULL, "subtract", 0, 0 },
	[MUTATE_MULTIPLY]           = { NULL, "multiply", 0, 0 },
	[MUTATE_DIVIDE]             = { NULL, "divide", 0, 0 },
	[MUTATE_FLIP]               = { NULL, "flip", 0, 0 },
	[MUTATE_KEEP]               = { NULL, "keep", 0, 0 },
	[MUTATE_INSERT_WORD]        = { NULL, "insert word", 0, 48 },
	[MUTATE_OVERWRITE_WORD]     = { NULL, "overwrite with word", 0, 48 },
	[MUTATE_COMPARE]            = { NULL, "compared value", 0, 0 },
	[MUTATE_CUSTOM]             = { NULL, "the target's mutator", 0, 0 },
	[MUTATE_NUMBER_STEP]        = { NULL, "step number", 0, 8 },
	[MUTATE_NUMBER_SET]         = { NULL, "set number", 0, 8 },
	[MUTATE_NUMBER_DIGITS]      = { NULL, "change digits", 0, 8 },
	[MUTATE_TOKEN_OVERWRITE]    = { NULL, "token over token", 0, 8 },
	[MUTATE_TOKEN_INSERT]       = { NULL, "insert token", 0, 8 },
	[MUTATE_TOKEN_SWAP]         = { NULL, "swap tokens", 0, 8 },
	[MUTATE_TOKEN_REMOVE]       = { NULL, "remove token", 0, 8 },
	[MUTATE_TOKEN_REPEAT]       = { NULL, "repeat token", 0, 8 },
	[MUTATE_LINE_OVERWRITE]     = { NULL, "line over line", 0, 4 },
	[MUTATE_LINE_INSERT]        = { NULL, "insert line", 0, 4 },
	[MUTATE_LINE_SWAP]          = { NULL, "swap lines", 0, 4 },
	[MUTATE_LINE_REMOVE]        = { NULL, "remove line", 0, 4 },
	[MUTATE_LINE_REPEAT]        = { NULL, "repeat line", 0, 4 },
	[MUTATE_GROUP_OVERWRITE]    = { NULL, "group over group", 0, 4 },
	[MUTATE_GROUP_INSERT]       = { NULL, "insert group", 0, 4 },
	[MUTATE_GROUP_SWAP]         = { NULL, "swap groups", 0, 4 },
	[MUTATE_GROUP_REMOVE]       = { NULL, "remove group", 0, 4 },
	[MUTATE_GROUP_REPEAT]       = { NULL, "repeat group", 0, 4 },
	[MUTATE_GROUP_WRAP]         = { NULL, "wrap in brackets", 0, 4 },
	[MUTATE_GROUP_UNWRAP]       = { NULL, "unwrap group", 0, 4 },
	[MUTATE_CHARACTER]          = { NULL, "put character", 0, 16 },
	[MUTATE_BLOCK_REPEAT]       = { NULL, "repeat block", 0, 8 },
	[MUTATE_BLOCK_MOVE]         = { NULL, "move block", 0, 8 },
	[MUTATE_BLOCK_REVERSE]      = { NULL, "reverse block", 0, 4 },
	[MUTATE_SPLICE_INSERT]      = { NULL, "splice: insert", 0, 16 },
	[MUTATE_SPLICE_OVERWRITE]   = { NULL, "splice: overwrite", 0, 16 },
	[MUTATE_SPLICE_TAIL]        = { NULL, "splice: tail", 0, 8 },
	[MUTATE_SPLICE_TOKEN]       = { NULL, "splice: token", 0, 16 },
	[MUTATE_SPLICE_LINE]        = { NULL, "splice: line", 0, 8 },
	[MUTATE_SPLICE_GROUP]       = { NULL, "splice: group", 0, 8 },
	[MUTATE_LENGTH_GROW]        = { NULL, "grow with length", 0, 4 },
	[MUTATE_LENGTH_SHRINK]      = { NULL, "shrink with length", 0, 4 },
	[MUTATE_LENGTH_CHANGE]      = { NULL, "change length", 0, 4 },
	[MUTATE_LENGTH_SET]         = { NULL, "set length", 0, 4 },
	[MUTATE_PART_COUNT]         = { NULL, "repeat to count", 0, 0 },
};
/* clang-format on */

size_t
mutate_room(size_t len, size_t cap)
{
	size_t growth = len > MUTATE_CONSTANT_MAX ? len : MUTATE_CONSTANT_MAX;

	if (cap <= len)
		return len;
	return growth < cap - len ? len + growth : cap;
}

bool
mutate_apply(enum mutate_op op, struct mutable *m, struct prng *prng,
	struct mutation *done)
{
	if ((unsigned)op >= MUTATE_BYTES_N || m->len < MUTATE_TABLE[op].least ||
		!MUTATE_TABLE[op].apply(m, prng, done))
		return false;
	done->op = (uint16_t)op;
	return true;
}

bool
mutate_bytes(struct mutable *m, struct prng *prng, struct mutation *done)
{
	enum mutate_op op;

	if (m->len == 0 && m->cap < 2)
		return false;
	do {
		op = (enum mutate_op)prng_intn(prng, MUTATE_BYTES_N);
	} while (!mutate_apply(op, m, prng, done));
	return true;
}

bool
mutate_replace(struct mutable *m, size_t offset, size_t removed,
	const uint8_t *bytes, size_t n)
{
	size_t len;

	if (offset > m->len || removed > m->len - offset)
		return false;
	len = m->len - removed + n;
	if (len == 0 || (n > removed && len >= m->cap))
		return false;
	if (n != removed)
		memmove(m->data + offset + n, m->data + offset + removed,
			m->len - offset - removed);
	memcpy(m->data + offset, bytes, n);
	m->len = len;
	return true;
}

const char *
mutate_name(unsigned op)
{
	return op < MUTATE_N ? MUTATE_TABLE[op].name : "?";
}

uint32_t
mutate_weight(unsigned op)
{
	return op < MUTATE_N ? MUTATE_TABLE[op].weight : 0;
}

/*
 * compare: see compare.h.
 *
 * The table is divided into sets of a few slots; a pair's goal selects the set.
 * A comparison in a hot loop replaces its own pairs, so that it does not
 * displace rare ones. A small filter drops pairs that were recorded just
 * before.
 */

#include "target/hooks/compare.h"

#include "shared/fnv.h"

#define COMPARE_WAYS 4u
#define COMPARE_SETS_SHIFT 26 /* goal to set number */
#define COMPARE_FILTER 4096u
#define COMPARE_REPLACE_ONE_IN 8u
/* Per goal: how often it was seen, and whether its operands were ever equal. */
#define COMPARE_GOALS 16384u
#define COMPARE_SEEN 0x7fffu
#define COMPARE_MET 0x8000u
#define COMPARE_LETTERS 16384u
#define COMPARE_CASES 32u /* recorded cases of a switch */
#define COMPARE_CONSTANT_SHIFT 2
#define COMPARE_PAGE 4096u
/* Spreads a number over all bits of a word. */
#define COMPARE_ODD 0x9e3779b97f4a7c15u
/*
 * The address range of programs, libraries, heaps and stacks on 64-bit systems.
 */
#define COMPARE_ADDRESS_MIN (1ull << 40)
#define COMPARE_ADDRESS_MAX (1ull << 48)

/* Symbols of the linker: the program, from its first byte to its variables. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
extern const char __executable_start[]
	__attribute__((weak, visibility("hidden")));
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
extern const char __bss_start[] __attribute__((weak, visibility("hidden")));

struct compare_slot {
	uint32_t stamp; /* the recording that filled it */
	uint32_t goal;
};

struct compare {
	uint32_t stamp;
	uint32_t n;
	uint32_t turn;
	bool worn; /* a count of goals has reached its limit */
	uint8_t order[COMPARE_PAIRS_MAX];
	struct compare_slot slots[COMPARE_PAIRS_MAX];
	struct compare_pair pairs[COMPARE_PAIRS_MAX];
	uint32_t filter[COMPARE_FILTER];
	uint16_t goals[COMPARE_GOALS];
	/* Goals of letters that were equal; a later one takes the place. */
	uint32_t letters[COMPARE_LETTERS];
} __attribute__((aligned(COMPARE_PAGE)));

_Static_assert(COMPARE_PAIRS_MAX == COMPARE_WAYS << (32 - COMPARE_SETS_SHIFT),
	"sets");
_Static_assert(COMPARE_PAIRS_MAX - 1 <= UINT8_MAX, "order");

/* Global, because the hooks take no context. */
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
static struct compare compare;

/* Spreads the hash first. Otherwise two sites that differ in the same bits as
 * their values, such as letters, would get the same result. */
static inline uint32_t
compare_mix(uint64_t hash, uint64_t value)
{
	hash = hash * COMPARE_ODD ^ value;
	hash = (hash ^ (hash >> 32)) * 0xbf58476d1ce4e5b9u;
	return (uint32_t)(hash >> 32);
}

static uint32_t
compare_mix_bytes(uint32_t hash, const uint8_t *bytes, size_t len)
{
	return compare_mix(hash, fnv_add(FNV_BASIS, bytes, len) ^ len);
}

void *
compare_memory(size_t *len)
{
	*len = sizeof(compare);
	return &compare;
}

void
compare_begin(void)
{
	compare.stamp++;
	compare.n = 0;
}

uint32_t
compare_end(void)
{
	if (compare.worn) {
		for (uint32_t i = 0; i < COMPARE_GOALS; i++)
			compare.goals[i] = (compare.goals[i] & COMPARE_MET) |
				(compare.goals[i] & COMPARE_SEEN) / 2;
		compare.worn = false;
	}
	return compare_pairs_n();
}

uint32_t
compare_pairs_n(void)
{
	uint32_t n = compare.n;

	return n < COMPARE_PAIRS_MAX ? n : COMPARE_PAIRS_MAX;
}

bool
compare_get(uint32_t i, struct compare_pair *pair)
{
	unsigned width;

	if (i >= compare_pairs_n())
		return false;
	*pair = compare.pairs[compare.order[i]];
	width = pair->shape & COMPARE_WIDTH;
	for (int k = 0; k < 2; k++) {
		if (pair->len[k] > COMPARE_BYTES_MAX)
			pair->len[k] = COMPARE_BYTES_MAX;
	}
	return width <= 8 && (width & (width - 1)) == 0;
}

uint32_t
compare_rank(uint32_t i)
{
	const struct compare_pair *pair;
	uint32_t seen;

	if (i >= compare_pairs_n())
		return UINT32_MAX;
	pair = &compare.pairs[compare.order[i]];
	seen = compare.goals[pair->goal % COMPARE_GOALS];
	return (pair->shape & COMPARE_CONSTANT) != 0
		? seen >> COMPARE_CONSTANT_SHIFT
		: seen;
}

/* Is the pair in the filter? Adds it if not. */
static bool
compare_is_known(uint32_t hash)
{
	uint32_t *known = &compare.filter[hash % COMPARE_FILTER];
	uint32_t value = hash ^ compare.stamp * 0x85ebca6bu;

	if (*known == value)
		return true;
	*known = value;
	return false;
}

/* Counts a comparison of the goal, or notes that its operands were equal. */
static void
compare_count(uint32_t goal, bool equal)
{
	uint16_t *count = &compare.goals[goal % COMPARE_GOALS];

	if (equal)
		*count |= COMPARE_MET;
	else if ((*count & COMPARE_SEEN) < COMPARE_SEEN)
		(*count)++;
	else
		compare.worn = true;
}

/* A slot of a goal that has several in the set, or else one in turn. */
static uint32_t
compare_choose(uint32_t first)
{
	uint32_t turn = compare.turn++;

	for (uint32_t i = 0; i < COMPARE_WAYS; i++) {
		for (uint32_t k = i + 1; k < COMPARE_WAYS; k++) {
			if (compare.slots[first + i].goal ==
				compare.slots[first + k].goal)
				return first + i;
		}
	}
	return first + turn % COMPARE_WAYS;
}

/*
 * A slot for a new pair. NULL: drop the pair, as is done with most pairs of a
 * goal in a full set.
 */
static struct compare_pair *
compare_take_slot(uint32_t goal)
{
	uint32_t first = (goal >> COMPARE_SETS_SHIFT) * COMPARE_WAYS;
	uint32_t own = COMPARE_PAIRS_MAX, slot = first, n = compare.n;

	for (; slot < first + COMPARE_WAYS; slot++) {
		if (compare.slots[slot].stamp != compare.stamp)
			break;
		if (compare.slots[slot].goal == goal &&
			(own == COMPARE_PAIRS_MAX || compare.turn % 2 != 0))
			own = slot;
	}
	if (slot == first + COMPARE_WAYS) {
		if (own != COMPARE_PAIRS_MAX) {
			if (++compare.turn % COMPARE_REPLACE_ONE_IN != 0)
				return NULL;
			slot = own;
		} else {
			slot = compare_choose(first);
		}
	} else {
		compare.slots[slot].stamp = compare.stamp;
		if (n < COMPARE_PAIRS_MAX) {
			compare.order[n] = (uint8_t)slot;
			compare.n = n + 1;
		}
	}
	compare.slots[slot].goal = goal;
	return &compare.pairs[slot];
}

bool
compare_is_address(uint64_t a, uint64_t b)
{
	const uint64_t span = COMPARE_ADDRESS_MAX - COMPARE_ADDRESS_MIN;

	return a - COMPARE_ADDRESS_MIN < span && b - COMPARE_ADDRESS_MIN < span;
}

/*
 * Two single bytes whose comparison has succeeded before are of no use. Goals
 * share counts, but not this mark: a letter that another one's mark hides would
 * never be recorded.
 */
static bool
compare_is_letter(uint32_t goal, uint64_t a, uint64_t b)
{
	uint32_t *met = &compare.letters[goal % COMPARE_LETTERS];

	if ((a | b) > UINT8_MAX)
		return false;
	if (a == b)
		*met = goal;
	return *met == goal;
}

void
compare_number(uint32_t site, uint64_t a, uint64_t b, unsigned shape)
{
	bool constant = (shape & COMPARE_CONSTANT) != 0;
	struct compare_pair *pair;
	uint32_t goal;

	if (compare_is_known(compare_mix(a * COMPARE_ODD + site, b)) ||
		compare_is_address(a, b))
		return;
	goal = compare_mix(site, constant ? a : 0);
	compare_count(goal, a == b);
	if ((constant && compare_is_letter(goal, a, b)) || a == b)
		return;
	pair = compare_take_slot(goal);
	if (pair == NULL)
		return;
	pair->goal = goal;
	pair->shape = (uint16_t)shape;
	pair->number[0] = a;
	pair->number[1] = b;
	pair->len[0] = pair->len[1] = 0;
}

void
compare_cases(uint32_t site, uint64_t value, const uint64_t *cases, uint32_t n,
	unsigned width)
{
	uint32_t from = 0;

	if (compare_is_known(compare_mix(site, value)))
		return;
	/* The value selects the first case, so that other values record
	 * others. */
	if (n > COMPARE_CASES)
		from = (uint32_t)(value % n);
	for (uint32_t i = 0; i < n && i < COMPARE_CASES; i++)
		compare_number(site, cases[(from + i) % n], value,
			width | COMPARE_CONSTANT);
}

/* Not memcpy(): a sanitizer would check it, and threads may race here. */
static void
compare_copy(uint8_t *to, const uint8_t *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = ((const volatile uint8_t *)from)[i];
}

static bool
compare_is_same(const struct compare_pair *pair)
{
	if (pair->len[0] != pair->len[1])
		return false;
	for (size_t i = 0; i < pair->len[0]; i++) {
		if (pair->bytes[0][i] != pair->bytes[1][i])
			return false;
	}
	return true;
}

void
compare_bytes(uint32_t site, const struct compare_pair *pair, bool equal)
{
	bool constant = (pair->shape & COMPARE_CONSTANT) != 0;
	uint32_t goal = compare_mix_bytes(site, pair->bytes[0],
		constant ? pair->len[0] : 0);
	uint32_t hash = compare_mix_bytes(goal, pair->bytes[0], pair->len[0]);
	struct compare_pair *kept;

	if (compare_is_known(
		    compare_mix_bytes(hash, pair->bytes[1], pair->len[1])))
		return;
	compare_count(goal, equal);
	/* Operands that differ only behind the recorded bytes are of no use. */
	if (equal || compare_is_same(pair))
		return;
	kept = compare_take_slot(goal);
	if (kept == NULL)
		return;
	kept->goal = goal;
	kept->shape = pair->shape;
	for (int k = 0; k < 2; k++) {
		kept->number[k] = 0;
		kept->len[k] = pair->len[k];
		compare_copy(kept->bytes[k], pair->bytes[k], pair->len[k]);
	}
}

static uint8_t
compare_fold(uint8_t byte)
{
	return byte >= 'A' && byte <= 'Z' ? (uint8_t)(byte | 0x20) : byte;
}

/* The number of bytes read: up to the first difference or the end. */
static size_t
compare_walk(const struct compare_call *call)
{
	size_t n = call->n[0] < call->n[1] ? call->n[0] : call->n[1];
	bool fold = (call->shape & COMPARE_FOLD) != 0;
	bool text = (call->shape & COMPARE_TEXT) != 0;

	for (size_t i = 0; i < n && i < COMPARE_BYTES_MAX; i++) {
		uint8_t a = call->at[0][i], b = call->at[1][i];

		if (a != b && !(fold && compare_fold(a) == compare_fold(b)))
			return i + 1;
		if (text && a == 0)
			return i + 1;
	}
	return n < COMPARE_BYTES_MAX ? n : COMPARE_BYTES_MAX;
}

/*
 * Copies the bytes that were read and the rest of that page; the next page may
 * be missing.
 */
static uint8_t
compare_take(uint8_t *bytes, const uint8_t *at, size_t n, size_t was_read,
	bool text)
{
	size_t last = was_read > 0 ? was_read - 1 : 0, i = 0;
	size_t room =
		last + COMPARE_PAGE - ((uintptr_t)at + last) % COMPARE_PAGE;

	if (n > COMPARE_BYTES_MAX)
		n = COMPARE_BYTES_MAX;
	if (n > room)
		n = room;
	for (; i < n; i++) {
		bytes[i] = ((const volatile uint8_t *)at)[i];
		if (text && bytes[i] == 0)
			break;
	}
	return (uint8_t)i;
}

/* In the program's image, below its zero-initialised variables? */
static bool
compare_is_constant(const uint8_t *at)
{
	return at >= (const uint8_t *)__executable_start &&
		at < (const uint8_t *)__bss_start;
}

void
compare_read(struct compare_pair *pair, const struct compare_call *call)
{
	bool text = (call->shape & COMPARE_TEXT) != 0;
	bool search = (call->shape & COMPARE_SEARCH) != 0;
	bool constant[2] = { compare_is_constant(call->at[0]),
		compare_is_constant(call->at[1]) };
	int first = !search && constant[1] && !constant[0];
	size_t was_read = search ? 0 : compare_walk(call);

	pair->shape = (uint16_t)call->shape;
	if (constant[first] && !constant[!first])
		pair->shape |= COMPARE_CONSTANT;
	for (int k = 0; k < 2; k++)
		pair->len[k] = compare_take(pair->bytes[k], call->at[k ^ first],
			call->n[k ^ first], was_read, text);
	if (search && pair->len[1] > pair->len[0])
		pair->len[1] = pair->len[0];
}

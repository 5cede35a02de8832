/*
 * guard: see guard.h.
 *
 * Bytes are copied and compared by hand. A sanitizer would check the input when
 * the C library reads it, hooks would record the comparison as the target's,
 * and masked vector loads up to an inaccessible page are slow.
 */

#include "target/crash/guard.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "target/crash/sanitizers.h"

#define GUARD_ALIGN 16u
#define GUARD_VECTOR sizeof(guard_vector)
#define GUARD_BLOCK (4 * GUARD_VECTOR)
#define GUARD_WORD sizeof(guard_word)

typedef uint64_t guard_vector
	__attribute__((vector_size(16), aligned(1), may_alias));
typedef uint64_t guard_word __attribute__((aligned(1), may_alias));

bool
guard_init(struct guard *g, size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	/* Whole pages that hold an input of size bytes, aligned or not. */
	size_t room = (size + GUARD_ALIGN + page - 1) & ~(page - 1);
	uint8_t *map = mmap(NULL, page + room + page, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	*g = (struct guard){ .size = size };
	if (map == MAP_FAILED)
		return false;
	if (mprotect(map + page, room, PROT_READ | PROT_WRITE) != 0) {
		munmap(map, page + room + page);
		return false;
	}
	g->start = map + page;
	g->end = g->start + room;
	g->align = sanitizers_want_alignment();
	g->poison = sanitizers_can_poison();
	g->track = sanitizers_track_bytes();
	if (g->poison)
		sanitizers_poison(g->start, room);
	g->open = g->end;
	return true;
}

void
guard_clear(struct guard *g)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t room = (size_t)(g->end - g->start);

	if (g->start == NULL)
		return;
	/* The next owner of these pages may touch them. */
	if (g->poison)
		sanitizers_unpoison(g->start, room);
	(void)munmap(g->start - page, page + room + page);
	*g = (struct guard){ .size = 0 };
}

void
guard_keep_from_forks(const struct guard *g)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t room = (size_t)(g->end - g->start);

	(void)madvise(g->start - page, page + room + page, MADV_DONTFORK);
}

/* Unpoisons the input alone; the rest of the buffer stays poisoned. */
static void
guard_open(struct guard *g, uint8_t *data, size_t len)
{
	if (data == g->open && len == g->open_len)
		return;
	if (g->open_len > 0)
		sanitizers_poison(g->open,
			(g->open_len + GUARD_ALIGN - 1) &
				~(size_t)(GUARD_ALIGN - 1));
	if (len > 0)
		sanitizers_unpoison(data, len);
	g->open = data;
	g->open_len = len;
}

static inline guard_vector
guard_load(const uint8_t *at)
{
	return *(const guard_vector *)(const void *)at;
}

static inline void
guard_store(uint8_t *at, guard_vector vector)
{
	*(guard_vector *)(void *)at = vector;
}

static inline uint64_t
guard_load_word(const uint8_t *at)
{
	return *(const guard_word *)(const void *)at;
}

/* Copies less than a vector. */
static void
guard_copy_few(uint8_t *to, const uint8_t *from, size_t len)
{
	if (len >= GUARD_WORD) {
		const size_t last = len - GUARD_WORD;
		uint64_t a = guard_load_word(from);
		uint64_t b = guard_load_word(from + last);

		*(guard_word *)(void *)to = a;
		*(guard_word *)(void *)(to + last) = b;
		return;
	}
	for (size_t i = 0; i < len; i++)
		to[i] = from[i];
}

/* Copies a vector or more; the last vector overlaps the one before. */
static inline void
guard_copy(uint8_t *to, const uint8_t *from, size_t len)
{
	const size_t last = len - GUARD_VECTOR;
	size_t at = 0;

	for (; len - at >= GUARD_BLOCK; at += GUARD_BLOCK) {
		guard_store(to + at, guard_load(from + at));
		guard_store(to + at + 16, guard_load(from + at + 16));
		guard_store(to + at + 32, guard_load(from + at + 32));
		guard_store(to + at + 48, guard_load(from + at + 48));
	}
	for (; at < last; at += GUARD_VECTOR)
		guard_store(to + at, guard_load(from + at));
	guard_store(to + last, guard_load(from + last));
}

static inline uint8_t *
guard_begin(const struct guard *g, size_t len)
{
	uint8_t *data = g->end - len;

	return g->align ? data - ((uintptr_t)data & (GUARD_ALIGN - 1)) : data;
}

const uint8_t *
guard_find(const struct guard *g, size_t len)
{
	return guard_begin(g, len);
}

inline uint8_t *
guard_make_room(struct guard *g, size_t len)
{
	uint8_t *data = guard_begin(g, len);

	if (g->poison)
		guard_open(g, data, len);
	return data;
}

static inline void
guard_fill(uint8_t *data, const uint8_t *value, size_t len)
{
	if (len >= GUARD_VECTOR)
		guard_copy(data, value, len);
	else
		guard_copy_few(data, value, len);
}

uint8_t *
guard_put(struct guard *g, const uint8_t *value, size_t len)
{
	uint8_t *data = guard_make_room(g, len);

	guard_fill(data, value, len);
	return data;
}

uint8_t *
guard_put_text(struct guard *g, const uint8_t *text, size_t len)
{
	uint8_t *data = guard_make_room(g, len + 1);

	guard_fill(data, text, len);
	data[len] = '\0';
	return data;
}

static bool
guard_has_few(const uint8_t *data, const uint8_t *value, size_t len)
{
	uint64_t odd = 0;

	if (len >= GUARD_WORD) {
		const size_t last = len - GUARD_WORD;

		odd = guard_load_word(data) ^ guard_load_word(value);
		odd |= guard_load_word(data + last) ^
			guard_load_word(value + last);
		return odd == 0;
	}
	for (size_t i = 0; i < len; i++)
		odd |= data[i] ^ value[i];
	return odd == 0;
}

static inline guard_vector
guard_odd(const uint8_t *data, const uint8_t *value)
{
	return guard_load(data) ^ guard_load(value);
}

bool
guard_has(const uint8_t *data, const uint8_t *value, size_t len)
{
	const size_t last = len - GUARD_VECTOR;
	guard_vector odd = { 0, 0 };
	size_t at = 0;

	if (len < GUARD_VECTOR)
		return guard_has_few(data, value, len);
	for (; len - at >= GUARD_BLOCK; at += GUARD_BLOCK)
		odd |= (guard_odd(data + at, value + at) |
			       guard_odd(data + at + 16, value + at + 16)) |
			(guard_odd(data + at + 32, value + at + 32) |
				guard_odd(data + at + 48, value + at + 48));
	for (; at < last; at += GUARD_VECTOR)
		odd |= guard_odd(data + at, value + at);
	odd |= guard_odd(data + last, value + last);
	return (odd[0] | odd[1]) == 0;
}

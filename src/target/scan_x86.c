/*
 * scan_x86: the ways with AVX2 and with AVX-512, see scan_skip.h.
 *
 * The bucket of a counter, its highest bit, is looked up by its halves in two
 * tables of 16 bytes, for all counters of a vector at once. The processor is
 * asked by hand: a compiler's own functions for that are in a library that
 * not every program is linked with.
 */

#include "target/scan_skip.h"

#if !defined(__x86_64__)

scan_skip *
scan_skip_x86(enum scan_way way)
{
	(void)way;
	return NULL;
}

#else

#include <cpuid.h>
#include <immintrin.h>
#include <stdbool.h>

#define X86_AVX2 __attribute__((target("avx2")))
#define X86_AVX512 __attribute__((target("avx512f,avx512bw")))

/* Registers that the operating system saves, as bits of XCR0. */
#define X86_SAVES_YMM 0x06u
#define X86_SAVES_ZMM 0xe6u

#define X86_HALVES 15 /* bits of half a byte */
#define X86_LOW 0, 1, 2, 2, 4, 4, 4, 4, 8, 8, 8, 8, 8, 8, 8, 8
#define X86_HIGH \
	0, 16, 32, 32, 64, 64, 64, 64, -128, -128, -128, -128, -128, -128, \
		-128, -128

#define AVX2_VECTOR ((size_t)32)
#define AVX2_BLOCK (4 * AVX2_VECTOR)

X86_AVX2 static inline __m256i
avx2_load(const uint8_t *at)
{
	return _mm256_loadu_si256((const void *)at);
}

X86_AVX2 static inline __m256i
avx2_buckets(__m256i counters)
{
	const __m256i halves = _mm256_set1_epi8(X86_HALVES);
	const __m256i low = _mm256_setr_epi8(X86_LOW, X86_LOW);
	const __m256i high = _mm256_setr_epi8(X86_HIGH, X86_HIGH);
	__m256i above = _mm256_srli_epi16(counters, 4);

	return _mm256_max_epu8(_mm256_shuffle_epi8(low,
				       _mm256_and_si256(counters, halves)),
		_mm256_shuffle_epi8(high, _mm256_and_si256(above, halves)));
}

/* Clears a vector that has nothing new; false: it has, and is left alone. */
X86_AVX2 static inline bool
avx2_clear_loaded(const struct scan_span *span, size_t at, __m256i vector)
{
	if (_mm256_testz_si256(vector, vector))
		return true;
	if (!_mm256_testc_si256(avx2_load(span->mask + at),
		    avx2_buckets(vector)))
		return false;
	_mm256_storeu_si256((void *)(span->counters + at),
		_mm256_setzero_si256());
	return true;
}

X86_AVX2 static inline bool
avx2_clear(const struct scan_span *span, size_t at)
{
	return avx2_clear_loaded(span, at, avx2_load(span->counters + at));
}

/*
 * Has each counter only bits that the mask has? Then the mask has its highest
 * one, too: nothing is new. That is less work than finding the highest ones.
 */
X86_AVX2 static inline bool
avx2_is_within(const uint8_t *mask, __m256i a, __m256i b, __m256i c, __m256i d)
{
	__m256i first = _mm256_or_si256(_mm256_andnot_si256(avx2_load(mask), a),
		_mm256_andnot_si256(avx2_load(mask + 32), b));
	__m256i last =
		_mm256_or_si256(_mm256_andnot_si256(avx2_load(mask + 64), c),
			_mm256_andnot_si256(avx2_load(mask + 96), d));
	__m256i fresh = _mm256_or_si256(first, last);

	return _mm256_testz_si256(fresh, fresh);
}

X86_AVX2 static inline void
avx2_zero(uint8_t *at)
{
	const __m256i zero = _mm256_setzero_si256();

	_mm256_storeu_si256((void *)at, zero);
	_mm256_storeu_si256((void *)(at + 32), zero);
	_mm256_storeu_si256((void *)(at + 64), zero);
	_mm256_storeu_si256((void *)(at + 96), zero);
}

/* Where a block has something new; or its end. Each byte is loaded once. */
X86_AVX2 static inline size_t
avx2_block(const struct scan_span *span, size_t at)
{
	const uint8_t *counters = span->counters + at;
	__m256i a = avx2_load(counters), b = avx2_load(counters + 32);
	__m256i c = avx2_load(counters + 64), d = avx2_load(counters + 96);
	__m256i all =
		_mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));

	if (_mm256_testz_si256(all, all))
		return at + AVX2_BLOCK;
	if (avx2_is_within(span->mask + at, a, b, c, d)) {
		avx2_zero(span->counters + at);
		return at + AVX2_BLOCK;
	}
	if (!avx2_clear_loaded(span, at, a))
		return at;
	if (!avx2_clear_loaded(span, at + 32, b))
		return at + 32;
	if (!avx2_clear_loaded(span, at + 64, c))
		return at + 64;
	return avx2_clear_loaded(span, at + 96, d) ? at + AVX2_BLOCK : at + 96;
}

X86_AVX2 static size_t
avx2_skip(const struct scan_span *span, size_t at)
{
	const size_t n = span->n;

	while (n - at >= AVX2_BLOCK) {
		const size_t end = at + AVX2_BLOCK;

		at = avx2_block(span, at);
		if (at < end)
			return at;
	}
	while (n - at >= AVX2_VECTOR && avx2_clear(span, at))
		at += AVX2_VECTOR;
	if (n - at < AVX2_VECTOR && n >= AVX2_VECTOR &&
		avx2_clear(span, n - AVX2_VECTOR))
		at = n;
	return at;
}

#define AVX512_VECTOR ((size_t)64)
#define AVX512_BLOCK (4 * AVX512_VECTOR)

X86_AVX512 static inline __m512i
avx512_load(const uint8_t *at)
{
	return _mm512_loadu_si512((const void *)at);
}

X86_AVX512 static inline __m512i
avx512_buckets(__m512i counters)
{
	const __m512i halves = _mm512_set1_epi8(X86_HALVES);
	const __m512i low = _mm512_broadcast_i32x4(_mm_setr_epi8(X86_LOW));
	const __m512i high = _mm512_broadcast_i32x4(_mm_setr_epi8(X86_HIGH));
	__m512i above = _mm512_srli_epi16(counters, 4);

	return _mm512_max_epu8(_mm512_shuffle_epi8(low,
				       _mm512_and_si512(counters, halves)),
		_mm512_shuffle_epi8(high, _mm512_and_si512(above, halves)));
}

/* As avx2_clear_loaded(). */
X86_AVX512 static inline bool
avx512_clear_loaded(const struct scan_span *span, size_t at, __m512i vector)
{
	__m512i fresh;

	if (_mm512_test_epi8_mask(vector, vector) == 0)
		return true;
	fresh = _mm512_andnot_si512(avx512_load(span->mask + at),
		avx512_buckets(vector));
	if (_mm512_test_epi8_mask(fresh, fresh) != 0)
		return false;
	_mm512_storeu_si512((void *)(span->counters + at),
		_mm512_setzero_si512());
	return true;
}

X86_AVX512 static inline bool
avx512_clear(const struct scan_span *span, size_t at)
{
	return avx512_clear_loaded(span, at, avx512_load(span->counters + at));
}

/* As avx2_is_within(). */
X86_AVX512 static inline bool
avx512_is_within(const uint8_t *mask, __m512i a, __m512i b, __m512i c,
	__m512i d)
{
	__m512i first =
		_mm512_or_si512(_mm512_andnot_si512(avx512_load(mask), a),
			_mm512_andnot_si512(avx512_load(mask + 64), b));
	__m512i last =
		_mm512_or_si512(_mm512_andnot_si512(avx512_load(mask + 128), c),
			_mm512_andnot_si512(avx512_load(mask + 192), d));
	__m512i fresh = _mm512_or_si512(first, last);

	return _mm512_test_epi8_mask(fresh, fresh) == 0;
}

X86_AVX512 static inline void
avx512_zero(uint8_t *at)
{
	const __m512i zero = _mm512_setzero_si512();

	_mm512_storeu_si512((void *)at, zero);
	_mm512_storeu_si512((void *)(at + 64), zero);
	_mm512_storeu_si512((void *)(at + 128), zero);
	_mm512_storeu_si512((void *)(at + 192), zero);
}

/* As avx2_block(). */
X86_AVX512 static inline size_t
avx512_block(const struct scan_span *span, size_t at)
{
	const uint8_t *counters = span->counters + at;
	__m512i a = avx512_load(counters), b = avx512_load(counters + 64);
	__m512i c = avx512_load(counters + 128);
	__m512i d = avx512_load(counters + 192);
	__m512i all =
		_mm512_or_si512(_mm512_or_si512(a, b), _mm512_or_si512(c, d));

	if (_mm512_test_epi8_mask(all, all) == 0)
		return at + AVX512_BLOCK;
	if (avx512_is_within(span->mask + at, a, b, c, d)) {
		avx512_zero(span->counters + at);
		return at + AVX512_BLOCK;
	}
	if (!avx512_clear_loaded(span, at, a))
		return at;
	if (!avx512_clear_loaded(span, at + 64, b))
		return at + 64;
	if (!avx512_clear_loaded(span, at + 128, c))
		return at + 128;
	return avx512_clear_loaded(span, at + 192, d) ? at + AVX512_BLOCK
						      : at + 192;
}

X86_AVX512 static size_t
avx512_skip(const struct scan_span *span, size_t at)
{
	const size_t n = span->n;

	while (n - at >= AVX512_BLOCK) {
		const size_t end = at + AVX512_BLOCK;

		at = avx512_block(span, at);
		if (at < end)
			return at;
	}
	while (n - at >= AVX512_VECTOR && avx512_clear(span, at))
		at += AVX512_VECTOR;
	/* Single lanes would be slow before a page without access. */
	return n - at < AVX512_VECTOR ? avx2_skip(span, at) : at;
}

/* The registers that survive a change of process. */
static uint64_t
x86_saved(void)
{
	uint32_t low, high, a, b, c, d;

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE))
		return 0;
	__asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return (uint64_t)high << 32 | low;
}

static bool
x86_has(enum scan_way way)
{
	uint64_t saved = x86_saved();
	uint32_t a, b, c, d;

	if (!__get_cpuid_count(7, 0, &a, &b, &c, &d))
		return false;
	if ((saved & X86_SAVES_YMM) != X86_SAVES_YMM || !(b & bit_AVX2))
		return false;
	if (way == SCAN_AVX2)
		return true;
	/* Those without VBMI slow down where such vectors are in use. */
	return (saved & X86_SAVES_ZMM) == X86_SAVES_ZMM && (b & bit_AVX512F) &&
		(b & bit_AVX512BW) && (c & bit_AVX512VBMI);
}

scan_skip *
scan_skip_x86(enum scan_way way)
{
	if (!x86_has(way))
		return NULL;
	return way == SCAN_AVX512 ? avx512_skip : avx2_skip;
}

#endif

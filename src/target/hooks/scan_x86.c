/*
 * scan_x86: the variants for AVX2 and AVX-512, see scan_skip.h.
 *
 * The bucket of a counter is its highest bit. It is looked up by half bytes in
 * two tables of 16 bytes, for all counters of a vector at once. The processor
 * is queried by hand, because the compiler's function for that is in a library
 * that not every program is linked with.
 */

#include "target/hooks/scan_skip.h"

#if !defined(__x86_64__)

scan_skip *
scan_skip_x86(enum scan_way way)
{
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

#define X86_HALVES 15 /* mask of half a byte */
#define X86_LOW 0, 1, 2, 2, 4, 4, 4, 4, 8, 8, 8, 8, 8, 8, 8, 8
#define X86_HIGH \
	0, 16, 32, 32, 64, 64, 64, 64, -128, -128, -128, -128, -128, -128, \
		-128, -128

#define AVX2_VECTOR ((size_t)32)
#define AVX2_BLOCK (8 * AVX2_VECTOR)

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

#define WAY(name) avx2_##name
#define WAY_TARGET X86_AVX2
#define WAY_VECTOR __m256i
#define WAY_LEN AVX2_VECTOR
#define WAY_BLOCK AVX2_BLOCK
#define WAY_OR(a, b) _mm256_or_si256(a, b)
#define WAY_WITHOUT(a, b) _mm256_andnot_si256(b, a)
#define WAY_IS_ZERO(a) _mm256_testz_si256(a, a)
#define WAY_ZERO(at) _mm256_storeu_si256((void *)(at), _mm256_setzero_si256())
#include "target/hooks/scan_way.inc"

X86_AVX2 static size_t
avx2_skip(const struct scan_span *span, size_t at)
{
	const size_t n = span->n;

	at = avx2_blocks(span, at);
	if (at < n && n - at < AVX2_VECTOR && n >= AVX2_VECTOR)
		at = avx2_vectors(span, n - AVX2_VECTOR);
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

#define WAY(name) avx512_##name
#define WAY_TARGET X86_AVX512
#define WAY_VECTOR __m512i
#define WAY_LEN AVX512_VECTOR
#define WAY_BLOCK AVX512_BLOCK
#define WAY_OR(a, b) _mm512_or_si512(a, b)
#define WAY_WITHOUT(a, b) _mm512_andnot_si512(b, a)
#define WAY_IS_ZERO(a) (_mm512_test_epi8_mask(a, a) == 0)
#define WAY_ZERO(at) _mm512_storeu_si512((void *)(at), _mm512_setzero_si512())
#include "target/hooks/scan_way.inc"

X86_AVX512 static size_t
avx512_skip(const struct scan_span *span, size_t at)
{
	at = avx512_blocks(span, at);
	/* A masked load is slow in front of an inaccessible page. */
	return span->n - at < AVX512_VECTOR ? avx2_skip(span, at) : at;
}

/* The registers that the operating system saves; see XCR0. */
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
	/* Processors without VBMI clock down when they use such vectors. */
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

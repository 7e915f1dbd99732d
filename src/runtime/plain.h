/*
 * A few things that libc has too, but that a program may define itself: if the runtime called the
 * program's own strlen(), which is instrumented, it would record itself.
 */
#ifndef HENCE_RUNTIME_PLAIN_H
#define HENCE_RUNTIME_PLAIN_H

#include <emmintrin.h>
#include <stdbool.h>
#include <stdint.h>

/* Length of a string. Reads whole aligned blocks of 16 bytes, which never cross a page. */
static inline uint64_t plain_length(const char *s)
{
	const __m128i zero = _mm_setzero_si128();
	const __m128i *block = (const __m128i *)((uintptr_t)s & ~(uintptr_t)15);
	uint32_t skip = (uint32_t)((uintptr_t)s & 15);
	uint32_t zeros = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(*block, zero)) >> skip;

	if (zeros)
		return (uint64_t)__builtin_ctz(zeros);
	for (;;) {
		block++;
		zeros = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(*block, zero));
		if (zeros)
			return (uint64_t)((const char *)block - s) + (uint64_t)__builtin_ctz(zeros);
	}
}

/* The same, but no more than `most`; reads no byte behind those. */
static inline uint64_t plain_length_to(const char *s, uint64_t most)
{
	uint64_t n = 0;

	while (n < most && s[n])
		n++;
	return n;
}

static inline uint64_t plain_wide_length(const uint32_t *s)
{
	uint64_t n = 0;

	while (s[n])
		n++;
	return n;
}

static inline bool plain_equal(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

static inline void plain_copy(void *to, const void *from, uint64_t size)
{
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
}

#endif

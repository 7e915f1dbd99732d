/*
 * What the compiler may call by itself. In the linked runtime, memcpy and the like are renamed to
 * these (Makefile, RT_OWN): a program may define its own memcpy(), and if the runtime called that,
 * which is instrumented, it would record itself.
 */
#include <stddef.h>
#include <stdint.h>

#include "runtime/plain.h"

void *hence_rt_memcpy(void *to, const void *from, size_t size);
void *hence_rt_memset(void *to, int value, size_t size);
int hence_rt_memcmp(const void *a, const void *b, size_t size);
size_t hence_rt_strlen(const char *s);
int hence_rt_strcmp(const char *a, const char *b);
int hence_rt_strncmp(const char *a, const char *b, size_t most);

typedef uint64_t __attribute__((aligned(1), may_alias)) any64;
typedef uint32_t __attribute__((aligned(1), may_alias)) any32;

/* From 16 to 128 bytes: 16 at a time, the last 16 again. */
static void copy_blocks(uint8_t *to, const uint8_t *from, size_t size)
{
	__m128i last = _mm_loadu_si128((const __m128i *)(from + size - 16));

	for (size_t i = 0; i + 16 < size; i += 16)
		_mm_storeu_si128((__m128i *)(to + i), _mm_loadu_si128((const __m128i *)(from + i)));
	_mm_storeu_si128((__m128i *)(to + size - 16), last);
}

/* Records are short: moves that may overlap, else whatever the processor does best. */
void *hence_rt_memcpy(void *to, const void *from, size_t size)
{
	uint8_t *t = to;
	const uint8_t *f = from;

	if (size >= 16 && size <= 128) {
		copy_blocks(t, f, size);
	} else if (size >= 8 && size < 16) {
		uint64_t first = *(const any64 *)f, last = *(const any64 *)(f + size - 8);

		*(any64 *)t = first;
		*(any64 *)(t + size - 8) = last;
	} else if (size >= 4 && size < 8) {
		uint32_t first = *(const any32 *)f, last = *(const any32 *)(f + size - 4);

		*(any32 *)t = first;
		*(any32 *)(t + size - 4) = last;
	} else {
		plain_copy(to, from, size);
	}
	return to;
}

void *hence_rt_memset(void *to, int value, size_t size)
{
	void *at = to;

	__asm__ volatile("rep stosb" : "+D"(at), "+c"(size) : "a"(value) : "memory");
	return to;
}

int hence_rt_memcmp(const void *a, const void *b, size_t size)
{
	const uint8_t *x = a, *y = b;

	for (; size; size--, x++, y++)
		if (*x != *y)
			return *x - *y;
	return 0;
}

size_t hence_rt_strlen(const char *s)
{
	return plain_length(s);
}

int hence_rt_strncmp(const char *a, const char *b, size_t most)
{
	for (; most; most--, a++, b++)
		if (*a != *b || !*a)
			return (uint8_t)*a - (uint8_t)*b;
	return 0;
}

int hence_rt_strcmp(const char *a, const char *b)
{
	return hence_rt_strncmp(a, b, SIZE_MAX);
}

/* Compiler builtins: overflow, bits, bytes, expect, memory, constants, offsets, unreachable code
 * that is not met. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void overflow(void)
{
	int i = 0;
	unsigned u = 0;
	long long l = 0;
	signed char c = 0;

	for (int k = 1; k < 5; k++) {
		int a = 1000000000 * (k % 3), b = k % 3 * 700000000;

		printf("%d:", k);
		printf("%d ", __builtin_add_overflow(a, b, &i));
		printf("%d ", i);
		printf("%d ", __builtin_sub_overflow((unsigned)k, 3u, &u));
		printf("%u ", u);
		printf("%d ", __builtin_mul_overflow(1LL << (k * 14), 1LL << 20, &l));
		printf("%lld ", l);
		printf("%d ", __builtin_add_overflow(k * 40, 0, &c));
		printf("%d\n", c);
	}
}

static void bits(void)
{
	static const unsigned long long v[] = {1, 0x80, 0xf0f0, 0x8000000000000000ULL,
	                                       0xffffffffffffffffULL};

	for (int i = 0; i < 5; i++) {
		unsigned x = (unsigned)v[i] | 1;

		printf("%d %d %d %d %d ", __builtin_popcountll(v[i]), __builtin_clzll(v[i]),
		       __builtin_ctzll(v[i]), __builtin_ffsll((long long)v[i]),
		       __builtin_parityll(v[i]));
		printf("%d %d %x %llx %x\n", __builtin_clz(x), __builtin_popcount(x),
		       __builtin_bswap32(x), (unsigned long long)__builtin_bswap64(v[i]),
		       __builtin_bswap16((uint16_t)x));
	}
	printf("%d %d\n", __builtin_abs(-5), __builtin_clrsb(-1));
}

struct large {
	int v[200];
	char text[37];
};

static struct large spare;

static void memory(void)
{
	struct large a, b;
	char buffer[64];

	memset(&a, 0, sizeof(a));
	for (int i = 0; i < 200; i++)
		a.v[i] = i * 3;
	b = a;
	spare = b;
	__builtin_memcpy(buffer, "0123456789abcdef", 17);
	__builtin_memmove(buffer + 4, buffer, 12);
	__builtin_memset(buffer + 20, 'z', 4);
	buffer[24] = 0;
	printf("%d %d %s %s\n", spare.v[199], memcmp(&a, &spare, sizeof(a)), buffer, buffer + 20);
	printf("%zu %d %d\n", __builtin_strlen(buffer), __builtin_strcmp("a", "b") < 0,
	       __builtin_object_size(buffer, 0) == 64);
	memmove(a.v + 1, a.v, 199 * sizeof(int));
	memmove(a.v, a.v + 10, 100 * sizeof(int));
	printf("%d %d %d\n", a.v[0], a.v[1], a.v[199]);
}

static int likely(int v)
{
	if (__builtin_expect(v > 10, 0))
		return 1;
	if (__builtin_expect_with_probability(v == 5, 1, 0.9))
		return 2;
	switch (v & 3) {
	case 0: return 10;
	case 1: return 11;
	case 2: return 12;
	case 3: return 13;
	}
	__builtin_unreachable();
}

static int constant(int v)
{
	return __builtin_choose_expr(sizeof(long) == 8, v * 2, "no") + __builtin_constant_p(5) +
	       __builtin_types_compatible_p(int, signed);
}

int main(void)
{
	overflow();
	bits();
	memory();
	for (int i = 0; i < 14; i++)
		printf("%d ", likely(i));
	printf("%d %zu\n", constant(4), offsetof(struct large, text));
	__builtin_prefetch(&spare);
	printf("%d %d %g\n", __builtin_isnan(0.0), __builtin_signbit(-1.0) != 0,
	       __builtin_fabs(-2.5));
	printf("%d\n", *(int *)__builtin_assume_aligned(&spare.v[4], 4));
	return 0;
}

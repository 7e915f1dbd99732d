/* Inline assembly: outputs, inputs, in/out, memory operands, clobbers, flags, early clobbers,
 * loops. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint32_t swap_bytes(uint32_t x)
{
	__asm__("bswap %0" : "+r"(x));
	return x;
}

static uint64_t multiply(uint64_t a, uint64_t b, uint64_t *high)
{
	uint64_t low;

	__asm__("mulq %3" : "=a"(low), "=d"(*high) : "a"(a), "rm"(b) : "cc");
	return low;
}

static int divide(int a, int b, int *rest)
{
	int q;

	__asm__("cltd\n\tidivl %3" : "=&a"(q), "=&d"(*rest) : "0"(a), "r"(b) : "cc");
	return q;
}

static void copy(void *to, const void *from, size_t n)
{
	__asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}

static void store_through(int *p, int v)
{
	__asm__ volatile("movl %1, %0\n\taddl $5, %0" : "=m"(*p) : "r"(v) : "cc");
}

static void bump(int *p)
{
	__asm__ volatile("incl %0" : "+m"(*p) : : "cc");
}

static void hidden_store(int *p, int v)
{
	__asm__ volatile("movl %1, (%0)" : : "r"(p), "r"(v) : "memory");
}

static int is_above(unsigned a, unsigned b)
{
	unsigned char r;

	__asm__("cmpl %2, %1\n\tseta %0" : "=q"(r) : "r"(a), "r"(b) : "cc");
	return r;
}

static int carry(uint64_t a, uint64_t b)
{
	int c;

	__asm__("addq %2, %1" : "=@ccc"(c), "+r"(a) : "r"(b));
	return c;
}

static int first_bit(uint64_t v)
{
	uint64_t at = 99;

	__asm__("bsfq %1, %0" : "+r"(at) : "r"(v) : "cc");
	return (int)at;
}

static unsigned sum_loop(const unsigned *v, long n)
{
	unsigned sum = 0;

	__asm__ volatile("1:\n\taddl -4(%1,%2,4), %0\n\tdecq %2\n\tjnz 1b"
	                 : "+r"(sum), "+r"(v), "+r"(n)
	                 :
	                 : "cc", "memory");
	return sum;
}

static double root(double x)
{
	double r;

	__asm__("sqrtsd %1, %0" : "=x"(r) : "x"(x));
	return r;
}

static int named(int a, int b)
{
	int r;

	__asm__("leal (%[a],%[b],2), %[r]" : [r] "=r"(r) : [a] "r"(a), [b] "r"(b));
	return r;
}

static int many_outputs(int x)
{
	int a, b, c, d;

	__asm__("movl %4, %0\n\tleal 1(%4), %1\n\tleal 2(%4), %2\n\tleal 3(%4), %3"
	        : "=&r"(a), "=&r"(b), "=&r"(c), "=&r"(d)
	        : "r"(x));
	return a * 1000 + b * 100 + c * 10 + d;
}

struct wide {
	int a, b, c, d;
};

static struct wide fill_struct(int v)
{
	struct wide w = {0};

	__asm__ volatile("movl %1, %0" : "=m"(w) : "r"(v));
	__asm__ volatile("movl %1, %0" : "=m"(w.c) : "i"(77));
	return w;
}

int main(void)
{
	static const unsigned v[] = {1, 20, 300, 4000, 50000};
	uint64_t high, low = multiply(0xffffffffffffULL, 0x123456789abcULL, &high);
	int rest, n = 3, quotient = divide(-100, 7, &rest);
	char text[16];

	printf("%x\n", swap_bytes(0x01020304));
	printf("%llx %llx\n", (unsigned long long)high, (unsigned long long)low);
	printf("%d %d\n", quotient, rest);
	copy(text, "copied by rep", 14);
	printf("%s\n", text);
	store_through(&n, 10);
	bump(&n);
	printf("%d ", n);
	hidden_store(&n, 99);
	printf("%d\n", n);
	printf("%d %d %d %d\n", is_above(1, 2), is_above(2, 1), carry(~0ULL, 1), carry(1, 1));
	printf("%d %d\n", first_bit(1ULL << 37), first_bit(6));
	printf("%u %g %d %d\n", sum_loop(v, 5), root(2.25), named(3, 4), many_outputs(1));
	printf("%d %d\n", fill_struct(5).a, fill_struct(5).c);
	__asm__ volatile("" : : : "memory");
	__asm__ volatile("nop");
	return 0;
}

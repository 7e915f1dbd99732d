/* Bit-fields: signed, unsigned, crossing units, zero width, volatile, _Bool, enums, in unions,
 * packed. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum level { LOW, MID, HIGH };

struct flags {
	unsigned a : 1;
	unsigned b : 3;
	int c : 4;
	int : 0;
	unsigned d : 17;
	signed int e : 15;
	bool f : 1;
	enum level g : 2;
};

struct wide {
	uint64_t low : 33;
	int64_t high : 31;
	uint64_t all : 64;
};

struct __attribute__((packed)) tight {
	unsigned a : 5;
	unsigned b : 13;
	unsigned c : 22;
	unsigned char d;
	unsigned e : 7;
};

union view {
	struct {
		unsigned mantissa : 23;
		unsigned exponent : 8;
		unsigned sign : 1;
	} part;
	float value;
	uint32_t bits;
};

struct device {
	volatile unsigned ready : 1;
	volatile unsigned mode : 3;
	volatile int level : 6;
};

static struct flags global = {
	.a = 1, .b = 5, .c = -3, .d = 70000, .e = -9999, .f = true, .g = HIGH};

static unsigned checksum(const void *data, size_t size)
{
	const unsigned char *p = data;
	unsigned sum = 1;

	while (size--)
		sum = sum * 31 + *p++;
	return sum;
}

static void show(const struct flags *f)
{
	printf("%u %u %d %u %d %d %d\n", f->a, f->b, f->c, f->d, f->e, f->f, (int)f->g);
}

static struct flags arithmetic(struct flags f)
{
	f.a ^= 1;
	f.b += 6;
	f.c = (f.c + 5) & 7;
	f.d <<= 2;
	f.e /= 7;
	f.f = !f.f;
	f.b--;
	++f.d;
	f.e |= 1;
	return f;
}

static void wide_fields(void)
{
	struct wide w;

	memset(&w, 0, sizeof(w));
	w.low = 0x1ffffffffULL;
	w.high = -5;
	w.all = ~0ULL / 3;
	w.low -= 7;
	w.high *= 1000;
	printf("%llu %lld %llu %u\n", (unsigned long long)w.low, (long long)w.high,
	       (unsigned long long)w.all, checksum(&w, sizeof(w)));
}

static void tight_fields(void)
{
	struct tight t[3];

	memset(t, 0, sizeof(t));
	for (unsigned i = 0; i < 3; i++) {
		t[i].a = i * 11;
		t[i].b = i * 3001;
		t[i].c = i * 1999999;
		t[i].d = (unsigned char)(i * 100);
		t[i].e = 127 - i;
	}
	printf("%zu %u %u %u %u\n", sizeof(t[0]), t[2].a, t[2].b, t[2].c, checksum(t, sizeof(t)));
}

static void float_parts(void)
{
	static const float values[] = {1.0f, -0.15625f, 3.4e38f, 1e-40f, 0.0f};
	union view v;

	for (int i = 0; i < 5; i++) {
		v.value = values[i];
		printf("%u/%u/%u ", v.part.sign, v.part.exponent, v.part.mantissa);
	}
	v.part.sign = 1;
	v.part.exponent = 128;
	v.part.mantissa = 1u << 22;
	printf("%g %#x\n", (double)v.value, v.bits);
}

int main(void)
{
	struct flags f = global, g;
	struct device dev = {0};
	int polls = 0;

	show(&f);
	for (int i = 0; i < 4; i++)
		f = arithmetic(f);
	show(&f);
	g = f;
	g.c = 7;
	global.g = LOW;
	show(&g);
	show(&global);
	wide_fields();
	tight_fields();
	float_parts();
	for (dev.mode = 0; !dev.ready; polls++) {
		dev.mode++;
		dev.level -= 3;
		if (dev.level < -20)
			dev.ready = 1;
	}
	printf("%d %u %d\n", polls, dev.mode, dev.level);
	return (int)f.b;
}

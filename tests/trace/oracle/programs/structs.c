/* Structures, unions and bit-fields: copies of them, and writes to parts of what is read whole. */
#include <stdio.h>
#include <string.h>

struct inner {
	char tag;
	short half;
	int whole;
};

struct outer {
	struct inner in[3];
	long sum;
	char name[9];
};

union word {
	unsigned u;
	unsigned char b[4];
	struct {
		unsigned short low, high;
	} s;
};

struct bits {
	unsigned a : 3, b : 7, c : 22;
	signed d : 5;
	unsigned long long e : 41;
	_Bool f : 1;
};

struct __attribute__((packed)) packed {
	char c;
	int i;
	long long l : 27;
};

static struct outer table[2] = {{.sum = 5, .name = "first"}};
static union word words[4];
static struct bits flags;

static void fill(struct outer *o, int seed)
{
	for (int i = 0; i < 3; i++) {
		o->in[i].tag = (char)(seed + i);
		o->in[i].half = (short)(seed * i);
		o->in[i].whole = o->in[i].tag + o->in[i].half;
		o->sum += o->in[i].whole;
	}
}

static unsigned mix(int n)
{
	union word w;

	w.u = 0x01020304u * (unsigned)n;
	w.b[1] ^= 0x55;
	w.s.high += w.s.low;
	words[n & 3] = w;
	w.b[n & 3] = (unsigned char)words[(n + 1) & 3].s.low;
	return w.u;
}

static int pack(int n)
{
	struct packed p[2];

	memset(p, 0, sizeof(p));
	p[0].c = (char)n;
	p[0].i = n * 1000;
	p[0].l = -n;
	p[1] = p[0];
	p[1].c++;
	return (int)(p[0].i + p[1].c + p[1].l);
}

int main(void)
{
	struct outer copy, *p = &table[1];
	struct bits b;
	long check = 0;

	fill(&table[0], 3);
	*p = table[0];
	fill(p, 4);
	copy = *p;
	memmove(&copy.in[0], &copy.in[1], 2 * sizeof(copy.in[0]));
	for (int i = 0; i < 3; i++)
		check += copy.in[i].whole * (i + 1) + copy.in[i].half;
	for (int i = 0; i < 6; i++)
		check += mix(i) & 0xffff;
	memset(&b, 0, sizeof(b));
	for (int i = 0; i < 5; i++) {
		b.a += 3;
		b.b = b.b * 5 + b.a;
		b.c ^= b.b;
		b.d--;
		b.e += (unsigned long long)b.c << 13;
		b.f = !b.f;
		flags = b;
		flags.a = (unsigned)i;
		check += flags.a + flags.c + flags.d + (long)flags.e + flags.f;
	}
	check += pack((int)(check & 63));
	printf("%ld %s %ld\n", check, copy.name, copy.sum);
	return 0;
}

/* Unions and type punning: bytes of numbers, tagged unions, anonymous members, casts of buffers,
 * memcpy. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

union word {
	uint64_t u;
	double d;
	uint32_t half[2];
	unsigned char byte[8];
	struct {
		uint16_t a, b;
		int32_t c;
	};
};

struct value {
	enum { NUMBER, TEXT, PAIR, NOTHING } kind;
	union {
		double number;
		const char *text;
		struct {
			const struct value *left, *right;
		};
	};
};

static void print_value(const struct value *v)
{
	switch (v->kind) {
	case NUMBER: printf("%g", v->number); break;
	case TEXT: printf("'%s'", v->text); break;
	case PAIR:
		printf("(");
		print_value(v->left);
		printf(" . ");
		print_value(v->right);
		printf(")");
		break;
	case NOTHING: printf("()");
	}
}

static uint32_t rotate(uint32_t x, int n)
{
	return x << n | x >> (32 - n);
}

static float inverse_root(float x)
{
	union {
		float f;
		int32_t i;
	} v = {x};

	v.i = 0x5f3759df - (v.i >> 1);
	return v.f * (1.5f - x * 0.5f * v.f * v.f);
}

static unsigned through_chars(void *p, size_t n)
{
	unsigned char *c = p;
	unsigned h = 2166136261u;

	while (n--)
		h = (h ^ *c++) * 16777619u;
	return h;
}

static int low_byte_first(void)
{
	return *(const char *)&(int){1};
}

int main(void)
{
	union word w = {.d = -1234.5678};
	struct value one = {NUMBER, .number = 1.5}, two = {TEXT, .text = "two"},
		     none = {NOTHING, {0}};
	struct value inner = {PAIR, .left = &two, .right = &none};
	struct value all = {PAIR, .left = &one, .right = &inner};
	_Alignas(8) unsigned char buffer[16] = {1, 2,  3,  4,  5,  6,  7,  8,
	                                        9, 10, 11, 12, 13, 14, 15, 16};
	double d = 0.1;
	uint64_t bits;

	printf("%016llx %08x %08x %02x\n", (unsigned long long)w.u, w.half[0], w.half[1],
	       w.byte[3]);
	w.a = 0xffff;
	w.c = -1;
	printf("%016llx\n", (unsigned long long)w.u);
	w.byte[7] = 0x40;
	w.byte[6] = 0x09;
	printf("%.17g\n", w.d);
	print_value(&all);
	printf("\n");
	memcpy(&bits, &d, sizeof(bits));
	bits += 1;
	memcpy(&d, &bits, sizeof(d));
	printf("%.20g\n", d);
	printf("%.6f\n", (double)inverse_root(4.0f));
	printf("%x\n", rotate(0x80000001u, 4));
	memcpy(&bits, buffer + 3, sizeof(bits));
	printf("%llx %u %d\n", (unsigned long long)bits, through_chars(&all.kind, sizeof(all.kind)),
	       low_byte_first());
	memset(buffer, 0x7f, 5);
	memcpy(&w, buffer, sizeof(w));
	printf("%llx\n", (unsigned long long)w.u);
	return sizeof(union word) == 8 ? 0 : 1;
}

/* Switches: dense, sparse, 64 bits, negative, char, ranges, default only, fall-through, nested,
 * empty. */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>

enum colour { RED = -2, GREEN = 5, BLUE = 1000 };

static int dense(int v)
{
	switch (v) {
	case 0: return 10;
	case 1: return 11;
	case 2: return 12;
	case 3: return 13;
	case 4: return 14;
	case 5: return 15;
	case 6: return 16;
	case 7: return 17;
	default: return -1;
	}
}

static int sparse(int v)
{
	int r = 1;

	switch (v) {
	case INT_MIN: r = 2; break;
	case -77: r = 3; break;
	case 0: r = 4; break;
	case 1000000: r = 5; break;
	case INT_MAX: r = 6; break;
	}
	return r;
}

static int wide(unsigned long long v)
{
	switch (v) {
	case 0x100000001ULL: return 1;
	case 0x200000001ULL: return 2;
	case 1: return 3;
	case ULLONG_MAX: return 4;
	case 1ULL << 63: return 5;
	case 0xdeadbeefcafeULL: return 6;
	}
	return 0;
}

static int letter(char c)
{
	switch (c) {
	case 'a' ... 'z': return 1;
	case 'A' ... 'Z': return 2;
	case '0' ... '9': return 3;
	case '\0': return 4;
	case -128 ... - 1: return 5;
	case ' ':
	case '\t':
	case '\n': return 6;
	default: return 0;
	}
}

static int fall(int v)
{
	int r = 0;

	switch (v) {
	case 9: r += 9; /* fallthrough */
	case 3:
	case 2: r += 2;    /* fallthrough */
	default: r += 100; /* fallthrough */
	case 1: r += 1; break;
	case 0: r = -1;
	}
	return r;
}

static int only_default(int v)
{
	switch (v) {
	default: v *= 2;
	}
	switch (v) {
	}
	switch (v++) {
	case 4: v += 1000;
	}
	return v;
}

static int nested(short a, unsigned char b)
{
	switch (a) {
	case -1:
		switch (b) {
		case 255: return 1;
		case 128: return 2;
		}
		break;
	case 1:
		for (int i = 0;; i++) {
			switch (i) {
			case 3: goto out;
			case 2: continue;
			default: break;
			}
			b++;
		}
	out:
		return b;
	}
	return 0;
}

static const char *colour(enum colour c)
{
	switch (c) {
	case RED: return "red";
	case GREEN: return "green";
	case BLUE: return "blue";
	}
	return "none";
}

static int truth(bool b)
{
	switch (b) {
	case true: return 7;
	case false: return 8;
	}
	return 9;
}

/* More than 256 cases, so an arm's number does not fit in a byte. */
#define R4(f, n)   f(n) f((n) + 1) f((n) + 2) f((n) + 3)
#define R16(f, n)  R4(f, n) R4(f, (n) + 4) R4(f, (n) + 8) R4(f, (n) + 12)
#define R64(f, n)  R16(f, n) R16(f, (n) + 16) R16(f, (n) + 32) R16(f, (n) + 48)
#define R320(f, n) R64(f, n) R64(f, (n) + 64) R64(f, (n) + 128) R64(f, (n) + 192) R64(f, (n) + 256)
#define ARM(n)                                                                                     \
	case (n)*7: return (n) * (n) % 1009;

static int many(int v)
{
	switch (v) {
		R320(ARM, 0)
	}
	return -5;
}

/* Duff's device: a loop that is entered in its middle. */
static void duff(char *to, const char *from, int count)
{
	int n = (count + 7) / 8;

	switch (count % 8) {
	case 0: do { *to++ = *from++;
		case 7: *to++ = *from++;
		case 6: *to++ = *from++;
		case 5: *to++ = *from++;
		case 4: *to++ = *from++;
		case 3: *to++ = *from++;
		case 2: *to++ = *from++;
		case 1: *to++ = *from++;
		} while (--n > 0);
	}
}

int main(void)
{
	static const int sparse_values[] = {INT_MIN, -77, -1, 0, 1, 999999, 1000000, INT_MAX};
	static const unsigned long long wides[] = {
		0,          1,          0x100000001ULL,   0x200000001ULL, 0x300000001ULL,
		ULLONG_MAX, 1ULL << 63, 0xdeadbeefcafeULL};
	char text[64] = "";
	long sum = 0;

	for (int i = -2; i < 10; i++)
		printf("%d ", dense(i));
	for (int i = 0; i < 8; i++)
		printf("%d/%d ", sparse(sparse_values[i]), wide(wides[i]));
	printf("\n");
	for (int c = -130; c < 130; c += 5)
		printf("%d", letter((char)c));
	printf("\n");
	for (int i = -1; i < 11; i++)
		printf("%d ", fall(i));
	printf("\n%d %d\n", only_default(2), only_default(3));
	printf("%d %d %d %d\n", nested(-1, 255), nested(-1, 128), nested(-1, 3), nested(1, 250));
	printf("%s %s %s %s\n", colour(RED), colour(GREEN), colour(BLUE), colour((enum colour)7));
	printf("%d %d\n", truth(sum == 0), truth(sum == 1));
	for (int i = -7; i < 320 * 7 + 7; i++)
		sum = (sum * 31 + many(i)) % 1000003;
	printf("many %ld\n", sum);
	for (int n = 1; n < 27; n += 4) {
		duff(text, "abcdefghijklmnopqrstuvwxyz", n);
		text[n] = 0;
		printf("%s\n", text);
	}
	return dense(3);
}

/* Large initialised tables: constants, pointers into other tables, relocations, zeroed and partly
 * filled. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define E4(f, n)    f(n), f((n) + 1), f((n) + 2), f((n) + 3)
#define E16(f, n)   E4(f, n), E4(f, (n) + 4), E4(f, (n) + 8), E4(f, (n) + 12)
#define E64(f, n)   E16(f, n), E16(f, (n) + 16), E16(f, (n) + 32), E16(f, (n) + 48)
#define E256(f, n)  E64(f, n), E64(f, (n) + 64), E64(f, (n) + 128), E64(f, (n) + 192)
#define E1024(f, n) E256(f, n), E256(f, (n) + 256), E256(f, (n) + 512), E256(f, (n) + 768)

#define SQUARE(n) ((n) * (n) % 65521)
#define NAMED(n)                                                                                   \
	{                                                                                          \
#n, SQUARE(n), &squares[(n) % 1024]                                                \
	}
#define ADDRESS(n) &squares[((n)*7) % 1024]

static const int squares[1024] = {E1024(SQUARE, 0)};
static const int *const addresses[256] = {E256(ADDRESS, 0)};

struct named {
	const char *text;
	int value;
	const int *place;
};
static struct named names[64] = {E64(NAMED, 0)};

static char zeroed[100000];
static int partly[10000] = {[0] = 1, [17] = 2, [5000 ... 5009] = 3, [9999] = 4};
static const char *const words[] = {"alpha", "beta", "gamma", NULL};
static const char *const *const word_lists[] = {words, words + 1, words + 2};
static const char matrix[4][5] = {"abcd", "efgh", {'i', 'j'}, ""};
static const double doubles[] = {1.0 / 3, 2e10, -0.0, 1e-300};

static uint32_t crc_table[256];

static void fill_crc(void)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t c = i;

		for (int k = 0; k < 8; k++)
			c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
		crc_table[i] = c;
	}
}

static uint32_t crc(const void *data, size_t n)
{
	const unsigned char *p = data;
	uint32_t c = ~0u;

	while (n--)
		c = crc_table[(c ^ *p++) & 255] ^ c >> 8;
	return ~c;
}

int main(void)
{
	unsigned sum = 0;

	fill_crc();
	printf("%08x %08x %08x\n", crc(squares, sizeof(squares)), crc(partly, sizeof(partly)),
	       crc("123456789", 9));
	for (int i = 0; i < 256; i++)
		sum = sum * 31 + (unsigned)*addresses[i];
	for (int i = 0; i < 64; i++) {
		names[i].value -= *names[i].place;
		sum = sum * 31 + (unsigned)names[i].value + (unsigned)names[i].text[0];
	}
	printf("%u\n", sum);
	zeroed[99999] = 1;
	printf("%08x\n", crc(zeroed, sizeof(zeroed)));
	for (int i = 0; i < 3; i++)
		for (const char *const *w = word_lists[i]; *w; w++)
			printf("%s ", *w);
	printf("\n%s %s %s [%s]\n", matrix[0], matrix[1], matrix[2], matrix[3]);
	printf("%g %g %g %g\n", doubles[0], doubles[1], doubles[2], doubles[3]);
	return 0;
}

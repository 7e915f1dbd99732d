/* Loads and stores of every width, arrays of variable length, and parts of wide values. */
#include <alloca.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static volatile unsigned char port;
static const short steps[] = {1, -2, 3};
static __int128 wide = 1;
static long double precise = 0.5L;
static _Thread_local int mine = 3;

static double average(const float *a, int count)
{
	double sum = 0;

	for (int i = 0; i < count; i++)
		sum += a[i];
	return count ? sum / count : 0;
}

static int scratch(int n)
{
	int square[n][n], total = 0;
	char *more = alloca((size_t)n * 2);

	memset(more, n, (size_t)n * 2);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			square[i][j] = i * j + more[i + j];
	for (int i = 0; i < n; i++) {
		int row[i + 1];

		for (int j = 0; j <= i; j++)
			row[j] = square[i][j];
		total += row[i];
	}
	return total;
}

static uint64_t join(uint32_t high, uint32_t low)
{
	uint64_t value;
	uint32_t parts[2] = {low, high};

	memcpy(&value, parts, sizeof(value));
	((uint8_t *)&value)[3] = 0xee;
	return value;
}

int main(void)
{
	float f[4] = {1, 2.5f, -3, 8};
	bool any = false;
	unsigned long long bits = 0;
	short s = 0;
	signed char c = -7;

	for (int i = 0; i < 3; i++) {
		port = (unsigned char)(port + steps[i]);
		s = (short)(s * 2 + steps[i] + c);
		c = (signed char)(c * 5);
		any = any || steps[i] < 0;
		bits = bits << 7 ^ port;
		wide = wide * -1000003 + i;
		precise = precise * 1.5L + any;
		mine += s;
	}
	f[2] = (float)average(f, 4);
	bits += join(7, (uint32_t)bits);
	bits ^= (unsigned long long)(wide >> 32);
	printf("%d %d %d %d %llx %g %d %d\n", port, s, c, any, bits, f[2] + (double)precise, mine,
	       scratch(4) + scratch(3));
	return 0;
}

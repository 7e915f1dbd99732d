/* Loops: while, do, for, goto forwards and backwards, break and continue at several depths. */
#include <stdio.h>

static unsigned collatz(unsigned long long n)
{
	unsigned steps = 0;

	while (n != 1) {
		n = n % 2 ? 3 * n + 1 : n / 2;
		steps++;
	}
	return steps;
}

static int digits(int n)
{
	int count = 0;

	do {
		count++;
		n /= 10;
	} while (n);
	return count;
}

static int skips(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++) {
		if (i % 3 == 0)
			continue;
		for (int j = 0;; j++) {
			if (j > i)
				break;
			if (j % 2)
				continue;
			sum += i * j;
			if (sum % 1000 == 999)
				goto out;
		}
	}
out:
	return sum;
}

static int goto_loop(int n)
{
	int i = 0, sum = 0;

again:
	if (i >= n)
		goto done;
	sum += i++ * 3;
	if (sum % 5 == 4)
		goto skip;
	sum ^= 1;
skip:
	goto again;
done:
	return sum;
}

static int into_loop(int n)
{
	int sum = 100;

	goto middle;
	while (n > 0) {
		sum += n;
	middle:
		sum *= 2;
		sum %= 7919;
		n--;
	}
	return sum;
}

static int sieve(void)
{
	static char composite[2000];
	int primes = 0;

	for (int i = 2; i < 2000; i++) {
		if (composite[i])
			continue;
		primes++;
		for (int j = i * 2; j < 2000; j += i)
			composite[j] = 1;
	}
	return primes;
}

static unsigned gcd(unsigned a, unsigned b)
{
	for (; b; a ^= b, b ^= a, a ^= b)
		a %= b;
	return a;
}

static int never(int n)
{
	int r = 1;

	while (n < 0)
		r = 2;
	for (; n < 0;)
		r = 3;
	do
		r += 4;
	while (0);
	for (int i = 0, j = 10; i < j; i++, j--)
		r += j - i;
	return r;
}

static int do_continue(int n)
{
	int i = 0, r = 0;

	do {
		if (i & 1)
			continue;
		r += i;
		if (r > 50)
			break;
	} while (++i < n);
	return r * 100 + i;
}

int main(void)
{
	unsigned steps = 0;

	for (unsigned i = 1; i < 50; i++)
		steps += collatz(i);
	printf("collatz %u %u\n", steps, collatz(837799));
	printf("digits %d %d %d %d\n", digits(0), digits(9), digits(10), digits(-12345));
	printf("skips %d %d %d\n", skips(0), skips(5), skips(40));
	printf("goto %d into %d\n", goto_loop(30), into_loop(9));
	printf("sieve %d gcd %u\n", sieve(), gcd(1071, 462));
	printf("never %d do %d %d\n", never(3), do_continue(8), do_continue(100));
	return 0;
}

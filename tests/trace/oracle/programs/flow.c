/* Ways through a function: which branch controls what. */
#include <stdio.h>
#include <stdlib.h>

static int classify(int n)
{
	switch (n % 7) {
	case 0:
		n++;
		/* fall through */
	case 1: n += 2; break;
	case 2:
	case 3:
		if (n > 9)
			break;
		return n;
	case -5: return -1;
	case 5: goto odd;
	default: n--;
	}
	return n * 2;
odd:
	n *= 3;
	return n > 40 && n < 60 ? n : -n;
}

/* A loop with all the ways to leave it or go on. */
static int search(const int *a, int count, int what)
{
	int steps = 0;

	for (int i = 0; i < count; i++) {
		if (a[i] < 0)
			continue;
		if (a[i] == what || (a[i] > 30 && what > 30))
			return i;
		do {
			steps++;
			if (steps > 25)
				goto out;
		} while (steps % 4);
		while (steps & 1)
			steps += what;
	}
out:
	return -steps;
}

/* Jumps into a loop. */
static void copy(char *to, const char *from, int count)
{
	int n = (count + 3) / 4;

	switch (count % 4) {
	case 0: do { *to++ = *from++;
		case 3: *to++ = *from++;
		case 2: *to++ = *from++;
		case 1: *to++ = *from++;
		} while (--n > 0);
	}
}

/* Two ways into a loop. */
static int irreducible(int n)
{
	int sum = 0;

	if (n & 1)
		goto second;
first:
	sum += n;
	n--;
second:
	sum *= 2;
	if (n > 0)
		goto first;
	return sum;
}

static int computed(int n)
{
	static void *const ways[] = {&&up, &&down, &&out};
	int state = 0;

up:
	n++;
	state++;
	goto *ways[n % 3];
down:
	n -= 1 + state;
	if (n < 0)
		goto out;
	goto *ways[(n + 1) % 3];
out:
	return n;
}

static int must(int x)
{
	if (x == 1000)
		abort();
	if (x < 0) {
		if (x < -1000)
			puts("too small");
		exit(2);
	}
	return x + 1;
}

/* Never returns. */
static void serve(int *left)
{
	for (;;) {
		if (*left % 5 == 0) {
			--*left;
			continue;
		}
		if (*left & 1)
			*left -= 2;
		else
			--*left;
		if (*left <= 0)
			exit(must(6) == 7 ? 0 : 1);
	}
}

int main(void)
{
	int numbers[] = {3, -1, 14, 15, 92, 65, 35}, sum = 0, left = 23;
	char text[12];

	for (int i = -6; i < 20; i += 2)
		sum += classify(i) + irreducible(i & 7) + must(i + 6);
	for (int what = 14; what < 50; what += 9)
		sum = sum * 2 + search(numbers, 7, what);
	copy(text, "abcdefghij", 11);
	for (int i = 0; text[i]; i++)
		sum += i % 2 ? text[i] : i > 4 || text[i] == 'c';
	sum += computed(4) + computed(9);
	printf("%d\n", sum);
	if (sum)
		serve(&left);
	return 0;
}

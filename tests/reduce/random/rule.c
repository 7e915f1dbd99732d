/*
 * A program whose failure follows a rule that is drawn from a number: some of these must hold for its input, and some are not
 * monotone, so that a smaller input may pass where a larger and a still smaller one fail.
 *
 *	rule SEED             exit code 7: it fails; 3: it fails in another way; 0: it does not
 *	rule SEED minimal     0: the input fails, and does not without any one of its bytes
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned rolls;

static unsigned roll(unsigned sides)
{
	rolls = rolls * 1103515245u + 12345u;
	return (rolls >> 16) % sides;
}

static size_t count(const char *text, size_t size, char c)
{
	size_t found = 0;

	for (size_t i = 0; i < size; i++)
		found += text[i] == c;
	return found;
}

static bool has_order(const char *text, size_t size, const char *letters)
{
	for (size_t i = 0; i < size && *letters; i++)
		letters += text[i] == *letters;
	return !*letters;
}

/* One condition of a rule. */
static bool holds(unsigned kind, char a, char b, const char *text, size_t size)
{
	char order[] = {a, b, a, '\0'};

	switch (kind) {
	case 0: return count(text, size, a) >= 2;
	case 1: return count(text, size, a) % 2 == 1; /* not monotone */
	case 2: return has_order(text, size, order);
	case 3: return count(text, size, a) + count(text, size, b) >= 3;
	default: return memchr(text, a, size) || count(text, size, b) >= 4;
	}
}

static int judge(unsigned seed, const char *text, size_t size)
{
	bool all = true;
	unsigned conditions;

	rolls = seed * 2654435761u + 1;
	conditions = 1 + roll(3);
	for (unsigned i = 0; i < conditions; i++) {
		unsigned kind = roll(5);
		char a = (char)('a' + roll(5)), b = (char)('a' + roll(5));

		all &= holds(kind, a, b, text, size);
	}
	if (all)
		return 7;
	return size % 5 == 4 && memchr(text, '(', size) ? 3 : 0;
}

static bool is_minimal(unsigned seed, char *text, size_t size)
{
	static char less[1 << 16];

	if (judge(seed, text, size) != 7)
		return false;
	for (size_t i = 0; i < size; i++) {
		memcpy(less, text, i);
		memcpy(less + i, text + i + 1, size - i - 1);
		if (judge(seed, less, size - 1) == 7)
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	static char text[1 << 16];
	size_t size = fread(text, 1, sizeof(text), stdin);
	unsigned seed = (unsigned)atoi(argv[1]);

	if (argc > 2)
		return !is_minimal(seed, text, size);
	return judge(seed, text, size);
}

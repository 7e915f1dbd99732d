/* Exit code 0 when a password is strong enough: at least three kinds of characters; else 1. */
#include <string.h>

struct kinds {
	int small, capital, digit, other;
};

static void look_at(struct kinds *kinds, char c)
{
	if (c >= 'a' && c <= 'z')
		kinds->small = 1;
	else if (c >= 'A' && c <= 'Z')
		kinds->capital = 1;
	else if (c > '0' && c <= '9')
		kinds->digit = 1;
	else if (strchr("+-*/.,;:!?", c))
		kinds->other = 1;
}

static int score(const char *password)
{
	struct kinds kinds = {0};
	for (; *password; password++)
		look_at(&kinds, *password);
	return kinds.small + kinds.capital + kinds.digit + kinds.other;
}

int main(int argc, char *argv[])
{
	if (argc != 2)
		return 2;
	int points = score(argv[1]);
	int weak = points < 3;
	return weak;
}

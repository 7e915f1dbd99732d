/* The other half: the strong definitions, and names that clash with static ones. */
#include "symbols.h"

int shared_common;

/* Same name as in the other file. */
static int helper(int x)
{
	return x * 100;
}

int replaced(int x)
{
	return x * 2;
}

int renamed(int x) __asm__("other_name_for_renamed");
int renamed(int x)
{
	return x + 40;
}

int symbols_common(void)
{
	return shared_common *= 3;
}

int symbols_hidden(int x)
{
	return helper(x) - 1;
}

int symbols_helper(int x)
{
	return helper(x) + symbols_hidden(x);
}

extern inline int symbols_inline(int x);

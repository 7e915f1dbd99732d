/* Symbols: weak defined and undefined, aliases, hidden, common, renamed, sections, inline, same
 * static names. */
#include <stdio.h>

#include "symbols.h"

int shared_common;
static int helper(int x)
{
	return x + 1;
}

__attribute__((weak)) int replaced(int x)
{
	return x * 1000;
}

__attribute__((weak)) int kept(int x)
{
	return x * 7;
}

__attribute__((weak)) int absent(int x);
extern __attribute__((weak)) int absent_variable;

int original(int x)
{
	return helper(x) * 2;
}
int alias_of_original(int x) __attribute__((alias("original")));
static int local_alias(int x) __attribute__((alias("original"), unused));
int weak_alias(int x) __attribute__((weak, alias("original")));

int value = 17;
extern int value_alias __attribute__((alias("value")));

int renamed(int x) __asm__("other_name_for_renamed");

__attribute__((section(".text.special"), noinline, cold)) static int special(int x)
{
	return x ^ 0x55;
}

static inline __attribute__((always_inline)) int inlined(int x)
{
	return x > 3 ? helper(x) : -x;
}

int main(void)
{
	int (*maybe)(int) = absent;

	printf("%d %d\n", replaced(3), kept(3));
	printf("%s %s\n", absent ? "present" : "absent", &absent_variable ? "present" : "absent");
	printf("%d %d %d %d\n", original(1), alias_of_original(2), local_alias(3), weak_alias(4));
	value_alias++;
	printf("%d %d\n", value, maybe == NULL);
	shared_common += 5;
	printf("%d ", symbols_common());
	printf("%d\n", shared_common);
	printf("%d %d %d\n", renamed(4), special(10), inlined(2) + inlined(20));
	printf("%d %d %d\n", symbols_hidden(6), symbols_helper(7), symbols_inline(3));
	return 0;
}

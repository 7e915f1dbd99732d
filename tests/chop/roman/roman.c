#include <string.h>
#include "roman.h"

static struct symbol table[16];
static int count;

static void add_symbol(int value, const char *text)
{
	table[count].value = value;
	strcpy(table[count].text, text);
	count++;
}

/* All symbols of one power of ten: one, five, ten of it, and the pairs between. */
static void add_decade(int unit, const char *one_less, const char *five, const char *four,
                       const char *one)
{
	add_symbol(9 * unit, one_less);
	add_symbol(5 * unit, five);
	add_symbol(4 * unit, four);
	add_symbol(unit, one);
}

void roman_prepare(void)
{
	add_symbol(1000, "M");
	add_decade(100, "CM", "D", "CD", "C");
	add_decade(10, "XC", "L", "XXL", "X");
	add_decade(1, "IX", "V", "IV", "I");
}

void roman_format(int number, char *out)
{
	*out = 0;
	for (int i = 0; i < count; i++) {
		while (number >= table[i].value) {
			strcat(out, table[i].text);
			number -= table[i].value;
		}
	}
}

int roman_parse(const char *text)
{
	int sum = 0;
	for (int i = 0; i < count; i++) {
		size_t size = strlen(table[i].text);
		while (!strncmp(text, table[i].text, size)) {
			sum += table[i].value;
			text += size;
		}
	}
	return *text ? -1 : sum;
}

#include <ctype.h>

#include "stock.h"

int words_split(char *line, char *words[], int most)
{
	int count = 0;

	while (count < most) {
		while (isspace((unsigned char)*line))
			line++;
		if (!*line)
			break;
		words[count++] = line;
		while (*line && !isspace((unsigned char)*line))
			line++;
		if (*line)
			*line++ = '\0';
	}
	return count;
}

bool words_number(const char *word, long most, long *number)
{
	long value = 0;

	if (!*word)
		return false;
	for (; *word; word++) {
		if (!isdigit((unsigned char)*word))
			return false;
		value = value * 10 + (*word - '0');
		if (value > most)
			return false;
	}
	*number = value;
	return true;
}

bool words_amount(const char *word, long *cents)
{
	long value = 0;
	int digits = -1; /* behind the point; -1: there was none */

	for (; *word; word++) {
		if (*word == '.' && digits < 0) {
			digits = 0;
			continue;
		}
		if (!isdigit((unsigned char)*word) || digits == 2)
			return false;
		value = value * 10 + (*word - '0');
		if (digits >= 0)
			digits++;
	}
	for (digits = digits < 0 ? 0 : digits; digits < 2; digits++)
		value *= 10;
	*cents = value;
	return true;
}

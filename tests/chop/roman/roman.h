/* Roman numerals, both ways. */
#ifndef ROMAN_H
#define ROMAN_H

/* What a symbol stands for; the table is in falling order of values. */
struct symbol {
	int value;
	char text[4];
};

void roman_prepare(void);
void roman_format(int number, char *out);
int roman_parse(const char *text);

#endif

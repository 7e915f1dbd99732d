#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "sheet.h"

struct sheet sheet;

void complain(unsigned line, const char *format, ...)
{
	va_list values;
	va_start(values, format);
	fprintf(stderr, "line %u: ", line);
	vfprintf(stderr, format, values);
	va_end(values);
}

void sheet_start(const char *name, unsigned columns)
{
	memset(&sheet, 0, sizeof sheet);
	sheet.columns = columns;
	sprintf(sheet.title, "%u columns of %s", columns, name);
}

static void add_number(struct column *column, double number)
{
	if (!sheet.rows || number < column->least)
		column->least = number;
	if (!sheet.rows || number > column->most)
		column->most = number;
	column->sum += number;
}

int sheet_add(char *line)
{
	double numbers[COLUMNS];
	unsigned count = 0;
	for (char *word = strtok(line, ",\n"); word; word = strtok(NULL, ",\n")) {
		char *end;
		if (count == sheet.columns)
			return 0;
		numbers[count++] = strtod(word, &end);
		if (*end)
			return 0;
	}
	if (count != sheet.columns)
		return 0;
	for (unsigned i = 0; i < count; i++)
		add_number(&sheet.totals[i], numbers[i]);
	sheet.rows++;
	return 1;
}

void sheet_print(FILE *out)
{
	fprintf(out, "%s\n", sheet.title);
	assert(sheet.columns <= COLUMNS);
	for (unsigned i = 0; i < sheet.columns; i++) {
		const struct column *column = &sheet.totals[i];
		fprintf(out, "%u: sum %g, from %g to %g\n", i + 1, column->sum, column->least,
		        column->most);
	}
}

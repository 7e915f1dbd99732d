/*
 * What a call puts out. From memory or a format the model says; what functions do with their argument
 * beyond that is in a table here.
 */
#include <string.h>

#include "actions/outputs_sheet.h"

/* The parts of what a function puts out, a letter each:
	c   the first argument, a character
	s   the first argument, a string
	e   the same and ': ', if there is one
	p   the name of the program and ': '
	f   the format that the model names
	m   the text of errno
	n   the text of the error number that is the second argument, if there is one, behind ': '
   and anything else stands for itself. */
struct rule {
	const char *name, *parts;
};

static const struct rule rules[] = {
	{"puts", "s\n"},    {"putchar", "c"},    {"putchar_unlocked", "c"}, {"putc", "c"},
	{"fputc", "c"},     {"_IO_putc", "c"},   {"putc_unlocked", "c"},    {"fputc_unlocked", "c"},
	{"perror", "em\n"}, {"warn", "pf: m\n"}, {"vwarn", "pf: m\n"},      {"warnx", "pf\n"},
	{"vwarnx", "pf\n"}, {"error", "pfn\n"},
};

static const char *parts_of(const char *name)
{
	for (uint32_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (!strcmp(rules[i].name, name))
			return rules[i].parts;
	return NULL;
}

static const struct outside_clause *find_format(const struct actions_call *call)
{
	const struct outside_clause *rows;

	if (!call->model)
		return NULL;
	rows = outside_table_clauses(call->table, call->model);
	for (uint32_t i = 0; i < call->model->active; i++)
		if (rows[i].kind == OUTSIDE_FORMATS)
			return &rows[i];
	return NULL;
}

static bool read_first(struct sheet *sheet, uint32_t size, uint8_t *out)
{
	return sheet->call->argument(sheet->call->context, 0, size, out);
}

static void put_first_character(struct sheet *sheet)
{
	struct outputs_piece *piece;
	uint8_t byte;

	piece = read_first(sheet, 1, &byte) ? sheet_put(sheet, &byte, 1) : sheet_put_unknown(sheet);
	piece->argument = 1;
}

static void put_first_string(struct sheet *sheet)
{
	uint64_t address;

	if (read_first(sheet, 8, (uint8_t *)&address))
		sheet_put_string(sheet, 1, address);
	else
		sheet_put_unknown(sheet);
}

static void put_prefix(struct sheet *sheet)
{
	uint64_t address;
	uint8_t byte = 1;

	if (read_first(sheet, 8, (uint8_t *)&address) &&
	    (!address || (view_read(&sheet->view, address, 1, &byte) && !byte)))
		return;
	put_first_string(sheet);
	sheet_put(sheet, ": ", 2);
}

static void put_program(struct sheet *sheet)
{
	if (sheet->call->program)
		sheet_put(sheet, sheet->call->program, strlen(sheet->call->program));
	else
		sheet_put_unknown(sheet);
	sheet_put(sheet, ": ", 2);
}

static void put_part(struct sheet *sheet, char letter)
{
	const struct outside_clause *format;

	switch (letter) {
	case 'c': put_first_character(sheet); break;
	case 's': put_first_string(sheet); break;
	case 'e': put_prefix(sheet); break;
	case 'p': put_program(sheet); break;
	case 'f':
		format = find_format(sheet->call->call);
		if (format)
			sheet_put_format(sheet, format);
		break;
	case 'm': sheet_put_unknown(sheet); break;
	case 'n':
		if (!view_argument(sheet->call->call, 1))
			break;
		sheet_put(sheet, ": ", 2);
		sheet_put_unknown(sheet);
		break;
	default: sheet_put(sheet, &letter, 1);
	}
}

static void put_parts(struct sheet *sheet, const char *parts)
{
	for (; *parts; parts++)
		put_part(sheet, *parts);
}

/* The argument that points to the memory. */
static uint32_t find_argument(const struct sheet *sheet, const struct action *action)
{
	const struct actions_call *call = sheet->call->call;

	for (uint32_t i = 0; i < call->count; i++)
		if (call->signature[i + 1] == 'p' && call->arguments[i] == action->from)
			return i + 1;
	return action->argument;
}

void sheet_render(struct sheet *sheet, const struct action *action)
{
	const char *parts = parts_of(sheet->call->name);

	if (action->from && action->size > ACTIONS_MOST)
		sheet_put_unknown(sheet);
	else if (action->from)
		sheet_put_memory(sheet, find_argument(sheet, action), action->from, action->size);
	else if (parts)
		put_parts(sheet, parts);
	else if (find_format(sheet->call->call))
		put_parts(sheet, "f");
	else
		sheet_put_unknown(sheet);
}

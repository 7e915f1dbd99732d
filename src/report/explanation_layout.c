/* How the text of an explanation is laid out: see explanation_layout.h. */
#include "report/explanation_layout.h"

#include <string.h>

#include "report/cells.h"
#include "report/explanation_words.h"

/* --- paragraphs --- */

/* Columns of a word; `\x1b[...m` has none. */
static unsigned word_columns(const char *word, size_t length)
{
	unsigned columns = 0;

	for (size_t i = 0; i < length; i++) {
		if (word[i] == '\x1b')
			while (i < length && word[i] != 'm')
				i++;
		else
			columns += ((unsigned char)word[i] & 0xc0) != 0x80;
	}
	return columns;
}

void explanation_wrap_hanging(const char *text, unsigned first, unsigned indent, unsigned width,
                              FILE *file)
{
	unsigned used = first;
	bool begun = false; /* the line has a word */

	fprintf(file, "%*s", (int)first, "");
	while (*text) {
		size_t spaces = strspn(text, " "), length = strcspn(text + spaces, " ");
		unsigned columns = word_columns(text + spaces, length);

		if (begun && used + spaces + columns > width) {
			fprintf(file, "\n%*s", (int)indent, "");
			used = indent;
		} else {
			fprintf(file, "%*s", (int)spaces, "");
			used += (unsigned)spaces;
		}
		fwrite(text + spaces, 1, length, file);
		used += columns;
		text += spaces + length;
		begun = true;
	}
	fputc('\n', file);
}

void explanation_wrap(const char *text, unsigned indent, unsigned width, FILE *file)
{
	explanation_wrap_hanging(text, indent, indent, width, file);
}

/* --- source --- */

/* The first `length` bytes of a line, as they are shown: a tab is one column. */
static void add_part(const char *text, size_t length, struct str *out)
{
	char *part = mem_strndup(text, length);

	for (char *at = part; *at; at++)
		if (*at == '\t')
			*at = ' ';
	explanation_add_safe(out, part);
	free(part);
}

void explanation_print_source(const struct explanation_place *place, unsigned indent,
                              unsigned width, const char *colour, const char *plain, FILE *file)
{
	size_t skip = strspn(place->source, " \t"), length = strlen(place->source);
	struct str line = STR_INIT, before = STR_INIT;
	unsigned room = width > indent + 20 ? width - indent : 20;

	add_part(place->source + skip, length - skip, &line);
	cell_cut(&line, room);
	fprintf(file, "%*s%s\n", (int)indent, "", str_text(&line));
	if (place->column > skip && place->column <= length) {
		add_part(place->source + skip, place->column - 1 - skip, &before);
		if (cell_columns(str_text(&before)) + 3 < room)
			fprintf(file, "%*s%s^%s\n", (int)(indent + cell_columns(str_text(&before))),
			        "", colour, plain);
	}
	str_deinit(&line);
	str_deinit(&before);
}

/* --- the table of points --- */

/* 'argc = 3, a[2] = 0'. */
static void add_cause(const struct explanation_point *point, struct str *out)
{
	if (!point->values.size)
		str_add_char(out, '?');
	for (uint32_t i = 0; i < point->values.size; i++) {
		const struct explanation_value *v = &point->values.at[i];

		str_add(out, i ? ", " : "");
		explanation_add_safe(out, v->name);
		str_add(out, " = ");
		explanation_add_safe(out, v->failing ? v->failing : "(none)");
	}
}

static void add_code(const struct explanation_point *point, struct str *out)
{
	const char *source = point->at.source ? point->at.source : "";

	add_part(source + strspn(source, " \t"), strlen(source + strspn(source, " \t")), out);
}

struct points_widths {
	unsigned place, code;
};

static void measure(const struct explanation *e, struct points_widths *widths)
{
	for (uint32_t i = 0; i < e->points.size; i++) {
		struct explanation_place at = e->points.at[i].at;
		struct str place = STR_INIT, code = STR_INIT;

		at.column = 0;
		explanation_add_place(&place, &at);
		add_code(&e->points.at[i], &code);
		if (cell_columns(str_text(&place)) > widths->place)
			widths->place = cell_columns(str_text(&place));
		if (cell_columns(str_text(&code)) > widths->code)
			widths->code = cell_columns(str_text(&code));
		str_deinit(&place);
		str_deinit(&code);
	}
}

/* A cell of text, filled up with spaces. */
static void print_cell(const char *text, unsigned width, FILE *file)
{
	unsigned columns = cell_columns(text);

	fprintf(file, "%s%*s  ", text, (int)(columns < width ? width - columns : 0), "");
}

static void print_time(uint64_t time, FILE *file)
{
	if (time)
		fprintf(file, "%9llu  ", (unsigned long long)time);
	else
		fprintf(file, "%9s  ", "-");
}

static void print_point(const struct explanation_point *point, const struct points_widths *widths,
                        FILE *file)
{
	struct explanation_place at = point->at;
	struct str place = STR_INIT, code = STR_INIT, cause = STR_INIT;

	at.column = 0;
	explanation_add_place(&place, &at);
	add_code(point, &code);
	cell_cut(&code, widths->code);
	add_cause(point, &cause);
	print_time(point->failing_time, file);
	print_time(point->reference_time, file);
	print_cell(str_text(&place), widths->place, file);
	print_cell(str_text(&code), widths->code, file);
	fprintf(file, "%s\n", str_text(&cause));
	str_deinit(&place);
	str_deinit(&code);
	str_deinit(&cause);
}

static void print_rule(unsigned columns, FILE *file)
{
	while (columns--)
		fputc('-', file);
	fputc('\n', file);
}

void explanation_print_points(const struct explanation *e, unsigned width, FILE *file)
{
	struct points_widths widths = {.place = 5, .code = 4};
	unsigned most = width > 70 ? width - 50 : 20;

	measure(e, &widths);
	if (widths.code > most)
		widths.code = most;
	fprintf(file, "\n%9s  %9s  ", "failing", "reference");
	print_cell("place", widths.place, file);
	print_cell("code", widths.code, file);
	fputs("cause\n", file);
	for (uint32_t i = 0; i < e->points.size; i++) {
		if (i && e->points.at[i].transition)
			print_rule(26 + widths.place + widths.code + 5, file);
		print_point(&e->points.at[i], &widths, file);
	}
}

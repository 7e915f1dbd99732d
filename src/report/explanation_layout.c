/* How the text of an explanation is laid out: see explanation_layout.h. */
#include "report/explanation_layout.h"

#include <limits.h>
#include <string.h>

#include "report/cells.h"
#include "report/columns.h"
#include "report/explanation_words.h"
#include "report/json.h"

#define MARK_ROOM 6u /* columns behind a mark, so that one sees what is marked */

/* --- paragraphs --- */

void explanation_wrap_hanging(const char *text, unsigned first, unsigned indent, unsigned width,
                              FILE *file)
{
	unsigned used = first;
	bool begun = false; /* the line has a word */

	fprintf(file, "%*s", (int)first, "");
	while (*text) {
		size_t spaces = strspn(text, " "), length = strcspn(text + spaces, " ");
		unsigned columns = columns_of(text + spaces, length);

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

/* Where the character begins that a byte belongs to. */
static size_t character_at(const char *text, size_t at)
{
	size_t start = at;

	while (start && at - start < 3 && ((unsigned char)text[start] & 0xc0) == 0x80)
		start--;
	return json_utf8_length((const unsigned char *)text + start) > at - start ? start : at;
}

/* Columns of the line before the mark; UINT_MAX: nothing is marked. */
static unsigned marked_column(const struct explanation_place *place, size_t skip)
{
	struct str before = STR_INIT;
	unsigned columns;
	size_t at;

	if (place->column <= skip || place->column > strlen(place->source))
		return UINT_MAX;
	at = character_at(place->source, place->column - 1);
	add_part(place->source + skip, at - skip, &before);
	columns = cell_columns(str_text(&before));
	str_deinit(&before);
	return columns;
}

/* Takes the beginning of a line away that is too long for its mark to be seen. */
static void move_to_mark(struct str *line, unsigned room, unsigned *mark)
{
	struct str rest = STR_INIT;
	size_t cut;

	if (*mark == UINT_MAX || *mark + MARK_ROOM <= room || cell_columns(str_text(line)) <= room)
		return;
	cut = columns_fit(str_text(line), *mark - room / 2);
	str_printf(&rest, "...%s", str_text(line) + cut);
	*mark = *mark - columns_of(str_text(line), cut) + 3;
	str_deinit(line);
	*line = rest;
}

void explanation_add_source(const struct explanation_place *place, unsigned room, struct str *line,
                            unsigned *mark)
{
	size_t skip = strspn(place->source, " \t");

	*mark = marked_column(place, skip);
	add_part(place->source + skip, strlen(place->source + skip), line);
	move_to_mark(line, room, mark);
	cell_cut(line, room);
}

void explanation_print_source(const struct explanation_place *place, unsigned indent,
                              unsigned width, const char *colour, const char *plain, FILE *file)
{
	struct str line = STR_INIT;
	unsigned mark;

	explanation_add_source(place, width > indent + 20 ? width - indent : 20, &line, &mark);
	fprintf(file, "%*s%s\n", (int)indent, "", str_text(&line));
	if (mark != UINT_MAX)
		fprintf(file, "%*s%s^%s\n", (int)(indent + mark), "", colour, plain);
	str_deinit(&line);
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

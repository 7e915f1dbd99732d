/* What stands in the columns of a listing for a person: see cells.h. */
#include "report/cells.h"

#include <string.h>

#include "report/columns.h"

#define TAB 4u /* columns of a tab: indentation is only a hint here */

/* --- text in columns --- */

unsigned cell_columns(const char *text)
{
	return columns_of(text, strlen(text));
}

void cell_cut(struct str *text, unsigned width)
{
	if (cell_columns(str_text(text)) <= width || width < 4)
		return;
	text->length = columns_fit(text->text, width - 3);
	text->text[text->length] = '\0';
	str_add(text, "...");
}

void cell_add_source(const char *text, struct str *out)
{
	unsigned column = 0;

	for (; *text; text++) {
		unsigned step = *text == '\t' ? TAB - column % TAB : 1;

		if (*text == '\t')
			str_printf(out, "%*s", (int)step, "");
		else
			str_add_char(out, (unsigned char)*text < ' ' ? '?' : *text);
		column += step;
	}
	while (out->length && out->text[out->length - 1] == ' ')
		out->text[--out->length] = '\0';
}

/* --- values --- */

static void add_executions(const struct listing_statement *s, struct str *out)
{
	const char *first = s->instances.size ? s->instances.at[0].text : "";
	const char *last = s->instances.size ? s->instances.at[s->instances.size - 1].text : "";

	str_add(out, first);
	if (s->varied)
		str_printf(out, " ... %s", last);
	if (s->count > 1)
		str_printf(out, " x%llu", (unsigned long long)s->count);
}

static unsigned room_for_values(const struct listing_style *style, unsigned used)
{
	unsigned width;

	if (!style->width)
		return CELL_VALUES;
	width = style->width > used + 20 ? style->width - used : 20;
	return width < CELL_VALUES ? width : CELL_VALUES;
}

void cell_add_values(const struct listing_line *line, const struct listing_style *style,
                     unsigned used, struct str *out)
{
	for (uint32_t i = 0; i < line->statements.size; i++) {
		if (!line->statements.at[i].instances.size)
			continue;
		if (out->length)
			str_add(out, "; ");
		add_executions(&line->statements.at[i], out);
	}
	cell_cut(out, room_for_values(style, used));
}

char cell_mark(const struct listing_line *line)
{
	return line->criterion ? '>' : line->potential ? '?' : line->independent ? '=' : ' ';
}

/* --- sources --- */

void cell_note_source(const struct source *source, const struct listing_file *file,
                      struct str *notes)
{
	if (source->state == SOURCE_FILE_MISSING)
		str_printf(notes, "note: %s cannot be read, so its lines are shown without text\n",
		           file->name);
	if (source->state == SOURCE_FILE_NEWER)
		str_printf(notes,
		           "note: %s is newer than %s, so its lines are shown without text; build "
		           "again\n",
		           file->name,
		           strrchr(file->elf, '/') ? strrchr(file->elf, '/') + 1 : file->elf);
}

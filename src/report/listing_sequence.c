/* A listing as a sequence of lines, for a person: each with its place, in the order of the listing. */
#include <string.h>

#include "report/cells.h"

struct sequence_printer {
	const struct listing *listing;
	const struct listing_style *style;
	FILE *file;
	VEC(struct source) sources;       /* of the listing's files */
	unsigned place, function, source; /* columns */
};

static const char *colour(const struct sequence_printer *p, const char *code)
{
	return p->style->colour ? code : "";
}

/* Appends `sort.c:17`, without the folder. */
static void add_place(const struct sequence_printer *p, const struct listing_line *line,
                      struct str *out)
{
	const char *name = p->listing->files.at[line->file].name, *slash = strrchr(name, '/');

	str_printf(out, "%s:%u", slash ? slash + 1 : name, line->line);
}

/* Appends the line of source, without indentation. */
static void add_source(const struct sequence_printer *p, const struct listing_line *line,
                       struct str *out)
{
	const char *text = source_line(&p->sources.at[line->file], line->line);

	if (text)
		cell_add_source(text + strspn(text, " \t"), out);
}

static void widen(unsigned *width, const char *text, unsigned most)
{
	unsigned columns = cell_columns(text);

	if (columns > *width && columns <= most)
		*width = columns;
}

static void measure(struct sequence_printer *p)
{
	for (uint32_t i = 0; i < p->listing->lines.size; i++) {
		const struct listing_line *line = &p->listing->lines.at[i];
		struct str place = STR_INIT, source = STR_INIT;

		add_place(p, line, &place);
		add_source(p, line, &source);
		widen(&p->place, str_text(&place), 32);
		widen(&p->function, line->function, 24);
		widen(&p->source, str_text(&source), CELL_SOURCE);
		str_deinit(&place);
		str_deinit(&source);
	}
}

static void print_line(const struct sequence_printer *p, const struct listing_line *line)
{
	struct str place = STR_INIT, source = STR_INIT, values = STR_INIT;
	unsigned used, filled;

	add_place(p, line, &place);
	add_source(p, line, &source);
	used = cell_columns(str_text(&source));
	filled = used < p->source ? p->source : used;
	cell_add_values(line, p->style, p->place + p->function + filled + 4 + CELL_GAP, &values);
	fprintf(p->file, "%s%c%s %s%-*s%s %-*s ",
	        colour(p, line->criterion ? CELL_RED : CELL_YELLOW), cell_mark(line),
	        colour(p, CELL_PLAIN), colour(p, CELL_DIM), (int)p->place, str_text(&place),
	        colour(p, CELL_PLAIN), (int)p->function, line->function);
	fputs(str_text(&source), p->file);
	if (values.length)
		fprintf(p->file, "%*s%s%s%s", (int)(filled - used + CELL_GAP), "",
		        colour(p, CELL_CYAN), str_text(&values), colour(p, CELL_PLAIN));
	fputc('\n', p->file);
	str_deinit(&place);
	str_deinit(&source);
	str_deinit(&values);
}

void listing_print_sequence(const struct listing *listing, const struct listing_style *style,
                            FILE *file, struct str *notes)
{
	struct sequence_printer p = {.listing = listing, .style = style, .file = file};

	for (uint32_t i = 0; i < listing->files.size; i++) {
		const struct listing_file *f = &listing->files.at[i];

		source_init(vec_push(&p.sources), f->directory, f->name, f->elf);
		cell_note_source(&p.sources.at[i], f, notes);
	}
	measure(&p);
	for (uint32_t i = 0; i < listing->lines.size; i++)
		print_line(&p, &listing->lines.at[i]);
	for (uint32_t i = 0; i < p.sources.size; i++)
		source_deinit(&p.sources.at[i]);
	vec_deinit(&p.sources);
}

/* A listing as annotated source, for a person. */
#include <string.h>

#include "report/cells.h"

struct text_printer {
	const struct listing *listing;
	const struct listing_style *style;
	FILE *file;
	struct str *notes;
	struct source source; /* of the file that is being printed */
	unsigned digits;      /* of line numbers */
	unsigned width;       /* of the column with source */
	unsigned indent;      /* that all lines of the function have */
};

static const char *colour(const struct text_printer *p, const char *code)
{
	return p->style->colour ? code : "";
}

/* --- lines --- */

static void print_line(struct text_printer *p, const struct listing_line *line)
{
	const char *text = source_line(&p->source, line->line);
	struct str source = STR_INIT, values = STR_INIT;
	unsigned used, filled;

	if (text)
		cell_add_source(text, &source);
	if (source.length > p->indent) {
		memmove(source.text, source.text + p->indent, source.length - p->indent + 1);
		source.length -= p->indent;
	}
	fprintf(p->file, "%s%c%s %s%*u%s ", colour(p, line->criterion ? CELL_RED : CELL_YELLOW),
	        cell_mark(line), colour(p, CELL_PLAIN), colour(p, CELL_DIM), (int)p->digits,
	        line->line, colour(p, CELL_PLAIN));
	fputs(str_text(&source), p->file);
	used = cell_columns(str_text(&source));
	filled = used < p->width ? p->width : used;
	cell_add_values(line, p->style, p->digits + 3 + CELL_GAP + filled, &values);
	if (values.length)
		fprintf(p->file, "%*s%s%s%s", (int)(filled - used + CELL_GAP), "",
		        colour(p, CELL_CYAN), str_text(&values), colour(p, CELL_PLAIN));
	fputc('\n', p->file);
	str_deinit(&source);
	str_deinit(&values);
}

/* How wide the source of lines `from` up to `to` is, and how far all of it is indented. */
static void measure(struct text_printer *p, uint32_t from, uint32_t to)
{
	p->width = 0;
	p->indent = UINT32_MAX;
	for (uint32_t i = from; i < to; i++) {
		const char *text = source_line(&p->source, p->listing->lines.at[i].line);
		struct str source = STR_INIT;
		unsigned indent, width;

		if (!text)
			continue;
		cell_add_source(text, &source);
		indent = (unsigned)strspn(str_text(&source), " ");
		width = cell_columns(str_text(&source));
		if (source.length && indent < p->indent)
			p->indent = indent;
		if (width <= CELL_SOURCE && width > p->width)
			p->width = width;
		str_deinit(&source);
	}
	if (p->indent == UINT32_MAX)
		p->indent = 0;
	p->width -= p->indent < p->width ? p->indent : p->width;
}

static void print_function(struct text_printer *p, uint32_t from, uint32_t to)
{
	const struct listing_line *lines = p->listing->lines.at;

	measure(p, from, to);
	fprintf(p->file, "  %s%s()%s\n", colour(p, CELL_BOLD), lines[from].function,
	        colour(p, CELL_PLAIN));
	for (uint32_t i = from; i < to; i++) {
		if (i > from && lines[i].line > lines[i - 1].line + 1)
			fprintf(p->file, "  %*s\n", (int)p->digits, "...");
		print_line(p, &lines[i]);
	}
}

/* --- files --- */

static void print_file(struct text_printer *p, uint32_t from, uint32_t to)
{
	const struct listing_line *lines = p->listing->lines.at;
	const struct listing_file *file = &p->listing->files.at[lines[from].file];

	fprintf(p->file, "\n%s%s%s\n", colour(p, CELL_BOLD), file->name, colour(p, CELL_PLAIN));
	source_init(&p->source, file->directory, file->name, file->elf);
	cell_note_source(&p->source, file, p->notes);
	for (uint32_t i = from, end; i < to; i = end) {
		for (end = i + 1; end < to && !strcmp(lines[end].function, lines[i].function);)
			end++;
		print_function(p, i, end);
	}
	source_deinit(&p->source);
}

static unsigned count_digits(const struct listing *l)
{
	unsigned digits = 3; /* of '...' */

	for (uint32_t i = 0; i < l->lines.size; i++) {
		unsigned own = (unsigned)snprintf(NULL, 0, "%u", l->lines.at[i].line);

		if (own > digits)
			digits = own;
	}
	return digits;
}

void listing_print_text(const struct listing *l, const struct listing_style *style, FILE *file,
                        struct str *notes)
{
	struct text_printer p = {.listing = l,
	                         .style = style,
	                         .file = file,
	                         .notes = notes,
	                         .digits = count_digits(l)};

	for (uint32_t i = 0, end; i < l->lines.size; i = end) {
		for (end = i + 1;
		     end < l->lines.size && l->lines.at[end].file == l->lines.at[i].file;)
			end++;
		print_file(&p, i, end);
	}
}

/* A listing as annotated source, for a person. */
#include <string.h>

#include "report/json.h"
#include "report/listing.h"
#include "report/source.h"

#define TAB     4u   /* columns of a tab: indentation is only a hint here */
#define WIDEST  56u  /* columns of source, before values follow at once */
#define LONGEST 160u /* columns of values */
#define GAP     2u

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

#define BOLD   "\x1b[1m"
#define DIM    "\x1b[2m"
#define RED    "\x1b[1;31m"
#define YELLOW "\x1b[33m"
#define CYAN   "\x1b[36m"
#define PLAIN  "\x1b[0m"

/* --- text in columns --- */

/* Columns that a text takes: one for each character. */
static unsigned columns(const char *text)
{
	unsigned count = 0;

	for (; *text; text++)
		count += ((unsigned char)*text & 0xc0) != 0x80;
	return count;
}

/* Cuts a text, not in the middle of a character. */
static void cut(struct str *text, unsigned width)
{
	size_t at = 0;
	unsigned count = 0;

	if (columns(str_text(text)) <= width || width < 4)
		return;
	for (; count < width - 3 || ((unsigned char)text->text[at] & 0xc0) == 0x80; at++)
		count += ((unsigned char)text->text[at] & 0xc0) != 0x80;
	text->length = at;
	text->text[at] = '\0';
	str_add(text, "...");
}

/* A line of source without control characters, tabs expanded. */
static void add_source(const char *text, struct str *out)
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

static void add_values(const struct listing_line *line, struct str *out)
{
	for (uint32_t i = 0; i < line->statements.size; i++) {
		if (!line->statements.at[i].instances.size)
			continue;
		if (out->length)
			str_add(out, "; ");
		add_executions(&line->statements.at[i], out);
	}
}

static void cut_values(const struct text_printer *p, unsigned used, struct str *values)
{
	unsigned width = LONGEST;

	if (p->style->width && p->style->width > used + 20)
		width = p->style->width - used;
	else if (p->style->width)
		width = 20;
	cut(values, width < LONGEST ? width : LONGEST);
}

/* --- lines --- */

static char mark_of(const struct listing_line *line)
{
	return line->criterion ? '>' : line->potential ? '?' : line->independent ? '=' : ' ';
}

static void print_line(struct text_printer *p, const struct listing_line *line)
{
	const char *text = source_line(&p->source, line->line);
	struct str source = STR_INIT, values = STR_INIT;
	unsigned used = 0;

	if (text)
		add_source(text, &source);
	if (source.length > p->indent) {
		memmove(source.text, source.text + p->indent, source.length - p->indent + 1);
		source.length -= p->indent;
	}
	add_values(line, &values);
	fprintf(p->file, "%s%c%s %s%*u%s ", colour(p, line->criterion ? RED : YELLOW),
	        mark_of(line), colour(p, PLAIN), colour(p, DIM), (int)p->digits, line->line,
	        colour(p, PLAIN));
	fputs(str_text(&source), p->file);
	if (values.length) {
		used = columns(str_text(&source));
		fprintf(p->file, "%*s", used < p->width ? (int)(p->width - used + GAP) : (int)GAP,
		        "");
		cut_values(p, p->digits + 3 + GAP + (used < p->width ? p->width : used), &values);
		fprintf(p->file, "%s%s%s", colour(p, CYAN), str_text(&values), colour(p, PLAIN));
	}
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
		add_source(text, &source);
		indent = (unsigned)strspn(str_text(&source), " ");
		width = columns(str_text(&source));
		if (source.length && indent < p->indent)
			p->indent = indent;
		if (width <= WIDEST && width > p->width)
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
	fprintf(p->file, "  %s%s()%s\n", colour(p, BOLD), lines[from].function, colour(p, PLAIN));
	for (uint32_t i = from; i < to; i++) {
		if (i > from && lines[i].line > lines[i - 1].line + 1)
			fprintf(p->file, "  %*s\n", (int)p->digits, "...");
		print_line(p, &lines[i]);
	}
}

/* --- files --- */

static void note_source(struct text_printer *p, const struct listing_file *file)
{
	if (p->source.state == SOURCE_FILE_MISSING)
		str_printf(p->notes,
		           "note: %s cannot be read, so its lines are shown without text\n",
		           file->name);
	if (p->source.state == SOURCE_FILE_NEWER)
		str_printf(p->notes,
		           "note: %s is newer than %s, so its lines are shown without text; build "
		           "again\n",
		           file->name,
		           strrchr(file->elf, '/') ? strrchr(file->elf, '/') + 1 : file->elf);
}

static void print_file(struct text_printer *p, uint32_t from, uint32_t to)
{
	const struct listing_line *lines = p->listing->lines.at;
	const struct listing_file *file = &p->listing->files.at[lines[from].file];

	fprintf(p->file, "\n%s%s%s\n", colour(p, BOLD), file->name, colour(p, PLAIN));
	source_init(&p->source, file->directory, file->name, file->elf);
	note_source(p, file);
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

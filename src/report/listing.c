/* A listing and its printers: see listing.h. listing_collect.c makes one. */
#include "report/listing.h"

#include <string.h>

#include "base/guard.h"
#include "report/columns.h"
#include "report/json.h"
#include "report/source.h"

#define CELL_SOURCE 56u  /* columns of source, before values follow at once */
#define CELL_VALUES 160u /* most columns of values */
#define CELL_GAP    2u   /* between them */

void listing_deinit(struct listing *l)
{
	for (uint32_t i = 0; i < l->lines.size; i++) {
		struct listing_line *line = &l->lines.at[i];

		for (uint32_t k = 0; k < line->statements.size; k++) {
			struct listing_statement *s = &line->statements.at[k];

			for (uint32_t n = 0; n < s->instances.size; n++)
				free(s->instances.at[n].text);
			vec_deinit(&s->instances);
		}
		vec_deinit(&line->statements);
		free(line->function);
	}
	for (uint32_t i = 0; i < l->files.size; i++) {
		free(l->files.at[i].name);
		free(l->files.at[i].directory);
		free(l->files.at[i].elf);
	}
	vec_deinit(&l->lines);
	vec_deinit(&l->files);
	*l = (struct listing){0};
}
/* --- what stands in the columns, for a person --- */

/* Appends the values of a line's statements, cut to what the terminal has left after `used`. */
static void cell_add_values(const struct listing_line *line, const struct listing_style *style,
                            unsigned used, struct str *out)
{
	unsigned room = style->width > used + 20 ? style->width - used : 20;

	for (uint32_t i = 0; i < line->statements.size; i++) {
		const struct listing_statement *s = &line->statements.at[i];

		if (!s->instances.size)
			continue;
		str_printf(out, "%s%s", out->length ? "; " : "", s->instances.at[0].text);
		if (s->varied)
			str_printf(out, " ... %s", s->instances.at[s->instances.size - 1].text);
		if (s->count > 1)
			str_printf(out, " x%llu", (unsigned long long)s->count);
	}
	columns_cut(out, style->width && room < CELL_VALUES ? room : CELL_VALUES);
}

static const char *colour(const struct listing_style *style, const char *code)
{
	return style->colour ? code : "";
}

/* Why the line is there: > the criterion, ? potential, = independent, or a space. */
static char cell_mark(const struct listing_line *line)
{
	return line->criterion ? '>' : line->potential ? '?' : line->independent ? '=' : ' ';
}

/* Appends a note when the source of a file is not shown. */
static void cell_note_source(const struct source *source, const struct listing_file *file,
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

/* --- lines that editors jump to --- */

static void print_instance(const struct listing *l, const struct listing_line *line,
                           const struct listing_statement *s,
                           const struct listing_instance *instance, FILE *file)
{
	fprintf(file, "%s:%u:%u: note: %s [in %s, %llu of %llu]%s\n", l->files.at[line->file].name,
	        line->line, s->column, instance->text, line->function,
	        (unsigned long long)instance->number, (unsigned long long)s->executed,
	        s->criterion   ? " (criterion)"
	        : s->potential ? " (potential)"
	                       : "");
}

void listing_print_gcc(const struct listing *l, FILE *file)
{
	for (uint32_t i = 0; i < l->lines.size; i++) {
		const struct listing_line *line = &l->lines.at[i];

		if (!line->statements.size)
			fprintf(file, "%s:%u:1: note: part of a statement [in %s]\n",
			        l->files.at[line->file].name, line->line, line->function);
		for (uint32_t k = 0; k < line->statements.size; k++) {
			const struct listing_statement *s = &line->statements.at[k];
			uint32_t last = s->instances.size - 1;

			if (s->instances.size)
				print_instance(l, line, s, &s->instances.at[0], file);
			if (s->instances.size > 1)
				print_instance(l, line, s, &s->instances.at[last], file);
		}
	}
}

/* --- JSON --- */

void listing_add_json(const struct listing *l, struct str *out)
{
	str_add_char(out, '[');
	for (uint32_t i = 0; i < l->lines.size; i++) {
		const struct listing_line *line = &l->lines.at[i];

		if (i)
			str_add_char(out, ',');
		str_add_char(out, '{');
		json_add_member(out, "file", l->files.at[line->file].name);
		json_add_number(out, "line", line->line);
		json_add_member(out, "function", line->function);
		json_add_number(out, "count", line->count);
		if (line->criterion)
			json_add_flag(out, "criterion", true);
		if (line->potential)
			json_add_flag(out, "potential", true);
		if (line->independent && line->chosen)
			json_add_flag(out, "independent", true);
		if (!line->chosen)
			json_add_flag(out, "outside", true);
		json_add_key(out, "instances");
		str_add_char(out, '[');
		for (uint32_t k = 0; k < line->statements.size; k++) {
			const struct listing_statement *s = &line->statements.at[k];

			for (uint32_t j = 0; j < s->instances.size; j++) {
				const struct listing_instance *instance = &s->instances.at[j];

				if (out->text[out->length - 1] != '[')
					str_add_char(out, ',');
				str_add_char(out, '{');
				json_add_number(out, "number", instance->number);
				json_add_number(out, "of", s->executed);
				json_add_number(out, "statement", instance->statement);
				json_add_number(out, "column", s->column);
				json_add_member(out, "text", instance->text);
				if (s->criterion)
					json_add_flag(out, "criterion", true);
				str_add_char(out, '}');
			}
		}
		str_add(out, "]}");
	}
	str_add_char(out, ']');
}

/* --- a sequence of lines, each with its place --- */

struct sequence_printer {
	const struct listing *listing;
	const struct listing_style *style;
	FILE *file;
	VEC(struct source) sources;       /* of the listing's files */
	unsigned place, function, source; /* columns */
};

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
		source_add_expanded(text + strspn(text, " \t"), out);
}

static void widen(unsigned *width, const char *text, unsigned most)
{
	unsigned columns = columns_all(text);

	if (columns > *width && columns <= most)
		*width = columns;
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
	for (uint32_t i = 0; i < p.listing->lines.size; i++) {
		const struct listing_line *line = &p.listing->lines.at[i];
		struct str place GUARD(str_deinit) = STR_INIT, source GUARD(str_deinit) = STR_INIT;

		add_place(&p, line, &place);
		add_source(&p, line, &source);
		widen(&p.place, str_text(&place), 32);
		widen(&p.function, line->function, 24);
		widen(&p.source, str_text(&source), CELL_SOURCE);
	}
	for (uint32_t i = 0; i < listing->lines.size; i++) {
		const struct listing_line *line = &listing->lines.at[i];
		struct str place GUARD(str_deinit) = STR_INIT, source GUARD(str_deinit) = STR_INIT,
				 values GUARD(str_deinit) = STR_INIT;
		unsigned used, filled;

		add_place(&p, line, &place);
		add_source(&p, line, &source);
		used = columns_all(str_text(&source));
		filled = used < p.source ? p.source : used;
		cell_add_values(line, p.style, p.place + p.function + filled + 4 + CELL_GAP,
		                &values);
		fprintf(p.file, "%s%c%s %s%-*s%s %-*s ",
		        colour(p.style, line->criterion ? TEXT_RED : TEXT_YELLOW), cell_mark(line),
		        colour(p.style, TEXT_PLAIN), colour(p.style, TEXT_DIM), (int)p.place,
		        str_text(&place), colour(p.style, TEXT_PLAIN), (int)p.function,
		        line->function);
		fputs(str_text(&source), p.file);
		if (values.length)
			fprintf(p.file, "%*s%s%s%s", (int)(filled - used + CELL_GAP), "",
			        colour(p.style, TEXT_CYAN), str_text(&values),
			        colour(p.style, TEXT_PLAIN));
		fputc('\n', p.file);
	}
	for (uint32_t i = 0; i < p.sources.size; i++)
		source_deinit(&p.sources.at[i]);
	vec_deinit(&p.sources);
}

/* --- annotated source --- */

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

static void print_line(struct text_printer *p, const struct listing_line *line)
{
	const char *text = source_line(&p->source, line->line);
	struct str source GUARD(str_deinit) = STR_INIT, values GUARD(str_deinit) = STR_INIT;
	unsigned used, filled;

	if (text)
		source_add_expanded(text, &source);
	if (source.length > p->indent) {
		memmove(source.text, source.text + p->indent, source.length - p->indent + 1);
		source.length -= p->indent;
	}
	fprintf(p->file, "%s%c%s %s%*u%s ",
	        colour(p->style, line->criterion ? TEXT_RED : TEXT_YELLOW), cell_mark(line),
	        colour(p->style, TEXT_PLAIN), colour(p->style, TEXT_DIM), (int)p->digits,
	        line->line, colour(p->style, TEXT_PLAIN));
	fputs(str_text(&source), p->file);
	used = columns_all(str_text(&source));
	filled = used < p->width ? p->width : used;
	cell_add_values(line, p->style, p->digits + 3 + CELL_GAP + filled, &values);
	if (values.length)
		fprintf(p->file, "%*s%s%s%s", (int)(filled - used + CELL_GAP), "",
		        colour(p->style, TEXT_CYAN), str_text(&values),
		        colour(p->style, TEXT_PLAIN));
	fputc('\n', p->file);
}

static void print_function(struct text_printer *p, uint32_t from, uint32_t to)
{
	const struct listing_line *lines = p->listing->lines.at;

	/* The width of the column with source, and the indentation that all lines of the function have. */
	p->width = 0;
	p->indent = UINT32_MAX;
	for (uint32_t i = from; i < to; i++) {
		const char *text = source_line(&p->source, p->listing->lines.at[i].line);
		struct str source GUARD(str_deinit) = STR_INIT;
		unsigned indent, width;

		if (!text)
			continue;
		source_add_expanded(text, &source);
		indent = (unsigned)strspn(str_text(&source), " ");
		width = columns_all(str_text(&source));
		if (source.length && indent < p->indent)
			p->indent = indent;
		if (width <= CELL_SOURCE && width > p->width)
			p->width = width;
	}
	if (p->indent == UINT32_MAX)
		p->indent = 0;
	p->width -= p->indent < p->width ? p->indent : p->width;
	fprintf(p->file, "  %s%s()%s\n", colour(p->style, TEXT_BOLD), lines[from].function,
	        colour(p->style, TEXT_PLAIN));
	for (uint32_t i = from; i < to; i++) {
		if (i > from && lines[i].line > lines[i - 1].line + 1)
			fprintf(p->file, "  %*s\n", (int)p->digits, "...");
		print_line(p, &lines[i]);
	}
}

static void print_file(struct text_printer *p, uint32_t from, uint32_t to)
{
	const struct listing_line *lines = p->listing->lines.at;
	const struct listing_file *file = &p->listing->files.at[lines[from].file];

	fprintf(p->file, "\n%s%s%s\n", colour(p->style, TEXT_BOLD), file->name,
	        colour(p->style, TEXT_PLAIN));
	source_init(&p->source, file->directory, file->name, file->elf);
	cell_note_source(&p->source, file, p->notes);
	for (uint32_t i = from, end; i < to; i = end) {
		for (end = i + 1; end < to && !strcmp(lines[end].function, lines[i].function);)
			end++;
		print_function(p, i, end);
	}
	source_deinit(&p->source);
}

void listing_print_text(const struct listing *l, const struct listing_style *style, FILE *file,
                        struct str *notes)
{
	struct text_printer p = {.listing = l,
	                         .style = style,
	                         .file = file,
	                         .notes = notes,
	                         .digits = strlen("...")};

	for (uint32_t i = 0; i < l->lines.size; i++) {
		unsigned own = (unsigned)snprintf(NULL, 0, "%u", l->lines.at[i].line);

		if (own > p.digits)
			p.digits = own;
	}
	for (uint32_t i = 0, end; i < l->lines.size; i = end) {
		for (end = i + 1;
		     end < l->lines.size && l->lines.at[end].file == l->lines.at[i].file;)
			end++;
		print_file(&p, i, end);
	}
}

/* The source in the page, with the steps marked in it: see html_page.h. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "report/html_code.h"
#include "report/explanation_words.h"
#include "report/html_page.h"

/* --- places --- */

void html_add_place(struct html_page *page, const struct explanation_place *place)
{
	struct str *out = &page->out;
	uint32_t file;
	bool shown = html_line_at(page, place, &file) != NULL;

	if (!place->file)
		return;
	if (shown)
		str_printf(out, "<a class=\"place\" href=\"#line-%u-%u\">", file, place->line);
	else
		str_add(out, "<span class=\"place\">");
	html_add(out, place->file);
	if (place->line)
		str_printf(out, ":%u", place->line);
	if (place->line && place->column)
		str_printf(out, ":%u", place->column);
	str_add(out, shown ? "</a>" : "</span>");
}

void html_add_place_in(struct html_page *page, const struct explanation_place *place,
                       uint64_t instance)
{
	struct str *out = &page->out;

	html_add_place(page, place);
	if (place->function) {
		str_add(out, " in <code>");
		html_add(out, place->function);
		str_add(out, "()</code>");
	}
	if (instance > 1) {
		str_add(out, ", ");
		explanation_add_ordinal(out, instance);
		str_add(out, " time");
	}
}

/* --- what is marked in a line --- */

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Up to the quote that ends it. */
static size_t string_length(const char *text)
{
	for (size_t i = 1; text[i]; i++) {
		if (text[i] == text[0])
			return i + 1;
		if (text[i] == '\\' && text[i + 1])
			i++;
	}
	return strlen(text);
}

size_t html_token_length(const char *text)
{
	size_t length = 0;

	if (*text == '"' || *text == '\'')
		return string_length(text);
	while (is_name(text[length]))
		length++;
	if (!length)
		length = strspn(text, "<>=!&|+-*/%^~");
	return length ? length : !!*text;
}

/* A part of the line that belongs to steps. */
struct span {
	size_t begin, end;
	struct str steps; /* '1 3' */
	bool also;        /* for all of them it is not the main place */
};

struct spans {
	VEC(struct span) all;
};

static int by_column(const void *a, const void *b)
{
	const struct html_mark *x = a, *y = b;

	if (x->column != y->column)
		return x->column < y->column ? -1 : 1;
	return x->step < y->step ? -1 : x->step > y->step;
}

/* Where a column begins, which the compiler counts in bytes; not inside a character. */
static size_t offset_of(const char *text, unsigned column)
{
	size_t offset = column - 1;

	while (offset && ((unsigned char)text[offset] & 0xc0) == 0x80)
		offset--;
	return offset;
}

/* Marks, which are in the order of the chain, as parts of a line that do not overlap: what begins inside another one
   cuts it off. */
static void find_spans(const struct html_line *line, struct spans *out)
{
	size_t length = strlen(line->text), size = line->marks.size * sizeof(*line->marks.at);
	struct html_mark *marks = mem_alloc(size + 1);

	if (size)
		memcpy(marks, line->marks.at, size);
	qsort(marks, line->marks.size, sizeof(*marks), by_column);
	for (uint32_t i = 0; i < line->marks.size; i++) {
		const struct html_mark *mark = &marks[i];
		struct span *last = out->all.size ? &out->all.at[out->all.size - 1] : NULL;
		size_t begin;

		if (!mark->column || mark->column > length)
			continue;
		begin = offset_of(line->text, mark->column);
		if (!last || last->begin != begin) {
			if (last && last->end > begin)
				last->end = begin;
			last = vec_push(&out->all);
			last->begin = begin;
			last->end = begin + html_token_length(line->text + begin);
			last->also = true;
		}
		str_printf(&last->steps, "%s%u", last->steps.length ? " " : "", mark->step);
		last->also &= mark->also;
	}
	free(marks);
}

static void add_marked_text(struct str *out, const struct html_code *code,
                            const struct spans *spans)
{
	size_t at = 0;

	for (uint32_t i = 0; i < spans->all.size; i++) {
		const struct span *span = &spans->all.at[i];

		html_code_add(code, at, span->begin, out);
		str_printf(out, "<mark%s data-steps=\"%s\">", span->also ? " class=\"also\"" : "",
		           str_text(&span->steps));
		html_code_add(code, span->begin, span->end, out);
		str_add(out, "</mark>");
		at = span->end;
	}
	html_code_add(code, at, strlen(code->text), out);
}

void html_add_line_of(struct html_page *page, const struct explanation_place *place)
{
	const char *text = place->source;
	size_t skip, length, begin;
	struct str *out = &page->out;
	struct html_code code;
	bool open = false;

	if (!text)
		return;
	skip = strspn(text, " \t");
	length = strlen(text);
	begin = place->column > skip && place->column <= length ? offset_of(text, place->column)
	                                                        : length;
	html_code_init(&code, text, &open);
	str_add(out, "<pre class=\"one\"><code>");
	html_code_add(&code, skip, begin, out);
	if (begin < length) {
		size_t end = begin + html_token_length(text + begin);

		str_add(out, "<mark>");
		html_code_add(&code, begin, end, out);
		str_add(out, "</mark>");
		html_code_add(&code, end, length, out);
	}
	str_add(out, "</code></pre>\n");
	html_code_deinit(&code);
}

/* --- lines --- */

static void add_steps_of(struct str *out, const struct html_line *line)
{
	str_add(out, " data-steps=\"");
	for (uint32_t i = 0; i < line->marks.size; i++)
		str_printf(out, "%s%u", i ? " " : "", line->marks.at[i].step);
	str_add_char(out, '"');
}

/* Links back to the steps of the line, each once. */
static void add_badges(struct str *out, const struct html_line *line)
{
	str_add(out, "<span class=\"gutter\">");
	for (uint32_t i = 0; i < line->marks.size; i++) {
		bool again = false;

		for (uint32_t j = 0; j < i; j++)
			again |= line->marks.at[j].step == line->marks.at[i].step;
		if (!again)
			str_printf(out,
			           "<a class=\"badge%s\" href=\"#step-%u\" aria-label=\"step "
			           "%u\">%u</a>",
			           line->marks.at[i].also ? " also" : "", line->marks.at[i].step,
			           line->marks.at[i].step, line->marks.at[i].step);
	}
	str_add(out, "</span>");
}

static void add_notes(struct str *out, const struct html_line *line)
{
	if (line->fix)
		str_printf(out,
		           " <a class=\"flag\" href=\"#fix-%u\">with a change here it passes</a>",
		           line->fix);
	if (line->suspect)
		str_printf(out, " <a class=\"flag\" href=\"#suspect-%u\">look here: %u</a>",
		           line->suspect, line->suspect);
	if (line->failure)
		str_add(out, " <span class=\"flag failing\">the failure shows here</span>");
}

static void add_line(struct str *out, const struct html_line *line, uint32_t file, bool *comment)
{
	struct spans spans = {VEC_INIT};
	struct html_code code;

	html_code_init(&code, line->text, comment);
	find_spans(line, &spans);
	str_printf(out, "<span class=\"line%s%s\" id=\"line-%u-%u\" data-number=\"%u\"",
	           line->marks.size ? " marked" : "", line->failure ? " failure" : "", file,
	           line->number, line->number);
	if (line->marks.size)
		add_steps_of(out, line);
	str_add_char(out, '>');
	if (line->marks.size)
		add_badges(out, line);
	str_add(out, "<span class=\"text\">");
	add_marked_text(out, &code, &spans);
	str_add(out, "</span>");
	add_notes(out, line);
	str_add(out, "\n</span>");
	for (uint32_t i = 0; i < spans.all.size; i++)
		str_deinit(&spans.all.at[i].steps);
	vec_deinit(&spans.all);
	html_code_deinit(&code);
}

static void add_gap(struct str *out, unsigned from, unsigned to)
{
	str_printf(out, "<span class=\"gap\">");
	if (from == to)
		str_printf(out, "line %u is left out", from);
	else
		str_printf(out, "lines %u to %u are left out", from, to);
	str_add(out, "\n</span>");
}

static void add_file(struct str *out, const struct html_file *file, uint32_t index)
{
	unsigned next = 1;
	bool comment = false; /* one goes on from the line before */

	str_add(out, "<section class=\"file\"><h3>");
	html_add(out, file->name);
	str_add(out, "</h3><pre class=\"code\"><code>");
	for (uint32_t i = 0; i < file->lines.size; i++) {
		if (file->lines.at[i].number > next) {
			add_gap(out, next, file->lines.at[i].number - 1);
			comment = false;
		}
		add_line(out, &file->lines.at[i], index, &comment);
		next = file->lines.at[i].number + 1;
	}
	str_add(out, "</code></pre></section>\n");
}

bool html_has_source(const struct html_page *page)
{
	for (uint32_t i = 0; i < page->files.size; i++)
		if (page->files.at[i].lines.size)
			return true;
	return false;
}

void html_add_source(struct html_page *page)
{
	struct str *out = &page->out;

	if (!html_has_source(page))
		return;
	str_add(out, "<section id=\"source\" class=\"panel\" aria-labelledby=\"source-title\">"
	             "<h2 id=\"source-title\">Source</h2>"
	             "<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
	             "aria-labelledby=\"source-title\">\n");
	for (uint32_t i = 0; i < page->files.size; i++)
		if (page->files.at[i].lines.size)
			add_file(out, &page->files.at[i], i);
	str_add(out, "</div></section>\n");
}

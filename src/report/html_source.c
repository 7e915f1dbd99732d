/* The source in the page, with the steps marked in it: see html_page.h. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "report/cause_tree.h"
#include "report/explanation_words.h"
#include "report/html.h"
#include "report/html_page.h"

/* --- colours of C: comments, strings and keywords --- */

#define PLAIN   0
#define COMMENT 'c'
#define QUOTED  'q'
#define KEYWORD 'k'

static bool is_keyword(const char *text, size_t length)
{
	static const char *const words[] = {
		"auto",    "break",   "case",     "char",     "const",    "continue", "default",
		"do",      "double",  "else",     "enum",     "extern",   "float",    "for",
		"goto",    "if",      "inline",   "int",      "long",     "register", "restrict",
		"return",  "short",   "signed",   "sizeof",   "static",   "struct",   "switch",
		"typedef", "union",   "unsigned", "void",     "volatile", "while",    "_Bool",
		"bool",    "size_t",  "uint8_t",  "uint16_t", "uint32_t", "uint64_t", "int8_t",
		"int16_t", "int32_t", "int64_t",  "FILE",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strlen(words[i]) == length && !memcmp(words[i], text, length))
			return true;
	return false;
}

static size_t word_length(const char *text)
{
	size_t length = 0;

	while (isalnum((unsigned char)text[length]) || text[length] == '_')
		length++;
	return length;
}

/* Of a comment whose beginning is before `text`; *open: it does not end in this line. */
static size_t comment_length(const char *text, bool *open)
{
	const char *end = strstr(text, "*/");

	*open = !end;
	return end ? (size_t)(end - text) + 2 : strlen(text);
}

/* What begins there: its kind and its bytes. */
static char next_token(const char *text, bool *open, size_t *length)
{
	if (text[0] == '/' && text[1] == '/') {
		*length = strlen(text);
		return COMMENT;
	}
	if (text[0] == '/' && text[1] == '*') {
		*length = 2 + comment_length(text + 2, open);
		return COMMENT;
	}
	if (*text == '"' || *text == '\'') {
		size_t i = 1;

		/* Up to the quote that ends it, or the end of the line. */
		for (; text[i] && text[i] != text[0]; i++)
			if (text[i] == '\\' && text[i + 1])
				i++;
		*length = i + !!text[i];
		return QUOTED;
	}
	*length = word_length(text);
	if (*length)
		return is_keyword(text, *length) ? KEYWORD : PLAIN;
	*length = 1;
	return PLAIN;
}

/* The '#include' of a line; 0: it is no such line. */
static size_t directive_length(const char *text)
{
	size_t begin = strspn(text, " \t"), space;

	if (text[begin] != '#')
		return 0;
	space = strspn(text + begin + 1, " \t");
	return begin + 1 + space + word_length(text + begin + 1 + space);
}

void html_code_init(struct html_code *code, const char *text, bool *open)
{
	size_t size = strlen(text), at = 0, length;

	code->text = text;
	code->kinds = mem_alloc(size + 1);
	if (*open) {
		at = comment_length(text, open);
		memset(code->kinds, COMMENT, at);
	} else {
		at = directive_length(text);
		memset(code->kinds, KEYWORD, at);
	}
	for (; at < size; at += length) {
		char kind = next_token(text + at, open, &length);

		memset(code->kinds + at, kind, length);
	}
}

void html_code_deinit(struct html_code *code)
{
	free(code->kinds);
}

/* Appends a part of the line as HTML. */
static void html_code_add(const struct html_code *code, size_t from, size_t to, struct str *out)
{
	while (from < to) {
		char kind = code->kinds[from];
		size_t end = from;

		while (end < to && code->kinds[end] == kind)
			end++;
		if (kind)
			str_printf(out, "<span class=\"%c\">", kind);
		html_add_code(out, code->text + from, end - from);
		if (kind)
			str_add(out, "</span>");
		from = end;
	}
}

/* --- which lines are shown --- */

static struct html_file *file_of(struct html_page *page, const char *name)
{
	struct html_file *file;

	for (uint32_t i = 0; i < page->files.size; i++)
		if (!strcmp(page->files.at[i].name, name))
			return &page->files.at[i];
	file = vec_push(&page->files);
	file->name = name;
	return file;
}

static void find_or_add_line(struct html_file *file, unsigned number, const char *text)
{
	struct html_line *line = vec_push(&file->lines);

	line->number = number;
	line->text = text;
	line->order = file->lines.size;
}

/* The line of a place is shown even if no other line of its file is. */
static void add_place(struct html_page *page, const struct explanation_place *place)
{
	if (place->file && place->line)
		find_or_add_line(file_of(page, place->file), place->line, place->source);
}

/* By number; of one number a line whose text is known first, and then the one that was found first. */
static int by_number(const void *a, const void *b)
{
	const struct html_line *x = a, *y = b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	if (!x->text != !y->text)
		return x->text ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static struct html_line *find(const struct html_page *page, const struct explanation_place *place,
                              uint32_t *file)
{
	const struct html_line key = {.number = place->line};

	for (uint32_t i = 0; place->file && i < page->files.size; i++) {
		const struct html_file *f = &page->files.at[i];

		if (strcmp(f->name, place->file))
			continue;
		for (uint32_t low = 0, high = f->lines.size; low < high;) {
			uint32_t middle = low + (high - low) / 2;

			if (f->lines.at[middle].number == key.number) {
				*file = i;
				return &f->lines.at[middle];
			}
			if (f->lines.at[middle].number < key.number)
				low = middle + 1;
			else
				high = middle;
		}
	}
	return NULL;
}

const struct html_line *html_line_at(const struct html_page *page,
                                     const struct explanation_place *place, uint32_t *file)
{
	return find(page, place, file);
}

/* --- which steps, suspects and changes are marked in them --- */

static void mark(struct html_page *page, const struct explanation_place *place, uint32_t step,
                 bool also)
{
	uint32_t file;
	struct html_line *line = find(page, place, &file);

	if (!line)
		return;
	for (uint32_t i = 0; i < line->marks.size; i++)
		if (line->marks.at[i].step == step && line->marks.at[i].column == place->column)
			return;
	*vec_push(&line->marks) =
		(struct html_mark){.step = step, .column = place->column, .also = also};
}

static void mark_others(struct html_page *page)
{
	uint32_t file;

	for (uint32_t i = 0; i < explanation_shown_suspects(page->e, page->style->full); i++) {
		struct html_line *line = find(page, &page->e->suspects.at[i].at, &file);

		if (line && !line->suspect)
			line->suspect = i + 1;
	}
	for (uint32_t i = 0; i < explanation_shown_fixes(page->e, page->style); i++) {
		struct html_line *line = find(page, &page->e->fixes.at[i].at, &file);

		if (line && !line->fix)
			line->fix = i + 1;
	}
	if (page->e->failure.at.file) {
		struct html_line *line = find(page, &page->e->failure.at, &file);

		if (line)
			line->failure = true;
	}
}

void html_lines_init(struct html_page *page)
{
	const struct cause_tree *tree;

	for (uint32_t i = 0; i < explanation_shown_fixes(page->e, page->style); i++)
		add_place(page, &page->e->fixes.at[i].at);
	for (uint32_t i = 0; i < page->e->steps.size; i++) {
		const struct explanation_step *step = &page->e->steps.at[i];

		add_place(page, explanation_step_place(step));
		add_place(page, &step->at);
		add_place(page, &step->cause);
		add_place(page, &step->until);
	}
	for (uint32_t i = 0; i < page->e->sources.size; i++) {
		const struct explanation_source *source = &page->e->sources.at[i];
		struct html_file *file = file_of(page, source->file);

		for (uint32_t j = 0; j < source->lines.size; j++)
			find_or_add_line(file, source->first + j, source->lines.at[j]);
	}
	add_place(page, &page->e->failure.at);
	for (uint32_t i = 0; i < explanation_shown_suspects(page->e, page->style->full); i++)
		add_place(page, &page->e->suspects.at[i].at);
	tree = page->e->tree;
	for (uint32_t i = 0; tree && i < tree->nodes.size; i++) {
		const struct cause_node *node = &tree->nodes.at[i];

		add_place(page, &node->at);
		for (uint32_t j = 0; j < node->statements.size; j++)
			if (node->statements.at[j].at.source)
				add_place(page, &node->statements.at[j].at);
	}
	for (uint32_t i = 0; i < page->files.size; i++) {
		/* Each line once. One without a text would be an empty one in the listing, so it is left out. */
		struct html_file *f = &page->files.at[i];
		uint32_t kept = 0;

		if (f->lines.size)
			qsort(f->lines.at, f->lines.size, sizeof(*f->lines.at), by_number);
		for (uint32_t k = 0; k < f->lines.size; k++)
			if (f->lines.at[k].text &&
			    (!kept || f->lines.at[kept - 1].number != f->lines.at[k].number))
				f->lines.at[kept++] = f->lines.at[k];
		f->lines.size = kept;
	}
	for (uint32_t i = 0; i < page->e->steps.size; i++) {
		const struct explanation_step *step = &page->e->steps.at[i];

		mark(page, explanation_step_place(step), i + 1, false);
		if (step->transition)
			mark(page, &step->cause, i + 1, true);
		if (step->transition)
			mark(page, &step->until, i + 1, true);
	}
	mark_others(page);
}

void html_lines_deinit(struct html_page *page)
{
	for (uint32_t i = 0; i < page->files.size; i++) {
		for (uint32_t j = 0; j < page->files.at[i].lines.size; j++)
			vec_deinit(&page->files.at[i].lines.at[j].marks);
		vec_deinit(&page->files.at[i].lines);
	}
	vec_deinit(&page->files);
}

/* --- places, which link to lines --- */

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

size_t html_token_length(const char *text)
{
	size_t length = 0;

	if (*text == '"' || *text == '\'') {
		/* Up to the quote that ends it. */
		for (size_t i = 1; text[i]; i++) {
			if (text[i] == text[0])
				return i + 1;
			if (text[i] == '\\' && text[i + 1])
				i++;
		}
		return strlen(text);
	}
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

static void add_line(struct str *out, const struct html_line *line, uint32_t file, bool *comment)
{
	struct spans spans = {VEC_INIT};
	struct html_code code;
	size_t at = 0;

	html_code_init(&code, line->text, comment);
	find_spans(line, &spans);
	str_printf(out, "<span class=\"line%s%s\" id=\"line-%u-%u\" data-number=\"%u\"",
	           line->marks.size ? " marked" : "", line->failure ? " failure" : "", file,
	           line->number, line->number);
	if (line->marks.size) {
		str_add(out, " data-steps=\"");
		for (uint32_t i = 0; i < line->marks.size; i++)
			str_printf(out, "%s%u", i ? " " : "", line->marks.at[i].step);
		str_add_char(out, '"');
	}
	str_add_char(out, '>');
	if (line->marks.size) {
		/* Links back to the steps of the line, each once. */
		str_add(out, "<span class=\"gutter\">");
		for (uint32_t i = 0; i < line->marks.size; i++) {
			bool again = false;

			for (uint32_t j = 0; j < i; j++)
				again |= line->marks.at[j].step == line->marks.at[i].step;
			if (!again)
				str_printf(
					out,
					"<a class=\"badge%s\" href=\"#step-%u\" aria-label=\"step "
					"%u\">%u</a>",
					line->marks.at[i].also ? " also" : "",
					line->marks.at[i].step, line->marks.at[i].step,
					line->marks.at[i].step);
		}
		str_add(out, "</span>");
	}
	str_add(out, "<span class=\"text\">");
	for (uint32_t i = 0; i < spans.all.size; i++) {
		const struct span *span = &spans.all.at[i];

		html_code_add(&code, at, span->begin, out);
		str_printf(out, "<mark%s data-steps=\"%s\">", span->also ? " class=\"also\"" : "",
		           str_text(&span->steps));
		html_code_add(&code, span->begin, span->end, out);
		str_add(out, "</mark>");
		at = span->end;
	}
	html_code_add(&code, at, strlen(code.text), out);
	str_add(out, "</span>");
	if (line->fix)
		str_printf(out,
		           " <a class=\"flag\" href=\"#fix-%u\">with a change here it passes</a>",
		           line->fix);
	if (line->suspect)
		str_printf(out, " <a class=\"flag\" href=\"#suspect-%u\">look here: %u</a>",
		           line->suspect, line->suspect);
	if (line->failure)
		str_add(out, " <span class=\"flag failing\">the failure shows here</span>");
	str_add(out, "\n</span>");
	for (uint32_t i = 0; i < spans.all.size; i++)
		str_deinit(&spans.all.at[i].steps);
	vec_deinit(&spans.all);
	html_code_deinit(&code);
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
			unsigned to = file->lines.at[i].number - 1;

			str_printf(out, "<span class=\"gap\">");
			if (next == to)
				str_printf(out, "line %u is left out", next);
			else
				str_printf(out, "lines %u to %u are left out", next, to);
			str_add(out, "\n</span>");
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

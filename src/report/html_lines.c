/* Which lines of the source a page shows, and what is marked in them: see html_page.h. */
#include <stdlib.h>
#include <string.h>

#include "report/cause_tree.h"
#include "report/explanation_fixes.h"
#include "report/explanation_words.h"
#include "report/html_page.h"

/* --- files and lines --- */

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

static void add_line(struct html_file *file, unsigned number, const char *text)
{
	struct html_line *line = vec_push(&file->lines);

	line->number = number;
	line->text = text;
	line->order = file->lines.size;
}

/* A line that some place is in is shown even where nothing else of the file is. */
static void add_place(struct html_page *page, const struct explanation_place *place)
{
	if (place->file && place->line)
		add_line(file_of(page, place->file), place->line, place->source);
}

static void add_steps(struct html_page *page)
{
	for (uint32_t i = 0; i < page->e->steps.size; i++) {
		const struct explanation_step *step = &page->e->steps.at[i];

		add_place(page, explanation_step_place(step));
		add_place(page, &step->at);
		add_place(page, &step->cause);
		add_place(page, &step->until);
	}
}

static void add_sources(struct html_page *page)
{
	for (uint32_t i = 0; i < page->e->sources.size; i++) {
		const struct explanation_source *source = &page->e->sources.at[i];
		struct html_file *file = file_of(page, source->file);

		for (uint32_t j = 0; j < source->lines.size; j++)
			add_line(file, source->first + j, source->lines.at[j]);
	}
}

static void add_tree(struct html_page *page)
{
	const struct cause_tree *tree = page->e->tree;

	for (uint32_t i = 0; tree && i < tree->nodes.size; i++) {
		const struct cause_node *node = &tree->nodes.at[i];

		add_place(page, &node->at);
		for (uint32_t j = 0; j < node->statements.size; j++)
			if (node->statements.at[j].at.source)
				add_place(page, &node->statements.at[j].at);
	}
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

/* Each line once. One without a text would be an empty one in the listing, so it is left out. */
static void tidy(struct html_file *file)
{
	uint32_t kept = 0;

	if (file->lines.size)
		qsort(file->lines.at, file->lines.size, sizeof(*file->lines.at), by_number);
	for (uint32_t i = 0; i < file->lines.size; i++)
		if (file->lines.at[i].text &&
		    (!kept || file->lines.at[kept - 1].number != file->lines.at[i].number))
			file->lines.at[kept++] = file->lines.at[i];
	file->lines.size = kept;
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

/* --- what is marked --- */

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

static void mark_steps(struct html_page *page)
{
	for (uint32_t i = 0; i < page->e->steps.size; i++) {
		const struct explanation_step *step = &page->e->steps.at[i];

		mark(page, explanation_step_place(step), i + 1, false);
		if (step->transition)
			mark(page, &step->cause, i + 1, true);
		if (step->transition)
			mark(page, &step->until, i + 1, true);
	}
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
	for (uint32_t i = 0; i < explanation_shown_fixes(page->e, page->style); i++)
		add_place(page, &page->e->fixes.at[i].at);
	add_steps(page);
	add_sources(page);
	add_place(page, &page->e->failure.at);
	for (uint32_t i = 0; i < explanation_shown_suspects(page->e, page->style->full); i++)
		add_place(page, &page->e->suspects.at[i].at);
	add_tree(page);
	for (uint32_t i = 0; i < page->files.size; i++)
		tidy(&page->files.at[i]);
	mark_steps(page);
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
